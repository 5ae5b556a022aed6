package render

import (
	"slices"

	"coverslip/viewer"
)

// setupOverlays readies what lies over image and labels.
func (f *frame) setupOverlays(s *Scene, v viewer.View) {
	f.setupMask(s, v)
	f.setupArrows(s, v)
	f.setupTracks(s, v)
	f.setupPoints(s, v)
}

// drawOverlays draws them over device rows from..to-1: arrows, then tracks, then points.
func (f *frame) drawOverlays(from, to int) {
	if len(f.arrows)+len(f.tracks)+len(f.points) == 0 {
		return
	}
	a := f.area(max(from, f.y.from), min(to, f.y.to))
	if a.y0 >= a.y1 || a.x0 >= a.x1 {
		return
	}
	for i := range f.arrows {
		f.drawArrows(&a, &f.arrows[i])
	}
	for i := range f.tracks {
		f.drawTracks(&a, &f.tracks[i])
	}
	for i := range f.points {
		f.drawPoints(&a, &f.points[i])
	}
}

// area is the device rows from..to-1 of the image, to draw shapes on.
func (f *frame) area(from, to int) area {
	a := area{pix: f.pix, w: f.w, y0: from, y1: to, x0: f.x.from, x1: f.x.to, ay: f.y.anchor, ax: f.x.anchor, density: f.density, fine: f.fine}
	a.top, a.bottom = float64(a.y0)/f.fine, float64(a.y1)/f.fine
	a.left, a.right = float64(a.x0)/f.fine, float64(a.x1)/f.fine
	return a
}

// onPaper is where an image point lies in line pixels.
func (f *frame) onPaper(y, x float64) (py, px float64) {
	return snap((y - f.pen.OY) * f.sy), snap((x - f.pen.OX) * f.sx)
}

// snap rounds to a 256th of a line pixel, so that a shape is the same wherever the picture's corner is.
func snap(x float64) float64 {
	const coarse = 3 << 43 // from here on numbers are that far apart
	return float64(x+coarse) - coarse
}

// place is onPaper; ok is false outside the image.
func (f *frame) place(y, x float64) (py, px float64, ok bool) {
	py, px = f.onPaper(y, x)
	return py, px, y >= 0 && x >= 0 && y <= float64(f.y.size) && x <= float64(f.x.size)
}

// forgetOverlays drops what belongs to the caller.
func (f *frame) forgetOverlays() {
	f.mask = maskLayer{}
	clear(f.arrows)
	clear(f.tracks)
	clear(f.points)
}

// keepSide leaves out the overlays of the other side.
func (s *Scene) keepSide(truth bool) {
	s.Points = slices.DeleteFunc(slices.Clone(s.Points), func(p *Points) bool { return p == nil || p.Truth != truth })
	s.Tracks = slices.DeleteFunc(slices.Clone(s.Tracks), func(k *Tracks) bool { return k == nil || k.Truth != truth })
	s.Arrows = slices.DeleteFunc(slices.Clone(s.Arrows), func(a *Arrows) bool { return a == nil || a.Truth != truth })
}
