package render

import (
	"image"
	"math"

	"coverslip/viewer"
)

// Hit is a point or a step of a track that is drawn near a place of a picture.
type Hit struct {
	Track   bool // else a point
	Truth   bool
	ID      int64
	T       int
	Z, Y, X float64
	Class   int     // of a point, -1 none
	Value   float64 // of a point, NaN none
	Style   Style
}

// hitReach is how many line pixels off a point still is under the pointer.
const hitReach = 8.0

// Hit finds the nearest point or step of a track that a picture of w x h device pixels shows within 8 line pixels of (y, x), in
// the pane that lies there. Among equals it is the one drawn last.
func (s *Scene) Hit(v viewer.View, w, h int, y, x float64) (hit Hit, ok bool) {
	if w <= 0 || h <= 0 || !isNumber(y) || !isNumber(x) {
		return hit, false
	}
	at := image.Pt(devicePixel(x), devicePixel(y))
	for _, p := range Panes(s, v, w, h) {
		if at.In(p.Rect) {
			return p.Hit(y, x)
		}
	}
	return hit, false
}

// Hit finds the nearest point or step of a track that the pane shows within 8 line pixels of (y, x), which counts from
// the picture's corner.
func (p *Pane) Hit(y, x float64) (hit Hit, ok bool) {
	y, x = y-float64(p.Rect.Min.Y), x-float64(p.Rect.Min.X)
	if p.Scene == nil || !isNumber(y) || !isNumber(x) {
		return hit, false
	}
	f := takeFrame()
	defer f.release()
	f.setPen(p.View, p.Camera)
	return f.hit(p.Scene, p.View, y, x)
}

// search keeps the nearest so far.
type search struct {
	y, x, best float64
	hit        Hit
	found      bool
}

// near takes notice of something drawn at a place in line pixels.
func (q *search) near(y, x float64, hit Hit) {
	if d := length(y-q.y, x-q.x); d <= q.best {
		q.best, q.hit, q.found = d, hit, true
	}
}

func (f *frame) hit(s *Scene, v viewer.View, y, x float64) (Hit, bool) {
	f.y.size, f.x.size = s.H, s.W
	y, x = y/f.fine, x/f.fine
	f.setupTracks(s, v)
	f.setupPoints(s, v)
	q := search{y: y, x: x, best: hitReach}
	low, high := f.pen.ToImage(y-hitReach, x).Y, f.pen.ToImage(y+hitReach, x).Y
	for i := range f.tracks {
		f.hitTracks(&f.tracks[i], low, high, &q)
	}
	for i := range f.points {
		f.hitPoints(&f.points[i], low, high, &q)
	}
	return q.hit, q.found
}

func (f *frame) hitPoints(l *pointLayer, low, high float64, q *search) {
	for i := l.a; i < l.b; i++ {
		from, to := l.set.rows(l.set.frames.starts[i], l.set.frames.starts[i+1], low, high)
		for k := from; k < to; k++ {
			p := &l.set.items[k]
			y, x, ok := f.place(p.Y, p.X)
			if _, drawn := l.look.of(p); ok && drawn {
				q.near(y, x, Hit{false, l.set.Truth, p.ID, p.T, p.Z, p.Y, p.X, p.Class, p.Value, p.Style})
			}
		}
	}
}

// hitTracks looks at where tracks are now and at the places on the tails behind them.
func (f *frame) hitTracks(l *trackLayer, low, high float64, q *search) {
	k := l.set
	first, last := l.now-l.tail, l.now
	if r := &l.look.reach; r.time {
		first, last = r.first, r.last
	}
	a, b := k.frames.within(first, last)
	for i := a; i < b; i++ {
		for n := k.frames.starts[i]; n < k.frames.starts[i+1]; n++ {
			p := &k.nodes[n]
			if p.y < low || p.y > high {
				continue
			}
			y, x, ok := f.place(p.y, p.x)
			_, drawn := l.look.style(p.style, k.ids[p.track])
			if _, near := l.look.reach.off(p.z); ok && drawn && near {
				q.near(y, x, Hit{true, k.Truth, k.ids[p.track], p.t, p.z, p.y, p.x, -1, math.NaN(), p.style})
			}
		}
	}
}
