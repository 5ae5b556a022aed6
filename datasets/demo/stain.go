package demo

import "math"

// stain is how a slide came out of the dyeing: strengths of haematoxylin and eosin around 1, shifts of hue around 0.
type stain struct{ haem, eosin, blue, red float64 }

// dyes holds the optical density of each dye at each pixel, row by row.
type dyes struct {
	haem, eosin, blood []float64
}

// Optical densities of the three dyes in red, green and blue for an amount of 1. Measured colours of H&E slides lie close.
var (
	haemRGB  = [3]float64{0.74, 1.00, 0.43}
	eosinRGB = [3]float64{0.17, 0.86, 0.42}
	bloodRGB = [3]float64{0.16, 1.00, 0.80}
)

// tint works out the dyes of a slide from its ground and its nuclei.
func (s slide) tint(g *ground, nuclei []nucleus, id []uint16, depth []float64) *dyes {
	d := &dyes{make([]float64, tile*tile), make([]float64, tile*tile), make([]float64, tile*tile)}
	cells := gather(nuclei)
	spreadOut(tile, func(row int) {
		for col := range tile {
			i := row*tile + col
			y, x := float64(row), float64(col)
			haem, eosin := s.plasm(g, cells, i, y, x)
			blood := 0.0
			if k := id[i]; k > 0 {
				n := &nuclei[k-1]
				cover := ramp(depth[i], -1.4, 1.2)
				if n.look.red {
					blood = float64(cover * (0.62 - float64(0.22*ramp(depth[i], 2, 8)) + float64(0.08*noise2(n.seed, y, x, 6))))
					haem, eosin = lerp(haem, 0, cover), lerp(eosin, 0, cover)
				} else {
					haem = lerp(haem, n.chromatin(y, x, depth[i]), cover)
					eosin = lerp(eosin, float64(0.6*eosin)+0.05, cover)
				}
			}
			d.haem[i], d.eosin[i], d.blood[i] = haem, eosin, blood
		}
	})
	return d
}

// chromatin is the haematoxylin density inside a nucleus: clumps, a dark membrane, a paler middle, nucleoli.
func (n *nucleus) chromatin(y, x, depth float64) float64 {
	v := n.look.stain
	v += float64(n.look.clumps * (ramp(noise2(n.seed+2, y, x, 5.5), -0.25, 0.55) - 0.45))
	v += float64(0.16 * noise2(n.seed+3, y, x, 2.7))
	v += float64(0.30 * (1 - ramp(depth, 0.6, 3.2)))
	v -= float64(n.look.open * ramp(depth, 2, 6))
	if n.look.nucleol {
		dy := y - n.y - float64(n.b*(float64(n.seed>>8&255)/640-0.2))
		dx := x - n.x - float64(n.b*(float64(n.seed&255)/640-0.2))
		v += float64(0.45 * (1 - ramp(length(dy, dx), 1.2, 2.9)))
	}
	return max(v, 0.2)
}

// plasm is what the tissue between the nuclei takes of both dyes.
func (s slide) plasm(g *ground, c cluster, i int, y, x float64) (haem, eosin float64) {
	grainy := noise2(s.seed+60, y, x, 2.6)
	mottle := cloud2(s.seed+61, y, x, 14)
	broad := noise2(s.seed+62, y, x, 120)
	switch z := g.zone[i]; z {
	case stroma, crowd:
		fibre := cloud2(s.seed+63, y+float64(9*noise2(s.seed+64, y, x, 40)), x, 9)
		eosin = 0.34 + float64(0.20*fibre) + float64(0.06*grainy) + float64(0.08*broad)
		pale := ramp(cloud2(s.seed+65, y, x, 22), 0.18, 0.42) // oedema and small cracks
		eosin = lerp(eosin, 0.05, float64(0.8*pale))
		haem = 0.05
		if z == crowd {
			haem = 0.12
		}
	case epithelium:
		return s.cytoplasm(g, c, i, y, x, grainy, mottle, broad)
	case lumen:
		eosin = 0.02 + float64(0.10*ramp(mottle, 0.25, 0.7)) + float64(0.22*(1-ramp(g.depth[i], 0, 3)))
	case cleft:
		strand := ramp(noise2(s.seed+66, y, x, 11), 0.30, 0.52)
		eosin = 0.02 + float64(0.22*strand)
	case tuft:
		eosin = 0.40 + float64(0.16*mottle) + float64(0.06*grainy)
		haem = 0.13 + float64(0.06*noise2(s.seed+67, y, x, 10))
	case islet:
		eosin = 0.30 + float64(0.12*mottle) + float64(0.05*grainy)
		haem = 0.06
		eosin -= float64(0.22 * ramp(noise2(s.seed+68, y, x, 26), 0.42, 0.52)) // capillaries between the cords
	case muscle:
		wave := noise2(s.seed+69, float64(g.depth[i]*2.2)+float64(6*broad), float64(0.15*(x+y)), 8)
		eosin = 0.60 + float64(0.12*wave) + float64(0.05*grainy)
		haem = 0.05
	case blood:
		eosin = 0.03
	case ductal:
		eosin = 0.42 + float64(0.08*mottle)
		haem = 0.10
	}
	return max(haem, 0), max(eosin, 0.01)
}

// cytoplasm is the inside of epithelial cells: a granular body, pale borders between cells, a denser line at the base.
func (s slide) cytoplasm(g *ground, c cluster, i int, y, x, grainy, mottle, broad float64) (haem, eosin float64) {
	f, depth := g.pack.sites[g.who[i]], g.depth[i]
	border, own := c.border(y, x)
	shade := float64(own&255)/255 - 0.5
	apex := ramp(depth/f.thick, 0.45, 1)
	switch f.wall {
	case proximal:
		eosin = 0.58 + f.tint + float64(0.10*mottle) + float64(0.11*grainy) + float64(0.10*apex)
		haem = 0.08
	case distal:
		eosin = 0.36 + f.tint + float64(0.08*mottle) + float64(0.07*grainy) - float64(0.10*apex)
		haem = 0.07
	case acinar:
		granules := ramp(noise2(s.seed+70, y, x, 4), -0.1, 0.4)
		apex = ramp(depth, 15, 32)
		eosin = lerp(0.36+float64(0.06*mottle), 0.52+float64(0.26*granules), apex) + f.tint
		haem = lerp(0.34+float64(0.08*mottle)+float64(0.05*grainy), 0.07, apex)
	}
	eosin += float64(0.10*shade) + float64(0.05*broad)
	eosin -= float64(0.13 * (1 - ramp(border, 0.4, 2.2)))
	base := 1 - ramp(depth, 0.8, 2.6)
	return max(haem, 0), max(eosin+float64(0.16*base), 0.02)
}

// cluster lists the nuclei near each block of block x block pixels, so that a pixel need not ask all of them.
type cluster struct {
	nuclei []nucleus
	near   [][]int // by block, row by row
}

const block, cellReach = 32, 75

func gather(nuclei []nucleus) cluster {
	const n = tile / block
	c := cluster{nuclei, make([][]int, n*n)}
	for b := range c.near {
		y, x := float64(b/n*block+block/2), float64(b%n*block+block/2)
		for k := range nuclei {
			if max(math.Abs(nuclei[k].y-y), math.Abs(nuclei[k].x-x)) < cellReach+block/2 {
				c.near[b] = append(c.near[b], k)
			}
		}
	}
	return c
}

// border treats each nucleus as the centre of its cell: the distance in pixels to the border with the next cell, and a
// number of the cell's own. Where no two nuclei are near there is no border.
func (c cluster) border(y, x float64) (border float64, own uint64) {
	first, second, at, next := 1e18, 1e18, -1, -1
	for _, k := range c.near[int(y)/block*(tile/block)+int(x)/block] {
		dy, dx := y-c.nuclei[k].y, x-c.nuclei[k].x
		d := float64(dy*dy) + float64(dx*dx)
		if d < first {
			second, next = first, at
			first, at = d, k
		} else if d < second {
			second, next = d, k
		}
	}
	if next < 0 {
		return 1e9, 0
	}
	a, b := &c.nuclei[at], &c.nuclei[next]
	apart := length(a.y-b.y, a.x-b.x)
	if apart > cellReach {
		return 1e9, a.seed
	}
	return (second - first) / float64(2*apart), a.seed
}

// soften blurs the dyes with the 3 x 3 binomial kernel, edges repeated.
func (d *dyes) soften() {
	for _, v := range [][]float64{d.haem, d.eosin, d.blood} {
		rows := make([]float64, len(v))
		spreadOut(tile, func(y int) {
			for x := range tile {
				i := y*tile + x
				rows[i] = float64(0.25*(v[y*tile+max(x-1, 0)]+v[y*tile+min(x+1, tile-1)])) + float64(0.5*v[i])
			}
		})
		spreadOut(tile, func(y int) {
			for x := range tile {
				up, down := rows[max(y-1, 0)*tile+x], rows[min(y+1, tile-1)*tile+x]
				v[y*tile+x] = float64(0.25*(up+down)) + float64(0.5*rows[y*tile+x])
			}
		})
	}
}

// expose turns densities into 8-bit RGB: Beer-Lambert, uneven light, a little camera noise.
func (d *dyes) expose(s slide) []uint8 {
	light := lightTable()
	out := make([]uint8, tile*tile*3)
	spreadOut(tile, func(row int) {
		for col := range tile {
			i := row*tile + col
			shade := 0.020 + float64(0.012*noise2(s.seed+80, float64(row), float64(col), 400))
			for c := range 3 {
				hue := [3]float64{s.stain.red, 0, s.stain.blue}[c]
				od := shade + float64(float64(d.haem[i]*s.stain.haem)*(haemRGB[c]-hue)) +
					float64(float64(d.eosin[i]*s.stain.eosin)*(eosinRGB[c]-hue)) + float64(d.blood[i]*bloodRGB[c])
				k := int(clamp(od, 0, 3.99) * 1024)
				v := light[k] + int(float64(3*grain(s.seed+81+uint64(c), 0, row, col)))
				out[i*3+c] = uint8(max(0, min(255, v)))
			}
		}
	})
	return out
}

// lightTable is 250 * exp(-k/1024) for k below 4096, by repeated multiplication so that it is the same everywhere.
func lightTable() []int {
	t, v := make([]int, 4096), 250.0
	for k := range t {
		t[k] = int(v)
		v = float64(v * 0.9990239141819757)
	}
	return t
}
