package raster

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"coverslip/datasets/raster/tiff"
)

// TestByStage lays tiles of 10 x 10 pixels of half a micrometre out, or tells that positions make no sense.
func TestByStage(t *testing.T) {
	s := &series{h: 10, w: 10}
	for _, c := range []struct {
		name   string
		places [][3]float64
		want   string // corners, Y X
	}{
		{"serpentine, overlapping", [][3]float64{{0, 0, 0}, {4.5, 0, 0}, {4.5, 4, 0}, {0, 4, 0}}, "[{0 0} {0 9} {8 9} {8 0}]"},
		{"any origin", [][3]float64{{-100, 7, 0}, {-105, 7, 0}, {-100, 2, 0}, {-105, 2, 0}}, "[{10 10} {10 0} {0 10} {0 0}]"},
		{"all at one place", [][3]float64{{1, 1, 0}, {1, 1, 0}, {1, 1, 0}, {1, 1, 0}}, ""},
		{"two nearly at one place", [][3]float64{{0, 0, 0}, {5, 0, 0}, {0, 5, 0}, {0.5, 5.5, 0}}, ""},
		{"far apart", [][3]float64{{0, 0, 0}, {30, 0, 0}, {0, 30, 0}, {30, 30, 0}}, ""},
		{"no numbers", [][3]float64{{0, 0, 0}, {5, 0, 0}, {0, math.NaN(), 0}, {5, 5, 0}}, ""},
		{"infinite", [][3]float64{{0, 0, 0}, {5, 0, 0}, {0, math.Inf(1), 0}, {5, 5, 0}}, ""},
		{"one too few", [][3]float64{{0, 0, 0}, {5, 0, 0}, {0, 5, 0}}, ""},
	} {
		got := ""
		if m := byStage(c.places, 4, s, Calibration{X: 0.5, Y: 0.5}); m != nil {
			got = fmt.Sprint(m.Tiles)
		}
		if got != c.want {
			t.Errorf("%s: %s, expected %s", c.name, got, c.want)
		}
	}
	if byStage([][3]float64{{0, 0, 0}, {5, 0, 0}}, 2, s, Calibration{}) != nil {
		t.Error("placed without a pixel size")
	}
}

// TestMosaic shows tiles as one plane: every pixel is the pixel of the tile that lies there.
func TestMosaic(t *testing.T) {
	for _, c := range []struct {
		axes  string
		shape []int
		want  Shape
	}{
		{"MZCYX", []int{5, 3, 2, 4, 6}, Shape{1, 3, 2, 8, 18}},
		{"ZMYX", []int{3, 4, 4, 6}, Shape{1, 3, 1, 8, 12}},
		{"MYXS", []int{2, 4, 6, 3}, Shape{1, 1, 3, 4, 12}},
		{"MPTYX", []int{2, 3, 2, 4, 6}, Shape{6, 1, 1, 4, 12}},
	} {
		a := counting(c.axes, c.shape...)
		if c.axes == "MYXS" {
			a.Axes = "ZYXS"
		}
		f := open(t, a, tiff.EncodeOptions{})
		s, err := f.Stack(NewCache(1<<20), Layout{Axes: c.axes})
		if err != nil || s.Shape != c.want || s.Mosaic == nil || s.Mosaic.Placed {
			t.Errorf("%s: %+v, %v", c.axes, s, err)
			continue
		}
		apart, err := f.Stack(nil, Layout{Axes: c.axes, Apart: true})
		tiles := len(s.Mosaic.Tiles)
		if err != nil || apart.Mosaic != nil || apart.Shape.T != tiles*s.Shape.T || apart.Positions != tiles*s.Positions || apart.Shape.Y != 4 || apart.Shape.X != 6 {
			t.Errorf("%s apart: %+v, %v", c.axes, apart, err)
			continue
		}
		if c.axes == "MPTYX" && s.Positions != 3 {
			t.Errorf("%d positions, expected 3", s.Positions)
		}
		sameTiles(t, s, apart)
	}
	if _, err := open(t, counting("ZYX", 3, 4, 6), tiff.EncodeOptions{}).Stack(nil, Layout{Series: 2}); err == nil {
		t.Error("a second series where there is one")
	}
}

// sameTiles compares a laid-out stack with its tiles one by one.
func sameTiles(t *testing.T, s, apart *Stack) {
	t.Helper()
	m := s.Mosaic
	for at := range s.Shape.T {
		for z := range s.Shape.Z {
			for c := range s.Shape.C {
				plane, err := s.Plane(context.Background(), at, z, c)
				if err != nil {
					t.Fatal(err)
				}
				for i, tile := range m.Tiles {
					p, err := apart.Plane(context.Background(), i*s.Shape.T+at, z, c)
					if err != nil {
						t.Fatal(err)
					}
					for k := range m.H * m.W {
						if y, x := k/m.W, k%m.W; plane.At(tile.Y+y, tile.X+x) != p.At(y, x) {
							t.Fatalf("t %d z %d c %d: tile %d differs at %d, %d", at, z, c, i, y, x)
						}
					}
				}
			}
		}
	}
}

// TestFacts says what a file tells of its pixels, and where.
func TestFacts(t *testing.T) {
	f := open(t, counting("TZCYX", 2, 3, 2, 4, 5), tiff.EncodeOptions{ImageJ: true, PixelUM: 0.5, StepUM: 2})
	var b strings.Builder
	for _, fact := range f.Facts() {
		fmt.Fprintf(&b, "%s: %s (%s); ", fact.Name, fact.Value, fact.Source)
	}
	if want := "pixel size: 0.5 µm (ImageJ); z step: 2 µm (ImageJ); bit depth: 16 bits (bits per sample); "; b.String() != want {
		t.Errorf("%s, expected %s", b.String(), want)
	}
	g := &File{Series: []Header{{Type: Uint16}}, Bits: 12, bitsSource: "x", channelSource: "y", Channels: []Channel{{Name: "DAPI"}, {}, {Name: "GFP"}},
		Calibration: Calibration{X: 1, Y: 2, T: 3, Source: "z"}, mosaic: &Mosaic{H: 4, W: 6, Tiles: []Tile{{0, 0}, {0, 6}}}}
	if got, want := fmt.Sprint(g.Facts()), "[{pixel size 1 µm across, 2 µm down z} {time step 3 s z} {channels DAPI, GFP y} {bit depth 12 of 16 bits x} "+
		"{tiles 2 of 6 x 4 pixels in 12 x 4 row by row}]"; got != want {
		t.Errorf("%s, expected %s", got, want)
	}
}
