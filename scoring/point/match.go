package point

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"sort"
)

// Match is an answer point on a truth point, by their places in the lists.
type Match struct {
	Pred, Truth int
	Distance    float64 // in pixels
}

// errNotFinite is what the reference stops with.
var errNotFinite = errors.New("a coordinate is NaN or infinite in an image that has points on both sides")

// nearest is the truth point that an answer point looks at; Truth is -1 where none lies within the threshold.
type nearest = Match

// Pair matches points (4.4). Each answer point looks only at its nearest truth point, the lowest of equally near ones;
// those with the smallest distances come first, and the truth point must be free and no farther than the threshold.
// The matches come by answer point; looks holds what each answer point looked at. Points on both sides must be finite.
func Pair(pred, truth []Point, threshold float64) (matches []Match, looks []nearest, err error) {
	looks = make([]nearest, len(pred))
	for i := range looks {
		looks[i] = nearest{Pred: i, Truth: -1}
	}
	if len(pred) == 0 || len(truth) == 0 {
		return nil, looks, nil
	}
	if !finite(pred) || !finite(truth) {
		return nil, nil, errNotFinite
	}
	field := newField(truth)
	for i, p := range pred {
		looks[i].Truth, looks[i].Distance = field.nearest(p, threshold)
	}
	order := slices.Clone(looks)
	slices.SortStableFunc(order, func(a, b nearest) int { return cmp.Compare(a.Distance, b.Distance) })
	taken := make([]bool, len(truth))
	for _, look := range order {
		if look.Truth >= 0 && !taken[look.Truth] {
			taken[look.Truth] = true
			matches = append(matches, look)
		}
	}
	slices.SortFunc(matches, func(a, b Match) int { return a.Pred - b.Pred })
	return matches, looks, nil
}

func finite(points []Point) bool {
	for _, p := range points {
		if math.IsNaN(p.X) || math.IsNaN(p.Y) || math.IsInf(p.X, 0) || math.IsInf(p.Y, 0) {
			return false
		}
	}
	return true
}

// field is truth points sorted by X, so that a search looks at a strip only.
type field struct {
	points []Point
	order  []int // places in points by rising X
}

func newField(points []Point) *field {
	f := &field{points: points, order: make([]int, len(points))}
	for i := range f.order {
		f.order[i] = i
	}
	slices.SortStableFunc(f.order, func(a, b int) int { return cmp.Compare(points[a].X, points[b].X) })
	return f
}

// nearest is the place and distance of the nearest point within the threshold, the lowest place of equals; -1 for none.
func (f *field) nearest(p Point, threshold float64) (place int, distance float64) {
	place = -1
	start := sort.Search(len(f.order), func(k int) bool { return f.points[f.order[k]].X >= p.X })
	look := func(k int) (further bool) {
		i := f.order[k]
		best := threshold
		if place >= 0 {
			best = distance
		}
		// Rounding and underflow may make a distance a little smaller than its part along X.
		if math.Abs(f.points[i].X-p.X) > best*(1+1e-9)+1e-150 {
			return false
		}
		d := distanceOf(p, f.points[i])
		if d <= threshold && (place < 0 || d < distance || d == distance && i < place) {
			place, distance = i, d
		}
		return true
	}
	for k := start; k < len(f.order) && look(k); k++ {
	}
	for k := start - 1; k >= 0 && look(k); k-- {
	}
	return place, distance
}

// distanceOf is the plain root of the sum of squares: a hypot routine ends on the other side of the threshold for some
// pairs. The conversions keep the compiler from fusing multiplication and addition.
func distanceOf(a, b Point) float64 {
	dx, dy := a.X-b.X, a.Y-b.Y
	return math.Sqrt(float64(dx*dx) + float64(dy*dy))
}
