package demo

import (
	"math"
	"sync"

	"coverslip/datasets/raster/pixel"
	"coverslip/datasets/raster/tiff"
)

const (
	blinkT, blinkSide = 160, 144
	psfWidth          = 1.1
	blinkSeed         = 0x646e61
)

func smlm() task {
	return task{id: smlmTask,
		look: "An event counts if it is right to 1 pixel in its own frame. \"pixels\" gives whole pixels and takes noise for events: see the scatter of dx and dy. " +
			"\"one-based\" counts frames from 1: nothing fits until the list is shifted by a frame, which the workbench proposes.",
		roles: []role{
			{"careful", "Sub-pixel fits; misses some dim and overlapping events."},
			{"pixels", "Takes the brightest pixel of each maximum: no fraction of a pixel, noise among the events, overlapping ones lost, heights for intensities."},
			{"one-based", "The careful agent's list with frames counted from 1 instead of 0."},
		},
		jobs: smlmJobs}
}

func smlmJobs(t task) []job {
	m := sync.OnceValue(flash)
	const name = "DNAPAINT_LocalizationList.txt"
	leaves := []leaf{
		tiffLeaf(t.input("DNAPAINT_substack.tiff"), tiff.EncodeOptions{}, func() pixel.Array { return array("TYX", m().film(), blinkT, blinkSide, blinkSide) }),
		bytesLeaf(t.truth(name), func() []byte { return blinkList(m().events, 0) }),
	}
	for k, list := range []func() []byte{
		func() []byte { return blinkList(m().fitted(), 0) },
		func() []byte { return blinkList(m().peaks(), 0) },
		func() []byte { return blinkList(m().fitted(), 1) },
	} {
		leaves = append(leaves, bytesLeaf(t.answer(k, "localization_list", name), list))
	}
	return []job{jobOf(leaves...)}
}

// blink is one event: a molecule that shines in one frame. Places in pixels, brightness as the volume of its spot.
type blink struct {
	frame        int
	y, x, volume float64
}

// blinks is the truth of the movie, frame after frame.
type blinks struct{ events []blink }

// flash lets molecules land on sites along curved filaments; some stay for two or three frames.
func flash() *blinks {
	r := newRNG(blinkSeed, 1)
	sites := filamentSites(r)
	m := &blinks{}
	var bound []blink // still there in the next frame
	for t := range blinkT {
		var next []blink
		for _, b := range bound {
			if b.frame = t; r.chance(0.3) {
				next = append(next, b)
			}
			b.volume = float64(b.volume * r.between(0.85, 1.1))
			m.events = append(m.events, b)
		}
		for range 2 + r.below(6) {
			s := sites[r.below(len(sites))]
			v := r.float()
			b := blink{frame: t, y: s.y + float64(0.25*r.normal()), x: s.x + float64(0.25*r.normal()), volume: 900 + float64(2600*float64(v*v))}
			m.events = append(m.events, b)
			if r.chance(0.1) {
				next = append(next, b)
			}
		}
		bound = next
	}
	return m
}

// filamentSites are docking sites along five filaments that wander through the image.
func filamentSites(r *rng) []dot {
	var sites []dot
	for range 5 {
		y, x := r.between(20, blinkSide-20), r.between(20, blinkSide-20)
		dy, dx := r.direction()
		for side := 0; side < 2; side++ {
			py, px, vy, vx := y, x, dy, dx
			if side == 1 {
				vy, vx = -dy, -dx
			}
			turn := r.between(-0.02, 0.02)
			for py > 6 && px > 6 && py < blinkSide-6 && px < blinkSide-6 && len(sites) < 900 {
				sites = append(sites, dot{y: py, x: px})
				py, px = py+float64(1.6*vy), px+float64(1.6*vx)
				vy, vx = bent(vy, vx, turn+r.between(-0.05, 0.05))
			}
		}
	}
	return sites
}

// film is the movie: spots of the microscope's width on an uneven, slightly fading ground.
func (m *blinks) film() []uint16 {
	movie := make([]uint16, blinkT*blinkSide*blinkSide)
	ground := newLight(blinkSide, blinkSide, 0)
	ground.shade(blinkSeed+2, 60, 9)
	ground.shade(blinkSeed+3, 14, 3)
	spreadOut(blinkT, func(t int) {
		l := newLight(blinkSide, blinkSide, 128-float64(0.1*float64(t)))
		l.add(ground)
		for _, b := range m.events {
			if b.frame == t {
				l.spot(b.y, b.x, psfWidth, b.volume/(2*math.Pi*psfWidth*psfWidth))
			}
		}
		copy(movie[t*blinkSide*blinkSide:], l.gray16(camera{read: 2.4, shot: 0.55}, blinkSeed+4, t))
	})
	return movie
}

// alone tells whether no other event of the frame is nearer than 3 pixels.
func (m *blinks) alone(b blink) bool {
	for _, o := range m.events {
		if o.frame == b.frame && o != b && length(o.y-b.y, o.x-b.x) < 3 {
			return false
		}
	}
	return true
}

// fitted is a good list: dim events are missed now and then, places are the better the brighter the event.
func (m *blinks) fitted() []blink {
	r := newRNG(blinkSeed, 5)
	var out []blink
	for _, b := range m.events {
		if r.chance(float64(0.16*(1-ramp(b.volume, 900, 1800)))) || !m.alone(b) && r.chance(0.35) {
			continue
		}
		off := 8 / math.Sqrt(b.volume)
		b.y, b.x = b.y+float64(off*r.normal()), b.x+float64(off*r.normal())
		b.volume += float64(float64(0.06*b.volume) * r.normal())
		out = append(out, b)
	}
	for range 14 {
		out = append(out, m.noise(r))
	}
	return out
}

// peaks is a list of bright pixels.
func (m *blinks) peaks() []blink {
	r := newRNG(blinkSeed, 6)
	var out []blink
	for i, b := range m.events {
		if r.chance(float64(0.45*(1-ramp(b.volume, 900, 1900)))) || !m.alone(b) && i%2 == 0 {
			continue
		}
		b.y = math.Floor(b.y+0.5) + float64(r.below(3)/2) - float64(r.below(3)/2)
		b.x = math.Floor(b.x+0.5) + float64(r.below(3)/2) - float64(r.below(3)/2)
		b.volume = float64(b.volume*0.11*r.between(0.6, 1)) + float64(40*r.normal()) + 140
		out = append(out, b)
	}
	for range 260 {
		n := m.noise(r)
		n.y, n.x, n.volume = math.Floor(n.y), math.Floor(n.x), r.between(150, 190)
		out = append(out, n)
	}
	return out
}

// noise is an event that never was.
func (m *blinks) noise(r *rng) blink {
	return blink{r.below(blinkT), r.between(3, blinkSide-4), r.between(3, blinkSide-4), r.between(500, 1200)}
}

// blinkList writes events by frame; first is the number of the first frame.
func blinkList(events []blink, first int) []byte {
	s := sheet{head: []string{"frame", "x", "y", "intensity"}}
	for t := range blinkT {
		for _, b := range events {
			if b.frame == t {
				s.row(t+first, round(b.x, 3), round(b.y, 3), round(b.volume, 1))
			}
		}
	}
	return s.text("\t")
}
