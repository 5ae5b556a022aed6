package line

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster/parallel"
	"coverslip/scoring/call"
	"coverslip/scoring/numeric"
	"coverslip/scoring/report"
)

const (
	// exact is of how many marks of a run the exact gain is computed, those with the highest estimates.
	exact = 200
	// prompt is up to how many pixels of answer and truth together the exact gains come with the score.
	prompt = 1 << 20
)

const (
	gainWords    = "'cl_dice' cannot be split over regions: the cost of a mark is what the score would gain if that region alone were right, a loss where it is negative"
	estimateNote = gainWords + ". It is an estimate so far, for which the centre lines outside the region stay as they are"
)

// promptGains replaces the estimates where that takes next to no time.
func (s *scorer) promptGains() error {
	size := 0
	for i := range s.rows {
		n := 2
		for _, d := range s.rows[i].truthShape {
			n *= d
		}
		size += n
	}
	if !s.Report.Estimated || size > prompt {
		return nil
	}
	if r, err := Gains(s.Ctx, s.Report, nil); err == nil { // else the estimates stay: the score does not depend on them
		s.Report = r
	}
	return s.Ctx.Err()
}

// Gains gives a report whose costs are estimates the exact ones: it reads the masks again, sets the region of a mark in the
// answer as it is in the truth, and sees how the centre lines and the score change. That is done for the 200 marks with the
// highest estimates; the other marks then have no cost, and a note says so. progress is told of the images; nil is allowed.
// Other reports come back as they are. The error is for a cancelled context and for files that have changed.
func Gains(ctx context.Context, r *report.Report, progress func(done, total int)) (*report.Report, error) {
	if !r.Estimated || r.Primary != "cl_dice" {
		return r, nil
	}
	out := *r
	out.Estimated = false
	out.Marks = slices.Clone(r.Marks)
	g := gains{volumes: r.Metrics.Get(vessels.rows) != nil, Report: &out}
	for _, img := range out.Images {
		if img.Value == img.Value { // the images that count
			g.counted++
		}
	}
	chosen, left := g.choose()
	for i := range out.Images {
		if err := g.image(ctx, i, chosen[i]); err != nil {
			return nil, err
		}
		if progress != nil {
			progress(i+1, len(out.Images))
		}
	}
	out.Notes = slices.Clone(r.Notes)
	for i := range out.Notes {
		if strings.HasPrefix(out.Notes[i].Text, gainWords) {
			out.Notes[i].Text = gainWords
			if left > 0 {
				out.Notes[i].Text += fmt.Sprintf(". This is computed for the %d regions that promise most; %s no cost", exact, call.Quantity(left, "other region has", "other regions have"))
			}
		}
	}
	return &out, nil
}

// gains is one call of Gains.
type gains struct {
	*report.Report
	volumes bool
	counted int // images in the mean
}

// place is a mark and which of the regions of its kind and image it is.
type place struct{ mark, region int }

// choose lists the marks to compute by image, and takes the costs of all other regions away.
func (g *gains) choose() (byImage map[int][]place, left int) {
	type key struct {
		image int
		kind  report.Kind
	}
	var all []place
	seen := map[key]int{}
	for i, m := range g.Marks {
		if k := (key{m.Image, m.Kind}); m.Kind == report.MissedPixels || m.Kind == report.ExtraPixels {
			if seen[k] < shown {
				all = append(all, place{i, seen[k]})
			} else {
				left++
				g.Marks[i].Cost = 0
			}
			seen[k]++
		}
	}
	slices.SortStableFunc(all, func(a, b place) int {
		p, q := &g.Marks[a.mark], &g.Marks[b.mark]
		return cmp.Or(-cmp.Compare(p.Cost, q.Cost), -cmp.Compare(p.Area, q.Area))
	})
	byImage = map[int][]place{}
	for k, p := range all {
		if m := &g.Marks[p.mark]; k < exact {
			byImage[m.Image] = append(byImage[m.Image], p)
		} else {
			left++
			m.Cost = 0
		}
	}
	return byImage, left
}

// image computes the gains of some marks of one image, and of the mark of an image that counts 0 as a whole.
func (g *gains) image(ctx context.Context, i int, chosen []place) error {
	img := &g.Images[i]
	whole := slices.IndexFunc(g.Marks, func(m report.Mark) bool { return m.Image == i && m.Kind == report.Whole && m.Cost > 0 })
	if len(chosen) == 0 && whole < 0 {
		return nil
	}
	truth := load(ctx, img.Truth, g.volumes)
	if whole >= 0 { // an image without a line counts 0 even if it is right
		if truth.err != nil || truth.mask == nil || truth.mask.Count() == 0 {
			g.Marks[whole].Cost = 0
		}
		return ctx.Err()
	}
	pred := load(ctx, img.Pred, g.volumes)
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, l := range []loaded{pred, truth} {
		if l.err != nil || l.mask == nil || !slices.Equal(l.shape, img.TruthShape) {
			return changed(img)
		}
	}
	f, err := newFixer(ctx, pred.mask, truth.mask, len(pred.shape) == 3)
	if err != nil {
		return err
	}
	return parallel.Each(ctx, len(chosen), func(k int) error {
		m := &g.Marks[chosen[k].mark]
		extra := m.Kind == report.ExtraPixels
		regions := f.missed
		if extra {
			regions = f.extra
		}
		if chosen[k].region >= len(regions) || regions[chosen[k].region].Pixels != m.Area {
			return changed(img)
		}
		gain, err := f.gain(ctx, regions[chosen[k].region], extra)
		m.Cost = gain / float64(g.counted)
		return err
	})
}

// changed is the error for masks that are not those that were scored.
func changed(img *report.Image) error {
	return &fault.Error{Kind: fault.Inconsistent, File: img.Pred, Found: "masks that differ from those that were scored",
		Expected: "answer and truth as they were", Fix: "Score the run again"}
}

// fixer tells what the score of an image gains if one of its regions is put right.
type fixer struct {
	pred, truth   *numeric.Mask
	figures       Figures
	trace         *numeric.Trace // of the answer
	missed, extra []Region
	idle          chan *numeric.Rethinner
}

func newFixer(ctx context.Context, pred, truth *numeric.Mask, volume bool) (f *fixer, err error) {
	f = &fixer{pred: pred, truth: truth, idle: make(chan *numeric.Rethinner, exact)}
	var lines Lines
	if f.figures, lines, err = Compare(ctx, pred, truth, volume); err != nil {
		return nil, err
	}
	traced := numeric.Trace2D
	if volume {
		traced = numeric.Trace3D
	}
	if f.trace, err = traced(ctx, pred); err != nil {
		return nil, err
	}
	f.missed, f.extra = Beyond(truth, pred, lines.Truth), Beyond(pred, truth, lines.Pred)
	return f, nil
}

// gain is by how much cl_dice of the image rises with a region put right.
func (f *fixer) gain(ctx context.Context, g Region, extra bool) (float64, error) {
	var r *numeric.Rethinner
	select {
	case r = <-f.idle:
	default:
		r = f.trace.Rethinner()
	}
	defer func() { f.idle <- r }()
	fixed := f.figures
	mask, other := f.truth, f.pred
	if extra {
		mask, other = f.pred, f.truth
	} else {
		fixed.TruthLineIn += g.Line
	}
	appear, vanish, err := r.Flip(ctx, g.voxels(mask, other))
	if err != nil {
		return 0, err
	}
	fixed.PredLine += len(appear) - len(vanish)
	fixed.PredLineIn += f.inTruth(appear) - f.inTruth(vanish)
	return fixed.gainOver(f.figures, "cl_dice"), nil
}

func (f *fixer) inTruth(list []numeric.Voxel) (n int) {
	for _, v := range list {
		if f.truth.At(v.Z, v.Y, v.X) {
			n++
		}
	}
	return n
}
