package render

import (
	"cmp"
	"math"
	"slices"

	"coverslip/viewer"
)

// Overlays are drawn over image and label layers, in image coordinates: points, tracks and vector fields, each of the answer or of the
// truth. They hold all frames; Scene.T and Scene.Z say which of them a picture shows. View.Answer and View.Truth show or hide
// them in colours of View.Colour, View.Errors shows those with a Style in the shapes of their verdicts, and in the colours of
// these unless View.Colour asks for others.

// Point is one point. A pixel's centre is at half coordinates: pixel (y, x) has its centre at (y+0.5, x+0.5), and slice z
// reaches from z to z+1.
type Point struct {
	ID      int64
	T       int     // frame
	Z, Y, X float64 // image coordinates
	Class   int     // small number that chooses a colour, -1 none
	Value   float64 // chooses a size and a colour, NaN none
	Style   Style   // verdict
}

// Step is where a track is in one frame.
type Step struct {
	T       int
	Z, Y, X float64
	Style   Style // verdict of the node, or of the link that begins here; on a track's last step, of the division
}

// Track is one object over time, by rising T. Parent is the track it comes from by division, 0 none.
type Track struct {
	ID, Parent int64
	Steps      []Step
}

// frames finds what belongs to a frame in a list sorted by frame.
type frames struct {
	at     []int // frames that have anything, rising
	starts []int // where each begins in the list; one more at the end
}

// index notes the frames of n sorted things.
func (f *frames) index(n int, frame func(i int) int) {
	for i := range n {
		if t := frame(i); i == 0 || t != f.at[len(f.at)-1] {
			f.at = append(f.at, t)
			f.starts = append(f.starts, i)
		}
	}
	f.starts = append(f.starts, n)
}

// within is the frames from..to, ends included, as positions a..b-1 of at.
func (f *frames) within(from, to int) (a, b int) {
	a, _ = slices.BinarySearch(f.at, from)
	b, found := slices.BinarySearch(f.at, to)
	if found {
		b++
	}
	return a, max(a, b)
}

// of is where the things of a frame lie in the list.
func (f *frames) of(t int) (a, b int) {
	i, found := slices.BinarySearch(f.at, t)
	if !found {
		return 0, 0
	}
	return f.starts[i], f.starts[i+1]
}

// limits is the first and the last frame; ok is false where there is none.
func (f *frames) limits() (first, last int, ok bool) {
	if len(f.at) == 0 {
		return 0, 0, false
	}
	return f.at[0], f.at[len(f.at)-1], true
}

// reach is which frames and slices a picture shows.
type reach struct {
	first, last int  // frames, ends included
	low, high   int  // slices, ends included
	flat        bool // slices do not matter
	time, deep  bool // several frames, several slices in one picture
}

// fadeSlices is how far off its slice a point of a stack still shows.
const fadeSlices = 3

// reachOf follows the View's projection.
func (s *Scene) reachOf(v viewer.View) reach {
	r := reach{first: s.T, last: s.T, low: s.Z, high: s.Z, flat: s.Depth <= 1}
	if p := v.Project; p.Kind != viewer.NoProjection {
		low, high := math.MinInt, math.MaxInt
		middle := s.Z
		if p.Time {
			middle = s.T
		}
		if p.Span > 0 {
			low = middle - (p.Span-1)/2
			high = low + p.Span - 1
		}
		if p.Time {
			r.first, r.last, r.time = low, high, true
		} else {
			r.low, r.high, r.deep = low, high, true
		}
	}
	return r
}

// off is how many slices z lies away from those shown; ok is false where it is too far to show.
func (r *reach) off(z float64) (off float64, ok bool) {
	switch {
	case r.flat:
		return 0, true
	case z < float64(r.low):
		off = float64(r.low) - z
	case z > float64(r.high)+1:
		off = z - float64(r.high) - 1
	}
	if r.deep {
		return 0, off == 0
	}
	return off, off <= fadeSlices
}

// faded is the strength of what lies so many slices off.
func faded(off float64) float64 { return 1 - 0.25*off }

// shrunk is its size.
func shrunk(off float64) float64 { return 1 - 0.15*off }

// limits is a range of numbers that colours stand for.
type limits struct{ lo, hi float64 }

func (l *limits) add(x float64) { l.lo, l.hi = math.Min(l.lo, x), math.Max(l.hi, x) }

// empty is limits that any number widens.
func empty() limits { return limits{math.Inf(1), math.Inf(-1)} }

// part is where x lies between the limits, 0 to 1; the middle where they are one.
func (l limits) part(x float64) float64 {
	if !(l.lo < l.hi) {
		return 0.5
	}
	return clampFloat((x-l.lo)/(l.hi-l.lo), 0, 1)
}

// robust is the 1st to the 99th percentile of values, NaN left out.
func robust(values []float64) limits {
	values = slices.DeleteFunc(values, math.IsNaN)
	if len(values) == 0 {
		return empty()
	}
	slices.Sort(values)
	n := len(values) - 1
	return limits{values[n/100], values[n-n/100]}
}

// isPlace tells whether coordinates can be drawn.
func isPlace(z, y, x float64) bool {
	const far = 1e9
	return math.Abs(y) < far && math.Abs(x) < far && !math.IsNaN(z) && !math.IsInf(z, 0)
}

// byPlace orders by frame, then by row; equal ones keep their order.
func byPlace(t, u int, y, z float64) int {
	if c := cmp.Compare(t, u); c != 0 {
		return c
	}
	return cmp.Compare(y, z)
}
