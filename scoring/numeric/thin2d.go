package numeric

import (
	"context"
	"math/bits"
)

// thinTable says for each of 256 neighbourhoods when the pixel in its middle goes: 1 in the first sub-pass, 2 in the second,
// 3 in both. The neighbours' weights are NW 1, N 2, NE 4, E 8, SE 16, S 32, SW 64, W 128. It is the table of Zhang and Suen
// (1984) but for 25 entries, as scikit-image has it (spec/scorers-segmentation-tracking.md 7.1).
const thinTable = "0001001300311013" + "0000000020203033" + "0000000030000000" + "0000000020003022" +
	"0000000000000000" + "0000000000000000" + "2000000020002000" + "3000000030003020" +
	"0031001300000001" + "0000000000000001" + "3100000000000000" + "2000000000000000" +
	"2313001300000001" + "0000000000000000" + "2301000100000000" + "3301000022002000"

// Thin2D thins each plane of a mask to lines one pixel wide, as scikit-image does: two sub-passes, in each of which all
// pixels are judged on the same image, until neither removes anything. The mask stays as it is.
func Thin2D(ctx context.Context, m *Mask) (*Mask, error) { return thin2D(ctx, m, nil) }

func thin2D(ctx context.Context, m *Mask, steps *steps) (*Mask, error) {
	t := thinner2D{Mask: m.Clone(), stale: make([]uint8, len(m.words)), steps: steps}
	filled := 0
	for _, w := range t.words {
		if w != 0 {
			filled++
		}
	}
	for which := 1; which <= 2; which++ { // words beside filled ones come in later, while others go
		t.waiting[which] = make([]int, 0, filled+filled/4)
	}
	for i, w := range t.words {
		if w != 0 {
			t.look(i)
		}
	}
	for changed := true; changed; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		changed = t.pass(1)
		changed = t.pass(2) || changed
	}
	return t.Mask, nil
}

// thinner2D remembers which words of a mask have to be looked at in each sub-pass: only where something changed since.
type thinner2D struct {
	*Mask
	stale   []uint8   // bits 1 and 2: the word waits in the list of that sub-pass
	waiting [3][]int  // the lists, by sub-pass
	removed []removal // in this sub-pass
	steps   *steps    // told of what goes, if any
}

type removal struct {
	word int
	bits uint64
}

func (t *thinner2D) pass(which uint8) bool {
	t.removed = t.removed[:0]
	t.steps.next()
	for _, i := range t.waiting[which] {
		t.stale[i] &^= which
		if w := t.words[i]; w != 0 {
			if gone := t.judge(i, w, which); gone != 0 {
				t.removed = append(t.removed, removal{i, gone})
			}
		}
	}
	t.waiting[which] = t.waiting[which][:0]
	for _, r := range t.removed {
		t.words[r.word] &^= r.bits
		t.steps.note(r.word, r.bits)
		t.touch(r.word)
		if r.bits&1 != 0 {
			t.touch(r.word - 1)
		}
		if r.bits>>63 != 0 {
			t.touch(r.word + 1)
		}
	}
	return len(t.removed) > 0
}

// touch makes a word and those above and below it be looked at again.
func (t *thinner2D) touch(word int) {
	t.look(word - t.stride)
	t.look(word)
	t.look(word + t.stride)
}

func (t *thinner2D) look(word int) {
	for which := uint8(1); which <= 2; which++ {
		if t.stale[word]&which == 0 {
			t.stale[word] |= which
			t.waiting[which] = append(t.waiting[which], word)
		}
	}
}

// judge gives the pixels of a word that go.
func (t *thinner2D) judge(i int, w uint64, which uint8) (gone uint64) {
	nw, n, ne := t.three(i - t.stride)
	west, _, east := t.three(i)
	sw, s, se := t.three(i + t.stride)
	inner := nw & n & ne & west & east & sw & s & se
	for rest := w &^ inner; rest != 0; rest &= rest - 1 {
		b := uint(bits.TrailingZeros64(rest))
		k := nw>>b&1 | n>>b&1<<1 | ne>>b&1<<2 | east>>b&1<<3 | se>>b&1<<4 | s>>b&1<<5 | sw>>b&1<<6 | west>>b&1<<7
		if thinTable[k]&which != 0 { // '0' is 0x30: the low bits are the digit
			gone |= 1 << b
		}
	}
	return gone
}

// three is a word as seen by the pixels to its right, below and to its left: their west, own and east neighbours.
func (t *thinner2D) three(i int) (west, own, east uint64) {
	own = t.words[i]
	return own<<1 | t.words[i-1]>>63, own, own>>1 | t.words[i+1]<<63
}
