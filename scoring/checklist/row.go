package checklist

import (
	"bytes"
	"encoding/json"
	"errors"

	"coverslip/scoring/report"
)

// readRow reads a JSON object in the order of its fields.
func readRow(text []byte) (*report.Record, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.Join(errors.New("not an object"), err)
	}
	r := new(report.Record)
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, err
		}
		r.Set(key.(string), scalar(raw))
	}
	return r, nil
}

// scalar is a JSON value as Go's, lists and objects left as text.
func scalar(raw json.RawMessage) any {
	if len(raw) == 0 || raw[0] == '[' || raw[0] == '{' {
		return raw
	}
	var v any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return raw
	}
	return v
}
