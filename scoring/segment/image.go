package segment

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"coverslip/datasets/biabench"
	"coverslip/datasets/fault"
	"coverslip/datasets/raster"
	"coverslip/scoring/report"
)

// work is one row of a score: a truth file and the answer file paired with it, "" when there is none.
type work struct {
	compartment, pred, truth string
	noun                     Noun
	why                      string // why there is no answer
}

// findings are what a note may have to say about an image.
type findings struct {
	predNotes, truthNotes     []string // of the files
	truncated, wild, negative bool     // of the answer's values
	blobs                     int      // separate regions of an answer with a single id, 0 if not looked at
}

// verdict is a judged row.
type verdict struct {
	image    report.Image
	marks    []report.Mark
	counts   counts
	findings findings
	noun     Noun
}

// judge reads and compares one pair. An unreadable or unfitting file is a verdict; the error is for cancellation and for
// what makes the reference fail as a whole. metric is what the marks will be charged for.
func judge(ctx context.Context, w work, threeD bool, metric string) (verdict, error) {
	v := verdict{noun: w.noun, image: report.Image{
		Compartment: w.compartment, Name: biabench.Stem(w.truth), Pred: w.pred, Truth: w.truth,
		Scores: report.Scores{BoundaryF1: math.NaN()},
	}}
	pred, truth := readPair(ctx, w, threeD)
	if err := ctx.Err(); err != nil {
		return v, err
	}
	v.findings.predNotes, v.findings.truthNotes = pred.notes, truth.notes
	switch {
	case w.pred == "":
		v.image.Status, v.image.Reason = report.MissingAnswer, w.why
	case pred.err != nil:
		v.image.Status, v.image.Reason = report.Unreadable, "the answer cannot be read: "+reason(pred.err)
	case truth.err != nil:
		v.image.Status, v.image.Reason = report.Unreadable, "the truth cannot be read: "+reason(truth.err)
	case !slices.Equal(pred.array.Shape, truth.array.Shape):
		v.image.Status, v.image.Reason = report.ShapeMismatch, mismatchText(pred.array.Shape, truth.array.Shape)
	default:
		v.image.Status = report.Scored
		return v, v.compare(ctx, pred.array, truth.array, threeD, metric)
	}
	return v, v.setAside(ctx, pred, truth)
}

// compare scores a pair of arrays of one shape.
func (v *verdict) compare(ctx context.Context, pred, truth raster.Array, threeD bool, metric string) error {
	census, err := Count(ctx, pred, truth, 0)
	if err != nil {
		return err
	}
	img := &v.image
	img.PredShape, img.TruthShape = pred.Shape, truth.Shape
	img.NPred, img.NTruth = len(census.Pred.Objects), len(census.Truth.Objects)
	img.PredPixels, img.TruthPixels = census.Pred.Foreground, census.Truth.Foreground
	v.marks = Annotate(census, v.noun)
	v.counts = count(v.marks, img.PredPixels, img.TruthPixels)
	img.Both = v.counts.both()
	img.Scores = v.counts.scores()
	if !threeD {
		boundary, err := countBoundary(ctx, pred, truth, 0)
		if err != nil {
			return err
		}
		if img.Scores.BoundaryF1 = boundary.f1(); metric == "boundary_f1" && len(pred.Shape) == 2 {
			a, b := newLabels(pred), newLabels(truth)
			for i := range v.marks {
				if m := &v.marks[i]; !m.Diagnostic {
					m.Cost = boundary.gain(a, b, pred.Shape, m)
				}
			}
		}
	}
	v.findings.truncated, v.findings.wild = census.Pred.Truncated, census.Pred.Wild
	v.findings.negative = img.NPred > 0 && census.Pred.Objects[0].ID < 0
	if img.NPred == 1 && img.NTruth > 1 {
		v.findings.blobs = countBlobs(pred)
	}
	return nil
}

// setAside counts what can be counted of a pair that cannot be compared, and marks the image as a whole.
func (v *verdict) setAside(ctx context.Context, pred, truth loaded) error {
	m := report.Mark{Kind: report.Whole}
	for _, side := range []struct {
		loaded
		shape          *[]int
		pixels, number *int
	}{
		{pred, &v.image.PredShape, &v.image.PredPixels, &v.image.NPred},
		{truth, &v.image.TruthShape, &v.image.TruthPixels, &v.image.NTruth},
	} {
		if side.err != nil || side.array.Values == nil {
			continue
		}
		census, err := Count(ctx, side.array, side.array, 0)
		if err != nil {
			return err
		}
		*side.shape, *side.pixels, *side.number = side.array.Shape, census.Pred.Foreground, len(census.Pred.Objects)
		m.Box = wholeBox(side.array.Shape)
	}
	m.Wrong = v.image.PredPixels + v.image.TruthPixels
	m.Area = m.Wrong
	m.Z, m.Y, m.X = centre(m.Box)
	m.Text = "Image counts 0: " + v.image.Reason
	v.marks = []report.Mark{m}
	v.counts = count(v.marks, v.image.PredPixels, v.image.TruthPixels)
	return nil
}

// loaded is a file read for scoring.
type loaded struct {
	array raster.Array
	notes []string
	err   error
}

// readPair reads both files at once.
func readPair(ctx context.Context, w work, threeD bool) (pred, truth loaded) {
	done := make(chan loaded, 1)
	go func() { done <- load(ctx, w.truth, threeD) }()
	if w.pred != "" {
		pred = load(ctx, w.pred, threeD)
	}
	return pred, <-done
}

// load reads a label image the way the reference sees it.
func load(ctx context.Context, path string, threeD bool) (l loaded) {
	defer func() {
		if p := recover(); p != nil {
			l = loaded{err: fmt.Errorf("the reader failed: %v", p)}
		}
	}()
	l.array, l.notes, l.err = raster.ReadArrayNotes(ctx, path)
	if l.err == nil && newLabels(l.array) == nil {
		l.err = errors.New("it holds no numbers")
	}
	if l.err == nil && !threeD {
		l.array = reduceColour(l.array)
	}
	return l
}

// reason is an error's text without the path, which stands beside it.
func reason(err error) string {
	var e *fault.Error
	if errors.As(err, &e) {
		if e.At != "" {
			return e.At + ", " + e.Reason()
		}
		return e.Reason()
	}
	return err.Error()
}

// mismatchText says what differs and what it may be.
func mismatchText(pred, truth []int) string {
	text := "the answer is " + shapeText(pred) + ", the truth " + shapeText(truth)
	p, t := slices.Clone(pred), slices.Clone(truth)
	slices.Sort(p)
	slices.Sort(t)
	switch {
	case len(pred) == 1 && pred[0] == 0:
		return text + "; the answer's file holds no image"
	case slices.Equal(p, t):
		return text + "; the axes stand in another order"
	case slices.Equal(squeeze(pred), squeeze(truth)):
		return text + "; remove the axis of length 1"
	case len(pred) < len(truth):
		return text + "; an axis is missing"
	}
	return text
}

func squeeze(shape []int) []int {
	return slices.DeleteFunc(slices.Clone(shape), func(n int) bool { return n == 1 })
}

// wholeBox covers all of an array.
func wholeBox(shape []int) report.Box {
	w, h := rowWidth(shape), planeHeight(shape)
	if w == 0 || h == 0 {
		return report.Box{}
	}
	return report.Box{Z1: volume(shape) / w / h, Y1: h, X1: w}
}

func centre(b report.Box) (z, y, x float64) {
	mid := func(a, b int) float64 { return max(0, float64(a+b-1)/2) }
	return mid(b.Z0, b.Z1), mid(b.Y0, b.Y1), mid(b.X0, b.X1)
}
