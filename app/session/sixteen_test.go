package session

import (
	"bytes"
	"context"
	"flag"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"coverslip/datasets/demo"
)

var update = flag.Bool("update", false, "write the reference views and pictures of the sixteen tasks")

// wholeDemo is written once for all tests that need all of it, beside the part that the others use.
var wholeDemo = sync.OnceValues(func() (demo.Layout, error) {
	return demo.Write(context.Background(), filepath.Join(demoDir, "whole"), nil)
})

// TestEachTaskLooksAsItShould opens each task of the demo with its second agent, stands at the worst error that has a place, and compares the
// text of the view and a small picture with those in testdata/sixteen. -update writes them; look at what changed.
func TestEachTaskLooksAsItShould(t *testing.T) {
	if testing.Short() {
		t.Skip("writes the whole demo")
	}
	layout, err := wholeDemo()
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range layout.Tasks {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			q := NewQueue()
			o := &opened{New(Options{Post: q.Post}), q, layout}
			t.Cleanup(o.Close)
			o.Open(dir, layout.Runs[dir][1])
			o.settle(t)
			o.SetPictureSize(320, 240, 1)
			if o.Report() == nil {
				t.Fatalf("no report: %v", o.MessageList())
			}
			o.standAtAPlace(t)
			if o.Scene() == nil { // the row is a condition, which has no image of its own
				o.SelectImage(0)
				o.settle(t)
			}
			compareView(t, o, filepath.Join("testdata", "sixteen", filepath.Base(dir)))
		})
	}
}

// standAtAPlace walks from the worst error to the first that lies in an image.
func (o *opened) standAtAPlace(t *testing.T) {
	t.Helper()
	o.WorstError()
	o.settle(t)
	for range 50 {
		if at := o.Selected(); at < 0 || o.View().Zoom != 0 {
			return
		}
		o.NextError()
		o.settle(t)
	}
	o.WorstError()
	o.settle(t)
}

func compareView(t *testing.T, o *opened, path string) {
	t.Helper()
	text := o.Shown().String() + "\n"
	for _, p := range o.Plots() {
		text += "plot " + p.Name + "\n"
	}
	var picture bytes.Buffer
	im, err := o.CopyImage()
	if err != nil {
		t.Fatal(err)
	}
	if err := png.Encode(&picture, im); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		os.WriteFile(path+".txt", []byte(text), 0o644)
		os.WriteFile(path+".png", picture.Bytes(), 0o644)
		return
	}
	want, err := os.ReadFile(path + ".txt")
	if err != nil || strings.ReplaceAll(string(want), "\r", "") != text {
		t.Errorf("the view is\n%s\nexpected\n%s\n%v", text, want, err)
	}
	reference, err := os.ReadFile(path + ".png")
	if err != nil {
		t.Fatal(err)
	}
	if same, err := samePicture(reference, picture.Bytes()); err != nil || !same {
		t.Errorf("the picture differs from %s.png: %v", path, err)
	}
}

// samePicture compares pixels, since a newer encoder may pack them differently.
func samePicture(a, b []byte) (bool, error) {
	left, err := png.Decode(bytes.NewReader(a))
	if err != nil {
		return false, err
	}
	right, err := png.Decode(bytes.NewReader(b))
	if err != nil || left.Bounds() != right.Bounds() {
		return false, err
	}
	for y := range left.Bounds().Dy() {
		for x := range left.Bounds().Dx() {
			if left.At(x, y) != right.At(x, y) {
				return false, nil
			}
		}
	}
	return true, nil
}

// TestWalkingVisitsEveryErrorOfEveryTask: the walk has as many stops as the report has errors, and each is another one.
func TestWalkingVisitsEveryErrorOfEveryTask(t *testing.T) {
	if testing.Short() {
		t.Skip("writes the whole demo")
	}
	layout, err := wholeDemo()
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range layout.Tasks {
		q := NewQueue()
		o := &opened{New(Options{Post: q.Post}), q, layout}
		o.Open(dir, layout.Runs[dir][1])
		o.settle(t)
		errors := 0
		for _, m := range o.Report().Marks {
			if IsError(m) {
				errors++
			}
		}
		seen := map[int]bool{}
		for range errors {
			o.NextError()
			seen[o.errors.selected] = true
		}
		o.settle(t)
		if shown, all := o.ErrorCount(); len(seen) != errors || shown != errors || all != errors {
			t.Errorf("%s: visited %d, the table has %d of %d, the report %d", filepath.Base(dir), len(seen), shown, all, errors)
		}
		o.Close()
	}
}
