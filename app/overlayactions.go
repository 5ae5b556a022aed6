package app

import "coverslip/viewer"

// overlayActions say how masks, points, tracks and fields are drawn.
func (w *Workbench) overlayActions() []*action {
	s := w.session
	view := func(on func(viewer.View) bool) func() bool { return func() bool { return on(s.View()) } }
	overlays := func() bool { return s.HasPoints() || s.HasTracks() }
	labels := func() bool { return s.Scene() != nil && (s.Scene().Answer != nil || s.Scene().Truth != nil) }
	focused := func() bool { return s.View().Focus != viewer.Focus{} }
	return []*action{
		{ID: "mask", Name: "Verdict of every pixel", Menu: "Layers", Keys: []string{"Shift+E"}, Enabled: labels, Run: s.ToggleMask,
			Checked: view(func(v viewer.View) bool { return v.Mask }), Divide: true},
		{ID: "only", Name: "Only the object in focus", Menu: "Layers", Keys: []string{"Shift+O"}, Run: s.ToggleOnly,
			Enabled: func() bool { return focused() || s.View().Only }, Checked: view(func(v viewer.View) bool { return v.Only })},
		{ID: "radius", Name: "Distance of matching", Menu: "Layers", Keys: []string{"Shift+A"}, Enabled: s.HasPoints, Run: s.ToggleRadius,
			Checked: view(func(v viewer.View) bool { return !v.HideRadius })},
		{ID: "colour-by", Name: "Colour points and tracks by the next property", Menu: "Layers", Keys: []string{"Q"}, Run: s.CycleColour, Enabled: overlays},
		{ID: "tail-longer", Name: "Longer tails", Menu: "Layers", Keys: []string{";"}, Run: func() { s.StepTail(5) }, Enabled: s.HasTracks},
		{ID: "tail-shorter", Name: "Shorter tails", Menu: "Layers", Keys: []string{":"}, Run: func() { s.StepTail(-5) }, Enabled: s.HasTracks},
		{ID: "arrows-fewer", Name: "Fewer arrows", Menu: "Layers", Keys: []string{"<"}, Run: func() { s.StepArrows(8) }, Enabled: s.HasArrows},
		{ID: "arrows-more", Name: "More arrows", Menu: "Layers", Keys: []string{">"}, Run: func() { s.StepArrows(-8) }, Enabled: s.HasArrows},
		{ID: "mother", Name: "To the mother cell", Menu: "Go", Keys: []string{"Up"}, Run: func() { s.Kinship(-1) },
			Enabled: func() bool { return s.HasTracks() && focused() }, Divide: true},
		{ID: "daughter", Name: "To the daughter cell", Menu: "Go", Keys: []string{"Down"}, Run: func() { s.Kinship(1) },
			Enabled: func() bool { return s.HasTracks() && focused() }},
	}
}
