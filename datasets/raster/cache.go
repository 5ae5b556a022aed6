package raster

import (
	"container/list"
	"context"
	"sync"
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

// planeKey names a plane, or what is cut out of one, whatever stack shows it.
type planeKey struct {
	src           *series
	frame, sample int
	cut           cut
}

type held struct {
	key   planeKey
	plane Plane
}

// flight is a frame that is being decoded for all who wait for it; when nobody waits any more, it is given up.
type flight struct {
	key     planeKey
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

// Limit is the number of bytes that may be held.
func (c *Cache) Limit() int { return c.limit }

// plane finds a plane or decodes its frame; several callers for the same frame share one decoding.
func (c *Cache) plane(ctx context.Context, key planeKey) (Plane, error) {
	if err := ctx.Err(); err != nil {
		return Plane{}, err
	}
	c.mu.Lock()
	if e, ok := c.held[key]; ok {
		c.recent.MoveToFront(e)
		c.mu.Unlock()
		return e.Value.(*held).plane, nil
	}
	f := c.join(key)
	c.mu.Unlock()
	select {
	case <-f.done:
		c.leave(f)
		if f.err != nil {
			return Plane{}, f.err
		}
		return f.planes[key.sample-f.first], nil
	case <-ctx.Done():
		c.leave(f)
		return Plane{}, ctx.Err()
	}
}

// join enters the flight that decodes a plane, or starts it. The caller holds the lock.
func (c *Cache) join(want planeKey) *flight {
	key := want
	if !key.src.planar {
		key.sample = -1 // one decoding gives all samples that lie side by side
	}
	if f, ok := c.flights[key]; ok {
		f.waiting++
		return f
	}
	ctx, cancel := context.WithCancel(context.Background())
	f := &flight{key: key, done: make(chan struct{}), cancel: cancel, waiting: 1}
	c.flights[key] = f
	go func() {
		planes, first, err := want.planes(ctx)
		c.mu.Lock()
		f.planes, f.first, f.err = planes, first, err
		for i, p := range planes {
			key.sample = first + i
			c.keep(key, p)
		}
		c.end(f)
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
	c.end(f)
}

// end takes a flight off the list. The caller holds the lock.
func (c *Cache) end(f *flight) {
	if c.flights[f.key] == f {
		delete(c.flights, f.key)
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
