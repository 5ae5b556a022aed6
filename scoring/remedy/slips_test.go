package remedy

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coverslip/datasets/biabench"
	"coverslip/datasets/raster"
	"coverslip/datasets/raster/tiff"
)

// text changes the text of all files of a suffix.
func text(suffix string, f func(string) string) func(*testing.T, string) {
	return func(t *testing.T, run string) {
		each(t, run, func(path string) {
			if !strings.HasSuffix(path, suffix) {
				return
			}
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			save(t, path, []byte(f(strings.ReplaceAll(string(data), "\r\n", "\n"))))
		})
	}
}

func head(from, to string) func(string) string {
	return func(s string) string { return strings.Replace(s, from, to, 1) }
}

func behead(s string) string {
	_, rest, _ := strings.Cut(s, "\n")
	if rest == "" {
		return s
	}
	return rest
}

func utf16LE(s string) string {
	out := []byte{0xff, 0xfe}
	for _, r := range s {
		out = append(out, byte(r), byte(r>>8))
	}
	return string(out)
}

// column changes the numbers of one column.
func inColumn(name string, f func(float64) float64) func(string) string {
	return func(s string) string {
		sch := schema{columns: []column{{name: name, role: number}}}
		return commas.join(sch.each(sch.change(f, number))(commas.split(s)))
	}
}

func scaled(s string) string {
	flat := schema{columns: []column{{name: "x", role: xPixel}, {name: "y", role: yPixel}, {name: "z", role: zPixel}}}
	return commas.join(flat.each(flat.change(func(v float64) float64 { return v * 0.065 }, xPixel, yPixel))(commas.split(
		commas.join(flat.each(flat.change(func(v float64) float64 { return v * 0.2 }, zPixel))(commas.split(s))))))
}

func localisations(frames, offset float64) func(*testing.T, string) {
	s := schemas[smlm][0]
	return text(".txt", func(raw string) string {
		table := s.each(s.shift(offset, xPixel, yPixel))(lines.split(raw))
		return lines.join(s.each(s.shift(frames, frameNo))(table))
	})
}

func lineageFromOne(raw string) string {
	s := schemas[bacteria][0]
	return strings.ReplaceAll(lines.join(s.each(s.shift(1, frameNo))(lines.split(raw))), ",", " ")
}

// pixels changes all images.
func pixels(edits ...func(raster.Array) (raster.Array, error)) func(*testing.T, string) {
	return func(t *testing.T, run string) {
		each(t, run, func(path string) {
			if !biabench.IsImageName(path) {
				return
			}
			a, err := raster.ReadArray(t.Context(), path)
			for _, edit := range edits {
				if err == nil {
					a, err = edit(a)
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if err := tiff.Encode(&b, a, tiff.EncodeOptions{}); err != nil {
				t.Fatal(err)
			}
			save(t, path, b.Bytes())
		})
	}
}

// values changes each sample of a label image.
func values(a raster.Array, f func(class uint32) uint32) (raster.Array, error) {
	class, _ := classes(a)
	for i, c := range class {
		class[i] = f(c)
	}
	return labelImage(class, a.Shape, a.Axes), nil
}

func oneLabel(a raster.Array) (raster.Array, error) {
	return values(a, func(c uint32) uint32 { return min(c, 1) })
}

func fewLabels(a raster.Array) (raster.Array, error) {
	return values(a, func(c uint32) uint32 {
		if c == 0 {
			return 0
		}
		return c%3 + 1
	})
}

func plusOne(a raster.Array) (raster.Array, error) {
	return values(a, func(c uint32) uint32 { return c + 1 })
}

func painted(a raster.Array) (raster.Array, error) {
	class, _ := classes(a)
	out := make([]uint8, 0, 3*len(class))
	for _, c := range class {
		out = append(out, uint8(c*37), uint8(c*91), uint8(c*151))
	}
	return raster.Array{Shape: append(slices.Clone(a.Shape), 3), Axes: a.Axes + "S", Type: raster.Uint8, Values: out}, nil
}

func soft(a raster.Array) (raster.Array, error) {
	class, _ := classes(a)
	out := make([]float32, len(class))
	for i, c := range class {
		out[i] = 0.1 + 0.1*float32(i%3)
		if c > 0 {
			out[i] += 0.6
		}
	}
	return raster.Array{Shape: a.Shape, Axes: a.Axes, Type: raster.Float32, Values: out}, nil
}

// shrunk loses detail: the remedy brings the size back, not all of the score.
func shrunk(a raster.Array) (raster.Array, error) { return everyNth(2)(a) }

func doubled(a raster.Array) (raster.Array, error) {
	class, _ := classes(a)
	h, w := a.Shape[0], a.Shape[1]
	out := make([]uint32, 4*h*w)
	for i := range out {
		out[i] = class[i/(2*w)/2*w+i%(2*w)/2]
	}
	return labelImage(out, []int{2 * h, 2 * w}, "YX"), nil
}

// inSeries writes a movie the way a writer does that is called once for each frame: each is a series of its own.
func inSeries(t *testing.T, run string) {
	each(t, run, func(path string) {
		if !biabench.IsImageName(path) {
			return
		}
		a, err := raster.ReadArray(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		save(t, path, appended(t, a))
	})
}

func renamed(from, to string) func(*testing.T, string) {
	return func(t *testing.T, run string) {
		each(t, run, func(path string) {
			if strings.HasSuffix(path, filepath.Ext(from)) {
				if err := os.Rename(path, filepath.Join(run, to)); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// numbered gives all files names with nothing but their number in them.
func numbered(pattern string) func(*testing.T, string) {
	return func(t *testing.T, run string) {
		n := 0
		each(t, run, func(path string) {
			n++
			if strings.Contains(pattern, "%c") {
				n += 'a' - 1
			}
			if err := os.Rename(path, filepath.Join(run, fmt.Sprintf(pattern, n))); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(pattern, "%c") {
				n -= 'a' - 1
			}
		})
	}
}

func aside(folder string) func(*testing.T, string) {
	return func(t *testing.T, run string) {
		if err := os.Mkdir(filepath.Join(run, folder), 0o755); err != nil {
			t.Fatal(err)
		}
		n := 0
		each(t, run, func(path string) {
			n++
			if err := os.Rename(path, filepath.Join(run, folder, strings.Replace(filepath.Base(path), "colocalization_results", "cells", 1))); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func exchanged(t *testing.T, run string) {
	for _, move := range [][2]string{{"nuclei_masks", "x"}, {"cytoplasm_masks", "nuclei_masks"}, {"x", "cytoplasm_masks"}} {
		if err := os.Rename(filepath.Join(run, move[0]), filepath.Join(run, move[1])); err != nil {
			t.Fatal(err)
		}
	}
}

func each(t *testing.T, run string, do func(path string)) {
	t.Helper()
	paths, err := biabench.ListFiles(run)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(paths, raster.Natural)
	for _, path := range paths {
		do(path)
	}
}

func save(t *testing.T, path string, data []byte) {
	t.Helper()
	os.Remove(path)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
