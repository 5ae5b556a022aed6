package signal

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"coverslip/datasets/biabench"
	"coverslip/scoring/call"
	"coverslip/scoring/numeric"
	"coverslip/scoring/report"
)

// referenceTable is the truth's table of means.
const referenceTable = "reference_table_1.csv"

// Mosaic scores a stitched image of several channels and planes by its size and its profiles along x, and a table of means
// of two cell populations (spec/scorers-signals.md 4). The truth folder may be absent: then the score is 0. progress is told of
// the images; nil is allowed. The error is for a cancelled context; whatever is wrong with the inputs is in the report.
func Mosaic(ctx context.Context, task *biabench.Task, run *biabench.Run, progress func(done, total int)) (*report.Report, error) {
	return score(ctx, task, run, progress, (*scorer).mosaic)
}

// mosaicFiles are the files of a run and the truth.
type mosaicFiles struct{ image, summary, cells, truth string }

// mosaicJudgement is everything that the record and the marks are made of.
type mosaicJudgement struct {
	files      mosaicFiles
	rubric     mosaicRubric
	reference  reference
	summary    summary
	means      means // the answer's, from the summary or from the table of cells
	derived    bool
	stitching  *stitching // nil without a readable image of the truth
	truthErr   error
	wanted     []wanted
	directions []direction
	alignment  float64
	value      float64
}

func (s *scorer) mosaic() error {
	j := &mosaicJudgement{}
	for _, d := range []struct {
		id string
		to *string
	}{{"stitched_image", &j.files.image}, {"summary_statistics", &j.files.summary}} {
		found, err := s.Deliverable(d.id)
		if err != nil {
			return err
		}
		if found.Err != "" {
			s.Missing(found)
			return nil
		}
		if len(found.Files) == 0 {
			return fmt.Errorf("the spec does not require the deliverable '%s', and the reference fails without it", d.id)
		}
		*d.to = found.Files[0]
	}
	if ok, err := s.readTables(j); !ok || err != nil {
		return err
	}
	var err error
	if j.rubric, err = s.mosaicRubric(); err != nil {
		return err
	}
	if err := s.judgeStitching(j); err != nil {
		return err
	}
	j.wanted = j.rubric.wanted
	sum := 0.0
	for i := range j.wanted {
		j.wanted[i].align(j.reference.means, j.means)
		sum += j.wanted[i].score
	}
	if len(j.wanted) > 0 {
		j.alignment = sum / float64(len(j.wanted))
	}
	j.directions = directions(j.reference.means, j.means)
	j.value = j.alignment
	if j.stitching != nil {
		j.value = float64(j.rubric.stitching*j.stitching.quality()) + float64(j.rubric.alignment*j.alignment)
	}
	s.mosaicReport(j)
	return nil
}

// readTables reads the truth's and the answer's table; ok is false where the score ends at 0.
func (s *scorer) readTables(j *mosaicJudgement) (ok bool, err error) {
	table := filepath.Join(s.Task.Truth, referenceTable)
	if info, statErr := os.Stat(table); s.Task.Truth != "" && statErr == nil && info.Mode().IsRegular() {
		if j.reference, err = readReference(table); err != nil {
			return false, err
		}
	}
	if len(j.reference.means) == 0 {
		s.Zero("the evaluation folder has no " + referenceTable + " with usable rows")
		return false, nil
	}
	if j.summary, err = readSummary(j.files.summary); err != nil {
		s.Zero("the summary table cannot be read: "+call.Reason(err), table)
		return false, nil
	}
	j.means = j.summary.means
	cells, err := s.Deliverable("per_cell_features")
	if err != nil {
		return false, err
	}
	if len(cells.Files) == 0 || cells.Err != "" {
		return true, nil
	}
	j.files.cells = cells.Files[0]
	if len(j.means.both()) > 0 {
		return true, nil
	}
	derived, err := readCells(j.files.cells)
	if err == nil && len(derived.both()) > 0 {
		j.means, j.derived = derived, true
	}
	return true, err
}

// judgeStitching reads both images.
func (s *scorer) judgeStitching(j *mosaicJudgement) error {
	images := filesBelow(s.Task.Truth, func(name string) bool {
		switch strings.ToLower(filepath.Ext(name)) {
		case ".lsm", ".tif", ".tiff":
			return true
		}
		return false
	})
	if len(images) == 0 {
		return nil
	}
	j.files.truth = images[0]
	truth, err := readStack(s.Ctx, images[0], j.rubric.band)
	if ctxErr := s.Ctx.Err(); ctxErr != nil {
		return ctxErr
	}
	if err != nil {
		j.truthErr = err
		return nil
	}
	s.Progress(1, 2)
	t := &stitching{truth: &truth, channels: j.rubric.channels, planes: j.rubric.planes, tolerance: j.rubric.tolerance}
	answer, err := readStack(s.Ctx, j.files.image, j.rubric.band)
	if ctxErr := s.Ctx.Err(); ctxErr != nil {
		return ctxErr
	}
	if t.answerErr = err; err == nil {
		t.answer = &answer
	}
	t.compare()
	j.stitching = t
	s.Progress(2, 2)
	return nil
}

// mosaicRubric are the rubric's settings.
type mosaicRubric struct {
	stitching, alignment, tolerance float64
	channels, planes, band          int
	wanted                          []wanted
}

func (s *scorer) mosaicRubric() (r mosaicRubric, err error) {
	for _, f := range []struct {
		key      string
		fallback float64
		to       *float64
	}{{"stitching_weight", 0.7, &r.stitching}, {"feature_alignment_weight", 0.3, &r.alignment}, {"xy_tolerance_px", 20, &r.tolerance}} {
		if *f.to, err = s.config.float(f.key, f.fallback); err != nil {
			return r, err
		}
	}
	for _, f := range []struct {
		key      string
		fallback int
		to       *int
	}{{"expected_channels", 4, &r.channels}, {"expected_z_slices", 3, &r.planes}, {"profile_band_height_px", 100, &r.band}} {
		if *f.to, err = s.config.whole(f.key, f.fallback); err != nil {
			return r, err
		}
	}
	if r.channels > 1<<16 {
		return r, fmt.Errorf("the rubric expects %d channels", r.channels)
	}
	r.wanted, err = s.wantedMeans()
	return r, err
}

// wantedMeans are the rubric's features times its populations.
func (s *scorer) wantedMeans() ([]wanted, error) {
	features := []wanted{{channel: "Bodipy", feature: "Sigma"}, {channel: "DAPI", feature: "r"}, {channel: "CD45", feature: "rf"}}
	if v := s.config.values["feature_alignment_features"]; !falsy(v) {
		list, ok := v.([]any)
		if !ok {
			return nil, fmt.Errorf("the rubric's feature_alignment_features is no list")
		}
		features = nil
		for _, item := range list {
			m, ok := item.(map[string]any)
			if !ok || m["channel"] == nil || m["feature"] == nil {
				return nil, fmt.Errorf("the rubric's feature_alignment_features holds an entry without channel and feature")
			}
			features = append(features, wanted{channel: biabench.KeyText(m["channel"]), feature: biabench.KeyText(m["feature"])})
		}
	}
	populations := []string{populationWBC, populationMCF7}
	if v := s.config.values["feature_alignment_populations"]; !falsy(v) {
		list, ok := v.([]any)
		if !ok {
			return nil, fmt.Errorf("the rubric's feature_alignment_populations is no list")
		}
		populations = nil
		for _, item := range list {
			populations = append(populations, biabench.KeyText(item))
		}
	}
	var out []wanted
	for _, f := range features {
		for _, p := range populations {
			f.population = p
			out = append(out, f)
		}
	}
	return out, nil
}

// mosaicReport writes the record, then the marks.
func (s *scorer) mosaicReport(j *mosaicJudgement) {
	round := numeric.Round4
	detail := new(report.Record).Set("reference_image", nil)
	if j.files.truth != "" {
		detail.Set("reference_image", s.ShownTruth(j.files.truth))
	}
	var quality any
	switch t := j.stitching; {
	case t != nil:
		quality = round(t.quality())
		if text := t.answerText(); text != "" {
			detail.Set("agent_image_error", text)
		}
		t.record(detail, j.rubric.band)
	case j.truthErr != nil:
		detail.Set("error", "the truth's mosaic cannot be read: "+call.Reason(j.truthErr))
	default:
		detail.Set("error", "the evaluation folder holds no mosaic: the means alone count")
	}
	alignment, perFeature := new(report.Record), new(report.Record)
	for _, w := range j.wanted {
		alignment.Set(w.key(), w.record())
	}
	correct := 0
	var matched []string
	for _, d := range j.directions {
		if d.correct {
			correct++
		}
		perFeature.Set(d.feature.channel+"_"+d.feature.name, d.record())
		matched = append(matched, d.feature.channel+"/"+d.feature.name)
	}
	source := "summary_statistics"
	if j.derived {
		source = "per_cell_features (derived)"
	}
	r := new(report.Record).Set("result_score", round(j.value)).Set("primary_metric", "weighted_score").Set("weighted_score", round(j.value)).
		Set("stitching_quality", quality).Set("stitching_detail", detail).Set("feature_alignment", round(j.alignment)).
		Set("feature_alignment_detail", alignment).
		Set("direction_agreement", round(float64(correct)/float64(len(j.reference.means)))).Set("n_features_scored", len(j.directions)).
		Set("n_features_reference", len(j.reference.means)).Set("n_features_correct", correct).Set("per_feature", perFeature).
		Set("summary_source", source).Set("summary_csv", s.Shown(j.files.summary)).Set("stitched_image", s.Shown(j.files.image)).
		Set("key_match", keyMatch(featureKeys(j.means.both()), featureKeys(j.reference.means.both()), matched))
	if len(j.directions) == 0 {
		r.Set("note", "no feature that the answer reports for both populations is in the truth's table")
	}
	if rho, n := effectSizes(j.reference, j.means); rho == rho {
		r.Set("effect_size", new(report.Record).Set("effect_size_spearman", round(rho)).Set("n_features", n))
	}
	s.Report.Metrics = r.Set("per_cell_features_present", j.files.cells != "")
	s.mosaicMarks(j)
	s.result(j.value, round(j.value), "weighted_score")
	s.mosaicMethod(j)
	s.mosaicNotes(j)
}

func featureKeys(list []feature) []string {
	var out []string
	for _, f := range list {
		out = append(out, f.channel+"/"+f.name)
	}
	return out
}
