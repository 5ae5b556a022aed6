package demo

import (
	"math"
	"sync"
)

// expNeg is exp(-x) for x >= 0, by a series and squarings, so that it is the same on each machine.
func expNeg(x float64) float64 {
	if x > 60 {
		return 0
	}
	t, p := -x/64, 1.0
	for k := 9.0; k >= 1; k-- {
		p = 1 + float64(float64(p*t)/k)
	}
	for range 6 {
		p = float64(p * p)
	}
	return p
}

// bellSteps is how many entries the table of bell has for each unit of the squared distance.
const bellSteps = 512

var bellTable = sync.OnceValue(func() []float64 {
	t := make([]float64, 20*bellSteps)
	for i := range t {
		t[i] = expNeg(float64(i) / (2 * bellSteps))
	}
	return t
})

// bell is a Gaussian of unit width and height at a squared distance: exp(-d2/2).
func bell(d2 float64) float64 {
	if d2 >= 19.9 {
		return 0
	}
	return bellTable()[int(d2*bellSteps)]
}

// bent turns a unit vector by about the given angle in radians; small angles only.
func bent(y, x, angle float64) (by, bx float64) {
	by, bx = y+float64(x*angle), x-float64(y*angle)
	n := length(by, bx)
	return by / n, bx / n
}

// toSegment is the distance of a point to the segment from a to b and how far along it the nearest point lies, 0 to 1.
func toSegment(y, x, ay, ax, by, bx float64) (away, along float64) {
	dy, dx := by-ay, bx-ax
	if n := float64(dy*dy) + float64(dx*dx); n > 0 {
		along = clamp((float64((y-ay)*dy)+float64((x-ax)*dx))/n, 0, 1)
	}
	return length(y-ay-float64(dy*along), x-ax-float64(dx*along)), along
}

// normal is a number of a bell-shaped distribution of mean 0 and width 1: the sum of twelve even ones.
func (r *rng) normal() float64 {
	sum := -6.0
	for range 12 {
		sum += r.float()
	}
	return sum
}

// round is v to so many decimals.
func round(v float64, decimals int) float64 {
	scale := 1.0
	for range decimals {
		scale *= 10
	}
	return math.Floor(float64(v*scale)+0.5) / scale
}
