package chart

import (
	"flag"
	"fmt"
	"image"
	imagedraw "image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the reference pictures anew; look at them before you commit them")

// TestReference compares small pictures with those in testdata, pixel by pixel.
func TestReference(t *testing.T) {
	for _, k := range []kind{{"curves", kinetics(), 300, 200}, {"dose", dose(), 300, 200}, {"ecdf", distributions(), 300, 200}, {"bars", bars(), 300, 200}, {"groups", groups(), 300, 220},
		{"difference", difference(), 300, 180}, {"plate", plate(), 300, 200}, {"lineage", colony(), 300, 200}} {
		for _, light := range []bool{false, true} {
			got := drawn(k.chart, k.w, k.h, Options{Light: light, Selected: []Ref{{0, 7}}})
			name := filepath.Join("testdata", fmt.Sprintf("%s-%s.png", k.name, map[bool]string{false: "dark", true: "light"}[light]))
			if *update {
				save(t, name, got)
				continue
			}
			want := load(t, name)
			if want.Rect != got.Rect {
				t.Errorf("%s is %v, not %v", name, want.Rect, got.Rect)
				continue
			}
			differ := 0
			for i := 0; i < len(got.Pix); i += 4 {
				if [4]uint8(got.Pix[i:i+4]) != [4]uint8(want.Pix[i:i+4]) {
					differ++
				}
			}
			if differ > 0 {
				t.Errorf("%s differs in %d pixels (run with -update and look)", name, differ)
			}
		}
	}
}

func load(t *testing.T, name string) *image.RGBA {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	out := image.NewRGBA(m.Bounds())
	imagedraw.Draw(out, out.Rect, m, image.Point{}, imagedraw.Src)
	return out
}
