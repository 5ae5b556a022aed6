package render

import (
	"fmt"
	"math"
	"testing"

	"coverslip/datasets/raster"
)

// sights are what the three kinds of colour-blind see of linear red, green and blue: the matrices for complete lack of one
// kind of cones by Machado, Oliveira and Fernandes, IEEE Transactions on Visualization and Computer Graphics 15 (2009) 1291.
var sights = map[string][9]float64{
	"normal": {1, 0, 0, 0, 1, 0, 0, 0, 1},
	"protanopia": {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216,
		-0.003882, -0.048116, 1.051998},
	"deuteranopia": {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413,
		-0.011820, 0.042940, 0.968881},
	"tritanopia": {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602,
		0.004733, 0.691367, 0.303900},
}

// lab is a colour in CIELAB under D65, as somebody sees it.
type lab struct{ l, a, b float64 }

func labOf(c uint32, sight [9]float64) lab {
	var in, out [3]float64
	for i := range in {
		v := float64(c>>(8*i)&255) / 255
		if in[i] = v / 12.92; v > 0.04045 {
			in[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	for i := range out {
		out[i] = clampFloat(sight[3*i]*in[0]+sight[3*i+1]*in[1]+sight[3*i+2]*in[2], 0, 1)
	}
	f := func(t float64) float64 {
		if t > 216.0/24389 {
			return math.Cbrt(t)
		}
		return (24389.0/27*t + 16) / 116
	}
	x := f((0.4124564*out[0] + 0.3575761*out[1] + 0.1804375*out[2]) / 0.95047)
	y := f(0.2126729*out[0] + 0.7151522*out[1] + 0.0721750*out[2])
	z := f((0.0193339*out[0] + 0.1191920*out[1] + 0.9503041*out[2]) / 1.08883)
	return lab{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// ciede2000 is the colour difference of Sharma, Wu and Dalal, Color Research and Application 30 (2005) 21.
func ciede2000(p, q lab) float64 {
	seventh := func(c float64) float64 { return math.Sqrt(math.Pow(c, 7) / (math.Pow(c, 7) + math.Pow(25, 7))) }
	sin, cos := func(d float64) float64 { return math.Sin(d * math.Pi / 180) }, func(d float64) float64 { return math.Cos(d * math.Pi / 180) }
	g := 1 + 0.5*(1-seventh((math.Hypot(p.a, p.b)+math.Hypot(q.a, q.b))/2))
	polar := func(c lab) (chroma, hue float64) {
		hue = math.Atan2(c.b, c.a*g) * 180 / math.Pi
		if hue < 0 {
			hue += 360
		}
		return math.Hypot(c.a*g, c.b), hue
	}
	c1, h1 := polar(p)
	c2, h2 := polar(q)
	dh, hue := h2-h1, (h1+h2)/2
	switch {
	case c1*c2 == 0:
		dh, hue = 0, h1+h2
	case math.Abs(dh) > 180:
		if hue += 180; hue >= 360 {
			hue -= 360
		}
		dh -= math.Copysign(360, dh)
	}
	light, chroma := (p.l+q.l)/2, (c1+c2)/2
	t := 1 - 0.17*cos(hue-30) + 0.24*cos(2*hue) + 0.32*cos(3*hue+6) - 0.20*cos(4*hue-63)
	dl := (q.l - p.l) / (1 + 0.015*(light-50)*(light-50)/math.Sqrt(20+(light-50)*(light-50)))
	dc := (c2 - c1) / (1 + 0.045*chroma)
	ds := 2 * math.Sqrt(c1*c2) * sin(dh/2) / (1 + 0.015*chroma*t)
	turn := -2 * seventh(chroma) * sin(60*math.Exp(-(hue-275)/25*(hue-275)/25))
	return math.Sqrt(dl*dl + dc*dc + ds*ds + turn*dc*ds)
}

// The first pairs of the table that the authors give for checking.
func TestCIEDE2000(t *testing.T) {
	for _, c := range []struct {
		p, q lab
		want float64
	}{
		{lab{50, 2.6772, -79.7751}, lab{50, 0, -82.7485}, 2.0425},
		{lab{50, 3.1571, -77.2803}, lab{50, 0, -82.7485}, 2.8615},
		{lab{50, 0, 0}, lab{50, -1, 2}, 2.3669},
		{lab{50, 2.49, -0.001}, lab{50, -2.49, 0.0009}, 7.1792},
		{lab{50, 2.5, 0}, lab{73, 25, -18}, 27.1492},
		{lab{50, 2.5, 0}, lab{58, 24, 15}, 19.4535},
		{lab{60.2574, -34.0099, 36.2677}, lab{60.4626, -34.1751, 39.4387}, 1.2644},
		{lab{2.0776, 0.0795, -1.1350}, lab{0.9033, -0.0636, -0.5514}, 0.9082},
	} {
		if got := ciede2000(c.p, c.q); math.Abs(got-c.want) > 1e-4 {
			t.Errorf("%v, %v: %.4f, expected %.4f", c.p, c.q, got, c.want)
		}
	}
}

const clearlyApart = 20

// The classes of errors stay apart for everybody. The weak match, a fifth class, is told from a false object by its dots
// alone where red and green look alike.
func TestVerdictColoursStayApart(t *testing.T) {
	names := map[Style]string{Match: "match", Extra: "false object", Missed: "missed object", Double: "split or merge"}
	for sight, m := range sights {
		for a := Match; a < styleCount; a++ {
			for b := Match; b < a; b++ {
				if names[a] == "" || names[b] == "" {
					continue
				}
				if d := ciede2000(labOf(styleColours[a], m), labOf(styleColours[b], m)); d < clearlyApart {
					t.Errorf("%s: %s and %s are %.1f apart", sight, names[a], names[b], d)
				}
			}
		}
	}
}

// Any two label colours of a side are clearly apart, and all show on black.
func TestPaletteIsClear(t *testing.T) {
	for side, colours := range [2][colourCount]uint32{labelColours, paleColours} {
		for i, a := range colours {
			p := labOf(a, sights["normal"])
			if p.l < 35 {
				t.Errorf("side %d: colour %d is too dark", side, i)
			}
			for j, b := range colours[:i] {
				if d := ciede2000(p, labOf(b, sights["normal"])); d < clearlyApart {
					t.Errorf("side %d: colours %d and %d are only %.1f apart", side, i, j, d)
				}
			}
		}
	}
}

// Labels that touch, also by a corner, are clearly apart, in the colours of both sides, on any plane.
func TestTouchingLabelsAreClearlyApart(t *testing.T) {
	between := func(colours [colourCount]uint32) (d [colourCount][colourCount]float64) {
		for i, a := range colours {
			for j, b := range colours {
				d[i][j] = ciede2000(labOf(a, sights["normal"]), labOf(b, sights["normal"]))
			}
		}
		return d
	}
	strong, pale := between(labelColours), between(paleColours)
	for seed := range uint64(1000) {
		l := PrepareLabels(regions(64, 8+int(seed%60), seed), nil)
		for _, pair := range l.pairs {
			a, b := l.colour[pair>>32], l.colour[uint32(pair)]
			if strong[a][b] < clearlyApart || pale[a][b] < clearlyApart {
				t.Fatalf("plane %d: colours %d and %d of neighbours are %.1f and %.1f apart", seed, a, b, strong[a][b], pale[a][b])
			}
		}
		if len(l.pairs) == 0 {
			t.Fatalf("plane %d has no neighbours", seed)
		}
	}
}

// regions is a label plane that is filled by the regions nearest to random places, with ids from a wide range.
func regions(side, n int, seed uint64) raster.Plane {
	rnd := noise(seed * 1000)
	ys, xs, ids := make([]float64, n), make([]float64, n), make([]uint64, n)
	for i := range n {
		ys[i], xs[i], ids[i] = rnd.unit()*float64(side), rnd.unit()*float64(side), rnd.next()>>(seed%50)
	}
	v := make([]uint64, side*side)
	for y := range side {
		for x := range side {
			best := math.Inf(1)
			for i := range n {
				dy, dx := float64(y)-ys[i], float64(x)-xs[i]
				if d := dy*dy + dx*dx; d < best {
					best, v[y*side+x] = d, ids[i]
				}
			}
		}
	}
	return raster.Plane{H: side, W: side, Type: raster.Uint64, Values: v}
}

// Classes and tracks that follow one another can be told apart, and tracks show on black.
func TestOverlayColours(t *testing.T) {
	see := func(c uint32) lab { return labOf(c, sights["normal"]) }
	for a := range classColours {
		for b := range a {
			if d := ciede2000(see(classColour(a)), see(classColour(b))); d < clearlyApart {
				t.Errorf("classes %d and %d are %.1f apart", a, b, d)
			}
		}
	}
	near := 0
	for id := range int64(1000) {
		if l := see(trackColour(id)).l; l < 50 {
			t.Errorf("track %d has lightness %.0f", id, l)
		}
		near += count01(ciede2000(see(trackColour(id)), see(trackColour(id+1))) < clearlyApart)
	}
	if near > 0 {
		t.Errorf("%d of 1000 tracks look like the next one", near)
	}
	for what, table := range map[string][256][3]uint8{"values": ScaleColours(), "angles": AngleColours()} {
		for _, c := range table {
			if see(pack(c[0], c[1], c[2])).l < 35 {
				t.Fatalf("%s: colour %v does not show on black", what, c)
			}
		}
	}
	if got := fmt.Sprint(StyleColour(Extra), StyleColour(200), ClassColour(-1), SideColour(true), TrackColour(3) == unpack(trackColour(3))); got != "[232 162 12] [0 0 0] [200 200 200] [159 216 255] true" {
		t.Error(got)
	}
}
