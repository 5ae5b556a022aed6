package render

import (
	"image"
	"math"

	"coverslip/viewer"
)

// Camera maps between device pixels of a picture and image coordinates. Compose, hover and clicks all use it. A section
// through a stack is stretched along its z axis, as far as slices lie further apart than pixels.
type Camera struct {
	Scale, OY, OX      float64 // image = device / (Scale * stretch) + O, along each axis
	StretchY, StretchX float64 // 0 is 1
}

// scales are the device pixels per image pixel along y and x.
func (c Camera) scales() (y, x float64) {
	y, x = c.Scale, c.Scale
	if c.StretchY != 0 {
		y *= c.StretchY
	}
	if c.StretchX != 0 {
		x *= c.StretchX
	}
	return y, x
}

// CameraOf resolves a view's zoom and centre for a picture of w x h device pixels of an H x W image.
func CameraOf(v viewer.View, H, W, w, h int) Camera {
	img, pic := image.Pt(W, H), image.Pt(w, h)
	scale, mid := v.Scale(img, pic), v.Middle(img)
	return Camera{Scale: scale, OY: mid.Y - float64(h)/2/scale, OX: mid.X - float64(w)/2/scale}
}

// ToImage gives the image point under a device point.
func (c Camera) ToImage(y, x float64) viewer.Point {
	sy, sx := c.scales()
	return viewer.Point{Y: y/sy + c.OY, X: x/sx + c.OX}
}

// ToDevice gives the device point of an image point.
func (c Camera) ToDevice(p viewer.Point) (y, x float64) {
	sy, sx := c.scales()
	return (p.Y - c.OY) * sy, (p.X - c.OX) * sx
}

// Pixel gives the image pixel that the device pixel (py, px) shows. It may lie outside the image.
func (c Camera) Pixel(py, px int) (y, x int) {
	sy, sx := c.scales()
	return sample(py, sy, c.OY), sample(px, sx, c.OX)
}

// sample is the image pixel under the centre of device pixel p along one axis.
func sample(p int, scale, o float64) int { return int(math.Floor((float64(p)+0.5)/scale + o)) }

// pad is how many device pixels beyond the picture an axis goes on: as far as outlines may look sideways. Eight, so that
// rows of bits are taken by the byte.
const pad = 8

// axis holds, for one direction of a picture, which image pixel every device pixel shows.
type axis struct {
	source   []int32 // device pixel p at index p+pad, from -pad to n+pad-1
	from, to int     // device pixels 0..n-1 that lie on the image
	direct   bool    // from..to show image pixels one after the other
	repeats  bool    // some neighbours show the same image pixel
	size     int     // of the image
	starts   []int32 // per image pixel from base on, the index of the first device pixel at or after it
	base     int32
	anchor   int // what to add to a device pixel so that patterns move with the image
}

// fill computes the axis for n device pixels of an image of size pixels.
func (a *axis) fill(n, size int, scale, o float64) { a.fillBeyond(pad, n, size, scale, o) }

// fillBeyond goes on for so many device pixels beyond the picture, and not for pad.
func (a *axis) fillBeyond(beyond, n, size int, scale, o float64) {
	a.source = grow(a.source, n+2*beyond)
	a.size = size
	a.from, a.to = n, 0
	a.direct, a.repeats = true, false
	for i := range a.source {
		p := i - beyond
		s := int32(clampFloat(math.Floor((float64(p)+0.5)/scale+o), -1<<30, 1<<30))
		a.source[i] = s
		if p < 0 || p >= n || s < 0 || int(s) >= size {
			continue
		}
		if p > a.from {
			step := s - a.source[i-1]
			a.direct = a.direct && step == 1
			a.repeats = a.repeats || step == 0
		}
		a.from, a.to = min(a.from, p), p+1
	}
	a.from = min(a.from, a.to)
	a.anchor = int(math.Floor(clampFloat(o*scale, -1<<40, 1<<40)))
	a.invert()
}

// invert fills starts for the image pixels from the first source to the last, as far as they are on the image.
func (a *axis) invert() {
	last := a.source[len(a.source)-1]
	a.base = max(a.source[0], 0)
	n := min(int(last), a.size) - int(a.base) + 1
	a.starts = grow(a.starts, max(n, 0))
	i := int32(0)
	for k := range a.starts {
		for a.source[i] < a.base+int32(k) {
			i++
		}
		a.starts[k] = i
	}
}

// index is the index in source of the first device pixel at or after image pixel x, len(source) if none is.
func (a *axis) index(x int32) int32 {
	x = min(x, int32(a.size))
	switch k := x - a.base; {
	case k < 0: // to the left of all
		return 0
	case int(k) < len(a.starts):
		return a.starts[k]
	}
	return int32(len(a.source))
}

// at is the image pixel that device pixel p shows.
func (a *axis) at(p int) int { return int(a.source[p+pad]) }

func clampFloat(x, lo, hi float64) float64 { return math.Max(lo, math.Min(hi, x)) }

// grow gives a slice of length n, reusing s where it is large enough. The content is undefined.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
