package archive

import (
	"bufio"
	"io"
	"io/fs"
	"sync"

	"github.com/klauspost/compress/flate"
)

// inflater unpacks one member after another in the same memory, which is more than most members of a workbook have.
type inflater struct {
	packed *bufio.Reader
	out    io.ReadCloser
}

var inflaters = sync.Pool{New: func() any {
	packed := bufio.NewReaderSize(nil, 32<<10)
	return &inflater{packed, flate.NewReader(packed)}
}}

// inflating is an inflater in use; Close gives it back.
type inflating struct{ *inflater }

// inflate unpacks what r gives.
func inflate(r io.Reader) io.ReadCloser {
	f := inflaters.Get().(*inflater)
	f.packed.Reset(r)
	// The library's readers can all be reset, and fail at none that has no dictionary.
	_ = f.out.(flate.Resetter).Reset(f.packed, nil)
	return &inflating{f}
}

func (f *inflating) Read(p []byte) (int, error) {
	if f.inflater == nil {
		return 0, fs.ErrClosed
	}
	return f.out.Read(p)
}

func (f *inflating) Close() error {
	if f.inflater == nil {
		return nil
	}
	err := f.out.Close()
	f.packed.Reset(nil)
	inflaters.Put(f.inflater)
	f.inflater = nil
	return err
}
