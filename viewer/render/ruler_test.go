package render

import (
	"bytes"
	"image"
	"testing"

	"coverslip/viewer"
)

// TestRulerLiesWhereTheLineIs: white from end to end, and nothing beyond the strokes across its ends.
func TestRulerLiesWhereTheLineIs(t *testing.T) {
	s := &Scene{H: 100, W: 100}
	v := viewer.View{Zoom: 4, At: viewer.Point{Y: 50, X: 50}, HideImage: true}
	plain, ruled := image.NewRGBA(image.Rect(0, 0, 400, 400)), image.NewRGBA(image.Rect(0, 0, 400, 400))
	Compose(plain, s, v)
	v.Line = viewer.Segment{From: viewer.Point{Y: 50, X: 20}, To: viewer.Point{Y: 50, X: 80}}
	Compose(ruled, s, v)
	if bytes.Equal(plain.Pix, ruled.Pix) {
		t.Fatal("no line")
	}
	for x := range 400 {
		c := ruled.RGBAAt(x, 199)
		if on := x > 80 && x < 319; on && c.R < 200 {
			t.Errorf("x %d is %v on the line", x, c)
		} else if off := x < 76 || x > 324; off && c != plain.RGBAAt(x, 199) {
			t.Errorf("x %d is %v beside the line", x, c)
		}
	}
	for _, odd := range []viewer.Segment{{From: viewer.Point{Y: -1e8, X: 3}, To: viewer.Point{Y: 1e8, X: 3}}, {From: viewer.Point{Y: 5, X: 5}, To: viewer.Point{Y: 5, X: 5}}} {
		v.Line = odd
		Compose(ruled, s, v)
	}
}
