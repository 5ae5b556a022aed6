package chart

import (
	"encoding/binary"
	"image"
	"image/color"
	"math"
)

// raster is a surface of device pixels. The picture below is opaque, since a pen paints its ground first.
type raster struct {
	dst    *image.RGBA
	k      float64         // device pixels per dp
	window image.Rectangle // where ink may go, from the picture's upper left corner
	cover  coverage
	masks  map[maskKey]*mask
}

// mask is the cover of a small shape, whose upper left pixel is (oy, ox) from its place.
type mask struct {
	w, h, oy, ox int
	cover        []uint8
}

type maskKey struct {
	marker Marker
	size   float64
	sy, sx uint8
}

func newRaster(dst *image.RGBA, k float64) *raster {
	return &raster{dst: dst, k: k, window: image.Rect(0, 0, dst.Rect.Dx(), dst.Rect.Dy()), masks: map[maskKey]*mask{}}
}

// snap is the device pixel that a dp coordinate falls on.
func (r *raster) snap(v float64) int { return int(math.Floor(limited(v*r.k) + 0.5)) }

// limited keeps what is far out of any picture from overflowing.
func limited(v float64) float64 { return min(max(v, -1e6), 1e6) }

func (r *raster) snapped(q rect) image.Rectangle {
	x0, y0, x1, y1 := r.snap(q.x0), r.snap(q.y0), r.snap(q.x1), r.snap(q.y1)
	return image.Rect(x0, y0, max(x1, x0+1), max(y1, y0+1))
}

func (r *raster) clip(q rect) {
	r.window = r.snapped(q).Intersect(image.Rect(0, 0, r.dst.Rect.Dx(), r.dst.Rect.Dy()))
}

func (r *raster) unclip() { r.window = image.Rect(0, 0, r.dst.Rect.Dx(), r.dst.Rect.Dy()) }

func (r *raster) row(y int) []uint8 {
	return r.dst.Pix[y*r.dst.Stride : y*r.dst.Stride+4*r.dst.Rect.Dx()]
}

func (r *raster) rect(q rect, c color.NRGBA) {
	in := r.snapped(q).Intersect(r.window)
	if in.Empty() {
		return
	}
	pix, wide := r.dst.Pix[in.Min.Y*r.dst.Stride+4*in.Min.X:], 4*in.Dx()
	if c.A == 255 {
		pixel := uint32(c.R) | uint32(c.G)<<8 | uint32(c.B)<<16 | 255<<24
		for y := in.Dy(); ; pix = pix[r.dst.Stride:] {
			for row := pix[:wide]; len(row) >= 4; row = row[4:] {
				binary.LittleEndian.PutUint32(row, pixel)
			}
			if y--; y == 0 {
				return
			}
		}
	}
	for y := in.Min.Y; y < in.Max.Y; y++ {
		row := r.row(y)[4*in.Min.X : 4*in.Max.X]
		for i := 0; i+4 <= len(row); i += 4 {
			blend(row[i:i+4:i+4], c, 255)
		}
	}
}

// blend lays a colour over an opaque pixel; cover is 0 to 255.
func blend(pix []uint8, c color.NRGBA, cover uint32) {
	a := (uint32(c.A)*cover + 127) / 255
	b := 255 - a
	pix[0] = uint8((uint32(c.R)*a + uint32(pix[0])*b + 127) / 255)
	pix[1] = uint8((uint32(c.G)*a + uint32(pix[1])*b + 127) / 255)
	pix[2] = uint8((uint32(c.B)*a + uint32(pix[2])*b + 127) / 255)
	pix[3] = 255
}

// begin readies the coverage for shapes within the window.
func (r *raster) begin() bool {
	if r.window.Empty() {
		return false
	}
	r.cover.reset(r.window.Dx(), r.window.Dy())
	return true
}

func (r *raster) end(c color.NRGBA) {
	left, top := r.window.Min.X, r.window.Min.Y
	r.cover.flush(func(y, x int, cover uint32) {
		i := 4 * (x + left)
		row := r.row(y + top)
		blend(row[i:i+4:i+4], c, cover)
	})
}

// local is a place in device pixels from the corner of the window.
func (r *raster) local(p pt) pt {
	return pt{float64(p.x*r.k) - float64(r.window.Min.X), float64(p.y*r.k) - float64(r.window.Min.Y)}
}

func (r *raster) fill(path []pt, c color.NRGBA) {
	if len(path) < 3 || !r.begin() {
		return
	}
	last := r.local(path[len(path)-1])
	for _, q := range path {
		q = r.local(q)
		r.cover.edge(last, q)
		last = q
	}
	r.end(c)
}

// quarter splits a device coordinate into a whole and quarters of a pixel.
func quarter(v float64) (whole int, part uint8) {
	n := int(math.Floor(float64(limited(v)*4) + 0.5))
	return n >> 2, uint8(n & 3)
}

func (r *raster) stamp(at pt, m Marker, size float64, c color.NRGBA) {
	x, sx := quarter(at.x * r.k)
	y, sy := quarter(at.y * r.k)
	reach := int(size*r.k) + 2
	if x < r.window.Min.X-reach || x > r.window.Max.X+reach || y < r.window.Min.Y-reach || y > r.window.Max.Y+reach {
		return
	}
	key := maskKey{m, size, sy, sx}
	k := r.masks[key]
	if k == nil {
		var shapes [][]pt
		for _, s := range shape(m, pt{float64(sx) / 4, float64(sy) / 4}, size*r.k) {
			shapes = append(shapes, s)
		}
		k = maskOf(shapes)
		r.masks[key] = k
	}
	r.press(k, y, x, c)
}

// press lays a mask's colour.
func (r *raster) press(m *mask, y, x int, c color.NRGBA) {
	y, x = y+m.oy, x+m.ox
	in := image.Rect(x, y, x+m.w, y+m.h).Intersect(r.window)
	for py := in.Min.Y; py < in.Max.Y; py++ {
		row := r.row(py)
		covers := m.cover[(py-y)*m.w:]
		for px := in.Min.X; px < in.Max.X; px++ {
			if a := covers[px-x]; a != 0 {
				blend(row[4*px:4*px+4:4*px+4], c, uint32(a))
			}
		}
	}
}

// maskOf covers shapes in device pixels.
func maskOf(shapes [][]pt) *mask {
	lo, hi := pt{math.Inf(1), math.Inf(1)}, pt{math.Inf(-1), math.Inf(-1)}
	for _, s := range shapes {
		for _, q := range s {
			lo = pt{math.Min(lo.x, q.x), math.Min(lo.y, q.y)}
			hi = pt{math.Max(hi.x, q.x), math.Max(hi.y, q.y)}
		}
	}
	if !(hi.x > lo.x) || hi.x-lo.x > 4096 || hi.y-lo.y > 4096 {
		return &mask{}
	}
	m := &mask{ox: int(math.Floor(lo.x)), oy: int(math.Floor(lo.y))}
	m.w, m.h = int(math.Ceil(hi.x))-m.ox, int(math.Ceil(hi.y))-m.oy
	m.cover = make([]uint8, m.w*m.h)
	var a coverage
	a.reset(m.w, m.h)
	for _, s := range shapes {
		moved := make([]pt, len(s))
		for i, q := range s {
			moved[i] = pt{q.x - float64(m.ox), q.y - float64(m.oy)}
		}
		a.polygon(moved...)
	}
	a.flush(func(y, x int, cover uint32) { m.cover[y*m.w+x] = uint8(cover) })
	return m
}

func (r *raster) picture(q rect, m *image.NRGBA) {
	out := r.snapped(q)
	in := out.Intersect(r.window)
	w, h := m.Rect.Dx(), m.Rect.Dy()
	if w == 0 || h == 0 {
		return
	}
	for y := in.Min.Y; y < in.Max.Y; y++ {
		row := r.row(y)
		from := m.Pix[(y-out.Min.Y)*h/out.Dy()*m.Stride:]
		for x := in.Min.X; x < in.Max.X; x++ {
			i := 4 * ((x - out.Min.X) * w / out.Dx())
			if a := from[i+3]; a != 0 {
				blend(row[4*x:4*x+4:4*x+4], color.NRGBA{from[i], from[i+1], from[i+2], a}, 255)
			}
		}
	}
}

func (r *raster) text(at pt, t text) {
	x := float64(at.x * r.k)
	y := float64(at.y * r.k)
	start := float64(t.anchor * width(t.s, t.size, t.bold) * r.k)
	pixels := t.size * r.k
	set(t.s, t.bold, func(g glyph, before float64) {
		along := float64(before*pixels) - start
		if t.up {
			sub, part := quarter(y - along)
			r.press(g.mask(pixels, part, true), sub, int(math.Floor(limited(x)+0.5)), t.colour)
			return
		}
		sub, part := quarter(x + along)
		r.press(g.mask(pixels, part, false), int(math.Floor(limited(y)+0.5)), sub, t.colour)
	})
}
