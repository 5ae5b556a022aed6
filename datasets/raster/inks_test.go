package raster

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coverslip/datasets/raster/tiff"
)

// inkFile writes a TIFF of four samples a pixel and calls them inks.
func inkFile(t *testing.T, a Array) string {
	t.Helper()
	var b bytes.Buffer
	if err := tiff.Encode(&b, a, tiff.EncodeOptions{Uncompressed: true}); err != nil {
		t.Fatal(err)
	}
	const photometric = "\x06\x01\x03\x00\x01\x00\x00\x00" // tag 262, one short
	at := bytes.Index(b.Bytes(), []byte(photometric))
	b.Bytes()[at+len(photometric)] = 5
	path := filepath.Join(t.TempDir(), "inks.tif")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestInks: no ink is white, full black ink is black whatever else, an ink takes its own colour away; scoring sees inks.
func TestInks(t *testing.T) {
	for _, a := range []Array{
		{Shape: []int{1, 5, 4}, Axes: "YXS", Type: Uint8, Values: []uint8{0, 0, 0, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0, 51, 255, 0, 0, 0, 0, 51}},
		{Shape: []int{1, 5, 4}, Axes: "YXS", Type: Uint16, Values: []uint16{0, 0, 0, 0, 0, 0, 0, 65535, 65535, 0, 0, 0, 0, 13107, 65535, 0, 0, 0, 0, 13107}},
	} {
		full := map[Type]float64{Uint8: 255, Uint16: 65535}[a.Type]
		f, err := Open(context.Background(), inkFile(t, a))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for _, layout := range []Layout{{}, {Axes: "YXS"}} {
			s, err := f.Stack(NewCache(1<<20), layout)
			if err != nil || !s.RGB || s.Shape.C != 3 {
				t.Fatalf("%+v, %v", s, err)
			}
			for c, want := range [][]float64{{1, 0, 0, 1, 0.8}, {1, 0, 1, 0.8, 0.8}, {1, 0, 1, 0, 0.8}} {
				p, err := s.Plane(context.Background(), 0, 0, c)
				for x, v := range want {
					if err != nil || p.At(0, x) != v*full {
						t.Errorf("%s, channel %d at %d: %g, expected %g; %v", a.Type, c, x, p.At(0, x), v*full, err)
					}
				}
			}
		}
		if scored, err := f.Array(context.Background()); err != nil || HashArray(scored) != HashArray(a) {
			t.Errorf("scoring sees %v, %v", scored, err)
		}
		said := slices.ContainsFunc(f.Facts(), func(fact Fact) bool { return fact.Name == "colours" && strings.HasPrefix(fact.Value, "CMYK") })
		if !said || len(f.Notes) != 1 {
			t.Errorf("facts %v, notes %q", f.Facts(), f.Notes)
		}
	}
}
