package render

import (
	"math"
)

// overlaid is the test tissue with points, tracks and fields of both sides over it: frames 0 to 11, of which 6 is shown. Every kind
// of verdict occurs.
func overlaid(side, pitch int) *Scene {
	t := newTissue(side, pitch)
	s := t.scene()
	s.T = 6
	var answer, truth []Point
	var tracks, trueTracks []Track
	rnd := noise(3)
	for i, c := range t.cells {
		id := int64(i + 1)
		p := Point{ID: id, T: 6, Y: c.y, X: c.x, Class: i % 4, Value: c.bright}
		q := p
		q.Y, q.X = q.Y+1.5*(rnd.unit()-0.5), q.X+1.5*(rnd.unit()-0.5)
		q.Style, p.Style = Match, Match
		switch i % 6 {
		case 1:
			q.Class, q.Style, p.Style = (i+1)%4, WeakLink, WeakLink
		case 2:
			p.Style = Missed
		case 3:
			q.Style = Extra
		case 4:
			q.Style = Double
		}
		if q.Style != Extra {
			truth = append(truth, p)
		}
		if p.Style != Missed {
			answer = append(answer, q)
		}
		k := wander(id, c, &rnd)
		trueTracks = append(trueTracks, k)
		tracks = append(tracks, judged(k, i))
	}
	tracks, trueTracks = divide(tracks), divide(trueTracks)
	s.Points = []*Points{NewPoints(false, 6, answer), NewPoints(true, 6, truth)}
	s.Tracks = []*Tracks{NewTracks(false, tracks), NewTracks(true, trueTracks)}
	s.Arrows = []*Arrows{whirl(side, 0.4, false), whirl(side, 0, true)}
	return s
}

// wander is a track that ends at a nucleus in frame 6 and goes on.
func wander(id int64, c nucleus, rnd *noise) Track {
	k := Track{ID: id}
	turn := rnd.unit() * 6
	for t := range 12 {
		if id%9 == 4 && (t == 3 || t == 4) {
			continue // a gap
		}
		back := float64(6 - t)
		k.Steps = append(k.Steps, Step{T: t, Y: c.y - back*1.6*math.Sin(turn+back/5) + 0.6*rnd.unit(),
			X: c.x - back*1.6*math.Cos(turn+back/5) + 0.6*rnd.unit()})
	}
	return k
}

// judged is an answer's track for a true one, with the verdicts that a scorer would give its steps.
func judged(k Track, i int) Track {
	steps := make([]Step, len(k.Steps))
	for n, s := range k.Steps {
		s.Y, s.X, s.Style = s.Y+0.4, s.X-0.3, Match
		switch {
		case i%5 == 1:
			s.Style = Extra
		case i%5 == 2 && n > 3:
			s.Style = Missed
		case i%5 == 3 && n == 5:
			s.Style = Double
		}
		steps[n] = s
	}
	k.Steps = steps
	return k
}

// divide cuts every seventh track at frame 4 and gives it two daughters.
func divide(tracks []Track) []Track {
	n := len(tracks)
	for i := 0; i < n; i += 7 {
		k := tracks[i]
		for d := range 2 {
			daughter := Track{ID: int64(1000 + 2*i + d), Parent: k.ID}
			for _, s := range k.Steps[5:] {
				s.X += float64(2*d-1) * 1.1 * float64(s.T-3)
				daughter.Steps = append(daughter.Steps, s)
			}
			tracks = append(tracks, daughter)
		}
		tracks[i].Steps = k.Steps[:5]
	}
	return tracks
}

// whirl is a field that turns around the middle, with a corner that is not known.
func whirl(side int, turned float64, truth bool) *Arrows {
	const step = 4
	n := side / step
	dy, dx := make([]float32, n*n), make([]float32, n*n)
	for i := range n {
		for j := range n {
			y, x := float64(i-n/2)/float64(n), float64(j-n/2)/float64(n)
			a := math.Atan2(x, -y) + turned*float64(j-n/2)*8/float64(n)
			speed := math.Hypot(y, x)
			dy[i*n+j], dx[i*n+j] = float32(speed*math.Sin(a)), float32(speed*math.Cos(a))
			if i < n/5 && j < n/5 {
				dy[i*n+j] = float32(math.NaN())
			}
		}
	}
	return NewArrows(truth, n, n, step, step, dy, dx)
}

// stacked is a flat scene's points spread over the slices of a stack.
func stacked(side, pitch, depth int) *Scene {
	s := overlaid(side, pitch)
	s.Depth, s.Z = depth, depth/2
	s.Tracks, s.Arrows = nil, nil
	for i, p := range s.Points {
		items := append([]Point(nil), p.items...)
		for k := range items {
			items[k].Z = float64(items[k].ID%int64(depth)) + 0.5
		}
		s.Points[i] = NewPoints(p.Truth, p.Radius, items)
	}
	return s
}

// only keeps some kinds of overlays of a scene.
func (s *Scene) with(points, tracks, arrows, labels bool) *Scene {
	c := *s
	if !points {
		c.Points = nil
	}
	if !tracks {
		c.Tracks = nil
	}
	if !arrows {
		c.Arrows = nil
	}
	if !labels {
		c.Answer, c.Truth = nil, nil
	}
	return &c
}
