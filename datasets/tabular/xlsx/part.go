package xlsx

import "coverslip/datasets/tabular/archive"

// part is the content of one sheet, sparse, as it stands in the file.
type part struct {
	name     string
	chart    bool
	shared   []string
	texts    []string
	cells    []stored
	spans    []span // in the file's order
	ordered  bool   // the spans' shown numbers rise
	date1904 bool

	err          error // reading stopped here
	strictErr    error // reading went on here, the reference's would not
	dimensionErr error
	sized        bool // the stated dimensions, or that there are none, were known before reading stopped
	left         bool // a row behind the stated ones was read before: the reference stops there
	maxRow       int  // stated, 0 if not
	maxColumn    int
	strictly     bool // rows of the strict namespace

	rows, columns           int // up to the last cell
	filled                  int // cells with a value
	dates, unvalued, broken int
	merged                  []area
}

// span is one stored row.
type span struct {
	number     int32 // from 1, as the reference counts: by the row's own reference
	shown      int32 // the same, or what the references of its cells say where the row has none
	last       int32 // column of its last cell, 0 if it has none
	start, end int32 // of its cells
	rising     bool  // the columns of its cells rise
}

// area is a block of cells, all sides included, from 1.
type area struct{ row1, column1, row2, column2 int }

const (
	maxColumnNumber = 18278 // ZZZ, the last that a reference can name
	maxRowNumber    = 1 << 30
	maxMerged       = 10_000
)

// read reads the sheet's part, counting on in a tally; what was read before an error stays. Several parts of a book may be
// read at once.
func (p *part) read(b *book, m *archive.Member, count *tally) {
	r := rowReader{part: p, tally: count, book: b}
	p.cells = make([]stored, 0, min(m.Size/40, 1<<18)) // a guess; a cell seldom takes fewer bytes of XML
	p.err = inFile(b.out.Path, b.scan(m, r.sheet))
	p.finish()
}

// finish sorts out the order of the rows and what merged cells hide.
func (p *part) finish() {
	p.ordered = true
	for i := 1; i < len(p.spans); i++ {
		p.ordered = p.ordered && p.spans[i].shown > p.spans[i-1].shown
	}
	budget := 10_000_000
	for _, a := range p.merged {
		p.rows, p.columns = max(p.rows, min(a.row2, maxRows)), max(p.columns, a.column2)
		for i := range p.spans {
			if n := int(p.spans[i].shown); n < a.row1 || n > a.row2 {
				continue
			}
			if budget -= 1 + int(p.spans[i].end-p.spans[i].start); budget < 0 {
				return
			}
			p.cover(a, p.spans[i])
		}
	}
}

func (p *part) cover(a area, row span) {
	for k := row.start; k < row.end; k++ {
		c := &p.cells[k]
		if n := int(c.column); n >= a.column1 && n <= a.column2 && (n != a.column1 || int(row.shown) != a.row1) {
			c.look |= lookCovered
		}
	}
}
