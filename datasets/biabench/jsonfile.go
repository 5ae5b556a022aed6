package biabench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"coverslip/datasets/fault"
)

// maxJSONBytes is far beyond every JSON file of a run.
const maxJSONBytes = 64 << 20

// ReadJSONObject reads a file that holds one JSON object, as Python writes it: NaN and Infinity become null. Numbers are
// json.Number.
func ReadJSONObject(file string) (map[string]any, error) {
	text, err := ReadJSON(file)
	if err != nil {
		return nil, err
	}
	var fields map[string]any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&fields); err != nil || fields == nil || d.More() {
		return nil, &fault.Error{Kind: fault.Malformed, File: file, Found: "something else than one JSON object", Err: err}
	}
	return fields, nil
}

// ReadJSON reads a JSON file, with the number words that only Python knows turned into null.
func ReadJSON(file string) ([]byte, error) {
	info, err := os.Stat(file)
	switch {
	case err == nil && !info.Mode().IsRegular(): // opening a pipe would wait for ever
		err = errors.New("not a regular file")
	case err == nil && info.Size() > maxJSONBytes:
		return nil, &fault.Error{Kind: fault.TooLarge, File: file, Found: fmt.Sprintf("%d bytes", info.Size()),
			Expected: fmt.Sprintf("at most %d", maxJSONBytes)}
	}
	var text []byte
	if err == nil {
		text, err = os.ReadFile(file)
	}
	if err != nil {
		return nil, &fault.Error{Kind: fault.Missing, File: file, Found: "no file that can be read", Err: err}
	}
	return standardJSON(text), nil
}
