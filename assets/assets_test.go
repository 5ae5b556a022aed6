package assets

import (
	"bytes"
	"image/png"
	"testing"
)

func TestIcon(t *testing.T) {
	img, err := png.Decode(bytes.NewReader(Icon))
	if err != nil {
		t.Fatal(err)
	}
	if s := img.Bounds().Size(); s.X != 512 || s.Y != 512 {
		t.Errorf("the icon is %d x %d, want 512 x 512", s.X, s.Y)
	}
}
