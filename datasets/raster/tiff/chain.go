package tiff

import (
	"fmt"

	"coverslip/datasets/fault"
)

// Page is one directory: what differs from page to page. All else is in its Layout, which equal pages share.
type Page struct {
	Layout *Layout
	Index  int

	at              int64 // of the directory
	offsets, counts entry // of strips or tiles; tag 0 when absent
	subIFDs         entry
	describes       bool  // the directory has a description
	uic1, uic2      entry // MetaMorph's tags 33628 and 33629
	// Of an LSM file above 4 GiB: where its pixels are, unless that did not come to light (lsmlarge.go).
	places []int64
	lost   bool
}

// chain walks the directories from the first offset. It keeps the pages that are readable when a later one is not.
func (f *File) chain(first int64) error {
	w := f.window()
	seen := map[int64]bool{}
	for at := first; at != 0; {
		switch {
		case at < 0 || at >= f.size:
			if len(f.Pages) > 0 {
				f.note("the chain of pages is broken: page %d points behind the end of the file", len(f.Pages))
			}
			at = 0
			continue
		case seen[at]:
			f.note("the chain of pages loops: page %d points back to an earlier one", len(f.Pages))
			f.refuse("a chain of pages that loops")
			at = 0
			continue
		}
		seen[at] = true
		p, next, err := f.page(w, at)
		if err != nil && len(f.Pages) == 0 {
			return err
		}
		if err != nil {
			f.note("the chain of pages is broken after page %d", len(f.Pages))
			return nil
		}
		if p == nil {
			break
		}
		p.Index = len(f.Pages)
		f.Pages = append(f.Pages, p)
		at = next
	}
	if len(f.Pages) == 0 {
		return &fault.Error{Kind: fault.Malformed, File: f.name, Found: "a TIFF header that leads to no image", Err: ErrNoPages,
			Expected: "the offset of a first page inside the file", Fix: "Copy or write the file again, it may be cut off"}
	}
	return nil
}

// page reads one directory. It gives no page for one without entries.
func (f *File) page(w *window, at int64) (*Page, int64, error) {
	where := fmt.Sprintf("page %d", len(f.Pages)+1)
	t, ok := f.openTable(w, at)
	if ok && t.count == 0 || at < 8 {
		return nil, 0, nil
	}
	if ok && t.count > maxEntries {
		if len(f.Pages) > 0 {
			return nil, 0, f.malformed(where, fmt.Sprintf("a directory of %d entries", t.count), "")
		}
		f.refuse("a directory of %d entries, the reference allows 4,096", t.count)
	}
	if !ok || !f.whole(t) {
		if ok && len(f.Pages) > 0 {
			f.refuse("the directory of page %d is cut off", len(f.Pages)+1)
		}
		return nil, 0, f.malformed(where, "a directory that reaches beyond the end of the file", "a whole directory")
	}
	p, err := f.readPage(w, t, at, where)
	if err != nil {
		return nil, 0, err
	}
	b, ok := w.bytes(t.at+int64(t.count*t.width), int(f.pointerSize()))
	if !ok {
		return nil, 0, f.malformed(where, "a directory that cannot be read", "")
	}
	if f.Big {
		return p, int64(f.order.Uint64(b)), nil
	}
	return p, int64(f.order.Uint32(b)), nil
}

// readPage reads a directory of the chain and finds or makes the page's Layout.
func (f *File) readPage(w *window, t table, at int64, where string) (*Page, error) {
	p, l, err := f.directory(w, t, at, where)
	if err != nil {
		return nil, err
	}
	if known, ok := f.layouts[l]; ok {
		p.Layout = known
	} else {
		shared := l
		f.layouts[l], p.Layout = &shared, &shared
	}
	return p, nil
}

// directory collects the entries that matter.
func (f *File) directory(w *window, t table, at int64, where string) (*Page, Layout, error) {
	p := &Page{at: at}
	d := newDraft()
	var bits entry
	last, sorted := uint16(0), true
	f.each(w, t, func(e entry) {
		sorted = sorted && e.tag >= last
		last = e.tag
		switch e.tag {
		case tagStripOffsets, tagTileOffsets:
			p.offsets = e
		case tagStripByteCounts, tagTileByteCounts:
			p.counts = e
		case tagSubIFDs:
			p.subIFDs = e
		case tagImageDescription:
			p.describes = true
			if !e.fits(f.size) && len(f.Pages) == 0 {
				f.note("the description of page 1 lies outside the file")
			}
		case tagLSM:
			f.isLSM = f.isLSM || len(f.Pages) == 0
		case tagSTK1:
			p.uic1 = e
		case tagSTK2:
			p.uic2 = e
		case tagBitsPerSample:
			bits = e
			d.take(f, w, e)
		default:
			d.take(f, w, e)
		}
	})
	if !sorted && len(f.Pages) == 0 {
		f.note("the directory entries are not sorted")
	}
	if f.isLSM {
		f.lsmBits(w, &d, bits)
	}
	l, err := d.layout(f, p, where)
	return p, l, err
}

// Description is the nth description of a page, "" when there is none.
func (f *File) Description(p *Page, nth int) string {
	if !p.describes {
		return ""
	}
	t, _ := f.Tag(p, tagImageDescription, nth)
	return t.Text
}
