package tabular

import (
	"context"
	"strings"

	"coverslip/datasets/raster/parallel"
)

// pieceBytes is the least that is worth a goroutine of its own.
const pieceBytes = 256 << 10

// readPieces reads a list on all processors, in at most n pieces that end behind a line feed; each fills its own part of
// one array with room for all rows. It declines texts with more lines than line feeds, whose rows may not fit.
func readPieces(text string, room, n int) (all localisationReader, ok bool) {
	pieces := cutPieces(text, n)
	if len(pieces) < 2 {
		return all, false
	}
	readers := make([]localisationReader, len(pieces))
	list := make([]Localisation, 0, room)
	free := list[:room]
	most := make([]int, len(pieces))
	for i, piece := range pieces {
		most[i] = strings.Count(piece, "\n")
		if !strings.HasSuffix(piece, "\n") {
			most[i]++
		}
		readers[i].list, free = free[:0:most[i]], free[most[i]:]
	}
	if parallel.Each(context.Background(), len(pieces), func(i int) error { readers[i].read(pieces[i]); return nil }) != nil {
		return all, false
	}
	for i := range readers {
		if readers[i].lines > most[i] {
			return all, false
		}
	}
	return joinPieces(list, readers), true
}

// cutPieces cuts a text behind line feeds into at most n pieces of about the same size.
func cutPieces(text string, n int) []string {
	var pieces []string
	for ; n > 1; n-- {
		cut := strings.IndexByte(text[len(text)/n:], '\n') + 1
		if cut == 0 {
			break
		}
		cut += len(text) / n
		pieces, text = append(pieces, text[:cut]), text[cut:]
	}
	if text != "" {
		pieces = append(pieces, text)
	}
	return pieces
}

// joinPieces moves the rows together, to the start of the list, and counts lines from the start of the text.
func joinPieces(list []Localisation, readers []localisationReader) localisationReader {
	all := localisationReader{list: list}
	for _, r := range readers {
		if all.lines > 0 {
			for i := range r.list {
				r.list[i].Line += all.lines
			}
		}
		all.list = append(all.list, r.list...)
		for _, s := range r.skips.First[:min(len(r.skips.First), maxSkipped-len(all.skips.First))] {
			s.Line += all.lines
			all.skips.First = append(all.skips.First, s)
		}
		all.skips.Count += r.skips.Count
		all.lines += r.lines
		if all.stopped = r.stopped; r.stopped {
			break
		}
	}
	return all
}
