package session

import "container/list"

// lru keeps values up to a total cost and forgets the least recently used first. It is not safe for several goroutines.
type lru[K comparable, V any] struct {
	limit, used int
	order       *list.List // of *slot[K, V], most recent first
	slots       map[K]*list.Element
	forget      func(V) // called for each value that is dropped; may be nil
}

type slot[K comparable, V any] struct {
	key   K
	value V
	cost  int
}

func newLRU[K comparable, V any](limit int, forget func(V)) *lru[K, V] {
	return &lru[K, V]{limit: limit, order: list.New(), slots: map[K]*list.Element{}, forget: forget}
}

func (l *lru[K, V]) get(key K) (V, bool) {
	if e, ok := l.slots[key]; ok {
		l.order.MoveToFront(e)
		return e.Value.(*slot[K, V]).value, true
	}
	var none V
	return none, false
}

// put adds a value, unless the key is there already, and drops old ones until the total cost fits; the newest always stays.
func (l *lru[K, V]) put(key K, value V, cost int) {
	if _, ok := l.slots[key]; ok {
		return
	}
	l.slots[key] = l.order.PushFront(&slot[K, V]{key, value, cost})
	l.used += cost
	for l.used > l.limit && l.order.Len() > 1 {
		l.dropOldest()
	}
}

func (l *lru[K, V]) dropOldest() {
	e := l.order.Back()
	old := e.Value.(*slot[K, V])
	l.order.Remove(e)
	delete(l.slots, old.key)
	l.used -= old.cost
	if l.forget != nil {
		l.forget(old.value)
	}
}

func (l *lru[K, V]) clear() {
	for l.order.Len() > 0 {
		l.dropOldest()
	}
}
