package demo

import (
	"bytes"
	"fmt"
	"image"
	"path"
	"strings"
	"sync"

	"golang.org/x/image/bmp"
)

const (
	wellH, wellW = 128, 170
	plateSeed    = 0x6e666b
	plateRows    = 8
	plateColumns = 12
)

// doses of TNF-alpha by column, in ng/ml.
var doses = [plateColumns]float64{0, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 200, 400}

func plate() task {
	return task{id: plateTask,
		look: "Look at wells A01 and A12 in channel 2: dark nuclei become bright ones. \"global\" leaves the background in and takes one threshold for the plate, so the response is flat and the replicates scatter. " +
			"\"marked\" has the careful agent's table with a byte-order mark in front, which hides the first column from the scorer.",
		roles: []role{
			{"careful", "Ring around each nucleus, background taken off, one row for each well."},
			{"global", "One threshold for the whole plate and no background correction: ratios near 1, scattered, a few wells missing."},
			{"marked", "The careful agent's table saved by a spreadsheet with a byte-order mark: the column \"well\" is not recognised."},
		},
		jobs: plateJobs}
}

// well is one well of the plate.
type well struct {
	row, column int
	cells       []plateCell
}

// plateCell is one cell: place, size, and brightness of its two parts.
type plateCell struct {
	y, x, r    float64
	nuc, cyto  float64
	ay, ax     float64
	elongation float64
}

func (w *well) name() string   { return fmt.Sprintf("%c%02d", 'A'+w.row, w.column+1) }
func (w *well) dose() float64  { return doses[w.column] }
func (w *well) number() uint64 { return uint64(w.row*plateColumns + w.column) }

func (w *well) line() string {
	if w.row < plateRows/2 {
		return "MCF7"
	}
	return "A549"
}

func plateJobs(t task) []job {
	wells := sync.OnceValue(seedPlate)
	const prefix = "BBBC014_v1_"
	folder := t.input("extracted_images", prefix+"images")
	leaves := []leaf{
		bytesLeaf(t.input(prefix+"platemap_dosekey.csv"), func() []byte { return doseKey(wells()) }),
		bytesLeaf(t.input(prefix+"platemap_all.txt"), func() []byte { return doseLines() }),
		bytesLeaf(t.input("contents_"+prefix+"images_filenames.txt"), func() []byte { return []byte(strings.Join(wellFiles(), "\n") + "\n") }),
	}
	careful, global := func() []byte { return perWell(wells(), false) }, func() []byte { return perWell(wells(), true) }
	for k, table := range []func() []byte{careful, global, func() []byte { return append([]byte("\ufeff"), careful()...) }} {
		leaves = append(leaves, bytesLeaf(t.answer(k, "per_well_summary", "per_well_summary.csv"), table))
	}
	for k, flat := range []bool{false, true} {
		leaves = append(leaves, bytesLeaf(t.answer(k, "per_cell_features", "per_cell_features.csv"), func() []byte { return perCell(wells(), flat) }))
	}
	jobs := []job{jobOf(leaves...)}
	names := wellFiles()
	for row := range plateRows {
		var images []leaf
		for column := range plateColumns {
			i := row*plateColumns + column
			for channel := range 2 {
				name := names[channel*plateRows*plateColumns+i]
				images = append(images, leaf{path.Join(folder, name), func() ([]byte, error) { return wells()[i].picture(channel) }})
			}
		}
		jobs = append(jobs, jobOf(images...))
	}
	return jobs
}

// wellFiles names the images, channel after channel, row by row.
func wellFiles() []string {
	var names []string
	for channel := range 2 {
		for i := range plateRows * plateColumns {
			names = append(names, fmt.Sprintf("Channel %d-%02d-%c-%02d-00.Bmp", channel+1, i+1, 'A'+i/plateColumns, i%plateColumns+1))
		}
	}
	return names
}

// doseKey is the plate map.
func doseKey(wells []*well) []byte {
	s := sheet{head: []string{"Row", "Col", "Dose", "CellType"}}
	for _, w := range wells {
		s.row(string(rune('A'+w.row)), w.column+1, w.dose(), w.line())
	}
	return s.csv()
}

// doseLines lists the doses once more, as text.
func doseLines() []byte {
	var s sheet
	for c, d := range doses {
		s.row(fmt.Sprintf("Column %02d: %s ng/ml TNF-alpha in all rows", c+1, cell(d)))
	}
	return s.csv()
}

// seedPlate fills the wells: about a dozen cells each, NF-kB moving into the nucleus as the dose rises.
func seedPlate() []*well {
	var wells []*well
	for row := range plateRows {
		for column := range plateColumns {
			w := &well{row: row, column: column}
			r := newRNG(plateSeed, w.number())
			top, middle := 2.1, 1.2
			if row >= plateRows/2 {
				top, middle = 1.5, 4
			}
			d := w.dose()
			ratio := lerp(0.62, top, d/(d+middle)) * r.between(0.96, 1.04)
			for range 400 {
				if len(w.cells) == 13 {
					break
				}
				c := plateCell{y: r.between(4, wellH-4), x: r.between(4, wellW-4), r: r.between(6, 7.6), cyto: r.between(55, 85), elongation: r.between(1, 1.6)}
				c.ay, c.ax = r.direction()
				c.nuc = float64(c.cyto * ratio * r.between(0.88, 1.12))
				if w.room(c) {
					w.cells = append(w.cells, c)
				}
			}
			wells = append(wells, w)
		}
	}
	return wells
}

func (w *well) room(c plateCell) bool {
	for _, o := range w.cells {
		if length(c.y-o.y, c.x-o.x) < float64(1.75*(c.r+o.r)) {
			return false
		}
	}
	return true
}

// picture is one channel of a well: 0 nuclei, 1 NF-kB.
func (w *well) picture(channel int) ([]byte, error) {
	seed := hash(plateSeed, w.number(), uint64(channel))
	l := newLight(wellH, wellW, 0)
	for _, c := range w.cells {
		l.around(c.y, c.x, 4*c.r, func(i int, dy, dx float64) {
			along, across := float64(dy*c.ay)+float64(dx*c.ax), float64(dy*c.ax)-float64(dx*c.ay)
			y, x := c.y+dy, c.x+dx
			inside := length(along, float64(1.15*across))
			nucleus := 1 - ramp(inside, c.r-1, c.r+1)
			if channel == 0 {
				l.v[i] = max(l.v[i], float64(nucleus*(120+float64(45*noise2(seed, y, x, 4)))))
				return
			}
			body := length(along/c.elongation, across) + float64(2.5*noise2(seed+1, y, x, 9))
			v := float64((1 - ramp(body, float64(1.7*c.r)-2, float64(1.7*c.r)+2)) * (c.cyto + float64(12*noise2(seed+2, y, x, 5))))
			l.v[i] = max(l.v[i], lerp(v, c.nuc, nucleus))
		})
	}
	l.blur(1)
	ground := newLight(wellH, wellW, 12)
	ground.shade(seed+3, 130, 5)
	l.add(ground)
	img := &image.Gray{Pix: l.gray8(camera{read: 1.8, shot: 0.4}, seed+4, 0), Stride: wellW, Rect: image.Rect(0, 0, wellW, wellH)}
	var out bytes.Buffer
	err := bmp.Encode(&out, img)
	return out.Bytes(), err
}

// measured is the ratio that an agent finds for a cell: the true one, nearly, or one spoilt by the background.
// In a well where the threshold is too low or too high, a part of the cytoplasm passes for background or the other way round.
func (c plateCell) measured(r *rng, off float64) (nuc, cyto float64) {
	nuc, cyto = c.nuc+float64(2*r.normal()), c.cyto+float64(2*r.normal())
	if off > 0 {
		nuc, cyto = 190+float64(0.5*nuc), float64(off*(190+float64(0.5*cyto)))
	}
	return round(nuc, 2), round(cyto, 2)
}

// off is by how much the plate-wide threshold spoils the cytoplasm of a well, 0: not at all.
func (w *well) off(flat bool) float64 {
	if !flat {
		return 0
	}
	return newRNG(plateSeed, w.number(), 6).between(0.45, 1.7)
}

// lost tells which wells the agent with the plate-wide threshold finds no cells in.
func (w *well) lost(flat bool) bool { return flat && hash(plateSeed, w.number(), 9)%19 == 0 }

// perCell is the table of cells.
func perCell(wells []*well, flat bool) []byte {
	s := sheet{head: []string{"well", "cell_type", "dose", "nuc_intensity", "cyto_intensity", "nuc_over_cyto_ratio"}}
	for _, w := range wells {
		r := newRNG(plateSeed, w.number(), 5)
		for _, c := range w.cells {
			if nuc, cyto := c.measured(r, w.off(flat)); !w.lost(flat) {
				s.row(w.name(), w.line(), w.dose(), nuc, cyto, round(nuc/cyto, 4))
			}
		}
	}
	return s.csv()
}

// perWell is the table of wells, from the same measurements.
func perWell(wells []*well, flat bool) []byte {
	s := sheet{head: []string{"well", "cell_type", "dose", "mean_nuc_over_cyto_ratio", "n_cells"}}
	for _, w := range wells {
		if w.lost(flat) {
			continue
		}
		r, sum := newRNG(plateSeed, w.number(), 5), 0.0
		for _, c := range w.cells {
			nuc, cyto := c.measured(r, w.off(flat))
			sum += nuc / cyto
		}
		s.row(w.name(), w.line(), w.dose(), round(sum/float64(len(w.cells)), 4), len(w.cells))
	}
	return s.csv()
}
