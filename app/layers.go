package app

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"coverslip/app/session"
	"coverslip/viewer"
	"coverslip/viewer/render"
)

// layerModel is what the layers panel shows and changes.
type layerModel interface {
	View() viewer.View
	SetView(v viewer.View) error
	Scene() *render.Scene
	ChannelNames() []session.ChannelSwitch
	SetTone(c int, t viewer.Tone)
	ToggleChannel(c int)
	ToggleErrors()
	ToggleImage()
	ToggleBar()
	overlayModel
	AutoContrast()
}

// layerPanel is how the layers are drawn: answer and truth, errors, and the contrast and colours of one channel at a time.
type layerPanel struct {
	model         layerModel
	answer, truth *labelRow
	errors        *chip
	image, bar    *chip
	mask, only    *chip
	radius        *chip
	colourBy      *choice
	tail, arrows  *toneRow
	overlays      *fyne.Container // of points, tracks and fields
	channel       int             // the one whose contrast is shown
	shown         contrast
	picks         []*chip
	pickRow       *fyne.Container
	lut           *choice
	on            *chip
	graph         *histogram
	counts        *counter
	lo, hi, gamma *toneRow
	tone          *fyne.Container
	content       fyne.CanvasObject
}

func newLayerPanel(m layerModel, keys keySink, post func(func())) *layerPanel {
	p := &layerPanel{model: m}
	p.answer = newLabelRow("Answer", keys, func(l viewer.LabelLayer) { p.edit(func(v *viewer.View) { v.Answer = l }) })
	p.truth = newLabelRow("Truth", keys, func(l viewer.LabelLayer) { p.edit(func(v *viewer.View) { v.Truth = l }) })
	p.errors = newChip(keys, "Errors", m.ToggleErrors)
	p.image = newChip(keys, "Image", m.ToggleImage)
	p.bar = newChip(keys, "Scale bar", m.ToggleBar)
	p.mask = newChip(keys, "Every pixel", m.ToggleMask)
	p.only = newChip(keys, "Only in focus", m.ToggleOnly)
	p.buildOverlays(keys)
	p.pickRow = container.New(&flow{gap: 4})
	p.lut = newChoice(keys, append([]string{"by channel"}, viewer.LUTs...), p.setLUT)
	p.on = newChip(keys, "shown", func() { m.ToggleChannel(p.channel) })
	p.graph = newHistogram(p.setLimits)
	p.counts = &counter{post: post, show: p.graph.SetCounts}
	p.lo = newToneRow("Low", keys, func(v float64) { p.setLimits(v, p.shown.hi) })
	p.hi = newToneRow("High", keys, func(v float64) { p.setLimits(p.shown.lo, v) })
	p.gamma = newToneRow("Gamma", keys, p.setGamma)
	auto := newChip(keys, "Auto", m.AutoContrast)
	p.tone = container.NewVBox(
		newHeading("CHANNELS AND CONTRAST"), p.pickRow,
		container.New(columns{widths: []float32{60, 0, 60, 60}, gap: 6}, newText("Colours", colourQuiet, sizeText), p.lut, p.on, auto),
		p.graph, p.lo.content, p.hi.content, p.gamma.content)
	body := container.NewVBox(newHeading("LABELS"), p.answer.content, p.truth.content,
		container.New(&flow{gap: 4}, p.errors, p.mask, p.only, p.image, p.bar), legend(), newGap(1), p.overlays, p.tone)
	p.content = container.NewVScroll(container.New(inset{10, 8, 14, 8}, body))
	p.tone.Hide()
	return p
}

// legend says what the errors layer draws.
func legend() fyne.CanvasObject {
	box := container.New(&flow{gap: 8})
	for _, k := range []struct{ kind, line string }{
		{"TP", "match, solid"}, {"weak match", "weak match, dotted"}, {"FP", "only in the answer (FP), hatched"},
		{"FN", "only in the truth (FN), dashed"}, {"split", "split or merge, double line"},
	} {
		bar := canvas.NewRectangle(kindColour(k.kind))
		bar.SetMinSize(fyne.NewSize(10, 3))
		box.Add(container.New(columns{widths: []float32{10, 0}, gap: 5}, bar, newText(k.line, colourQuiet, sizeSmall)))
	}
	return box
}

func (p *layerPanel) edit(change func(*viewer.View)) {
	v := p.model.View()
	change(&v)
	// The view is the present one but for a layer's style, so no name in it can be unknown.
	_ = p.model.SetView(v)
}

// Refresh shows what a topic says has changed.
func (p *layerPanel) Refresh(t session.Topic) {
	if t&(session.ViewChanged|session.SceneChanged) == 0 || !p.content.Visible() {
		return
	}
	v := p.model.View()
	p.answer.Show(v.Answer)
	p.truth.Show(v.Truth)
	p.errors.Set("Errors", v.Errors)
	p.image.Set("Image", !v.HideImage)
	p.bar.Set("Scale bar", v.Bar)
	p.mask.Set("Every pixel", v.Mask)
	p.only.Set("Only in focus", v.Only)
	p.showOverlays(v)
	p.showChannels(v)
}

func (p *layerPanel) showChannels(v viewer.View) {
	scene, names := p.model.Scene(), p.model.ChannelNames()
	n := 0
	if scene != nil {
		n = min(len(names), len(scene.Channels))
	}
	if (n > 0) != p.tone.Visible() {
		p.tone.Hidden = n == 0
		p.tone.Refresh()
	}
	if n == 0 {
		p.counts.Want(plotted{})
		return
	}
	p.channel = min(p.channel, n-1)
	p.showPicks(names[:n])
	p.shown = contrastOf(scene.Channels[p.channel], v.Tone(p.channel))
	p.showTone(v.Tone(p.channel))
	p.counts.Want(plotted{scene, p.channel})
}

func (p *layerPanel) showTone(t viewer.Tone) {
	c := p.shown
	p.on.Set(map[bool]string{true: "hidden", false: "shown"}[t.Off], !t.Off)
	p.lut.Present(max(0, slices.Index(p.lut.Options, t.LUT)))
	p.graph.SetLimits(c.min, c.max, c.lo, c.hi)
	p.lo.Show(c.min, c.max, c.lo)
	p.hi.Show(c.min, c.max, c.hi)
	p.gamma.Show(0.1, 3, c.gamma)
}

// contrast is how a channel is shown: its limits and gamma, and the range of its samples.
type contrast struct{ lo, hi, gamma, min, max float64 }

// contrastOf fills in what a tone leaves to the channel.
func contrastOf(ch render.Channel, t viewer.Tone) contrast {
	c := contrast{lo: t.Lo, hi: t.Hi, gamma: t.Gamma}
	if c.lo >= c.hi {
		c.lo, c.hi = ch.Auto()
	}
	if c.gamma == 0 {
		c.gamma = 1
	}
	c.min, c.max = ch.Range()
	return c
}

func (p *layerPanel) showPicks(channels []session.ChannelSwitch) {
	for c := len(p.picks); c < len(channels); c++ {
		p.picks = append(p.picks, newChip(p.lo.slider.keys, "", func() {
			p.channel = c
			p.Refresh(session.ViewChanged)
		}))
	}
	if n := len(channels); len(p.pickRow.Objects) != n || n == 1 {
		p.pickRow.Objects = nil
		for _, c := range p.picks[:n] {
			p.pickRow.Add(c)
		}
		p.pickRow.Hidden = n == 1
	}
	for i, c := range channels {
		p.picks[i].Set(c.Name, i == p.channel)
	}
}

func (p *layerPanel) setLUT(i int) {
	t := p.model.View().Tone(p.channel)
	t.LUT = ""
	if i > 0 {
		t.LUT = p.lut.Options[i]
	}
	p.model.SetTone(p.channel, t)
}

func (p *layerPanel) setLimits(lo, hi float64) {
	span := p.shown.max - p.shown.min
	if lo, hi = tidy(lo, span), tidy(hi, span); lo >= hi {
		return
	}
	t := p.model.View().Tone(p.channel)
	t.Lo, t.Hi = lo, hi
	p.model.SetTone(p.channel, t)
}

// tidy rounds a limit to about a thousandth of the range, so that a view's text stays short.
func tidy(v, span float64) float64 {
	if span <= 0 {
		return v
	}
	digits := 3 - math.Ceil(math.Log10(span))
	if digits <= 0 {
		unit := math.Pow(10, -digits)
		return math.Round(v/unit) * unit
	}
	return math.Round(v*math.Pow(10, digits)) / math.Pow(10, digits)
}

func (p *layerPanel) setGamma(v float64) {
	t := p.model.View().Tone(p.channel)
	t.Gamma = math.Round(v*100) / 100
	p.model.SetTone(p.channel, t)
}

// labelRow is the style and opacity of a label layer.
type labelRow struct {
	layer   viewer.LabelLayer
	style   *choice
	opacity *slider
	content fyne.CanvasObject
}

func newLabelRow(name string, keys keySink, changed func(viewer.LabelLayer)) *labelRow {
	r := &labelRow{}
	r.style = newChoice(keys, []string{"hidden", "outline", "fill"}, func(i int) {
		l := r.layer
		l.Style = viewer.LabelStyle(i)
		changed(l)
	})
	r.opacity = newSlider(keys, 0.05, 1, 0.05, func(v float64) {
		l := r.layer
		l.Opacity = v
		changed(l)
	})
	r.opacity.keepArrows = true
	r.content = container.New(columns{widths: []float32{60, 104, 0}, gap: 6}, newText(name, theme.ColorNameForeground, sizeText), r.style, r.opacity)
	return r
}

// Show shows a layer. Only a fill has an opacity.
func (r *labelRow) Show(l viewer.LabelLayer) {
	r.layer = l
	r.style.Present(int(l.Style))
	opacity := l.Opacity
	if opacity == 0 {
		opacity = viewer.DefaultOpacity
	}
	r.opacity.Present(0.05, 1, opacity)
	if hidden := l.Style != viewer.Fill; hidden == r.opacity.Visible() {
		if hidden {
			r.opacity.Hide()
		} else {
			r.opacity.Show()
		}
	}
}

// toneRow is a slider with its name and value.
type toneRow struct {
	slider  *slider
	value   *canvas.Text
	content fyne.CanvasObject
}

func newToneRow(name string, keys keySink, changed func(float64)) *toneRow {
	r := &toneRow{slider: newSlider(keys, 0, 1, 0, changed), value: newText("", theme.ColorNameForeground, sizeSmall)}
	r.slider.keepArrows = true
	r.value.Alignment = fyne.TextAlignTrailing
	r.content = container.New(columns{widths: []float32{60, 0, 56}, gap: 6}, newText(name, colourQuiet, sizeText), r.slider, r.value)
	return r
}

// Show shows a value within a range.
func (r *toneRow) Show(low, high, value float64) {
	if step := (high - low) / 500; r.slider.Step != step {
		r.slider.Step = step
	}
	r.slider.Present(low, high, value)
	setText(r.value, figure(value), theme.ColorNameForeground)
}

// figure writes a sample value short.
func figure(v float64) string {
	if v == float64(int64(v)) {
		return strconv.FormatInt(int64(v), 10)
	}
	return fmt.Sprintf("%.4g", v)
}
