package line

import (
	"context"
	"math"
	"sync"

	"coverslip/scoring/numeric"
)

// Figures are what two masks of one shape have in common (5.2).
type Figures struct {
	Pred, Truth, Both int // foreground pixels
	// The skeletons, and the parts of each that the other mask covers.
	PredLine, TruthLine, PredLineIn, TruthLineIn int
}

// Lines are the skeletons of both masks.
type Lines struct{ Pred, Truth *numeric.Mask }

// Compare counts and thins two masks of one shape: planes as scikit-image thins planes, volumes as it does volumes. The
// two are thinned at the same time.
func Compare(ctx context.Context, pred, truth *numeric.Mask, volume bool) (f Figures, lines Lines, err error) {
	f = Figures{Pred: pred.Count(), Truth: truth.Count(), Both: numeric.CountBoth(pred, truth)}
	thin := numeric.Thin2D
	if volume {
		thin = numeric.Thin3D
	}
	var wg sync.WaitGroup
	var truthErr error
	wg.Go(func() { lines.Truth, truthErr = thin(ctx, truth) })
	lines.Pred, err = thin(ctx, pred)
	wg.Wait()
	if err == nil {
		err = truthErr
	}
	if err != nil {
		return f, lines, err
	}
	f.PredLine, f.TruthLine = lines.Pred.Count(), lines.Truth.Count()
	f.PredLineIn, f.TruthLineIn = numeric.CountBoth(lines.Pred, truth), numeric.CountBoth(lines.Truth, pred)
	return f, lines, nil
}

// measures are the figures of one image by the reference's names. NaN stands for its null.
type measures map[string]float64

func (f Figures) measures() measures {
	p, g, i := float64(f.Pred), float64(f.Truth), float64(f.Both)
	m := measures{
		"dice": quotient(2*i, p+g), "iou": quotient(i, p+g-i), "precision": quotient(i, p), "recall": quotient(i, g),
		"volumetric_similarity": 1 - quotient(math.Abs(p-g), p+g), "cl_dice": 0, "t_prec": 0, "t_sens": 0,
	}
	if f.PredLine > 0 && f.TruthLine > 0 {
		prec, sens := float64(f.PredLineIn)/float64(f.PredLine), float64(f.TruthLineIn)/float64(f.TruthLine)
		m["t_prec"], m["t_sens"] = prec, sens
		if prec+sens > 0 {
			m["cl_dice"] = 2 * prec * sens / (prec + sens)
		}
	}
	return m
}

// quotient is NaN for an empty denominator.
func quotient(a, b float64) float64 {
	if b == 0 {
		return math.NaN()
	}
	return a / b
}

// gainful are the metrics that do not split over pixels: of these a mark tells what fixing it alone would gain.
var gainful = []string{"volumetric_similarity", "cl_dice"}

// share is what a missed or an extra region takes of 1 - metric. Where the metric does not split over pixels it is the gain
// if this region alone were right, which may be a loss; that of cl_dice is an estimate, for which the lines outside the
// region stay as they are.
func (f Figures) share(metric string, g Region, extra bool) float64 {
	wrong := float64(g.Pixels)
	switch metric {
	case "iou":
		return wrong / float64(f.Pred+f.Truth-f.Both)
	case "precision":
		if !extra {
			wrong = 0
		}
		return wrong / float64(max(f.Pred, 1))
	case "recall":
		if extra {
			wrong = 0
		}
		return wrong / float64(max(f.Truth, 1))
	case "volumetric_similarity", "cl_dice":
		fixed := f
		if fixed.Pred += g.Pixels; extra {
			fixed.Pred -= 2 * g.Pixels
		}
		if fixed.PredLine += g.Line; extra {
			fixed.PredLine -= 2 * g.Line
		} else {
			fixed.PredLineIn += g.Line
			fixed.TruthLineIn += g.Line
		}
		return fixed.gainOver(f, metric)
	}
	return wrong / float64(f.Pred+f.Truth)
}

// gainOver is how much higher a metric is than with other figures; 0 where it has no value.
func (f Figures) gainOver(before Figures, metric string) float64 {
	if gain := f.measures()[metric] - before.measures()[metric]; !math.IsNaN(gain) {
		return gain
	}
	return 0
}
