package scoring

import (
	"context"
	"errors"
	"fmt"

	"coverslip/datasets/biabench"
	"coverslip/scoring/line"
	"coverslip/scoring/point"
	"coverslip/scoring/report"
	"coverslip/scoring/signal"
	"coverslip/scoring/table"
	"coverslip/scoring/track"
)

// exhibitor fills an exhibit for one row of a report, -1 for the whole run.
type exhibitor func(ctx context.Context, task *biabench.Task, run *biabench.Run, rep *report.Report, row int) (*report.Exhibit, error)

// exhibitors by exact task id. Tasks whose answers are label images have none: their files are drawn as they are.
var exhibitors = map[string]exhibitor{
	"fluo-cell-counting-2d-cellfmcount":            point.CountingExhibit,
	"phase-contrast-bacteria-tracking-toiam":       track.TrackingExhibit,
	"sim-microtubules-segmentation":                line.FilamentsExhibit,
	"3d-light-sheet-brain-vessels":                 line.VesselsExhibit,
	"smlm-localization-dnapaint":                   signal.LocalisationsExhibit,
	"5D-npc-assembly-kinetics-idr0115":             signal.KineticsExhibit,
	"confocal-mosaic-4channel-stitching-ctc-model": signal.MosaicExhibit,
	"wound-healing-speed-kymograph-gigadb100118":   signal.KymographsExhibit,
	"3d-confocal-puncta-quantification-sbiad1556":  table.PunctaExhibit,
	"fluo-dna-repair-foci-colocalization-sbsst227": table.FociExhibit,
	"fluo-coronavirus-golgi-colocalization":        table.GolgiExhibit,
	"cytoplasm-nucleus-translocation-bbbc014":      table.TranslocationExhibit,
	"microglia-phenotype-progression-bbbc054":      table.MicrogliaExhibit,
}

// Exhibit reads the files of one row of a report again, for somebody who looks at it; row -1 is the whole run. What cannot be
// read is left out with a note, so that a broken answer still shows the truth. The error is for what stops looking altogether:
// cancelled, no such row. Reading takes as long as scoring does; call it off the thread that draws.
func Exhibit(ctx context.Context, task *biabench.Task, run *biabench.Run, rep *Report, row int) (x *report.Exhibit, err error) {
	if task == nil || run == nil || rep == nil {
		return nil, errors.New("an exhibit needs a task, a run and its report")
	}
	if row < -1 || row >= len(rep.Images) {
		return nil, fmt.Errorf("row %d of a report that has %d", row, len(rep.Images))
	}
	defer func() {
		if p := recover(); p != nil {
			x, err = &report.Exhibit{}, nil
			x.Warn("", fmt.Sprintf("This cannot be shown: %v", p))
		}
	}()
	show, known := exhibitors[task.Spec.TaskID]
	if !known {
		return &report.Exhibit{}, ctx.Err()
	}
	return show(ctx, task, run, rep, row)
}

// HasExhibit tells whether there is more to look at in a task's rows than label images.
func HasExhibit(taskID string) bool { return exhibitors[taskID] != nil }
