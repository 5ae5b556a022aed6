package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"coverslip/app/session"
	"coverslip/viewer"
	"coverslip/viewer/chart"
)

// plotModel is what the plots panel shows and where its data lead.
type plotModel interface {
	View() viewer.View
	Plots() []session.Plot
	SetChart(name string)
	PickDatum(p session.Plot, h chart.Hit)
	PickTime(p session.Plot, x float64)
}

// plotPanel shows one chart of the report or of the row on screen, chosen by name.
type plotPanel struct {
	model   plotModel
	keys    keySink
	names   []string // of the switches that there are
	picks   *fyne.Container
	plot    *plot
	text    *canvas.Text // what lies under the pointer
	none    *canvas.Text
	shown   session.Plot
	camera  chart.Camera // of a lineage, as the user set it
	content *fyne.Container
}

func newPlotPanel(m plotModel, keys keySink) *plotPanel {
	p := &plotPanel{model: m, keys: keys, picks: container.New(&flow{gap: 4}), plot: newPlot(200)}
	p.text = newText("", theme.ColorNameForeground, sizeSmall)
	p.none = newText("There is nothing to plot before a run has been scored.", colourQuiet, sizeText)
	p.plot.picked = func(h chart.Hit) { m.PickDatum(p.shown, h) }
	p.plot.moved = func(_, x float64) { m.PickTime(p.shown, x) }
	p.plot.tell = func(text string) { setText(p.text, text, theme.ColorNameForeground) }
	p.plot.wheel, p.plot.drag = p.wheeled, nil
	p.content = container.NewBorder(container.New(inset{8, 6, 8, 2}, p.picks), container.New(inset{8, 2, 8, 4}, p.text), nil, nil,
		container.NewStack(p.plot, container.New(inset{8, 8, 8, 8}, container.NewVBox(p.none))))
	return p
}

// Refresh shows what a topic says has changed, if anybody looks.
func (p *plotPanel) Refresh(t session.Topic, visible bool) {
	const topics = session.Exhibits | session.Score | session.Runs | session.Images | session.ViewChanged | session.SceneChanged
	if !visible || t&topics == 0 {
		return
	}
	plots := p.model.Plots()
	p.showPicks(plots)
	if p.none.Hidden = len(plots) > 0; !p.none.Hidden {
		p.shown = session.Plot{}
		p.plot.Present(nil, nil)
		p.plot.Hide()
		return
	}
	p.plot.Hidden = false
	shown := plots[p.chosen(plots)]
	if shown.Name != p.shown.Name {
		p.camera = chart.Camera{}
	}
	p.shown = shown
	p.draw()
}

// draw shows the chosen plot with its cursor at the frame on screen.
func (p *plotPanel) draw() {
	var cursor *float64
	if p.shown.Cursor != nil {
		at := p.model.View().T
		if p.shown.Slices {
			at = p.model.View().Z
		}
		x := p.shown.Cursor(at)
		cursor = &x
	}
	c := p.shown.Chart
	if tree, ok := c.(chart.Lineage); ok {
		tree.Camera = p.camera
		c = tree
	}
	p.plot.Present(c, cursor)
}

// chosen is the plot that the view names, else the first.
func (p *plotPanel) chosen(plots []session.Plot) int {
	name := p.model.View().Chart
	for i := range plots {
		if plots[i].Name == name {
			return i
		}
	}
	return 0
}

func (p *plotPanel) showPicks(plots []session.Plot) {
	fresh := len(plots) != len(p.names)
	for i := range plots {
		fresh = fresh || plots[i].Name != p.names[i]
	}
	if fresh {
		p.names, p.picks.Objects = nil, nil
		for _, one := range plots {
			p.names = append(p.names, one.Name)
			p.picks.Add(newChip(p.keys, one.Name, func() { p.model.SetChart(one.Name) }))
		}
		p.picks.Refresh()
	}
	at := 0
	if len(plots) > 0 {
		at = p.chosen(plots)
	}
	for i, o := range p.picks.Objects {
		o.(*chip).Set(p.names[i], i == at)
	}
}

// wheeled zooms a lineage about the pointer: over rows, with Shift over frames.
func (p *plotPanel) wheeled(plot *plot, e *fyne.ScrollEvent) {
	tree, ok := plot.chart.(chart.Lineage)
	if !ok {
		return
	}
	row, t, ok := plot.place(e.Position)
	if !ok {
		return
	}
	if p.camera == (chart.Camera{}) {
		p.camera = tree.Whole()
	}
	factor := 1.25
	if e.Scrolled.DY < 0 {
		factor = 1 / factor
	}
	p.camera = p.camera.Zoom(factor, factor, t, row)
	p.draw()
}
