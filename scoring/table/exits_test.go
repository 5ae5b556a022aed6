package table

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coverslip/scoring/call"
	"coverslip/scoring/report"
)

// Each task's ends and quirks: what the record holds, and what the notes say.
func TestExitsAndNotes(t *testing.T) {
	const (
		quants = quantsHeader + "\n08172023_ZR_WT,a.tif,1,1,1,3\n"
		truth  = truthHeader + "\nwt,a.tif,1,1,1,3,1000,0.845\nwt,a.tif,1,90,1,1,1000,0.845\n"
		blocks = "siControl,,si53BP1,\nx,Start normalized,x,Start normalized\n1,0.1,1,0.2\n1,0.3,1,0.4\n"
		wells  = "well,cell_type,dose,mean_nuc_over_cyto_ratio\n"
	)
	annotation := annotationHeader + "\n0,0,1,1,round\n1,1,1,1,round\n"
	for _, c := range []struct {
		name, id string
		files    map[string]string
		rubric   string   // replaces the task's, "" to keep it
		value    float64  // NaN for none
		keys     string   // of the record, "" not looked at
		notes    []string // parts of the notes
	}{
		{"no table", punctaTask, map[string]string{"evaluation/cell_quants.csv": truth}, "", 0, "result_score error missing_deliverable", nil},
		{"no truth table", punctaTask, map[string]string{"pred/cell_quants.csv": quants}, "", 0, "result_score error", nil},
		{"no common condition", punctaTask, map[string]string{"pred/cell_quants.csv": strings.ReplaceAll(quants, "08172023_ZR_WT", "mock"), "evaluation/cell_quants.csv": truth}, "", 0,
			"result_score error pred_conditions gt_conditions key_match", []string{"named “mock”, the truth has “wt”"}},
		{"no threshold", punctaTask, map[string]string{"pred/cell_quants.csv": quants, "evaluation/cell_quants.csv": truth}, "metric_config: {type: quality}\n", math.NaN(), "error", nil},
		{"text threshold", punctaTask, map[string]string{"pred/cell_quants.csv": quants, "evaluation/cell_quants.csv": truth}, "metric_config: {nucleus_match_threshold_um: ' 5.0 '}\n", 0.75, "", nil},
		{"null threshold", punctaTask, map[string]string{"pred/cell_quants.csv": quants, "evaluation/cell_quants.csv": truth}, "metric_config: {nucleus_match_threshold_um: null}\n", math.NaN(), "error", nil},
		{"overflow", punctaTask, map[string]string{"pred/cell_quants.csv": quants + "wt,a.tif,1e200,1,1,0\n", "evaluation/cell_quants.csv": truth}, "", math.NaN(), "error", nil},
		{"other image name", punctaTask, map[string]string{"pred/cell_quants.csv": strings.ReplaceAll(quants, "a.tif", "b.png"), "evaluation/cell_quants.csv": truth}, "", 0, "", []string{"This costs twice"}},
		{"NaN count", punctaTask, map[string]string{"pred/cell_quants.csv": quants + "wt,a.tif,1,90,1,nan\n", "evaluation/cell_quants.csv": truth}, "", 0, "", []string{"NaN or infinite"}},
		{"no row", fociTask, map[string]string{"pred/coloc_results.csv": "condition,start_normalized\nsiControl,\"0,5\"\n", "evaluation/coloc_results.csv": blocks}, "", 0,
			"result_score error pred_csv key_match", []string{"1 row was left out, the first is row 2"}},
		{"no block", fociTask, map[string]string{"pred/coloc_results.csv": "condition,start_normalized\n", "evaluation/coloc_results.csv": "a\n"}, "", 0, "result_score error gt_csv", nil},
		{"no condition", fociTask, map[string]string{"pred/coloc_results.csv": "condition,start_normalized\nmock,0.5\n", "evaluation/coloc_results.csv": blocks}, "", 0,
			"result_score error ref_conditions pred_conditions key_match", []string{"named “mock”"}},
		{"minutes", fociTask, map[string]string{"pred/coloc_results.csv": "condition,start_normalized\nsicontrol,50\nsicontrol,60\n", "evaluation/coloc_results.csv": blocks}, "", 0, "", []string{"outside 0 to 1"}},
		{"no comparisons", golgiTask, map[string]string{"pred/a.csv": "a\n"}, "metric_config: {comparisons: []}\n", math.NaN(), "result_score note", nil},
		{"bad comparisons", golgiTask, map[string]string{"pred/a.csv": "a\n"}, "metric_config: {comparisons: [{left: a}]}\n", math.NaN(), "error", nil},
		{"nothing to read comes first", golgiTask, nil, "metric_config: {comparisons: [{left: a}]}\n", 0, "result_score error pred_dir", nil},
		{"any table is one", golgiTask, map[string]string{"pred/a.csv": "a\n"}, "", 0, "", []string{"No column of conditions"}},
		{"two bare columns", golgiTask, map[string]string{"pred/a.csv": "Stage 2,0.5\nStage 1,0.2\nControl,0.1\n"}, "", 0.7/3 + 0.3/2, "", nil},
		{"no level", golgiTask, map[string]string{"pred/a.csv": "a\n"}, "metric_config: {comparisons: [{left: a, right: b, alpha: null}]}\n", math.NaN(), "error", nil},
		{"no ordering", golgiTask, map[string]string{"pred/colocalization_results.csv": "condition,rho\na,0.5\nb,0.5\n"}, "metric_config: {comparisons: [{left: a, right: b}]}\n", 1, "", nil},
		{"other letter case", translocationTask, map[string]string{"pred/per_well_summary.csv": "Well,Cell_type,Dose,Mean_nuc_over_cyto_ratio\nA01,x,1,1\n"}, "", 0, "result_score error summary_csv", []string{"“Dose” is not read"}},
		{"long row", translocationTask, map[string]string{"pred/per_well_summary.csv": wells + "A01,x,1,1,1\n"}, "", 0, "result_score error", nil},
		{"wells off the plate", translocationTask, map[string]string{"pred/per_well_summary.csv": wells + "Z99,x,0,1\nA1,x,1,2\nA01,X,1,2\n"}, "", 0.1666, "", []string{"count as two"}},
		{"bad tolerance", translocationTask, map[string]string{"pred/per_well_summary.csv": wells + "A01,x,0,1\n"}, "metric_config: {replicate_cv_tolerance: much}\n", math.NaN(), "error", nil},
		{"no cells", microgliaTask, map[string]string{"pred/cell_labels.csv": "frame,y\n1,2\n", "evaluation/Replicate1annotation.csv": annotation}, "", 0, "result_score error pred_csv", []string{"The columns are “frame”, “y”"}},
		{"no annotation", microgliaTask, map[string]string{"pred/cell_labels.csv": labelsHeader + "\n0,1,1,round\n", "evaluation/ANNOTATION.csv": annotationHeader + "\n"}, "", math.NaN(), "result_score note", nil},
		{"empty annotation", microgliaTask, map[string]string{"pred/cell_labels.csv": labelsHeader + "\n0,1,1,round\n", "evaluation/my_annotation_2.csv": annotationHeader + "\n"}, "", 0, "result_score error gt_csv", nil},
		{"infinite frame", microgliaTask, map[string]string{"pred/cell_labels.csv": labelsHeader + "\n-inf,1,1,round\n", "evaluation/Replicate1annotation.csv": annotation}, "", 0, "result_score error", nil},
		{"frames from 1", microgliaTask, map[string]string{"pred/cell_labels.csv": labelsHeader + "\n1,1,1,blob\n2,1,1,round\n", "evaluation/Replicate1annotation.csv": annotation}, "", 0.1667, "",
			[]string{"“blob”", "1 frame of the answer is not in the annotation"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := taskFolder(t, c.id, c.files)
			if c.rubric != "" {
				write(t, filepath.Join(dir, "evaluation_rubric.yaml"), c.rubric)
			}
			r := judge(t, dir).Report
			if math.IsNaN(c.value) != r.Result.None || !r.Result.None && math.Abs(r.Result.Value-c.value) > 5e-5 {
				t.Errorf("result %+v, want %v", r.Result, c.value)
			}
			if got := strings.Join(r.Metrics.Keys(), " "); c.keys != "" && got != c.keys {
				t.Errorf("fields %q, want %q", got, c.keys)
			}
			if c.keys != "" && r.Result.Reason == "" {
				t.Error("no reason")
			}
			for _, part := range c.notes {
				if !strings.Contains(notesText(r), part) {
					t.Errorf("no note with %q in\n%s", part, notesText(r))
				}
			}
			checkReport(t, r)
		})
	}
}

// p-values in texts (spec/scorers-tables.md 4.6): what counts as one, and which comes first.
func TestPValuesInTexts(t *testing.T) {
	for _, c := range []struct {
		name string
		text map[string]string
		want float64 // NaN for none
	}{
		{"prose", map[string]string{"a.md": "CONTROL against Stage 1: P value = 3E-2, fine"}, 0.03},
		{"full stop after the number", map[string]string{"a.md": "Control and Stage 1: p-value: 0.03."}, math.NaN()},
		{"next line", map[string]string{"a.log": "Control and Stage 1: p-value: 0.03.\nControl, Stage 1, p value 0.1 pvalue: 0.04 end"}, 0.04},
		{"needs both names", map[string]string{"a.txt": "Control: p-value: 0.03\nStage 1"}, math.NaN()},
		{"a row", map[string]string{"a.txt": "Control\tStage 1\t.5e-1xyz"}, 0.05},
		{"a row the other way round", map[string]string{"a.txt": "Stage 1 \u00a0Control -2"}, -2},
		{"commas are no blanks", map[string]string{"a.csv": "Control,Stage 1,0.05"}, math.NaN()},
		{"names as in the rubric", map[string]string{"a.txt": "Control Stage  1 0.05"}, math.NaN()},
		{"prose before rows, files in walking order", map[string]string{"z/b.txt": "Control Stage 1 p-value: 0.2", "a/b.txt": "Control Stage 1 0.1"}, 0.2},
		{"files before folders", map[string]string{"z.txt": "Control Stage 1 0.2", "a/b.txt": "Control Stage 1 0.1"}, 0.2},
		{"supporting ones count", map[string]string{"supporting/b.MD": "Control Stage 1 0.1"}, 0.1},
		{"other suffixes do not", map[string]string{"b.rst": "Control Stage 1 0.1", ".txt": "Control Stage 1 0.1"}, math.NaN()},
		{"a line may end in other ways", map[string]string{"b.txt": "Control Stage 1\u2028p-value: 0.3\vControl Stage 1 0.1"}, 0.1},
		{"digits of another script", map[string]string{"b.txt": "Control Stage 1 \u0660.\u0661"}, 0.1},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := map[string]string{"pred/colocalization_results.csv": "x\n"}
			for name, text := range c.text {
				files["pred/"+name] = text
			}
			r := judge(t, taskFolder(t, golgiTask, files)).Report
			m := r.Marks[0] // Control against Stage 1
			if math.IsNaN(c.want) {
				if m.Kind != report.MissingValue {
					t.Errorf("found %v in %q", m.Found, c.text)
				}
			} else if m.Kind == report.MissingValue || m.Found != c.want {
				t.Errorf("%+v, want %v", m, c.want)
			}
		})
	}
}

// Which condition of the answer is taken for which of the reference.
func TestAlign(t *testing.T) {
	for _, c := range []struct {
		name, ref, pred, want, open string
	}{
		{"equal in normal form", "si Control|si53BP1", "SI53bp1|SICONTROL", "si Control=SICONTROL si53BP1=SI53bp1", ""},
		{"equal before containing", "siControl", "siControl rep1|sicontrol", "siControl=sicontrol", ""},
		{"contained", "siControl", "x|si", "siControl=si", ""},
		{"a candidate that is taken is not replaced by a second one", "siControl|siControl2", "sicontrol|control2x", "siControl=sicontrol siControl2=control2x", ""},
		{"taken, and no class left", "a|ab", "a|abc", "a=a", "ab"},
		{"by class", "siControl|si53BP1", "untreated|my control", "siControl=my control si53BP1=untreated", ""},
		{"no class", "x|y", "control|treated", "", "x|y"},
	} {
		f := &foci{truth: &onsets{names: strings.Split(c.ref, "|")}, pred: &onsets{names: strings.Split(c.pred, "|")}}
		f.align()
		var pairs []string
		for _, a := range f.pairs {
			pairs = append(pairs, a.ref+"="+a.pred)
		}
		if got := strings.Join(pairs, " "); got != c.want || strings.Join(f.open, "|") != c.open {
			t.Errorf("%s: %q, open %q", c.name, got, f.open)
		}
	}
}

// The control is dose 0 where there is one, else the lowest.
func TestControlDose(t *testing.T) {
	for _, c := range []struct {
		doses            string
		control, treated float64
	}{{"-1 0 5", 0, 5}, {"2 1 5", 1, 5}, {"-3 -1 0", math.NaN(), math.NaN()}, {"-0 -1 2", 0, 2}, {"4", math.NaN(), math.NaN()}} {
		rows := []string{}
		for i, d := range strings.Fields(c.doses) {
			rows = append(rows, fmt.Sprintf("A%d,x,%s,%d", i+1, d, i+1))
		}
		dir := taskFolder(t, translocationTask, map[string]string{"pred/per_well_summary.csv": csv("well,cell_type,dose,mean_nuc_over_cyto_ratio", rows)})
		tr := &translocation{}
		judgeWith(t, dir, func(k *call.Call) error { tr.Call = k; return tr.score() })
		if got := tr.types[0]; fmt.Sprint(got.control, got.treated) != fmt.Sprint(c.control, c.treated) {
			t.Errorf("doses %s: %v and %v, want %v and %v", c.doses, got.control, got.treated, c.control, c.treated)
		}
	}
}

// Canonical names of puncta.
func TestCanonicalNames(t *testing.T) {
	for in, want := range map[string]string{"08172023_ZR_3DBDmut": "3dbdmut", " H144A wt": "c129a_h144a", "growth": "wt", "Group-Ä 1": "group1", "": "", "×": ""} {
		if got := canonicalCondition(in); got != want {
			t.Errorf("condition %q: %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{`C:\a\x y - Position 1.TIF_trimmed.tif`: "xyposition1", "a/b.ome.tiff": "bome", "b.png": "bpng", "_trimmed.tif": "", "x.tifff": "xf", "dir/": ""} {
		if got := canonicalImage(in); got != want {
			t.Errorf("image %q: %q, want %q", in, got, want)
		}
	}
}

// No table makes a calculator panic or gives a number that is none.
func FuzzTables(f *testing.F) {
	ids := []string{punctaTask, fociTask, golgiTask, translocationTask, microgliaTask}
	names := [][2]string{{"cell_quants.csv", "cell_quants.csv"}, {"coloc_results.csv", "coloc_results.csv"}, {"colocalization_results.csv", "x.csv"},
		{"per_well_summary.csv", "x.csv"}, {"cell_labels.csv", "Replicate1annotation.csv"}}
	for i, id := range ids {
		for _, dir := range goldenCases(f, id) {
			answers, _ := filepath.Glob(filepath.Join(dir, "pred", "*.csv"))
			truths, _ := filepath.Glob(filepath.Join(dir, "evaluation", "*.csv"))
			var texts [2]string
			for k, list := range [][]string{answers, truths} {
				if len(list) > 0 {
					raw, err := os.ReadFile(list[0])
					if err != nil {
						f.Fatal(err)
					}
					texts[k] = string(raw[:min(len(raw), 1500)])
				}
			}
			f.Add(uint8(i), texts[0], texts[1])
		}
	}
	f.Add(uint8(0), quantsHeader+"\nwt,a,inf,nan,-inf,1e308\nwt,a,1e300,1e-300,0,1\n", truthHeader+"\nwt,a,inf,1,1,1,0,0\nwt,a,-1e308,1,1,-1,1,1\n")
	f.Add(uint8(4), labelsHeader+"\n1e300,inf,nan,round\n-0.5,1,1,\n", annotationHeader+"\n0,1e300,1,1,round\n0,0,1e200,-1e200,x\n")
	f.Fuzz(func(t *testing.T, which uint8, pred, truth string) {
		i := int(which) % len(ids)
		dir := taskFolder(t, ids[i], map[string]string{"pred/" + names[i][0]: pred, "evaluation/" + names[i][1]: truth})
		r := judge(t, dir).Report
		checkReport(t, r)
		if !r.Result.None && !(r.Result.Value >= -1e-9 && r.Result.Value <= 1+1e-9) {
			t.Errorf("a score of %v", r.Result.Value)
		}
	})
}
