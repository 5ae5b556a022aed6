package session

import (
	"slices"
	"testing"

	"coverslip/datasets/biabench"
	"coverslip/datasets/raster"
	"coverslip/scoring/report"
)

func TestJoinFindsTheInputOfEachLabelFile(t *testing.T) {
	rows := []report.Image{
		{Name: "056F63395C_8bit_lynEGFP_seg", Truth: "/t/056F63395C_8bit_lynEGFP_seg.tif", Pred: "/p/a.tif"},
		{Name: "7", Compartment: "nuclei", Truth: "/t/nuclei_masks/7.tif"},
		{Name: "7", Compartment: "cytoplasm", Truth: "/t/cytoplasm_masks/7.tif", Pred: "/p/7.tif"},
		{Name: "stray", Truth: "/t/stray.tif"},
	}
	task := &biabench.Task{Inputs: []string{"/i/056F63395C_8bit_lynEGFP.tif", "/i/7.tif", "/i/77.tif"}}
	images := Join(task, biabench.Resolution{}, &report.Report{Images: rows})
	names := make([]string, len(images))
	for i, im := range images {
		names[i] = im.Name
	}
	if want := []string{"056F63395C_8bit_lynEGFP", "7", "77", "stray"}; !slices.Equal(names, want) {
		t.Fatalf("images %q, want %q", names, want)
	}
	if p := images[0].Parts; len(p) != 1 || p[0].Row != 0 || p[0].Answer != "/p/a.tif" {
		t.Errorf("stack: %+v", p)
	}
	if p := images[1].Parts; len(p) != 2 || p[0].Name != "nuclei" || p[0].Row != 1 || p[1].Name != "cytoplasm" || p[1].Row != 2 {
		t.Errorf("two compartments: %+v", p)
	}
	if len(images[2].Parts) != 0 || images[3].Input != "" {
		t.Errorf("an input without labels %+v, labels without an input %+v", images[2], images[3])
	}
}

func TestLabelPlaceFollowsSwappedAxes(t *testing.T) {
	shape := func(t, z int) raster.Shape { return raster.Shape{T: t, Z: z, C: 1, Y: 1, X: 1} }
	for _, c := range []struct {
		name       string
		labels, im raster.Shape
		t, z       int
		wantT      int
		wantZ      int
		ok         bool
	}{
		{"same axes", shape(1, 9), shape(1, 9), 0, 4, 0, 4, true},
		{"slices filed as times", shape(9, 1), shape(1, 9), 0, 4, 4, 0, true},
		{"fewer slices", shape(1, 3), shape(1, 9), 0, 4, 0, 0, false},
		{"one mask for a movie", shape(1, 1), shape(9, 1), 5, 0, 0, 0, true},
		{"one mask for a stack", shape(1, 1), shape(1, 9), 0, 5, 0, 0, false},
	} {
		gotT, gotZ, ok := labelPlace(c.labels, c.im, c.t, c.z)
		if ok != c.ok || ok && (gotT != c.wantT || gotZ != c.wantZ) {
			t.Errorf("%s: t %d z %d %v", c.name, gotT, gotZ, ok)
		}
	}
}

func TestTaskCalibrationReadsTheSpecsWordings(t *testing.T) {
	for _, c := range []struct {
		input   map[string]any
		x, y, z float64
	}{
		{map[string]any{"pixel_size_um": 0.275}, 0.275, 0.275, 0},
		{map[string]any{"pixel_size_um": "0.645 um"}, 0.645, 0.645, 0},
		{map[string]any{"pixel_size_nm": 100}, 0.1, 0.1, 0},
		{map[string]any{"voxel_size_um": "0.099 x 0.099 x 0.225 (XY x XY x Z)"}, 0.099, 0.099, 0.225},
		{map[string]any{"voxel_size_um": []any{0.1, 0.1, 0.3}}, 0.1, 0.1, 0.3},
		{map[string]any{}, 0, 0, 0},
		{nil, 0, 0, 0},
	} {
		got := TaskCalibration(biabench.Spec{Input: c.input})
		if got.X != c.x || got.Y != c.y || got.Z != c.z {
			t.Errorf("%v: %+v", c.input, got)
		}
	}
}

func TestLRUForgetsTheOldestFirst(t *testing.T) {
	var dropped []string
	l := newLRU[int, string](10, func(s string) { dropped = append(dropped, s) })
	l.put(1, "a", 4)
	l.put(2, "b", 4)
	l.get(1)
	l.put(3, "c", 4)
	if !slices.Equal(dropped, []string{"b"}) {
		t.Errorf("dropped %q", dropped)
	}
	l.put(4, "huge", 100)
	if v, ok := l.get(4); !ok || v != "huge" || l.order.Len() != 1 {
		t.Error("the newest must stay, however large")
	}
}

func TestJoinFindsTheInputOfARowThatIsNoFile(t *testing.T) {
	task := &biabench.Task{Inputs: []string{"/i/160701-Nup107-cell-1-t6.tif", "/i/160701-Nup107-cell-4-t6.tif"}}
	images := Join(task, biabench.Resolution{}, &report.Report{Images: []report.Image{{Name: "160701-cell4"}, {Name: "161111-cell4"}, {Name: "cell"}}})
	if len(images) != 4 || len(images[1].Parts) != 1 || images[1].Parts[0].Row != 0 || len(images[0].Parts) != 0 {
		t.Errorf("%+v", images)
	}
	task = &biabench.Task{Inputs: []string{"/i/SN29_L5_image_stack.tif", "/i/SN29_L5_roi.tif"}}
	images = Join(task, biabench.Resolution{}, &report.Report{Images: []report.Image{{Name: "sn29_l5"}, {Name: "sn29_l50"}}})
	if len(images) != 3 || len(images[0].Parts) != 1 || images[2].Name != "sn29_l50" {
		t.Errorf("%+v", images)
	}
	task = &biabench.Task{Inputs: []string{"/i/movie.tif"}}
	images = Join(task, biabench.Resolution{}, &report.Report{TaskID: "microglia-phenotype-progression-bbbc054", Images: []report.Image{{Name: "frame 0"}, {Name: "frame 1"}}})
	if len(images) != 1 || !images[0].Parts[0].Frames || images[0].Parts[0].Row != -1 {
		t.Errorf("%+v", images)
	}
	task = &biabench.Task{Inputs: []string{"/i/Channel 1-07-A-07-00.Bmp", "/i/Channel 2-07-A-07-00.Bmp", "/i/Channel 1-08-A-08-00.Bmp", "/i/Channel 2-08-A-08-00.Bmp"}}
	images = Join(task, biabench.Resolution{}, &report.Report{TaskID: "cytoplasm-nucleus-translocation-bbbc014", Images: []report.Image{{Name: "MCF7"}, {Name: "A549"}}})
	if len(images) != 4 || len(images[0].Parts) != 0 || images[2].Name != "MCF7" || images[0].Name != "07-A-07-00" {
		t.Errorf("a cell line was taken for a well: %+v", images)
	}
}
