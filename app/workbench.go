package app

import (
	"io"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"

	"coverslip/app/session"
	"coverslip/viewer/canvas"
)

// Workbench is the window: panels around a picture, all of one session. Panels only show the session and call its methods;
// one observer tells each of them what has changed.
type Workbench struct {
	app     fyne.App
	window  fyne.Window
	session *session.Session
	post    func(func())

	table    []*action
	keyboard *keyboard
	menu     *menuBar
	dialogs  []dialog.Dialog // that are open, the topmost last

	picture  *canvas.Picture
	lists    *listPanel
	axes     *axisPanel
	score    *scorePanel
	errors   *errorPanel
	layers   *layerPanel
	task     *textPanel
	files    *textPanel
	plots    *plotPanel
	measures *measurePanel
	wide     *plotPanel // in the place of the picture where a row has none
	status   *statusPanel
	cells    *tablePanel // in the place of the picture
	welcome  fyne.CanvasObject
	tabs     *container.AppTabs
	right    *container.Split // score above tabs
	sides    *sides

	play     *pulse
	playAxis byte // 'z' or 't'
	blink    *pulse
	pace     pace
	view     string    // a View to go to once a picture is there
	leave    func()    // ends the program
	ready    io.Writer // told once when the first picture is on screen
	start    time.Time
}

// Tabs of the right column.
const (
	tabErrors = iota
	tabLayers
	tabTask
	tabFiles
	tabPlots
	tabMeasure
)

// newWorkbench builds the window around a new session. Post runs a function on the UI goroutine.
func newWorkbench(a fyne.App, o Options, post func(func())) *Workbench {
	a.Settings().SetTheme(newTheme())
	w := &Workbench{app: a, post: post, window: a.NewWindow("Coverslip"), play: newPulse(post), blink: newPulse(post), pace: newPace(), view: o.View, ready: o.Ready, start: o.Start}
	w.session = session.New(session.Options{Post: post})
	w.session.SetRecent(a.Preferences().StringList(prefRecent))
	w.restoreAxes()
	w.restoreBookmarks()
	w.table = w.actionTable()
	w.keyboard = newKeyboard(w.table)
	w.keyboard.blocked = func() bool { return w.window.Canvas().Overlays().Top() != nil }
	w.keyboard.escape = w.closeDialog
	w.keyboard.moves = func(key string) bool { return w.cells.Move(key) }
	w.menu = &menuBar{table: w.table, recent: w.session.Recent, open: func(path string) { w.session.Open(path) }}
	w.leave = w.window.Close
	w.build()
	w.window.SetPadded(false)
	w.window.SetContent(w.layout())
	w.window.SetMaster()
	w.window.SetOnDropped(w.dropped)
	w.window.SetCloseIntercept(w.quit)
	w.keyboard.bind(w.window.Canvas())
	w.session.Observe(w.changed)
	w.changed(^session.Topic(0))
	w.restoreSizes(o)
	return w
}

func (w *Workbench) build() {
	s, k := w.session, w.keyboard
	w.picture = canvas.New(s, k)
	w.picture.OnComposed = w.composed
	w.lists = newListPanel(s, k)
	w.axes = newAxisPanel(s, k, w.playAlong)
	w.score = newScorePanel(s)
	w.errors = newErrorPanel(s, k, w.post)
	w.layers = newLayerPanel(s, k, w.post)
	w.task = newTextPanel(session.Tasks, s.TaskText)
	w.files = newTextPanel(session.Tasks|session.Runs|session.Images|session.SceneChanged|session.Score, s.FileText)
	w.plots = newPlotPanel(s, k)
	w.measures = newMeasurePanel(s)
	w.wide = newPlotPanel(s, k)
	w.wide.content.Hide()
	w.status = newStatusPanel(s, k, w.post)
	w.cells = newTablePanel(s, k, w.post)
	w.cells.listed = func() { w.composed(0) }
	w.welcome = newWelcome(w.action, s.Recent(), func(path string) { s.Open(path) })
}

func (w *Workbench) action(id string) *action {
	for _, a := range w.table {
		if a.ID == id {
			return a
		}
	}
	return nil
}

func (w *Workbench) layout() fyne.CanvasObject {
	w.tabs = container.NewAppTabs(
		container.NewTabItem("Errors", w.errors.content), container.NewTabItem("Layers", w.layers.content),
		container.NewTabItem("Task", w.task.content), container.NewTabItem("Files", w.files.content),
		container.NewTabItem("Plots", w.plots.content), container.NewTabItem("Measure", w.measures.content))
	w.tabs.OnSelected = func(*container.TabItem) { w.refreshTab(^session.Topic(0)) }
	stage := container.NewStack(w.picture, w.cells.content, w.wide.content, w.welcome,
		container.NewBorder(nil, w.status.bar, nil, nil))
	centre := container.NewBorder(nil, w.axes.content, nil, nil, stage)
	w.right = container.NewVSplit(w.score.content, w.tabs)
	w.sides = newSides(w.lists.content, centre, w.right)
	return container.NewBorder(nil, w.status.content, nil, nil, w.sides.content)
}

// changed is the one observer of the session: it tells each panel, which redraws the lowest object that differs.
func (w *Workbench) changed(t session.Topic) {
	w.lists.Refresh(t)
	w.axes.Refresh(t)
	w.showCells(t)
	w.score.Refresh(t)
	w.status.Refresh(t)
	w.refreshTab(t)
	if t&(session.ViewChanged|session.SceneChanged) != 0 {
		w.picture.Refresh()
	}
	if empty := w.session.Task() < 0; empty != w.welcome.Visible() {
		w.showWelcome(empty)
	}
	if t&menuTopics != 0 {
		w.refreshMenu()
	}
	if t&session.Tasks != 0 {
		w.storeRecent()
	}
	if w.view != "" && w.session.Scene() != nil {
		view := w.view
		w.view = ""
		w.goToView(view)
	}
	if shape := w.session.Shape(); w.play.Running() && shape.Z <= 1 && shape.T <= 1 {
		w.stopPlay()
	}
}

// showCells shows a table in the place of the picture, or the plots of a row that has no picture, or the picture again.
func (w *Workbench) showCells(t session.Topic) {
	s := w.session
	w.cells.Refresh(t)
	plots := s.Table() == nil && s.Scene() == nil && !s.Loading() && len(s.Plots()) > 0
	if w.picture.Hidden = s.Table() != nil || plots; w.picture.Hidden {
		w.stopPlay()
	}
	if plots == w.wide.content.Hidden {
		w.wide.content.Hidden = !plots
		w.wide.content.Refresh()
		t = ^session.Topic(0)
		if plots {
			w.composed(0)
		}
	}
	w.wide.Refresh(t, plots)
}

func (w *Workbench) showWelcome(on bool) {
	if on {
		w.welcome.Show()
	} else {
		w.welcome.Hide()
	}
}

// refreshTab refreshes the panels of the right column; hidden ones catch up when they are shown.
func (w *Workbench) refreshTab(t session.Topic) {
	at := w.tabs.SelectedIndex()
	w.errors.Refresh(t)
	if at == tabLayers {
		w.layers.Refresh(t)
	}
	w.task.Refresh(t, at == tabTask)
	w.files.Refresh(t, at == tabFiles)
	w.plots.Refresh(t, at == tabPlots)
	w.measures.Refresh(t, at == tabMeasure)
}

// menuTopics are those that can switch an action on or off.
const menuTopics = session.Tasks | session.Runs | session.Images | session.Errors | session.ViewChanged | session.SceneChanged |
	session.Jobs | session.Messages

func (w *Workbench) refreshMenu() {
	if m := w.menu.Changed(); m != nil {
		w.window.SetMainMenu(m)
	}
}

func (w *Workbench) showTab(i int) { w.tabs.SelectIndex(i) }

func (w *Workbench) focusSearch() {
	if w.session.Table() != nil {
		w.window.Canvas().Focus(w.cells.search)
		return
	}
	w.showTab(tabErrors)
	w.window.Canvas().Focus(w.errors.search)
}

// nextPart goes to the next compartment of an image or sheet of a table.
func (w *Workbench) nextPart() {
	if n := w.sheetCount(); n > 0 {
		w.session.SelectSheet((w.session.Sheet() + 1) % n)
		return
	}
	if n := len(w.session.Parts()); n > 0 {
		w.session.SelectPart((w.session.Part() + 1) % n)
	}
}

func (w *Workbench) sheetCount() int {
	if t := w.session.Table(); t != nil {
		return len(t.Sheets)
	}
	return 0
}

// cancel stops the work that the status line names, else clears the message.
func (w *Workbench) cancel() {
	if w.status.Working() {
		w.status.Stop()
		return
	}
	w.status.Dismiss()
}

func (w *Workbench) quit() {
	w.storeSizes()
	w.play.Stop()
	w.blink.Stop()
	w.leave()
}
