package signal

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"coverslip/datasets/raster"
	"coverslip/datasets/raster/tiff"
	"coverslip/datasets/tabular"
)

func contextEnded() (context.Context, context.CancelFunc) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	return ctx, stop
}

// Naive oracle: each answer looks at every truth; the walk by distance, then file order.
func TestFrameMatchAgainstOracle(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for range 500 {
		var pred, truth []tabular.Localisation
		grid := float64(2 + rng.IntN(10))
		place := func() tabular.Localisation {
			return tabular.Localisation{X: math.Round(rng.Float64()*grid*4) / 4, Y: math.Round(rng.Float64()*grid*4) / 4}
		}
		for range rng.IntN(15) {
			pred = append(pred, place())
		}
		for range rng.IntN(30) {
			truth = append(truth, place())
		}
		threshold := []float64{1, 0, 0.25, 2.5, -1, math.NaN()}[rng.IntN(6)]
		frames := framesOf(pred, truth)
		if err := matchFrames(t.Context(), frames, pred, truth, threshold); err != nil {
			t.Fatal(err)
		}
		var got []pair
		for _, f := range frames {
			got = append(got, f.pairs...)
		}
		if want := naivePairs(pred, truth, threshold); !slices.Equal(got, want) {
			t.Fatalf("threshold %v: got %v, want %v", threshold, got, want)
		}
	}
}

func naivePairs(pred, truth []tabular.Localisation, threshold float64) (out []pair) {
	var asks []pair
	for i, p := range pred {
		best := pair{pred: int32(i), truth: -1}
		squared := math.Inf(1)
		for k, q := range truth {
			dx, dy := q.X-p.X, q.Y-p.Y
			if d := dx*dx + dy*dy; d < squared {
				squared, best.truth = d, int32(k)
			}
		}
		if best.distance = math.Sqrt(squared); best.truth >= 0 && best.distance <= threshold {
			asks = append(asks, newPair(best.pred, best.truth, best.distance, &pred[i], &truth[best.truth]))
		}
	}
	slices.SortStableFunc(asks, func(a, b pair) int {
		switch {
		case a.distance < b.distance:
			return -1
		case a.distance > b.distance:
			return 1
		}
		return 0
	})
	taken := map[int32]bool{}
	for _, a := range asks {
		if !taken[a.truth] {
			taken[a.truth] = true
			out = append(out, a)
		}
	}
	return out
}

// Naive oracle: every unused point is looked at for each point of the truth.
func TestPartnersAgainstOracle(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for range 500 {
		series := func() (out []sample) {
			for range rng.IntN(25) {
				out = append(out, sample{float64(rng.IntN(20)) * 0.25, rng.Float64()})
			}
			return out
		}
		truth, answer := series(), series()
		if got, want := partnersOf(truth, answer), naivePartners(truth, answer); !slices.Equal(got, want) {
			t.Fatalf("%v and %v: got %v, want %v", truth, answer, got, want)
		}
	}
}

func naivePartners(truth, answer []sample) (out [][2]sample) {
	byTime := func(a, b sample) int {
		switch {
		case a.time < b.time:
			return -1
		case a.time > b.time:
			return 1
		}
		return 0
	}
	t, p := slices.Clone(truth), slices.Clone(answer)
	slices.SortStableFunc(t, byTime)
	slices.SortStableFunc(p, byTime)
	for _, point := range t {
		best := -1
		for k, q := range p {
			if d := math.Abs(q.time - point.time); d <= 0.51 && (best < 0 || d < math.Abs(p[best].time-point.time)) {
				best = k
			}
		}
		if best >= 0 {
			out = append(out, [2]sample{point, p[best]})
			p = slices.Delete(p, best, best+1)
		}
	}
	return out
}

// The band alone, whole pages and the array give the same profiles.
func TestBandsAgainstWholeArray(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	for _, c := range []struct {
		axes  string
		shape []int
	}{{"ZCYX", []int{3, 4, 23, 17}}, {"CZYX", []int{2, 3, 8, 9}}, {"ZCXY", []int{2, 2, 7, 12}}, {"ZYXS", []int{2, 9, 6, 4}}, {"YX", []int{31, 5}}, {"QQYX", []int{3, 2, 6, 7}}} {
		n := 1
		for _, d := range c.shape {
			n *= d
		}
		values := make([]uint16, n)
		for i := range values {
			values[i] = uint16(rng.IntN(60000))
		}
		a := raster.Array{Shape: c.shape, Axes: c.axes, Type: raster.Uint16, Values: values}
		for _, raw := range []bool{true, false} {
			file := filepath.Join(t.TempDir(), "a.tif")
			var b bytes.Buffer
			if err := tiff.Encode(&b, a, tiff.EncodeOptions{Uncompressed: raw}); err != nil {
				t.Fatal(err)
			}
			writeFile(t, file, b.Bytes())
			for _, height := range []int{1, 4, 5, 100} {
				s, err := readStack(t.Context(), file, height)
				if err != nil {
					t.Fatalf("%s: %v", c.axes, err)
				}
				compareProfiles(t, a, s, height, raw)
			}
		}
	}
}

// compareProfiles averages an array over the band and all axes but channels and x; unnamed leading axes mix the channels.
func compareProfiles(t *testing.T, a raster.Array, s stack, height int, raw bool) {
	t.Helper()
	r, err := rolesOf(a.Axes)
	if err != nil {
		t.Fatal(err)
	}
	y0, y1 := bandRows(a.Shape[r.y], height)
	mixed := a.Axes == "QQYX"
	sums, counts := make([][]float64, len(s.profiles)), make([]float64, len(s.profiles))
	for c := range sums {
		sums[c] = make([]float64, a.Shape[r.x])
	}
	values := toFloats(a.Values)
	for i, v := range values {
		at := make([]int, len(a.Shape))
		for k, rest := len(a.Shape)-1, i; k >= 0; k-- {
			at[k], rest = rest%a.Shape[k], rest/a.Shape[k]
		}
		if at[r.y] < y0 || at[r.y] >= y1 {
			continue
		}
		for c := range sums {
			if mixed || r.c < 0 || at[r.c] == c {
				sums[c][at[r.x]] += v
				counts[c]++
			}
		}
	}
	for c := range sums {
		for x := range sums[c] {
			want := sums[c][x] / counts[c] * float64(a.Shape[r.x])
			if got := s.profiles[c][x]; math.Abs(got-want) > 1e-6 {
				t.Fatalf("%s, band %d, raw %v: channel %d is %v at x %d, want %v", a.Axes, height, raw, c, got, x, want)
			}
		}
	}
}

func TestRoles(t *testing.T) {
	for _, c := range []struct {
		axes string
		want roles
	}{
		{"IYX", roles{-1, 0, 1, 2}}, {"QQYX", roles{0, 1, 2, 3}}, {"QYXS", roles{0, 3, 1, 2}}, {"CZYX", roles{1, 0, 2, 3}}, {"TZCYX", roles{1, 2, 3, 4}},
		{"TYX", roles{-1, 0, 1, 2}}, {"YX", roles{-1, -1, 0, 1}}, {"ZYX", roles{0, -1, 1, 2}}, {"TZYX", roles{1, 0, 2, 3}}, {"QSYX", roles{0, 1, 2, 3}}, {"QXQ", roles{-1, 0, 1, 2}},
	} {
		if got, err := rolesOf(c.axes); err != nil || got != c.want {
			t.Errorf("%s: got %v, want %v", c.axes, got, c.want)
		}
	}
	if _, err := rolesOf("X"); err == nil {
		t.Error("a single axis is no image")
	}
}

func TestLabels(t *testing.T) {
	for _, c := range []struct{ label, channel, feature, population string }{
		{"Lipid <M>", "Bodipy", "M", ""}, {"ck total", "PanCK", "Sigma", ""}, {"pack r_um", "", "", ""}, {"<rf> (1/m)", "", "M", ""}, {"DNA freq", "DAPI", "rf", ""},
		{"CD14 WBC", "", "", "MCF7"}, {" White Blood cell ", "", "", "WBC"}, {"Σ", "", "Sigma", ""}, {"aΣ", "", "", ""}, {"µm", "", "", ""}, {"r (µm)", "", "r", ""},
	} {
		if got := [3]string{channelIn(c.label), featureIn(c.label), populationIn(c.label)}; got != [3]string{c.channel, c.feature, c.population} {
			t.Errorf("%q: got %v", c.label, got)
		}
	}
	for name, want := range map[string]string{"bodipy_sum_um": "Sigma", "dapi mean r (um)": "r", "cd45-rf": "rf", "panck 1 2": "", "dapi_intensity": "Sigma", "dapi<m>": "M"} {
		f, ok := columnFeature(name)
		if ok != (want != "") || f.name != want {
			t.Errorf("%q: got %v %v", name, f, ok)
		}
	}
}
