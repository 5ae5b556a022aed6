package line

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"coverslip/datasets/biabench"
	"coverslip/datasets/raster/parallel"
	"coverslip/scoring/call"
	"coverslip/scoring/numeric"
	"coverslip/scoring/report"
)

// kind is what distinguishes the two calculators.
type kind struct {
	form
	volumes          bool
	deliverable      string
	key, rows        string // field names of the record
	metrics          []string
	primaries        []string // that a rubric may name
	one, pixel, many string   // words: "filament", "pixel", "pixels"
	none             string   // what the evaluation folder lacks
}

var filaments = kind{
	form: filamentForm, deliverable: "segmentation_masks", key: "stem", rows: "per_image",
	metrics:   []string{"dice", "iou", "precision", "recall", "cl_dice", "t_prec", "t_sens"},
	primaries: []string{"dice", "iou", "precision", "recall", "cl_dice"},
	one:       "filament", pixel: "pixel", many: "pixels", none: "the evaluation folder holds no mask (.binary.tif, .binary.tiff or .binary.png)",
}

var vessels = kind{
	form: vesselForm, volumes: true, deliverable: "vessel_masks", key: "id", rows: "per_volume",
	metrics:   []string{"dice", "iou", "precision", "recall", "volumetric_similarity", "cl_dice", "t_prec", "t_sens"},
	primaries: []string{"dice", "iou", "precision", "recall", "cl_dice", "volumetric_similarity"},
	one:       "vessel", pixel: "voxel", many: "voxels", none: "the evaluation folder holds no mask called Binary and an id (.tif, .tiff or .png)",
}

// Filaments scores a task of binary masks of filaments in planes (spec/scorers-segmentation-tracking.md 5). progress is told
// of every image; nil is allowed. The error is for a cancelled context; whatever is wrong with the inputs is in the report.
func Filaments(ctx context.Context, task *biabench.Task, run *biabench.Run, progress func(done, total int)) (*report.Report, error) {
	return call.Do(ctx, task, run, progress, func(c *call.Call) error { return (&scorer{Call: c, kind: filaments}).score() })
}

// Vessels scores a task of binary masks of vessels in volumes (spec/scorers-segmentation-tracking.md 6); otherwise as Filaments.
func Vessels(ctx context.Context, task *biabench.Task, run *biabench.Run, progress func(done, total int)) (*report.Report, error) {
	return call.Do(ctx, task, run, progress, func(c *call.Call) error { return (&scorer{Call: c, kind: vessels}).score() })
}

// scorer is one call of a calculator.
type scorer struct {
	*call.Call
	kind
	primary string
	nPred   int
	pairing pairing
	rows    []row
}

// row is one image.
type row struct {
	pair
	status     report.Status
	truthGone  bool // the truth is unreadable: the row counts nowhere
	reason     string
	predShape  []int
	truthShape []int
	figures    Figures
	measures   measures
	missed     []Region
	extra      []Region
	predNotes  []string
	truthNotes []string
}

func (s *scorer) score() error {
	truths, err := s.truths(s.Task.Truth)
	if err != nil {
		return err
	}
	if len(truths) == 0 {
		s.None(s.none)
		s.Report.Metrics.Set("gt_dir", s.TruthFolder())
		return nil
	}
	d, err := s.Deliverable(s.deliverable)
	if err != nil {
		return err
	}
	if d.Err != "" {
		s.Missing(d, truths...)
		return nil
	}
	s.nPred = len(d.Files)
	s.pairing = s.pairFiles(truths, d.Files)
	s.pairingNotes()
	if len(s.pairing.pairs) == 0 {
		s.Zero("no file name of the answer fits a file name of the truth", truths...).
			Set("n_pred", s.nPred).Set("n_gt", len(truths)).Set("gt_dir", s.TruthFolder())
		return nil
	}
	wanted, err := s.choosePrimary()
	if err != nil {
		return err
	}
	if err := s.judge(); err != nil {
		return err
	}
	s.result(wanted)
	s.annotate()
	s.method()
	s.notes(wanted)
	return s.promptGains()
}

// choosePrimary takes the rubric's metric where it is one of the allowed; dice otherwise. It returns what the rubric says.
// The reference fails on a list and a mapping.
func (s *scorer) choosePrimary() (wanted any, err error) {
	wanted, given := s.Task.Rubric.Metric["primary_metric"]
	if !given {
		wanted = "dice"
	}
	switch wanted.(type) {
	case []any, map[string]any:
		return nil, errors.New("the rubric's primary_metric must be a name, found " + biabench.Describe(wanted))
	}
	s.primary = "dice"
	if name, ok := wanted.(string); ok && slices.Contains(s.primaries, name) {
		s.primary = name
	}
	return wanted, nil
}

// judge compares all pairs: planes several at a time, volumes one after the other, to bound the memory.
func (s *scorer) judge() error {
	s.rows = make([]row, len(s.pairing.pairs))
	var done atomic.Int64
	step := func(i int) (err error) {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("scoring failed: %v", p)
			}
			s.Progress(int(done.Add(1)), len(s.rows))
		}()
		s.rows[i] = row{pair: s.pairing.pairs[i]}
		if err := s.judgeOne(&s.rows[i]); err != nil {
			return fmt.Errorf("%s: %w", s.rows[i].key, err)
		}
		return nil
	}
	if !s.volumes {
		if err := parallel.Each(s.Ctx, len(s.rows), step); err != nil {
			return err
		}
	} else {
		for i := range s.rows {
			if err := step(i); err != nil {
				return err
			}
		}
	}
	for _, p := range s.pairing.missing {
		s.rows = append(s.rows, row{pair: p, status: report.MissingAnswer, reason: "no file of the answer pairs with it", measures: s.zeros()})
	}
	return nil
}

// zeros are the measures of an image that counts 0.
func (s *scorer) zeros() measures {
	m := measures{}
	for _, name := range s.metrics {
		m[name] = 0
	}
	return m
}

// judgeOne reads and compares one pair. The error is for what makes the reference fail as a whole.
func (s *scorer) judgeOne(r *row) error {
	pred, truth := s.loadPair(r)
	if err := s.Ctx.Err(); err != nil {
		return err
	}
	r.predNotes, r.truthNotes, r.predShape, r.truthShape = pred.notes, truth.notes, pred.shape, truth.shape
	switch {
	case truth.err != nil:
		r.status, r.truthGone, r.reason = report.Unreadable, true, "the truth cannot be read: "+call.Reason(truth.err)
		return nil
	case pred.err != nil:
		r.status, r.reason, r.measures = report.Unreadable, "the answer cannot be read: "+call.Reason(pred.err), s.zeros()
		return nil
	case !slices.Equal(pred.shape, truth.shape):
		r.status, r.reason = report.ShapeMismatch, "the answer is "+call.Shape(pred.shape)+", the truth "+call.Shape(truth.shape)
		return nil
	case pred.mask == nil || !s.volumes && len(pred.shape) != 2:
		return fmt.Errorf("masks of %s cannot be thinned", call.Shape(pred.shape))
	}
	r.status = report.Scored
	figures, lines, err := Compare(s.Ctx, pred.mask, truth.mask, len(pred.shape) == 3)
	if err != nil {
		return err
	}
	r.figures, r.measures = figures, figures.measures()
	var wg sync.WaitGroup
	wg.Go(func() { r.missed = Beyond(truth.mask, pred.mask, lines.Truth) })
	r.extra = Beyond(pred.mask, truth.mask, lines.Pred)
	wg.Wait()
	return nil
}

// loadPair reads both files: planes at the same time; volumes, whose planes are read at the same time anyway, one after
// the other, since each becomes far smaller as a mask.
func (s *scorer) loadPair(r *row) (pred, truth loaded) {
	if s.volumes {
		truth = load(s.Ctx, r.truth, true)
		return load(s.Ctx, r.pred, true), truth
	}
	done := make(chan loaded, 1)
	go func() { done <- load(s.Ctx, r.truth, false) }()
	pred = load(s.Ctx, r.pred, false)
	return pred, <-done
}

// mean averages a measure over the rows that have it; false if none has.
func (s *scorer) mean(metric string) (float64, bool) {
	var values []float64
	for _, r := range s.rows {
		if v, ok := r.value(metric); ok {
			values = append(values, v)
		}
	}
	return numeric.Mean(values), len(values) > 0
}

// value is a row's part in the mean of a metric; false for the reference's null and for rows that enter no mean.
func (r *row) value(metric string) (float64, bool) {
	if r.measures == nil {
		return 0, false
	}
	v := r.measures[metric]
	return v, !math.IsNaN(v)
}

// result fills the record of metrics (5.3).
func (s *scorer) result(wanted any) {
	value, _ := s.mean(s.primary)
	s.Report.Primary = s.primary
	s.Report.Result = report.Result{Value: numeric.Round4(value)}
	r := new(report.Record).Set("result_score", s.Report.Result.Value).Set("primary_metric", wanted)
	for _, name := range s.metrics {
		r.Set("mean_"+name, nil)
		if mean, ok := s.mean(name); ok {
			r.Set("mean_"+name, numeric.Round4(mean))
		}
	}
	rows := make([]*report.Record, len(s.rows))
	for i := range s.rows {
		rows[i] = s.rowRecord(&s.rows[i])
	}
	s.Report.Metrics = r.Set("n_paired", len(s.pairing.pairs)).Set("n_missing_predictions", len(s.pairing.missing)).
		Set("n_pred", s.nPred).Set("n_gt", len(s.pairing.truths)).Set(s.kind.rows, rows)
}

// rowRecord is one image in the record (5.2).
func (s *scorer) rowRecord(r *row) *report.Record {
	out := new(report.Record)
	name := r.key
	if name == "" {
		name = biabench.Stem(r.truth)
	}
	paths := func() { out.Set("pred_path", s.Shown(r.pred)).Set("gt_path", s.ShownTruth(r.truth)) }
	measured := func() {
		for _, metric := range s.metrics {
			if v := r.measures[metric]; math.IsNaN(v) {
				out.Set(metric, nil)
			} else {
				out.Set(metric, v)
			}
		}
	}
	switch r.status {
	case report.MissingAnswer:
		out.Set(s.key, name).Set("error", "missing prediction").Set("gt_path", s.ShownTruth(r.truth))
	case report.Unreadable:
		out.Set(s.key, name).Set("error", r.reason)
		paths()
		if !r.truthGone {
			measured()
		}
	case report.ShapeMismatch:
		out.Set("shape_mismatch", true).Set(s.key, name)
		paths()
	default:
		measured()
		out.Set("pred_"+s.many, r.figures.Pred).Set("gt_"+s.many, r.figures.Truth).Set("intersection_"+s.many, r.figures.Both).Set(s.key, name)
		paths()
	}
	return out
}

// title is what a user knows an image by.
func (r *row) title() string {
	if r.key != "" {
		return r.key
	}
	return biabench.Stem(r.truth)
}
