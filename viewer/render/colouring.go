package render

import (
	"cmp"
	"slices"
	"sync"
)

// labelColours are strong colours that show on black and on white. Any two are at least 20 apart (CIEDE2000).
var labelColours = [...]uint32{
	rgb(0xff4239), rgb(0xffa01e), rgb(0xf5e033), rgb(0x86d637), rgb(0x0f9a4c), rgb(0x1fdcc4),
	rgb(0x45b4ff), rgb(0x236de3), rgb(0x9242e0), rgb(0xf080ff), rgb(0xff478d), rgb(0xa86a38),
}

const colourCount = len(labelColours)

// Palette remembers the colour of each id over the planes of a stack. It remembers what Learn was given and nothing
// else, so that a plane looks the same whichever planes were looked at before. It is safe for use by several goroutines.
type Palette struct {
	mu     sync.RWMutex
	colour map[int64]uint8
}

// NewPalette makes a palette without memory: then an id prefers the same colour on every plane, and has another one
// only where a neighbour has taken it.
func NewPalette() *Palette { return &Palette{} }

// Learn gives the ids of some planes, the whole stack if possible, colours that hold on all of them: objects that are
// near each other on any of the planes differ. PrepareLabels then keeps to these colours. What was learnt before is
// forgotten. The order of the planes does not matter.
func (p *Palette) Learn(planes ...*Labels) {
	all := &Labels{IDs: []int64{0}}
	known := newKeys(signed[int64])
	near := newNeighbours()
	for _, l := range planes {
		dense := make([]uint32, len(l.IDs))
		for i, id := range l.IDs[1:] {
			dense[i+1] = known.index(all, id)
		}
		for _, pair := range l.pairs {
			near.add(dense[pair>>32], dense[uint32(pair)])
		}
	}
	colours := chooseColours(all.IDs, near, nil)
	learnt := make(map[int64]uint8, len(colours))
	for i, id := range all.IDs {
		learnt[id] = colours[i]
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.colour = learnt
}

// chooseColours colours the objects 1..len(ids)-1 so that neighbours differ.
//
// Each id has its own order of preference among the colours, drawn from the id; objects choose one after the other the
// first that no neighbour has. The order of choosing peels the graph: objects with fewer neighbours than there are colours are
// set aside and choose last, then those that have few among the rest, and so on, so that each finds a free colour whenever
// such peeling ends. It always does when objects are connected (their graph is planar). Within one peel a hash of the id
// decides, so a change at one place of a plane rarely moves colours elsewhere.
func chooseColours(ids []int64, near *neighbours, palette *Palette) []uint8 {
	start, list := near.lists(len(ids))
	colour := make([]uint8, len(ids))
	for i := range colour {
		colour[i] = noColour
	}
	for _, i := range choosingOrder(ids, start, list) {
		var taken [colourCount]int
		for _, k := range list[start[i]:start[i+1]] {
			if c := colour[k]; c != noColour {
				taken[c]++
			}
		}
		colour[i] = palette.pick(ids[i], &taken)
	}
	colour[0] = 0
	return colour
}

const noColour = 255

// choosingOrder lists the objects in the order in which they choose.
func choosingOrder(ids []int64, start, list []uint32) []uint32 {
	round := peel(start, list)
	order := make([]uint32, 0, len(ids))
	hash := make([]uint64, len(ids))
	for i := range ids[1:] {
		order = append(order, uint32(i+1))
		hash[i+1] = mix(uint64(ids[i+1]))
	}
	slices.SortFunc(order, func(a, b uint32) int {
		if c := cmp.Compare(round[b], round[a]); c != 0 {
			return c
		}
		return cmp.Compare(hash[a], hash[b])
	})
	return order
}

// peel numbers the rounds in which objects with fewer neighbours left than colours are set aside; the rest has the
// number of the round in which there were none.
func peel(start, list []uint32) (round []int32) {
	n := len(start) - 1
	round = make([]int32, n)
	degree := make([]uint32, n)
	var now, next []uint32
	for i := range degree {
		degree[i] = start[i+1] - start[i]
		if degree[i] < uint32(colourCount) {
			now = append(now, uint32(i))
		} else {
			round[i] = -1
		}
	}
	r := int32(0)
	for ; len(now) > 0; r++ {
		next = next[:0]
		for _, i := range now {
			for _, k := range list[start[i]:start[i+1]] {
				degree[k]--
				if round[k] == -1 && degree[k] < uint32(colourCount) {
					round[k] = r + 1
					next = append(next, k)
				}
			}
		}
		now, next = next, now
	}
	for i := range round {
		if round[i] == -1 {
			round[i] = r
		}
	}
	return round
}

// pick is the first colour in the id's order of preference that is not taken, or the one taken least often.
func (p *Palette) pick(id int64, taken *[colourCount]int) uint8 {
	h := mix(mix(uint64(id)))
	first := int(h % uint64(colourCount))
	if c, ok := p.remembered(id); ok {
		first = int(c)
	}
	stride := [...]int{1, 5, 7, 11}[h>>32&3] // coprime to the number of colours: visits all
	best := first
	for k := range colourCount {
		c := (first + k*stride) % colourCount
		if taken[c] == 0 {
			return uint8(c)
		}
		if taken[c] < taken[best] {
			best = c
		}
	}
	return uint8(best)
}

func (p *Palette) remembered(id int64) (uint8, bool) {
	if p == nil {
		return 0, false
	}
	p.mu.RLock()
	defer p.mu.RUnlock()
	c, ok := p.colour[id]
	return c, ok
}

// paleColours are the label colours of the truth: about halfway to white, and as far apart as the strong ones.
var paleColours = [colourCount]uint32{
	rgb(0xff917b), rgb(0xfcc073), rgb(0xfff97b), rgb(0x7aff6b), rgb(0x9fc099), rgb(0x65ffea),
	rgb(0x78dcff), rgb(0x88a7ff), rgb(0xc87cff), rgb(0xf7cbff), rgb(0xff79ae), rgb(0xbbb1aa),
}
