package filetest

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"

	"coverslip/datasets/tabular/archive"
)

// checkZip opens a ZIP, asks whether it may be unpacked, and reads every member.
func (v Vector) checkZip(path string) error {
	var a *archive.Archive
	var readErr error
	if err := v.measure(func() { a, readErr = readZip(path) }); err != nil {
		return err
	}
	if readErr != nil || v.Outcome == "error" {
		return v.checkError(readErr)
	}
	if v.Outcome == "warn" && !strings.Contains(strings.Join(a.Notes, " "), v.Warn) || v.Outcome == "ok" && len(a.Notes) > 0 {
		return fmt.Errorf("notes %q, expected %q", a.Notes, v.Warn)
	}
	if v.Members == nil {
		return nil
	}
	want, got := map[string]int64{}, map[string]int64{}
	if err := json.Unmarshal(v.Members, &want); err != nil {
		return err
	}
	for _, m := range a.Members {
		got[m.Name] = m.Size
	}
	if !reflect.DeepEqual(got, want) {
		return fmt.Errorf("members %v, expected %v", got, want)
	}
	return nil
}

func readZip(path string) (*archive.Archive, error) {
	a, err := archive.Open(path, archive.DefaultLimits)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	if err := a.Safe(); err != nil {
		return nil, err
	}
	for _, m := range a.Members {
		r, err := a.Reader(m, m.Size)
		if err != nil {
			return nil, err
		}
		n, err := io.Copy(io.Discard, r)
		r.Close()
		if err == nil && n != m.Size {
			err = fmt.Errorf("member %q has %d bytes, the list says %d", m.Name, n, m.Size)
		}
		if err != nil {
			return nil, err
		}
	}
	return a, nil
}
