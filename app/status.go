package app

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"coverslip/app/session"
)

// statusModel is what the bottom of the window says.
type statusModel interface {
	Status() session.Status
	JobList() []session.Job
	CancelJob(id int)
	MessageList() []session.Message
	DismissMessages()
}

// statusPanel is the line of the place under the pointer and the work that runs. The newest message is a bar of its own,
// which the window lays over the foot of the picture, so that nothing moves when one comes.
type statusPanel struct {
	model    statusModel
	told     []session.Message // by the window itself
	later    *delay
	cells    [7]*cutText
	place    *fyne.Container // of the cells
	progress *widget.ProgressBar
	job      *cutText
	named    int // the job whose title is shown, 0 none
	work     *fyne.Container
	message  *widget.Label
	icon     *widget.Icon
	more     *canvas.Text
	bar      *fyne.Container
	content  *fyne.Container
}

// statusColumns are position, values, answer, truth, IoU, selected error (the rest) and pixel size (as wide as its text).
func statusColumns(scale float32) columns {
	return columns{widths: []float32{148, 168, 82, 82, 78, 0, max(1, scale)}, gap: 10, least: 300}
}

func newStatusPanel(m statusModel, keys keySink, post func(func())) *statusPanel {
	p := &statusPanel{model: m, later: newDelay(post), progress: widget.NewProgressBar(), job: newCutText(colourQuiet, sizeSmall)}
	objects := make([]fyne.CanvasObject, len(p.cells))
	for i := range p.cells {
		p.cells[i] = newCutText(theme.ColorNameForeground, sizeText)
		objects[i] = p.cells[i]
	}
	p.cells[6].text.Alignment = fyne.TextAlignTrailing
	p.job.text.Alignment = fyne.TextAlignTrailing
	stop := newChip(keys, "Stop", p.Stop)
	p.work = container.New(columns{widths: []float32{190, 110, 40}, gap: 8}, p.job,
		container.NewThemeOverride(p.progress, smallTheme{newTheme()}), stop)
	p.work.Hide()
	p.place = container.New(statusColumns(0), objects...)
	line := container.NewBorder(nil, nil, nil, p.work, p.place)
	p.bar = p.messageBar(keys)
	p.content = container.NewBorder(newRule(), nil, nil, nil, container.New(inset{10, 4, 10, 5}, line))
	return p
}

func (p *statusPanel) messageBar(keys keySink) *fyne.Container {
	p.message, p.more, p.icon = newProse(theme.ColorNameForeground), newText("", colourQuiet, sizeSmall), widget.NewIcon(nil)
	close := newChip(keys, "Close", p.Dismiss)
	ground := canvas.NewRectangle(colourOf(theme.ColorNameMenuBackground))
	row := container.NewBorder(nil, nil, p.icon, container.NewHBox(container.NewCenter(p.more), container.NewCenter(close)),
		container.New(inset{left: 6, top: 3, right: 10, bottom: 3}, dense(p.message)))
	bar := container.NewStack(ground, container.New(inset{10, 3, 10, 3}, row))
	bar.Hide()
	return bar
}

// Refresh shows what a topic says has changed.
func (p *statusPanel) Refresh(t session.Topic) {
	if t&(session.Pointer|session.ViewChanged|session.SceneChanged|session.Selection|session.Score|session.Errors) != 0 {
		p.showPlace()
	}
	if t&session.Jobs != 0 {
		p.showJobs()
	}
	if t&session.Messages != 0 {
		p.showMessages()
	}
}

func (p *statusPanel) showPlace() {
	s := p.model.Status()
	if scale := p.cells[6]; scale.Text() != s.Scale {
		p.place.Layout = statusColumns(fyne.MeasureText(s.Scale, scale.text.TextSize, scale.text.TextStyle).Width + 1)
		defer p.place.Refresh()
	}
	for i, text := range []string{s.Position, s.Values, s.Answer, s.Truth, s.IoU, s.Selected, s.Scale} {
		colour := theme.ColorNameForeground
		if i >= 5 {
			colour = colourQuiet
		}
		p.cells[i].Set(text, colour)
	}
}

func (p *statusPanel) showJobs() {
	jobs := p.model.JobList()
	if hidden := len(jobs) == 0; hidden == p.work.Visible() {
		p.work.Hidden = hidden
		p.content.Refresh()
	}
	if p.named = 0; len(jobs) == 0 {
		return
	}
	j := jobs[0]
	p.named = j.ID
	title := j.Title
	if len(jobs) > 1 {
		title += ", " + count(len(jobs)-1, "more job")
	}
	p.job.Set(title, colourQuiet)
	if j.Total > 0 {
		p.progress.SetValue(float64(j.Done) / float64(j.Total))
	} else {
		p.progress.SetValue(0)
	}
}

// Working tells whether a job is named.
func (p *statusPanel) Working() bool { return p.named != 0 }

// Stop cancels the job that is named; the next one is named then.
func (p *statusPanel) Stop() { p.model.CancelJob(p.named) }

// messageLines is how many messages are shown at once, the newest below.
const messageLines = 3

// infoStays is how long a message stays that only confirms what was done.
const infoStays = 6 * time.Second

// Tell shows a message of the window's own. One that only confirms goes away by itself.
func (p *statusPanel) Tell(level, text string) {
	p.told = append(p.told, session.Message{Level: level, Text: text})
	p.showMessages()
	if level == "info" {
		p.later.Run(infoStays, func() {
			p.told = slices.DeleteFunc(p.told, func(m session.Message) bool { return m.Level == "info" })
			p.showMessages()
		})
	}
}

// Dismiss clears all messages.
func (p *statusPanel) Dismiss() {
	p.told = nil
	p.model.DismissMessages()
	p.showMessages()
}

// Telling tells whether a message is on screen.
func (p *statusPanel) Telling() bool { return p.bar.Visible() }

func (p *statusPanel) showMessages() {
	list := append(slices.Clone(p.model.MessageList()), p.told...)
	p.bar.Hidden = len(list) == 0
	if len(list) > 0 {
		newest := list[max(0, len(list)-messageLines):]
		lines := make([]string, len(newest))
		for i, m := range newest {
			lines[i] = m.Text
		}
		p.message.SetText(strings.Join(lines, "\n"))
		more := ""
		if n := len(list) - len(newest); n > 0 {
			more = strconv.Itoa(n) + " earlier"
		}
		setText(p.more, more, colourQuiet)
		p.icon.SetResource(messageIcon(list[len(list)-1].Level))
	}
	p.bar.Refresh()
}

func messageIcon(level string) fyne.Resource {
	switch level {
	case "error":
		return theme.NewErrorThemedResource(theme.ErrorIcon())
	case "warning":
		return theme.NewWarningThemedResource(theme.WarningIcon())
	}
	return theme.InfoIcon()
}
