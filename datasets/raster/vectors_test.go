package raster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster/pixel"
	"coverslip/datasets/raster/tiff"
)

// later lists what the readers of this package do not cover yet, by a part of the path, with the reason. Whole groups,
// no single files.
var later = []struct{ part, why string }{
	{"text/", "tables"},
	{"xlsx/", "tables"},
	{"zip/", "archives"},
	{"zip-bad/", "archives"},
}

// mistaken lists expected numbers that come from a reader which gets them wrong, with the right ones. The run lengths of
// these BMP files have odd runs of four-bit pixels or jumps; that reader loses a byte there.
var mistaken = map[string]struct{ why, hash string }{
	"pillow/bmp-good/pal4rle.bmp":             {"the same picture as pal4.bmp", "6283ee921e858d17d7b44dc61852cb64d433c30e858c18a0147f586ed7966808"},
	"pillow/bmp-questionable/pal4rletrns.bmp": {"jumps", "8f6688a49f35"},
	"pillow/bmp-questionable/pal8rletrns.bmp": {"jumps", "c37e483b96ea"},
}

// vector is one entry of an expected.json: what a file should read as.
type vector struct {
	Outcome   string          `json:"outcome"`
	ErrorKind string          `json:"error_kind"`
	Shape     []int           `json:"series_shape"`
	Axes      *string         `json:"axes"`
	Type      *string         `json:"dtype"`
	Hash      *string         `json:"sha256_le"`
	Probes    json.RawMessage `json:"probes"`
	Warn      string          `json:"warn"`
	Memory    float64         `json:"max_memory_mb"`
	Reference struct {
		Reader string `json:"reader"`
		Reads  *bool  `json:"reads"`
		Same   *bool  `json:"same_values"`
	} `json:"reference"`
	Metadata metadata `json:"metadata"`
	Display  struct {
		Levels [][]int `json:"levels"`
	} `json:"display"`
	Members map[string]json.RawMessage `json:"members"`
	Budget  struct {
		Open float64 `json:"open_s"`
	} `json:"min_open_budget"`
}

// shared is a folder of test material beside the repository; the test is skipped where it is not there.
func shared(t testing.TB, parts ...string) string {
	t.Helper()
	dir, err := os.Getwd()
	for err == nil {
		if _, e := os.Stat(filepath.Join(dir, "go.mod")); e == nil {
			path := filepath.Join(append([]string{filepath.Dir(dir), "shared"}, parts...)...)
			if _, e := os.Stat(path); e != nil {
				t.Skipf("%s is not there", path)
			}
			return path
		}
		if dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	t.Skip("the module's root was not found")
	return ""
}

func readVectors(t *testing.T, file string) map[string]vector {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct{ Files map[string]vector }
	if err := json.Unmarshal(b, &doc); err != nil {
		t.Fatal(err)
	}
	return doc.Files
}

func skipped(path string) string {
	for _, l := range later {
		if strings.Contains(strings.ToLower(path), l.part) {
			return l.why
		}
	}
	return ""
}

// TestVectors reads every file of the zoo and of the real collection in scope and compares shape, axes, type, numbers,
// error kinds, warnings and memory with what is expected.
func TestVectors(t *testing.T) {
	for _, collection := range []string{"zoo", "real"} {
		t.Run(collection, func(t *testing.T) {
			root := shared(t, collection)
			vectors := readVectors(t, filepath.Join(root, "expected.json"))
			paths := make([]string, 0, len(vectors))
			for p := range vectors {
				paths = append(paths, p)
			}
			sort.Strings(paths)
			tally := map[string]*[3]int{}
			var table strings.Builder
			for _, p := range paths {
				group, _, _ := strings.Cut(p, "/")
				if tally[group] == nil {
					tally[group] = &[3]int{}
				}
				v := vectors[p]
				if m, ok := mistaken[p]; ok {
					v.Hash = &m.hash
				}
				if why := skipped(p); why != "" && v.Outcome != "survive" {
					tally[group][2]++
					continue
				}
				if err := v.check(filepath.Join(root, p)); err != nil {
					tally[group][1]++
					fmt.Fprintf(&table, "%s DISAGREES\n", v.row(p))
					t.Errorf("%s (%s %s): %v", p, v.Outcome, v.ErrorKind, err)
					continue
				}
				tally[group][0]++
				fmt.Fprintln(&table, v.row(p))
			}
			t.Log("variants and outcomes:\n" + table.String())
			logTally(t, tally)
		})
	}
}

// row is a line of the table of variants: file, outcome, and what it reads as.
func (v vector) row(path string) string {
	out := v.Outcome
	if v.Outcome == "error" {
		out = "error: " + v.ErrorKind
	}
	axes, typ := "", ""
	if v.Axes != nil && v.Type != nil {
		axes, typ = *v.Axes, *v.Type
	}
	return strings.TrimRight(fmt.Sprintf("%-60s %-18s %-6s %-8s %s", path, out, axes, typ, strings.Trim(fmt.Sprint(v.Shape), "[]")), " ")
}

func logTally(t *testing.T, tally map[string]*[3]int) {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%-20s %6s %8s %6s\n", "group", "agree", "disagree", "later")
	var sum [3]int
	groups := make([]string, 0, len(tally))
	for g := range tally {
		groups = append(groups, g)
	}
	sort.Strings(groups)
	for _, g := range groups {
		n := tally[g]
		fmt.Fprintf(&b, "%-20s %6d %8d %6d\n", g, n[0], n[1], n[2])
		for i := range sum {
			sum[i] += n[i]
		}
	}
	fmt.Fprintf(&b, "%-20s %6d %8d %6d\n", "all", sum[0], sum[1], sum[2])
	t.Log(b.String())
}

var kinds = map[string]error{"malformed": fault.Malformed, "unsupported": fault.Unsupported, "too large": fault.TooLarge}

// check opens and reads one file as the entry says.
func (v vector) check(path string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	var before, after runtime.MemStats
	if v.Memory > 0 {
		runtime.ReadMemStats(&before)
	}
	begin := time.Now()
	f, readErr := Open(ctx, path)
	opened := time.Since(begin)
	hash := ""
	if readErr == nil {
		defer f.Close()
		if tooBigForHash := f.Series[0].Len() > 1<<28; !tooBigForHash {
			hash, readErr = Hash(ctx, f)
		}
		if _, e := f.Stack(nil, Layout{}); e != nil && f.Series[0].Len() > 0 {
			return fmt.Errorf("no stack: %v", e)
		}
	}
	if v.Memory > 0 {
		runtime.ReadMemStats(&after)
		if mb := float64(after.TotalAlloc-before.TotalAlloc) / 1e6; mb > v.Memory {
			return fmt.Errorf("allocated %.0f MB of %.0f", mb, v.Memory)
		}
	}
	if v.Budget.Open > 0 && opened.Seconds() > v.Budget.Open {
		return fmt.Errorf("opening took %v", opened)
	}
	if v.Outcome == "survive" {
		return nil
	}
	if readErr != nil || v.Outcome == "error" {
		return v.checkError(readErr)
	}
	return v.compare(ctx, f, hash)
}

func (v vector) checkError(err error) error {
	want := kinds[v.ErrorKind]
	switch {
	case err == nil:
		return errors.New("read without an error")
	case want == nil:
		return fmt.Errorf("unexpected error: %v", err)
	case !errors.Is(err, want):
		return fmt.Errorf("another kind of error: %v", err)
	}
	return nil
}

func (v vector) compare(ctx context.Context, f *File, hash string) error {
	h := f.Series[0]
	switch {
	case v.Shape != nil && fmt.Sprint(h.Shape) != fmt.Sprint(v.Shape):
		return fmt.Errorf("shape %v %s, expected %v %s; notes %q", h.Shape, h.Axes, v.Shape, *v.Axes, f.Notes)
	case v.Axes != nil && h.Axes != *v.Axes:
		return fmt.Errorf("axes %s, expected %s", h.Axes, *v.Axes)
	case v.Type != nil && h.Type.String() != *v.Type:
		return fmt.Errorf("type %s, expected %s", h.Type, *v.Type)
	case v.Hash != nil && !strings.HasPrefix(hash, *v.Hash):
		return fmt.Errorf("other numbers; notes %q", f.Notes)
	}
	notes := f.Notes
	if h.Len() <= 1<<28 {
		a, more, err := f.Whole(ctx)
		if err != nil {
			return err
		}
		notes = append(notes, more...)
		if h.Len() == 0 {
			return nil
		}
		if err := corners(ctx, f, a); err != nil {
			return err
		}
	}
	if v.Outcome == "warn" && len(notes) == 0 {
		return fmt.Errorf("no note, expected one like %q", v.Warn)
	}
	if err := v.score(ctx, f, hash, notes); err != nil {
		return err
	}
	if err := errors.Join(v.Metadata.check(f), v.checkLevels(ctx, f), v.checkMembers(ctx, f)); err != nil {
		return err
	}
	return v.probe(ctx, f)
}

// checkLevels compares the sizes of the smaller copies and reads each.
func (v vector) checkLevels(ctx context.Context, f *File) error {
	if len(v.Display.Levels) == 0 {
		return nil
	}
	s, err := f.Stack(NewCache(1<<20), Layout{})
	if err != nil {
		return err
	}
	if len(s.Levels) != len(v.Display.Levels)-1 {
		return fmt.Errorf("levels %v, expected %v", s.Levels, v.Display.Levels)
	}
	for i, want := range v.Display.Levels {
		l, err := s.Level(i)
		if err != nil {
			return err
		}
		p, err := l.Plane(ctx, l.Shape.T-1, l.Shape.Z-1, l.Shape.C-1)
		if got := []int{p.H, p.W}; err != nil || !slices.Equal(got, want[len(want)-2:]) {
			return fmt.Errorf("level %d of size %v, expected %v; %v", i, got, want, err)
		}
	}
	return nil
}

// checkMembers compares the arrays of an NPZ.
func (v vector) checkMembers(ctx context.Context, f *File) error {
	if f.Format != "NPZ" {
		return nil
	}
	if len(v.Members) != len(f.Series) {
		return fmt.Errorf("arrays %q, expected %d", f.Names, len(v.Members))
	}
	for i, name := range f.Names {
		var want struct {
			Shape []int  `json:"shape"`
			Type  string `json:"dtype"`
			Hash  string `json:"sha256_le"`
		}
		if err := json.Unmarshal(v.Members[name], &want); err != nil {
			return fmt.Errorf("array %q: %v", name, err)
		}
		a, _, err := f.all[i].whole(ctx, f.Path, false)
		if err != nil || !slices.Equal(a.Shape, want.Shape) || a.Type.String() != want.Type || HashArray(a) != want.Hash {
			return fmt.Errorf("array %q reads as %v %s, expected %v %s; %v", name, a.Shape, a.Type, want.Shape, want.Type, err)
		}
		if _, err := f.Stack(nil, Layout{Series: i + 1}); err != nil {
			return err
		}
	}
	return nil
}

// corners compares the first sample of the first plane and the last sample of the last plane of the stack with the array.
func corners(ctx context.Context, f *File, a Array) error {
	s, err := f.Stack(NewCache(1<<26), Layout{})
	if err != nil {
		return err
	}
	n := s.Shape.T * s.Shape.Z * s.Shape.C * s.Shape.Y * s.Shape.X
	if f.shown != f.scored || s.Mosaic != nil || n != pixel.Len(a.Values) { // the screen shows more, or leaves out opacity
		return nil
	}
	first, err := s.Plane(ctx, 0, 0, 0)
	if err != nil {
		return err
	}
	last, err := s.Plane(ctx, s.Shape.T-1, s.Shape.Z-1, s.Shape.C-1)
	if err != nil {
		return err
	}
	whole := Plane{H: 1, W: n, Type: a.Type, Values: a.Values}
	same := func(x, y float64) bool { return x == y || math.IsNaN(x) && math.IsNaN(y) }
	if got := last.At(last.H-1, last.W-1); !same(first.At(0, 0), whole.At(0, 0)) || !same(got, whole.At(0, n-1)) {
		return fmt.Errorf("the stack's corners are %g and %g, the array's %g and %g", first.At(0, 0), got, whole.At(0, 0), whole.At(0, n-1))
	}
	return nil
}

// score checks the scoring policy: Array fails where the reference fails, unless for want of its codec package, and
// gives the same numbers where it reads.
func (v vector) score(ctx context.Context, f *File, hash string, notes []string) error {
	asTIFF := strings.HasPrefix(strings.ToLower(filepath.Ext(f.Path)), ".tif")
	if v.Reference.Reads == nil || f.Series[0].Len() > 1<<28 || asTIFF && !strings.Contains(v.Reference.Reader, "tifffile") {
		return nil
	}
	a, err := f.Array(ctx)
	switch reads := *v.Reference.Reads; {
	case reads && err != nil:
		return fmt.Errorf("the reference reads what Array refuses: %v", err)
	case reads && f.scored8:
	case reads && v.Reference.Same != nil && *v.Reference.Same && HashArray(a) != hash:
		return errors.New("Array gives other numbers than Hash")
	case !reads && err == nil && !slices.Contains(notes, tiff.CodecNote):
		return errors.New("the reference cannot read the file, Array does")
	}
	return nil
}

// probe compares single samples and planes.
func (v vector) probe(ctx context.Context, f *File) error {
	if len(v.Probes) == 0 || string(v.Probes) == "null" {
		return nil
	}
	type probe struct {
		Index     []int    `json:"index"`
		Value     *float64 `json:"value"`
		Tolerance float64  `json:"tolerance"`
		Plane     []int    `json:"plane"`
		Hash      string   `json:"sha256_le"`
		All       *float64 `json:"all"`
	}
	var probes []probe
	if json.Unmarshal(v.Probes, &probes) != nil {
		var doc struct{ Pixels []probe }
		if err := json.Unmarshal(v.Probes, &doc); err != nil {
			return err
		}
		probes = doc.Pixels
	}
	if f.Series[0].Len() > 1<<28 {
		return nil
	}
	a, _, err := f.Whole(ctx)
	if err != nil {
		return err
	}
	for _, p := range probes {
		at, size := 0, len64(a)
		for i, k := range append(p.Index, p.Plane...) {
			size /= a.Shape[i]
			at += k * size
		}
		part := Array{Type: a.Type, Values: pixel.Slice(a.Values, at, at+size)}
		got := Plane{H: 1, W: size, Type: a.Type, Values: part.Values}
		switch {
		case p.Value != nil && math.Abs(got.At(0, 0)-*p.Value) > p.Tolerance:
			return fmt.Errorf("at %v %g, expected %g within %g", p.Index, got.At(0, 0), *p.Value, p.Tolerance)
		case p.Hash != "" && HashArray(part) != p.Hash:
			return fmt.Errorf("plane %v differs", p.Plane)
		case p.All != nil && (got.At(0, 0) != *p.All || got.At(0, size-1) != *p.All):
			return fmt.Errorf("plane %v is not all %g", p.Plane, *p.All)
		}
	}
	return nil
}

func len64(a Array) int { return Header{Shape: a.Shape}.Len() }
