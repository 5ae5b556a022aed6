package demo

import (
	"fmt"
	"path"
	"sync"

	"coverslip/datasets/raster/pixel"
	"coverslip/datasets/raster/tiff"
)

const (
	repairSide    = 240
	repairMinutes = 30
	repairSeed    = 0x726164
)

// knockdown is one condition: its folder of frames and when, as a share of S phase, RAD18 joins PCNA.
type knockdown struct {
	name   string
	frames int
	joined float64 // mean
	spread float64
}

var knockdowns = []knockdown{{"siControl", 40, 0.52, 0.15}, {"si53BP1", 34, 0.27, 0.12}}

func foci() task {
	return task{id: fociTask,
		look: "Each condition is a folder whose name ends in .tif. The score is the largest gap between two cumulative curves. \"early\" takes the first green near red for the event and rounds to tenths: the curve climbs in steps and too soon. " +
			"\"percent\" gives 0 to 100 where 0 to 1 was asked for.",
		roles: []role{
			{"careful", "Finds nearly all events, to about a frame."},
			{"early", "Takes chance neighbours for colocalisation, so events come too early; values on a coarse grid, the time stamp counted as foci."},
			{"percent", "The careful agent's events in percent."},
		},
		jobs: fociJobs}
}

func fociJobs(t task) []job {
	movies := make([]func() *repair, len(knockdowns))
	var jobs []job
	for k, c := range knockdowns {
		movies[k] = sync.OnceValue(func() *repair { return damaged(k) })
		const batch = 10
		for from := 0; from < c.frames; from += batch {
			var frames []leaf
			for f := from; f < min(from+batch, c.frames); f++ {
				name := path.Join("Figure2b_"+c.name+".tif", fmt.Sprintf("T%05dC01Z001.tif", f+1))
				frames = append(frames, tiffLeaf(t.input(name), tiff.EncodeOptions{}, func() pixel.Array {
					return array("YXS", movies[k]().frame(f), repairSide, repairSide, 3)
				}))
			}
			jobs = append(jobs, jobOf(frames...))
		}
	}
	all := func() []*repair { return []*repair{movies[0](), movies[1]()} }
	leaves := []leaf{bytesLeaf(t.truth("coloc_results.csv"), func() []byte { return blocks(all()) })}
	for k, h := range []eventHabits{{}, {early: true}, {percent: true}} {
		leaves = append(leaves, bytesLeaf(t.answer(k, "coloc_results", "coloc_results.csv"), func() []byte { return events(all(), h) }))
	}
	return append(jobs, jobOf(leaves...))
}

// repairing is a nucleus: times in frames.
type repairing struct {
	y, x, r         float64
	start, long, at float64 // start and length of S phase, first meeting
	bright          float64
	seed            uint64
}

// normalized is the delay of the meeting as a share of S phase.
func (n repairing) normalized() float64 { return (n.at - n.start) / n.long }

// repair is one movie.
type repair struct {
	knockdown
	seed   uint64
	nuclei []repairing
}

func damaged(k int) *repair {
	m := &repair{knockdown: knockdowns[k], seed: hash(repairSeed, uint64(k))}
	r := newRNG(m.seed)
	for range 4000 {
		n := repairing{y: r.between(16, repairSide-16), x: r.between(16, repairSide-16), r: r.between(12, 15.5), bright: r.between(0.75, 1.1), seed: r.next()}
		if n.y < 34 && n.x > repairSide-72 { // under the time stamp
			continue
		}
		free := len(m.nuclei) < 24
		for _, o := range m.nuclei {
			free = free && length(n.y-o.y, n.x-o.x) > n.r+o.r+3
		}
		if free {
			n.start, n.long = r.between(1, 10), r.between(17, 23)
			n.at = n.start + float64(n.long*clamp(m.joined+float64(m.spread*r.normal()), 0.04, 0.95))
			m.nuclei = append(m.nuclei, n)
		}
	}
	return m
}

// frame is one picture of the movie, Y X S: red and blue PCNA, green RAD18, the time in the corner.
func (m *repair) frame(f int) []uint8 {
	red, green := newLight(repairSide, repairSide, 0), newLight(repairSide, repairSide, 0)
	now := float64(f)
	for _, n := range m.nuclei {
		y, x := n.y+float64(4*noise2(n.seed, now, 0.5, 14)), n.x+float64(4*noise2(n.seed+1, now, 0.5, 14))
		red.around(y, x, n.r+4, func(i int, dy, dx float64) {
			far := length(dy, float64(dx*1.12)) + float64(2*noise2(n.seed+2, dy, dx, 11))
			inside := 1 - ramp(far, n.r-1.5, n.r+1)
			red.v[i] += float64(inside * n.bright * (42 + float64(10*noise2(n.seed+3, dy, dx, 4))))
			green.v[i] += float64(inside * n.bright * (34 + float64(8*noise2(n.seed+4, dy, dx, 4))))
		})
		m.spots(red, green, n, y, x, f)
	}
	red.blur(1)
	green.blur(1)
	stamp(red, f)
	stamp(green, f)
	for i := range red.v {
		red.v[i] += 6
		green.v[i] += 5
	}
	c := camera{read: 1.6, shot: 0.4}
	r := red.gray8(c, m.seed+7, f)
	return rgb(r, green.gray8(c, m.seed+8, f), r)
}

// spots adds the foci of a nucleus: red ones in S phase, few and large late in it; green ones alone before they meet.
func (m *repair) spots(red, green *light, n repairing, y, x float64, f int) {
	phase := (float64(f) - n.start) / n.long
	if phase < 0 || phase > 1 {
		return
	}
	r := newRNG(n.seed, uint64(f/3)) // foci last for three frames
	size := 1 + float64(0.6*phase)
	for range 13 - int(float64(6*phase)) {
		dy, dx := r.direction()
		far := float64(n.r * r.between(0.1, 0.82))
		fy, fx := y+float64(far*dy), x+float64(far*dx)
		red.spot(fy, fx, size, float64(n.bright*r.between(90, 170)))
		if float64(f) >= n.at {
			green.spot(fy, fx, size, float64(n.bright*r.between(90, 170)))
		}
	}
	for range 2 {
		dy, dx := r.direction()
		far := float64(n.r * r.between(0.1, 0.8))
		green.spot(y+float64(far*dy), x+float64(far*dx), 1, float64(60*n.bright))
	}
}

// digits are the shapes of 0 to 9 and the colon, 3 x 5 pixels, row by row from the highest bit.
var digits = map[rune]uint16{'0': 0x7b6f, '1': 0x2c97, '2': 0x73e7, '3': 0x73cf, '4': 0x5bc9, '5': 0x79cf, '6': 0x79ef, '7': 0x7249, '8': 0x7bef, '9': 0x7bcf, ':': 0x0410}

// stamp burns the time since the start, hours and minutes, into the upper right corner.
func stamp(l *light, f int) {
	minutes := f * repairMinutes
	for k, c := range fmt.Sprintf("%02d:%02d", minutes/60, minutes%60) {
		for bit := range 15 {
			if digits[c]>>(14-bit)&1 == 0 {
				continue
			}
			for sub := range 4 {
				y, x := 6+2*(bit/3)+sub/2, repairSide-46+8*k+2*(bit%3)+sub%2
				l.v[y*repairSide+x] = 235
			}
		}
	}
}

// blocks is the reference: the conditions side by side.
func blocks(movies []*repair) []byte {
	var s sheet
	const hours = repairMinutes / 60.0
	s.row(movies[0].name, nil, nil, movies[1].name, nil, nil)
	head := []any{"S-phase length (h)", "Start coloc after S entry (h)", "Start normalized"}
	s.row(append(head, head...)...)
	for i := range movies[0].nuclei {
		var row []any
		for _, m := range movies {
			if i >= len(m.nuclei) {
				row = append(row, nil, nil, nil)
				continue
			}
			n := m.nuclei[i]
			row = append(row, round(n.long*hours, 2), round((n.at-n.start)*hours, 2), round(n.normalized(), 4))
		}
		s.row(row...)
	}
	return s.csv()
}

// eventHabits are the mistakes of an agent that times events.
type eventHabits struct{ early, percent bool }

func events(movies []*repair, h eventHabits) []byte {
	s := sheet{head: []string{"condition", "start_normalized", "frame", "x", "y"}}
	for _, m := range movies {
		r := newRNG(m.seed, 9)
		for _, n := range m.nuclei {
			v := n.normalized() + float64(0.03*r.normal())
			if r.chance(0.05) {
				continue
			}
			if h.early {
				v = round(float64(v*r.between(0.35, 1.05)), 1)
			}
			v = clamp(v, 0, 1)
			at := int(n.start + float64(v*n.long))
			if h.percent {
				v = float64(100 * v)
			}
			s.row(m.name, round(v, 4), at, round(n.x, 1), round(n.y, 1))
		}
		for range 3 {
			if h.early { // the digits of the time stamp
				s.row(m.name, 0.1, 3, repairSide-20, 10)
			}
		}
	}
	return s.csv()
}
