package segment

import (
	"coverslip/datasets/raster"
	"coverslip/datasets/raster/pixel"
)

// reduceColour takes the channel with the most distinct values (the first of equals) of a uint8 array whose third and
// last axis has length 3 or 4. The reference does so in tasks that are not three-dimensional. Other arrays pass.
func reduceColour(a raster.Array) raster.Array {
	values, ok := a.Values.([]uint8)
	if !ok || a.Type != pixel.Uint8 || len(a.Shape) != 3 || a.Shape[2] < 3 || a.Shape[2] > 4 {
		return a
	}
	channels := a.Shape[2]
	seen := make([][256]bool, channels)
	for i, v := range values {
		seen[i%channels][v] = true
	}
	best, most := 0, -1
	for c := range seen {
		if n := countTrue(seen[c][:]); n > most {
			best, most = c, n
		}
	}
	plane := make([]uint8, len(values)/channels)
	for i := range plane {
		plane[i] = values[i*channels+best]
	}
	reduced := raster.Array{Shape: a.Shape[:2:2], Type: a.Type, Values: plane}
	if len(a.Axes) == 3 {
		reduced.Axes = a.Axes[:2]
	}
	return reduced
}
