package xlsx

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coverslip/datasets/tabular/archive"
)

var parts = map[string]string{
	"[Content_Types].xml": `<Types><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>` +
		`<Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/></Types>`,
	"xl/workbook.xml":            `<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="s" r:id="a"/></sheets></workbook>`,
	"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="a" Target="s.xml"/></Relationships>`,
	"xl/sharedStrings.xml":       `<sst xmlns="` + mainSpace + `"><si><t>one</t></si><si><t>two</t></si></sst>`,
	"xl/styles.xml":              `<styleSheet xmlns="` + mainSpace + `"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="46"/></cellXfs></styleSheet>`,
}

func pack(t testing.TB, sheet string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	put := func(name, content string) {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err == nil {
			_, err = w.Write([]byte(content))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, content := range parts {
		put(name, content)
	}
	put("xl/s.xml", sheet)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// walkThrough reads cells of both views in all ways and compares the ways.
func walkThrough(t *testing.T, w *Workbook) {
	strict, _ := w.Strict()
	for _, s := range append(strict, w.Sheets...) {
		for r := range min(s.Rows(), 50) {
			row := s.Row(r)
			if len(row) != s.RowLen(r) || len(row) > maxColumnNumber || len(row) > s.Columns() {
				t.Fatalf("row %d has %d cells of %d, the sheet %d columns", r, len(row), s.RowLen(r), s.Columns())
			}
			for c := range min(len(row), 50) {
				if got := s.Cell(r, c); got != row[c] && got.Value == got.Value {
					t.Fatalf("row %d, column %d: %+v, in the row %+v", r, c, got, row[c])
				}
			}
		}
		s.Cell(s.Rows()-1, s.Columns()-1)
		if f := s.Facts(); f.Outside < 0 || f.Outside > f.Cells {
			t.Fatalf("%+v", f)
		}
	}
}

func readBytes(b []byte) (*Workbook, error) {
	a, err := archive.New("fuzz.xlsx", bytes.NewReader(b), int64(len(b)), limits)
	if err != nil {
		return nil, err
	}
	return readBook(a)
}

// FuzzSheet: any XML in the place of a sheet is read or refused.
func FuzzSheet(f *testing.F) {
	files, err := filepath.Glob("../testdata/xlsx/*.parts")
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		_, sheet, _ := strings.Cut(string(b), "-- xl/worksheets/sheet1.xml --\n")
		sheet, _, _ = strings.Cut(sheet, "\n-- ")
		f.Add(sheet)
	}
	f.Fuzz(func(t *testing.T, sheet string) {
		w, err := readBytes(pack(t, sheet))
		if err != nil {
			t.Fatal(err)
		}
		walkThrough(t, w)
	})
}

// FuzzXLSX: any bytes are read or refused.
func FuzzXLSX(f *testing.F) {
	f.Add(pack(f, `<worksheet xmlns="`+mainSpace+`"><sheetData><row><c t="s"><v>1</v></c><c s="1"><v>2.5</v></c></row></sheetData></worksheet>`))
	f.Add(pack(f, `<worksheet/>`))
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	f.Fuzz(func(t *testing.T, b []byte) {
		if w, err := readBytes(b); err == nil {
			walkThrough(t, w)
		}
	})
}
