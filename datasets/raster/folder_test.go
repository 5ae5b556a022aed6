package raster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster/tiff"
)

// TestNatural sorts names the way people count.
func TestNatural(t *testing.T) {
	want := []string{"a.tif", "IMG_20x_2.tif", "img_20x_10.tif", "IMG_100x_1.tif", "t01", "t1", "t2b", "t10"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, Natural)
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestPlaneNames finds T, Z and C in names.
func TestPlaneNames(t *testing.T) {
	for name, want := range map[string]string{
		"T00001C01Z001.tif": "map[C:1 T:1 Z:1] T#C#Z#", "Channel 1-01-A-01-00.Bmp": "map[C:1] Channel#-01-A-01-00", "img_t3_ch12.png": "map[C:12 T:3] img_t#_ch#",
		"T47D_07.tif": "map[] T47D_07", "ABC12.tif": "map[] ABC12", "time_05.tif": "map[T:5] time#", "plate z.tif": "map[] plate z", "t99999999999999999999.tif": "map[] t99999999999999999999",
	} {
		p := readPlaneName(name)
		at := map[string]int{}
		for l, v := range p.at {
			at[string(l)] = v
		}
		if got := fmt.Sprint(at, " ", p.key); got != want {
			t.Errorf("%s: %s, expected %s", name, got, want)
		}
	}
}

// folder writes one-plane files whose only pixels are their number, from 1 on, and gives its path.
func folder(t *testing.T, name string, files ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for i, f := range files {
		writeFile(t, filepath.Join(dir, f), Array{Shape: []int{2, 3}, Axes: "YX", Type: Uint8, Values: []uint8{uint8(i + 1), 0, 0, 0, 0, 0}}, tiff.EncodeOptions{})
	}
	return dir
}

// firsts is the first pixel of each plane, T slowest.
func firsts(t *testing.T, s *Stack) (out []float64) {
	t.Helper()
	for at := range s.Shape.T {
		for z := range s.Shape.Z {
			for c := range s.Shape.C {
				p, err := s.Plane(context.Background(), at, z, c)
				if err != nil {
					t.Fatal(err)
				}
				out = append(out, p.At(0, 0))
			}
		}
	}
	return out
}

// TestFolders opens folders of planes: axes, order, notes.
func TestFolders(t *testing.T) {
	for _, c := range []struct {
		name  string
		files []string
		list  string
		axes  string
		want  Shape
		order string
		note  string
	}{
		{"movie.tif", []string{"b10.tif", "b9.tif", "a.tif"}, "", "TYX", Shape{3, 1, 1, 2, 3}, "[3 2 1]", ""},
		{"stack", []string{"s_10.tif", "s_9.tif"}, "", "IYX", Shape{1, 2, 1, 2, 3}, "[2 1]", ""},
		{"planes", []string{"T00001C02Z001.tif", "T00001C01Z001.tif", "T00002C01Z001.tif", "T00002C02Z001.tif", "T00001C01Z002.tif", "T00001C02Z002.tif",
			"T00002C01Z002.tif", "T00002C02Z002.tif"}, "", "TZCYX", Shape{2, 2, 2, 2, 3}, "[2 1 5 6 3 4 7 8]", ""},
		{"hole", []string{"t1c1.tif", "t1c2.tif", "t2c2.tif"}, "", "TCYX", Shape{2, 1, 2, 2, 3}, "[1 2 0 3]", "1 planes have no file"},
		{"wells", []string{"Channel 1-01-A-01-00.tif", "Channel 1-01-A-02-00.tif", "Channel 2-01-A-01-00.tif", "Channel 2-01-A-02-00.tif"}, "", "PCYX",
			Shape{2, 1, 2, 2, 3}, "[1 3 2 4]", ""},
		{"listed", []string{"c1.tif", "c2.tif", "c3.tif", "c4.tif"}, "x/C3.tif\r\n# note\nc1.tif\nc9.tif\n", "TYX", Shape{4, 1, 1, 2, 3}, "[3 1 2 4]", "1 files that filelist.txt names are not there"},
		{"list of others", []string{"c1.tif", "c2.tif"}, "d1.tif\n", "CYX", Shape{1, 1, 2, 2, 3}, "[1 2]", "names none"},
		{"one place twice", []string{"t1.tif", "t1.png", "t2.tif"}, "", "IYX", Shape{1, 3, 1, 2, 3}, "[2 1 3]", ""},
	} {
		dir := folder(t, c.name, c.files...)
		for _, other := range []string{"CANARY.txt", ".hidden.tif", "Thumbs.db", "T1.tif.part"} {
			os.WriteFile(filepath.Join(dir, other), []byte("x"), 0o600)
		}
		if c.list != "" {
			os.WriteFile(filepath.Join(dir, "filelist.txt"), []byte(c.list), 0o600)
		}
		f, err := OpenFolder(context.Background(), dir)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		s, err := f.Stack(NewCache(1<<20), Layout{})
		if err != nil || s.Shape != c.want || f.Series[0].Axes != c.axes {
			t.Errorf("%s: %+v, axes %s, %v", c.name, s.Shape, f.Series[0].Axes, err)
		} else if got := fmt.Sprint(firsts(t, s)); got != c.order {
			t.Errorf("%s: %s, expected %s", c.name, got, c.order)
		}
		if notes := strings.Join(f.Notes, "; "); !strings.Contains(notes, c.note) || c.note == "" && notes != "" {
			t.Errorf("%s: notes %q", c.name, notes)
		}
		if f.ScoringErr == nil {
			t.Errorf("%s: would be scored", c.name)
		}
		f.Close()
	}
}

// TestMixedFolder leaves out what does not fit and says so.
func TestMixedFolder(t *testing.T) {
	dir := folder(t, "mixed", "a1.tif", "a2.tif", "a4.tif")
	writeFile(t, filepath.Join(dir, "a3.tif"), counting("YX", 4, 4), tiff.EncodeOptions{})
	os.WriteFile(filepath.Join(dir, "a5.tif"), []byte("no image"), 0o600)
	f, err := OpenFolder(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got := strings.Join(f.Notes, "; "); f.Pages != 3 || !strings.Contains(got, "1 of 5 files have another size or type than a1.tif and are left out: a3.tif") ||
		!strings.Contains(got, "1 of 5 files cannot be read and are left out: a5.tif") {
		t.Errorf("%d files, notes %q", f.Pages, got)
	}
	empty := folder(t, "empty")
	if _, err := OpenFolder(context.Background(), empty); !errors.Is(err, fault.Missing) {
		t.Errorf("an empty folder: %v", err)
	}
	os.WriteFile(filepath.Join(empty, "a.tif"), []byte("no image"), 0o600)
	if _, err := OpenFolder(context.Background(), empty); !errors.Is(err, fault.Malformed) {
		t.Errorf("a folder of broken files: %v", err)
	}
}

// TestStacksInFolder opens a folder of z stacks as a movie of stacks, more files than stay open at a time.
func TestStacksInFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "movie.tif")
	os.Mkdir(dir, 0o700)
	for i := range 3 * maxOpen {
		a := counting("ZYX", 2, 2, 3)
		a.Values.([]uint16)[6] = uint16(100 + i)
		writeFile(t, filepath.Join(dir, fmt.Sprintf("t%d.tif", i)), a, tiff.EncodeOptions{})
	}
	f, err := OpenFolder(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.Stack(nil, Layout{})
	if err != nil || s.Shape != (Shape{3 * maxOpen, 2, 1, 2, 3}) {
		t.Fatalf("%+v, %v", s, err)
	}
	for i := range 3 * maxOpen {
		if p, err := s.Plane(context.Background(), i, 1, 0); err != nil || p.At(0, 0) != float64(100+i) {
			t.Errorf("stack %d: %g, %v", i, p.At(0, 0), err)
		}
	}
	writeFile(t, filepath.Join(dir, "t0.tif"), counting("YX", 9, 9), tiff.EncodeOptions{})
	if _, err := s.Plane(context.Background(), 0, 0, 0); !errors.Is(err, fault.Inconsistent) {
		t.Errorf("a file that has changed: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// TestPairedChannels finds the other channels of a file, and opens them as one image.
func TestPairedChannels(t *testing.T) {
	names := []string{"Channel 2-01-A-01-00.Bmp", "Channel 1-01-A-01-00.Bmp", "Channel 1-01-A-02-00.Bmp", "Channel 1-01-A-01-00.txt"}
	if got := PairedChannels(names[1], names); !slices.Equal(got, []string{names[1], names[0]}) {
		t.Errorf("%q", got)
	}
	if got := PairedChannels(names[2], names); got != nil {
		t.Errorf("%q", got)
	}
	dir := folder(t, "pair", "Channel 2-x.tif", "Channel 1-x.tif")
	f, err := OpenFiles(context.Background(), []string{filepath.Join(dir, "Channel 2-x.tif"), filepath.Join(dir, "Channel 1-x.tif")})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s, err := f.Stack(nil, Layout{})
	if err != nil || s.Shape.C != 2 || fmt.Sprint(firsts(t, s)) != "[2 1]" {
		t.Errorf("%+v, %v", s, err)
	}
}

// FuzzNames reads whatever names there are: every file has one place.
func FuzzNames(f *testing.F) {
	f.Add("T00001C01Z001.tif|T00001C02Z001.tif")
	f.Add("Channel 1-01-A-01-00.Bmp|Channel 2-01-A-01-00.Bmp|t")
	f.Add("a1|a01|A1")
	f.Fuzz(func(t *testing.T, text string) {
		names := strings.Split(text, "|")
		g, ok := gridOf(names)
		if !ok {
			return
		}
		seen := map[int]bool{}
		for _, i := range g.file {
			if i >= 0 && seen[i] {
				t.Errorf("%q: file %d twice", names, i)
			}
			seen[i] = true
		}
		for i := range names {
			if !seen[i] {
				t.Errorf("%q: file %d has no place", names, i)
			}
		}
	})
}
