package track_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"coverslip/datasets/raster/pixel"
	"coverslip/scoring/call/calltest"
	"coverslip/scoring/report"
	"coverslip/scoring/track"
)

// score scores a movie with its lineage against another.
func score(t *testing.T, pred, truth pixel.Array, predRows, truthRows string) *report.Report {
	t.Helper()
	task := calltest.WriteTask(t, taskID, deliverables, "", files(t, truth, pred, truthRows, predRows))
	return calltest.RunTask(t, track.Tracking, task, filepath.Join(task.Dir, "pred"))
}

// with changes a copy of a movie.
func with(a pixel.Array, change func(v []uint16)) pixel.Array {
	v := slices.Clone(a.Values.([]uint16))
	change(v)
	a.Values = v
	return a
}

func TestLaws(t *testing.T) {
	truth, rows := colony(12, 96, 16, 0, 3)
	perfect := score(t, truth, truth, rows, rows)
	if perfect.Result.Value != 1 {
		t.Errorf("the truth itself scores %v", perfect.Result.Value)
	}
	calltest.CheckCosts(t, perfect, 1)
	frame := 96 * 96
	last := 1.0
	for k := range 6 { // a cell less in a frame never helps
		pred := with(truth, func(v []uint16) {
			for i := range v {
				if v[i] == 3 && i/frame <= k {
					v[i] = 0
				}
			}
		})
		got := score(t, pred, truth, rows, rows)
		calltest.CheckCosts(t, got, scoreFromMarks(got))
		if got.Result.Value > last {
			t.Errorf("without a cell in %d frames the score rises from %v to %v", k+1, last, got.Result.Value)
		}
		last = got.Result.Value
	}
	last = 1
	for k := range 6 { // a false cell never helps
		pred := with(truth, func(v []uint16) {
			for f := range k + 1 {
				if i := f*frame + 95*96 + 94; v[i] == 0 {
					v[i] = 999
				}
			}
		})
		got := score(t, pred, truth, rows+"999 0 11 0\n", rows)
		calltest.CheckCosts(t, got, scoreFromMarks(got))
		if got.Result.Value > last {
			t.Errorf("with a false cell in %d frames the score rises from %v to %v", k+1, last, got.Result.Value)
		}
		last = got.Result.Value
	}
}

// Where mending costs more than drawing anew the loss is capped, and the costs still add up.
func TestCostsAddUpBeyondTheCap(t *testing.T) {
	truth, rows := colony(6, 64, 4, 0, 1)
	pred := with(truth, func(v []uint16) {
		for i := range v {
			v[i] = uint16(1 + i%(64*64)) // every pixel a cell
		}
	})
	var all strings.Builder
	for i := range 64 * 64 {
		fmt.Fprintf(&all, "%d 0 5 0\n", i+1)
	}
	got := score(t, pred, truth, all.String(), rows)
	if tra, _ := got.Metrics.Number("tra"); tra != 0 {
		t.Errorf("TRA is %v, want 0", tra)
	}
	calltest.CheckCosts(t, got, scoreFromMarks(got))
}

func TestRelabellingAndGoroutinesChangeNothing(t *testing.T) {
	truth, rows := colony(9, 80, 9, 0, 1)
	pred, _ := colony(9, 80, 9, 0.3, 2)
	task := calltest.WriteTask(t, taskID, deliverables, "", files(t, truth, pred, rows, rows))
	var first *report.Report
	for _, n := range []int{1, 2, 8} {
		before := runtime.GOMAXPROCS(n)
		got := calltest.RunTask(t, track.Tracking, task, filepath.Join(task.Dir, "pred"))
		runtime.GOMAXPROCS(before)
		if first == nil {
			first = got
		} else if !reflect.DeepEqual(got, first) {
			t.Errorf("%d goroutines give another report", n)
		}
	}
	renamed := with(pred, func(v []uint16) {
		for i := range v {
			if v[i] != 0 {
				v[i] += 500
			}
		}
	})
	var other strings.Builder
	for line := range strings.Lines(rows) {
		var id, start, end, parent int
		fmt.Sscan(line, &id, &start, &end, &parent)
		if parent != 0 {
			parent += 500
		}
		fmt.Fprintln(&other, id+500, start, end, parent)
	}
	if got := score(t, renamed, truth, other.String(), rows); !reflect.DeepEqual(got.Metrics, first.Metrics) {
		t.Errorf("other labels give %v, want %v", got.Metrics, first.Metrics)
	}
}

// Mirrored frames and reordered lines of the lineage change nothing.
func TestFlipsAndOrderOfRowsChangeNothing(t *testing.T) {
	truth, rows := colony(9, 80, 9, 0, 1)
	pred, _ := colony(9, 80, 9, 0.3, 2)
	before := score(t, pred, truth, rows, rows)
	mirror := func(a pixel.Array) pixel.Array {
		from := a.Values.([]uint16)
		return with(a, func(v []uint16) {
			for i := range v {
				v[i] = from[i/80*80+79-i%80]
			}
		})
	}
	lines := strings.Split(strings.TrimSpace(rows), "\n")
	slices.Reverse(lines)
	after := score(t, mirror(pred), mirror(truth), strings.Join(lines, "\n"), rows)
	if !reflect.DeepEqual(after.Metrics, before.Metrics) {
		t.Errorf("%v after mirroring, %v before", after.Metrics, before.Metrics)
	}
	calltest.CheckCosts(t, after, scoreFromMarks(after))
}

func TestIdentitySwitchAndNotes(t *testing.T) {
	truth, rows := colony(8, 64, 4, 0, 1)
	swapped := with(truth, func(v []uint16) {
		for i := range v {
			if i/(64*64) >= 4 && (v[i] == 2 || v[i] == 3) {
				v[i] = 5 - v[i]
			}
		}
	})
	got := score(t, swapped, truth, rows, rows)
	switches := 0
	for _, m := range got.Marks {
		if m.Kind == report.IDSwitch {
			switches++
			if !m.Diagnostic || m.T != 4 || m.Cost <= 0 {
				t.Errorf("%+v", m)
			}
		}
	}
	if switches != 2 {
		t.Errorf("%d identity switches, want 2", switches)
	}
	// A cell that moves by more than its own size in each frame, and the same one frame late.
	late, moving := with(truth, func(v []uint16) { clear(v) }), with(truth, func(v []uint16) { clear(v) })
	for f := range 8 {
		for y := range 6 {
			for x := range 6 {
				moving.Values.([]uint16)[f*4096+(20+y)*64+f*7+x] = 1
				if f > 0 {
					late.Values.([]uint16)[f*4096+(20+y)*64+(f-1)*7+x] = 1
				}
			}
		}
	}
	got = score(t, late, moving, "1 0 7 0", "1 0 7 0")
	if v := got.Result.Value; v > 0.2 {
		t.Errorf("a movie one frame late scores %v", v)
	}
	if !slices.ContainsFunc(got.Notes, func(n report.Note) bool { return strings.Contains(n.Text, "one frame") }) {
		t.Errorf("no note about shifted frames among %v", got.Notes)
	}
}

func TestExits(t *testing.T) {
	movie, rows := colony(4, 64, 4, 0, 1)
	good := files(t, movie, movie, rows, rows)
	turned := pixel.Array{Shape: []int{4, 32, 128}, Axes: "TYX", Type: pixel.Uint16, Values: movie.Values}
	colour := pixel.Array{Shape: []int{4, 64, 16, 4}, Axes: "TYXS", Type: pixel.Uint16, Values: movie.Values}
	empty := with(movie, func(v []uint16) { clear(v) })
	for _, c := range []struct {
		name   string
		change map[string][]byte // nil content removes
		rubric string
		none   bool
		value  float64
	}{
		{"all is there", nil, "", false, 1},
		{"no truth before a missing answer", map[string][]byte{"evaluation/man_track.txt": nil, "pred/res_track.txt": nil}, "", true, 0},
		{"log.txt is no lineage of the truth", map[string][]byte{"evaluation/man_track.txt": nil, "evaluation/LOG.txt": []byte(rows)}, "", true, 0},
		{"log.txt may be that of the answer", map[string][]byte{"pred/res_track.txt": nil, "pred/log.txt": []byte(rows)}, "", false, 1},
		{"an infinite frame stops", map[string][]byte{"pred/res_track.txt": []byte("1 inf x 0")}, "", true, 0},
		{"no usable row", map[string][]byte{"pred/res_track.txt": []byte("1 x inf 0")}, "", false, 0},
		{"no usable row in the truth first", map[string][]byte{"pred/res_track.txt": []byte("1"), "evaluation/man_track.txt": []byte("1")}, "", true, 0},
		{"the truth is no TIFF", map[string][]byte{"evaluation/00_GT.ome.tif": []byte("none")}, "", true, 0},
		{"the answer is no TIFF", map[string][]byte{"pred/00_RES.ome.tif": []byte("none")}, "", false, 0},
		{"colours", map[string][]byte{"pred/00_RES.ome.tif": encode(t, colour)}, "", false, 0},
		{"another size", map[string][]byte{"pred/00_RES.ome.tif": encode(t, turned)}, "", false, 0},
		{"a truth without cells", map[string][]byte{"evaluation/00_GT.ome.tif": encode(t, empty)}, "", true, 0},
		{"a threshold in words", nil, "iou_threshold: half", true, 0},
	} {
		all := map[string][]byte{}
		for name, content := range good {
			all[name] = content
		}
		for name, content := range c.change {
			if all[name] = content; content == nil {
				delete(all, name)
			}
		}
		task := calltest.WriteTask(t, taskID, deliverables, c.rubric, all)
		got := calltest.RunTask(t, track.Tracking, task, filepath.Join(task.Dir, "pred"))
		if got.Result.None != c.none || got.Result.Value != c.value {
			t.Errorf("%s: %+v", c.name, got.Result)
		}
	}
}

// Frames come out of every form that the reference takes, damaged ones stop the scoring.
func TestMovieForms(t *testing.T) {
	movie, rows := colony(5, 64, 4, 0, 1)
	r := rand.New(rand.NewPCG(1, 1))
	floats := pixel.Array{Shape: movie.Shape, Axes: movie.Axes, Type: pixel.Float32, Values: make([]float32, len(movie.Values.([]uint16)))}
	for i, v := range movie.Values.([]uint16) {
		floats.Values.([]float32)[i] = float32(v) + r.Float32()*0.8 - 0.4
		if v == 0 {
			floats.Values.([]float32)[i] = 0
		}
	}
	shaped := func(shape ...int) pixel.Array { a := movie; a.Shape, a.Axes = shape, "TZCYX"[5-len(shape):]; return a }
	for _, c := range []struct {
		name string
		pred pixel.Array
		none bool
	}{
		{"one axis more", shaped(5, 1, 64, 64), false},
		{"floats that round to labels", floats, false},
		{"a leading axis of length 1", shaped(1, 5, 64, 64), true},
	} {
		got := score(t, c.pred, movie, rows, rows)
		if got.Result.None != c.none || !c.none && got.Result.Value != 1 {
			t.Errorf("%s: %+v", c.name, got.Result)
		}
	}
	damaged := encode(t, movie)
	for i := 300; i < len(damaged)-300; i += 40 {
		damaged[i] ^= 0xff
	}
	all := files(t, movie, movie, rows, rows)
	all["pred/00_RES.ome.tif"] = damaged
	task := calltest.WriteTask(t, taskID, deliverables, "", all)
	if got := calltest.RunTask(t, track.Tracking, task, filepath.Join(task.Dir, "pred")); !got.Result.None {
		t.Errorf("damaged pixels give %+v", got.Result)
	}
}
