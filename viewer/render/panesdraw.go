package render

import (
	"image"

	"coverslip/viewer"
)

// composePanes draws every pane by itself and puts it in its place.
func composePanes(dst *image.RGBA, panes []Pane, s *Scene, v viewer.View, workers int) {
	w, h := dst.Rect.Dx(), dst.Rect.Dy()
	frame := takeFrame()
	defer frame.release()
	fillPanes(dst, panes)
	for i := range panes {
		p := &panes[i]
		pw, ph := p.Rect.Dx(), p.Rect.Dy()
		frame.tight = grow(frame.tight, 4*pw*ph)
		p.View.Bar = p.View.Bar && p.bar
		frame.compose(frame.tight, p.Scene, p.View, p.Camera, pw, ph, workers)
		if v.Layout == viewer.Ortho {
			frame.drawCross(p, CrossOf(s, v), v.Z)
		}
		badge := ""
		if i == 0 {
			badge = s.Badge
		}
		frame.drawTitles(p.Title, badge)
		for y := range ph {
			copy(dst.Pix[dst.PixOffset(dst.Rect.Min.X+p.Rect.Min.X, dst.Rect.Min.Y+p.Rect.Min.Y+y):], frame.tight[4*pw*y:4*pw*(y+1)])
		}
	}
	if v.Layout == viewer.Curtain {
		frame.pix, frame.w, frame.h, frame.cam = dst.Pix[:4*w*h], w, h, CameraOf(v, s.H, s.W, w, h)
		frame.drawCurtain(splitColumn(v, w))
		if v.Bar {
			frame.drawBar(s.Calibration.X)
		}
	}
}

// fillPanes draws what lies between the panes, and where a grid or the corner of the sections is empty.
func fillPanes(dst *image.RGBA, panes []Pane) {
	w, h := dst.Rect.Dx(), dst.Rect.Dy()
	covered := 0
	for _, p := range panes {
		covered += p.Rect.Dx() * p.Rect.Dy()
	}
	if covered == w*h {
		return
	}
	fillRow(dst.Pix[:4*w*h], borderColour)
	last := panes[len(panes)-1].Rect
	if corner := image.Rect(last.Max.X+paneGap, last.Min.Y, w, h); !corner.Empty() {
		for y := corner.Min.Y; y < corner.Max.Y; y++ {
			fillRow(dst.Pix[4*(w*y+corner.Min.X):4*w*(y+1)], outsideColour)
		}
	}
}

// drawTitles writes a pane's title and below it the badge, where they fit.
func (f *frame) drawTitles(title, badge string) {
	y := textMargin / 2
	for _, text := range []string{title, badge} {
		if text == "" || f.w < 2*textMargin || f.h < y+textFace.Height {
			continue
		}
		f.drawText(text, y, textMargin)
		y += textFace.Height + 2
	}
}

const (
	knobHeight = 36 // device pixels of the curtain's handle
	knobWidth  = 8
)

// drawCurtain draws the curtain's line, white between dark ones, and its handle in the middle.
func (f *frame) drawCurtain(x int) {
	f.block(0, x-2, f.h, 4, blackColour, 150, 106)
	f.block(0, x-1, f.h, 2, inkColour, 256, 0)
	top := f.h/2 - knobHeight/2
	f.block(top-1, x-knobWidth/2-1, knobHeight+2, knobWidth+2, blackColour, 150, 106)
	f.block(top, x-knobWidth/2, knobHeight, knobWidth, inkColour, 256, 0)
	for _, dx := range []int{-2, 1} { // ridges
		f.block(top+8, x+dx, knobHeight-16, 1, blackColour, 130, 126)
	}
}
