package raster

import (
	"context"
	"sync"
)

// maxOpen is how many files of a set stay open when nobody reads them.
const maxOpen = 16

// shelf opens the files of a set when they are read and keeps the last ones open.
type shelf struct {
	paths []string

	mu     sync.Mutex
	open   map[int]*onShelf
	clock  int
	closed bool
}

type onShelf struct {
	file       *File
	users, use int // who reads it now, and when it was taken last
}

func newShelf(paths []string) *shelf { return &shelf{paths: paths, open: map[int]*onShelf{}} }

// take gives file k and a function that puts it back.
func (s *shelf) take(ctx context.Context, k int) (*File, func(), error) {
	s.mu.Lock()
	h := s.open[k]
	if h == nil {
		s.mu.Unlock()
		f, err := Open(ctx, s.paths[k])
		if err != nil {
			return nil, nil, err
		}
		s.mu.Lock()
		if h = s.open[k]; h != nil { // another was faster
			f.Close()
		} else {
			h = &onShelf{file: f}
			s.open[k] = h
		}
	}
	s.clock++
	h.users, h.use = h.users+1, s.clock
	s.mu.Unlock()
	return h.file, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		h.users--
		s.tidy()
	}, nil
}

// tidy closes files that nobody reads, the ones taken longest ago first. The caller holds the lock.
func (s *shelf) tidy() {
	for s.closed || len(s.open) > maxOpen {
		oldest := -1
		for k, h := range s.open {
			if h.users == 0 && (oldest < 0 || h.use < s.open[oldest].use) {
				oldest = k
			}
		}
		if oldest < 0 {
			return
		}
		s.open[oldest].file.Close()
		delete(s.open, oldest)
	}
}

// close closes all files; those that are being read when they are put back.
func (s *shelf) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.tidy()
}
