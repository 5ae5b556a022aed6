package render

import (
	"image"
	"math"
	"strconv"

	"golang.org/x/image/font/inconsolata"
	"golang.org/x/image/math/fixed"
)

var (
	inkColour = rgb(0xffffff)
	textFace  = inconsolata.Bold8x16 // glyphs are bitmaps, so text is the same everywhere
)

const (
	textMargin = 12 // line pixels from the picture's border
	barHeight  = 4
	barShare   = 5 // the bar is at most this part of the picture's width
)

// barLength is the longest length 1, 2 or 5 times a power of ten that is not over limit. limit > 0.
func barLength(limit float64) float64 {
	power := math.Floor(math.Log10(limit))
	unit := math.Pow(10, power)
	for _, k := range [...]float64{10, 5, 2, 1} {
		if float64(k*unit) <= limit {
			return k * unit
		}
	}
	return unit
}

// drawBar draws the scale bar bottom right; micrometres are per image pixel, 0 for unknown.
func (f *frame) drawBar(micrometres float64) {
	if !(micrometres > 0) || math.IsInf(micrometres, 0) {
		return
	}
	n := f.density
	room := float64(min(f.w/n/barShare, f.w/n-2*textMargin))
	limit := room / f.pen.Scale * micrometres
	if room < 8 || !(limit > 1e-6 && limit < 1e9) {
		return
	}
	length := barLength(limit)
	pixels := int(math.Floor(length/micrometres*f.cam.Scale + 0.5))
	x, y := f.w-textMargin*n-pixels, f.h-(textMargin+barHeight)*n
	f.block(y-n, x-n, (barHeight+2)*n, pixels+2*n, blackColour, 150, 106)
	f.block(y, x, barHeight*n, pixels, inkColour, 256, 0)
	text := lengthText(f.digits[:0], length)
	wide := textWidth(text) * n
	left := min(x+(pixels-wide)/2, f.w-textMargin*n-wide)
	f.drawBytes(text, y-(textFace.Height+3)*n, left)
}

// lengthText writes a length in micrometres with the unit a biologist would use.
func lengthText(b []byte, micrometres float64) []byte {
	unit := " µm"
	switch {
	case micrometres < 0.9999:
		micrometres, unit = micrometres*1000, " nm"
	case micrometres > 999.9:
		micrometres, unit = micrometres/1000, " mm"
	}
	if whole := math.Round(micrometres); math.Abs(micrometres-whole) < 1e-6*whole {
		b = strconv.AppendInt(b, int64(whole), 10)
	} else {
		b = strconv.AppendFloat(b, micrometres, 'g', 3, 64)
	}
	return append(b, unit...)
}

// block blends a rectangle of h x w device pixels, clipped to the picture.
func (f *frame) block(y, x, h, w int, colour, ink, keep uint32) {
	keep = min(keep, 256-ink)
	for py := max(y, 0); py < min(y+h, f.h); py++ {
		row := f.pix[4*f.w*py : 4*f.w*(py+1)]
		for px := max(x, 0); px < min(x+w, f.w); px++ {
			blend(row, px, colour, ink, keep)
		}
	}
}

// textWidth is in line pixels.
func textWidth(text []byte) int {
	n := 0
	for range string(text) {
		n++
	}
	return n * textFace.Advance
}

// drawText writes text with a dark halo, its upper left corner at (y, x).
func (f *frame) drawText(text string, y, x int) {
	for pass := range 2 {
		at := x
		for _, r := range text {
			f.glyph(r, y, at, pass == 0)
			at += textFace.Advance * f.density
		}
	}
}

func (f *frame) drawBytes(text []byte, y, x int) {
	for pass := range 2 {
		at := x
		for _, r := range string(text) {
			f.glyph(r, y, at, pass == 0)
			at += textFace.Advance * f.density
		}
	}
}

// glyph draws one character, or only its halo, its pixels as line pixels.
func (f *frame) glyph(r rune, y, x int, halo bool) {
	n := f.density
	if x > f.w || x < -textFace.Advance*n {
		return
	}
	bounds, mask, from, _, ok := textFace.Glyph(fixed.P(0, textFace.Ascent), r)
	if !ok {
		return
	}
	alpha, ok := mask.(*image.Alpha)
	if !ok {
		return
	}
	for dy := range bounds.Dy() {
		for dx := range bounds.Dx() {
			a := uint32(alpha.AlphaAt(from.X+dx, from.Y+dy).A)
			if a == 0 {
				continue
			}
			py, px := y+(bounds.Min.Y+dy)*n, x+(bounds.Min.X+dx)*n
			if halo {
				f.block(py-n, px-n, 3*n, 3*n, blackColour, 0, 256-a*3/8)
			} else {
				f.block(py, px, n, n, inkColour, a+a>>7, 256)
			}
		}
	}
}
