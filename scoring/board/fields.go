package board

import (
	"bytes"
	"encoding/json"
	"errors"
)

// ordered writes a JSON object of n fields in their order. Characters that HTML minds are left as they are.
func ordered(n int, at func(int) (key string, value any)) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	b.WriteByte('{')
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		key, value := at(i)
		if err := e.Encode(key); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := e.Encode(value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// eachField reads a JSON object field by field, in its order. read must decode one value. null has no fields.
func eachField(text []byte, read func(key string, d *json.Decoder) error) error {
	d := json.NewDecoder(bytes.NewReader(text))
	t, err := d.Token()
	if err != nil || t == nil {
		return err
	}
	if t != json.Delim('{') {
		return errors.New("expected an object")
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		if err := read(key.(string), d); err != nil {
			return err
		}
	}
	return nil
}
