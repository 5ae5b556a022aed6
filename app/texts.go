package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"coverslip/app/session"
)

// textPanel shows a text in Markdown. It is laid out only while it is on screen.
type textPanel struct {
	read    func() string
	topics  session.Topic
	shown   string
	stale   bool
	text    *widget.RichText
	content *fyne.Container
}

func newTextPanel(topics session.Topic, read func() string) *textPanel {
	p := &textPanel{read: read, topics: topics, stale: true, text: widget.NewRichText()}
	p.text.Wrapping = fyne.TextWrapWord
	p.content = container.NewStack(container.NewVScroll(container.New(inset{4, 2, 8, 8}, p.text)))
	return p
}

// Refresh shows what a topic says has changed, if anybody looks.
func (p *textPanel) Refresh(t session.Topic, visible bool) {
	p.stale = p.stale || t&p.topics != 0
	if !p.stale || !visible {
		return
	}
	p.stale = false
	if text := p.read(); text != p.shown {
		p.shown = text
		p.text.ParseMarkdown(text)
	}
}
