package raster

import (
	"context"
	"image"
	"math"
	"strings"

	"coverslip/datasets/raster/pixel"
)

// Mosaic says where the tiles of a laid-out plane lie.
type Mosaic struct {
	H, W   int    // of each tile
	Tiles  []Tile // in the order of the file
	Placed bool   // by the stage positions of the file; otherwise row by row
}

// Tile is the upper left corner of a tile in the laid-out plane, in pixels.
type Tile struct{ Y, X int }

// extent is the size of the plane that holds all tiles.
func (m *Mosaic) extent() (h, w int) {
	for _, t := range m.Tiles {
		h, w = max(h, t.Y+m.H), max(w, t.X+m.W)
	}
	return h, w
}

// lay finds the layout of a file with an axis M.
func (f *File) lay() {
	k := strings.IndexByte(f.shown.leadAxes, 'M')
	if k < 0 {
		return
	}
	n := f.shown.lead[k]
	if f.mosaic = byStage(f.places, n, f.shown, f.Calibration); f.mosaic == nil {
		f.mosaic = rowByRow(n, f.shown)
		f.Notes = append(f.Notes, "the file gives no usable positions of its tiles: they are laid out row by row")
	}
}

// rowByRow lays n tiles out as a square, nearly.
func rowByRow(n int, s *series) *Mosaic {
	m := &Mosaic{H: s.h, W: s.w}
	across := int(math.Ceil(math.Sqrt(float64(n))))
	for i := range n {
		m.Tiles = append(m.Tiles, Tile{i / across * s.h, i % across * s.w})
	}
	return m
}

// byStage lays tiles out by their stage positions. It gives nil when they do not make sense: not one for each tile, most
// of two tiles covering each other, or a plane that is mostly empty.
func byStage(places [][3]float64, n int, s *series, c Calibration) *Mosaic {
	if len(places) != n || c.X <= 0 || c.Y <= 0 {
		return nil
	}
	left, top := math.Inf(1), math.Inf(1)
	for _, p := range places {
		left, top = min(left, p[0]), min(top, p[1])
	}
	m := &Mosaic{H: s.h, W: s.w, Placed: true}
	covered := map[Tile]bool{}
	for _, p := range places {
		x, y := math.Round((p[0]-left)/c.X), math.Round((p[1]-top)/c.Y)
		if !(x >= 0 && y >= 0 && x < float64(n*s.w*2) && y < float64(n*s.h*2)) { // no numbers too
			return nil
		}
		t := Tile{int(y), int(x)}
		cell := Tile{2 * t.Y / s.h, 2 * t.X / s.w}
		if covered[cell] {
			return nil
		}
		covered[cell] = true
		m.Tiles = append(m.Tiles, t)
	}
	if h, w := m.extent(); float64(h)*float64(w) > 4*float64(n)*float64(s.h)*float64(s.w) {
		return nil
	}
	return m
}

// laidOut is a series whose planes are put together from their tiles when they are asked for. k is the axis of the tiles.
// Where tiles overlap the later one shows.
func (s *series) laidOut(m *Mosaic, k int) *series {
	out := *s
	out.h, out.w = m.extent()
	out.lead = append(append([]int(nil), s.lead[:k]...), s.lead[k+1:]...)
	out.leadAxes = s.leadAxes[:k] + s.leadAxes[k+1:]
	out.frames, out.levels, out.splits, out.parts, out.hand = s.frames/s.lead[k], nil, false, true, nil
	if s.rows > 1 || !s.parts {
		out.rows = s.h
	}
	inner := 1
	for _, d := range s.lead[k+1:] {
		inner *= d
	}
	frame := func(i, tile int) int { return i/inner*inner*s.lead[k] + tile*inner + i%inner }
	out.read = func(ctx context.Context, i int, rq request, dst any) (all found, err error) {
		return all, s.eachTile(m, &out, rq.part, func(j int, at patch) error {
			rq.part = at.part
			lanes := s.samples
			if s.planar {
				lanes = 1
			}
			values := pixel.New(s.Type, at.tile.Dx()*at.tile.Dy()*lanes)
			got, err := s.read(ctx, frame(i, j), rq, values)
			all.cut = all.cut || got.cut
			at.paste(dst, values, s.Type.Held()*lanes)
			return err
		})
	}
	if s.hand != nil {
		out.hand = func(ctx context.Context, i int, part image.Rectangle) (planes []any, err error) {
			for range s.samples {
				planes = append(planes, pixel.New(s.Type, out.size(part)))
			}
			return planes, s.eachTile(m, &out, part, func(j int, at patch) error {
				parts, err := s.hand(ctx, frame(i, j), at.part)
				for c, values := range parts {
					at.paste(planes[c], values, s.Type.Held())
				}
				return err
			})
		}
	}
	return &out
}

// patch is what a tile gives to a part of a laid-out plane.
type patch struct {
	tile image.Rectangle // of the plane, that is read
	part image.Rectangle // the same within the tile; empty for all of it
	area image.Rectangle // of the plane, that is wanted
}

// eachTile visits the tiles that cross a part of a laid-out plane.
func (s *series) eachTile(m *Mosaic, laid *series, area image.Rectangle, visit func(tile int, at patch) error) error {
	if area.Empty() {
		area = image.Rect(0, 0, laid.w, laid.h)
	}
	for j, t := range m.Tiles {
		p := patch{tile: image.Rect(t.X, t.Y, t.X+s.w, t.Y+s.h), area: area}
		need := p.tile.Intersect(area)
		if need.Empty() {
			continue
		}
		if s.parts {
			p.tile, p.part = need, need.Sub(p.tile.Min)
		}
		if err := visit(j, p); err != nil {
			return err
		}
	}
	return nil
}

// paste copies the samples of a tile, of size bytes for each pixel, to where they go.
func (p patch) paste(dst, values any, size int) {
	from, to := pixel.Memory(values), pixel.Memory(dst)
	r := p.tile.Intersect(p.area)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		row := from[((y-p.tile.Min.Y)*p.tile.Dx()+r.Min.X-p.tile.Min.X)*size:]
		copy(to[((y-p.area.Min.Y)*p.area.Dx()+r.Min.X-p.area.Min.X)*size:], row[:r.Dx()*size])
	}
}
