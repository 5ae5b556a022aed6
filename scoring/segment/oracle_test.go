package segment

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"coverslip/datasets/raster"
	"coverslip/datasets/raster/pixel"
	"coverslip/scoring/report"
)

// The oracle computes every score straight from its definition (spec/scorers-segmentation-tracking.md 2.1): dense
// sets, a full IoU matrix, the best assignment found by trying all, distances pixel by pixel. It shares no code with
// the fast path.

type oracleResult struct {
	dice, iou, ap50, ap75, pq float64
	predIDs, truthIDs         []int64
	pairs50                   int
}

func oracleID(v any) (id int64, fg bool) {
	switch x := v.(type) {
	case float64:
		if math.IsNaN(x) || x >= 9223372036854775808 || x < -9223372036854775808 {
			return math.MinInt64, x > 0
		}
		return int64(x), x > 0
	case int64:
		return x, x > 0
	case uint64:
		return int64(x), x > 0
	}
	panic("unexpected type")
}

// elements widens any array to boxed float64, int64 or uint64.
func elements(a raster.Array) []any {
	var out []any
	switch v := a.Values.(type) {
	case []uint8:
		for _, x := range v {
			out = append(out, int64(x))
		}
	case []uint16:
		for _, x := range v {
			out = append(out, int64(x))
		}
	case []int32:
		for _, x := range v {
			out = append(out, int64(x))
		}
	case []int64:
		for _, x := range v {
			out = append(out, x)
		}
	case []uint64:
		for _, x := range v {
			out = append(out, x)
		}
	case []float32:
		for _, x := range v {
			out = append(out, float64(x))
		}
	case []float64:
		for _, x := range v {
			out = append(out, x)
		}
	default:
		panic("unexpected element type")
	}
	return out
}

func oracle(pred, truth raster.Array) oracleResult {
	p, t := elements(pred), elements(truth)
	r := oracleResult{}
	predPixels, truthPixels := map[int64]map[int]bool{}, map[int64]map[int]bool{}
	np, nt, both, either := 0, 0, 0, 0
	gather := func(v any, i int, into map[int64]map[int]bool) bool {
		id, fg := oracleID(v)
		if id != 0 {
			if into[id] == nil {
				into[id] = map[int]bool{}
			}
			if id > 0 {
				into[id][i] = true
			}
		}
		return fg
	}
	for i := range p {
		a, b := gather(p[i], i, predPixels), gather(t[i], i, truthPixels)
		np, nt = np+one(a), nt+one(b)
		both, either = both+one(a && b), either+one(a || b)
	}
	if np+nt > 0 {
		r.dice = 2 * float64(both) / float64(np+nt)
	}
	if either > 0 {
		r.iou = float64(both) / float64(either)
	}
	for id := range predPixels {
		r.predIDs = append(r.predIDs, id)
	}
	for id := range truthPixels {
		r.truthIDs = append(r.truthIDs, id)
	}
	slices.Sort(r.predIDs)
	slices.Sort(r.truthIDs)
	matrix := make([][]float64, len(r.predIDs))
	for i, a := range r.predIDs {
		matrix[i] = make([]float64, len(r.truthIDs))
		for j, b := range r.truthIDs {
			inter := 0
			for k := range predPixels[a] {
				inter += one(truthPixels[b][k])
			}
			if union := len(predPixels[a]) + len(truthPixels[b]) - inter; union > 0 {
				matrix[i][j] = float64(inter) / float64(union)
			}
		}
	}
	var sum float64
	r.ap50, r.pairs50, sum = oracleAP(matrix, len(r.predIDs), len(r.truthIDs), 0.5)
	r.ap75, _, _ = oracleAP(matrix, len(r.predIDs), len(r.truthIDs), 0.75)
	if tp := float64(r.pairs50); tp > 0 {
		r.pq = sum / (tp + 0.5*(float64(len(r.predIDs))-tp) + 0.5*(float64(len(r.truthIDs))-tp))
	}
	return r
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// oracleAP tries every assignment, row by row.
func oracleAP(m [][]float64, np, nt int, t float64) (ap float64, tp int, sum float64) {
	if np == 0 && nt == 0 {
		return 1, 0, 0
	}
	taken := make([]bool, nt)
	best := -1.0
	var try func(i, n int, s float64)
	try = func(i, n int, s float64) {
		if i == np {
			if s > best+1e-12 {
				best, tp = s, n
			}
			return
		}
		try(i+1, n, s)
		for j := range nt {
			if !taken[j] && m[i][j] >= t {
				taken[j] = true
				try(i+1, n+1, s+m[i][j])
				taken[j] = false
			}
		}
	}
	try(0, 0, 0)
	return float64(tp) / float64(np+nt-tp), tp, best
}

// oracleBoundary measures every distance.
func oracleBoundary(pred, truth raster.Array) float64 {
	h, w := pred.Shape[0], pred.Shape[1]
	edge := func(a raster.Array) [][2]int {
		v := elements(a)
		var list [][2]int
		for y := range h {
			for x := range w {
				for _, d := range [][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}} {
					yy, xx := y+d[0], x+d[1]
					if yy >= 0 && xx >= 0 && yy < h && xx < w && v[y*w+x] != v[yy*w+xx] {
						list = append(list, [2]int{y, x})
						break
					}
				}
			}
		}
		return list
	}
	near := func(a, b [][2]int) float64 {
		n := 0
		for _, p := range a {
			n += one(slices.ContainsFunc(b, func(q [2]int) bool {
				return math.Hypot(float64(p[0]-q[0]), float64(p[1]-q[1])) <= 2
			}))
		}
		return float64(n) / float64(len(a))
	}
	p, t := edge(pred), edge(truth)
	switch {
	case len(p) == 0 && len(t) == 0:
		return 1
	case len(p) == 0 || len(t) == 0:
		return 0
	}
	precision, recall := near(p, t), near(t, p)
	if precision+recall == 0 {
		return 0
	}
	return 2 * precision * recall / (precision + recall)
}

// randomPair draws small label images that share much, so that all kinds of overlap occur: exact halves, contained
// objects, ids in several places, odd values.
func randomPair(r *rand.Rand) (pred, truth raster.Array) {
	h, w := 1+r.IntN(7), 1+r.IntN(70)
	if r.IntN(3) > 0 {
		w = 1 + r.IntN(9)
	}
	palette := 1 + r.IntN(6)
	a, b := make([]float64, h*w), make([]float64, h*w)
	for i := range a {
		if i > 0 && r.IntN(3) > 0 {
			a[i], b[i] = a[i-1], b[i-1]
			continue
		}
		a[i] = float64(r.IntN(palette))
		b[i] = a[i]
		if r.IntN(3) == 0 {
			b[i] = float64(r.IntN(palette))
		}
	}
	return randomType(r, h, w, a), randomType(r, h, w, b)
}

// randomType stores values in a random element type, with that type's odd values strewn in.
func randomType(r *rand.Rand, h, w int, values []float64) raster.Array {
	a := raster.Array{Shape: []int{h, w}, Axes: "YX"}
	odd := r.IntN(2) == 0
	switch r.IntN(6) {
	case 0:
		a.Type, a.Values = pixel.Uint8, stored[uint8](values, nil, r)
	case 1:
		a.Type, a.Values = pixel.Uint16, stored[uint16](values, nil, r)
	case 2:
		a.Type, a.Values = pixel.Int32, stored(values, pick(odd, []int32{-1, -7, 70000}), r)
	case 3:
		a.Type, a.Values = pixel.Uint64, stored(values, pick(odd, []uint64{1 << 63, 1<<64 - 1, 1 << 40}), r)
	case 4:
		a.Type, a.Values = pixel.Float32, stored(values, pick(odd, []float32{0.5, 1.5, -0.5, -2.5, float32(math.NaN()), float32(math.Inf(1))}), r)
	default:
		a.Type, a.Values = pixel.Float64, stored(values, pick(odd, []float64{0.25, 2.75, -1, math.NaN(), math.Inf(-1), 1e300}), r)
	}
	return a
}

func pick[E any](odd bool, values []E) []E {
	if odd {
		return values
	}
	return nil
}

func stored[E pixel.Element](values []float64, odd []E, r *rand.Rand) []E {
	out := make([]E, len(values))
	for i, v := range values {
		out[i] = E(v)
		if len(odd) > 0 && r.IntN(12) == 0 {
			out[i] = odd[r.IntN(len(odd))]
		}
	}
	return out
}

// fast runs the real path: census, marks, counts, scores.
func fast(t testing.TB, pred, truth raster.Array) (report.Scores, []report.Mark, *Census) {
	t.Helper()
	c, err := Count(t.Context(), pred, truth, 1)
	if err != nil {
		t.Fatal(err)
	}
	marks := Annotate(c, nounFor("", "", false))
	s := count(marks, c.Pred.Foreground, c.Truth.Foreground).scores()
	if s.BoundaryF1, err = BoundaryF1(t.Context(), pred, truth, 1); err != nil {
		t.Fatal(err)
	}
	return s, marks, c
}

func checkAgainstOracle(t *testing.T, pred, truth raster.Array) {
	t.Helper()
	want := oracle(pred, truth)
	got, marks, c := fast(t, pred, truth)
	for _, f := range []struct {
		name      string
		got, want float64
	}{
		{"dice", got.Dice, want.dice}, {"iou", got.IoU, want.iou}, {"ap50", got.AP50, want.ap50},
		{"ap75", got.AP75, want.ap75}, {"pq", got.PQ, want.pq}, {"boundary", got.BoundaryF1, oracleBoundary(pred, truth)},
	} {
		if math.Abs(f.got-f.want) > 1e-12 {
			t.Errorf("%s: got %v, want %v\npred  %v\ntruth %v", f.name, f.got, f.want, pred, truth)
		}
	}
	if !slices.Equal(ids(c.Pred.Objects), want.predIDs) || !slices.Equal(ids(c.Truth.Objects), want.truthIDs) {
		t.Errorf("ids: got %v and %v, want %v and %v", ids(c.Pred.Objects), ids(c.Truth.Objects), want.predIDs, want.truthIDs)
	}
	wrong := 0
	for _, m := range marks {
		if !m.Diagnostic {
			wrong += m.Wrong
		}
	}
	if want := c.Pred.Foreground + c.Truth.Foreground - 2*c.Both; wrong != want {
		t.Errorf("the marks' wrong pixels add up to %d, want %d", wrong, want)
	}
}

func ids(objects []Object) []int64 {
	var list []int64
	for _, o := range objects {
		list = append(list, o.ID)
	}
	return list
}

func TestFastPathEqualsOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 4000 {
		pred, truth := randomPair(r)
		checkAgainstOracle(t, pred, truth)
		if t.Failed() {
			return
		}
	}
}

// FuzzKernel reads width, then answer and truth in turn, from the bytes; the first byte also chooses the element types.
func FuzzKernel(f *testing.F) {
	for _, seed := range []string{
		"\x04\x01\x01\x02\x02\x01\x01\x00\x02", "\x11\x01\x03\x01\x03\x02\x03\x02\x03", "\x22\x00\x00", "\x35\x01\xff\xff\x01\x80\x7f\x00\x05",
		"\x07\x01\x01\x01\x02\x02\x02\x02\x01\x00\x00\x03\x03\x03\x00", "", "\x01\x01\x02\x02\x01\x01\x01",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 3 || len(data) > 400 {
			return
		}
		width := 1 + int(data[0]&15)
		height := (len(data) - 1) / 2 / width
		a, b := make([]float64, width*height), make([]float64, width*height)
		for i := range a {
			// A few ids only, so that the oracle can try all assignments.
			a[i], b[i] = float64(int8(data[1+2*i])%5), float64(int8(data[2+2*i])%5)
		}
		checkAgainstOracle(t, byteType(data[0]>>4, height, width, a), byteType(data[0]>>6, height, width, b))
	})
}

func byteType(kind byte, h, w int, values []float64) raster.Array {
	a := raster.Array{Shape: []int{h, w}, Axes: "YX"}
	switch kind & 3 {
	case 0:
		a.Type, a.Values = pixel.Int32, stored[int32](values, nil, nil)
	case 1:
		a.Type, a.Values = pixel.Int64, stored[int64](values, nil, nil)
	case 2:
		for i := range values {
			values[i] /= 2
		}
		a.Type, a.Values = pixel.Float32, stored[float32](values, nil, nil)
	default:
		a.Type, a.Values = pixel.Float64, stored[float64](values, nil, nil)
	}
	return a
}

// The slow boundary for any number of axes agrees with the fast one for two.
func TestBoundaryOfManyAxes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		pred, truth := randomPair(r)
		want := oracleBoundary(pred, truth)
		pred.Shape, truth.Shape = append(pred.Shape, 1), append(truth.Shape, 1)
		if got, err := BoundaryF1(t.Context(), pred, truth, 1); err != nil || math.Abs(got-want) > 1e-12 {
			t.Fatalf("got %v (%v), want %v", got, err, want)
		}
	}
}
