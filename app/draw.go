package app

import (
	"context"
	"image/png"
	"io"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"coverslip/app/session"
	"coverslip/datasets/atomic"
)

// Draw writes a picture of the window to Options.Screenshot without any display: the toolkit's test driver draws it in software.
// It opens and scores what Options name first.
func Draw(ctx context.Context, o Options) error {
	a := test.NewApp()
	defer a.Quit()
	q := session.NewQueue()
	w := newWorkbench(a, o, q.Post)
	defer w.session.Close()
	w.window.Show()
	w.open(o)
	idle := func() bool { return len(w.session.JobList()) == 0 && !w.session.Loading() }
	if !q.WaitContext(ctx, idle) {
		return ctx.Err()
	}
	size := w.window.Canvas().Size()
	w.window.Resize(size.AddWidthHeight(1, 1)) // only another size makes this driver lay out anew
	w.window.Resize(size)
	relay(w.window.Content())
	picture := w.window.Canvas().Capture()
	return atomic.Write(o.Screenshot, func(f io.Writer) error { return png.Encode(f, picture) })
}

// relay lays out all containers anew: in this driver a text that has grown does not move its neighbours by itself.
func relay(o fyne.CanvasObject) {
	switch o := o.(type) {
	case *fyne.Container:
		if o.Layout != nil {
			o.Layout.Layout(o.Objects, o.Size())
		}
		for _, child := range o.Objects {
			relay(child)
		}
	case fyne.Widget:
		for _, child := range test.WidgetRenderer(o).Objects() {
			relay(child)
		}
	}
}
