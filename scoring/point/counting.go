package point

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"

	"coverslip/datasets/biabench"
	"coverslip/datasets/raster/parallel"
	"coverslip/scoring/call"
	"coverslip/scoring/numeric"
	"coverslip/scoring/report"
)

// defaultThreshold is the matching radius in pixels where the rubric gives none.
const defaultThreshold = 10

// Counting scores a task of counting cells (spec/scorers-segmentation-tracking.md 4). progress is told of every table; nil is
// allowed. The error is for a cancelled context; whatever is wrong with the inputs is in the report.
func Counting(ctx context.Context, task *biabench.Task, run *biabench.Run, progress func(done, total int)) (*report.Report, error) {
	return call.Do(ctx, task, run, progress, func(c *call.Call) error { return (&counting{Call: c}).score() })
}

// counting is one call of the calculator.
type counting struct {
	*call.Call
	threshold float64
	preds     []string // files of the answer that may be tables of images
	truths    []string
	reserved  []string // files left out by name
	pairing   pairing
	rows      []row  // paired ones by answer path, then missing ones by truth path
	extra     []side // tables without an image
	typical   float64
}

// side is a table with its file.
type side struct {
	file string
	table
}

// row is one image.
type row struct {
	pred, truth side // pred.file is "" for a missing image
	matches     []Match
	looks       []nearest
	error       float64 // |answer - truth| over the denominator
	score       float64
}

func (r *row) missing() bool { return r.pred.file == "" }

func (s *counting) score() error {
	d, err := s.Deliverable("centroids_per_image")
	if err != nil {
		return err
	}
	all, err := biabench.ListFiles(s.Task.Truth)
	if err != nil {
		return err
	}
	s.truths = slices.DeleteFunc(all, func(f string) bool { return !strings.HasSuffix(f, ".csv") })
	if d.Err != "" {
		s.Missing(d, s.truths...)
		return nil
	}
	for _, f := range d.Files {
		if reserved(f) {
			s.reserved = append(s.reserved, f)
		} else {
			s.preds = append(s.preds, f)
		}
	}
	s.reservedNote()
	s.pairing = pair(s.preds, s.truths)
	switch {
	case len(s.preds) == 0:
		s.Zero("the answer has no table of points for an image", s.truths...)
		return nil
	case len(s.truths) == 0:
		s.None("the evaluation folder holds no table (.csv)")
		return nil
	case !slices.ContainsFunc(s.pairing.truthOf, func(k int) bool { return k >= 0 }):
		s.Zero("no file name of the answer fits a file name of the truth", s.truths...).
			Set("pred_count", len(s.preds)).Set("gt_count", len(s.truths))
		s.Warn("", "No file name of the answer fits a file name of the truth: nothing was compared", "Name each table after its image")
		return nil
	}
	if s.threshold, err = s.Number("distance_threshold_px", defaultThreshold); err != nil {
		return err
	}
	if err := s.read(); err != nil {
		return err
	}
	if err := s.compare(); err != nil {
		return err
	}
	s.annotate()
	s.result()
	return nil
}

// read reads all tables and lays out the rows.
func (s *counting) read() error {
	files := slices.Concat(s.preds, s.truths)
	sides := make([]side, len(files))
	err := parallel.Each(s.Ctx, len(files), func(i int) (err error) {
		sides[i].file = files[i]
		sides[i].table, err = readTable(files[i])
		return err
	})
	if err != nil {
		return err
	}
	preds, truths := sides[:len(s.preds)], sides[len(s.preds):]
	for i, k := range s.pairing.truthOf {
		if k >= 0 {
			s.rows = append(s.rows, row{pred: preds[i], truth: truths[k]})
		} else {
			s.extra = append(s.extra, preds[i])
		}
	}
	for k, i := range s.pairing.predOf {
		if i < 0 {
			s.rows = append(s.rows, row{truth: truths[k]})
		}
	}
	s.typical = typical(truths)
	return nil
}

// typical is the upper median of the counts that are not 0; 1 if there is none.
func typical(truths []side) float64 {
	var counts []int
	for _, t := range truths {
		if n := len(t.points); n > 0 {
			counts = append(counts, n)
		}
	}
	if len(counts) == 0 {
		return 1
	}
	slices.Sort(counts)
	return float64(counts[len(counts)/2])
}

// compare matches the points of each image and scores its count.
func (s *counting) compare() error {
	var done atomic.Int64
	return parallel.Each(s.Ctx, len(s.rows), func(i int) (err error) {
		r := &s.rows[i]
		defer func() { s.Progress(int(done.Add(1)), len(s.rows)) }()
		if r.missing() {
			return nil
		}
		r.error, r.score = countScore(len(r.pred.points), len(r.truth.points), s.typical)
		r.matches, r.looks, err = Pair(r.pred.points, r.truth.points, s.threshold)
		return err
	})
}

// countScore is the relative count error of an image, and 1 minus it within 0 and 1. Too few points are measured by the
// truth's count, too many by that or the typical count, whichever is larger: one false cell in a blank image costs little.
func countScore(pred, truth int, typical float64) (miss, score float64) {
	p, g := float64(pred), float64(truth)
	denominator := g
	if p >= g {
		denominator = max(g, typical)
	}
	miss = max(p-g, g-p) / denominator
	return miss, min(1, max(0, 1-miss))
}

// result fills the record of metrics.
func (s *counting) result() {
	f := s.figures()
	s.Report.Primary = "count accuracy"
	s.Report.Result = report.Result{Value: numeric.Round4(f.score)}
	r := new(report.Record).Set("result_score", s.Report.Result.Value).
		Set("result_score_ci_low", numeric.Round4(f.low)).Set("result_score_ci_high", numeric.Round4(f.high)).
		Set("result_score_n_scored", f.paired).Set("result_score_n_missing", f.missing).Set("missing_policy", "zero_score").
		Set("count_mape", numeric.Round4(f.mape)).Set("f1", numeric.Round4(f.f1)).Set("precision", numeric.Round4(f.precision)).
		Set("recall", numeric.Round4(f.recall)).Set("mae", numeric.Round4(f.mae)).Set("rmse", numeric.Round4(f.rmse)).
		Set("tp", f.tp).Set("fp", f.fp).Set("fn", f.fn).Set("distance_threshold_px", s.threshold).
		Set("matched_images", f.paired).Set("scored_images", len(s.rows)+len(s.extra)).Set("missing_prediction_images", f.missing).
		Set("ignored_extra_files", len(s.extra)).Set("per_image", s.perImage())
	s.Report.Metrics = r
	s.method(f)
	s.notes(f)
}

// perImage lists the images, then the tables without one.
func (s *counting) perImage() []*report.Record {
	list := []*report.Record{}
	add := func(image string, pred, truth, tp, fp, fn int) *report.Record {
		r := new(report.Record).Set("image", image).Set("pred_count", pred).Set("gt_count", truth).Set("tp", tp).Set("fp", fp).Set("fn", fn)
		list = append(list, r)
		return r
	}
	for i := range s.rows {
		r := &s.rows[i]
		p, g, tp := len(r.pred.points), len(r.truth.points), len(r.matches)
		if r.missing() {
			add(biabench.Stem(r.truth.file), 0, g, 0, 0, g).Set("status", "missing_prediction")
			continue
		}
		add(biabench.Stem(r.pred.file), p, g, tp, p-tp, g-tp)
	}
	for _, x := range s.extra {
		add(biabench.Stem(x.file), len(x.points), 0, 0, 0, 0).Set("status", "ignored_extra_file")
	}
	return list
}
