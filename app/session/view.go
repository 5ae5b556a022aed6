package session

import (
	"fmt"
	"image"

	"coverslip/datasets/fault"
	"coverslip/viewer"
	"coverslip/viewer/render"
)

// DefaultView is how a picture is shown at first: the image with the errors over it and a scale bar.
func DefaultView() viewer.View { return viewer.View{Errors: true, Bar: true} }

// View is the view as the user set it.
func (s *Session) View() viewer.View { return s.view }

// Shown is the view to draw now: with the size of the picture, and while blinking with only answer or truth. While another image is
// being read it is the last view of the picture on screen.
func (s *Session) Shown() viewer.View {
	v := s.view
	if p := &s.picked; p.scene != nil && p.loaded.src != p.wanted.src {
		v = p.view.WithDensity(v.LinePixel())
	}
	v.Size = s.pictureSize()
	if s.blink {
		other := s.picked.scene != nil && s.picked.scene.Other != nil
		v = blinked(v, s.blinkTruth && !other) // two runs are two scenes, each with its answer
	}
	return v.Normal()
}

// blinked shows only the answer or only the truth, both in the same place, even of a comparison in two panes.
func blinked(v viewer.View, truth bool) viewer.View {
	if compares(v.Layout) {
		v.Layout = viewer.One
	}
	style := viewer.Outline
	if v.Answer.Style == viewer.Fill || v.Truth.Style == viewer.Fill {
		style = viewer.Fill
	}
	v.Errors, v.Focus = false, viewer.Focus{}
	v.Answer.Style, v.Truth.Style = style, viewer.Hidden
	if truth {
		v.Answer.Style, v.Truth.Style = viewer.Hidden, style
	}
	return v
}

// defaultPicture is the size that is assumed before a window says otherwise.
var defaultPicture = image.Pt(1000, 750)

func (s *Session) pictureSize() image.Point {
	if s.picture.X <= 0 || s.picture.Y <= 0 {
		return defaultPicture.Mul(s.view.LinePixel())
	}
	return s.picture
}

// SetPictureSize tells the size of the picture on screen in device pixels, and how many of them make a pixel of its lines and texts.
func (s *Session) SetPictureSize(w, h, density int) {
	s.view = s.view.WithDensity(density)
	if size := image.Pt(w, h); size != s.picture {
		s.picture = size
		s.post(s.sharpen) // the picture is being drawn
	}
}

// SetView shows another view: its image and compartment by name, its plane, layers and place.
func (s *Session) SetView(v viewer.View) error {
	v = v.Normal()
	image, part, err := s.locate(v)
	if err != nil {
		return err
	}
	if v.Other != "" && s.other(v.Other) == nil {
		return s.noRun(v.Other)
	}
	s.batch(func() {
		if e := s.entry(); e != nil {
			e.image, e.part = image, part
		}
		s.picked.middle = false
		v.Size = s.view.Size
		s.view = v.WithDensity(s.view.LinePixel())
		s.view.Image, s.view.Part = s.imageName(), s.currentPart().Name
		s.load()
		s.picked.freeze = false
		s.view.Tones = v.Tones
		s.changed(ViewChanged | Images)
	})
	return nil
}

// locate finds the image and compartment that a view names; empty names keep the present ones.
func (s *Session) locate(v viewer.View) (im, part int, err error) {
	im, part = max(0, s.Image()), s.Part()
	if v.Image != "" {
		if im = indexOfImage(s.images(), v.Image); im < 0 {
			return 0, 0, &fault.Error{Kind: fault.Missing, At: "image=" + v.Image, Found: "no image of that name", Expected: "an image of the open task"}
		}
	}
	if images := s.images(); v.Part != "" && im < len(images) {
		if part = images[im].partNamed(v.Part); part < 0 {
			return 0, 0, &fault.Error{Kind: fault.Missing, At: "part=" + v.Part, Found: "no compartment of that name", Expected: "a compartment of the image"}
		}
	}
	return im, part, nil
}

func indexOfImage(images []Image, name string) int {
	for i := range images {
		if images[i].Name == name {
			return i
		}
	}
	return -1
}

func (im Image) partNamed(name string) int {
	for i, p := range im.Parts {
		if p.Name == name {
			return i
		}
	}
	return -1
}

// change edits the view and redraws; planes are read only if another one is asked for.
func (s *Session) change(edit func(v *viewer.View)) {
	s.batch(func() {
		edit(&s.view)
		s.changed(ViewChanged)
		s.load()
	})
}

// StepZ moves n slices on, to the first or last at most.
func (s *Session) StepZ(n int) { s.SetZ(s.view.Z + n) }

// StepT moves n times on, to the first or last at most.
func (s *Session) StepT(n int) { s.SetT(s.view.T + n) }

// SetZ goes to a slice.
func (s *Session) SetZ(z int) {
	if z = max(0, min(z, s.picked.shape.Z-1)); z != s.view.Z {
		s.picked.middle = false
		s.change(func(v *viewer.View) { v.Z = z })
	}
}

// SetT goes to a time.
func (s *Session) SetT(t int) {
	if t = max(0, min(t, s.picked.shape.T-1)); t != s.view.T {
		s.picked.middle = false
		s.change(func(v *viewer.View) { v.T = t })
	}
}

// ToggleAnswer shows or hides the answer's labels, in the style they had. Its outlines and the errors layer are the same borders, so
// that showing one hides the other.
func (s *Session) ToggleAnswer() {
	s.change(func(v *viewer.View) {
		toggle(&v.Answer, v.Truth.Style)
		if v.Answer.Style == viewer.Outline {
			v.Errors = false
		}
	})
}

// ToggleTruth shows or hides the truth's labels.
func (s *Session) ToggleTruth() {
	s.change(func(v *viewer.View) { toggle(&v.Truth, v.Answer.Style) })
}

// toggle shows a hidden layer in the style of its neighbour, outline if that is hidden too.
func toggle(l *viewer.LabelLayer, neighbour viewer.LabelStyle) {
	switch {
	case l.Style != viewer.Hidden:
		l.Style = viewer.Hidden
	case neighbour == viewer.Fill:
		l.Style = viewer.Fill
	default:
		l.Style = viewer.Outline
	}
}

// CycleLabelStyle turns outlines to fills and back; if no labels are shown it shows the answer's.
func (s *Session) CycleLabelStyle() {
	s.change(func(v *viewer.View) {
		if v.Answer.Style == viewer.Hidden && v.Truth.Style == viewer.Hidden {
			v.Answer.Style, v.Errors = viewer.Outline, false
			return
		}
		for _, l := range []*viewer.LabelLayer{&v.Answer, &v.Truth} {
			switch l.Style {
			case viewer.Outline:
				l.Style = viewer.Fill
			case viewer.Fill:
				l.Style = viewer.Outline
			}
		}
	})
}

// ToggleErrors shows or hides the errors layer; the answer's outlines make room for it.
func (s *Session) ToggleErrors() {
	s.change(func(v *viewer.View) {
		v.Errors = !v.Errors
		if v.Errors && v.Answer.Style == viewer.Outline {
			v.Answer.Style = viewer.Hidden
		}
	})
}

// ToggleBar shows or hides the scale bar.
func (s *Session) ToggleBar() { s.change(func(v *viewer.View) { v.Bar = !v.Bar }) }

// ToggleTiles shows or hides the borders of a mosaic's tiles.
func (s *Session) ToggleTiles() { s.change(func(v *viewer.View) { v.Tiles = !v.Tiles }) }

// HasTiles tells whether the image on screen is a mosaic.
func (s *Session) HasTiles() bool {
	return s.picked.opened != nil && s.picked.opened.Input != nil && s.picked.opened.Input.Stack.Mosaic != nil
}

// ToggleImage shows or hides the image below the layers.
func (s *Session) ToggleImage() { s.change(func(v *viewer.View) { v.HideImage = !v.HideImage }) }

// ToggleSingle switches between one channel in grey and the composite of all.
func (s *Session) ToggleSingle() { s.change(func(v *viewer.View) { v.Single = !v.Single }) }

// ToggleChannel shows or hides a channel; in single mode it shows that channel.
func (s *Session) ToggleChannel(c int) {
	if c < 0 || c >= s.picked.shape.C {
		return
	}
	s.change(func(v *viewer.View) {
		if v.Single {
			v.Channel = c
		} else {
			*v = v.ToggleChannel(c)
		}
	})
}

// SetTone sets how a channel is shown.
func (s *Session) SetTone(c int, t viewer.Tone) {
	if c >= 0 && c < s.picked.shape.C {
		s.change(func(v *viewer.View) { *v = v.WithTone(c, t) })
	}
}

// AutoContrast fits the contrast of all channels to the plane on screen.
func (s *Session) AutoContrast() {
	if s.picked.scene == nil {
		return
	}
	s.change(func(v *viewer.View) {
		for c := range s.picked.scene.Channels {
			t := v.Tone(c)
			t.Lo, t.Hi = 0, 0
			*v = v.WithTone(c, t)
		}
		s.freezeContrast()
	})
}

// Fit shows the whole image.
func (s *Session) Fit() { s.change(func(v *viewer.View) { *v = v.Fit() }) }

// ZoomBy zooms about a point of the picture, in device pixels, which stays where it is.
func (s *Session) ZoomBy(factor, y, x float64) {
	if s.picked.scene != nil {
		s.change(func(v *viewer.View) {
			*v = v.ZoomAbout(s.inPane(y, x), factor, s.imageSize(), s.paneSize())
		})
	}
}

// ZoomCentred zooms about the middle of the picture, or of each pane.
func (s *Session) ZoomCentred(factor float64) {
	if s.picked.scene != nil {
		s.change(func(v *viewer.View) {
			size := s.paneSize()
			*v = v.ZoomAbout(viewer.Point{Y: float64(size.Y) / 2, X: float64(size.X) / 2}, factor, s.imageSize(), size)
		})
	}
}

// Pan moves the picture by device pixels.
func (s *Session) Pan(dy, dx float64) {
	if s.picked.scene != nil {
		s.change(func(v *viewer.View) { *v = v.Pan(dy, dx, s.imageSize(), s.paneSize()) })
	}
}

func (s *Session) imageSize() image.Point { return image.Pt(s.picked.shape.X, s.picked.shape.Y) }

// imagePoint is the image point under a point of the picture, in device pixels.
func (s *Session) imagePoint(y, x float64) (viewer.Point, bool) {
	at, ok := s.spot(y, x)
	return at.Point, ok
}

// SetBlink starts or ends the comparison by blinking; it begins with the truth.
func (s *Session) SetBlink(on bool) {
	if on != s.blink {
		s.blink, s.blinkTruth = on, true
		s.changed(ViewChanged)
	}
}

// BlinkStep flips between answer and truth.
func (s *Session) BlinkStep() {
	if s.blink {
		s.blinkTruth = !s.blinkTruth
		s.changed(ViewChanged)
	}
}

// CopyImage draws what is shown: the bytes that `coverslip render --view TEXT` gives for Shown().String().
func (s *Session) CopyImage() (*image.RGBA, error) {
	if s.picked.scene == nil {
		return nil, &fault.Error{Kind: fault.Missing, Found: "no picture on screen", Fix: "Open an image first"}
	}
	v := s.Shown()
	dst := image.NewRGBA(image.Rectangle{Max: v.Size})
	render.Compose(dst, s.picked.scene, v)
	return dst, nil
}

// CopyImageAt draws what is shown with so many times the pixels along each side; lines, texts and the scale bar are as much larger. Large
// pictures take seconds: a window draws them by DrawSeries. It is an error where the picture would be larger than viewer.MaxArea or
// its lines wider than viewer.MaxDensity.
func (s *Session) CopyImageAt(times int) (*image.RGBA, error) {
	if s.picked.scene == nil || times == 1 {
		return s.CopyImage()
	}
	v, err := s.finer(times)
	if err != nil {
		return nil, err
	}
	scene, err := s.loader.sharpened(s.ctx, s.picked.opened, s.picked.scene, v)
	if err != nil {
		return nil, err
	}
	dst := image.NewRGBA(image.Rectangle{Max: v.Size})
	render.Compose(dst, scene, v)
	return dst, nil
}

// finer is the view to draw with so many times the pixels along each side.
func (s *Session) finer(times int) (viewer.View, error) {
	shown := s.Shown()
	v, ok := shown.Finer(times)
	if !ok {
		return v, &fault.Error{Kind: fault.Unsupported, At: "size", Found: fmt.Sprintf("a picture of %d x %d pixels, %d times", shown.Size.X, shown.Size.Y, times),
			Expected: fmt.Sprintf("at most %d pixels in all, %d along a side, %d times", viewer.MaxArea, viewer.MaxSide, viewer.MaxDensity/shown.LinePixel())}
	}
	return v, nil
}
