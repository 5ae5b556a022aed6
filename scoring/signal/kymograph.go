package signal

import (
	"context"
	"path/filepath"
	"sync/atomic"

	"coverslip/datasets/biabench"
	"coverslip/datasets/raster/parallel"
	"coverslip/scoring/call"
	"coverslip/scoring/numeric"
	"coverslip/scoring/report"
)

// Kymographs scores speed kymographs (rows: distance bands from the wound's edge, columns: time) and velocity fields
// (Y X, x to the right, y down) of several experiments (spec/scorers-signals.md 5). progress is told of the experiments; nil
// is allowed. The error is for a cancelled context; whatever is wrong with the inputs is in the report.
func Kymographs(ctx context.Context, task *biabench.Task, run *biabench.Run, progress func(done, total int)) (*report.Report, error) {
	return score(ctx, task, run, progress, (*scorer).kymographs)
}

// kymographParts are the four parts of the score, in the order of the record, with their weights in the rubric.
type kymographParts struct{ accuracy, pattern, direction, completeness float64 }

func (p kymographParts) times(w kymographParts) float64 {
	return float64(w.accuracy*p.accuracy) + float64(w.pattern*p.pattern) + float64(w.direction*p.direction) + float64(w.completeness*p.completeness)
}

func (s *scorer) kymographWeights() (w kymographParts, err error) {
	for _, f := range []struct {
		key string
		to  *float64
	}{
		{"kymograph_accuracy_weight", &w.accuracy}, {"spatial_pattern_weight", &w.pattern},
		{"velocity_direction_weight", &w.direction}, {"deliverable_completeness_weight", &w.completeness},
	} {
		if *f.to, err = s.config.needed(f.key); err != nil {
			return w, err
		}
	}
	return w, nil
}

// experiment is all that is known of one experiment.
type experiment struct {
	key      string
	truth    string // file of the truth's kymograph
	answer   string // file of the answer's, or ""
	speed    kymographs
	complete [3]bool // velocity x, velocity y, kymograph
	reasons  [3]string
	flow     flow
	ratio    float64             // median of answer / truth, NaN if unknown
	notes    map[string][]string // on the answer's files
}

func (s *scorer) kymographs() error {
	truth := indexFiles(filesBelow(s.Task.Truth, matches("*.tif*")))
	keys := truth.experiments(kymographKind)
	if len(keys) == 0 {
		s.None("the evaluation folder holds no kymograph (<experiment>_speedKymograph.tif)")
		return nil
	}
	var truths []string
	for _, k := range keys {
		truths = append(truths, truth[kymographKind][k])
	}
	answer := indexed{}
	for _, part := range []struct{ id, kind string }{{"speed_kymograph", kymographKind}, {"velocity_x", xKind}, {"velocity_y", yKind}} {
		d, err := s.Deliverable(part.id)
		if err != nil {
			return err
		}
		if d.Err != "" && part.kind == kymographKind {
			s.Missing(d, truths...)
			return nil
		}
		answer[part.kind] = indexFiles(d.Files)[part.kind]
	}
	if len(answer[kymographKind]) == 0 {
		s.Zero("no file of the answer is named <experiment>_speedKymograph.tif", truths...).Set("key_match", keyMatch(nil, keys, nil))
		return nil
	}
	masks := indexFiles(filesBelow(filepath.Join(s.Task.Dir, biabench.InputFolder), matches("*_roi.tif*")))
	experiments := make([]experiment, len(keys))
	var done atomic.Int64
	if err := parallel.Each(s.Ctx, len(keys), func(i int) error {
		experiments[i] = judgeExperiment(s.Ctx, keys[i], truth, answer, masks)
		s.Progress(int(done.Add(1)), len(keys))
		return nil
	}); err != nil {
		return err
	}
	return s.kymographReport(experiments, answer.experiments(kymographKind), keys)
}

// judgeExperiment reads and compares the files of one experiment.
func judgeExperiment(ctx context.Context, key string, truth, answer, masks indexed) experiment {
	e := experiment{key: key, truth: truth[kymographKind][key], answer: answer[kymographKind][key], notes: map[string][]string{}}
	answers := [3]field{}
	for i, kind := range []string{xKind, yKind, kymographKind} {
		f := loadField(ctx, answer[kind][key])
		answers[i], e.notes[f.file] = f, f.notes
		switch {
		case f.file == "":
			e.reasons[i] = "there is no file"
		case f.err != nil:
			e.reasons[i] = f.name() + " cannot be read: " + call.Reason(f.err)
		case !f.plane():
			e.reasons[i] = f.name() + " is no plane, its shape is " + call.Shape(f.shape)
		case !f.allFinite():
			e.reasons[i] = f.name() + " holds values that are not finite"
		default:
			e.complete[i] = true
		}
	}
	reference := loadField(ctx, e.truth)
	e.speed = compareKymographs(answers[2], reference)
	e.ratio = medianRatio(answers[2], reference)
	mask := loadMask(ctx, masks[maskKind][key])
	e.flow = compareFlow(mask, [2]field{loadField(ctx, truth[xKind][key]), loadField(ctx, truth[yKind][key])}, [2]field{answers[0], answers[1]})
	return e
}

func (s *scorer) kymographReport(experiments []experiment, answers, keys []string) error {
	w, err := s.kymographWeights()
	if err != nil {
		return err
	}
	n := float64(len(experiments))
	var sum kymographParts
	var rs, nrmses []float64
	var matched []string
	present := 0
	perExperiment, completeness, direction := new(report.Record), new(report.Record), new(report.Record)
	for _, e := range experiments {
		k := e.speed
		sum.accuracy += k.score
		sum.pattern += k.patternScore()
		if v := e.flow.score(); v == v {
			sum.direction += v
		}
		if k.matched {
			matched = append(matched, e.key)
		}
		if k.r == k.r {
			rs = append(rs, k.r)
		}
		if k.status == statusScored {
			nrmses = append(nrmses, k.nrmseScore())
		}
		for _, ok := range e.complete {
			if ok {
				present++
			}
		}
		perExperiment.Set(e.key, k.record())
		completeness.Set(e.key, new(report.Record).Set(xKind, e.complete[0]).Set(yKind, e.complete[1]).Set("speedKymograph", e.complete[2]))
		direction.Set(e.key, null(numeric.Round4(e.flow.score())))
	}
	parts := kymographParts{sum.accuracy / n, sum.pattern / n, sum.direction / n, float64(present) / float64(3*len(experiments))}
	value, round := parts.times(w), numeric.Round4
	s.Report.Metrics = new(report.Record).Set("result_score", round(value)).Set("kymograph_accuracy", round(parts.accuracy)).
		Set("mean_kymograph_pearson", meanOrNull(rs)).Set("mean_kymograph_nrmse_score", meanOrNull(nrmses)).
		Set("spatial_pattern_fraction", round(parts.pattern)).Set("velocity_direction_fraction", round(parts.direction)).
		Set("deliverable_completeness", round(parts.completeness)).Set("n_experiments_reference", len(experiments)).
		Set("n_experiments_scored", len(matched)).Set("n_deliverables_present", present).Set("n_deliverables_required", 3*len(experiments)).
		Set("per_experiment", perExperiment).Set("completeness_detail", completeness).Set("direction_detail", direction).
		Set("key_match", keyMatch(answers, keys, matched))
	for i, e := range experiments {
		s.experimentMarks(i, e, w, n)
	}
	s.result(value, round(value), "result_score")
	s.kymographMethod(w, parts, value, len(experiments))
	s.kymographNotes(experiments, answers)
	return s.closing()
}
