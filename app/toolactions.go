package app

import "coverslip/viewer"

// toolActions go to places and measure.
func (w *Workbench) toolActions() []*action {
	s := w.session
	picture := func() bool { return s.Scene() != nil }
	return []*action{
		{ID: "go-to", Name: "Go to place, label or view…", Menu: "Go", Keys: []string{"V"}, Enabled: picture, Run: w.askPlace, Divide: true},
		{ID: "back", Name: "Back to the last place", Menu: "Go", Keys: []string{"Z"}, Enabled: s.CanGoBack, Run: s.GoBack},
		{ID: "forward", Name: "Forward again", Menu: "Go", Keys: []string{"Shift+Z"}, Enabled: s.CanGoForward, Run: s.GoForward},
		{ID: "play-faster", Name: "Play faster", Menu: "Go/Speed", Keys: []string{"}"}, Run: func() { w.stepPlay(1) }},
		{ID: "play-slower", Name: "Play slower", Menu: "Go/Speed", Keys: []string{"{"}, Run: func() { w.stepPlay(-1) }},
		{ID: "play-end", Name: "At the end: around, forth and back, once", Menu: "Go/Speed", Keys: []string{"Shift+K"}, Run: w.nextLoop},
		{ID: "blink-faster", Name: "Blink faster", Menu: "Go/Speed", Keys: []string{"Ctrl+]"}, Run: func() { w.stepBlink(1) }},
		{ID: "blink-slower", Name: "Blink slower", Menu: "Go/Speed", Keys: []string{"Ctrl+["}, Run: func() { w.stepBlink(-1) }},
		{ID: "keep-view", Name: "Keep this view as bookmark", Menu: "Go", Keys: []string{"Ctrl+B"}, Enabled: picture, Run: w.keepBookmark, Divide: true},
		{ID: "bookmarks", Name: "Bookmarks…", Menu: "Go", Keys: []string{"Shift+B"}, Enabled: picture, Run: w.askBookmarks},
		{ID: "no-line", Name: "Remove the measuring line", Menu: "View", Keys: []string{"Shift+Y"}, Run: func() { s.SetLine(viewer.Segment{}) },
			Enabled: func() bool { return s.View().Line != viewer.Segment{} }},
	}
}
