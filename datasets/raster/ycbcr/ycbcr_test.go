package ycbcr

import (
	"image"
	"image/color"
	"reflect"
	"slices"
	"testing"
)

// TestRGB checks full colour planes against the standard conversion, and the weights 3/4 and 1/4 between halved ones.
func TestRGB(t *testing.T) {
	full := image.NewYCbCr(image.Rect(0, 0, 5, 3), image.YCbCrSubsampleRatio444)
	for i := range full.Y {
		full.Y[i], full.Cb[i], full.Cr[i] = uint8(i*9), uint8(i*5), uint8(255-i*7)
	}
	for y := range 3 {
		for x := range 5 {
			r, g, b := RGB(full, x, y)
			want := color.RGBAModel.Convert(full.YCbCrAt(x, y)).(color.RGBA)
			if r != want.R || g != want.G || b != want.B {
				t.Errorf("at %d, %d: %d %d %d, expected %v", x, y, r, g, b, want)
			}
		}
	}
	for _, ratio := range []image.YCbCrSubsampleRatio{image.YCbCrSubsampleRatio420, image.YCbCrSubsampleRatio422} {
		half := image.NewYCbCr(image.Rect(0, 0, 4, 2), ratio)
		for i := range half.Y {
			half.Y[i] = 128
		}
		for i := range half.Cb {
			half.Cb[i], half.Cr[i] = 128, uint8(100+40*(i%2))
		}
		for x, cr := range []uint8{100, 110, 130, 140} {
			r, _, _ := RGB(half, x, 0)
			if want, _, _ := color.YCbCrToRGB(128, 128, cr); r != want {
				t.Errorf("%v, column %d: red %d, expected %d", ratio, x, r, want)
			}
		}
	}
}

// TestPlanes: the planes are the colours of each pixel, whatever the ratio of the colour planes and the gaps between rows.
func TestPlanes(t *testing.T) {
	for _, ratio := range []image.YCbCrSubsampleRatio{image.YCbCrSubsampleRatio444, image.YCbCrSubsampleRatio422, image.YCbCrSubsampleRatio420,
		image.YCbCrSubsampleRatio440, image.YCbCrSubsampleRatio411, image.YCbCrSubsampleRatio410} {
		m := image.NewYCbCr(image.Rect(0, 0, 16, 16), ratio)
		for i := range m.Y {
			m.Y[i] = uint8(i * 37)
		}
		for i := range m.Cb {
			m.Cb[i], m.Cr[i] = uint8(i*91), uint8(255-i*53)
		}
		for _, size := range []image.Rectangle{image.Rect(0, 0, 16, 16), image.Rect(0, 0, 11, 13), image.Rect(0, 0, 1, 1)} {
			part := m.SubImage(size).(*image.YCbCr)
			var want [3][]uint8
			for y := range size.Dy() {
				for x := range size.Dx() {
					r, g, b := RGB(part, x, y)
					want[0], want[1], want[2] = append(want[0], r), append(want[1], g), append(want[2], b)
				}
			}
			copied := *part
			copied.Y, copied.Cb, copied.Cr = slices.Clone(part.Y), slices.Clone(part.Cb), slices.Clone(part.Cr)
			r, g, b := Planes(&copied)
			if got := [3][]uint8{r, g, b}; !reflect.DeepEqual(got, want) {
				t.Errorf("%v, %v: other colours", ratio, size)
			}
		}
	}
}
