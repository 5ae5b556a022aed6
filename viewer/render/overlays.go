package render

import (
	"slices"

	"coverslip/viewer"
)

// setupOverlays readies what lies over image and labels.
func (f *frame) setupOverlays(s *Scene, v viewer.View) {
	f.sy, f.sx = f.cam.scales()
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
	a := area{pix: f.pix, w: f.w, y0: max(from, f.y.from), y1: min(to, f.y.to), x0: f.x.from, x1: f.x.to, ay: f.y.anchor, ax: f.x.anchor}
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

// device is the device point of an image point.
func (f *frame) device(y, x float64) (dy, dx float64) {
	return snap((y - f.cam.OY) * f.sy), snap((x - f.cam.OX) * f.sx)
}

// snap rounds to a 256th of a pixel, so that a shape is the same wherever the picture's corner is.
func snap(x float64) float64 {
	const coarse = 3 << 43 // from here on numbers are that far apart
	return float64(x+coarse) - coarse
}

// place is the device point of an image point; ok is false outside the image.
func (f *frame) place(y, x float64) (dy, dx float64, ok bool) {
	dy, dx = f.device(y, x)
	return dy, dx, y >= 0 && x >= 0 && y <= float64(f.y.size) && x <= float64(f.x.size)
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
