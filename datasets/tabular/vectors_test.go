package tabular

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"coverslip/datasets/fault"
	"coverslip/datasets/tabular/archive"
	"coverslip/datasets/tabular/python"
)

// vector is what a file should read as; see "about" in the zoo's expected.json for the fields.
type vector struct {
	Outcome   string          `json:"outcome"`
	ErrorKind string          `json:"error_kind"`
	Warn      string          `json:"warn"`
	Strict    *strictVector   `json:"strict"`
	Display   *displayVector  `json:"display_table"`
	Parsed    [][]any         `json:"parsed"`
	Floats    [][]any         `json:"python_float"`
	Sheets    *sheets         `json:"strict_sheets"`
	Fails     bool            `json:"strict_fails"` // the reference cannot open it or stops while reading it
	Whole     *sheets         `json:"whole_sheets"`
	Shown     *sheets         `json:"display_sheets"`
	Members   json.RawMessage `json:"members"` // of a ZIP their sizes, of other archives something else
	Memory    float64         `json:"max_memory_mb"`
	Budget    struct {
		Open float64 `json:"open_s"`
	} `json:"min_open_budget"`
}

type strictVector struct {
	Records     *[][]string `json:"records"`
	Count       *int        `json:"n_records"`
	First, Last [][]string
	Error       string
}

// UnmarshalJSON accepts a last record as well as a list of them.
func (s *strictVector) UnmarshalJSON(b []byte) error {
	var v struct {
		Records *[][]string     `json:"records"`
		Count   *int            `json:"n_records"`
		First   [][]string      `json:"first"`
		Last    json.RawMessage `json:"last"`
		Error   string          `json:"error"`
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	s.Records, s.Count, s.First, s.Error = v.Records, v.Count, v.First, v.Error
	var one []string
	if json.Unmarshal(v.Last, &one) == nil && one != nil {
		s.Last = [][]string{one}
	} else if v.Last != nil {
		return json.Unmarshal(v.Last, &s.Last)
	}
	return nil
}

type displayVector struct {
	Encoding  string       `json:"encoding"`
	Delimiter string       `json:"delimiter"`
	Decimal   string       `json:"decimal"`
	HasHeader bool         `json:"has_header"`
	Columns   []*string    `json:"columns"`
	Rows      *[][]*string `json:"rows"`
	Count     *int         `json:"n_rows"`
}

// sheets are named tables in their order.
type sheets []struct {
	name string
	rows [][]any
}

func (s *sheets) UnmarshalJSON(b []byte) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	*s = sheets{}
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var rows [][]any
		if err := d.Decode(&rows); err != nil {
			return err
		}
		*s = append(*s, struct {
			name string
			rows [][]any
		}{name.(string), rows})
	}
	return nil
}

// TestVectors reads the tables and archives of the zoo and compares them with what is expected.
func TestVectors(t *testing.T) { runVectors(t, shared(t, "zoo"), "text", "xlsx", "zip") }

// TestOwnVectors does the same with the package's own files. Adding a case needs no code: a file and its entry, or for a
// workbook a .parts file, which is packed first.
func TestOwnVectors(t *testing.T) { runVectors(t, packWorkbooks(t, "testdata"), "text", "xlsx") }

func runVectors(t *testing.T, root string, groups ...string) {
	b, err := os.ReadFile(filepath.Join(root, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var doc struct{ Files map[string]vector }
	if err := json.Unmarshal(b, &doc); err != nil {
		t.Fatal(err)
	}
	paths := make([]string, 0, len(doc.Files))
	for p := range doc.Files {
		paths = append(paths, p)
	}
	sort.Strings(paths)
	for _, g := range groups {
		agree, all := 0, 0
		for _, p := range paths {
			if !strings.HasPrefix(p, g+"/") {
				continue
			}
			all++
			if err := doc.Files[p].check(filepath.Join(root, p)); err != nil {
				t.Errorf("%s (%s %s): %v", p, doc.Files[p].Outcome, doc.Files[p].ErrorKind, err)
				continue
			}
			agree++
		}
		t.Logf("%s: %d of %d agree", g, agree, all)
		if all == 0 {
			t.Errorf("no vector of %s", g)
		}
	}
}

func (v vector) check(path string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	if strings.HasSuffix(path, ".zip") {
		return v.checkZip(path)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begin := time.Now()
	table, openErr := Open(path)
	opened := time.Since(begin)
	runtime.ReadMemStats(&after)
	if mb := float64(after.TotalAlloc-before.TotalAlloc) / 1e6; v.Memory > 0 && mb > v.Memory {
		return fmt.Errorf("allocated %.0f MB of %.0f", mb, v.Memory)
	}
	if v.Budget.Open > 0 && opened.Seconds() > v.Budget.Open {
		return fmt.Errorf("opening took %v", opened)
	}
	if openErr != nil || v.Outcome == "error" {
		return v.checkError(openErr)
	}
	if err := v.checkNotes(table.Notes); err != nil {
		return err
	}
	if strings.Contains(filepath.ToSlash(path), "/xlsx/") {
		return errors.Join(v.checkBook(path), sameStrictly(table))
	}
	return errors.Join(v.checkStrict(path, table), v.checkDisplay(table), v.checkParsed(path), v.checkFloats(path))
}

var kinds = map[string]error{"malformed": fault.Malformed, "unsupported": fault.Unsupported, "too large": fault.TooLarge}

func (v vector) checkError(err error) error {
	want := kinds[v.ErrorKind]
	var e *fault.Error
	switch {
	case err == nil:
		return errors.New("read without an error")
	case want == nil:
		return fmt.Errorf("unexpected error: %v", err)
	case !errors.Is(err, want):
		return fmt.Errorf("another kind of error: %v", err)
	case !errors.As(err, &e) || e.File == "":
		return fmt.Errorf("an error that does not name the file: %v", err)
	}
	return nil
}

func (v vector) checkNotes(all []Note) error {
	for _, n := range all {
		if v.Outcome == "ok" && n.Level == Warning {
			return fmt.Errorf("a needless warning: %v", n)
		}
		if v.Outcome == "warn" && n.Level == Warning && strings.Contains(n.Topic+" "+n.Text, v.Warn) {
			return nil
		}
	}
	if v.Outcome == "warn" {
		return fmt.Errorf("no warning about %q: %v", v.Warn, all)
	}
	return nil
}

func (v vector) checkStrict(path string, t *Table) error {
	if v.Strict == nil {
		return nil
	}
	records, err := ReadCSVFile(path)
	if (err != nil) != (v.Strict.Error != "") {
		return fmt.Errorf("strict reading: error %v, expected %q", err, v.Strict.Error)
	}
	if err != nil {
		return nil
	}
	if v.Strict.Records != nil && !sameRecords(records, *v.Strict.Records) {
		return fmt.Errorf("strict records %q, expected %q", records, *v.Strict.Records)
	}
	if n := v.Strict.Count; n != nil && (len(records) != *n || !sameRecords(records[:len(v.Strict.First)], v.Strict.First) || !sameRecords(records[len(records)-len(v.Strict.Last):], v.Strict.Last)) {
		return fmt.Errorf("%d strict records, expected %d, or other ones", len(records), *n)
	}
	strict, err := t.Strict()
	if err != nil || strict.Sheets[0].Rows() != len(records) {
		return fmt.Errorf("the strict table has other rows, %v", err)
	}
	for i, r := range records {
		for c, want := range r {
			if got, ok := strict.Sheets[0].Cell(i, c); !ok || got != want {
				return fmt.Errorf("the strict table has %q in row %d, expected %q", got, i, want)
			}
		}
	}
	return nil
}

func sameRecords(a, b [][]string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if len(a[i]) != len(b[i]) {
			return false
		}
		for k := range a[i] {
			if a[i][k] != b[i][k] {
				return false
			}
		}
	}
	return true
}

func (v vector) checkDisplay(t *Table) error {
	d := v.Display
	if d == nil {
		return nil
	}
	s := t.Sheets[0]
	if t.Encoding != d.Encoding || t.Separator != d.Delimiter || t.Decimal != d.Decimal {
		return fmt.Errorf("%s, separator %q, decimal %q; expected %s %q %q", t.Encoding, t.Separator, t.Decimal, d.Encoding, d.Delimiter, d.Decimal)
	}
	if d.Columns == nil && s.HasHeader() {
		return fmt.Errorf("a header: %v", columns(s))
	}
	if d.Columns != nil && !reflect.DeepEqual(columns(s), texts(d.Columns)) {
		return fmt.Errorf("columns %v, expected %v", columns(s), texts(d.Columns))
	}
	if d.Count != nil && s.Rows() != *d.Count {
		return fmt.Errorf("%d rows, expected %d", s.Rows(), *d.Count)
	}
	if d.Rows == nil {
		return nil
	}
	if s.Rows() != len(*d.Rows) {
		return fmt.Errorf("%d rows, expected %d", s.Rows(), len(*d.Rows))
	}
	for i, r := range *d.Rows {
		if got := row(s, i, len(r)); !reflect.DeepEqual(got, texts(r)) {
			return fmt.Errorf("row %d: %v, expected %v", i, got, texts(r))
		}
		if at := s.RowAt(s.Place(i)); at != i {
			return fmt.Errorf("row %d stands at place %d, which leads to row %d", i, s.Place(i), at)
		}
	}
	return nil
}

// texts and its like write cells so that an absent one differs from an empty one.
func texts(cells []*string) []string {
	out := make([]string, len(cells))
	for i, c := range cells {
		if out[i] = "absent"; c != nil {
			out[i] = fmt.Sprintf("%q", *c)
		}
	}
	return out
}

func columns(s *Sheet) []string {
	cells := make([]*string, s.Columns())
	for c := range cells {
		if name, ok := s.Column(c); ok {
			cells[c] = &name
		}
	}
	return texts(cells)
}

func row(s *Sheet, r, n int) []string {
	cells := make([]*string, n)
	for c := range cells {
		if text, ok := s.Cell(r, c); ok {
			cells[c] = &text
		}
	}
	return texts(cells)
}

// checkParsed reads rows of four as a lineage, others as localisations.
func (v vector) checkParsed(path string) error {
	if v.Parsed == nil {
		return nil
	}
	raw, err := ReadRaw(path)
	if err != nil {
		return err
	}
	var got [][]float64
	if strings.Contains(filepath.Base(path), "lineage") {
		tracks, _, err := ParseLineage(raw)
		if err != nil {
			return err
		}
		for _, t := range tracks {
			got = append(got, []float64{t.ID, t.Start, t.End, t.Parent})
		}
	} else {
		list, _, err := ParseLocalisations(raw)
		if err != nil {
			return err
		}
		for _, l := range list {
			got = append(got, []float64{l.Frame, l.X, l.Y, l.Intensity}[:len(v.Parsed[0])])
		}
	}
	same := slices.EqualFunc(got, v.Parsed, func(g []float64, w []any) bool {
		return slices.EqualFunc(g, w, func(g float64, w any) bool { return sameFloat(g, true, w) })
	})
	if !same {
		return fmt.Errorf("parsed as %v, expected %v", got, v.Parsed)
	}
	return nil
}

func (v vector) checkFloats(path string) error {
	if v.Floats == nil {
		return nil
	}
	records, err := ReadCSVFile(path)
	if err != nil || len(records) != len(v.Floats)+1 {
		return fmt.Errorf("%d records, %v", len(records), err)
	}
	for i, want := range v.Floats {
		got, ok := python.Float(records[i+1][0])
		if !sameFloat(got, ok, want[0]) {
			return fmt.Errorf("%q reads as %v %v, expected %v", records[i+1][0], got, ok, want[0])
		}
	}
	return nil
}

func sameFloat(got float64, ok bool, want any) bool {
	switch w := want.(type) {
	case float64:
		return ok && math.Float64bits(got) == math.Float64bits(w)
	case string:
		return w == "not a number" && !ok || ok && w == python.FormatFloat(got)
	}
	return false
}

func (v vector) checkZip(path string) error {
	a, err := archive.Open(path, archive.DefaultLimits)
	if err == nil {
		defer a.Close()
		err = a.Safe()
	}
	if err != nil || v.Outcome == "error" {
		return v.checkError(err)
	}
	if v.Outcome == "warn" && !strings.Contains(strings.Join(a.Notes, " "), v.Warn) || v.Outcome == "ok" && len(a.Notes) > 0 {
		return fmt.Errorf("notes %q, expected %q", a.Notes, v.Warn)
	}
	var want map[string]int64
	if err := json.Unmarshal(v.Members, &want); err != nil || want == nil {
		return err
	}
	got := map[string]int64{}
	for _, m := range a.Members {
		got[m.Name] = m.Size
	}
	if !reflect.DeepEqual(got, want) {
		return fmt.Errorf("members %v, expected %v", got, want)
	}
	return nil
}
