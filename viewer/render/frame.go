package render

import (
	"encoding/binary"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"coverslip/viewer"
)

// Ground colours. Outside is not black, so that a black image still shows where it ends.
var (
	outsideColour = rgb(0x1b1c1f)
	borderColour  = rgb(0x3c3f45)
	blackColour   = rgb(0x000000)
)

// frame is all that composing one picture needs, kept for the next picture.
type frame struct {
	pix      []uint8
	w, h     int
	cam      Camera
	density  int     // device pixels per line pixel
	fine     float64 // the same
	pen      Camera  // the camera in line pixels
	sy, sx   float64 // line pixels per image pixel
	y, x     axis
	wide     wideAxes
	ground   ground
	layers   []layer
	alone    bool // only the objects in focus are drawn
	marked   []focusMark
	mask     maskLayer
	arrows   []arrowLayer
	tracks   []trackLayer
	hues     []uint32 // of tracks
	points   []pointLayer
	patterns [patternCount]bitRow // where each has ink along a row
	strip    int                  // rows of a strip
	taken    []atomic.Bool        // strips that some lane draws or has drawn
	seats    atomic.Int32         // next lane to sit in
	workers  int                  // lanes in use
	wait     sync.WaitGroup
	work     func()
	lanes    []*lane
	digits   [32]byte
	tight    []uint8 // pixels of one pane of several, while it is drawn
}

// lane is the scratch of one goroutine.
type lane struct {
	ground   groundRow
	rings    []*ring // one per layer, then one per focus mark
	sounding sounding
}

// A goroutine takes so many rows at a time: few enough to share evenly.
const minStrip, maxStrip, stripsWanted = 16, 128, 32

// idle frames wait here; a plain list and not a sync.Pool, which forgets at every garbage collection.
var idle struct {
	sync.Mutex
	frames []*frame
}

const maxIdle = 4

func takeFrame() *frame {
	idle.Lock()
	defer idle.Unlock()
	if n := len(idle.frames); n > 0 {
		f := idle.frames[n-1]
		idle.frames = idle.frames[:n-1]
		return f
	}
	f := new(frame)
	f.work = func() {
		defer f.wait.Done()
		f.drawStrips()
	}
	return f
}

// release drops what belongs to the caller and keeps the scratch.
func (f *frame) release() {
	f.pix = nil
	f.ground.forget()
	clear(f.layers)
	clear(f.marked)
	f.forgetOverlays()
	for _, l := range f.lanes {
		for _, r := range l.rings {
			r.from = reader{}
		}
		l.sounding.from = reader{}
	}
	idle.Lock()
	defer idle.Unlock()
	if len(idle.frames) < maxIdle {
		idle.frames = append(idle.frames, f)
	}
}

func goroutines() int { return runtime.GOMAXPROCS(0) }

func (f *frame) setup(pix []uint8, s *Scene, v viewer.View, cam Camera, w, h int) {
	f.pix, f.w, f.h = pix, w, h
	f.setPen(v, cam)
	sy, sx := cam.scales()
	f.y.fill(h, s.H, sy, cam.OY)
	f.x.fill(w, s.W, sx, cam.OX)
	f.wide.fill(f, s)
	f.ground.setup(f, s, v)
	f.setupPatterns()
	f.setupLayers(s, v)
	f.setupFocus(s, v)
	f.setupOverlays(s, v)
}

// setPen takes over the camera and the density.
func (f *frame) setPen(v viewer.View, cam Camera) {
	f.density = v.LinePixel()
	f.fine = float64(f.density)
	f.cam, f.pen = cam, cam
	f.pen.Scale /= f.fine
	f.sy, f.sx = f.pen.scales()
}

// run draws all rows with up to so many goroutines.
func (f *frame) run(workers int) {
	wanted := stripsWanted
	if len(f.tracks) > 0 { // lines that cross from strip to strip are looked at in each
		wanted /= 2
	}
	f.strip = min(max(f.h/wanted, minStrip), maxStrip)
	f.taken = grow(f.taken, (f.h+f.strip-1)/f.strip)
	for i := range f.taken {
		f.taken[i].Store(false)
	}
	f.workers = max(min(workers, len(f.taken)), 1)
	for len(f.lanes) < f.workers {
		f.lanes = append(f.lanes, new(lane))
	}
	f.seats.Store(0)
	f.wait.Add(f.workers)
	for range f.workers - 1 {
		go f.work()
	}
	f.work()
	f.wait.Wait()
}

// drawStrips draws strips that nobody has taken. Every lane starts at another part of the picture and goes on downwards, as
// every strip that does not follow the lane's last one costs reading the rows around its first.
func (f *frame) drawStrips() {
	seat := int(f.seats.Add(1) - 1)
	l := f.lanes[seat]
	l.reset(f)
	n := len(f.taken)
	for k := range n {
		i := (seat*n/f.workers + k) % n
		if f.taken[i].Swap(true) {
			continue
		}
		for y := i * f.strip; y < min((i+1)*f.strip, f.h); y++ {
			f.drawRow(l, y)
		}
		if f.density > 1 {
			f.drawFine(&l.sounding, max(i*f.strip, f.y.from), min((i+1)*f.strip, f.y.to))
		}
		f.drawOverlays(i*f.strip, min((i+1)*f.strip, f.h))
	}
}

func (l *lane) reset(f *frame) {
	l.ground.source = -1
	need := len(f.layers) + len(f.marked)
	for len(l.rings) < need {
		l.rings = append(l.rings, new(ring))
	}
	for i := range need {
		l.rings[i].row = math.MinInt
	}
}

func (f *frame) drawRow(l *lane, y int) {
	row := f.pix[4*f.w*y : 4*f.w*(y+1)]
	from, to := f.x.from, f.x.to
	if y < f.y.from || y >= f.y.to || from >= to {
		fillRow(row, outsideColour)
		if y >= f.y.from-f.density && y < f.y.to+f.density && f.y.from < f.y.to && from < to {
			fillRow(row[4*max(from-f.density, 0):4*min(to+f.density, f.w)], borderColour)
		}
		return
	}
	left, right := max(from-f.density, 0), min(to+f.density, f.w)
	fillRow(row[:4*left], outsideColour)
	fillRow(row[4*left:4*from], borderColour)
	fillRow(row[4*to:4*right], borderColour)
	fillRow(row[4*right:], outsideColour)
	f.ground.draw(&l.ground, f, row[4*from:4*to], y)
	f.mask.draw(f, row, y)
	if f.density > 1 {
		return // layers follow when the strip is there
	}
	for i := range f.layers {
		f.layers[i].draw(l.rings[i], f, row, y)
	}
	for i := range f.marked {
		f.marked[i].draw(l.rings[len(f.layers)+i], f, row, y)
	}
}

func put(row []uint8, x int, c uint32) { binary.LittleEndian.PutUint32(row[4*x:4*x+4], c) }

// fillRow makes all pixels of a row the colour, doubling what is done so that long stretches are plain copies.
func fillRow(row []uint8, c uint32) {
	n := min(len(row), 64)
	for i := 0; i+4 <= n; i += 4 {
		binary.LittleEndian.PutUint32(row[i:i+4:i+4], c)
	}
	for ; n > 0 && n < len(row); n *= 2 {
		copy(row[n:], row[:n])
	}
}

// paint is a colour ready to be mixed into pixels: red and blue, and green, times the ink, and what is kept of the pixel.
type paint struct{ rb, g, keep uint32 }

// dab prepares a colour: keep and ink are 256ths, keep + ink <= 256; what is missing goes to black.
func dab(colour, ink, keep uint32) paint {
	return paint{(colour & 0xff00ff) * ink, (colour >> 8 & 0xff) * ink, keep}
}

// lay mixes the paint into the pixel that p holds.
func (c paint) lay(p []uint8) {
	d := binary.LittleEndian.Uint32(p)
	rb := ((d&0xff00ff)*c.keep + c.rb) >> 8 & 0xff00ff
	g := ((d>>8&0xff)*c.keep + c.g) & 0xff00
	binary.LittleEndian.PutUint32(p, rb|g|opaque)
}

// blend mixes a colour into pixel x of a row, as dab has it.
func blend(row []uint8, x int, colour, ink, keep uint32) {
	dab(colour, ink, keep).lay(row[4*x : 4*x+4 : 4*x+4])
}
