package numeric

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Naive oracle: every point, the lowest index among equals. Clouds are even, on a line, or in a heap; both ways of searching
// are held against it.
func TestPlanarAgainstEveryPoint(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 600 {
		n := rng.IntN(90)
		if round%20 == 0 {
			n = 400
		}
		x, y := make([]float64, n), make([]float64, n)
		grid := float64(1 + rng.IntN(20)) // a coarse grid makes ties
		for i := range x {
			x[i], y[i] = math.Round(rng.Float64()*grid), math.Round(rng.Float64()*grid)
			switch {
			case round%3 == 1:
				y[i] = 4
			case round%5 == 1 && i > 2:
				x[i], y[i] = x[i]/64, y[i]/64
			}
		}
		ways := map[string]*Planar{"chosen": NewPlanar(x, y), "tree": newTree(x, y)}
		for range 30 {
			qx, qy := math.Round((rng.Float64()*1.5-0.25)*grid*2)/2, math.Round((rng.Float64()*1.5-0.25)*grid*2)/2
			limit := rng.Float64() * 9
			if rng.IntN(5) == 0 {
				limit = math.Inf(1)
			}
			want, best := -1, limit
			for i := range x {
				dx, dy := x[i]-qx, y[i]-qy
				if d := dx*dx + dy*dy; d < best || d == best && want < 0 {
					want, best = i, d
				}
			}
			for name, p := range ways {
				if got, d := p.Nearest(qx, qy, limit); got != want || d != best {
					t.Fatalf("%s, %d points, place %v %v: got %d at %v, want %d at %v", name, n, qx, qy, got, d, want, best)
				}
			}
		}
	}
	if NewPlanar([]float64{1, 2, 3, 4}, []float64{5, 1, 7, 2}).boxes == nil {
		t.Error("even points are in no boxes")
	}
	if far := NewPlanar([]float64{-math.MaxFloat64, math.MaxFloat64}, []float64{0, 1}); far.boxes != nil {
		t.Error("points too far apart for arithmetic are in boxes")
	}
}

func TestSquaredDistancesAgainstEveryPixel(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		h, w := 1+rng.IntN(14), 1+rng.IntN(14)
		mask, share := make([]bool, h*w), rng.Float64()
		for i := range mask {
			mask[i] = rng.Float64() < share
		}
		for i, got := range SquaredDistances(mask, h, w) {
			want := int64(-1)
			if !mask[i] {
				want = 0
			}
			for j := range mask {
				dy, dx := int64(i/w-j/w), int64(i%w-j%w)
				if d := dy*dy + dx*dx; !mask[j] && (want < 0 || d < want) {
					want = d
				}
			}
			if got != want {
				t.Fatalf("%d x %d, pixel %d: got %d, want %d", h, w, i, got, want)
			}
		}
	}
}

// Expected values are numpy's percentile.
func TestPercentile(t *testing.T) {
	for _, c := range []struct {
		values        []float64
		percent, want float64
	}{
		{[]float64{1}, 40, 1}, {[]float64{2, 1}, 40, 1.4}, {[]float64{5, 1, 4, 2, 3}, 40, 2.6}, {[]float64{3, 1, 2}, 50, 2},
		{[]float64{1, 2, 3, 4}, 100, 4}, {[]float64{4, 3, 2, 1}, 0, 1}, {[]float64{0, 10}, 75, 7.5},
	} {
		if got := Percentile(slices.Clone(c.values), c.percent); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("percentile %v of %v: got %v, want %v", c.percent, c.values, got, c.want)
		}
	}
	if !math.IsNaN(Percentile(nil, 40)) {
		t.Error("the percentile of nothing is no number")
	}
}

func TestPairwiseSum(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{0, 1, 7, 8, 9, 127, 128, 129, 1000, 4099} {
		values := make([]float64, n)
		exact := 0.0
		for i := range values {
			values[i] = float64(rng.IntN(1000))
			exact += values[i]
		}
		if got := PairwiseSum(values); got != exact {
			t.Errorf("%d whole numbers: got %v, want %v", n, got, exact)
		}
	}
	// One large value among eight sums: small ones of its lane are lost, others are not.
	values := make([]float64, 16)
	values[0] = 1e16
	for i := 1; i < 16; i++ {
		values[i] = 1
	}
	if got, want := PairwiseSum(values), 1e16+14.0; got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestPairwisePearson(t *testing.T) {
	x := []float64{1, 2, 3, 4}
	for _, c := range []struct {
		y    []float64
		want float64
	}{{[]float64{2, 4, 6, 8}, 1}, {[]float64{4, 3, 2, 1}, -1}, {[]float64{1, 2, 2, 1}, 0}, {[]float64{5, 5, 5, 5}, math.NaN()},
		{[]float64{1, 2, math.Inf(1), 1}, math.NaN()}, {[]float64{1}, math.NaN()}} {
		got := PairwisePearson(x, c.y)
		if math.IsNaN(got) != math.IsNaN(c.want) || math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%v: got %v, want %v", c.y, got, c.want)
		}
	}
	if PairwiseDeviation([]float64{7, 7, 7}) != 0 {
		t.Error("a constant does not deviate")
	}
}
