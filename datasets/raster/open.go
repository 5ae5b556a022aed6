package raster

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster/picture"
	"coverslip/datasets/raster/tiff"
)

// File is an opened image file: its headers, not its pixels. It is safe for use by several goroutines.
type File struct {
	Path   string
	Format string   // "TIFF", "BigTIFF", "OME-TIFF", "ImageJ TIFF", "Zeiss LSM", "MetaMorph STK", "PNG", "BMP", "JPEG", "NPY", "NPZ", "folder"
	Pages  int      // IFDs of a TIFF, files of a folder, 1 otherwise
	Series []Header // as far as they can be read; the first is what is scored, unless ScoringErr is set
	Names  []string // of the series, "" where the file gives none
	// ScoringErr is why the reference cannot read the file although it can be shown (spec/formats.md 1.6, 13).
	ScoringErr  error
	Calibration Calibration
	Channels    []Channel
	Notes       []string // what a user should know: "the chain of pages loops", "needs the optional codec package in the reference reader"
	Labels      []string // slice labels of an ImageJ file
	Bits        int      // that samples use at most: 12 of a 12-bit camera whose numbers are stored in 16 bits; 0 unknown

	all           []*series // beside Series
	scored, shown *series
	bitsSource    string
	inkSource     string // what says that the samples are inks
	channelSource string
	places        [][3]float64 // of the tiles of a mosaic on the stage, in micrometres
	mosaic        *Mosaic
	scored8       bool // scoring sees the high bytes of 16-bit samples
	look          look
	mu            sync.Mutex // guards closers
	closers       []io.Closer
}

// look is what the screen needs besides shape and numbers.
type look struct {
	palette       [][3]uint8
	minIsWhite    bool
	offset, slope float64
}

// Open reads the headers of an image file. The format is told by the content, not by the name.
func Open(ctx context.Context, path string) (*File, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	o, err := os.Open(path)
	if err != nil {
		return nil, openFault(path, err)
	}
	info, err := o.Stat()
	if err == nil && info.IsDir() {
		err = &fault.Error{Kind: fault.Malformed, File: path, Found: "a folder", Expected: "an image file"}
	} else if err != nil {
		err = openFault(path, err)
	}
	if err != nil {
		o.Close()
		return nil, err
	}
	f := &File{Path: path, closers: []io.Closer{o}}
	if err := f.decode(o, info.Size()); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func openFault(path string, err error) error {
	e := &fault.Error{Kind: fault.Missing, File: path, Found: "it cannot be opened: " + err.Error(), Err: err}
	var cause *fs.PathError
	if errors.As(err, &cause) {
		e.Found = "it cannot be opened: " + cause.Err.Error()
	}
	if errors.Is(err, os.ErrNotExist) {
		e.Found, e.Expected = "nothing of that name", "an image file"
	}
	return e
}

// decode chooses the decoder by the first bytes; what no decoder knows is given to TIFF, which says what it looks like.
func (f *File) decode(r io.ReaderAt, size int64) error {
	p, ok, err := picture.Open(r, size, f.Path)
	if err != nil {
		return err
	}
	if ok {
		f.takePicture(p)
		return nil
	}
	if ok, err := f.openArrays(r, size); ok || err != nil {
		return err
	}
	return f.openTIFF(r, size)
}

// add appends a series. The first one is scored and shown.
func (f *File) add(s *series, name string) {
	f.all, f.Series, f.Names = append(f.all, s), append(f.Series, s.Header), append(f.Names, name)
	if len(f.all) == 1 {
		f.scored, f.shown = s, s
	}
}

// Array reads the first series whole: the scoring policy. It fails with ScoringErr where the reference refuses the
// file, and on pixels that are cut off or damaged.
func (f *File) Array(ctx context.Context) (Array, error) {
	if f.ScoringErr != nil {
		return Array{}, f.ScoringErr
	}
	a, _, err := f.scored.whole(ctx, f.Path, true)
	if err == nil && f.scored8 {
		a = cutTo8(a)
	}
	return a, err
}

// Whole reads the first series as far as it can be read: what the file cuts off is zero, and notes say so. It is what
// Hash and the screen go by; scores come from Array.
func (f *File) Whole(ctx context.Context) (a Array, notes []string, err error) {
	return f.scored.whole(ctx, f.Path, false)
}

// Close releases the file. Stacks made from it end with it.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	var errs []error
	for _, c := range f.closers {
		errs = append(errs, c.Close())
	}
	f.closers = nil
	return errors.Join(errs...)
}

// ReadArray opens, reads the first series and closes: the scoring policy in one call. A valid TIFF header that leads to
// no page gives an empty array of shape [0], as in the reference (spec/scorers-segmentation-tracking.md 1.6).
func ReadArray(ctx context.Context, path string) (Array, error) {
	a, _, err := ReadArrayNotes(ctx, path)
	return a, err
}

// ReadArrayNotes is ReadArray, with what a user should know of the file: above all whether the reference's reader needs
// its optional codec package for it. Notes are given beside errors too.
func ReadArrayNotes(ctx context.Context, path string) (Array, []string, error) {
	f, err := Open(ctx, path)
	if errors.Is(err, tiff.ErrNoPages) {
		return Array{Shape: []int{0}, Axes: "I", Type: Float64, Values: []float64{}}, []string{"the file holds no page: an empty array"}, nil
	}
	if err != nil {
		return Array{}, nil, err
	}
	defer f.Close()
	a, err := f.Array(ctx)
	return a, f.Notes, err
}

func (f *File) onClose(do func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closers = append(f.closers, closer(do))
}

// closer is a function in the place of an io.Closer.
type closer func()

func (c closer) Close() error {
	c()
	return nil
}
