package app

import (
	"fmt"

	"coverslip/app/session"
	"coverslip/viewer"
)

// action is one thing that the window can do. Menus, key bindings and the key sheet are made from the table below and from
// nothing else.
type action struct {
	ID   string
	Name string
	Menu string   // the menu it stands in; "View/Channels" is a submenu
	Keys []string // the first is shown in the menu

	Run     func()
	Release func()      // only for an action that lasts while its key is held
	Enabled func() bool // nil: always
	Checked func() bool // nil: no switch
	Divide  bool        // begins a new group of its menu
	Ends    bool        // ends the program
}

func (a *action) isEnabled() bool { return a.Enabled == nil || a.Enabled() }

// allKeys are the keys of an action and, for each plain one, the same key with Alt, which also works while a text is typed.
func (a *action) allKeys() []string {
	keys := a.Keys
	for _, k := range a.Keys {
		if shortcutOf(k) == nil && k != "Space" && k != "Escape" && k != "F1" {
			keys = append(keys[:len(keys):len(keys)], "Alt+"+k)
		}
	}
	return keys
}

// menuOrder is the order of the menus.
var menuOrder = []string{"File", "View", "Layers", "Go", "Help"}

// actionTable lists all actions in menu order.
func (w *Workbench) actionTable() []*action {
	var table []*action
	for _, part := range [][]*action{w.fileActions(), w.viewActions(), w.layoutActions(), w.tableActions(), w.layerActions(), w.channelActions(), w.errorActions(), w.axisActions(), w.toolActions(), w.overlayActions(), w.listActions()} {
		table = append(table, part...)
	}
	return append(table, &action{ID: "keys", Name: "All keys", Menu: "Help", Keys: []string{"?", "F1"}, Run: w.showKeys})
}

func (w *Workbench) fileActions() []*action {
	picture := func() bool { return w.session.Scene() != nil }
	return []*action{
		{ID: "open-folder", Name: "Open folder…", Menu: "File", Keys: []string{"Ctrl+O"}, Run: w.askFolder},
		{ID: "open-file", Name: "Open zip, image or table…", Menu: "File", Keys: []string{"Ctrl+Shift+O"}, Run: w.askFile},
		{ID: "demo", Name: "Open the demo", Menu: "File", Keys: []string{"Ctrl+D"}, Run: w.session.OpenDemo},
		{ID: "save-picture", Name: "Save picture…", Menu: "File", Keys: []string{"Ctrl+S"}, Enabled: picture, Run: w.askSave, Divide: true},
		{ID: "copy-view", Name: "Copy view or cell as text", Menu: "File", Keys: []string{"Ctrl+C", "Ctrl+Shift+C"}, Run: w.copyShown,
			Enabled: func() bool { return picture() || w.isTable() }},
		{ID: "paste-view", Name: "Paste view text", Menu: "File", Keys: []string{"Ctrl+V"}, Enabled: picture, Run: w.pasteView},
		{ID: "cancel", Name: "Stop running work", Menu: "File", Keys: []string{"Escape"}, Run: w.cancel, Divide: true,
			Enabled: func() bool { return w.status.Working() || w.status.Telling() }},
		{ID: "quit", Name: "Quit", Menu: "File", Keys: []string{"Ctrl+Q"}, Run: w.quit, Ends: true},
	}
}

func (w *Workbench) viewActions() []*action {
	s := w.session
	zoom := func(factor float64) func() { return func() { s.ZoomCentred(factor) } }
	view := func(on func(viewer.View) bool) func() bool { return func() bool { return on(s.View()) } }
	return []*action{
		{ID: "fit", Name: "Fit image", Menu: "View", Keys: []string{"0", "Home"}, Enabled: w.noTable, Run: s.Fit},
		{ID: "zoom-in", Name: "Zoom in", Menu: "View", Keys: []string{"+", "="}, Enabled: w.noTable, Run: zoom(1.25)},
		{ID: "zoom-out", Name: "Zoom out", Menu: "View", Keys: []string{"-"}, Enabled: w.noTable, Run: zoom(1 / 1.25)},
		{ID: "auto-contrast", Name: "Auto contrast", Menu: "View", Keys: []string{"C"}, Enabled: w.noTable, Run: s.AutoContrast, Divide: true},
		{ID: "contrast", Name: "Contrast and layers panel", Menu: "View", Keys: []string{"Shift+C"}, Run: func() { w.showTab(tabLayers) }},
		{ID: "single", Name: "Single channel or composite", Menu: "View", Keys: []string{"F"}, Enabled: w.noTable, Run: s.ToggleSingle,
			Checked: view(func(v viewer.View) bool { return v.Single })},
		{ID: "bar", Name: "Scale bar", Menu: "View", Keys: []string{"B"}, Enabled: w.noTable, Run: s.ToggleBar, Divide: true,
			Checked: view(func(v viewer.View) bool { return v.Bar })},
		{ID: "image", Name: "Hide image", Menu: "View", Keys: []string{"I"}, Enabled: w.noTable, Run: s.ToggleImage,
			Checked: view(func(v viewer.View) bool { return v.HideImage })},
		{ID: "tiles", Name: "Tile borders", Menu: "View", Keys: []string{"D"}, Run: s.ToggleTiles, Enabled: s.HasTiles,
			Checked: view(func(v viewer.View) bool { return v.Tiles })},
		{ID: "axes", Name: "Axes…", Menu: "View", Keys: []string{"X"}, Run: w.askAxes, Enabled: w.hasAxes},
		{ID: "errors-panel", Name: "Errors panel", Menu: "View", Keys: []string{"Ctrl+1"}, Run: func() { w.showTab(tabErrors) }, Divide: true},
		{ID: "task-panel", Name: "Task panel", Menu: "View", Keys: []string{"Ctrl+2"}, Run: func() { w.showTab(tabTask) }},
		{ID: "files-panel", Name: "Files panel", Menu: "View", Keys: []string{"Ctrl+3"}, Run: func() { w.showTab(tabFiles) }},
		{ID: "plots-panel", Name: "Plots panel", Menu: "View", Keys: []string{"Ctrl+4"}, Run: func() { w.showTab(tabPlots) }},
		{ID: "measure-panel", Name: "Measure panel", Menu: "View", Keys: []string{"Ctrl+5"}, Run: func() { w.showTab(tabMeasure) }},
	}
}

// tableActions are for a table in the place of the picture. Arrows and paging keys move in it (keyboard.moves).
func (w *Workbench) tableActions() []*action {
	return []*action{
		{ID: "reading", Name: "Table as the scorer reads it", Menu: "View", Keys: []string{"S"}, Enabled: w.isTable, Divide: true,
			Run: func() { w.cells.ToggleReading() }, Checked: func() bool { return w.cells != nil && w.cells.IsStrict() }},
		{ID: "sort-rows", Name: "Sort table by this column", Menu: "View", Keys: []string{"Shift+S"}, Enabled: w.isTable,
			Run: func() { w.cells.SortByPicked() }},
	}
}

func (w *Workbench) isTable() bool { return w.session.Table() != nil }
func (w *Workbench) noTable() bool { return w.session.Table() == nil }

func (w *Workbench) layerActions() []*action {
	s := w.session
	shown := func(l func(viewer.View) viewer.LabelLayer) func() bool {
		return func() bool { return l(s.View()).Style != viewer.Hidden }
	}
	return []*action{
		{ID: "answer", Name: "Answer", Menu: "Layers", Keys: []string{"A"}, Enabled: w.noTable, Run: s.ToggleAnswer,
			Checked: shown(func(v viewer.View) viewer.LabelLayer { return v.Answer })},
		{ID: "truth", Name: "Truth", Menu: "Layers", Keys: []string{"G"}, Enabled: w.noTable, Run: s.ToggleTruth,
			Checked: shown(func(v viewer.View) viewer.LabelLayer { return v.Truth })},
		{ID: "errors", Name: "Errors", Menu: "Layers", Keys: []string{"E"}, Enabled: w.noTable, Run: s.ToggleErrors,
			Checked: func() bool { return s.View().Errors }},
		{ID: "style", Name: "Outline or fill", Menu: "Layers", Keys: []string{"O"}, Enabled: w.noTable, Run: s.CycleLabelStyle, Divide: true},
		{ID: "part", Name: "Next compartment or sheet", Menu: "Layers", Keys: []string{"M"}, Run: w.nextPart,
			Enabled: func() bool { return len(s.Parts()) > 1 || w.sheetCount() > 1 }},
		{ID: "blink", Name: "Blink answer and truth (hold)", Menu: "Layers", Keys: []string{"Space"}, Enabled: w.noTable, Run: w.blinkOn, Release: w.blinkOff},
	}
}

func (w *Workbench) channelActions() []*action {
	s := w.session
	var table []*action
	for c := range 9 {
		table = append(table, &action{
			ID: fmt.Sprintf("channel-%d", c+1), Name: fmt.Sprintf("Channel %d", c+1), Menu: "Layers/Channels",
			Keys: []string{fmt.Sprint(c + 1)}, Run: func() { s.ToggleChannel(c) },
			Enabled: func() bool { return c < s.Shape().C },
			Checked: func() bool {
				v := s.View()
				if v.Single {
					return v.Channel == c
				}
				return c < s.Shape().C && (c >= len(v.Tones) || !v.Tones[c].Off)
			},
		})
	}
	return table
}

func (w *Workbench) errorActions() []*action {
	s := w.session
	some := func() bool { n, _ := s.ErrorCount(); return n > 0 }
	return []*action{
		{ID: "next-error", Name: "Next error", Menu: "Go", Keys: []string{"N"}, Run: s.NextError, Enabled: some},
		{ID: "previous-error", Name: "Previous error", Menu: "Go", Keys: []string{"P"}, Run: s.PreviousError, Enabled: some},
		{ID: "worst-error", Name: "Worst error", Menu: "Go", Keys: []string{"W"}, Run: s.WorstError, Enabled: some},
		{ID: "only-image", Name: "Errors of this image only", Menu: "Go", Keys: []string{"T"},
			Run: func() { s.OnlyThisImage(!s.IsOnlyThisImage()) }, Checked: s.IsOnlyThisImage},
		{ID: "search", Name: "Search errors or rows", Menu: "Go", Keys: []string{"/", "Ctrl+F"}, Run: w.focusSearch},
	}
}

func (w *Workbench) axisActions() []*action {
	s := w.session
	slices := func() bool { return s.Shape().Z > 1 }
	times := func() bool { return s.Shape().T > 1 }
	step := func(f func(int), n int) func() { return func() { f(n) } }
	return []*action{
		{ID: "z-back", Name: "Slice back", Menu: "Go", Keys: []string{","}, Run: step(s.StepZ, -1), Enabled: slices, Divide: true},
		{ID: "z-forward", Name: "Slice forward", Menu: "Go", Keys: []string{"."}, Run: step(s.StepZ, 1), Enabled: slices},
		{ID: "z-back-10", Name: "Ten slices back", Menu: "Go", Keys: []string{"Shift+,"}, Run: step(s.StepZ, -10), Enabled: slices},
		{ID: "z-forward-10", Name: "Ten slices forward", Menu: "Go", Keys: []string{"Shift+."}, Run: step(s.StepZ, 10), Enabled: slices},
		{ID: "t-back", Name: "Time back", Menu: "Go", Keys: []string{"[", "Left"}, Run: step(s.StepT, -1), Enabled: times},
		{ID: "t-forward", Name: "Time forward", Menu: "Go", Keys: []string{"]", "Right"}, Run: step(s.StepT, 1), Enabled: times},
		{ID: "t-back-10", Name: "Ten times back", Menu: "Go", Keys: []string{"Shift+[", "Shift+Left"}, Run: step(s.StepT, -10), Enabled: times},
		{ID: "t-forward-10", Name: "Ten times forward", Menu: "Go", Keys: []string{"Shift+]", "Shift+Right"}, Run: step(s.StepT, 10), Enabled: times},
		{ID: "play", Name: "Play", Menu: "Go", Keys: []string{"K"}, Run: w.togglePlay,
			Enabled: func() bool { return slices() || times() }},
	}
}

func (w *Workbench) listActions() []*action {
	s := w.session
	images := func() bool { return s.ImageCount() > 1 }
	runs := func() bool { return s.RunCount() > 1 }
	return []*action{
		{ID: "next-image", Name: "Next image", Menu: "Go", Keys: []string{"PageDown"}, Run: func() { s.StepImage(1) }, Enabled: images, Divide: true},
		{ID: "previous-image", Name: "Previous image", Menu: "Go", Keys: []string{"PageUp"}, Run: func() { s.StepImage(-1) }, Enabled: images},
		{ID: "next-run", Name: "Next run", Menu: "Go", Keys: []string{"R"}, Run: func() { stepRun(s, 1) }, Enabled: runs},
		{ID: "previous-run", Name: "Previous run", Menu: "Go", Keys: []string{"Shift+R"}, Run: func() { stepRun(s, -1) }, Enabled: runs},
		{ID: "score-again", Name: "Score again", Menu: "Go", Keys: []string{"Ctrl+R"}, Run: func() { s.Rescore(s.Run()) },
			Enabled: func() bool { return s.Run() >= 0 }},
		{ID: "what-if", Name: "What slips of format cost (unofficial)", Menu: "Go", Keys: []string{"U"}, Run: s.TryRemedies, Enabled: s.CanTryRemedies},
	}
}

// stepRun goes to the next or previous run, around the end.
func stepRun(s *session.Session, by int) {
	if n := s.RunCount(); n > 0 {
		s.SelectRun(((s.Run()+by)%n + n) % n)
	}
}
