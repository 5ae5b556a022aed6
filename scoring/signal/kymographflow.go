package signal

import (
	"math"

	"coverslip/scoring/numeric"
)

// region is the cell sheet of an experiment within the rows and columns that mask and fields share, and its front:
// where the direction of flow counts (spec/scorers-signals.md 5.6).
type region struct {
	h, w  int
	front []frontPixel
}

// frontPixel is a pixel of the cell sheet near the gap, and the unit vector toward the gap.
type frontPixel struct {
	y, x             int
	towardY, towardX float64 // minus the gradient of the distance to the gap
	length           float64
}

// regionOf finds the front of a mask cropped to h x w; ok is false where there is none: too small, all cell or no cell.
func regionOf(mask field, h, w int) (r region, ok bool) {
	r = region{h: h, w: w}
	if h < 2 || w < 2 {
		return r, false
	}
	cell, n := make([]bool, h*w), 0
	for y := range h {
		for x := range w {
			if mask.at(y, x) > 0 {
				cell[y*w+x] = true
				n++
			}
		}
	}
	if n == 0 || n == h*w {
		return r, false
	}
	squared := numeric.SquaredDistances(cell, h, w)
	distances := make([]float64, 0, n)
	for i, in := range cell {
		if in {
			distances = append(distances, math.Sqrt(float64(squared[i])))
		}
	}
	r.front = make([]frontPixel, 0, n/2)
	limit := max(numeric.Percentile(distances, 40), 1)
	for i, in := range cell {
		if in && math.Sqrt(float64(squared[i])) <= limit {
			p := frontPixel{y: i / w, x: i % w}
			p.towardY, p.towardX = -slope(squared, i, p.y, h, w), -slope(squared, i, p.x, w, 1)
			if p.length = math.Sqrt(float64(p.towardX*p.towardX) + float64(p.towardY*p.towardY)); p.length > 1e-6 {
				r.front = append(r.front, p)
			}
		}
	}
	return r, true
}

// slope is numpy's gradient of the distance along one axis: place k of n, step elements apart.
func slope(squared []int64, i, k, n, step int) float64 {
	d := func(j int) float64 { return math.Sqrt(float64(squared[j])) }
	switch k {
	case 0:
		return d(i+step) - d(i)
	case n - 1:
		return d(i) - d(i-step)
	}
	return (d(i+step) - d(i-step)) / 2
}

// cosine is the mean cosine between the velocities and the way to the gap, at least 0; NaN where nothing moves at the
// front.
func (r region) cosine(vx, vy field) float64 {
	var cosines []float64
	for _, p := range r.front {
		x, y := vx.at(p.y, p.x), vy.at(p.y, p.x)
		speed := math.Sqrt(float64(x*x) + float64(y*y))
		if !(speed > 1e-6) {
			continue
		}
		if c := (float64(x*p.towardX) + float64(y*p.towardY)) / float64(speed*p.length); finite(c) {
			cosines = append(cosines, c)
		}
	}
	if len(cosines) == 0 {
		return math.NaN()
	}
	return atLeast0(numeric.PairwiseMean(cosines))
}

// flow is the directions of an experiment. Cosines are NaN where they have no value.
type flow struct {
	truth, answer float64
	why           string // why there is no score
}

// score is the answer's cosine as a share of the truth's; NaN for none.
func (f flow) score() float64 {
	if math.IsNaN(f.truth) || math.IsNaN(f.answer) || f.truth == 0 {
		return math.NaN()
	}
	return min(1, f.answer/f.truth)
}

// compareFlow judges the direction of an answer's field with the truth's as the yardstick.
func compareFlow(mask field, truth, answer [2]field) flow {
	f := flow{truth: math.NaN(), answer: math.NaN()}
	if !mask.plane() {
		f.why = "the input has no mask of the cell sheet for it"
		return f
	}
	var last region
	var known, ok bool
	side := func(v [2]field) float64 {
		if !v[0].plane() || !v[1].plane() {
			return math.NaN()
		}
		h := min(mask.shape[0], v[0].shape[0], v[1].shape[0])
		w := min(mask.shape[1], v[0].shape[1], v[1].shape[1])
		if !known || last.h != h || last.w != w {
			last, ok = regionOf(mask, h, w)
			known = true
		}
		if !ok {
			return math.NaN()
		}
		return last.cosine(v[0], v[1])
	}
	f.truth, f.answer = side(truth), side(answer)
	switch {
	case math.IsNaN(f.truth) || f.truth == 0:
		f.why = "the truth has no direction to compare with: no field, no gap in the mask, or no flow toward it"
	case math.IsNaN(f.answer):
		f.why = "the answer has no usable pair of velocity fields, or nothing moves at the front"
	}
	return f
}
