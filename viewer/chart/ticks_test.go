package chart

import (
	"math"
	"testing"
)

// TestTicks holds the laws of ticks on random axes: rising, within the limits, different labels, none over another.
func TestTicks(t *testing.T) {
	r := noise(50)
	for i := range 3000 {
		s := newSpread()
		size := math.Pow(10, float64(r.IntN(24)-12))
		middle := size * r.NormFloat64() * []float64{0, 1, 100}[i%3]
		for range 2 + r.IntN(5) {
			s.add(middle + size*r.NormFloat64())
		}
		if r.IntN(3) == 0 {
			s.add(0)
		}
		a := Axis{Scale: Scale(i % 4), Whole: i%5 == 0}
		if a.Scale == Log || a.Scale == LogZero {
			s.add(size, size*math.Pow(10, 6*r.Float64()))
		}
		ruler := newRuler(a, s)
		length := 30 + 900*r.Float64()
		upright := i%2 == 0
		if upright {
			ruler.lay(length+10, 10, true)
		} else {
			ruler.lay(10, length+10, false)
		}
		checkTicks(t, &ruler, length, upright)
	}
}

func checkTicks(t *testing.T, r *ruler, length float64, upright bool) {
	t.Helper()
	labelled, end := 0, math.Inf(-1)
	labels := map[string]bool{}
	for i, k := range r.ticks {
		if i > 0 && !(k.v > r.ticks[i-1].v) {
			t.Fatalf("ticks %v and %v do not rise", r.ticks[i-1].v, k.v)
		}
		if !(k.at >= 10-0.01) || !(k.at <= length+10.01) {
			t.Fatalf("tick %v at %v of %v: %+v", k.v, k.at, length, r)
		}
		if k.label == "" {
			continue
		}
		labelled++
		if labels[k.label] {
			t.Fatalf("two ticks are called %s: %+v", k.label, r.ticks)
		}
		labels[k.label] = true
		half, at := width(k.label, tickSize, false)/2, k.at
		if upright {
			half, at = tickSize/2, -k.at
		}
		if at-half < end {
			t.Fatalf("label %s touches the one before: %+v", k.label, r.ticks)
		}
		end = at + half
	}
	if length > 200 && labelled < 2 && (r.Scale == Linear && !r.Whole) {
		t.Fatalf("%d labels on %v dp from %v to %v", labelled, length, r.lo, r.hi)
	}
}

// TestRulers: a value is found again where it lies, on every scale.
func TestRulers(t *testing.T) {
	s := newSpread()
	s.add(0, 0.02, 3, 450)
	for _, scale := range []Scale{Linear, Log, LogZero, Symlog} {
		r := newRuler(Axis{Scale: scale}, s)
		r.lay(40, 600, false)
		for _, v := range []float64{0, 0.02, 0.5, 3, 450} {
			at := r.at(v)
			if scale == Log && v == 0 {
				if finite(at) {
					t.Error("0 has a place on a log axis")
				}
				continue
			}
			if back := r.value(at); !(math.Abs(back-v) <= 1e-9*(1+v)) || at < 40 || at > 600 {
				t.Errorf("scale %d: %v lies at %v, where %v is", scale, v, at, back)
			}
		}
	}
}

// TestTexts: in all charts of the gallery at several sizes, labels and titles lie within the picture and labels of ticks do not overlap.
func TestTexts(t *testing.T) {
	for _, k := range gallery() {
		for _, size := range [][2]float64{{640, 400}, {320, 220}, {200, 160}, {1200, 300}} {
			r := &recorder{}
			p := newPen(r, Options{}, size[0], size[1])
			p.whole(k.chart.(painter))
			for i, a := range r.texts {
				if b := a.box; b.x0 < -0.5 || b.y0 < -0.5 || b.x1 > size[0]+0.5 || b.y1 > size[1]+0.5 {
					t.Errorf("%s at %v: %q leaves the picture: %+v", k.name, size, a.s, b)
				}
				for _, b := range r.texts[:i] {
					if a.size == tickSize && b.size == tickSize && a.up == b.up && touch(a.box, b.box) || (a.size == titleSize || b.size == titleSize) && touch(a.box, b.box) {
						t.Errorf("%s at %v: %q lies over %q", k.name, size, a.s, b.s)
					}
				}
			}
		}
	}
}

func touch(a, b rect) bool {
	return a.x0 < b.x1-0.1 && b.x0 < a.x1-0.1 && a.y0 < b.y1-0.1 && b.y0 < a.y1-0.1
}

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 1: "1", -2.5: "−2.5", 1234: "1,234", 0.30004: "0.3", 12.3456: "12.35", 1234567: "1,234,567", 1e-9: "1×10⁻⁹", -2.5e12: "−2.5×10¹²",
		0.00012: "0.00012", 99999.5: "100,000", math.Inf(1): "infinite"} {
		if got := Number(v); got != want {
			t.Errorf("Number(%g) is %q, not %q", v, got, want)
		}
	}
}

func TestElide(t *testing.T) {
	const name = "08172023_HEK_ZFTA_Mutants.sld - 08172023_ZFTA_RELA_WT - Position 1.tif"
	for room := 0.0; room < 500; room += 7 {
		s := elide(name, 11, room, false)
		if width(s, 11, false) > room {
			t.Fatalf("%q is wider than %v", s, room)
		}
		if room > 60 && (s[0] != '0' || s[len(s)-1] != 'f') {
			t.Fatalf("%q lost an end", s)
		}
	}
}

func TestAxisNames(t *testing.T) {
	a := Axis{Name: "Distance (µm)"}
	if got := a.says(12.5); got != "Distance 12.5 µm" {
		t.Error(got)
	}
	r := ruler{Axis: a, power: -3}
	if got := r.title(); got != "Distance (×10⁻³ µm)" {
		t.Error(got)
	}
}
