package numeric

import (
	"errors"
	"math"
	"slices"
	"testing"
)

// The expected values are those of spec/scorers-tables.md 7.1.
func TestKolmogorovSmirnov(t *testing.T) {
	ks := KolmogorovSmirnov([]float64{.5, .2, .1, .2}, []float64{.6, .2, .3})
	if math.Abs(ks.Statistic-5.0/12) > 1e-15 || ks.At != 0.2 || ks.Sign != 1 {
		t.Errorf("%+v, want 0.41666667 at 0.2, sign 1", ks)
	}
	if ks := KolmogorovSmirnov([]float64{.3, .2, .6}, []float64{.1, .2, .2, .5}); ks.Statistic != 5.0/12 || ks.At != 0.2 || ks.Sign != -1 {
		t.Errorf("exchanged: %+v", ks)
	}
	if ks := KolmogorovSmirnov([]float64{1, 2}, []float64{2, 1}); ks.Statistic != 0 {
		t.Errorf("equal samples: %+v", ks)
	}
	if ks := KolmogorovSmirnov([]float64{1, 2}, []float64{3}); ks.Statistic != 1 || ks.At != 2 || ks.Sign != 1 {
		t.Errorf("disjoint samples: %+v", ks)
	}
}

// The expected values are those of spec/scorers-tables.md 7.2.
func TestMannWhitney(t *testing.T) {
	tenths := func(from float64, n int) []float64 {
		list := make([]float64, n)
		for i := range list {
			list[i] = from + float64(i)/10
		}
		return list
	}
	for _, c := range []struct {
		a, b []float64
		want float64
	}{
		{[]float64{.1, .3, .5, .7}, []float64{.2, .4, .6, .8, .9}, 0.4126984126984127},
		{[]float64{.1, .2, .2, .3}, []float64{.2, .4, .6, .8, .9}, 0.06168916598092455},
		{tenths(0, 9), tenths(.15, 10), 0.17790959498698244},
		{[]float64{.5}, []float64{1, 2, 3}, 0.5},
		{[]float64{2, 2, 2}, []float64{2, 2}, 1},
		{[]float64{1}, []float64{2}, 1},
	} {
		if got := MannWhitney(c.a, c.b); math.Abs(got-c.want) > 1e-12*c.want {
			t.Errorf("%v against %v: %v, want %v", c.a, c.b, got, c.want)
		}
		if got, back := MannWhitney(c.a, c.b), MannWhitney(c.b, c.a); got != back {
			t.Errorf("the order of the groups matters: %v and %v", got, back)
		}
	}
	if !math.IsNaN(MannWhitney(nil, []float64{1})) {
		t.Error("an empty group has no p")
	}
}

// The exact tail against counting all ways to choose the ranks of one group.
func TestMannWhitneyCounts(t *testing.T) {
	for m := 1; m <= 5; m++ {
		for n := 1; n <= 7; n++ {
			ways, all := make([]int, m*n+1), 0
			for mask := range 1 << (m + n) {
				rank, size := 0, 0
				for i := range m + n {
					if mask>>i&1 == 1 {
						rank, size = rank+i+1, size+1
					}
				}
				if size == m {
					ways[rank-m*(m+1)/2]++
					all++
				}
			}
			for u := range ways {
				sum := 0
				for _, w := range ways[u:] {
					sum += w
				}
				if got, want := upperTail(m, n, u), float64(sum)/float64(all); math.Abs(got-want) > 1e-15 {
					t.Errorf("%d and %d, U %d: %v, want %v", m, n, u, got, want)
				}
			}
		}
	}
}

// The expected value is that of spec/scorers-tables.md 7.3.
func TestSpearman(t *testing.T) {
	if got := Spearman([]float64{0, 1, 2, 3, 4}, []float64{1, 1, 3, 2, 5}); math.Abs(got-0.8720815992723809) > 1e-15 {
		t.Errorf("%v, want 0.8720815992723809", got)
	}
	if !math.IsNaN(Spearman([]float64{1, 2}, []float64{3, 3})) || !math.IsNaN(Spearman([]float64{1}, []float64{1})) {
		t.Error("a constant has no correlation")
	}
	ranks, ties := MidRanks([]float64{3, 1, 3, 2, 3})
	if !slices.Equal(ranks, []float64{4, 1, 4, 2, 4}) || ties != 24 {
		t.Errorf("ranks %v, ties %v", ranks, ties)
	}
}

func TestPearson(t *testing.T) {
	r, err := Pearson([]float64{1, 2, 3}, []float64{2, 4, 7})
	if err != nil || math.Abs(*r-0.9933992677987828) > 1e-15 {
		t.Errorf("%v %v", r, err)
	}
	if r, err := Pearson([]float64{1, 1}, []float64{1, 2}); r != nil || err != nil {
		t.Error("no spread, no correlation")
	}
	if r, _ := Pearson([]float64{1}, []float64{1}); r != nil {
		t.Error("one point has no correlation")
	}
	if r, err := Pearson([]float64{1, math.NaN()}, []float64{1, 2}); err != nil || !math.IsNaN(*r) {
		t.Error("NaN stays")
	}
	if _, err := Pearson([]float64{0, 1e200}, []float64{1, 2}); !errors.Is(err, ErrOverflow) {
		t.Error("the reference stops where a square overflows")
	}
	if _, err := SampleSD([]float64{0, 1e200}); !errors.Is(err, ErrOverflow) {
		t.Error("the reference stops where a square overflows")
	}
}

// The expected values are those of spec/scorers-tables.md 7.4.
func TestWelchLess(t *testing.T) {
	a, b := []float64{1, 1.1, .9}, []float64{1.2, 1.4, 1.3, 1.1}
	same := func(v float64, n int) []float64 { return slices.Repeat([]float64{v}, n) }
	for _, c := range []struct {
		a, b            []float64
		want, tolerance float64
	}{
		{a, b, 0.017323776644142856, 1e-14},
		{slices.Repeat(a, 100), slices.Repeat(b, 100), 2.9896121375e-151, 1e-10}, // as many digits as are stated
		{same(.7, 9), same(.7, 6), 0.0377934092108062, 1e-12},
		{same(.1, 3), same(.1, 4), 0.8535533905932737, 1e-12},
		{same(.3, 3), same(.3, 3), math.NaN(), 0},
		{same(1, 2), same(2, 2), 0, 0},
		{same(2, 2), same(1, 2), 1, 0},
	} {
		got := WelchLess(c.a, c.b)
		if math.IsNaN(got) != math.IsNaN(c.want) || math.Abs(got-c.want) > c.tolerance*c.want {
			t.Errorf("%v against %v: %v, want %v", c.a[:2], c.b[:2], got, c.want)
		}
	}
}

// The expected values were computed with 70 decimal digits from the power series of the incomplete beta function.
func TestStudentCDF(t *testing.T) {
	for _, c := range []struct{ t, df, tail float64 }{
		{1, 1, 2.50000000000000000000e-1},
		{0.001, 1, 4.99681690219919441055e-1},
		{2.5, 2, 6.48058601107554045568e-2},
		{3, 4.25, 1.84855306900522338449e-2},
		{0.5, 3.7, 3.22667816659965990345e-1},
		{2.9, 4.6875, 1.82384291122298933566e-2},
		{25, 0.75, 2.77582548884265011947e-2},
		{40, 7.3, 4.01856758395686108613e-10},
		{10, 99.5, 5.20304887999551665375e-17},
		{30, 599.25, 9.81310227467404489382e-122},
		{36.0, 2399.5, 1.32418803109723631681e-227},
		{37.5, 14400.25, 4.88443443074479803004e-294},
		{1.5, 10000.0, 6.68229859118098062776e-2},
		{0.01, 100000.0, 4.96010653659411578145e-1},
		{1e10, 3.5, 1.77976283979972113801e-35},
		{1e160, 1.5, 3.77085243201624631460e-241},
		{1e-10, 12.5, 4.99999999960894902656e-1},
	} {
		if got := StudentCDF(-c.t, c.df); math.Abs(got-c.tail) > 1e-12*c.tail {
			t.Errorf("P(T < %v) with %v degrees: %v, want %v (off by %.1e)", -c.t, c.df, got, c.tail, got/c.tail-1)
		}
		if got := StudentCDF(c.t, c.df); math.Abs(got-(1-c.tail)) > 1e-15 {
			t.Errorf("P(T < %v) with %v degrees: %v, want %v", c.t, c.df, got, 1-c.tail)
		}
	}
	if StudentCDF(0, 3) != 0.5 || StudentCDF(math.Inf(1), 3) != 1 || StudentCDF(math.Inf(-1), 3) != 0 || !math.IsNaN(StudentCDF(math.NaN(), 3)) {
		t.Error("limits")
	}
}

// Both ways of the computation meet where they are exchanged, and the function rises.
func TestStudentCDFRises(t *testing.T) {
	for _, df := range []float64{0.5, 1, 2.25, 3, 7.5, 30.1, 250, 3000} {
		last := 0.0
		for x := -12.0; x <= 12; x += 1.0 / 128 {
			p := StudentCDF(x, df)
			if p < last || p > 1 {
				t.Fatalf("%v degrees at %v: %v after %v", df, x, p, last)
			}
			last = p
		}
	}
}

func TestMedian(t *testing.T) {
	if Median([]float64{1, 2, 4}) != 2 || Median([]float64{1, 2, 4, 8}) != 3 || !math.IsNaN(Median(nil)) {
		t.Error("median")
	}
}

// The expected values are CPython's m ** (1.0 / 3.0).
func TestPowThird(t *testing.T) {
	for _, c := range []struct{ m, want float64 }{
		{8.0, 2.0}, {27.0, 3.0}, {0.001, 0.10000000000000002}, {1000000.0, 99.99999999999997}, {0.000845, 0.0945407194598281},
		{1.0, 1.0}, {1.7e+308, 5.539658256754391e+102}, {0.4759368745375118, 0.7807580153231686},
		{1.0884630082996507, 1.0286585132090769}, {0.739916633544493, 0.9044702020210964}, {1.207844037992003, 1.064968968507247},
		{1.251444351013067, 1.0776320866385583}, {0.1310670631910338, 0.507961959030428}, {0.026345851429832725, 0.2975573937422931},
		{1.674939789502099, 1.187589638766698}, {0.5187154351158719, 0.8034824412138472}, {0.4686695787837823, 0.7767636995179351},
		{1.9912897145725705, 1.2580893428738062}, {0.9405323124098206, 0.9797709836954522}, {1.6729245379342648, 1.1871131535041544},
		{0.9527116538665829, 0.9839820119580672}, {1.2781398904069186, 1.0852408422594642}, {0.3012413418828076, 0.6703550074383312},
		{1.269724967963794, 1.0828539536896453}, {1.7360919338335221, 1.2018702165592878}, {1.046367188954499, 1.0152228195341204},
		{1.4825062998844185, 1.1402467660853646},
	} {
		if got := PowThird(c.m); got != c.want {
			t.Errorf("%v: %v, want %v", c.m, got, c.want)
		}
	}
}
