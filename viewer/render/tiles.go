package render

import "math"

// Tile is one tile of a mosaic in image pixels.
type Tile struct{ Y, X, H, W int }

// tileColour is white over a dark line, which shows on every image.
const tileInk, tileKeep = 190, 66

// drawTiles draws the borders of tiles as lines of one line pixel, whatever the zoom.
func (f *frame) drawTiles(tiles []Tile) {
	n := f.density
	for _, t := range tiles {
		y0, x0 := f.devicePixel(t.Y, t.X)
		y1, x1 := f.devicePixel(t.Y+t.H, t.X+t.W)
		for pass, ink := range [...]uint32{blackColour, inkColour} {
			d := (1 - pass) * n // the dark line lies one line pixel further out
			f.block(y0-d, x0-d, n, x1-x0+2*d, ink, tileInk, tileKeep)
			f.block(y1-n+d, x0-d, n, x1-x0+2*d, ink, tileInk, tileKeep)
			f.block(y0-d, x0-d, y1-y0+2*d, n, ink, tileInk, tileKeep)
			f.block(y0-d, x1-n+d, y1-y0+2*d, n, ink, tileInk, tileKeep)
		}
	}
}

// devicePixel is the device pixel at the upper left corner of an image pixel, kept near the picture so that it fits an int.
func (f *frame) devicePixel(y, x int) (py, px int) {
	place := func(at int, scale, origin float64) int {
		p := math.Floor((float64(at)-origin)*scale + 0.5)
		return int(math.Max(-1e6, math.Min(1e6, p)))
	}
	sy, sx := f.cam.scales()
	return place(y, sy, f.cam.OY), place(x, sx, f.cam.OX)
}
