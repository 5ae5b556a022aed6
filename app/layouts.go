package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
)

// columns lays objects out in one row of fixed widths; width 0 takes what is left. Objects are centred in height.
type columns struct {
	widths []float32
	gap    float32
	least  float32 // the least width if the row may lose its last columns, else 0
}

func (c columns) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var size fyne.Size
	for i, o := range objects {
		if i > 0 {
			size.Width += c.gap
		}
		if w := c.width(i); w > 0 {
			size.Width += w
		} else {
			size.Width += o.MinSize().Width
		}
		size.Height = max(size.Height, o.MinSize().Height)
	}
	if c.least > 0 {
		size.Width = c.least
	}
	return size
}

func (c columns) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	rest := size.Width - c.gap*float32(len(objects)-1)
	for i := range objects {
		rest -= c.width(i)
	}
	x := float32(0)
	for i, o := range objects {
		w := c.width(i)
		if w == 0 {
			w = max(0, rest)
		}
		if c.least > 0 {
			w = max(0, min(w, size.Width-x))
		}
		h := min(size.Height, o.MinSize().Height)
		o.Move(fyne.NewPos(x, (size.Height-h)/2))
		o.Resize(fyne.NewSize(w, h))
		x += w + c.gap
	}
}

func (c columns) width(i int) float32 {
	if i < len(c.widths) {
		return c.widths[i]
	}
	return 0
}

// inset puts room around its objects, in dp.
type inset struct{ left, top, right, bottom float32 }

func (p inset) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var size fyne.Size
	for _, o := range objects {
		size = size.Max(o.MinSize())
	}
	return size.AddWidthHeight(p.left+p.right, p.top+p.bottom)
}

func (p inset) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.NewPos(p.left, p.top))
		o.Resize(fyne.NewSize(max(0, size.Width-p.left-p.right), max(0, size.Height-p.top-p.bottom)))
	}
}

// shelves stacks sections of a column. All but the last get the height they want, within limits; the last takes the rest.
type shelves struct{ wanted []func() float32 }

func (s shelves) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var size fyne.Size
	for _, o := range objects {
		size.Width = max(size.Width, o.MinSize().Width)
		size.Height += o.MinSize().Height
	}
	return size
}

func (s shelves) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	y := float32(0)
	for i, o := range objects {
		h := size.Height - y
		if i < len(s.wanted) {
			h = min(s.wanted[i](), h)
		}
		o.Move(fyne.NewPos(0, y))
		o.Resize(fyne.NewSize(size.Width, max(0, h)))
		y += h
	}
}

// flow puts objects side by side and begins a new line when the width is used up. The height is that of the width it was last
// laid out in.
type flow struct {
	gap   float32
	width float32
}

func (f *flow) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(40, f.place(objects, f.width, nil))
}

func (f *flow) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	if size.Width > 0 { // a container that is still being filled has no width yet
		f.width = size.Width
	}
	f.place(objects, size.Width, func(o fyne.CanvasObject, at fyne.Position) {
		o.Move(at)
		o.Resize(o.MinSize())
	})
}

// place walks the objects through lines and returns the height. Width 0, before the first layout, is one line.
func (f *flow) place(objects []fyne.CanvasObject, width float32, put func(fyne.CanvasObject, fyne.Position)) float32 {
	x, y, line := float32(0), float32(0), float32(0)
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		m := o.MinSize()
		if x > 0 && width > 0 && x+m.Width > width {
			x, y, line = 0, y+line+f.gap, 0
		}
		if put != nil {
			put(o, fyne.NewPos(x, y))
		}
		x += m.Width + f.gap
		line = max(line, m.Height)
	}
	return y + line
}

// ruleWidth is that of a rule in dp.
const ruleWidth = 1

// newRule is a quiet line between parts of the window.
func newRule() fyne.CanvasObject {
	r := canvas.NewRectangle(colourOf(theme.ColorNameSeparator))
	r.SetMinSize(fyne.NewSize(ruleWidth, ruleWidth))
	return r
}
