package raster_test

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"coverslip/datasets/filetest"
	"coverslip/datasets/raster"
)

// colours reads the three planes that the screen shows of a file, from 0 to 1.
func colours(t *testing.T, path string) (rgb [3][]float64, shape raster.Shape) {
	t.Helper()
	f, err := raster.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s, err := f.Stack(nil, raster.Layout{})
	if err != nil || !s.RGB || s.Shape.C != 3 {
		t.Fatalf("%s: %+v, %v", path, s, err)
	}
	full := map[raster.Type]float64{raster.Uint8: 255, raster.Uint16: 65535}[s.Type]
	for c := range rgb {
		p, err := s.Plane(context.Background(), 0, 0, c)
		if err != nil {
			t.Fatal(err)
		}
		for i := range p.H * p.W {
			rgb[c] = append(rgb[c], p.At(i/p.W, i%p.W)/full)
		}
	}
	return rgb, s.Shape
}

// TestInksOfOthers compares pictures of the same flower, samples side by side and plane by plane, of 8 and of 16 bits,
// with one another, and with the one in colours, from which a printer's table made them.
func TestInksOfOthers(t *testing.T) {
	root := filetest.Shared(t, "real", "libtiffpic", "depth")
	original, shape := colours(t, filepath.Join(root, "flower-rgb-contig-08.tif"))
	first, _ := colours(t, filepath.Join(root, "flower-separated-contig-08.tif"))
	for _, name := range []string{"contig-08", "contig-16", "planar-08", "planar-16"} {
		got, its := colours(t, filepath.Join(root, "flower-separated-"+name+".tif"))
		if its != shape {
			t.Fatalf("%s: %+v, expected %+v", name, its, shape)
		}
		for c := range got {
			if r := correlation(got[c], original[c]); r < 0.9 {
				t.Errorf("%s: channel %d correlates with %.3f", name, c, r)
			}
			for i, v := range got[c] {
				if math.Abs(v-first[c][i]) > 3.0/255 {
					t.Fatalf("%s: pixel %d of channel %d is %.3f, with samples of 8 bits side by side %.3f", name, i, c, v, first[c][i])
				}
			}
		}
	}
}

func correlation(a, b []float64) float64 {
	var sa, sb, saa, sbb, sab float64
	for i := range a {
		sa, sb, saa, sbb, sab = sa+a[i], sb+b[i], saa+a[i]*a[i], sbb+b[i]*b[i], sab+a[i]*b[i]
	}
	n := float64(len(a))
	return (n*sab - sa*sb) / math.Sqrt((n*saa-sa*sa)*(n*sbb-sb*sb))
}

// TestInksOfJPEG: the screen shows what the inks of the array leave of the light, although the file stores them inverted.
func TestInksOfJPEG(t *testing.T) {
	path := filepath.Join(filetest.Shared(t, "zoo", "jpeg"), "cmyk-adobe.jpg")
	a, err := raster.ReadArray(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	inks := a.Values.([]uint8)
	got, _ := colours(t, path)
	for i := range len(inks) / 4 {
		for c := range got {
			want := (1 - float64(inks[4*i+c])/255) * (1 - float64(inks[4*i+3])/255)
			if math.Abs(got[c][i]-want) > 0.5/255+1e-9 {
				t.Fatalf("pixel %d, channel %d: %g, expected %g", i, c, got[c][i], want)
			}
		}
	}
}
