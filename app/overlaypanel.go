package app

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"coverslip/viewer"
)

// overlayModel is what lies over image and labels: masks, points, tracks and fields.
type overlayModel interface {
	HasPoints() bool
	HasTracks() bool
	HasArrows() bool
	Colours() []viewer.Colour
	SetColour(c viewer.Colour)
	SetTail(frames int)
	StepArrows(n int)
	ToggleMask()
	ToggleOnly()
	ToggleRadius()
}

// colourWords say what the colours of points and tracks can mean.
var colourWords = []string{"verdict", "class", "frame", "value", "depth", "track", "lineage"}

const longestTail = 60 // that the slider reaches

// buildOverlays makes the controls of points, tracks and fields; those that the image has nothing for are hidden.
func (p *layerPanel) buildOverlays(keys keySink) {
	m := p.model
	p.radius = newChip(keys, "Distance of matching", m.ToggleRadius)
	p.colourBy = newChoice(keys, colourWords[:1], func(i int) {
		if has := m.Colours(); i < len(has) {
			m.SetColour(has[i])
		}
	})
	p.tail = newToneRow("Tail", keys, func(v float64) { m.SetTail(int(v + 0.5)) })
	p.arrows = newToneRow("Spacing", keys, func(v float64) { m.StepArrows(int(v+0.5) - m.View().ArrowStep()) })
	p.overlays = container.NewVBox(newHeading("POINTS, TRACKS, FIELDS"),
		container.New(columns{widths: []float32{60, 0, 140}, gap: 6}, newText("Colours", colourQuiet, sizeText), p.colourBy, p.radius),
		p.tail.content, p.arrows.content)
	p.overlays.Hide()
}

func (p *layerPanel) showOverlays(v viewer.View) {
	m := p.model
	shown := m.HasPoints() || m.HasTracks() || m.HasArrows()
	if shown != p.overlays.Visible() {
		p.overlays.Hidden = !shown
		p.overlays.Refresh()
	}
	if !shown {
		return
	}
	has := m.Colours()
	words := make([]string, len(has))
	for i, c := range has {
		words[i] = colourWords[c]
	}
	if !slices.Equal(words, p.colourBy.Options) {
		p.colourBy.Options = words
	}
	p.colourBy.Present(max(0, slices.Index(has, v.Colour)))
	p.radius.Set("Distance of matching", !v.HideRadius)
	setVisible(p.radius, m.HasPoints())
	p.tail.Show(0, longestTail, float64(min(v.TailFrames(), longestTail)))
	p.arrows.Show(viewer.MinArrows, 96, float64(v.ArrowStep()))
	setVisible(p.tail.content, m.HasTracks())
	setVisible(p.arrows.content, m.HasArrows())
}

func setVisible(o fyne.CanvasObject, on bool) {
	if on {
		o.Show()
	} else {
		o.Hide()
	}
}
