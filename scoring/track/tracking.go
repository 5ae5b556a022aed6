package track

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"coverslip/datasets/biabench"
	"coverslip/datasets/raster/parallel"
	"coverslip/datasets/tabular"
	"coverslip/scoring/call"
	"coverslip/scoring/numeric"
	"coverslip/scoring/report"
)

// Tracking scores a task of tracking cells (spec/scorers-segmentation-tracking.md 3). progress is told of every frame; nil is
// allowed. The error is for a cancelled context; whatever is wrong with the inputs is in the report.
func Tracking(ctx context.Context, task *biabench.Task, run *biabench.Run, progress func(done, total int)) (*report.Report, error) {
	return call.Do(ctx, task, run, progress, func(c *call.Call) error { return (&tracking{Call: c}).score() })
}

// tracking is one call of the calculator.
type tracking struct {
	*call.Call
	truthMasks, truthLineage string // files
	predMasks, predLineage   string
	truthRows, predRows      []tabular.Track
	skips                    tabular.Skips // of the answer's lineage
	truth, pred              *Movie
	threshold                float64
	frames                   []cells
}

func (s *tracking) score() error {
	if done, err := s.findFiles(); done || err != nil {
		return err
	}
	if done, err := s.readLineages(); done || err != nil {
		return err
	}
	defer func() {
		for _, m := range []*Movie{s.truth, s.pred} {
			if m != nil {
				m.Close()
			}
		}
	}()
	if s.openMovies() {
		return nil
	}
	var err error
	if s.threshold, err = s.Number("iou_threshold", 0.5); err != nil {
		return err
	}
	if err := s.count(); err != nil {
		return err
	}
	truth, pred := make([][]node, len(s.frames)), make([][]node, len(s.frames))
	for i, f := range s.frames {
		truth[i], pred[i] = f.truth, f.pred
	}
	var wg sync.WaitGroup
	var truthGraph *graph
	wg.Go(func() { truthGraph = newGraph(truth, s.truthRows) })
	predGraph := newGraph(pred, s.predRows)
	wg.Wait()
	c := compare(s.frames, truthGraph, predGraph)
	if c.truthNodes == 0 {
		s.None("the truth's label stack holds no cell")
		return nil
	}
	s.record(c)
	s.method(c)
	s.notes(c)
	s.annotate(c) // the last, since it lets go of the cells
	return nil
}

// findFiles chooses the files of both sides; done when there is nothing to score.
func (s *tracking) findFiles() (done bool, err error) {
	files, err := biabench.ListFiles(s.Task.Truth)
	if err != nil {
		return false, err
	}
	truth := truthFiles(files)
	s.truthMasks, s.truthLineage = truth.masks, truth.lineage
	if s.truthMasks == "" || s.truthLineage == "" {
		s.None("the evaluation folder holds no label stack (.tif) with a lineage (.txt)")
		return true, nil
	}
	for _, want := range []struct {
		id   string
		file *string
	}{{"segmentation_masks", &s.predMasks}, {"tracking_lineage", &s.predLineage}} {
		d, err := s.Deliverable(want.id)
		if err != nil {
			return false, err
		}
		if d.Err != "" {
			s.Missing(d, s.truthMasks)
			return true, nil
		}
		if len(d.Files) == 0 {
			return false, fmt.Errorf("the deliverable '%s' has no file", want.id)
		}
		*want.file = d.Files[0]
	}
	return false, nil
}

// sideFiles are a label stack and its lineage, "" where there is none.
type sideFiles struct{ masks, lineage string }

// truthFiles chooses among the files of the truth.
func truthFiles(files []string) (f sideFiles) {
	f.masks = preferred(files, []string{"_gt", "gt"}, func(name string) bool {
		return strings.HasSuffix(name, ".tif") || strings.HasSuffix(name, ".tiff")
	})
	f.lineage = preferred(files, []string{"man_track", "track"}, func(name string) bool {
		return strings.HasSuffix(name, ".txt") && !slices.Contains(noLineage, name)
	})
	return f
}

// noLineage are texts that are no lineage; the contamination marker is none either.
var noLineage = []string{"log.txt", "result.txt", "error.txt", "subprocess_log.txt", strings.ToLower(biabench.CanaryFile)}

// preferred is the first file whose lower-case name holds the first of the words, else the next, else the first file.
func preferred(files []string, words []string, fits func(name string) bool) string {
	var list []string
	for _, f := range files {
		if fits(strings.ToLower(filepath.Base(f))) {
			list = append(list, f)
		}
	}
	for _, word := range append(words, "") {
		for _, f := range list {
			if strings.Contains(strings.ToLower(filepath.Base(f)), word) {
				return f
			}
		}
	}
	return ""
}

func (s *tracking) readLineages() (done bool, err error) {
	if s.truthRows, _, err = readLineage(s.truthLineage); err != nil {
		return false, err
	}
	if s.predRows, s.skips, err = readLineage(s.predLineage); err != nil {
		return false, err
	}
	switch {
	case len(s.truthRows) == 0:
		s.None("the truth's lineage has no usable row")
		return true, nil
	case len(s.predRows) == 0:
		s.Zero("the lineage '"+filepath.Base(s.predLineage)+"' has no usable row: expected track, first frame, last frame, parent on each line", s.truthMasks)
		s.lineageNotes()
		return true, nil
	}
	return false, nil
}

func readLineage(path string) ([]tabular.Track, tabular.Skips, error) {
	raw, err := tabular.ReadRaw(path)
	if err != nil {
		return nil, tabular.Skips{}, err
	}
	return tabular.ParseLineage(raw)
}

// openMovies opens both stacks; done when one of them is none.
func (s *tracking) openMovies() (done bool) {
	var err error
	if s.truth, err = OpenMovie(s.truthMasks); err != nil {
		s.None("the truth's label stack cannot be used: " + call.Reason(err))
		return true
	}
	name := filepath.Base(s.predMasks)
	if s.pred, err = OpenMovie(s.predMasks); err != nil {
		var stack notStack
		if errors.As(err, &stack) {
			s.Zero("the answer '"+name+"' is no label stack: "+err.Error(), s.truthMasks)
		} else {
			s.Zero("the answer '"+name+"' cannot be read: "+call.Reason(err), s.truthMasks)
		}
		return true
	}
	if s.pred.Y != s.truth.Y || s.pred.X != s.truth.X {
		text := fmt.Sprintf("frames of %d x %d pixels, the truth has %d x %d", s.pred.Y, s.pred.X, s.truth.Y, s.truth.X)
		if s.pred.Y == s.truth.X && s.pred.X == s.truth.Y {
			text += "; rows and columns are exchanged"
		}
		s.Zero(text, s.truthMasks)
		s.Report.Images[0].Status = report.ShapeMismatch
		s.Report.Images[0].PredShape, s.Report.Images[0].TruthShape = s.pred.Shape, s.truth.Shape
		return true
	}
	return false
}

// count reads and counts all frames, several at a time.
func (s *tracking) count() error {
	s.frames = make([]cells, max(s.truth.Frames, s.pred.Frames))
	var done atomic.Int64
	pool := sync.Pool{New: func() any { return &bench{counter: counter{threshold: s.threshold}} }}
	return parallel.Each(s.Ctx, len(s.frames), func(t int) error {
		b := pool.Get().(*bench)
		defer pool.Put(b)
		defer func() { s.Progress(int(done.Add(1)), len(s.frames)) }()
		f, err := b.take(s.Ctx, s.pred, s.truth, t, t)
		s.frames[t] = f
		return err
	})
}

// bench is the working memory of one goroutine.
type bench struct {
	counter
	pred, truth any
}

// take counts frame p of the answer against frame t of the truth. A frame that a side lacks has no cells.
func (b *bench) take(ctx context.Context, pred, truth *Movie, p, t int) (cells, error) {
	var err error
	var left, right any
	if p >= 0 && p < pred.Frames {
		if b.pred, err = pred.Frame(ctx, p, b.pred); err != nil {
			return cells{}, fmt.Errorf("the answer's frame %d: %w", p, err)
		}
		left = b.pred
	}
	if t >= 0 && t < truth.Frames {
		if b.truth, err = truth.Frame(ctx, t, b.truth); err != nil {
			return cells{}, fmt.Errorf("the truth's frame %d: %w", t, err)
		}
		right = b.truth
	}
	return b.count(left, right, truth.Y, truth.X), nil
}

// record fills the record of metrics (3.8).
func (s *tracking) record(c *comparison) {
	s.Report.Primary = "half SEG, half TRA"
	s.Report.Result = report.Result{Value: numeric.Round4(c.score())}
	div, precision, recall := c.div()
	r := new(report.Record).Set("result_score", s.Report.Result.Value).Set("seg", numeric.Round4(c.seg())).Set("tra", numeric.Round4(c.tra()))
	r.Set("lnk", nil)
	if lnk, ok := c.lnk(); ok {
		r.Set("lnk", numeric.Round4(lnk))
	}
	r.Set("div", numeric.Round4(div)).Set("div_precision", numeric.Round4(precision)).Set("div_recall", numeric.Round4(recall)).Set("ct", nil)
	if n := len(c.tracks); n > 0 {
		r.Set("ct", numeric.Round4(ratio(c.nComplete, n)))
	}
	r.Set("iou_threshold", s.threshold).Set("gt_nodes", c.truthNodes).Set("pred_nodes", c.predNodes).Set("matched_nodes", c.matched).
		Set("false_negatives", c.truthNodes-c.matched).Set("false_positives", c.predNodes-c.matched).
		Set("gt_edges", c.truth.edges).Set("pred_edges", c.pred.edges).Set("edges_correct", c.correct).Set("edges_added", c.nAdded).
		Set("edges_deleted", c.nDeleted).Set("edges_changed", c.nChanged).
		Set("gt_divisions", len(c.truthDivisions)).Set("pred_divisions", len(c.predDivisions)).Set("division_tp", c.nFound).
		Set("gt_tracks", len(c.tracks)).Set("pred_tracks", len(c.pred.tracks)).Set("complete_tracks", c.nComplete).
		Set("gt_frames", len(s.frames)).Set("evaluated_frames", len(s.frames))
	s.Report.Metrics = r
}
