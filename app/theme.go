package app

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"coverslip/app/session"
	"coverslip/scoring/report"
	"coverslip/viewer/render"
)

// Colours of the window beyond the toolkit's own names.
const (
	colourQuiet   fyne.ThemeColorName = "quiet"   // text that matters less
	colourHeading fyne.ThemeColorName = "heading" // names of panels
)

// Text sizes in dp.
const (
	sizeSmall    = 11
	sizeText     = 12.5
	sizeHeadline = 30
)

// quietTheme is dark, so that the image is the brightest thing in the window.
type quietTheme struct{ fyne.Theme }

func newTheme() fyne.Theme { return quietTheme{theme.DefaultTheme()} }

var palette = map[fyne.ThemeColorName]color.Color{
	colourQuiet:   color.NRGBA{0x9a, 0xa1, 0xa9, 0xff},
	colourHeading: color.NRGBA{0x7d, 0x86, 0x90, 0xff},
	// One ground for the whole window: every rectangle below the panels would be painted again with each frame, which takes software
	// GL longer than all the rest.
	theme.ColorNameBackground:        color.NRGBA{0x1b, 0x1d, 0x20, 0xff},
	theme.ColorNameForeground:        color.NRGBA{0xd4, 0xd8, 0xdc, 0xff},
	theme.ColorNamePlaceHolder:       color.NRGBA{0x8a, 0x91, 0x99, 0xff},
	theme.ColorNameDisabled:          color.NRGBA{0x80, 0x87, 0x8f, 0xff},
	theme.ColorNameButton:            color.NRGBA{0x2a, 0x2d, 0x32, 0xff},
	theme.ColorNameDisabledButton:    color.NRGBA{0x22, 0x24, 0x28, 0xff},
	theme.ColorNameInputBackground:   color.NRGBA{0x24, 0x27, 0x2b, 0xff},
	theme.ColorNameInputBorder:       color.NRGBA{0x3a, 0x3f, 0x45, 0xff},
	theme.ColorNameMenuBackground:    color.NRGBA{0x25, 0x28, 0x2c, 0xff},
	theme.ColorNameOverlayBackground: color.NRGBA{0x1f, 0x22, 0x25, 0xff},
	theme.ColorNameHeaderBackground:  color.NRGBA{0x1b, 0x1d, 0x20, 0xff},
	theme.ColorNameSeparator:         color.NRGBA{0x2c, 0x30, 0x35, 0xff},
	theme.ColorNameHover:             color.NRGBA{0xff, 0xff, 0xff, 0x0e},
	theme.ColorNameSelection:         color.NRGBA{0x34, 0x4b, 0x63, 0xff},
	theme.ColorNameFocus:             color.NRGBA{0x5b, 0x8f, 0xc4, 0x60},
	theme.ColorNamePrimary:           color.NRGBA{0x6c, 0xa4, 0xdc, 0xff},
	theme.ColorNameHyperlink:         color.NRGBA{0x86, 0xb7, 0xe8, 0xff},
	theme.ColorNameScrollBar:         color.NRGBA{0xff, 0xff, 0xff, 0x38},
	theme.ColorNameShadow:            color.NRGBA{0x00, 0x00, 0x00, 0x50},
	theme.ColorNameSuccess:           color.NRGBA{0x4f, 0xb3, 0x96, 0xff},
	theme.ColorNameWarning:           color.NRGBA{0xe6, 0xa8, 0x3c, 0xff},
	theme.ColorNameError:             color.NRGBA{0xe5, 0x73, 0x6b, 0xff},
}

// Color is dark whatever the desktop prefers.
func (t quietTheme) Color(name fyne.ThemeColorName, _ fyne.ThemeVariant) color.Color {
	if c, ok := palette[name]; ok {
		return c
	}
	return t.Theme.Color(name, theme.VariantDark)
}

var sizes = map[fyne.ThemeSizeName]float32{
	theme.SizeNameText:           sizeText,
	theme.SizeNameCaptionText:    sizeSmall,
	theme.SizeNameSubHeadingText: 14,
	theme.SizeNameHeadingText:    17,
	theme.SizeNamePadding:        3,
	theme.SizeNameInnerPadding:   6,
	theme.SizeNameLineSpacing:    3,
	theme.SizeNameInlineIcon:     16,
	theme.SizeNameScrollBar:      10,
	theme.SizeNameScrollBarSmall: 4,
}

// Size is more compact than the toolkit's own: this window shows much at once.
func (t quietTheme) Size(name fyne.ThemeSizeName) float32 {
	if s, ok := sizes[name]; ok {
		return s
	}
	return t.Theme.Size(name)
}

// colourOf looks a colour up in the theme in force.
func colourOf(name fyne.ThemeColorName) color.Color {
	if c, ok := palette[name]; ok {
		return c
	}
	return theme.Color(name)
}

// kindColour is the colour that the picture draws a kind of error in. It always stands beside the kind's name.
func kindColour(kind string) color.Color {
	style := session.StyleOf(report.Kind(kind))
	if style == render.Plain {
		return colourOf(colourQuiet)
	}
	c := render.StyleColour(style)
	return color.NRGBA{c[0], c[1], c[2], 0xff}
}
