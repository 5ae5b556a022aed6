package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
	"image/color"
)

// The toolkit's controls swallow keys while they have the focus, and take it when clicked. Ours pass on what they do not need,
// so that the keys of the window work wherever the user clicked last.

// keySink is where keys go that a control does not need: the keyboard.
type keySink interface {
	TypedKey(*fyne.KeyEvent)
	TypedRune(rune)
	KeyDown(*fyne.KeyEvent)
	KeyUp(*fyne.KeyEvent)
	TypedShortcut(fyne.Shortcut) bool
	FocusLost()
}

// release gives the focus up after a click, so that Space and the arrows go to the window again.
func release(o fyne.CanvasObject) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(o); c != nil {
		c.Unfocus()
	}
}

// keyList is a list whose Up and Down keys select at once; all other keys are passed on.
type keyList struct {
	widget.List
	keys keySink
	step func(by int)
}

var _ desktop.Keyable = (*keyList)(nil)

func newKeyList(keys keySink, length func() int, create func() fyne.CanvasObject, update func(int, fyne.CanvasObject)) *keyList {
	l := &keyList{keys: keys}
	l.Length, l.CreateItem, l.UpdateItem = length, create, update
	l.HideSeparators = true
	l.ExtendBaseWidget(l)
	return l
}

func (l *keyList) TypedKey(e *fyne.KeyEvent) {
	switch {
	case e.Name == fyne.KeyUp && l.step != nil:
		l.step(-1)
	case e.Name == fyne.KeyDown && l.step != nil:
		l.step(+1)
	default:
		l.keys.TypedKey(e)
	}
}

func (l *keyList) TypedRune(r rune)         { l.keys.TypedRune(r) }
func (l *keyList) KeyDown(e *fyne.KeyEvent) { l.keys.KeyDown(e) }
func (l *keyList) KeyUp(e *fyne.KeyEvent)   { l.keys.KeyUp(e) }
func (l *keyList) FocusLost()               { l.List.FocusLost(); l.keys.FocusLost() }

// slider passes on all keys but, if it keeps arrows, Left and Right.
type slider struct {
	widget.Slider
	keys       keySink
	keepArrows bool
	quiet      bool // a value is being shown, not chosen
}

func newSlider(keys keySink, low, high, step float64, changed func(float64)) *slider {
	s := &slider{keys: keys}
	s.Min, s.Max, s.Step = low, high, step
	s.OnChanged = func(v float64) {
		if !s.quiet {
			changed(v)
		}
	}
	s.ExtendBaseWidget(s)
	return s
}

// Present sets range and value without telling anyone.
func (s *slider) Present(low, high, value float64) {
	s.quiet = true
	defer func() { s.quiet = false }()
	if s.Min != low || s.Max != high {
		s.Min, s.Max = low, high
		s.Value = value
		s.Refresh()
		return
	}
	s.SetValue(value)
}

func (s *slider) TypedKey(e *fyne.KeyEvent) {
	if s.keepArrows && (e.Name == fyne.KeyLeft || e.Name == fyne.KeyRight) {
		s.Slider.TypedKey(e)
		return
	}
	s.keys.TypedKey(e)
}

func (s *slider) TypedRune(r rune)         { s.keys.TypedRune(r) }
func (s *slider) KeyDown(e *fyne.KeyEvent) { s.keys.KeyDown(e) }
func (s *slider) KeyUp(e *fyne.KeyEvent)   { s.keys.KeyUp(e) }

// choice is a drop-down that gives the focus up when clicked.
type choice struct {
	widget.Select
	keys  keySink
	quiet bool
}

func newChoice(keys keySink, options []string, changed func(int)) *choice {
	c := &choice{keys: keys}
	c.Options = options
	c.OnChanged = func(string) {
		if !c.quiet {
			changed(c.SelectedIndex())
		}
	}
	c.ExtendBaseWidget(c)
	return c
}

// Present selects an option without telling anyone.
func (c *choice) Present(i int) {
	if c.SelectedIndex() == i {
		return
	}
	c.quiet = true
	c.SetSelectedIndex(i)
	c.quiet = false
}

func (c *choice) Tapped(e *fyne.PointEvent) { c.Select.Tapped(e); release(c) }
func (c *choice) TypedRune(r rune)          { c.keys.TypedRune(r) }

// field is a line of text in which the window's keys with Ctrl or Alt still work.
type field struct {
	widget.Entry
	keys   keySink
	escape func()
}

func newField(keys keySink, placeholder string) *field {
	f := &field{keys: keys}
	f.PlaceHolder = placeholder
	f.ExtendBaseWidget(f)
	return f
}

func (f *field) TypedKey(e *fyne.KeyEvent) {
	if e.Name == fyne.KeyEscape && f.escape != nil {
		f.escape()
		return
	}
	f.Entry.TypedKey(e)
}

func (f *field) TypedShortcut(s fyne.Shortcut) {
	if !f.keys.TypedShortcut(s) {
		f.Entry.TypedShortcut(s)
	}
}

// chip is a small switch or link: text on a rounded ground, with a bar of colour where it stands for a kind of mark.
type chip struct {
	widget.BaseWidget
	keys     keySink
	tapped   func()
	ground   *canvas.Rectangle
	bar      *canvas.Rectangle
	text     *canvas.Text
	on       bool
	plain    bool // no ground: a link
	trailing bool // text stands at the right
	hovered  bool
	focused  bool
}

var (
	_ fyne.Tappable      = (*chip)(nil)
	_ fyne.Focusable     = (*chip)(nil)
	_ desktop.Hoverable  = (*chip)(nil)
	_ desktop.Cursorable = (*chip)(nil)
)

func newChip(keys keySink, text string, tapped func()) *chip {
	c := &chip{keys: keys, tapped: tapped, ground: canvas.NewRectangle(color.Transparent), bar: canvas.NewRectangle(color.Transparent)}
	c.text = newText(text, theme.ColorNameForeground, sizeSmall)
	c.ground.CornerRadius, c.bar.CornerRadius = 4, 1.5
	c.bar.Hide()
	c.ExtendBaseWidget(c)
	c.paint()
	return c
}

// newLink is a chip without a ground.
func newLink(keys keySink, text string, tapped func()) *chip {
	c := newChip(keys, text, tapped)
	c.plain = true
	c.paint()
	return c
}

// Set shows text and state.
func (c *chip) Set(text string, on bool) {
	if c.text.Text == text && c.on == on {
		return
	}
	c.text.Text, c.on = text, on
	c.paint()
	c.Refresh()
}

func (c *chip) paint() {
	ground, text := theme.ColorNameButton, theme.ColorNameForeground
	switch {
	case c.plain:
		ground, text = "", colourQuiet
		if c.on || c.hovered {
			text = theme.ColorNameForeground
		}
	case c.on:
		ground = theme.ColorNameSelection
	default:
		text = colourQuiet
	}
	c.ground.FillColor = color.Transparent
	if ground != "" {
		c.ground.FillColor = colourOf(ground)
	}
	c.ground.StrokeWidth, c.ground.StrokeColor = 0, color.Transparent
	if c.focused || (c.hovered && !c.plain) {
		c.ground.StrokeWidth, c.ground.StrokeColor = 1, colourOf(theme.ColorNamePrimary)
	}
	c.text.Color = colourOf(text)
	c.ground.Refresh()
	c.text.Refresh()
}

func (c *chip) CreateRenderer() fyne.WidgetRenderer { return &chipRenderer{c} }

type chipRenderer struct{ c *chip }

const chipBar = 3 // dp wide

func (r *chipRenderer) pad() float32 {
	if r.c.plain {
		return 2
	}
	return 7
}

func (r *chipRenderer) MinSize() fyne.Size {
	m := r.c.text.MinSize().AddWidthHeight(2*r.pad(), 6)
	if r.c.bar.Visible() {
		m.Width += chipBar + 3
	}
	return m
}

func (r *chipRenderer) Layout(size fyne.Size) {
	r.c.ground.Resize(size)
	x := r.pad()
	if r.c.bar.Visible() {
		r.c.bar.Move(fyne.NewPos(x-1, 4))
		r.c.bar.Resize(fyne.NewSize(chipBar, max(0, size.Height-8)))
		x += chipBar + 3
	}
	m := r.c.text.MinSize()
	if r.c.trailing {
		x = size.Width - m.Width
	} else if r.c.plain {
		x = 0
	} else if !r.c.bar.Visible() {
		x = (size.Width - m.Width) / 2
	}
	r.c.text.Move(fyne.NewPos(x, (size.Height-m.Height)/2))
	r.c.text.Resize(m)
}

func (r *chipRenderer) Refresh() { r.Layout(r.c.Size()); canvas.Refresh(r.c) }
func (r *chipRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.c.ground, r.c.bar, r.c.text}
}
func (r *chipRenderer) Destroy() {}

func (c *chip) Tapped(*fyne.PointEvent)        { c.tapped() }
func (c *chip) MouseIn(*desktop.MouseEvent)    { c.hovered = true; c.paint() }
func (c *chip) MouseMoved(*desktop.MouseEvent) {}
func (c *chip) MouseOut()                      { c.hovered = false; c.paint() }
func (c *chip) Cursor() desktop.Cursor         { return desktop.PointerCursor }
func (c *chip) FocusGained()                   { c.focused = true; c.paint() }
func (c *chip) FocusLost()                     { c.focused = false; c.paint() }
func (c *chip) TypedRune(r rune)               { c.keys.TypedRune(r) }
func (c *chip) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		c.tapped()
	default:
		c.keys.TypedKey(e)
	}
}
