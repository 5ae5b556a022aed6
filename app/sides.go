package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Widths of the columns in dp. Where a window is too narrow for all, the side columns shrink.
const (
	defaultLeft, defaultRight         = 250, 376
	leastLeft, leastRight, leastStage = 140, 260, 300
	defaultSplit                      = 0.34 // of the right column for the score
)

// sides lays out the picture between two columns. The lines between them can be dragged; a double click on one gives its
// column the width it had at first. The picture takes what is left.
type sides struct {
	left, right float32 // widths as the user set them
	grips       [2]*grip
	content     *fyne.Container
}

func newSides(left, stage, right fyne.CanvasObject) *sides {
	s := &sides{left: defaultLeft, right: defaultRight}
	s.grips[0] = &grip{side: +1, usual: defaultLeft, width: func() float32 { l, _ := s.widths(); return l }, set: s.setLeft}
	s.grips[1] = &grip{side: -1, usual: defaultRight, width: func() float32 { _, r := s.widths(); return r }, set: s.setRight}
	s.content = &fyne.Container{Layout: s, Objects: []fyne.CanvasObject{left, stage, right, s.grips[0].build(), s.grips[1].build()}}
	return s
}

// widths are those shown. A window that is too narrow takes from both columns what they have above the least.
func (s *sides) widths() (left, right float32) {
	left, right = max(leastLeft, s.left), max(leastRight, s.right)
	spare := left - leastLeft + right - leastRight
	if over := left + right - s.room(); over > 0 && spare > 0 {
		part := min(1, over/spare)
		left, right = left-part*(left-leastLeft), right-part*(right-leastRight)
	}
	return left, right
}

// room is what both columns may have together.
func (s *sides) room() float32 { return s.content.Size().Width - leastStage - 2*ruleWidth }

func (s *sides) setLeft(width float32) {
	_, s.right = s.widths()
	s.left = max(leastLeft, min(width, s.room()-s.right))
	s.again()
}

func (s *sides) setRight(width float32) {
	s.left, _ = s.widths()
	s.right = max(leastRight, min(width, s.room()-s.left))
	s.again()
}

func (s *sides) again() {
	s.Layout(s.content.Objects, s.content.Size())
	for _, g := range s.grips {
		g.line.Refresh()
	}
}

// MinSize has the least widths of all columns.
func (s *sides) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(leastLeft+leastStage+leastRight+2*ruleWidth, 400)
}

// Layout places left, stage, right and the two lines.
func (s *sides) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	left, right := s.widths()
	place := func(o fyne.CanvasObject, from, to float32) {
		o.Move(fyne.NewPos(from, 0))
		o.Resize(fyne.NewSize(max(0, to-from), size.Height))
	}
	begin, end := left+ruleWidth, size.Width-right-ruleWidth
	place(objects[0], 0, left)
	place(objects[1], begin, end)
	place(objects[2], end+ruleWidth, size.Width)
	for i, x := range []float32{left, end} {
		place(objects[3+i], x-gripSide, x+ruleWidth+gripSide)
	}
}

// gripSide is how far from a line, on each side, it can be taken hold of.
const gripSide = 4

// grip is a line at the edge of a column that can be dragged sideways.
type grip struct {
	widget.BaseWidget
	side  float32 // +1: right of the column, -1: left of it
	usual float32
	width func() float32 // of the column
	set   func(float32)

	line    *canvas.Rectangle
	box     *fyne.Container
	held    bool
	hovered bool
	asked   float32 // width, where the pointer is
}

var (
	_ fyne.Draggable      = (*grip)(nil)
	_ fyne.DoubleTappable = (*grip)(nil)
	_ desktop.Hoverable   = (*grip)(nil)
	_ desktop.Cursorable  = (*grip)(nil)
)

func (g *grip) build() *grip {
	g.line = canvas.NewRectangle(colourOf(theme.ColorNameSeparator))
	g.box = container.New(inset{left: gripSide, right: gripSide}, g.line)
	g.ExtendBaseWidget(g)
	return g
}

func (g *grip) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(g.box) }

// Dragged sets the width to where the pointer is, which may be beyond what the column can have.
func (g *grip) Dragged(e *fyne.DragEvent) {
	if !g.held {
		g.held, g.asked = true, g.width()
	}
	g.asked += g.side * e.Dragged.DX
	g.set(g.asked)
}

func (g *grip) DragEnd()                       { g.held = false; g.paint() }
func (g *grip) DoubleTapped(*fyne.PointEvent)  { g.set(g.usual) }
func (g *grip) MouseIn(*desktop.MouseEvent)    { g.hovered = true; g.paint() }
func (g *grip) MouseMoved(*desktop.MouseEvent) {}
func (g *grip) MouseOut()                      { g.hovered = false; g.paint() }
func (g *grip) Cursor() desktop.Cursor         { return desktop.HResizeCursor }

func (g *grip) paint() {
	colour := theme.ColorNameSeparator
	if g.hovered || g.held {
		colour = theme.ColorNamePrimary
	}
	g.line.FillColor = colourOf(colour)
	g.line.Refresh()
}
