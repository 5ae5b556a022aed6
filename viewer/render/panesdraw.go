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
	fillPanes(dst, panes, paneGap*v.LinePixel())
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
		frame.pix, frame.w, frame.h = dst.Pix[:4*w*h], w, h
		frame.setPen(v, CameraOf(v, s.H, s.W, w, h))
		frame.drawCurtain(splitColumn(v, w))
		if v.Bar {
			frame.drawBar(s.Calibration.X)
		}
	}
}

// fillPanes draws what lies between the panes, and where a grid or the corner of the sections is empty.
func fillPanes(dst *image.RGBA, panes []Pane, gap int) {
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
	if corner := image.Rect(last.Max.X+gap, last.Min.Y, w, h); !corner.Empty() {
		for y := corner.Min.Y; y < corner.Max.Y; y++ {
			fillRow(dst.Pix[4*(w*y+corner.Min.X):4*w*(y+1)], outsideColour)
		}
	}
}

// drawTitles writes a pane's title and below it the badge, where they fit.
func (f *frame) drawTitles(title, badge string) {
	n := f.density
	y := textMargin / 2 * n
	for _, text := range []string{title, badge} {
		if text == "" || f.w < 2*textMargin*n || f.h < y+textFace.Height*n {
			continue
		}
		f.drawText(text, y, textMargin*n)
		y += (textFace.Height + 2) * n
	}
}

const (
	knobHeight = 36 // line pixels of the curtain's handle
	knobWidth  = 8
)

// drawCurtain draws the curtain's line, white between dark ones, and its handle in the middle.
func (f *frame) drawCurtain(x int) {
	n := f.density
	f.block(0, x-2*n, f.h, 4*n, blackColour, 150, 106)
	f.block(0, x-n, f.h, 2*n, inkColour, 256, 0)
	top := (f.h/n/2 - knobHeight/2) * n
	f.block(top-n, x-(knobWidth/2+1)*n, (knobHeight+2)*n, (knobWidth+2)*n, blackColour, 150, 106)
	f.block(top, x-knobWidth/2*n, knobHeight*n, knobWidth*n, inkColour, 256, 0)
	for _, dx := range []int{-2, 1} { // ridges
		f.block(top+8*n, x+dx*n, (knobHeight-16)*n, n, blackColour, 130, 126)
	}
}
