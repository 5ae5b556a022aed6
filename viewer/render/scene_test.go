package render

import (
	"math"

	"coverslip/datasets/raster"
)

// noise is a small generator, so that test pictures do not depend on a library's.
type noise uint64

func (n *noise) next() uint64 {
	*n++
	return mix(uint64(*n))
}

// unit is between 0 and 1.
func (n *noise) unit() float64 { return float64(n.next()>>11) / (1 << 53) }

// nucleus is a wobbly ellipse.
type nucleus struct{ y, x, r, long, sin, cos, wobble, phase, bright float64 }

// depth is 0 at the border, 1 at the centre, negative outside.
func (c nucleus) depth(y, x float64) float64 {
	dy, dx := y-c.y, x-c.x
	u := (dx*c.cos + dy*c.sin) / c.long
	v := (-dx*c.sin + dy*c.cos) * c.long
	r := c.r * (1 + c.wobble*math.Sin(3*math.Atan2(v, u)+c.phase))
	return 1 - math.Hypot(u, v)/r
}

// tissue is a synthetic field of nuclei: a uint16 plane and its label image.
type tissue struct {
	side   int
	cells  []nucleus
	pixels []uint16
	labels []uint16
}

// newTissue places about (side/pitch)^2 nuclei on a jittered grid; where they overlap the nearer one wins, so many touch.
func newTissue(side, pitch int) *tissue {
	t := &tissue{side: side, pixels: make([]uint16, side*side), labels: make([]uint16, side*side)}
	rnd := noise(7)
	for i := range t.pixels {
		t.pixels[i] = uint16(180 + 90*rnd.unit() + 40*math.Sin(float64(i%side)/90)*math.Cos(float64(i/side)/70))
	}
	for gy := pitch / 2; gy < side; gy += pitch {
		for gx := pitch / 2; gx < side; gx += pitch {
			p := float64(pitch)
			turn := rnd.unit() * math.Pi
			c := nucleus{y: float64(gy) + p*0.35*(rnd.unit()-0.5), x: float64(gx) + p*0.35*(rnd.unit()-0.5),
				r: p * (0.34 + 0.18*rnd.unit()), long: 1 + 0.3*rnd.unit(), sin: math.Sin(turn), cos: math.Cos(turn),
				wobble: 0.08 * rnd.unit(), phase: rnd.unit() * 6, bright: 700 + 1600*rnd.unit()}
			t.cells = append(t.cells, c)
		}
	}
	t.paint(&rnd)
	return t
}

func (t *tissue) paint(rnd *noise) {
	best := make([]float64, len(t.labels))
	for i, c := range t.cells {
		reach := c.r * 1.6
		for y := max(int(c.y-reach), 0); y < min(int(c.y+reach)+1, t.side); y++ {
			for x := max(int(c.x-reach), 0); x < min(int(c.x+reach)+1, t.side); x++ {
				d := c.depth(float64(y)+0.5, float64(x)+0.5)
				k := y*t.side + x
				glow := c.bright * math.Exp(math.Min(d, 0)*14) * (0.8 + 0.3*math.Max(d, 0)) * (0.85 + 0.3*rnd.unit())
				t.pixels[k] = max(t.pixels[k], uint16(180+glow))
				if d > best[k] {
					best[k] = d
					t.labels[k] = uint16(i + 1)
				}
			}
		}
	}
}

func (t *tissue) plane() raster.Plane {
	return raster.Plane{H: t.side, W: t.side, Type: raster.Uint16, Values: t.pixels}
}

func (t *tissue) truth() raster.Plane {
	return raster.Plane{H: t.side, W: t.side, Type: raster.Uint16, Values: t.labels}
}

// answer is an agent's label image: shifted by a pixel, every 7th object missed, every 11th cut in two, and blobs of
// background called objects; with the styles that a scorer would give both sides.
func (t *tissue) answer() (p raster.Plane, answer, truth map[int64]Style) {
	out := make([]uint16, len(t.labels))
	answer, truth = map[int64]Style{}, map[int64]Style{}
	n := len(t.cells)
	for i := t.side + 1; i < len(out); i++ {
		v := int(t.labels[i-t.side-1])
		if v == 0 || v%7 == 0 {
			continue
		}
		if v%11 == 0 && float64(i%t.side) > t.cells[v-1].x {
			v += n
		}
		out[i] = uint16(v)
	}
	for v := 1; v <= n; v++ {
		switch {
		case v%7 == 0:
			truth[int64(v)] = Missed
		case v%11 == 0:
			answer[int64(v)], answer[int64(v+n)], truth[int64(v)] = Double, Double, Double
		case v%5 == 0:
			answer[int64(v)], truth[int64(v)] = WeakLink, WeakLink
		default:
			answer[int64(v)], truth[int64(v)] = Match, Match
		}
	}
	t.addFalse(out, 2*n+1, answer)
	return raster.Plane{H: t.side, W: t.side, Type: raster.Uint16, Values: out}, answer, truth
}

func (t *tissue) addFalse(out []uint16, id int, styles map[int64]Style) {
	rnd := noise(99)
	for k := 0; k < len(t.cells)/6; k++ {
		y, x := int(rnd.unit()*float64(t.side-20)), int(rnd.unit()*float64(t.side-20))
		r := 5 + int(rnd.unit()*6)
		painted := false
		for dy := -r; dy <= r; dy++ {
			for dx := -r; dx <= r; dx++ {
				if i := (y+dy)*t.side + x + dx; y+dy >= 0 && x+dx >= 0 && dy*dy+dx*dx <= r*r && out[i] == 0 && t.labels[i] == 0 {
					out[i], painted = uint16(id), true
				}
			}
		}
		if painted {
			styles[int64(id)] = Extra
			id++
		}
	}
}

// scene is the whole of it, ready to compose.
func (t *tissue) scene() *Scene {
	plane, a, b := t.answer()
	return &Scene{H: t.side, W: t.side, Channels: []Channel{PrepareChannel(t.plane())},
		Calibration: raster.Calibration{X: 0.275, Y: 0.275},
		Answer:      PrepareLabels(plane, nil).SetStyles(a),
		Truth:       PrepareLabels(t.truth(), nil).SetStyles(b)}
}
