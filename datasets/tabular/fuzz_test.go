package tabular

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"coverslip/datasets/tabular/python"
)

// seeds adds the package's own files with some suffixes.
func seeds(f *testing.F, suffixes ...string) {
	files, err := filepath.Glob("testdata/text/*")
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, file := range files {
		for _, s := range suffixes {
			if strings.HasSuffix(file, s) {
				b, err := os.ReadFile(file)
				if err != nil {
					f.Fatal(err)
				}
				f.Add(b)
			}
		}
	}
}

// FuzzCSV: what is read, written with all cells quoted and read again is the same; the header alone is the first record.
func FuzzCSV(f *testing.F) {
	seeds(f, ".csv")
	f.Fuzz(func(t *testing.T, raw []byte) {
		records, err := ReadCSV(bytes.NewReader(raw))
		if err != nil {
			return
		}
		var b strings.Builder
		var first []string
		for _, r := range records {
			for i, c := range r {
				if i > 0 {
					b.WriteByte(',')
				}
				b.WriteString(`"` + strings.ReplaceAll(c, `"`, `""`) + `"`)
			}
			b.WriteByte('\n')
			if first == nil && len(r) > 0 {
				first = r
			}
		}
		again, err := ParseCSV(b.String())
		if err != nil || len(again) != len(records) || len(records) > 0 && !reflect.DeepEqual(again, records) {
			t.Fatalf("%q reads as %q, again as %q, %v", raw, records, again, err)
		}
		header, err := ReadHeader(bytes.NewReader(raw))
		if err != nil || !reflect.DeepEqual(header, first) {
			t.Fatalf("%q: header %q, expected %q, %v", raw, header, first, err)
		}
		lines, err := ParseCSVLines(python.Lines(StrictText(string(raw))))
		if err != nil {
			t.Fatalf("%q line by line: %q %v", raw, lines, err)
		}
	})
}

// FuzzOpen: anything under a table's name opens, its cells can be read, and the rows lead to their places and back.
func FuzzOpen(f *testing.F) {
	seeds(f, ".csv", ".txt")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, name := range []string{"a.csv", "a.txt", "a.tsv"} {
			table, err := openText(filepath.Join(dir, name), string(raw))
			if err != nil {
				t.Fatal(err)
			}
			s := table.Sheets[0]
			for r := range s.Rows() {
				if s.RowAt(s.Place(r)) != r {
					t.Fatalf("%q: row %d is at place %d, which is row %d", raw, r, s.Place(r), s.RowAt(s.Place(r)))
				}
				for c := range s.Columns() {
					text, present := s.Cell(r, c)
					if _, number := s.Number(r, c); number && !present {
						t.Fatalf("%q: an absent cell %q is a number", raw, text)
					}
				}
			}
			if _, err := table.Strict(); (err != nil) != (table.strictErr != nil) {
				t.Fatal(err, table.strictErr)
			}
		}
	})
}

// FuzzLineage: every line is a track, skipped or without content, and what is read is in range.
func FuzzLineage(f *testing.F) {
	seeds(f, ".txt")
	f.Fuzz(func(t *testing.T, raw []byte) {
		tracks, skips, err := ParseLineage(string(raw))
		lines := len(python.Lines(python.Decode(string(raw))))
		if len(tracks)+skips.Count > lines {
			t.Fatalf("%d tracks and %d skipped of %d lines", len(tracks), skips.Count, lines)
		}
		ids := map[float64]bool{}
		for _, k := range tracks {
			if k.ID <= 0 || k.End < k.Start || ids[k.ID] || k.Line < 1 || k.Line > lines {
				t.Fatalf("%+v, %v", k, err)
			}
			ids[k.ID] = true
		}
	})
}

// FuzzLocalisations: as above, and the lines of the usual form are read as by the rules.
func FuzzLocalisations(f *testing.F) {
	seeds(f, ".txt")
	f.Fuzz(func(t *testing.T, raw []byte) {
		sameReading(t, string(raw))
		list, skips, _ := ParseLocalisations(string(raw))
		lines := len(python.Lines(python.Decode(string(raw))))
		if len(list)+skips.Count > lines {
			t.Fatalf("%d localisations and %d skipped of %d lines", len(list), skips.Count, lines)
		}
		last := 0
		for _, l := range list {
			if l.Line <= last || l.Line > lines || l.Frame-l.Frame != 0 {
				t.Fatalf("%+v", l)
			}
			last = l.Line
		}
	})
}
