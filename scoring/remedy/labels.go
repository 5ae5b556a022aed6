package remedy

import (
	"coverslip/datasets/raster"
)

// pieces gives each connected piece of equal value its own label, 1 to n, background left at 0. Pieces touch at faces,
// edges and corners, as the usual labelling routine has it.
func pieces(a raster.Array) (raster.Array, error) {
	class, _ := classes(a)
	return labelImage(connected(class, a.Shape), a.Shape, a.Axes), nil
}

// piecesOfFrames does so in each frame of a movie, or in one frame of it.
func piecesOfFrames(a raster.Array) (raster.Array, error) {
	if len(a.Shape) < 3 {
		return pieces(a)
	}
	class, _ := classes(a)
	per := len(class) / max(1, a.Shape[0])
	labels := make([]uint32, 0, len(class))
	for from := 0; per > 0 && from < len(class); from += per {
		labels = append(labels, connected(class[from:from+per], a.Shape[1:])...)
	}
	return labelImage(labels, a.Shape, a.Axes), nil
}

// withoutBackground sets the value that most of the border has to 0.
func withoutBackground(a raster.Array) (raster.Array, error) {
	class, _ := classes(a)
	ground := borderClass(class, a.Shape)
	for i, c := range class {
		if c == ground {
			class[i] = 0
		}
	}
	return labelImage(class, a.Shape, a.Axes), nil
}

// inverted exchanges background and everything else.
func inverted(a raster.Array) (raster.Array, error) {
	class, _ := classes(a)
	out := make([]uint8, len(class))
	for i, c := range class {
		if c == 0 {
			out[i] = 1
		}
	}
	return raster.Array{Shape: a.Shape, Axes: a.Axes, Type: raster.Uint8, Values: out}, nil
}

// aboveHalf turns fractions into a mask.
func aboveHalf(a raster.Array) (raster.Array, error) {
	class, values := classes(a)
	out := make([]uint8, len(class))
	for i, c := range class {
		if values[c] >= 0.5 {
			out[i] = 1
		}
	}
	return raster.Array{Shape: a.Shape, Axes: a.Axes, Type: raster.Uint8, Values: out}, nil
}

// colours gives each colour its own label; the one that most of the border has is the background. The last axis holds
// the samples; a fourth one is opacity.
func colours(a raster.Array) (raster.Array, error) {
	n := len(a.Shape)
	if n < 3 || a.Shape[n-1] != 3 && a.Shape[n-1] != 4 {
		return a, unlike(a, "three or four samples a pixel along the last axis")
	}
	samples, shape := a.Shape[n-1], a.Shape[:n-1]
	sample, _ := classes(a)
	known, class := map[[3]uint32]uint32{}, make([]uint32, len(sample)/samples)
	for i := range class {
		key := [3]uint32(sample[i*samples:])
		c, seen := known[key]
		if !seen {
			c = uint32(len(known)) + 1
			known[key] = c
		}
		class[i] = c
	}
	ground := borderClass(class, shape)
	for i, c := range class {
		if c == ground {
			class[i] = 0
		}
	}
	return labelImage(class, shape, axesOf(len(shape))), nil
}

// borderClass is the class that most pixels of the border of the planes have.
func borderClass(class []uint32, shape []int) (ground uint32) {
	counts := map[uint32]int{}
	walkBorder(class, shape, func(c uint32) { counts[c]++ })
	most := 0
	for c, n := range counts {
		if n > most || n == most && c < ground {
			ground, most = c, n
		}
	}
	return ground
}

func walkBorder(class []uint32, shape []int, visit func(uint32)) {
	n := len(shape)
	if n < 2 || len(class) == 0 {
		return
	}
	h, w := shape[n-2], shape[n-1]
	for from := 0; from < len(class); from += h * w {
		for y := range h {
			if y == 0 || y == h-1 {
				for x := range w {
					visit(class[from+y*w+x])
				}
				continue
			}
			visit(class[from+y*w])
			visit(class[from+y*w+w-1])
		}
	}
}

// sample is what a few planes of an answer look like, without the truth.
type sample struct {
	values int     // distinct ones other than 0
	pieces int     // connected pieces of equal value
	zeros  float64 // share of pixels
	border float64 // share of the border that its most frequent value other than 0 has
}

// look describes a plane.
func look(a raster.Array) sample {
	class, values := classes(a)
	s := sample{values: len(values) - 1}
	labels := connected(class, a.Shape)
	for i, c := range class {
		if c == 0 {
			s.zeros++
		}
		s.pieces = max(s.pieces, int(labels[i]))
	}
	s.zeros /= float64(max(1, len(class)))
	counts, all, most := map[uint32]int{}, 0, 0
	walkBorder(class, a.Shape, func(c uint32) {
		all++
		if c != 0 {
			counts[c]++
			most = max(most, counts[c])
		}
	})
	s.border = float64(most) / float64(max(1, all))
	return s
}
