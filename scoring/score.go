// Package scoring judges a run of a task: Score gives a Report with a Result, the reference's Metrics record, Marks and
// Notes. A scorer is a pure function of opened inputs; it knows no window, no clock and no global state.
package scoring

import (
	"context"
	"errors"
	"fmt"

	"coverslip/datasets/biabench"
	"coverslip/scoring/line"
	"coverslip/scoring/point"
	"coverslip/scoring/report"
	"coverslip/scoring/segment"
	"coverslip/scoring/signal"
	"coverslip/scoring/table"
	"coverslip/scoring/track"
)

// The nouns of a report, under the package's own name.
type (
	Report = report.Report
	Result = report.Result
	Record = report.Record
	Mark   = report.Mark
	Image  = report.Image
	Note   = report.Note
	Kind   = report.Kind
)

// Progress is told how many of how many steps are done. It may be called from several goroutines.
type Progress func(done, total int)

// calculator scores the runs of one family of tasks. Both folders exist when it is called.
type calculator func(context.Context, *biabench.Task, *biabench.Run, func(done, total int)) (*report.Report, error)

// calculators by exact task id; a rubric's type plays no part (spec/scorers-segmentation-tracking.md).
var calculators = map[string]calculator{
	"he-nuinsseg-nuclear-segmentation":               segment.Single,
	"3d-fluo-cell-segmentation-lateral-line-idr0079": segment.Single,
	"fluo-helacytonuc-cell-segmentation":             segment.Compartments,
	"fluo-cell-counting-2d-cellfmcount":              point.Counting,
	"phase-contrast-bacteria-tracking-toiam":         track.Tracking,
	"sim-microtubules-segmentation":                  line.Filaments,
	"3d-light-sheet-brain-vessels":                   line.Vessels,
	"smlm-localization-dnapaint":                     signal.Localisations,
	"5D-npc-assembly-kinetics-idr0115":               signal.Kinetics,
	"confocal-mosaic-4channel-stitching-ctc-model":   signal.Mosaic,
	"wound-healing-speed-kymograph-gigadb100118":     signal.Kymographs,
	"3d-confocal-puncta-quantification-sbiad1556":    table.Puncta,
	"fluo-dna-repair-foci-colocalization-sbsst227":   table.Foci,
	"fluo-coronavirus-golgi-colocalization":          table.Golgi,
	"cytoplasm-nucleus-translocation-bbbc014":        table.Translocation,
	"microglia-phenotype-progression-bbbc054":        table.Microglia,
}

// withoutTruth are the tasks whose calculator is asked also where there is no truth folder.
var withoutTruth = map[string]bool{
	"confocal-mosaic-4channel-stitching-ctc-model": true,
	"fluo-coronavirus-golgi-colocalization":        true,
	"cytoplasm-nucleus-translocation-bbbc014":      true,
}

// Score scores a run with the calculator of the task's exact id. An unknown id and inputs that the reference chokes on
// give a Report whose Result is None; the error is for what stops scoring altogether (cancelled, task unreadable).
func Score(ctx context.Context, task *biabench.Task, run *biabench.Run, progress Progress) (result *Report, err error) {
	if task == nil || run == nil {
		return nil, errors.New("scoring needs a task and a run")
	}
	defer func() {
		if p := recover(); p != nil {
			text := fmt.Sprintf("scoring failed: %v", p)
			result, err = ended(task, Result{None: true, Reason: text}, new(Record).Set("error", text)), nil
		}
		if result != nil {
			addNotes(result, task, run)
		}
	}()
	calculate, known := calculators[task.Spec.TaskID]
	switch {
	case !known:
		text := "there is no scorer for the task id '" + task.Spec.TaskID + "'"
		return ended(task, Result{None: true, Reason: text}, new(Record)), nil
	case !biabench.IsFolder(run.Dir):
		text := "the prediction folder does not exist"
		return ended(task, Result{Reason: text}, new(Record).Set("result_score", 0.0).Set("error", text)), nil
	case !biabench.IsFolder(task.Truth) && !withoutTruth[task.Spec.TaskID]:
		text := "the task has no evaluation folder, so there is no truth to compare with"
		return ended(task, Result{None: true, Reason: text}, new(Record).Set("result_score", nil).Set("note", text)), nil
	}
	return calculate(ctx, task, run, progress)
}

// ended is a report that no calculator was needed for.
func ended(task *biabench.Task, result Result, metrics *Record) *Report {
	r := &Report{TaskID: task.Spec.TaskID, Result: result, Threshold: task.Rubric.Threshold, Metrics: metrics}
	if task.RubricErr != nil {
		r.Threshold = 0.5
	}
	return r
}
