package remedy

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coverslip/datasets/biabench"
	"coverslip/datasets/raster"
	"coverslip/scoring"
)

// TestRecordedSlips are recorded cases that hold a slip, as they are in the repository. The scores are those of the
// calculators, which equal the reference, on the edited files.
func TestRecordedSlips(t *testing.T) {
	for _, c := range []struct {
		dir, text string
		score     float64
	}{
		{"table/testdata/3d-confocal-puncta-quantification-sbiad1556/header-case", `"condition", "Image name", "z", "y", "x" and "number of GFP puncta"`, 1},
		{"table/testdata/cytoplasm-nucleus-translocation-bbbc014/well-table-long-row", "cells behind the last column were left out", 0.9615},
		{"table/testdata/cytoplasm-nucleus-translocation-bbbc014/name-and-dose-variants", "each name were spelled in one way", 0.7343},
		{"point/testdata/fluo-cell-counting-2d-cellfmcount/headers", "byte-order mark", 1},
		{"point/testdata/fluo-cell-counting-2d-cellfmcount/not-finite", "rows without finite numbers were left out", 1},
		{"point/testdata/fluo-cell-counting-2d-cellfmcount/naming-variants", "share most of their names", 1},
		{"track/testdata/phase-contrast-bacteria-tracking-toiam/leading-axis", "no axes of length 1", 1},
		{"track/testdata/phase-contrast-bacteria-tracking-toiam/missing-lineage", "tracks.csv were called tracks.txt", 0.9418},
		{"line/testdata/sim-microtubules-segmentation/shapes", "no axes of length 1", 0.8511},
		{"signal/testdata/5D-npc-assembly-kinetics-idr0115/workbook-quirks", "each sheet began with its header", 0.8551},
	} {
		dir := filepath.Join("..", filepath.FromSlash(c.dir))
		report, outcomes := judge(t, dir, filepath.Join(dir, "pred"))
		if len(outcomes) == 0 {
			t.Errorf("%s: nothing gains on %v", c.dir, report.Result)
			continue
		}
		if o := outcomes[0]; !strings.Contains(o.If, c.text) || math.Abs(o.Score-c.score) > 5e-4 {
			t.Errorf("%s: %+v, want %.4f if %s", c.dir, o, c.score, c.text)
		}
		if o := outcomes[0]; (o.Now == nil) != report.Result.None {
			t.Errorf("%s: now is %v, the report says %v", c.dir, o.Now, report.Result)
		}
	}
}

// TestFolderAboveTheRun: below a folder called raw nothing is found by its suffix. Only the remedy that moves the files may
// change that; with any other the run is judged as it lies.
func TestFolderAboveTheRun(t *testing.T) {
	dir := filepath.Join("..", "signal", "testdata", smlm, "messy-text")
	run := filepath.Join(t.TempDir(), "raw", "run")
	if err := os.CopyFS(run, os.DirFS(filepath.Join(dir, "pred"))); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(run, "x_LocalizationList.txt"), filepath.Join(run, "points.txt")); err != nil {
		t.Fatal(err)
	}
	report, outcomes := judge(t, dir, run)
	if report.Result.Value != 0 || len(outcomes) != 2 {
		t.Fatalf("%v %+v", report.Result, outcomes)
	}
	for i, want := range []string{"in no folder whose name stands for input data, and if the byte-order mark", "in no folder whose name stands for input data"} {
		if !strings.Contains(outcomes[i].If, want) {
			t.Errorf("%+v, want %s", outcomes[i], want)
		}
	}
}

// TestEditedRunIsFoundAlike: what is found by its suffix alone does not count below raw, nor may it in an edited copy.
func TestEditedRunIsFoundAlike(t *testing.T) {
	from := filepath.Join(t.TempDir(), "raw", "run")
	if err := os.MkdirAll(from, 0o755); err != nil {
		t.Fatal(err)
	}
	save(t, filepath.Join(from, "points.txt"), []byte("1 2 3 4\n"))
	asked := []biabench.Deliverable{{ID: "list", Pattern: "*LocalizationList*.txt", Required: true}}
	for _, moved := range []bool{false, true} {
		edited, err := Remedy{moved: moved}.Apply(t.Context(), &biabench.Run{Dir: from}, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if found := len(biabench.Resolve(t.Context(), edited.Dir, asked).Selected) > 0; found != moved {
			t.Errorf("moved %v: found %v in %s", moved, found, edited.Dir)
		}
	}
}

// TestAnotherDevice: where no hard link can be made, small files are copied and large ones linked by name.
func TestAnotherDevice(t *testing.T) {
	other, err := os.MkdirTemp("/dev/shm", "coverslip-")
	if err != nil {
		t.Skip("there is no second file system: ", err)
	}
	defer os.RemoveAll(other)
	from := t.TempDir()
	for name, size := range map[string]int64{"small.csv": 3, "large.tif": copyBytes + 1} {
		save(t, filepath.Join(from, name), nil)
		if err := os.Truncate(filepath.Join(from, name), size); err != nil {
			t.Fatal(err)
		}
	}
	if os.Link(filepath.Join(from, "small.csv"), filepath.Join(other, "probe")) == nil {
		t.Skip("both folders are on one file system")
	}
	edited, err := Remedy{}.Apply(t.Context(), &biabench.Run{Dir: from}, other)
	if err != nil {
		t.Fatal(err)
	}
	for name, linked := range map[string]bool{"small.csv": false, "large.tif": true} {
		info, err := os.Lstat(filepath.Join(edited.Dir, name))
		if err != nil || (info.Mode()&os.ModeSymlink != 0) != linked {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}

// TestChanceIsNotTold: an image turned round scores a little better or worse by chance.
func TestChanceIsNotTold(t *testing.T) {
	was := 0.5
	official := &scoring.Report{Result: scoring.Result{Value: was}}
	for _, c := range []struct {
		guess bool
		now   float64
		told  bool
	}{{false, 0.5009, false}, {false, 0.502, true}, {true, 0.502, false}, {true, 0.59, false}, {true, 0.61, true}, {true, 0.4, false}} {
		if _, told := compare(official, &scoring.Report{Result: scoring.Result{Value: c.now}}, Remedy{guess: c.guess}); told != c.told {
			t.Errorf("%+v: %v", c, told)
		}
	}
}

func TestTwoRemediesAsOne(t *testing.T) {
	renames := func(to string) Remedy { return Remedy{Text: to, changes: map[string]change{"a": {name: to}}} }
	edits := Remedy{Text: "edited", changes: map[string]change{"a": edit(inverted), "b": {omit: true}}}
	if _, ok := renames("x").with(renames("y")); ok {
		t.Error("a file has two names")
	}
	one, ok := renames("x").with(edits)
	if c := one.changes["a"]; !ok || c.name != "x" || len(c.array) != 1 || !one.changes["b"].omit || one.Text != "x, and if edited" {
		t.Errorf("%+v", one)
	}
	if files := one.Files(); !slices.Equal(files, []string{"a", "b"}) {
		t.Errorf("%v", files)
	}
}

func TestFits(t *testing.T) {
	for _, c := range []struct {
		have, want []int
		orders     [][]int
	}{
		{[]int{44, 60, 10}, []int{10, 44, 60}, [][]int{{2, 0, 1}}},
		{[]int{1, 44, 60}, []int{44, 60}, [][]int{{0, 1}}},
		{[]int{8, 9}, []int{9, 8}, [][]int{{1, 0}}},
		{[]int{8, 8}, []int{8, 8}, [][]int{{0, 1}, {1, 0}}},
		{[]int{8, 9}, []int{8, 10}, nil},
		{[]int{5, 8, 9}, []int{8, 9}, nil},
	} {
		if got := fits(c.have, c.want); !slices.EqualFunc(got, c.orders, slices.Equal) {
			t.Errorf("%v as %v: %v, want %v", c.have, c.want, got, c.orders)
		}
	}
}

// TestRearrange: turning an image four times to the left, or once there and once back, leaves it as it is.
func TestRearrange(t *testing.T) {
	a := raster.Array{Shape: []int{2, 3, 4}, Axes: "ZYX", Type: raster.Uint16, Values: make([]uint16, 24)}
	for i := range a.Values.([]uint16) {
		a.Values.([]uint16)[i] = uint16(i)
	}
	turn := func(a raster.Array, by ...int) raster.Array {
		for _, i := range by {
			var err error
			if a, err = turns[i].edit(a); err != nil {
				t.Fatal(err)
			}
		}
		return a
	}
	if left := turn(a, 4); !slices.Equal(left.Shape, []int{2, 4, 3}) || !slices.Equal(left.Values.([]uint16)[:4], []uint16{3, 7, 11, 2}) {
		t.Errorf("to the left: %v", left)
	}
	for _, by := range [][]int{{4, 4, 4, 4}, {4, 5}, {0, 0}, {1, 2, 3}} {
		if b := turn(a, by...); !slices.Equal(b.Values.([]uint16), a.Values.([]uint16)) || !slices.Equal(b.Shape, a.Shape) {
			t.Errorf("%v: %v", by, b)
		}
	}
	yxz, _ := rearrange(a, []int{1, 2, 0}, nil, "YXZ")
	zyx, _ := rearrange(yxz, []int{2, 0, 1}, nil, "ZYX")
	if !slices.Equal(zyx.Values.([]uint16), a.Values.([]uint16)) || yxz.Values.([]uint16)[1] != 12 {
		t.Errorf("%v, %v", yxz, zyx)
	}
}

func TestSheets(t *testing.T) {
	body := rows{{"Curves of cell 1"}, {}, {"frame", "Time (s)", "Normalized_total_InnerCore_1"}, {"10", "0", "0.1"}, {"11", "30", "0.2"}, {"12", "60", "0.3"}}
	text, fixed := headFirst([]sheet{{"cell1", body}})
	if !strings.Contains(text, "began with its header") || fixed[0].rows[0][1] != timeName || len(fixed[0].rows) != 4 {
		t.Errorf("%q %v", text, fixed)
	}
	text, fixed = inMinutes(fixed)
	if !strings.Contains(text, "not in seconds") || fixed[0].rows[2][1] != "0.5" || fixed[0].rows[2][0] != "11" {
		t.Errorf("%q %v", text, fixed)
	}
	if text, _ := inMinutes(fixed); text != "" {
		t.Errorf("minutes are taken for seconds: %q", text)
	}
	for sheet, want := range map[string]string{"160701-Cell_04": "160701-cell4", "cell 2": "161111-cell2", "alpha": "alpha"} {
		if got := pairingName(sheet, "161111_kinetics"); got != want {
			t.Errorf("%s: %q, want %q", sheet, got, want)
		}
	}
}

func TestSharing(t *testing.T) {
	free := []file{{rel: "out/m_kidney_two.tif"}, {rel: "out/m_kidney_one.tif"}, {rel: "overlay.tif"}}
	slots := []slot{{stem: "kidney_one"}, {stem: "kidney_two"}}
	if got := sharing(free, slots); !slices.Equal(got, []int{1, 0, -1}) {
		t.Errorf("%v", got)
	}
	if got := sharing([]file{{rel: "a_kidney_one.tif"}, {rel: "b_kidney_one.tif"}, {rel: "kidney_tw.tif"}}, slots); !slices.Equal(got, []int{-1, -1, 1}) {
		t.Errorf("two files for one image: %v", got)
	}
	if n := common("abcde", "xbcdy"); n != 3 {
		t.Errorf("%d characters in common", n)
	}
}
