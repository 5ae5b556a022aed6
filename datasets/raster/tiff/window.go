package tiff

import (
	"io"
	"strconv"
)

// window reads directories through a small buffer. It begins small, so that directories scattered between pixels cost
// little, and doubles while reads follow each other, so that a run of directories costs few reads.
type window struct {
	r    io.ReaderAt
	size int64
	buf  []byte
	at   int64
	next int // how much to read next time
}

const (
	windowMin = 512
	windowMax = 1 << 16
)

// bytes gives n bytes at offset; they stay valid until the next call. It fails where the file ends before.
func (w *window) bytes(at int64, n int) ([]byte, bool) {
	if at < 0 || n < 0 || at > w.size || int64(n) > w.size-at {
		return nil, false
	}
	if at >= w.at && at+int64(n) <= w.at+int64(len(w.buf)) {
		return w.buf[at-w.at:][:n], true
	}
	if gap := at - (w.at + int64(len(w.buf))); w.next > 0 && gap < int64(w.next) && gap > -int64(len(w.buf)) {
		w.next = min(w.next*2, windowMax)
	} else {
		w.next = windowMin
	}
	want := min(int64(max(w.next, n)), w.size-at)
	if int64(cap(w.buf)) < want {
		w.buf = make([]byte, want)
	}
	w.buf = w.buf[:want]
	got, err := w.r.ReadAt(w.buf, at)
	w.at, w.buf = at, w.buf[:got]
	if got < n || err != nil && err != io.EOF {
		return nil, false
	}
	return w.buf[:n], true
}

func itoa(n int) string { return strconv.Itoa(n) }
