package app

import (
	"fmt"
	"image/color"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"coverslip/app/session"
	"coverslip/datasets/raster"
	"coverslip/viewer"
)

// axisModel is where in the stack the picture stands and which layers it shows.
type axisModel interface {
	Shape() raster.Shape
	View() viewer.View
	Plane() (t, z int)
	SetZ(z int)
	SetT(t int)
	Parts() []string
	Part() int
	SelectPart(i int)
	ChannelNames() []session.ChannelSwitch
	ToggleChannel(c int)
	ToggleSingle()
	ToggleAnswer()
	ToggleTruth()
	ToggleErrors()
}

// axisPanel is the rows below the picture: slices, times, channels and layers. A row of one step is not shown.
type axisPanel struct {
	model    axisModel
	keys     keySink
	z, t     *axisRow
	channels []*chip
	names    []string // of the switches that there are
	single   *chip
	layers   [3]*chip // answer, truth, errors
	parts    []*chip
	row      *fyne.Container
	content  *fyne.Container
}

func newAxisPanel(m axisModel, keys keySink, play func(axis byte)) *axisPanel {
	p := &axisPanel{model: m, keys: keys}
	p.z = newAxisRow("z", keys, m.SetZ, func() { play('z') })
	p.t = newAxisRow("t", keys, m.SetT, func() { play('t') })
	p.single = newChip(keys, "composite", m.ToggleSingle)
	p.layers[0] = newChip(keys, "answer", m.ToggleAnswer)
	p.layers[1] = newChip(keys, "truth", m.ToggleTruth)
	p.layers[2] = newChip(keys, "errors", m.ToggleErrors)
	p.row = container.New(&flow{gap: 4})
	p.content = container.New(inset{10, 3, 10, 4}, container.NewVBox(p.z.content, p.t.content, p.row))
	p.content.Hide()
	return p
}

// Refresh shows what a topic says has changed.
func (p *axisPanel) Refresh(t session.Topic) {
	if t&(session.ViewChanged|session.SceneChanged|session.Images|session.Tasks) == 0 {
		return
	}
	shape, view := p.model.Shape(), p.model.View()
	if shown := shape.Y > 0; shown != p.content.Visible() {
		p.content.Hidden = !shown
		p.content.Refresh()
	}
	frame, slice := p.model.Plane()
	resized := p.z.Show(view.Z, slice, shape.Z)
	resized = p.t.Show(view.T, frame, shape.T) || resized
	p.showLayers(view)
	if p.showChannels(view) || resized {
		p.content.Refresh()
	}
}

func (p *axisPanel) showLayers(v viewer.View) {
	p.layers[0].Set("answer"+styleWord(v.Answer.Style), v.Answer.Style != viewer.Hidden)
	p.layers[1].Set("truth"+styleWord(v.Truth.Style), v.Truth.Style != viewer.Hidden)
	p.layers[2].Set("errors", v.Errors)
}

func styleWord(s viewer.LabelStyle) string {
	return map[viewer.LabelStyle]string{viewer.Outline: " outline", viewer.Fill: " fill"}[s]
}

// showChannels makes the row of switches; true if other switches are needed than before.
func (p *axisPanel) showChannels(v viewer.View) bool {
	channels, parts := p.model.ChannelNames(), p.model.Parts()
	fresh := p.remake(channels, parts)
	for c, item := range channels[:min(len(channels), len(p.channels))] {
		on := item.On
		if v.Single {
			on = v.Channel == c
		}
		p.channels[c].Set(fmt.Sprintf("%d %s", c+1, item.Name), on)
	}
	p.single.Set(map[bool]string{true: "single channel", false: "composite"}[v.Single], v.Single)
	for i, name := range parts[:min(len(parts), len(p.parts))] {
		p.parts[i].Set(name, i == p.model.Part())
	}
	return fresh
}

// remake builds the switches anew if channels or compartments are others than before.
func (p *axisPanel) remake(channels []session.ChannelSwitch, parts []string) bool {
	var names []string
	for _, c := range channels {
		names = append(names, c.Name)
	}
	if len(parts) < 2 {
		parts = nil
	}
	names = append(names, parts...)
	if len(p.row.Objects) > 0 && slices.Equal(names, p.names) {
		return false
	}
	p.names, p.channels, p.parts = names, nil, nil
	p.row.Objects = nil
	if len(channels) > 1 {
		for c := range channels {
			p.channels = append(p.channels, newChip(p.keys, "", func() { p.model.ToggleChannel(c) }))
			p.row.Add(p.channels[c])
		}
		p.row.Add(p.single)
		p.row.Add(newGap(10))
	}
	for i := range parts {
		p.parts = append(p.parts, newChip(p.keys, "", func() { p.model.SelectPart(i) }))
		p.row.Add(p.parts[i])
	}
	if len(parts) > 0 {
		p.row.Add(newGap(10))
	}
	for _, c := range p.layers {
		p.row.Add(c)
	}
	return true
}

func newGap(width float32) fyne.CanvasObject {
	r := canvas.NewRectangle(color.Transparent)
	r.SetMinSize(fyne.NewSize(width, 1))
	return r
}

// axisRow steps along one axis: name, slider, position, play.
type axisRow struct {
	slider  *slider
	box     *field
	last    *canvas.Text
	play    *chip
	n       int
	content *fyne.Container
}

func newAxisRow(name string, keys keySink, set func(int), play func()) *axisRow {
	r := &axisRow{last: newText("", colourQuiet, sizeSmall), play: newChip(keys, "play", play), box: newField(keys, "")}
	r.slider = newSlider(keys, 0, 1, 1, func(v float64) { set(int(v)) })
	r.box.OnSubmitted = func(text string) {
		if n, err := strconv.Atoi(strings.TrimSpace(text)); err == nil {
			set(n)
		}
		release(r.box)
	}
	r.box.escape = func() { release(r.box) }
	label := newText(name, theme.ColorNameForeground, sizeText)
	label.TextStyle.Bold = true
	small := container.NewThemeOverride(r.box, smallTheme{newTheme()})
	r.content = container.New(columns{widths: []float32{12, 0, 52, 64, 42}, gap: 6}, label, r.slider, small, r.last, r.play)
	r.content.Hide()
	return r
}

// Show shows where the slider stands, and in the box which of n steps is on screen: what the box names is what is drawn, though a plane that is
// still being read may lag behind the slider.
func (r *axisRow) Show(at, shown, n int) bool {
	changed := (n > 1) != r.content.Visible()
	r.content.Hidden = n <= 1
	if n <= 1 {
		return changed
	}
	r.n = n
	r.slider.Present(0, float64(n-1), float64(at))
	if text := strconv.Itoa(shown); r.box.Text != text {
		r.box.SetText(text)
	}
	setText(r.last, fmt.Sprintf("0 to %d", n-1), colourQuiet)
	return changed
}

// Playing shows whether the row plays.
func (r *axisRow) Playing(on bool) {
	r.play.Set(map[bool]string{true: "stop", false: "play"}[on], on)
}

// smallTheme is for fields that stand in a row of text.
type smallTheme struct{ fyne.Theme }

func (t smallTheme) Size(name fyne.ThemeSizeName) float32 {
	switch name {
	case theme.SizeNameInnerPadding:
		return 3
	case theme.SizeNameText:
		return sizeSmall
	}
	return t.Theme.Size(name)
}
