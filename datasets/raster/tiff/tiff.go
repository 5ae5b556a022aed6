// Package tiff decodes TIFF files page by page and groups their pages into series the way the reference's reader does.
//
// Open reads the header and the chain of directories and nothing else (header.go, directory.go, chain.go). A Page keeps
// only what differs between pages; what is common is a shared Layout (layout.go). Read turns the strips or tiles of a
// page into samples (segment.go, codec.go, jpeg.go, predictor.go, place.go, read.go), of a part of a page only those that cross
// it (part.go). Group (series.go) asks the flavours in turn what the first array of the file is: shaped (shaped.go), Zeiss LSM (lsm.go, lsmmeta.go, lsmlarge.go), OME (ome.go), ImageJ (imagej.go),
// MetaMorph STK (stk.go), plain pages (generic.go). Encode writes files (encode.go).
//
// Classic and BigTIFF, both byte orders, strips and tiles, chunky and planar samples of 1, 2, 4, 8, 16, 32 and 64 bits
// as unsigned, signed or floating numbers; no compression, Deflate, LZW, PackBits, Zstandard, LZMA, JPEG, WebP and CCITT fax;
// predictors 1 to 3.
// Stored numbers are returned as they are: nothing is inverted and no palette is applied (spec/formats.md 1.5).
//
// Every size that a file claims is compared with what the file can hold before memory is taken.
package tiff

import (
	"fmt"
	"io"

	"coverslip/datasets/fault"
)

// File is an opened TIFF: its pages' directories, not their pixels. It is safe for use by several goroutines.
type File struct {
	Big   bool
	Pages []*Page
	// Notes are what a user should know of the file's structure: "the chain of pages loops".
	Notes []string
	// Refused is why the reference's reader cannot open the file although its pages can be read, or nil
	// (spec/formats.md 13.7).
	Refused error

	r       io.ReaderAt
	size    int64
	order   byteOrder
	name    string
	layouts map[Layout]*Layout

	isLSM     bool // the first page has Zeiss's tag
	lsmInline bool // a page of it keeps the bits of two channels in the directory
}

// ErrNoPages is the cause of the error for a valid header that leads to no page. The reference reads such a file as an
// empty array of shape (0,) (spec/scorers-segmentation-tracking.md 1.6).
var ErrNoPages = fmt.Errorf("no pages")

// Open reads the header and the directories of a TIFF of size bytes. name is the path for messages.
func Open(r io.ReaderAt, size int64, name string) (*File, error) {
	f := &File{r: r, size: size, name: name, layouts: map[Layout]*Layout{}}
	first, err := f.header()
	if err != nil {
		return nil, err
	}
	if err := f.chain(first); err != nil {
		return nil, err
	}
	return f, nil
}

func (f *File) note(format string, args ...any) {
	f.Notes = append(f.Notes, fmt.Sprintf(format, args...))
}

// refuse remembers the first reason why the reference cannot open the file.
func (f *File) refuse(format string, args ...any) {
	if f.Refused == nil {
		f.Refused = &fault.Error{Kind: fault.Malformed, File: f.name, Found: fmt.Sprintf(format, args...),
			Fix: "The reference reader refuses such a file; save it again with an ordinary TIFF writer"}
	}
}

func (f *File) malformed(at, found, expected string) error {
	return &fault.Error{Kind: fault.Malformed, File: f.name, At: at, Found: found, Expected: expected}
}

func (f *File) unsupported(at, found, fix string) error {
	return &fault.Error{Kind: fault.Unsupported, File: f.name, At: at, Found: found, Fix: fix}
}

func (f *File) tooLarge(at, found string) error {
	return &fault.Error{Kind: fault.TooLarge, File: f.name, At: at, Found: found,
		Expected: fmt.Sprintf("no more than a file of %d bytes can hold", f.size)}
}
