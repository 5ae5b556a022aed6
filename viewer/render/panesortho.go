package render

import (
	"image"
	"math"

	"coverslip/viewer"
)

// The ortho layout is the plane with its section along x, YZ, to the right and its section along y, XZ, below. All three
// have one scale; slices are drawn as far apart as they lie. The z axis of a section is whole where it fits into its
// pane; else the slice of the cross-hair stays in the middle.

// CrossOf is the image point where the planes of the ortho layout meet: the view's, else the middle, and within the image.
func CrossOf(s *Scene, v viewer.View) viewer.Point {
	p := v.Cross
	if p == (viewer.Point{}) {
		p = viewer.Point{Y: float64(s.H) / 2, X: float64(s.W) / 2}
	}
	inside := func(x float64, n int) float64 { return clampFloat(math.Floor(x), 0, float64(max(n-1, 0))) + 0.5 }
	return viewer.Point{Y: inside(p.Y, s.H), X: inside(p.X, s.W)}
}

// maxAspect bounds how far slices are drawn apart, in pixels; files may say anything.
const maxAspect = 64.0

// aspects are the distances of slices in pixels along y and along x; 1 where either is not known.
func (s *Scene) aspects() (y, x float64) {
	ratio := func(pixel float64) float64 {
		a := s.Calibration.Z / pixel
		if !(a > 0) || math.IsInf(a, 0) {
			return 1
		}
		return clampFloat(a, 1/maxAspect, maxAspect)
	}
	return ratio(s.Calibration.Y), ratio(s.Calibration.X)
}

func orthoPanes(s *Scene, v viewer.View, w, h int) []Pane {
	if s.XZ == nil || s.YZ == nil || s.XZ.H < 1 || s.YZ.W < 1 {
		return nil
	}
	ay, ax := s.aspects()
	n := v.LinePixel()
	right := sectionShare(w/n, s.W, float64(s.YZ.W)*ax) * n
	below := sectionShare(h/n, s.H, float64(s.XZ.H)*ay) * n
	pw, ph := w-paneGap*n-right, h-paneGap*n-below
	cam := CameraOf(v, s.H, s.W, pw, ph)
	v.Layout = viewer.One
	plain := v
	if v.Project.Kind == viewer.SumProjection { // its numbers lie far above those of single slices
		plain = withoutLimits(plain)
		plain = commonTones(plain, s.XZ, s.YZ)
	} else {
		v = commonTones(v, s, s.XZ, s.YZ)
		plain = v
	}
	xz := Pane{Rect: image.Rect(0, h-below, pw, h), Scene: s.XZ, View: plain, Plane: XZ, Title: "XZ",
		Camera: Camera{Scale: cam.Scale, OX: cam.OX, OY: sliceOrigin(v.Z, s.XZ.H, float64(below)/cam.Scale/ay), StretchY: ay}}
	yz := Pane{Rect: image.Rect(w-right, 0, w, ph), Scene: s.YZ, View: plain, Plane: YZ, Title: "YZ",
		Camera: Camera{Scale: cam.Scale, OY: cam.OY, OX: sliceOrigin(v.Z, s.YZ.W, float64(right)/cam.Scale/ax), StretchX: ax}}
	return []Pane{{Rect: image.Rect(0, 0, pw, ph), Scene: s, View: v, Camera: cam, Title: "XY", bar: true}, yz, xz}
}

// sectionShare is the line pixels of a picture's side that go to a section, depth pixels deep, beside size pixels.
func sectionShare(side, size int, depth float64) int {
	share := float64(side-paneGap) * depth / (depth + float64(size))
	return int(clampFloat(math.Round(share), float64(max(side/8, leastPane/2)), float64(side/2)))
}

// sliceOrigin is the slice coordinate at the border of a pane that shows so many of n slices, z among them.
func sliceOrigin(z, n int, shown float64) float64 {
	if float64(n) <= shown {
		return (float64(n) - shown) / 2
	}
	return clampFloat(float64(z)+0.5-shown/2, 0, float64(n)-shown)
}

func withoutLimits(v viewer.View) viewer.View {
	for i, t := range v.Tones {
		t.Lo, t.Hi = 0, 0
		v = v.WithTone(i, t)
	}
	return v
}

// crossColour is a yellow that no error has, drawn thin and half clear.
var crossColour = rgb(0xffe27a)

const (
	crossInk = 150 // in 256ths
	crossGap = 7   // line pixels around the crossing that stay free, so that the voxel is seen
)

// drawCross lays the cross-hair over a pane that has just been drawn.
func (f *frame) drawCross(p *Pane, cross viewer.Point, z int) {
	at := cross
	switch p.Plane {
	case XZ:
		at = viewer.Point{Y: float64(z) + 0.5, X: cross.X}
	case YZ:
		at = viewer.Point{Y: cross.Y, X: float64(z) + 0.5}
	}
	fy, fx := f.cam.ToDevice(at)
	n := f.density
	y, x := devicePixel(fy/f.fine)*n, devicePixel(fx/f.fine)*n // the first of the line's device pixels
	gapY, gapX := (crossGap+int(f.sy/2))*n, (crossGap+int(f.sx/2))*n
	for pass := range 2 { // a dark edge first, for bright images
		edge, colour, ink := (1-pass)*n, crossColour, uint32(crossInk)
		if pass == 0 {
			colour, ink = blackColour, crossInk/2
		}
		line := func(y, x, h, w int) { f.block(y, x, h, w, colour, ink, 256-ink) }
		line(0, x-edge, y-gapY, n+2*edge)
		line(y+gapY+n, x-edge, f.h-y-gapY-n, n+2*edge)
		line(y-edge, 0, n+2*edge, x-gapX)
		line(y-edge, x+gapX+n, n+2*edge, f.w-x-gapX-n)
	}
}
