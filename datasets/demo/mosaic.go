package demo

import (
	"math"
	"sync"

	"coverslip/datasets/raster/pixel"
	"coverslip/datasets/raster/tiff"
)

// The mosaic: 8 x 8 tiles that overlap a little, in 3 slices and 4 channels.
const (
	tilesAcross, tileSide, tileStep = 8, 64, 60
	slideSide                       = (tilesAcross-1)*tileStep + tileSide
	slideZ, slideC                  = 3, 4
	slidePixelUM, slideStepUM       = 0.83, 5.0
	slideStem                       = "day15_1_6_wbc_wbca1_mcf7_dapi_bodipy_panck_cd45_zstack_8x8"
	slideSeed                       = 0x637463
)

var slideChannels = []string{"Bodipy", "PanCK", "DAPI", "CD45"}

func mosaic() task {
	return task{id: mosaicTask,
		look: "Shape and band profiles make 70 percent. \"pasted\" lays the tiles side by side without their overlap: 512 instead of 484 pixels, and seams with doubled cells. " +
			"\"projected\" gives one slice instead of three, channels in reverse order and plain sums instead of dBct.",
		roles: []role{
			{"careful", "Tiles registered and blended; a few cells taken for the other kind."},
			{"pasted", "Tiles laid side by side, no registration; one threshold for both kinds of cells."},
			{"projected", "Good registration, but a maximum projection with the channels in reverse order, and totals as sums of counts."},
		},
		jobs: mosaicJobs}
}

func mosaicJobs(t task) []job {
	s := sync.OnceValue(spreadCells)
	stack := func(values func() []uint16) func() pixel.Array {
		return func() pixel.Array {
			v := values()
			side := int(math.Sqrt(float64(len(v) / (slideZ * slideC))))
			return array("ZCYX", v, slideZ, slideC, side, side)
		}
	}
	calibrated := tiff.EncodeOptions{OME: true, PixelUM: slidePixelUM, StepUM: slideStepUM}
	leaves := []leaf{
		bytesLeaf(t.input(slideStem+".lsm"), func() []byte { return s().tiled() }),
		bytesLeaf(t.truth(slideStem+"_Stitched.lsm"), func() []byte { return s().stitched() }),
		bytesLeaf(t.truth("reference_table_1.csv"), func() []byte { return s().reference() }),
		tiffLeaf(t.answer(0, "stitched_image", "day15_wbc_mcf7_stitched.ome.tif"), calibrated, stack(func() []uint16 { return s().blended() })),
		tiffLeaf(t.answer(1, "stitched_image", "mosaic_stitch.tif"), tiff.EncodeOptions{ImageJ: true, PixelUM: slidePixelUM}, stack(func() []uint16 { return s().pasted() })),
		tiffLeaf(t.answer(2, "stitched_image", "stitched_max.tif"), tiff.EncodeOptions{ImageJ: true, PixelUM: slidePixelUM}, func() pixel.Array {
			return array("CYX", s().projected(), slideC, slideSide, slideSide)
		}),
	}
	for k, h := range []cytometry{{wrong: 0.03, noise: 0.03, seed: 1}, {wrong: 0.3, noise: 0.2, seed: 2, wide: 1.35}, {wrong: 0.03, noise: 0.03, seed: 1, counts: true}} {
		leaves = append(leaves,
			bytesLeaf(t.answer(k, "summary_statistics", "summary_statistics.csv"), func() []byte { return s().summary(h) }),
			bytesLeaf(t.answer(k, "per_cell_features", "per_cell_features.csv"), func() []byte { return s().perCell(h) }))
	}
	return []job{jobOf(leaves...)}
}

// slideCell is a cell of the mosaic; tumour cells are larger.
type slideCell struct {
	y, x, r, z float64 // z in slices
	tumour     bool
	seed       uint64
	features   [slideC][4]float64
}

// slideScene is the specimen, slice by slice, channel by channel, and where the tiles really lie.
type slideScene struct {
	cells  []slideCell
	planes [slideZ][slideC]*light
	places [tilesAcross * tilesAcross][2]int
}

func spreadCells() *slideScene {
	r := newRNG(slideSeed, 1)
	s := &slideScene{}
	for range 6000 {
		c := slideCell{y: r.between(8, slideSide-8), x: r.between(8, slideSide-8), r: r.between(4.2, 5.2), z: r.between(0.2, 1.8), seed: r.next()}
		if c.tumour = len(s.cells) < 60; c.tumour {
			c.r = r.between(8, 11)
		}
		free := len(s.cells) < 210
		for _, o := range s.cells {
			free = free && length(c.y-o.y, c.x-o.x) > float64(0.95*(c.r+o.r))
		}
		if free {
			s.cells = append(s.cells, c)
		}
	}
	spreadOut(slideZ*slideC, func(i int) { s.planes[i/slideC][i%slideC] = s.paint(i/slideC, i%slideC) })
	for i := range s.places {
		y, x := i/tilesAcross*tileStep, i%tilesAcross*tileStep
		s.places[i] = [2]int{clampInt(y+r.below(3)-1, 0, slideSide-tileSide), clampInt(x+r.below(3)-1, 0, slideSide-tileSide)}
	}
	s.measure()
	return s
}

func clampInt(v, lo, hi int) int { return max(lo, min(hi, v)) }

// paint is one channel of one slice.
func (s *slideScene) paint(z, channel int) *light {
	l := newLight(slideSide, slideSide, 0)
	for _, c := range s.cells {
		off := float64(z) - c.z
		c.paint(l, channel, expNeg(float64(off*off)*0.6))
	}
	l.blur(1)
	ground := newLight(slideSide, slideSide, 90)
	ground.shade(slideSeed+uint64(channel), 120, 18)
	l.add(ground)
	return l
}

// paint adds a cell to a channel: lipid droplets, a keratin net, a nucleus, or a bright rim.
func (c slideCell) paint(l *light, channel int, focus float64) {
	r := newRNG(c.seed, uint64(channel))
	nucleus := float64(0.62 * c.r)
	if !c.tumour {
		nucleus = float64(0.8 * c.r)
	}
	l.around(c.y, c.x, c.r+4, func(i int, dy, dx float64) {
		y, x := c.y+dy, c.x+dx
		far := length(dy, dx) + float64(0.12*c.r*noise2(c.seed, y, x, 8))
		body := 1 - ramp(far, c.r-1.4, c.r+1)
		v := 0.0
		switch slideChannels[channel] {
		case "Bodipy":
			v = float64(body * 260)
			if c.tumour {
				v = float64(body * 520)
			}
		case "PanCK":
			v = float64(body * 40)
			if c.tumour {
				v = float64(body * (1 - float64(0.6*(1-ramp(far, nucleus-1, nucleus+1)))) * (900 + float64(500*noise2(c.seed+1, y, x, 2.4))))
			}
		case "DAPI":
			v = float64((1 - ramp(far, nucleus-1.2, nucleus+0.8)) * (1150 + float64(350*noise2(c.seed+2, y, x, 3))))
		case "CD45":
			v = float64(body * 30)
			if !c.tumour {
				v += float64(1250 * bell(float64((far-c.r+0.8)*(far-c.r+0.8))/0.8))
			}
		}
		l.v[i] = max(l.v[i], float64(focus*v))
	})
	if channel == 0 && c.tumour {
		for range 9 {
			dy, dx := r.direction()
			at := r.between(0.3, 0.8) * c.r
			l.spot(c.y+float64(at*dy), c.x+float64(at*dx), 0.9, float64(focus*r.between(500, 1300)))
		}
	}
}

// shot is the grey values of a part of the specimen as the microscope records it: darker towards the corners of a tile.
func (s *slideScene) shot(z, channel, y0, x0, side, plane int, corners float64) []uint16 {
	l := newLight(side, side, 0)
	half := float64(float64(side) / 2)
	for y := range side {
		for x := range side {
			dy, dx := (float64(y)-half)/half, (float64(x)-half)/half
			fall := 1 - float64(corners*(float64(dy*dy)+float64(dx*dx)))
			l.v[y*side+x] = float64(fall * s.planes[z][channel].v[(y0+y)*slideSide+x0+x])
		}
	}
	return l.gray16(camera{read: 5, shot: 0.5}, slideSeed+20, plane)
}

// tile is one recorded tile, Z C Y X.
func (s *slideScene) tile(i int) [][]uint16 {
	var slices [][]uint16
	for z := range slideZ {
		var page []uint16
		for c := range slideC {
			page = append(page, s.shot(z, c, s.places[i][0], s.places[i][1], tileSide, (i*slideZ+z)*slideC+c, 0.06)...)
		}
		slices = append(slices, page)
	}
	return slices
}

// tiled is the recording: an LSM file of all tiles, with the positions that the stage believed in.
func (s *slideScene) tiled() []byte {
	f := zeiss{h: tileSide, w: tileSide, z: slideZ, channels: slideChannels, pixelUM: slidePixelUM, stepUM: slideStepUM}
	for i := range s.places {
		f.tiles = append(f.tiles, [2]float64{slidePixelUM * float64(i/tilesAcross*tileStep), slidePixelUM * float64(i%tilesAcross*tileStep)})
		f.pages = append(f.pages, s.tile(i)...)
	}
	return f.bytes()
}

// stitched is the reference: the whole specimen in one LSM file.
func (s *slideScene) stitched() []byte {
	f := zeiss{h: slideSide, w: slideSide, z: slideZ, channels: slideChannels, pixelUM: slidePixelUM, stepUM: slideStepUM}
	for z := range slideZ {
		var page []uint16
		for c := range slideC {
			page = append(page, s.shot(z, c, 0, 0, slideSide, 9000+z*slideC+c, 0)...)
		}
		f.pages = append(f.pages, page)
	}
	return f.bytes()
}

// blended is a mosaic from tiles at their true places, the later tile on top.
func (s *slideScene) blended() []uint16 {
	return s.compose(slideSide, func(i int) (int, int) { return s.places[i][0], s.places[i][1] })
}

// pasted is a mosaic of tiles side by side.
func (s *slideScene) pasted() []uint16 {
	return s.compose(tilesAcross*tileSide, func(i int) (int, int) { return i / tilesAcross * tileSide, i % tilesAcross * tileSide })
}

// compose lays the tiles out, Z C Y X.
func (s *slideScene) compose(side int, at func(i int) (y, x int)) []uint16 {
	out := make([]uint16, slideZ*slideC*side*side)
	for i := range s.places {
		y0, x0 := at(i)
		for z, page := range s.tile(i) {
			for c := range slideC {
				for y := range tileSide {
					from := (c*tileSide + y) * tileSide
					copy(out[((z*slideC+c)*side+y0+y)*side+x0:], page[from:from+tileSide])
				}
			}
		}
	}
	// Where no tile came, because two stand a pixel too far apart, the pixel above or to the left is repeated.
	for i, v := range out {
		if v == 0 && i >= side {
			out[i] = max(out[i-1], out[i-side])
		}
	}
	return out
}

// projected is the brightest slice of each pixel, C Y X, the channels in reverse order.
func (s *slideScene) projected() []uint16 {
	all := s.blended()
	const plane = slideSide * slideSide
	out := make([]uint16, slideC*plane)
	for z := range slideZ {
		for c := range slideC {
			for i, v := range all[(z*slideC+c)*plane : (z*slideC+c+1)*plane] {
				to := (slideC-1-c)*plane + i
				out[to] = max(out[to], v)
			}
		}
	}
	return out
}

// measure works out the four features of each cell in each channel, on the brightest slice: total light in dBct, width
// in um, spatial frequency in 1/um (by Parseval, from the slopes), and the product of the last two.
func (s *slideScene) measure() {
	for k := range s.cells {
		c := &s.cells[k]
		for channel := range slideC {
			c.features[channel] = s.moments(c, channel)
		}
	}
}

func (s *slideScene) moments(c *slideCell, channel int) [4]float64 {
	at := func(y, x int) float64 {
		v := 0.0
		for z := range slideZ {
			v = max(v, s.planes[z][channel].v[clampInt(y, 0, slideSide-1)*slideSide+clampInt(x, 0, slideSide-1)]-90)
		}
		return max(v, 1)
	}
	var sum, wide, slope, square float64
	s.planes[0][0].around(c.y, c.x, c.r+2, func(i int, dy, dx float64) {
		far2 := float64(dy*dy) + float64(dx*dx)
		if far2 > float64((c.r+1)*(c.r+1)) {
			return
		}
		y, x := i/slideSide, i%slideSide
		v := at(y, x)
		gy, gx := (at(y+1, x)-at(y-1, x))/2, (at(y, x+1)-at(y, x-1))/2
		sum, wide = sum+v, wide+float64(far2*v)
		slope, square = slope+float64(gy*gy)+float64(gx*gx), square+float64(v*v)
	})
	r := float64(math.Sqrt(wide/sum) * slidePixelUM)
	rf := math.Sqrt(slope/square) / (2 * math.Pi * slidePixelUM)
	return [4]float64{10 * log10(sum), r, rf, r * rf}
}

// log10 is the logarithm of a number above 0, by halving and a series, the same on each machine.
func log10(v float64) float64 {
	twos := 0.0
	for v > 1.5 {
		v, twos = v/2, twos+1
	}
	u := (v - 1) / (v + 1)
	u2, sum := float64(u*u), 0.0
	for k := 21.0; k >= 1; k -= 2 {
		sum = 1/k + float64(sum*u2)
	}
	return float64(twos*0.3010299956639812) + float64(2*u*sum*0.4342944819032518)
}

// The features by name, in the reference table and in the answers.
var (
	featureNames   = [4]string{"Sigma", "r", "rf", "M"}
	featureTitles  = [4]string{"Sigma (dBct)", "<r> (um)", "<rf> (1/um)", "<M>"}
	featureColumns = [4]string{"Sigma_dBct", "r_um", "rf_um1", "M_unitless"}
)

// moment is mean and standard deviation of a feature over a population.
func moment(cells []slideCell, tumour bool, channel, feature int) (mean, sd float64, n int) {
	var sum, square float64
	for _, c := range cells {
		if c.tumour == tumour {
			v := c.features[channel][feature]
			sum, square, n = sum+v, square+float64(v*v), n+1
		}
	}
	mean = sum / float64(n)
	return mean, math.Sqrt(max(0, square/float64(n)-float64(mean*mean))), n
}

// reference is the table of the truth.
func (s *slideScene) reference() []byte {
	t := sheet{head: []string{"Feature", "WBC_Mean", "WBC_SD", "MCF7_Mean", "MCF7_SD", "D"}}
	for c, name := range slideChannels {
		for f := range 4 {
			wm, ws, _ := moment(s.cells, false, c, f)
			tm, ts, _ := moment(s.cells, true, c, f)
			d := math.Abs(wm-tm) / math.Sqrt((float64(ws*ws)+float64(ts*ts))/2)
			t.row(name+" "+featureTitles[f], round(wm, 3), round(ws, 3), round(tm, 3), round(ts, 3), round(d, 3))
		}
	}
	return t.csv()
}

// cytometry is how an agent measures cells.
type cytometry struct {
	wrong, noise float64 // share of cells taken for the other kind; relative error
	wide         float64 // factor of the width, 0: none
	counts       bool    // sums of counts instead of dBct
	seed         uint64
}

// measured is what an agent makes of the cells.
func (s *slideScene) measured(h cytometry) []slideCell {
	r := newRNG(slideSeed, 40, h.seed)
	out := append([]slideCell(nil), s.cells...)
	for i := range out {
		c := &out[i]
		if r.chance(h.wrong) {
			c.tumour = !c.tumour
		}
		for channel := range slideC {
			f := &c.features[channel]
			for k := range f {
				f[k] += float64(f[k] * float64(h.noise*0.3*r.normal()))
			}
			if h.wide > 0 {
				f[1], f[2] = float64(f[1]*h.wide), f[2]/h.wide
			}
			if h.counts {
				f[0] = 1 / expNeg(float64(f[0]*0.2302585092994046))
			}
		}
	}
	return out
}

func population(tumour bool) string {
	if tumour {
		return "MCF7"
	}
	return "WBC"
}

func (s *slideScene) summary(h cytometry) []byte {
	cells := s.measured(h)
	t := sheet{head: []string{"population", "channel", "feature", "mean", "sd", "n"}}
	for _, tumour := range []bool{false, true} {
		for c, name := range slideChannels {
			for f := range 4 {
				mean, sd, n := moment(cells, tumour, c, f)
				t.row(population(tumour), name, featureNames[f], round(mean, 3), round(sd, 3), n)
			}
		}
	}
	return t.csv()
}

func (s *slideScene) perCell(h cytometry) []byte {
	t := sheet{head: []string{"cell_id", "cell_type", "x", "y"}}
	for _, name := range slideChannels {
		for f := range 4 {
			t.head = append(t.head, name+"_"+featureColumns[f])
		}
	}
	for i, c := range s.measured(h) {
		row := []any{i + 1, population(c.tumour), round(c.x, 1), round(c.y, 1)}
		for channel := range slideC {
			for _, v := range c.features[channel] {
				row = append(row, round(v, 3))
			}
		}
		t.row(row...)
	}
	return t.csv()
}
