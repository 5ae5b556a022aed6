package raster

import (
	"container/list"
	"context"
	"sync"

	"coverslip/datasets/raster/pixel"
)

// Cache holds decoded planes up to a number of bytes and forgets the least recently used first. All stacks share one.
type Cache struct {
	limit int

	mu      sync.Mutex
	used    int
	recent  *list.List // of *held, most recently used first
	held    map[planeKey]*list.Element
	flights map[planeKey]*flight
}

// planeKey names a plane whatever stack shows it.
type planeKey struct {
	src           *series
	frame, sample int
}

type held struct {
	key   planeKey
	plane Plane
}

// flight is a frame that is being decoded for all who wait for it; when nobody waits any more, it is given up.
type flight struct {
	done    chan struct{}
	cancel  context.CancelFunc
	waiting int
	planes  []Plane
	first   int // the sample of planes[0]
	err     error
}

// NewCache makes a cache bounded to that many bytes.
func NewCache(bytes int) *Cache {
	return &Cache{limit: bytes, recent: list.New(), held: map[planeKey]*list.Element{}, flights: map[planeKey]*flight{}}
}

// Used is the number of bytes held now.
func (c *Cache) Used() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.used
}

// plane finds a plane or decodes its frame; several callers for the same frame share one decoding.
func (c *Cache) plane(ctx context.Context, src *series, frame, sample int) (Plane, error) {
	if err := ctx.Err(); err != nil {
		return Plane{}, err
	}
	key := planeKey{src, frame, sample}
	c.mu.Lock()
	if e, ok := c.held[key]; ok {
		c.recent.MoveToFront(e)
		c.mu.Unlock()
		return e.Value.(*held).plane, nil
	}
	f := c.join(src, frame, sample)
	c.mu.Unlock()
	select {
	case <-f.done:
		c.leave(f)
		if f.err != nil {
			return Plane{}, f.err
		}
		return f.planes[sample-f.first], nil
	case <-ctx.Done():
		c.leave(f)
		return Plane{}, ctx.Err()
	}
}

// join enters the flight that decodes a plane, or starts it. The caller holds the lock.
func (c *Cache) join(src *series, frame, sample int) *flight {
	key := planeKey{src, frame, -1} // one decoding gives all samples that lie side by side
	if src.planar {
		key.sample = sample
	}
	if f, ok := c.flights[key]; ok {
		f.waiting++
		return f
	}
	ctx, cancel := context.WithCancel(context.Background())
	f := &flight{done: make(chan struct{}), cancel: cancel, waiting: 1}
	c.flights[key] = f
	go func() {
		planes, first, err := src.planes(ctx, frame, sample)
		c.mu.Lock()
		f.planes, f.first, f.err = planes, first, err
		for i, p := range planes {
			c.keep(planeKey{src, frame, first + i}, p)
		}
		if c.flights[key] == f {
			delete(c.flights, key)
		}
		c.mu.Unlock()
		close(f.done)
	}()
	return f
}

// leave counts a waiter out. The last one to leave ends the decoding, and nobody joins it any more.
func (c *Cache) leave(f *flight) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f.waiting--
	if f.waiting > 0 {
		return
	}
	f.cancel()
	for k, other := range c.flights {
		if other == f {
			delete(c.flights, k)
		}
	}
}

// keep puts a plane in and drops the oldest ones beyond the limit. The caller holds the lock.
func (c *Cache) keep(key planeKey, p Plane) {
	if _, ok := c.held[key]; ok || p.Bytes() > c.limit {
		return
	}
	c.held[key] = c.recent.PushFront(&held{key, p})
	c.used += p.Bytes()
	for c.used > c.limit {
		e := c.recent.Back()
		h := c.recent.Remove(e).(*held)
		delete(c.held, h.key)
		c.used -= h.plane.Bytes()
	}
}

// drop forgets all planes of a source.
func (c *Cache) drop(src *series) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for k, e := range c.held {
		if k.src == src {
			c.recent.Remove(e)
			delete(c.held, k)
			c.used -= e.Value.(*held).plane.Bytes()
		}
	}
}

// planes decodes a frame into planes: all samples where they lie side by side, the one asked for where they do not.
// first is the sample of the first plane.
func (s *series) planes(ctx context.Context, frame, sample int) (planes []Plane, first int, err error) {
	if s.hand != nil {
		parts, err := s.hand(ctx, frame)
		for _, values := range parts {
			planes = append(planes, Plane{H: s.h, W: s.w, Type: s.Type, Values: values})
		}
		return planes, 0, err
	}
	size := s.h * s.w
	if s.samples == 1 || s.planar {
		values, err := s.fill(ctx, frame, sample, size)
		if err != nil {
			return nil, 0, err
		}
		return []Plane{{H: s.h, W: s.w, Type: s.Type, Values: values}}, sample, nil
	}
	values, err := s.fill(ctx, frame, -1, size*s.samples)
	if err != nil {
		return nil, 0, err
	}
	if s.splits {
		for k := range s.samples {
			planes = append(planes, Plane{H: s.h, W: s.w, Type: s.Type, Values: pixel.Slice(values, k*size, (k+1)*size)})
		}
		return planes, 0, nil
	}
	for k := range s.samples {
		planes = append(planes, Plane{H: s.h, W: s.w, Type: s.Type, Values: pixel.Every(values, k, s.samples)})
	}
	return planes, 0, nil
}

func (s *series) fill(ctx context.Context, frame, sample, n int) (any, error) {
	if n > MaxArrayBytes/s.Type.Held() {
		return nil, tooLargeFrame("", s)
	}
	values := pixel.New(s.Type, n)
	_, err := s.read(ctx, frame, request{sample: sample, split: s.splits}, values)
	return values, err
}
