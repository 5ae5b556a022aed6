package xlsx

import (
	"context"
	"strings"

	"coverslip/datasets/raster/parallel"
	"coverslip/datasets/tabular/archive"
)

// maxAtOnce is how many bytes of XML sheets may have to be read at the same time: each of them may reach the limits that
// hold for all together, before they are added up.
const maxAtOnce = 16 << 20

// sheetPart is what stands behind an entry of the list of sheets.
type sheetPart struct {
	*part
	member *archive.Member // nil where there is none
	taken  tally           // by this sheet alone
	ahead  bool            // read before its turn
}

// newPart finds the part of an entry, not read yet.
func (b *book) newPart(e sheetEntry) *sheetPart {
	r := b.relations[e.id]
	s := &sheetPart{member: b.archive.Find(r.target)}
	if s.member != nil {
		s.part = &part{name: s.member.Name, shared: b.shared, date1904: b.date1904, chart: strings.Contains(r.kind, "chartsheet")}
	}
	return s
}

// readAhead reads the sheets of a workbook that is not large on all processors; nil is for entries that lead nowhere.
func (b *book) readAhead(sheets []*sheetPart) {
	size := int64(0)
	var some []*sheetPart
	for _, s := range sheets {
		if s != nil && s.member != nil && !s.chart {
			size += s.member.Size
			some = append(some, s)
		}
	}
	if size > b.atOnce || len(some) < 2 {
		return
	}
	// It cannot fail: what is wrong with a sheet is kept with it, and nothing ends the context.
	_ = parallel.Each(context.Background(), len(some), func(i int) error {
		some[i].read(b, some[i].member, &some[i].taken)
		some[i].ahead = true
		return nil
	})
}

// finished is the part of an entry, read. Where the sheets together reach a limit, the one that does so is read again, up
// to there.
func (b *book) finished(e sheetEntry, s *sheetPart) *part {
	if s.ahead && !b.add(s.taken) {
		s = b.newPart(e)
	}
	if !s.chart && !s.ahead {
		s.read(b, s.member, &b.tally)
	}
	return s.part
}
