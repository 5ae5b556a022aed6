package tabular

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coverslip/datasets/filetest/workbook"
	"coverslip/datasets/tabular/xlsx"
)

const benchRows, benchColumns = 60_000, 8

func benchText() string {
	var b strings.Builder
	b.WriteString("index,axis-0,axis-1,axis-2,label,area,intensity,note\n")
	for i := range benchRows {
		fmt.Fprintf(&b, "%d,%d,%.2f,%.2f,%d,%.3f,%.4f,cell %d\n", i, i/1000, float64(i%977)*1.37, float64(i%541)*2.71, i%7, float64(i%389)/3, float64(i%101)/7, i%13)
	}
	return b.String()
}

// ratio reports the speed of a reading in rows and relative to a copy of the same bytes, timed in the same run.
func ratio(b *testing.B, bytes string, read func()) {
	var spent, copied time.Duration
	sink := make([]byte, len(bytes))
	for b.Loop() {
		begin := time.Now()
		read()
		spent += time.Since(begin)
		begin = time.Now()
		copy(sink, bytes)
		copied += time.Since(begin)
	}
	b.ReportMetric(float64(benchRows)*float64(b.N)/spent.Seconds(), "rows/s")
	b.ReportMetric(float64(copied)/float64(spent), "xcopy")
	b.ReportMetric(spent.Seconds()*1e3/float64(b.N), "ms/table")
}

// BenchmarkStrictCSV reads 60,000 x 8 cells as a scorer does.
func BenchmarkStrictCSV(b *testing.B) {
	text := benchText()
	ratio(b, text, func() {
		if r, err := ReadCSV(strings.NewReader(text)); err != nil || len(r) != benchRows+1 {
			b.Fatal(len(r), err)
		}
	})
}

// BenchmarkFloats reads two columns of the table as numbers.
func BenchmarkFloats(b *testing.B) {
	text := benchText()
	records, err := ParseCSV(text)
	if err != nil {
		b.Fatal(err)
	}
	ratio(b, text, func() {
		for _, r := range records[1:] {
			for _, c := range r[2:4] {
				if _, ok := Float(c); !ok {
					b.Fatal(c)
				}
			}
		}
	})
}

// BenchmarkOpenCSV opens the table for display, its notes included.
func BenchmarkOpenCSV(b *testing.B) {
	text := benchText()
	path := filepath.Join(b.TempDir(), "a.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	benchOpen(b, path, text)
}

func benchOpen(b *testing.B, path, bytes string) {
	ratio(b, bytes, func() {
		t, err := Open(path)
		if err != nil || t.Sheets[0].Rows() != benchRows || t.Sheets[0].Columns() != benchColumns || len(t.Warnings()) > 0 {
			b.Fatal(err, t.Notes)
		}
	})
}

// BenchmarkOpenXLSX opens a workbook of the same cells; the promise is 300 ms.
func BenchmarkOpenXLSX(b *testing.B) {
	path := filepath.Join(b.TempDir(), "a.xlsx")
	sheet := benchBook(b, path)
	benchOpen(b, path, sheet)
}

// BenchmarkStrictXLSX does so as a scorer does, going through all rows.
func BenchmarkStrictXLSX(b *testing.B) {
	path := filepath.Join(b.TempDir(), "a.xlsx")
	sheet := benchBook(b, path)
	ratio(b, sheet, func() {
		sheets, err := xlsx.OpenStrict(path)
		if err != nil || sheets[0].Rows() != benchRows+1 {
			b.Fatal(err)
		}
		for r := range sheets[0].Rows() {
			if len(sheets[0].Row(r)) != benchColumns {
				b.Fatal(r)
			}
		}
	})
}

// BenchmarkScroll reads the cells of a screen of 50 rows somewhere in the workbook.
func BenchmarkScroll(b *testing.B) {
	path := filepath.Join(b.TempDir(), "a.xlsx")
	benchBook(b, path)
	t, err := Open(path)
	if err != nil {
		b.Fatal(err)
	}
	s, top := t.Sheets[0], 0
	for b.Loop() {
		for r := top; r < top+50; r++ {
			for c := range s.Columns() {
				s.Cell(r, c)
			}
		}
		top = (top + 7919) % (benchRows - 50)
	}
}

// benchBook writes the table as a workbook and gives the XML of its sheet.
func benchBook(b *testing.B, path string) string {
	var s strings.Builder
	fmt.Fprintf(&s, `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><dimension ref="A1:H%d"/><sheetData>`, benchRows+1)
	for i, line := range strings.Split(strings.TrimSpace(benchText()), "\n") {
		fmt.Fprintf(&s, `<row r="%d">`, i+1)
		for c, cell := range strings.Split(line, ",") {
			if i == 0 || c == 7 {
				fmt.Fprintf(&s, `<c r="%c%d" t="inlineStr"><is><t>%s</t></is></c>`, 'A'+c, i+1, cell)
				continue
			}
			fmt.Fprintf(&s, `<c r="%c%d"><v>%s</v></c>`, 'A'+c, i+1, cell)
		}
		s.WriteString("</row>")
	}
	s.WriteString("</sheetData></worksheet>")
	parts := maps.Clone(workbook.Parts)
	parts["xl/worksheets/sheet1.xml"] = s.String()
	if err := workbook.Write(path, parts); err != nil {
		b.Fatal(err)
	}
	return s.String()
}
