package render

import (
	"image"
	"math"
	"testing"

	"coverslip/viewer"
)

// family is a track that divides at frame 2 into two, one of which has a gap and divides again.
func family() []Track {
	return []Track{
		{ID: 1, Steps: []Step{{T: 0, Y: 10, X: 50}, {T: 1, Y: 20, X: 50}, {T: 2, Y: 30, X: 50}}},
		{ID: 2, Parent: 1, Steps: []Step{{T: 3, Y: 40, X: 30}, {T: 4, Y: 50, X: 30}}},
		{ID: 3, Parent: 1, Steps: []Step{{T: 3, Y: 40, X: 70}, {T: 6, Y: 60, X: 70}}},
		{ID: 4, Parent: 3, Steps: []Step{{T: 7, Y: 70, X: 60}}},
	}
}

func TestRoots(t *testing.T) {
	circle := []Track{{ID: 11, Parent: 12}, {ID: 12, Parent: 13}, {ID: 13, Parent: 12}, {ID: 14, Parent: 14}, {ID: 15, Parent: 99},
		{ID: 23, Parent: 22}, {ID: 22, Parent: 21}, {ID: 21, Parent: 23}}
	k := NewTracks(false, append(family(), circle...))
	for id, want := range map[int64]int64{1: 1, 2: 1, 3: 1, 4: 1, 11: 12, 12: 12, 13: 12, 14: 14, 15: 15, 21: 21, 22: 21, 23: 21, 77: 77} {
		if got := k.Root(id); got != want {
			t.Errorf("the root of %d is %d, expected %d", id, got, want)
		}
	}
	first, last, ok := k.Limits()
	if first != 0 || last != 7 || !ok || k.Count() != 12 {
		t.Errorf("frames %d to %d, %d tracks", first, last, k.Count())
	}
	if s, ok := k.At(3, 6); !ok || s.Y != 60 {
		t.Errorf("track 3 in frame 6: %+v %v", s, ok)
	}
	if _, ok := k.At(3, 5); ok {
		t.Error("track 3 is said to be in a frame that it lacks")
	}
}

// ink tells whether something is drawn within a pixel of an image point.
func ink(m *image.RGBA, cam Camera, y, x float64) bool {
	py, px := cam.ToDevice(viewer.Point{Y: y, X: x})
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			if c := m.RGBAAt(int(px)+dx, int(py)+dy); int(c.R)+int(c.G)+int(c.B) > 40 {
				return true
			}
		}
	}
	return false
}

// Tails go back as many frames as the view says; divisions join parent and daughters; gaps are dashed.
func TestTails(t *testing.T) {
	s := black()
	s.Tracks = []*Tracks{NewTracks(false, family())}
	type place struct{ y, x float64 }
	old, parent, left, right, gap, last := place{12, 50}, place{24, 50}, place{35, 40}, place{35, 60}, place{50, 70}, place{65, 65}
	for _, c := range []struct {
		t        int
		view     string
		yes, not []place
	}{
		{2, "answer=outline", []place{old, parent}, []place{left, right, gap}},
		{3, "answer=outline", []place{old, parent, left, right, {40, 30}, {40, 70}}, []place{gap, last}},
		{3, "answer=outline tail=2", []place{parent, left, right}, []place{old}},
		{3, "answer=outline tail=none", []place{{40, 30}, {40, 70}}, []place{old, parent, left, right}},
		{6, "answer=outline", []place{gap, {60, 70}}, []place{last}},
		{7, "answer=outline tail=1", []place{last, {70, 60}}, []place{gap, right}},
		{3, "answer=outline only=on focus=a2", []place{left}, []place{old, right}},
		{3, "errors=on", nil, []place{old, parent, left}},
		{3, "truth=outline", nil, []place{old, parent, left}},
		{9, "answer=outline project=max:t", []place{old, parent, left, right, gap, last}, nil},
	} {
		s.T = c.t
		v := parsed(t, "size=300x300 pixels=off "+c.view)
		m := image.NewRGBA(image.Rectangle{Max: v.Size})
		Compose(m, s, v)
		cam := CameraOf(v, 100, 100, 300, 300)
		for _, p := range c.yes {
			if !ink(m, cam, p.y, p.x) {
				t.Errorf("frame %d, %s: nothing at %v", c.t, c.view, p)
			}
		}
		for _, p := range c.not {
			if ink(m, cam, p.y, p.x) {
				t.Errorf("frame %d, %s: something at %v", c.t, c.view, p)
			}
		}
	}
}

func TestHitFindsTracks(t *testing.T) {
	s := black()
	s.T = 4
	s.Tracks = []*Tracks{NewTracks(false, family())}
	s.Points = []*Points{NewPoints(true, 0, []Point{{ID: 8, T: 4, Y: 51, X: 30, Class: 2, Value: 3}})}
	v := parsed(t, "size=300x300 answer=outline truth=outline")
	hit := func(y, x float64) (Hit, bool) { return s.Hit(v, 300, 300, 3*y, 3*x) }
	if h, ok := hit(50, 30.5); !ok || !h.Track || h.ID != 2 || h.T != 4 {
		t.Errorf("hit %+v %v, expected track 2 in frame 4", h, ok)
	}
	if h, ok := hit(51, 30); !ok || h.Track || h.ID != 8 || !h.Truth || h.Class != 2 || h.Value != 3 {
		t.Errorf("hit %+v %v, expected point 8", h, ok)
	}
	if h, ok := hit(20.4, 50.3); !ok || h.ID != 1 || h.T != 1 {
		t.Errorf("hit %+v %v, expected track 1 in frame 1", h, ok)
	}
	v.Tail = viewer.NoTail
	if h, ok := hit(20.4, 50.3); ok {
		t.Errorf("hit %+v on a tail that is not drawn", h)
	}
	if h, ok := s.Hit(v, 0, 0, 1, math.NaN()); ok {
		t.Errorf("hit %+v beside the picture", h)
	}
	v.Layout = viewer.Side
	if h, ok := s.Hit(v, 602, 300, 150, 90); !ok || h.Truth {
		t.Errorf("hit %+v %v on the left, expected the answer's track", h, ok)
	}
	if h, ok := s.Hit(v, 602, 300, 150, 302+90); !ok || !h.Truth {
		t.Errorf("hit %+v %v on the right, expected the truth's point", h, ok)
	}
}

// The ways of drawing a verdict differ without their colours: in ink along the line, and in its profile across.
func TestLinksDifferWithoutColour(t *testing.T) {
	type shape struct{ along, across int }
	seen := map[shape]Style{}
	for style := Match; style < styleCount; style++ {
		s := black()
		s.T = 1
		s.Tracks = []*Tracks{NewTracks(style == Missed, []Track{{ID: 1, Steps: []Step{{T: 0, Y: 50.125, X: 10, Style: style}, {T: 1, Y: 50.125, X: 90, Style: style}}}})}
		m := picture(t, s, "size=400x400 pixels=off errors=on")
		var k shape
		for x := 60; x < 160; x++ { // of the line's 320 pixels, away from its ends and from the x in its middle
			column := 0
			for y := 190; y < 210; y++ {
				c := m.RGBAAt(x, y)
				column += count01(int(c.R)+int(c.G)+int(c.B) > 90)
			}
			k.along += count01(column > 0)
			k.across = max(k.across, column)
		}
		k.along = (k.along + 5) / 20
		if other, ok := seen[k]; ok || k.along == 0 {
			t.Errorf("styles %d and %d both look like %+v", style, other, k)
		}
		seen[k] = style
	}
}

// Points' shapes differ without their colours: by where there is ink around the middle.
func TestPointsDifferWithoutColour(t *testing.T) {
	signature := map[string]string{}
	for name, c := range map[string]struct {
		style Style
		truth bool
	}{"answer": {Plain, false}, "truth": {Plain, true}, "match": {Match, false}, "wrong": {WeakLink, false}, "false": {Extra, false}, "missed": {Missed, true}, "double": {Double, false}} {
		s := black()
		s.Points = []*Points{NewPoints(c.truth, 0, []Point{{ID: 1, Y: 50, X: 50, Class: -1, Style: c.style}})}
		view := "errors=on"
		if c.style == Plain {
			view = "answer=outline truth=outline"
		}
		m := picture(t, s, "size=200x200 pixels=off zoom=1 at=50,50 "+view)
		var sign []byte
		for y := 88; y < 113; y++ {
			for x := 88; x < 113; x++ {
				c := m.RGBAAt(x, y)
				sign = append(sign, '0'+byte(count01(int(c.R)+int(c.G)+int(c.B) > 120)))
			}
		}
		for other, s := range signature {
			same := 0
			for i := range sign {
				same += count01(sign[i] != s[i])
			}
			if least := 24; same < least && !(name == "truth" && other == "match" || name == "match" && other == "truth") {
				t.Errorf("%s and %s differ in %d pixels", name, other, same)
			}
		}
		signature[name] = string(sign)
	}
}

// Where labels are shown, tails have their colours, also in frames that the label is not in.
func TestTailsHaveTheColoursOfLabels(t *testing.T) {
	l := PrepareLabels(speckle(60, 30, 2), nil)
	var tracks []Track
	for _, id := range append([]int64{5000}, l.IDs[1:]...) {
		tracks = append(tracks, Track{ID: id, Steps: []Step{{T: 0, Y: 5, X: 5}}})
	}
	s := &Scene{H: 60, W: 60, Answer: l, Tracks: []*Tracks{NewTracks(false, tracks)}}
	f := new(frame)
	for _, style := range []viewer.LabelStyle{viewer.Outline, viewer.Fill} {
		f.setupTracks(s, viewer.View{Answer: viewer.LabelLayer{Style: style}})
		for i := range tracks {
			got := unpack(f.tracks[0].colour(int32(i), 0, 0, Plain))
			if want, ok := l.Colour(tracks[i].ID); ok && got != want {
				t.Errorf("track %d is %v, its label %v", tracks[i].ID, got, want)
			}
		}
	}
	f.setupTracks(s, viewer.View{Answer: viewer.LabelLayer{Style: viewer.Outline}, Colour: viewer.ByLineage})
	if got := f.tracks[0].colour(3, 0, 0, Plain); got != trackColour(tracks[3].ID) {
		t.Errorf("by lineage it is %06x", got)
	}
}
