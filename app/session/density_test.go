package session

import (
	"bytes"
	"errors"
	"image"
	"iter"
	"strings"
	"testing"

	"coverslip/datasets/fault"
	"coverslip/viewer"
)

// On a screen of small pixels the picture says so in its text, and the text gives the same bytes.
func TestDensityIsPartOfTheText(t *testing.T) {
	o := openDemo(t, 0)
	o.SetPictureSize(640, 480, 2)
	o.WorstError()
	o.settle(t)
	picture, err := o.CopyImage()
	if err != nil {
		t.Fatal(err)
	}
	text := o.Shown().String()
	if !strings.Contains(text, "size=640x480 density=2 ") {
		t.Fatalf("the text is %q", text)
	}
	v, err := viewer.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	again := openDemo(t, 0)
	again.SetPictureSize(v.Size.X, v.Size.Y, v.LinePixel())
	if err := again.SetView(v); err != nil {
		t.Fatal(err)
	}
	again.settle(t)
	other, err := again.CopyImage()
	if err != nil || !bytes.Equal(picture.Pix, other.Pix) || !lively(picture) {
		t.Errorf("the same view text gives another picture, or an empty one: %v", err)
	}
}

// A view of a screen of small pixels shows the same on one of large pixels, and so does a window that is moved there.
func TestViewsGoFromScreenToScreen(t *testing.T) {
	o := openDemo(t, 0)
	o.SetPictureSize(600, 400, 1)
	v, err := viewer.Parse("zoom=6 at=100,90 density=2 size=1200x800")
	if err != nil {
		t.Fatal(err)
	}
	if err := o.SetView(v); err != nil {
		t.Fatal(err)
	}
	if got := o.Shown(); got.Zoom != 3 || got.Density != 0 || got.Size != image.Pt(600, 400) {
		t.Errorf("on a screen of large pixels it is %q", got)
	}
	o.SetPictureSize(1200, 800, 2)
	if got := o.Shown(); got.Zoom != 6 || got.Density != 2 || got.At != v.At {
		t.Errorf("moved to a screen of small pixels it is %q", got)
	}
}

// A copy N times as large is the picture of a view N times finer; what is too large is refused.
func TestCopyImageAt(t *testing.T) {
	o := openDemo(t, 1)
	o.SetPictureSize(160, 120, 2)
	o.settle(t)
	same, err := o.CopyImageAt(1)
	shown, _ := o.CopyImage()
	if err != nil || !bytes.Equal(same.Pix, shown.Pix) {
		t.Errorf("the copy is not the picture on screen: %v", err)
	}
	want, err := o.CopyImageAt(3)
	if err != nil || want.Rect.Size() != image.Pt(480, 360) {
		t.Fatalf("three times as large it is %v, %v", want, err)
	}
	taken := 0
	save := func(pictures iter.Seq2[*image.RGBA, error]) error {
		for im, err := range pictures {
			if err != nil {
				return err
			}
			if taken++; !bytes.Equal(im.Pix, want.Pix) {
				t.Error("drawn in the background it is another picture")
			}
		}
		return nil
	}
	over := false
	if err := o.DrawSeries(o.ThisPlane(), 3, save, func(err error) { over = err == nil }); err != nil {
		t.Fatal(err)
	}
	o.settle(t)
	if !over || taken != 1 {
		t.Errorf("%d pictures of one plane, done %v", taken, over)
	}
	for _, times := range []int{0, -1, 5} {
		if _, err := o.CopyImageAt(times); !errors.Is(err, fault.Unsupported) {
			t.Errorf("%d times as large: %v", times, err)
		}
	}
}
