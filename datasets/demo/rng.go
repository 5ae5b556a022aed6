package demo

import "math"

// All arithmetic of this package is written so that each product is rounded on its own: float64(a*b). Without the
// conversion a compiler may fuse a product and a sum on some processors, and pictures would differ in their last bits.
// For the same reason nothing here calls math.Exp, math.Sin and their like; Sqrt and Floor are exact everywhere.

// rng is SplitMix64 (Steele, Lea and Flood 2014): small, and the same on each machine.
type rng struct{ state uint64 }

// newRNG makes a generator for a place in the demo: a picture, an agent, a purpose.
func newRNG(seed ...uint64) *rng { return &rng{hash(seed...)} }

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// hash folds numbers into one seed.
func hash(parts ...uint64) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, p := range parts {
		h = mix(h ^ p + 0x9e3779b97f4a7c15)
	}
	return h
}

func (r *rng) next() uint64 {
	r.state += 0x9e3779b97f4a7c15
	return mix(r.state)
}

// float is uniform over [0, 1).
func (r *rng) float() float64 { return float64(float64(r.next()>>11) / (1 << 53)) }

// between is uniform over [lo, hi).
func (r *rng) between(lo, hi float64) float64 { return lo + float64((hi-lo)*r.float()) }

// below is uniform over 0..n-1; the bias at the sizes used here is below 1e-15.
func (r *rng) below(n int) int { return int(r.next() % uint64(n)) }

// chance is true with probability p.
func (r *rng) chance(p float64) bool { return r.float() < p }

// direction is a unit vector of any direction in the plane.
func (r *rng) direction() (y, x float64) {
	for {
		y, x = r.between(-1, 1), r.between(-1, 1)
		if n := length(y, x); n > 0.1 && n <= 1 {
			return y / n, x / n
		}
	}
}

// direction3 is a unit vector of any direction in space.
func (r *rng) direction3() (z, y, x float64) {
	for {
		z, y, x = r.between(-1, 1), r.between(-1, 1), r.between(-1, 1)
		if n := math.Sqrt(float64(z*z) + float64(y*y) + float64(x*x)); n > 0.1 && n <= 1 {
			return z / n, y / n, x / n
		}
	}
}

func length(y, x float64) float64 { return math.Sqrt(float64(y*y) + float64(x*x)) }

func clamp(v, lo, hi float64) float64 { return max(lo, min(hi, v)) }

// lerp goes from a to b as t goes from 0 to 1.
func lerp(a, b, t float64) float64 { return a + float64((b-a)*t) }

// ramp rises smoothly from 0 at lo to 1 at hi.
func ramp(v, lo, hi float64) float64 {
	t := clamp((v-lo)/(hi-lo), 0, 1)
	return float64(float64(t*t) * (3 - 2*t))
}
