package segment

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"coverslip/datasets/raster"
	"coverslip/datasets/raster/pixel"
	"coverslip/scoring/report"
)

// cells draws a label image of that many round objects on a jittered grid, and an answer to it that shifts, splits,
// merges, drops and invents some. Shapes of two or three axes.
func cells(r *rand.Rand, shape []int, n int) (pred, truth raster.Array) {
	d, h, w := 1, shape[len(shape)-2], shape[len(shape)-1]
	if len(shape) == 3 {
		d = shape[0]
	}
	a, b := make([]uint16, d*h*w), make([]uint16, d*h*w)
	cellVolume := float64(d*h*w) / float64(n)
	radius := 0.45 * math.Sqrt(cellVolume)
	if d > 1 {
		radius = 0.5 * math.Cbrt(cellVolume)
	}
	for id := 1; id <= n; id++ {
		z, y, x := r.IntN(d), r.IntN(h), r.IntN(w)
		rt := radius * (0.6 + 0.5*r.Float64())
		paint(b, d, h, w, z, y, x, rt, uint16(id))
		switch k := r.IntN(20); {
		case k == 0: // missed
		case k == 1: // split
			paint(a, d, h, w, z, y, x-int(rt/2), rt*0.6, uint16(2*n+id))
			paint(a, d, h, w, z, y, x+int(rt/2), rt*0.6, uint16(3*n+id))
		case k == 2: // merged with the one before
			paint(a, d, h, w, z, y, x, rt, uint16(id-1))
		default:
			shift := int(rt * 0.3 * (r.Float64() - 0.3))
			paint(a, d, h, w, z, y+shift, x+shift, rt*(0.85+0.3*r.Float64()), uint16(id))
		}
	}
	of := func(v []uint16) raster.Array {
		return raster.Array{Shape: shape, Axes: "ZYX"[3-len(shape):], Type: pixel.Uint16, Values: v}
	}
	return of(a), of(b)
}

func paint(v []uint16, d, h, w, z, y, x int, radius float64, id uint16) {
	k := int(radius)
	for zz := max(0, z-k); zz <= min(d-1, z+k); zz++ {
		for yy := max(0, y-k); yy <= min(h-1, y+k); yy++ {
			rest := radius*radius - float64((zz-z)*(zz-z)+(yy-y)*(yy-y))
			if rest < 0 {
				continue
			}
			reach := int(math.Sqrt(rest))
			for xx := max(0, x-reach); xx <= min(w-1, x+reach); xx++ {
				v[(zz*h+yy)*w+xx] = id
			}
		}
	}
}

func mapped(a raster.Array, f func(uint16) uint16) raster.Array {
	out := slices.Clone(a.Values.([]uint16))
	for i, v := range out {
		out[i] = f(v)
	}
	a.Values = out
	return a
}

// moved rearranges elements: out[i] = in[from(i)].
func moved(a raster.Array, shape []int, from func(i int) int) raster.Array {
	in := a.Values.([]uint16)
	out := make([]uint16, len(in))
	for i := range out {
		out[i] = in[from(i)]
	}
	a.Values, a.Shape = out, shape
	return a
}

func near(a, b report.Scores) bool {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	for i := range x.NumField() {
		if d := math.Abs(x.Field(i).Float() - y.Field(i).Float()); d > 1e-12 {
			return false
		}
	}
	return true
}

func TestRelabellingChangesNothing(t *testing.T) {
	pred, truth := cells(rand.New(rand.NewPCG(1, 1)), []int{90, 110}, 30)
	want, _, _ := fast(t, pred, truth)
	scramble := func(v uint16) uint16 {
		if v == 0 {
			return 0
		}
		return v*40503 | 1<<15 // odd multiplier: a bijection of the low bits
	}
	got, _, _ := fast(t, mapped(pred, scramble), mapped(truth, func(v uint16) uint16 { return v * 211 }))
	if !near(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestFlipsAndAxisOrderChangeNothing(t *testing.T) {
	pred, truth := cells(rand.New(rand.NewPCG(2, 1)), []int{60, 80}, 25)
	want, marks, _ := fast(t, pred, truth)
	n := 60 * 80
	for name, f := range map[string]struct {
		shape []int
		from  func(int) int
	}{
		"both flips": {[]int{60, 80}, func(i int) int { return n - 1 - i }},
		"columns":    {[]int{60, 80}, func(i int) int { return i/80*80 + 79 - i%80 }},
		"transposed": {[]int{80, 60}, func(i int) int { return i%60*80 + i/60 }},
	} {
		got, other, _ := fast(t, moved(pred, f.shape, f.from), moved(truth, f.shape, f.from))
		if !near(got, want) {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
		}
		if len(other) != len(marks) {
			t.Fatalf("%s: %d marks, want %d", name, len(other), len(marks))
		}
		for i := range marks {
			a, b := marks[i], other[i]
			if a.Kind != b.Kind || a.Wrong != b.Wrong || a.Text != b.Text {
				t.Errorf("%s: mark %+v, want %+v", name, b, a)
			}
			if name == "transposed" && (math.Abs(a.Y-b.X) > 1e-9 || a.Box.Y0 != b.Box.X0 || a.Box.X1 != b.Box.Y1) {
				t.Errorf("%s: place %+v, want %+v with Y and X exchanged", name, b, a)
			}
		}
	}
}

func TestIdentityScoresTheMaximum(t *testing.T) {
	_, truth := cells(rand.New(rand.NewPCG(3, 1)), []int{70, 70}, 20)
	got, marks, _ := fast(t, truth, truth)
	if want := (report.Scores{Dice: 1, IoU: 1, AP50: 1, AP75: 1, PQ: 1, BoundaryF1: 1}); !near(got, want) {
		t.Errorf("got %+v", got)
	}
	for _, m := range marks {
		if m.Kind != report.TP || m.Wrong != 0 {
			t.Errorf("mark %+v in a perfect answer", m)
		}
	}
}

func TestFalseObjectsAndOmissionsNeverHelp(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	for range 60 {
		pred, truth := cells(r, []int{50, 60}, 4+r.IntN(15))
		before, marks, _ := fast(t, pred, truth)
		p, g := pred.Values.([]uint16), truth.Values.([]uint16)
		extra := slices.Clone(p)
		for i := range extra {
			if p[i] == 0 && g[i] == 0 && r.IntN(4) == 0 {
				extra[i] = 60000
			}
		}
		// At 0.75 a weak match is an extra object, whose removal does help.
		check := func(what string, values []uint16, strong bool) {
			a := pred
			a.Values = values
			after, _, _ := fast(t, a, truth)
			if after.Dice > before.Dice || after.IoU > before.IoU || after.AP50 > before.AP50 || strong && after.AP75 > before.AP75 || after.PQ > before.PQ {
				t.Errorf("%s helped: %+v to %+v", what, before, after)
			}
		}
		check("a false object", extra, true)
		for _, m := range marks {
			if m.Kind == report.TP || m.Kind == report.Weak {
				check("an omission", mapped(pred, func(v uint16) uint16 {
					if int64(v) == m.Pred {
						return 0
					}
					return v
				}).Values.([]uint16), m.Kind == report.TP)
			}
		}
	}
}

func TestNumberOfGoroutinesChangesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for _, shape := range [][]int{{900, 1000}, {20, 200, 250}} {
		pred, truth := cells(r, shape, 150)
		// Odd values across band borders.
		values := make([]float64, len(pred.Values.([]uint16)))
		for i, v := range pred.Values.([]uint16) {
			values[i] = float64(v)
			if r.IntN(5000) == 0 {
				values[i] = []float64{-3, 0.5, math.NaN(), math.Inf(1)}[r.IntN(4)]
			}
		}
		pred.Type, pred.Values = pixel.Float64, values
		one, err := Count(t.Context(), pred, truth, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, workers := range []int{2, 7, 16} {
			many, err := Count(t.Context(), pred, truth, workers)
			if err != nil || !reflect.DeepEqual(one, many) {
				t.Errorf("shape %v: %d goroutines count differently (%v)", shape, workers, err)
			}
			if !reflect.DeepEqual(Annotate(one, Noun{}), Annotate(many, Noun{})) {
				t.Errorf("shape %v: %d goroutines mark differently", shape, workers)
			}
		}
		if len(shape) == 2 {
			a, _ := BoundaryF1(t.Context(), pred, truth, 1)
			b, _ := BoundaryF1(t.Context(), pred, truth, 7)
			if a != b {
				t.Errorf("boundary %v and %v", a, b)
			}
		}
	}
}

func TestVolumeMarksHavePlaces(t *testing.T) {
	v := make([]uint16, 3*4*5)
	for _, i := range []int{1*20 + 1*5 + 2, 1*20 + 2*5 + 2, 2*20 + 1*5 + 2, 2*20 + 2*5 + 2} { // z 1-2, y 1-2, x 2
		v[i] = 9
	}
	truth := raster.Array{Shape: []int{3, 4, 5}, Axes: "ZYX", Type: pixel.Uint16, Values: v}
	pred := mapped(truth, func(uint16) uint16 { return 0 })
	c, err := Count(t.Context(), pred, truth, 1)
	if err != nil {
		t.Fatal(err)
	}
	got := Annotate(c, nounFor("3d-fluo-cell-segmentation-lateral-line-idr0079", "", true))
	want := report.Mark{Kind: report.FN, Truth: 9, Z: 1.5, Y: 1.5, X: 2, Box: report.Box{Z0: 1, Y0: 1, X0: 2, Z1: 3, Y1: 3, X1: 3},
		Area: 4, Wrong: 4, Text: "Missed cell: 4 voxels, nothing in the answer overlaps it"}
	if len(got) != 1 || !reflect.DeepEqual(got[0], want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
