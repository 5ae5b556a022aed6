package demo

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// sheet is a table under construction: a header and rows of text and numbers.
type sheet struct {
	name string
	head []string
	rows [][]any
}

func (s *sheet) row(cells ...any) { s.rows = append(s.rows, cells) }

// cell is the text of a cell: numbers with as few digits as they need, nil as nothing.
func cell(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return fmt.Sprint(v)
}

// text joins the cells of the table with a separator, the header first if there is one.
func (s *sheet) text(separator string) []byte {
	var b strings.Builder
	if s.head != nil {
		b.WriteString(strings.Join(s.head, separator) + "\n")
	}
	for _, r := range s.rows {
		for i, c := range r {
			if i > 0 {
				b.WriteString(separator)
			}
			b.WriteString(cell(c))
		}
		b.WriteString("\n")
	}
	return []byte(b.String())
}

func (s *sheet) csv() []byte { return s.text(",") }

// The fixed parts of an Excel workbook (ECMA-376): what is in it, and where it starts.
const (
	xmlHead       = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	officeSchema  = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	packageSchema = "http://schemas.openxmlformats.org/package/2006/"
	sheetSchema   = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	sheetType     = "application/vnd.openxmlformats-officedocument.spreadsheetml."
)

// workbook writes tables as an Excel file, one sheet each. Text stands in the cells themselves; nothing is compressed, so
// that the bytes do not depend on a compressor.
func workbook(sheets ...*sheet) ([]byte, error) {
	types := xmlHead + `<Types xmlns="` + packageSchema + `content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="` + sheetType + `sheet.main+xml"/>`
	book := xmlHead + `<workbook xmlns="` + sheetSchema + `" xmlns:r="` + officeSchema + `"><sheets>`
	links := xmlHead + `<Relationships xmlns="` + packageSchema + `relationships">`
	for i, s := range sheets {
		types += fmt.Sprintf(`<Override PartName="/xl/worksheets/sheet%d.xml" ContentType="%sworksheet+xml"/>`, i+1, sheetType)
		book += fmt.Sprintf(`<sheet name="%s" sheetId="%d" r:id="rId%d"/>`, s.name, i+1, i+1)
		links += fmt.Sprintf(`<Relationship Id="rId%d" Type="%s/worksheet" Target="worksheets/sheet%d.xml"/>`, i+1, officeSchema, i+1)
	}
	parts := []file{
		{"[Content_Types].xml", []byte(types + `</Types>`)},
		{"_rels/.rels", []byte(xmlHead + `<Relationships xmlns="` + packageSchema + `relationships"><Relationship Id="rId1" Type="` +
			officeSchema + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`)},
		{"xl/workbook.xml", []byte(book + `</sheets></workbook>`)},
		{"xl/_rels/workbook.xml.rels", []byte(links + `</Relationships>`)},
	}
	for i, s := range sheets {
		parts = append(parts, file{fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1), s.xml()})
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, p := range parts {
		w, err := z.CreateHeader(&zip.FileHeader{Name: p.path, Method: zip.Store})
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(p.data); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return out.Bytes(), err
}

// xml is the sheet's part of a workbook.
func (s *sheet) xml() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `%s<worksheet xmlns="%s"><dimension ref="A1:%s%d"/><sheetData>`, xmlHead, sheetSchema, column(len(s.head)-1), len(s.rows)+1)
	head := make([]any, len(s.head))
	for i, h := range s.head {
		head[i] = h
	}
	for y, r := range append([][]any{head}, s.rows...) {
		fmt.Fprintf(&b, `<row r="%d">`, y+1)
		for x, c := range r {
			switch c := c.(type) {
			case nil:
			case string:
				fmt.Fprintf(&b, `<c r="%s%d" t="inlineStr"><is><t>%s</t></is></c>`, column(x), y+1, c)
			default:
				fmt.Fprintf(&b, `<c r="%s%d"><v>%s</v></c>`, column(x), y+1, cell(c))
			}
		}
		b.WriteString(`</row>`)
	}
	b.WriteString(`</sheetData></worksheet>`)
	return b.Bytes()
}

// column is the letter of a column, counted from 0; the demo's tables have fewer than 27.
func column(n int) string { return string(rune('A' + n)) }
