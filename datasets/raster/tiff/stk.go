package tiff

import (
	"fmt"
	"math"
)

const stkSource = "MetaMorph tags"

// stk reads MetaMorph stacks: one directory, planes one behind the other, their number in the count of tag 33629
// (spec/formats.md 1.7 item 5, 13.5). Axes: Z when all z distances are above zero, T when all creation times differ, I
// otherwise. Tag 33629 without 33628 is a single plane with a note, just a page.
func (f *File) stk(g *Group, first *Page) bool {
	if first.uic1.tag == 0 {
		return false
	}
	planes := uint64(1)
	if first.uic2.tag != 0 {
		planes = first.uic2.count
	}
	base, ok := f.contiguous()
	held := 1
	if ok {
		held = f.planesBehind(base)
	}
	if planes == 0 || planes > uint64(held) {
		g.Notes = append(g.Notes, fmt.Sprintf("the MetaMorph tags claim %d planes, which is impossible: the file holds %d", planes, held))
		f.refuse("MetaMorph tags that claim %d planes where %d are stored", planes, held)
		g.Refused = f.Refused
		planes = uint64(max(held, 1))
	}
	g.Flavour = "STK"
	f.stkMeta(g, first)
	times, axis := f.stkTimes(first, int(planes))
	if len(times) > 1 {
		if step := (times[len(times)-1] - times[0]) / float64(len(times)-1); step > 0 {
			g.Meta.T, g.Meta.Source = step, stkSource
		}
	}
	if planes == 1 {
		g.Series = []Series{pagesSeries("STK", f.Pages[:1], f, nil, "")}
		return true
	}
	g.Series = []Series{f.contiguousSeries("STK", base, []int{int(planes)}, axis)}
	return true
}

// stkTimes reads the creation times of the planes in seconds, and tells the axis that planes run along. A record is the z
// distance (numerator, denominator), day and milliseconds of creation, day and milliseconds of the last change.
func (f *File) stkTimes(p *Page, planes int) (times []float64, axis string) {
	const record = 24
	e := p.uic2
	if e.tag == 0 || planes > 1<<20 || e.count < uint64(planes) {
		return nil, "I"
	}
	at := e.at
	if e.bytes() <= f.pointerSize() { // the count is that of planes, so a single one seems to fit into the entry
		b, ok := f.window().bytes(e.at, 4)
		if !ok {
			return nil, "I"
		}
		at = int64(f.order.Uint32(b))
	}
	w := f.window()
	deep, moving := true, true
	for i := range planes {
		b, ok := w.bytes(at+int64(i*record), record)
		if !ok {
			return nil, "I"
		}
		deep = deep && f.order.Uint32(b) != 0
		seconds := float64(f.order.Uint32(b[8:]))*86400 + float64(f.order.Uint32(b[12:]))/1000
		moving = moving && (i == 0 || seconds != times[i-1])
		times = append(times, seconds)
	}
	switch {
	case deep:
		return times, "Z"
	case moving:
		return times, "T"
	}
	return times, "I"
}

// Identifiers of MetaMorph's first tag.
const (
	uicXCalibration = 4
	uicYCalibration = 5
	uicUnit         = 6
)

// stkMeta reads the pixel size from the pairs of identifier and value of tag 33628, and the z step from tag 33629.
func (f *File) stkMeta(g *Group, p *Page) {
	at := p.uic1.at
	w := f.window()
	if p.uic1.bytes() <= f.pointerSize() {
		b, ok := w.bytes(at, 4)
		if !ok {
			return
		}
		at = int64(f.order.Uint32(b))
	}
	var x, y, unit float64
	for i := range int64(min(p.uic1.count, 1<<10)) {
		b, ok := w.bytes(at+8*i, 8)
		if !ok {
			break
		}
		id, value := f.order.Uint32(b), int64(f.order.Uint32(b[4:]))
		switch id {
		case uicXCalibration:
			x = f.rational(value)
		case uicYCalibration:
			y = f.rational(value)
		case uicUnit:
			if b := f.window(); value > 0 {
				if head, ok := b.bytes(value, 4); ok {
					if n := f.order.Uint32(head); n < 64 {
						if text, ok := b.bytes(value+4, int(n)); ok {
							unit = Micrometres(cString(text))
						}
					}
				}
			}
		}
	}
	if x*unit > 0 && y*unit > 0 {
		g.Meta.X, g.Meta.Y, g.Meta.Source = x*unit, y*unit, stkSource
	}
	if p.uic2.count > 1 {
		if z := f.rational(p.uic2.at); z > 0 && unit > 0 {
			g.Meta.Z, g.Meta.Source = z*unit, stkSource
		}
	}
}

// rational reads a numerator and a denominator; 0 where there is none.
func (f *File) rational(at int64) float64 {
	b, ok := f.window().bytes(at, 8)
	if !ok {
		return 0
	}
	v := float64(f.order.Uint32(b)) / float64(f.order.Uint32(b[4:]))
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return v
}
