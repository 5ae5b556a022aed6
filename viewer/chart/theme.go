package chart

import (
	"image/color"

	"coverslip/viewer/render"
)

// Colour chooses a colour of Okabe and Ito's palette. The zero value lets the chart choose by number.
type Colour uint8

const (
	AutoColour Colour = iota
	SkyBlue
	Orange
	Green
	Purple
	Yellow
	Vermillion
	Blue
	Ink   // the colour of text
	Quiet // that of what matters less
	colourCount
)

// Marker is the shape of a point. The zero value lets the chart choose by number.
type Marker uint8

const (
	AutoMarker Marker = iota
	Dot
	Square
	Triangle
	Diamond
	Cross
	Ring
	Plus
	Wedge // a triangle on its tip
	NoMarker
)

// Dash is how a line is broken. The zero value lets the chart choose by number.
type Dash uint8

const (
	AutoDash Dash = iota
	Solid
	Dashed
	Dotted
	DashDot
	LongDash
)

// Look is how a series looks; zero fields are chosen so that all series differ without their hue.
type Look struct {
	Colour Colour
	Marker Marker
	Dash   Dash
}

// AnswerLook and TruthLook are how the two sides look where each has one series.
var (
	AnswerLook = Look{Orange, Dot, Solid}
	TruthLook  = Look{SkyBlue, Ring, Dashed}
)

var dashes = [...][]float64{Solid: nil, Dashed: {6, 4}, Dotted: {1.6, 2.6}, DashDot: {8, 3, 1.6, 3}, LongDash: {13, 4}}

// autoColours, autoMarkers and autoDashes are the orders of choice. Their lengths have no common divisor with each other, so that a pair
// comes again late.
var (
	autoColours = [...]Colour{SkyBlue, Orange, Green, Purple, Vermillion, Yellow, Blue}
	autoMarkers = [...]Marker{Dot, Square, Triangle, Diamond, Cross, Ring, Plus, Wedge}
	autoDashes  = [...]Dash{Solid, Dashed, Dotted, DashDot, LongDash}
)

// of fills in what l leaves open for series i.
func (l Look) of(i int) Look {
	if l.Colour == AutoColour || l.Colour >= colourCount {
		l.Colour = autoColours[i%len(autoColours)]
	}
	if l.Marker == AutoMarker || l.Marker > NoMarker {
		l.Marker = autoMarkers[i%len(autoMarkers)]
	}
	if l.Dash == AutoDash || l.Dash > LongDash {
		l.Dash = autoDashes[i%len(autoDashes)]
	}
	return l
}

type theme struct {
	ground, plot, ink, quiet, grid, faint color.NRGBA
	colours                               [colourCount]color.NRGBA
}

func hex(c uint32) color.NRGBA {
	return color.NRGBA{uint8(c >> 16), uint8(c >> 8), uint8(c), 255}
}

// Yellow, sky blue and orange are too light for lines on paper, blue is too dark on a dark ground: there a darker or lighter
// one of the same hue stands in.
var (
	dark = theme{ground: hex(0x1b1d20), plot: hex(0x16181a), ink: hex(0xe4e7ea), quiet: hex(0x9aa1a9), grid: hex(0x2b2f34), faint: hex(0x4a5058),
		colours: [...]color.NRGBA{SkyBlue: hex(0x56b4e9), Orange: hex(0xe69f00), Green: hex(0x00b385), Purple: hex(0xcc79a7), Yellow: hex(0xf0e442),
			Vermillion: hex(0xe0662a), Blue: hex(0x4a8fd8), Ink: hex(0xe4e7ea), Quiet: hex(0x9aa1a9)}}
	light = theme{ground: hex(0xffffff), plot: hex(0xffffff), ink: hex(0x16181a), quiet: hex(0x5a6068), grid: hex(0xe6e8ea), faint: hex(0xb4b9be),
		colours: [...]color.NRGBA{SkyBlue: hex(0x2f97d3), Orange: hex(0xd98c00), Green: hex(0x009e73), Purple: hex(0xb95f92), Yellow: hex(0xb8a800),
			Vermillion: hex(0xd55e00), Blue: hex(0x0072b2), Ink: hex(0x16181a), Quiet: hex(0x5a6068)}}
)

func (t *theme) of(c Colour) color.NRGBA {
	if c >= colourCount {
		c = Ink
	}
	return t.colours[c]
}

// verdict is the colour and the dashes of the errors layer.
func verdict(s render.Style) (Colour, Dash) {
	switch s {
	case render.Match:
		return Green, Solid
	case render.WeakLink:
		return Yellow, Dotted
	case render.Extra:
		return Orange, LongDash
	case render.Missed:
		return SkyBlue, Dashed
	case render.Double:
		return Purple, DashDot
	}
	return Quiet, Solid
}

func faded(c color.NRGBA, alpha float64) color.NRGBA {
	c.A = uint8(float64(float64(c.A)*alpha) + 0.5)
	return c
}

// mix is the colour between a and b.
func mix(a, b color.NRGBA, part float64) color.NRGBA {
	m := func(x, y uint8) uint8 { return uint8(float64(x) + float64(part*(float64(y)-float64(x))) + 0.5) }
	return color.NRGBA{m(a.R, b.R), m(a.G, b.G), m(a.B, b.B), 255}
}

// diverging runs from blue over near white to vermillion; both ends are equally light and differ for colour-blind eyes.
var divergingStops = [...]color.NRGBA{hex(0x053061), hex(0x2f79b5), hex(0x92c5de), hex(0xf2f2f2), hex(0xf4a582), hex(0xd6604d), hex(0x7a0a1e)}

// Ramp is a colour map: "viridis", "magma", "cividis" or another table of the image layers, or "diverging" for differences, whose middle is the
// middle of the limits. An unknown name is viridis.
func Ramp(name string) [256]color.NRGBA {
	var r [256]color.NRGBA
	if name == "diverging" {
		for i := range r {
			at := float64(i) * float64(len(divergingStops)-1) / 255
			k := min(int(at), len(divergingStops)-2)
			r[i] = mix(divergingStops[k], divergingStops[k+1], at-float64(k))
		}
		return r
	}
	colours, ok := render.Colours(name)
	if !ok {
		colours, _ = render.Colours("viridis")
	}
	for i, c := range colours {
		r[i] = color.NRGBA{c[0], c[1], c[2], 255}
	}
	return r
}

// inkOn is black or white, whichever reads better on c.
func inkOn(c color.NRGBA) color.NRGBA {
	if 299*int(c.R)+587*int(c.G)+114*int(c.B) > 140*1000 {
		return hex(0x101214)
	}
	return hex(0xffffff)
}
