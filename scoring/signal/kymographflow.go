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

// frontPixel is a pixel of the cell sheet near the gap, and the way toward the gap.
type frontPixel struct {
	y, x             int32
	towardY, towardX float64 // minus the gradient of the distance to the gap
	length           float64
}

// regionOf finds the front of a mask cropped to h x w; ok is false where there is none: too small, all cell or no cell.
func regionOf(mask cellMask, h, w int) (r region, ok bool) {
	r = region{h: h, w: w}
	if h < 2 || w < 2 {
		return r, false
	}
	cell := make([]bool, 0, h*w)
	for y := range h {
		from := y * mask.shape[1]
		cell = append(cell, mask.set[from:from+w]...)
	}
	n := 0
	for _, in := range cell {
		if in {
			n++
		}
	}
	if n == 0 || n == h*w {
		return r, false
	}
	squared := numeric.SquaredDistances(cell, h, w) // 0 where there is no cell
	r.findFront(squared, farthest(squared, n))
	return r, true
}

// farthest is the largest squared distance to the gap, a whole number, that belongs to the front: of the n pixels of the
// cell sheet those up to the 40th percentile of their distances, and all up to 1.
func farthest(squared []int64, n int) int64 {
	distances := make([]float64, 0, n)
	for _, s := range squared {
		if s > 0 {
			distances = append(distances, math.Sqrt(float64(s)))
		}
	}
	limit := max(numeric.Percentile(distances, 40), 1)
	most := int64(limit * limit) // nearly: what counts is the root
	for math.Sqrt(float64(most+1)) <= limit {
		most++
	}
	for math.Sqrt(float64(most)) > limit {
		most--
	}
	return most
}

// findFront collects the pixels of the cell sheet up to a squared distance where the way to the gap has a direction: by
// numpy's gradient of the distance.
func (r *region) findFront(squared []int64, most int64) {
	n := 0
	for _, s := range squared {
		if s > 0 && s <= most {
			n++
		}
	}
	r.front = make([]frontPixel, 0, n)
	d := distanceRows{squared: squared, w: r.w, held: [3]int{-1, -1, -1}}
	for y := range r.h {
		for x, s := range squared[y*r.w : (y+1)*r.w] {
			if s == 0 || s > most {
				continue
			}
			above, here, below := d.row(max(y-1, 0)), d.row(y), d.row(min(y+1, r.h-1))
			p := frontPixel{y: int32(y), x: int32(x)}
			p.towardY = -slope(y, r.h, above[x], here[x], below[x])
			p.towardX = -slope(x, r.w, here[max(x-1, 0)], here[x], here[min(x+1, r.w-1)])
			if p.length = math.Sqrt(float64(p.towardX*p.towardX) + float64(p.towardY*p.towardY)); p.length > 1e-6 {
				r.front = append(r.front, p)
			}
		}
	}
}

// distanceRows takes the roots of squared distances row by row, each once and only where they are asked for.
type distanceRows struct {
	squared []int64
	w       int
	rows    [3][]float64 // the three that were asked for last
	held    [3]int       // which they are
}

func (d *distanceRows) row(y int) []float64 {
	k := y % 3
	if d.held[k] != y {
		d.held[k], d.rows[k] = y, d.rows[k][:0]
		for _, s := range d.squared[y*d.w : (y+1)*d.w] {
			d.rows[k] = append(d.rows[k], math.Sqrt(float64(s)))
		}
	}
	return d.rows[k]
}

// slope is numpy's gradient at place k of n along an axis, by the values before, at and behind it.
func slope(k, n int, before, at, behind float64) float64 {
	switch k {
	case 0:
		return behind - at
	case n - 1:
		return at - before
	}
	return (behind - before) / 2
}

// cosine is the mean cosine between the velocities and the way to the gap, at least 0; NaN where nothing moves at the
// front.
func (r region) cosine(vx, vy field) float64 {
	cosines := r.cosines(vx, vy)
	if len(cosines) == 0 {
		return math.NaN()
	}
	return atLeast0(numeric.PairwiseMean(cosines))
}

// cosines are those of the pixels of the front where something moves.
func (r region) cosines(vx, vy field) []float64 {
	cosines := make([]float64, 0, len(r.front))
	for i := range r.front {
		p := &r.front[i]
		x, y := vx.at(int(p.y), int(p.x)), vy.at(int(p.y), int(p.x))
		speed := math.Sqrt(float64(x*x) + float64(y*y))
		if !(speed > 1e-6) {
			continue
		}
		if c := (float64(x*p.towardX) + float64(y*p.towardY)) / float64(speed*p.length); finite(c) {
			cosines = append(cosines, c)
		}
	}
	return cosines
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
func compareFlow(mask cellMask, truth, answer [2]field) flow {
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
