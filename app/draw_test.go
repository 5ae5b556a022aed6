package app

import (
	"context"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

func TestDrawNeedsNoDisplay(t *testing.T) {
	layout, err := writtenDemo()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "window.png")
	task := layout.Tasks[0]
	o := Options{Paths: []string{task, layout.Runs[task][0]}, Width: 1200, Height: 760, Screenshot: path}
	if err := Draw(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	picture, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	if b := picture.Bounds(); b.Dx() != 1200 || b.Dy() != 760 {
		t.Errorf("the picture is %v", b)
	}
	seen := map[[3]uint32]bool{}
	for y := 0; y < 760; y += 5 {
		for x := 0; x < 1200; x += 5 {
			r, g, b, _ := picture.At(x, y).RGBA()
			seen[[3]uint32{r, g, b}] = true
		}
	}
	if len(seen) < 500 {
		t.Errorf("%d colours: there is no image in the window", len(seen))
	}
}
