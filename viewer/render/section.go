package render

import (
	"coverslip/datasets/raster"
	"coverslip/datasets/raster/pixel"
)

// Sections cuts a stack along row y and along column x. Slices are added one by one, in any order; a missing one is zero.
type Sections struct {
	y, x, depth int
	h, w        int
	typ         raster.Type
	xz, yz      any // []E of depth x w and h x depth
}

// NewSections begins the sections through image pixel (y, x) of so many slices.
func NewSections(y, x, depth int) *Sections { return &Sections{y: y, x: x, depth: depth} }

// Add takes in slice z. One of another size or type than the first is passed over, and false.
func (s *Sections) Add(z int, p raster.Plane) bool {
	if z < 0 || z >= s.depth || p.H <= 0 || p.W <= 0 || pixel.Len(p.Values) < p.H*p.W {
		return false
	}
	if s.xz == nil {
		s.h, s.w, s.typ = p.H, p.W, p.Type
		s.xz, s.yz = pixel.New(p.Type, s.depth*p.W), pixel.New(p.Type, p.H*s.depth)
	}
	if p.H != s.h || p.W != s.w || p.Type != s.typ {
		return false
	}
	switch v := p.Values.(type) {
	case []uint8:
		return cut(s, z, v)
	case []int8:
		return cut(s, z, v)
	case []uint16:
		return cut(s, z, v)
	case []int16:
		return cut(s, z, v)
	case []uint32:
		return cut(s, z, v)
	case []int32:
		return cut(s, z, v)
	case []uint64:
		return cut(s, z, v)
	case []int64:
		return cut(s, z, v)
	case []float32:
		return cut(s, z, v)
	case []float64:
		return cut(s, z, v)
	}
	return false
}

// cut takes a row and a column out of a slice. A cut outside of it stays zero.
func cut[E pixel.Element](s *Sections, z int, v []E) bool {
	xz, ok := s.xz.([]E)
	yz, ok2 := s.yz.([]E)
	if !ok || !ok2 {
		return false
	}
	if s.y >= 0 && s.y < s.h {
		copy(xz[z*s.w:(z+1)*s.w], v[s.y*s.w:])
	}
	if s.x >= 0 && s.x < s.w {
		for y := range s.h {
			yz[y*s.depth+z] = v[y*s.w+s.x]
		}
	}
	return true
}

// XZ is the cut along row y: depth x W, one row for each slice. It is empty without any slice.
func (s *Sections) XZ() raster.Plane {
	if s.xz == nil {
		return raster.Plane{}
	}
	return raster.Plane{H: s.depth, W: s.w, Type: s.typ, Values: s.xz}
}

// YZ is the cut along column x: H x depth, one column for each slice.
func (s *Sections) YZ() raster.Plane {
	if s.yz == nil {
		return raster.Plane{}
	}
	return raster.Plane{H: s.h, W: s.depth, Type: s.typ, Values: s.yz}
}
