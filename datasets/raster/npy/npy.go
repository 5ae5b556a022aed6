// Package npy reads the arrays of NumPy: NPY files and NPZ archives of them (spec/formats.md 8). Numbers and booleans of
// either byte order, C or Fortran order. Objects are never unpickled, since that runs code out of the file.
//
// npy.go opens files, header.go reads the Python dictionary at their beginning, npz.go opens archives, read.go reads
// elements.
package npy

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster/pixel"
)

// Array is one opened array: its header, not its elements. It is safe for use by several goroutines.
type Array struct {
	pixel.Header        // axes by convention, since the format names none
	Name         string // of an archive's member without ".npy"
	Fortran      bool   // the first axis varies fastest in the file
	file         string

	big    bool        // high byte first
	r      io.ReaderAt // nil for a packed member
	at     int64       // of the first element
	stream func() (io.ReadCloser, error)

	once   sync.Once // loads what cannot be read in parts
	loaded any
	err    error
}

// magic begins every NPY file.
const magic = "\x93NUMPY"

// maxHeader is the longest header that is read; NumPy itself stops at 10,000 bytes.
const maxHeader = 1 << 16

// maxAxes is NumPy's own limit.
const maxAxes = 64

// MaxLoaded is the largest array that is held in memory whole because it is packed or in Fortran order.
const MaxLoaded = 1 << 29

// largeUnproven is the size from which an array that its file does not hold counts as too large rather than cut off.
const largeUnproven = 1 << 30

// Open reads the header of an NPY file of size bytes. ok is false for other formats. file is for messages.
func Open(r io.ReaderAt, size int64, file string) (a *Array, ok bool, err error) {
	var head [12]byte
	n, _ := r.ReadAt(head[:min(int64(len(head)), max(size, 0))], 0)
	if n < len(magic) || string(head[:len(magic)]) != magic {
		return nil, false, nil
	}
	a = &Array{file: file, r: r}
	err = a.open(io.NewSectionReader(r, 0, size), size)
	if err != nil {
		return nil, true, err
	}
	return a, true, nil
}

// open reads the header from a stream of size bytes.
func (a *Array) open(r io.Reader, size int64) error {
	var head [12]byte
	if _, err := io.ReadFull(r, head[:10]); err != nil {
		return a.malformed("a file that ends in its first bytes", "a header")
	}
	length, start := int64(binary.LittleEndian.Uint16(head[8:])), int64(10)
	switch head[6] {
	case 1:
	case 2, 3:
		if _, err := io.ReadFull(r, head[10:]); err != nil {
			return a.malformed("a file that ends in its first bytes", "a header")
		}
		length, start = int64(binary.LittleEndian.Uint32(head[8:])), 12
	default:
		return a.malformed(fmt.Sprintf("version %d of the NPY format", head[6]), "1, 2 or 3")
	}
	if length > maxHeader || start+length > size {
		return a.malformed(fmt.Sprintf("a header of %d bytes", length), "a header that fits into the file")
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(r, text); err != nil {
		return a.malformed("a file that ends in its header", "a whole header")
	}
	d, err := readDict(string(text))
	if err != nil {
		return a.malformed("a header that cannot be read: "+err.Error(), "a dictionary of descr, fortran_order and shape")
	}
	a.at, a.Fortran = start+length, d.fortran
	if err := a.element(d); err != nil {
		return err
	}
	return a.extent(d.shape, size-a.at)
}

// element reads the element type: byte order, kind, bytes.
func (a *Array) element(d dict) error {
	refuse := func(what, fix string) error {
		return &fault.Error{Kind: fault.Unsupported, File: a.place(), Found: what, Fix: fix}
	}
	if d.structured {
		return refuse("an array of records", "Save each field as an array of its own")
	}
	text := d.descr
	if text == "" {
		return a.malformed("an empty element type", "a type such as <u2")
	}
	if strings.IndexByte("<>|=", text[0]) >= 0 {
		a.big = text[0] == '>'
		text = text[1:]
	}
	t, ok := map[string]pixel.Type{"b1": pixel.Bool, "u1": pixel.Uint8, "i1": pixel.Int8, "u2": pixel.Uint16, "i2": pixel.Int16, "u4": pixel.Uint32,
		"i4": pixel.Int32, "u8": pixel.Uint64, "i8": pixel.Int64, "f2": pixel.Float16, "f4": pixel.Float32, "f8": pixel.Float64}[text]
	switch {
	case ok:
		a.Type = t
		return nil
	case strings.HasPrefix(text, "O"):
		return refuse("an array of Python objects, which is not opened because that would run code out of the file", "Save the numbers as an ordinary array")
	case strings.HasPrefix(text, "c"):
		return refuse("complex numbers", "Save the magnitude or the real part")
	case strings.HasPrefix(text, "U"), strings.HasPrefix(text, "S"), strings.HasPrefix(text, "a"):
		return refuse("an array of text", "Save numbers")
	}
	return refuse(fmt.Sprintf("elements of type %q", d.descr), "Save integers, floating numbers or booleans")
}

// extent checks the shape against the bytes behind the header and names the axes.
func (a *Array) extent(shape []int64, have int64) error {
	if len(shape) > maxAxes {
		return a.malformed(fmt.Sprintf("%d axes", len(shape)), "at most 64")
	}
	total := int64(a.Type.Size())
	for _, d := range shape {
		switch {
		case d < 0:
			return a.malformed(fmt.Sprintf("a negative length in shape %v", shape), "lengths of zero and more")
		case d > 0 && total > math.MaxInt64/d:
			total = math.MaxInt64
		default:
			total *= d
		}
		a.Shape = append(a.Shape, int(d))
	}
	if slices.Contains(shape, 0) {
		total = 0
	}
	what := fmt.Sprintf("an array of shape %v and type %s in %d bytes", shape, a.Type, have)
	switch {
	case total > have && total > largeUnproven:
		return &fault.Error{Kind: fault.TooLarge, File: a.place(), Found: what, Expected: "no more than the file holds"}
	case total > have:
		return a.malformed(what, fmt.Sprintf("%d bytes; the file is cut off", total))
	case a.Fortran && len(shape) > 1 && total > MaxLoaded:
		return &fault.Error{Kind: fault.TooLarge, File: a.place(), Found: what, Expected: "at most 512 MiB in Fortran order", Fix: "Save numpy.ascontiguousarray of it"}
	}
	a.Axes = axes(len(shape), a.Fortran)
	return nil
}

// axes names n axes by convention: the last of T Z C Y X, as this program orders them; without C in Fortran order, which
// comes from libraries for volumes. More axes than that are Q, unnamed.
func axes(n int, fortran bool) string {
	order := "TZCYX"
	if fortran && n < len(order) {
		order = "TZYX"
	}
	if n <= len(order) {
		return order[len(order)-n:]
	}
	return strings.Repeat("Q", n-len(order)) + order
}

func (a *Array) place() string {
	if a.Name == "" {
		return a.file
	}
	return a.file + ", member " + a.Name
}

func (a *Array) malformed(found, expected string) error {
	return &fault.Error{Kind: fault.Malformed, File: a.place(), Found: found, Expected: expected}
}
