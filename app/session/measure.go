package session

import (
	"fmt"
	"image"
	"math"
	"strconv"

	"coverslip/viewer"
	"coverslip/viewer/render"
)

// Profile is the samples of all shown channels along the view's line, one every pixel, interpolated between the four nearest.
type Profile struct {
	At       []float64 // distance from the line's beginning, in Unit
	Unit     string    // "µm", or "px" where the pixel size is not known
	Channels []ProfileChannel
}

// ProfileChannel is one channel of a Profile. Values are NaN outside the image.
type ProfileChannel struct {
	Name   string
	Values []float64
}

// maxProfile bounds the samples of a profile.
const maxProfile = 1 << 16

// SetLine measures along a line between two image points; the zero Segment measures nothing.
func (s *Session) SetLine(l viewer.Segment) { s.change(func(v *viewer.View) { v.Line = l }) }

// Measure measures along the line between two points of the picture, in device pixels.
func (s *Session) Measure(y0, x0, y1, x1 float64) {
	from, okFrom := s.imagePoint(y0, x0)
	to, okTo := s.imagePoint(y1, x1)
	if okFrom && okTo {
		s.SetLine(viewer.Segment{From: from, To: to})
	}
}

// Profile measures along the view's line; false where there is no line or no picture.
func (s *Session) Profile() (Profile, bool) {
	l, scene := s.view.Line, s.picked.scene
	if scene == nil || l == (viewer.Segment{}) {
		return Profile{}, false
	}
	n := min(int(math.Ceil(math.Hypot(l.To.Y-l.From.Y, l.To.X-l.From.X)))+1, maxProfile)
	length, unit := s.lengthOf(l)
	p := Profile{Unit: unit, At: make([]float64, n)}
	points := make([]viewer.Point, n)
	for i := range n {
		f := float64(i) / math.Max(float64(n-1), 1)
		p.At[i] = f * length
		points[i] = viewer.Point{Y: l.From.Y + f*(l.To.Y-l.From.Y), X: l.From.X + f*(l.To.X-l.From.X)}
	}
	names := s.ChannelNames()
	for c := range scene.Channels {
		if c < len(names) && !names[c].On && !s.view.Single || s.view.Single && c != s.view.Channel {
			continue
		}
		ch := ProfileChannel{Name: fmt.Sprint("channel ", c+1), Values: make([]float64, n)}
		if c < len(names) && names[c].Name != "" {
			ch.Name = names[c].Name
		}
		for i, at := range points {
			ch.Values[i] = interpolated(&scene.Channels[c], scene.H, scene.W, at)
		}
		p.Channels = append(p.Channels, ch)
	}
	return p, true
}

// interpolated is the sample of a channel of an image of h x w pixels at an image point, linear between the centres of the four nearest
// pixels; NaN outside. Of a large plane it is made from means where nothing finer is held.
func interpolated(c *render.Channel, h, w int, at viewer.Point) float64 {
	if at.Y < 0 || at.X < 0 || at.Y >= float64(h) || at.X >= float64(w) {
		return math.NaN()
	}
	y, x := math.Max(at.Y-0.5, 0), math.Max(at.X-0.5, 0)
	y0, x0 := min(int(y), h-1), min(int(x), w-1)
	y1, x1 := min(y0+1, h-1), min(x0+1, w-1)
	fy, fx := y-float64(y0), x-float64(x0)
	sample := func(y, x int) float64 { v, _ := c.At(y, x); return v }
	top := sample(y0, x0)*(1-fx) + sample(y0, x1)*fx
	low := sample(y1, x0)*(1-fx) + sample(y1, x1)*fx
	return top*(1-fy) + low*fy
}

// lengthOf is the length of a line in micrometres where the pixel size is known, else in pixels.
func (s *Session) lengthOf(l viewer.Segment) (length float64, unit string) {
	dy, dx := l.To.Y-l.From.Y, l.To.X-l.From.X
	if o := s.picked.opened; o != nil {
		if c := o.Pixel(); c.X > 0 && c.Y > 0 {
			return math.Hypot(dy*c.Y, dx*c.X), "µm"
		}
	}
	return math.Hypot(dy, dx), "px"
}

// LineText says how long the view's line is and where it goes; "" without one.
func (s *Session) LineText() string {
	l := s.view.Line
	if l == (viewer.Segment{}) {
		return ""
	}
	length, unit := s.lengthOf(l)
	text := fmt.Sprintf("%s %s", strconv.FormatFloat(length, 'g', 4, 64), unit)
	if unit != "px" {
		text += fmt.Sprintf(" (%.1f px)", math.Hypot(l.To.Y-l.From.Y, l.To.X-l.From.X))
	}
	return text + fmt.Sprintf(", y %.1f x %.1f to y %.1f x %.1f", l.From.Y, l.From.X, l.To.Y, l.To.X)
}

// Measured is what is measured of one object on the plane shown.
type Measured struct {
	Side     string // "answer" or "truth"
	ID       int64
	Area     int     // pixels
	Physical float64 // area in µm², 0 where the pixel size is not known
	Box      image.Rectangle
	Y, X     float64 // centroid, array indices
	Channels []MeasuredChannel
}

// MeasuredChannel is the samples of one channel within an object.
type MeasuredChannel struct {
	Name               string
	Mean, SD, Min, Max float64 // SD with n as the divisor; NaN samples are left out
}

// MeasureFocus measures the objects in focus, the answer's and the truth's, as far as the plane shown has them.
func (s *Session) MeasureFocus() []Measured {
	scene := s.picked.scene
	if scene == nil {
		return nil
	}
	var list []Measured
	for _, side := range []struct {
		name   string
		labels *render.Labels
		id     int64
	}{{"answer", scene.Answer, s.view.Focus.Answer}, {"truth", scene.Truth, s.view.Focus.Truth}} {
		if m, ok := s.measure(side.labels, side.id); ok {
			m.Side = side.name
			list = append(list, m)
		}
	}
	return list
}

func (s *Session) measure(l *render.Labels, id int64) (Measured, bool) {
	box, ok := l.Box(id)
	if !ok {
		return Measured{}, false
	}
	m := Measured{ID: id, Box: box}
	var sumY, sumX float64
	inside := make([]image.Point, 0, box.Dx()*box.Dy())
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			if have, _ := l.At(y, x); have == id {
				inside = append(inside, image.Pt(x, y))
				sumY, sumX = sumY+float64(y), sumX+float64(x)
			}
		}
	}
	m.Area = len(inside)
	m.Y, m.X = sumY/float64(m.Area), sumX/float64(m.Area)
	if c := s.picked.opened.Pixel(); c.X > 0 && c.Y > 0 {
		m.Physical = float64(m.Area) * c.X * c.Y
	}
	names := s.ChannelNames()
	for c, ch := range s.picked.scene.Channels {
		mc := measureChannel(&ch, inside)
		if mc.Name = fmt.Sprint("channel ", c+1); c < len(names) && names[c].Name != "" {
			mc.Name = names[c].Name
		}
		m.Channels = append(m.Channels, mc)
	}
	return m, true
}

func measureChannel(c *render.Channel, inside []image.Point) MeasuredChannel {
	m := MeasuredChannel{Min: math.Inf(1), Max: math.Inf(-1)}
	n, sum := 0.0, 0.0
	for _, at := range inside {
		if v, _ := c.At(at.Y, at.X); !math.IsNaN(v) {
			n, sum = n+1, sum+v
			m.Min, m.Max = math.Min(m.Min, v), math.Max(m.Max, v)
		}
	}
	m.Mean = sum / n // NaN without samples
	squares := 0.0
	for _, at := range inside {
		if v, _ := c.At(at.Y, at.X); !math.IsNaN(v) {
			squares += (v - m.Mean) * (v - m.Mean)
		}
	}
	m.SD = math.Sqrt(squares / n)
	if n == 0 {
		m.Min, m.Max = math.NaN(), math.NaN()
	}
	return m
}
