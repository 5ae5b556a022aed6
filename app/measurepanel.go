package app

import (
	"fmt"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"coverslip/app/session"
	"coverslip/viewer/chart"
)

// measureModel is what the measure panel shows.
type measureModel interface {
	Profile() (session.Profile, bool)
	LineText() string
	MeasureFocus() []session.Measured
}

// measurePanel shows the samples along the measuring line and the measures of the objects in focus.
type measurePanel struct {
	model   measureModel
	line    *canvas.Text
	under   *canvas.Text // what of the profile lies under the pointer
	profile *plot
	objects *fyne.Container
	content fyne.CanvasObject
}

const (
	lineHint   = "Drag with Ctrl in the picture to measure along a line."
	objectHint = "Click an object, or walk the errors, to measure it."
)

func newMeasurePanel(m measureModel) *measurePanel {
	p := &measurePanel{model: m, profile: newPlot(200), objects: container.NewVBox()}
	p.line = newText(lineHint, colourQuiet, sizeText)
	p.under = newText("", theme.ColorNameForeground, sizeSmall)
	p.profile.tell = func(text string) { setText(p.under, text, theme.ColorNameForeground) }
	body := container.NewVBox(newHeading("LINE"), p.line, p.profile, p.under, newHeading("OBJECTS ON THIS PLANE"), p.objects)
	p.content = container.NewVScroll(container.New(inset{10, 8, 14, 8}, body))
	return p
}

// Refresh shows what a topic says has changed, if anybody looks.
func (p *measurePanel) Refresh(t session.Topic, visible bool) {
	if !visible || t&(session.ViewChanged|session.SceneChanged|session.Selection) == 0 {
		return
	}
	profile, ok := p.model.Profile()
	if p.profile.Hidden = !ok; ok {
		p.profile.Present(profileChart(profile), nil)
		setText(p.line, p.model.LineText(), theme.ColorNameForeground)
	} else {
		setText(p.line, lineHint, colourQuiet)
		setText(p.under, "", colourQuiet)
	}
	p.showObjects(p.model.MeasureFocus())
}

func profileChart(p session.Profile) chart.Chart {
	c := chart.XY{X: chart.Axis{Name: "distance", Unit: p.Unit}, Y: chart.Axis{Name: "value"}, Empty: "The line lies outside of the image"}
	for _, ch := range p.Channels {
		c.Series = append(c.Series, chart.Series{Name: ch.Name, X: p.At, Y: ch.Values, Mode: chart.Lines})
	}
	return c
}

func (p *measurePanel) showObjects(list []session.Measured) {
	p.objects.Objects = nil
	add := func(name, value string) {
		p.objects.Add(container.New(columns{widths: []float32{90, 0}, gap: 8}, newText(name, colourQuiet, sizeText), newText(value, theme.ColorNameForeground, sizeText)))
	}
	for _, m := range list {
		area := strconv.Itoa(m.Area) + " px"
		if m.Physical > 0 {
			area += fmt.Sprintf(" (%s µm²)", short(m.Physical))
		}
		add(m.Side+" "+strconv.FormatInt(m.ID, 10), area)
		add("extent", fmt.Sprintf("%d x %d px (height x width)", m.Box.Dy(), m.Box.Dx()))
		add("centre", fmt.Sprintf("y %.1f x %.1f", m.Y, m.X))
		for _, ch := range m.Channels {
			add(ch.Name, fmt.Sprintf("mean %s, SD %s, %s to %s", short(ch.Mean), short(ch.SD), short(ch.Min), short(ch.Max)))
		}
		p.objects.Add(newGap(1))
	}
	if len(list) == 0 {
		p.objects.Add(newText(objectHint, colourQuiet, sizeText))
	}
	p.objects.Refresh()
}

func short(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }
