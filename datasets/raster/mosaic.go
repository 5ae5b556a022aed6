package raster

import (
	"context"
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
	out.frames, out.levels, out.splits = s.frames/s.lead[k], nil, false
	inner := 1
	for _, d := range s.lead[k+1:] {
		inner *= d
	}
	out.read = func(ctx context.Context, i int, rq request, dst any) (all found, err error) {
		lanes := s.samples
		if s.planar {
			lanes = 1
		}
		tile := pixel.New(s.Type, s.h*s.w*lanes)
		for j, t := range m.Tiles {
			if j > 0 {
				clear(pixel.Memory(tile))
			}
			got, err := s.read(ctx, i/inner*inner*s.lead[k]+j*inner+i%inner, rq, tile)
			if err != nil {
				return all, err
			}
			all.cut = all.cut || got.cut
			size := s.Type.Held() * lanes
			from, to := pixel.Memory(tile), pixel.Memory(dst)
			for y := range s.h {
				at := ((t.Y+y)*out.w + t.X) * size
				copy(to[at:at+s.w*size], from[y*s.w*size:])
			}
		}
		return all, nil
	}
	return &out
}
