package xlsx

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"coverslip/datasets/fault"
	"coverslip/datasets/tabular/archive"
)

// Workbook is a workbook read whole. It is not changed after Open and may be used from several goroutines.
type Workbook struct {
	Path   string
	Sheets []*Sheet // the display view, in the workbook's order, hidden ones included
	Notes  []string // whole sentences on what was left out

	Strictly bool // written in the strict namespaces, in which the reference finds no sheets

	strict    []*Sheet
	strictErr error
}

// Strict is the workbook as OpenStrict gives it.
func (w *Workbook) Strict() ([]*Sheet, error) {
	if w.strictErr != nil {
		return nil, w.strictErr
	}
	return w.strict, nil
}

// Limits of a workbook.
const (
	maxPart   = 256 << 20 // bytes of one part unpacked
	maxTotal  = 512 << 20 // bytes of all parts unpacked
	maxMember = 10_000
	maxSheets = 1_000
	maxCells  = 4 << 20   // of all sheets
	maxRows   = 1_200_000 // stored rows of all sheets; a spreadsheet program writes at most 1,048,576 a sheet
	maxText   = 64 << 20  // bytes of all texts, each counted with what it takes to keep it
)

var limits = archive.Limits{Members: maxMember, Total: maxTotal, Ratio: 300, Free: 64 << 20}

const (
	mainSpace       = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	mainSpaceStrict = "http://purl.oclc.org/ooxml/spreadsheetml/main"
	relSpace        = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	relSpaceStrict  = "http://purl.oclc.org/ooxml/officeDocument/relationships"
)

// Open reads a workbook to be shown. It fails where there is no sheet to show; a sheet that cannot be read beside others
// that can only costs itself (Sheet.Err).
func Open(file string) (*Workbook, error) {
	w, err := open(file)
	if err != nil {
		return nil, err
	}
	if err := w.worthShowing(); err != nil {
		return nil, inFile(file, err)
	}
	return w, nil
}

// OpenStrict reads a workbook as the reference does, for scoring. An error means that the reference's reader fails to
// open the file, so that it yields nothing. A sheet whose Err is set makes the reference stop when its rows are read.
func OpenStrict(file string) ([]*Sheet, error) {
	w, err := open(file)
	if err != nil {
		return nil, err
	}
	return w.Strict()
}

func open(file string) (*Workbook, error) {
	a, err := archive.Open(file, limits)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	return readBook(a)
}

func readBook(a *archive.Archive) (*Workbook, error) {
	file := a.Path
	b := &book{archive: a, out: &Workbook{Path: file, Notes: slices.Clone(a.Notes)}, styles: map[int]look{}, atOnce: maxAtOnce}
	if err := b.read(); err != nil {
		return nil, inFile(file, err)
	}
	return b.out, nil
}

// worthShowing gives the reason why no sheet can be shown.
func (w *Workbook) worthShowing() error {
	var first error
	for _, s := range w.Sheets {
		if s.Err == nil {
			return nil
		}
		if first == nil {
			first = s.Err
		}
	}
	if first == nil {
		return &fault.Error{Kind: fault.Malformed, Found: "a workbook without a sheet that can be read", Fix: "Save it again in a spreadsheet program", Err: errors.New(strings.Join(w.Notes, " "))}
	}
	return first
}

// book is the state of reading a workbook.
type book struct {
	archive   *archive.Archive
	out       *Workbook
	types     contentTypes
	relations map[string]relation
	sheets    []sheetEntry
	date1904  bool
	shared    []string
	styles    map[int]look // of the styles of dates
	tally
	atOnce int64 // maxAtOnce
}

type sheetEntry struct {
	name, state, id string
	strictID        string // the id as the reference looks for it
}

func (b *book) read() error {
	main, err := b.findWorkbook()
	if err != nil {
		return err
	}
	if err := b.readWorkbook(main); err != nil {
		return err
	}
	if err := b.readRelations(main); err != nil {
		return err
	}
	if err := b.readShared(); err != nil {
		return err
	}
	if err := b.readStyles(); err != nil {
		return err
	}
	b.readSheets()
	return nil
}

// refuseStrictly notes that the reference cannot open the workbook, though it can be shown.
func (b *book) refuseStrictly(found string) {
	if b.out.strictErr == nil {
		b.out.strictErr = &fault.Error{Kind: fault.Malformed, File: b.out.Path, Found: found, Expected: "a workbook that the reference scorer can open"}
	}
}

// walk calls a function at each start of an element of a part.
func (b *book) walk(m *archive.Member, open func(*scanner) error) error {
	return b.scan(m, func(s *scanner) error {
		for {
			t, err := s.next()
			if err != nil || t == tokenEnd {
				return err
			}
			if t == tokenOpen {
				if err := open(s); err != nil {
					return err
				}
			}
		}
	})
}

// windows are kept for the next part: most parts are smaller than one.
var windows = sync.Pool{New: func() any { return new([window]byte) }}

// scan opens a part and names it in errors.
func (b *book) scan(m *archive.Member, read func(*scanner) error) error {
	r, err := b.archive.Reader(m, maxPart)
	if err != nil {
		return err
	}
	defer r.Close()
	buf := windows.Get().(*[window]byte)
	defer windows.Put(buf)
	s := newScanner(r)
	s.buf = buf[:0]
	return inPart(m.Name, read(s))
}

func (b *book) readWorkbook(main string) error {
	root := true
	return b.walk(b.archive.Find(main), func(s *scanner) error {
		if root {
			b.out.Strictly = string(s.space) == mainSpaceStrict
			root = false
		}
		switch string(s.name) {
		case "workbookPr":
			v, _ := s.attr("date1904")
			b.date1904 = string(v) == "1" || string(v) == "true"
		case "sheet":
			return b.addSheet(s)
		}
		return nil
	})
}

func (b *book) addSheet(s *scanner) error {
	if len(b.sheets) == maxSheets {
		return &fault.Error{Kind: fault.TooLarge, Found: fmt.Sprintf("more than %d sheets", maxSheets)}
	}
	name, _ := s.attr("name")
	state, _ := s.attr("state")
	id, _ := s.attrIn(relSpace, "id")
	e := sheetEntry{name: string(name), state: string(state), id: string(id), strictID: string(id)}
	if e.id == "" {
		other, _ := s.attrIn(relSpaceStrict, "id")
		e.id = string(other)
	}
	b.sheets = append(b.sheets, e)
	return nil
}

// readSheets reads all sheets and sorts out which of them the reference sees.
func (b *book) readSheets() {
	sheets := make([]*sheetPart, len(b.sheets))
	for i, e := range b.sheets {
		if e.id != "" {
			sheets[i] = b.newPart(e)
		}
	}
	b.readAhead(sheets)
	for i, e := range b.sheets {
		_, known := b.relations[e.id]
		switch {
		case e.id == "":
			continue
		case !known && e.strictID != "":
			b.refuseStrictly("sheet " + e.name + " without a relation")
			fallthrough
		case sheets[i].member == nil:
			b.out.Notes = append(b.out.Notes, fmt.Sprintf("sheet %s is missing: the workbook lists it but has no part for it; the reference scorer leaves it out silently.", e.name))
			continue
		}
		b.addViews(e, b.finished(e, sheets[i]))
	}
}

func (b *book) addViews(e sheetEntry, p *part) {
	hidden := e.state == "hidden" || e.state == "veryHidden"
	if !p.chart {
		shown := &Sheet{Name: e.name, Hidden: hidden, Err: p.err, part: p}
		shown.arrange()
		b.out.Sheets = append(b.out.Sheets, shown)
	}
	if e.strictID == "" {
		return
	}
	s := &Sheet{Name: e.name, Hidden: hidden, part: p, strict: true, Err: p.strictErr}
	s.arrange()
	switch {
	case p.chart:
		s.Err = &fault.Error{Kind: fault.Unsupported, File: b.out.Path, At: "sheet " + e.name, Found: "a chart sheet", Expected: "a sheet with cells"}
	case p.err != nil && !p.sized:
		b.out.strictErr = p.err
	case p.err != nil && !p.left && s.Err == nil:
		s.Err = p.err
	}
	if p.dimensionErr != nil {
		b.out.strictErr = p.dimensionErr
	}
	b.out.strict = append(b.out.strict, s)
}

func inFile(file string, err error) error {
	var e *fault.Error
	if errors.As(err, &e) {
		if e.File == "" {
			named := *e
			named.File = file
			return &named
		}
		return err
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return &fault.Error{Kind: fault.Malformed, File: file, Found: "a file that cannot be read on", Err: err}
	}
	return err
}

// inPart names the part of the archive in an error that names no place.
func inPart(part string, err error) error {
	var e *fault.Error
	if errors.As(err, &e) && e.At == "" {
		named := *e
		named.At = filepath.ToSlash(part)
		return &named
	}
	return err
}
