package signal

import (
	"archive/zip"
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"coverslip/datasets/tabular/xlsx"
)

// page is a sheet as plain values: text or NaN for an empty cell, by row and column.
type page struct {
	name   string
	header []string
	rows   [][]float64
}

func readPages(t testing.TB, file string) (out []page) {
	t.Helper()
	book, err := xlsx.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range book.Sheets {
		p := page{name: s.Name}
		for _, c := range s.Row(0) {
			p.header = append(p.header, c.Text())
		}
		for r := 1; r < s.Rows(); r++ {
			row := make([]float64, len(p.header))
			for i := range row {
				row[i] = math.NaN()
				if c := s.Cell(r, i); c.IsNumber() {
					row[i] = c.Value
				}
			}
			p.rows = append(p.rows, row)
		}
		out = append(out, p)
	}
	return out
}

// writeKineticsProbe edits all sheets of the truth's workbook.
func writeKineticsProbe(t *testing.T, p probe, task, out string) {
	pages := readPages(t, filepath.Join(task, "evaluation", "processed data NUP107.xlsx"))
	if p.name == "last_k_cells_missing" {
		pages = pages[:len(pages)-p.whole()]
	}
	for i := range pages {
		editPage(t, p, &pages[i])
	}
	writeFile(t, filepath.Join(out, "answer.xlsx"), workbook(t, pages))
}

func editPage(t *testing.T, p probe, s *page) {
	each := func(from, to int, edit func(row, column int, v float64) float64) {
		for r := range s.rows {
			for c := from; c < to; c++ {
				s.rows[r][c] = edit(r, c, s.rows[r][c])
			}
		}
	}
	all, blank := len(s.header), math.NaN()
	switch p.name {
	case "last_k_cells_missing":
	case "frame_column_offset":
		each(0, 1, func(_, _ int, v float64) float64 { return v + p.number() })
	case "time_axis_shift_min":
		each(1, 2, func(_, _ int, v float64) float64 {
			rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v+p.number(), 'f', 3, 64), 64)
			return rounded
		})
	case "time_axis_in_seconds":
		each(1, 2, func(_, _ int, v float64) float64 { return v * 60 })
	case "values":
		each(2, all, func(_, _ int, v float64) float64 {
			switch {
			case math.IsNaN(v):
				return v
			case p.text() == "times_3":
				return v * 3
			case p.text() == "plus_100":
				return v + 100
			case p.text() == "negated":
				return -v
			}
			return 1
		})
	case "swap_daughters":
		old := *s
		old.rows = nil
		for _, row := range s.rows {
			old.rows = append(old.rows, append([]float64(nil), row...))
		}
		each(2, all, func(r, c int, _ float64) float64 { return old.rows[r][twin(old.header, c)] })
	case "first_innercore_1_value_blank":
		done := false
		each(0, all, func(_, c int, v float64) float64 {
			if s.header[c] == "Normalized_total_Intensity_InnerCore_1" && !math.IsNaN(v) && !done {
				done = true
				return blank
			}
			return v
		})
	case "only_daughter_1":
		each(2, all, func(_, c int, v float64) float64 {
			if strings.HasSuffix(strings.Split(s.header[c], " ")[0], "_2") {
				return blank
			}
			return v
		})
	case "frame_column_missing":
		s.header = s.header[1:]
		for r := range s.rows {
			s.rows[r] = s.rows[r][1:]
		}
	case "values_from_frame":
		each(2, all, func(r, _ int, v float64) float64 {
			if r < p.whole() {
				return blank
			}
			return v
		})
	default:
		t.Fatalf("unknown probe %s", p.name)
	}
}

// twin is the column of the other daughter.
func twin(header []string, c int) int {
	for _, pair := range [][2]string{{"_1", "_2"}, {"_2", "_1"}} {
		name, unit, _ := strings.Cut(header[c], " ")
		if base, ok := strings.CutSuffix(name, pair[0]); ok {
			want := strings.TrimSpace(base + pair[1] + " " + unit)
			for i, h := range header {
				if h == want {
					return i
				}
			}
		}
	}
	return c
}

// workbook writes a workbook with the least that a reader needs.
func workbook(t testing.TB, pages []page) []byte {
	t.Helper()
	const main = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	const rel = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	add := func(name, text string) {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" + text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var types, sheets, rels strings.Builder
	for i, p := range pages {
		fmt.Fprintf(&types, `<Override PartName="/xl/worksheets/sheet%d.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`, i+1)
		fmt.Fprintf(&sheets, `<sheet name="%s" sheetId="%d" r:id="rId%d"/>`, p.name, i+1, i+1)
		fmt.Fprintf(&rels, `<Relationship Id="rId%d" Type="%s/worksheet" Target="worksheets/sheet%d.xml"/>`, i+1, rel, i+1)
		add(fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1), sheetText(main, p))
	}
	add("[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>`+types.String()+`</Types>`)
	add("_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="`+rel+`/officeDocument" Target="xl/workbook.xml"/></Relationships>`)
	add("xl/workbook.xml", `<workbook `+main+` xmlns:r="`+rel+`"><sheets>`+sheets.String()+`</sheets></workbook>`)
	add("xl/_rels/workbook.xml.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`+rels.String()+`</Relationships>`)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func sheetText(main string, p page) string {
	var b strings.Builder
	b.WriteString(`<worksheet ` + main + `><sheetData><row r="1">`)
	for _, h := range p.header {
		b.WriteString(`<c t="inlineStr"><is><t>` + h + `</t></is></c>`)
	}
	b.WriteString("</row>")
	for r, row := range p.rows {
		fmt.Fprintf(&b, `<row r="%d">`, r+2)
		for c, v := range row {
			if !math.IsNaN(v) {
				fmt.Fprintf(&b, `<c r="%c%d"><v>%s</v></c>`, 'A'+c, r+2, exactText(v))
			}
		}
		b.WriteString("</row>")
	}
	return b.String() + "</sheetData></worksheet>"
}
