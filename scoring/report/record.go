package report

import (
	"bytes"
	"encoding/json"
	"math"
)

// Record is a JSON object that keeps the order of its fields, so that ours reads like the reference's.
// Values: string, bool, int, float64, nil, []string, *Record, []*Record, []any. NaN and infinities are written as null.
type Record struct {
	keys   []string
	values map[string]any
}

// Set adds a field, or replaces it in place, and returns the record.
func (r *Record) Set(key string, value any) *Record {
	if r.values == nil {
		r.values = map[string]any{}
	}
	if _, ok := r.values[key]; !ok {
		r.keys = append(r.keys, key)
	}
	r.values[key] = value
	return r
}

// Get returns a field's value, nil if there is none.
func (r *Record) Get(key string) any {
	if r == nil {
		return nil
	}
	return r.values[key]
}

// Keys lists the fields in order.
func (r *Record) Keys() []string { return r.keys }

// Number returns a field as a number; false for null, absent and anything else.
func (r *Record) Number(key string) (float64, bool) {
	switch v := r.Get(key).(type) {
	case float64:
		return v, !math.IsNaN(v)
	case int:
		return float64(v), true
	}
	return 0, false
}

// MarshalJSON writes the fields in order.
func (r *Record) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, k := range r.keys {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(k)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		v := r.values[k]
		if f, ok := v.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
			v = nil
		}
		text, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		b.Write(text)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
