package tabular

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"coverslip/datasets/fault"
	"coverslip/datasets/filetest/workbook"
	"coverslip/datasets/tabular/python"
)

func TestDict(t *testing.T) {
	records, err := ParseCSV("a,b,a,c\n\n1,2,3\n4,5,6,7,8,9\n \n")
	if err != nil {
		t.Fatal(err)
	}
	d := NewDict(records)
	cell := func(row int, name string) string {
		if c, ok := d.Get(row, name); ok {
			return c
		}
		return "absent"
	}
	var got []string
	for i := range d.Len() {
		got = append(got, fmt.Sprint(d.Record(i), cell(i, "a"), cell(i, "b"), cell(i, "c"), cell(i, "x"), d.Surplus(i)))
	}
	want := []string{"2 3 2 absent absent []", "3 6 5 7 absent [8 9]", "4 absent absent absent absent []"}
	for i := range want {
		want[i] = strings.ReplaceAll(want[i], " ", "")
		got[i] = strings.ReplaceAll(got[i], " ", "")
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q, expected %q", got, want)
	}
	if d := NewDict(Records{{}, {"x"}}); d.Len() != 1 || len(d.Names) != 0 || len(d.Surplus(0)) != 1 {
		t.Errorf("an empty first line: %+v", d)
	}
	if d := NewDict(nil); d.Len() != 0 || d.Has("") {
		t.Errorf("no records: %+v", d)
	}
}

func TestLinesFirst(t *testing.T) {
	text := "X,Y\n\"1\n2\",3\x0b4,5\n"
	whole, _ := ParseCSV(text)
	lines, err := ParseCSVLines(python.Lines(text))
	if err != nil || !reflect.DeepEqual(whole, Records{{"X", "Y"}, {"1\n2", "3\x0b4", "5"}}) || !reflect.DeepEqual(lines, Records{{"X", "Y"}, {"12", "3"}, {"4", "5"}}) {
		t.Errorf("%q, line by line %q, %v", whole, lines, err)
	}
}

func TestFieldLimit(t *testing.T) {
	long := strings.Repeat("µ", maxField)
	if r, err := ParseCSV("a\n" + long + "\n"); err != nil || len(r) != 2 {
		t.Errorf("%d characters: %v", maxField, err)
	}
	r, err := ParseCSV("a\n1\n2,x" + long + "\n3\n")
	if !errors.Is(err, ErrFieldTooLong) || !errors.Is(err, fault.Malformed) || len(r) != 2 || !strings.Contains(err.Error(), "line 3") {
		t.Errorf("one more: %d records, %v", len(r), err)
	}
	header, err := ReadHeader(strings.NewReader("a,b\n" + long + "xx"))
	if err != nil || len(header) != 2 {
		t.Errorf("the header before it: %q, %v", header, err)
	}
	if _, err := ReadHeader(strings.NewReader("\n" + long + "x,b")); !errors.Is(err, ErrFieldTooLong) {
		t.Errorf("in the header: %v", err)
	}
}

func TestTooManyCells(t *testing.T) {
	if _, err := ParseCSV(strings.Repeat(",", maxCells+1)); !errors.Is(err, fault.TooLarge) {
		t.Error(err)
	}
	if _, err := ParseCSV(strings.Repeat("\n", maxCells/2)); !errors.Is(err, fault.TooLarge) {
		t.Error(err)
	}
}

func TestInfiniteStops(t *testing.T) {
	list, _, err := ParseLocalisations("1,2,3\n-inf,x\ninf,x,y\n4,5,6\n")
	if !errors.Is(err, ErrInfinite) || len(list) != 1 || !strings.Contains(err.Error(), "line 3") {
		t.Errorf("%v, %v", list, err)
	}
	// Numbers are read one after the other: the first bad one decides.
	if _, skips, err := ParseLineage("1 x inf 0\n"); err != nil || skips.Count != 1 {
		t.Errorf("%v, %+v", err, skips)
	}
	for _, line := range []string{"1 inf x 0", "0 1 2 1e999", "-inf 1 2"} {
		_, _, err := ParseLineage("1 2 3 0\n" + line + "\n")
		if errors.Is(err, ErrInfinite) != (len(strings.Fields(line)) == 4) {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func TestSkipsAreCounted(t *testing.T) {
	_, skips, err := ParseLocalisations("frame x y\n# no\n\n" + strings.Repeat("bad\n", 3*maxSkipped))
	if err != nil || skips.Count != 3*maxSkipped+1 || len(skips.First) != maxSkipped || skips.First[0].Line != 1 || skips.First[1].Line != 4 {
		t.Errorf("%d skipped, %d kept, first %+v, %v", skips.Count, len(skips.First), skips.First[:2], err)
	}
	tracks, skips, _ := ParseLineage("7 0 1 0\n8 0 1 0\n7 5 9 8\n")
	if len(tracks) != 2 || tracks[0] != (Track{7, 5, 9, 8, 3}) || skips.Count != 1 || skips.First[0].Line != 1 {
		t.Errorf("%v, %+v", tracks, skips)
	}
}

func TestNumbersOfDecimalCommas(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(path, []byte("X;Y\n1,5;2\n1.234,5;1.234\nx;nan\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	table, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	s := table.Sheets[0]
	var got []string
	for r := range s.Rows() {
		for c := range s.Columns() {
			v, ok := s.Number(r, c)
			got = append(got, fmt.Sprint(v, ok))
		}
	}
	if want := []string{"1.5 true", "2 true", "1234.5 true", "1234 true", "0 false", "NaN true"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q, expected %q", got, want)
	}
	if s.Find(" y ") != 1 || s.Find("z") != -1 {
		t.Error("columns are found without regard to blanks and case")
	}
}

// TestPlaces: rows on screen lead to records of the file and back, whatever was left out.
func TestPlaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(path, []byte("\nX,Y\n\n1,2\n,\n3,4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	table, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	s := table.Sheets[0]
	if s.Rows() != 2 || s.Place(0) != 3 || s.Place(1) != 5 || s.RowAt(5) != 1 || s.RowAt(4) != -1 || s.RowAt(1) != -1 {
		t.Errorf("rows %d at %d and %d; place 5 is row %d, place 4 row %d", s.Rows(), s.Place(0), s.Place(1), s.RowAt(5), s.RowAt(4))
	}
}

func TestWorkbookUnderAnotherName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	err := workbook.Pack(path, "-- xl/worksheets/sheet1.xml --\n<worksheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"><sheetData><row><c><v>7</v></c></row></sheetData></worksheet>")
	if err != nil {
		t.Fatal(err)
	}
	table, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := table.Sheets[0].Cell(0, 0); text != "7" || len(table.Warnings()) != 1 {
		t.Errorf("%q, %v", text, table.Notes)
	}
	if err := os.WriteFile(path, []byte("PK\x03\x04\x01\x02\x03\x05"), 0o600); err != nil {
		t.Fatal(err)
	}
	if table, err := Open(path); err != nil || len(table.Warnings()) != 1 {
		t.Errorf("no workbook: %v", err)
	}
}

func TestErrorsNameTheFile(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text.xlsx")
	if err := os.WriteFile(text, []byte("X,Y\n1,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, kind := range map[string]error{filepath.Join(dir, "none.csv"): fault.Missing, filepath.Join(dir, "none.xlsx"): fault.Missing, dir: fault.Missing, text: fault.Malformed} {
		_, err := Open(path)
		if !errors.Is(err, kind) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := Open(text); !strings.Contains(fmt.Sprint(err), "looks like text") {
		t.Error(err)
	}
}

// TestFirstCells: the first cells of a line are those of the whole line split.
func TestFirstCells(t *testing.T) {
	for _, line := range []string{"", "a", ",", "1,2", "1,2,3", "1,2,3,", "1, 2 ,3\t,4", "1,2,3,4,5,6", "a\tb", "1\t\t3\t", "\t1", "1\t2\t3\t4\t5", "1 2  3", "1 2 3 4 5", " a\u00a0b ", ",,,,,"} {
		cells, n := firstCells(line)
		want := SplitLine(line)
		want = want[:min(len(want), len(cells))]
		if !slices.Equal(cells[:n], want) {
			t.Errorf("%q: %q, expected %q", line, cells[:n], want)
		}
	}
}
