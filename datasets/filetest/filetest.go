// Package filetest holds files against an expected.json that says what each of them reads as. It is for tests alone.
//
// A Vector is one entry. Check opens the file as Recognise says, through the readers' public functions, and compares
// everything that the entry states: of images shape, axes, type, hash, samples, metadata and smaller copies (image.go,
// metadata.go), of tables the strict and the forgiving reading (table.go, book.go), of ZIPs their members (zip.go), of
// broken files the kind of the error, of all of them warnings, memory and time. An entry that states nothing that is
// compared, or a field that nobody knows, is an error too: nothing is passed over.
package filetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"coverslip/datasets"
	"coverslip/datasets/fault"
)

// Shared is a folder of test material beside the repository; the test is skipped where it is not there.
func Shared(t testing.TB, parts ...string) string {
	t.Helper()
	dir, err := os.Getwd()
	for err == nil {
		if _, e := os.Stat(filepath.Join(dir, "go.mod")); e == nil {
			path := filepath.Join(append([]string{filepath.Dir(dir), "shared"}, parts...)...)
			if _, e := os.Stat(path); e != nil {
				t.Skipf("%s is not there", path)
			}
			return path
		}
		if dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	t.Skip("the module's root was not found")
	return ""
}

// Read reads an expected.json: its entries by the path of the file below its folder, with the corrections of mistaken.go.
func Read(file string) (map[string]Vector, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var doc struct{ Files map[string]Vector }
	if err := json.Unmarshal(b, &doc); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for path, v := range doc.Files {
		doc.Files[path] = v.corrected(path)
	}
	return doc.Files, nil
}

// Check opens and reads one file as the entry says.
func (v Vector) Check(path string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	kind, err := datasets.Recognise(path)
	if err != nil {
		return err
	}
	if err := v.stated(kind); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	switch kind {
	case datasets.Table:
		return v.checkTable(path)
	case datasets.SubmissionZip:
		return v.checkZip(path)
	}
	return v.checkImage(ctx, path)
}

// stated refuses an entry by which nothing is compared.
func (v Vector) stated(kind datasets.Kind) error {
	if len(v.Unknown) > 0 {
		return fmt.Errorf("fields that nobody checks: %q", v.Unknown)
	}
	states := false
	switch v.Outcome {
	case "survive":
		return nil
	case "error":
		if kinds[v.ErrorKind] == nil {
			return fmt.Errorf("a kind of error that nobody knows: %q", v.ErrorKind)
		}
		return nil
	case "ok", "warn":
		states = v.Warn != ""
	default:
		return fmt.Errorf("an outcome that nobody knows: %q", v.Outcome)
	}
	switch kind {
	case datasets.Image:
		states = v.Members != nil || v.Shape != nil && v.Axes != nil && v.Type != nil && (states || v.Hash != nil || len(v.Probes) > 0)
	case datasets.Table:
		states = states || v.Strict != nil || v.Table != nil || v.Parsed != nil || v.Floats != nil || v.Sheets != nil || v.Whole != nil || v.Shown != nil
	case datasets.SubmissionZip:
		states = states || v.Members != nil
	default:
		return fmt.Errorf("a file that is not recognised")
	}
	if !states {
		return fmt.Errorf("the entry states nothing of the %s that could be compared", kind)
	}
	return nil
}

var kinds = map[string]error{"malformed": fault.Malformed, "unsupported": fault.Unsupported, "too large": fault.TooLarge}

// checkError compares the kind of an error, and that it names the file.
func (v Vector) checkError(err error) error {
	want := kinds[v.ErrorKind]
	var e *fault.Error
	switch {
	case err == nil:
		return errors.New("read without an error")
	case v.unsupportedToo() && errors.Is(err, fault.Unsupported):
	case want == nil:
		return fmt.Errorf("unexpected error: %v", err)
	case !errors.Is(err, want):
		return fmt.Errorf("another kind of error: %v", err)
	}
	if !errors.As(err, &e) || e.File == "" {
		return fmt.Errorf("an error that does not name the file: %v", err)
	}
	return nil
}

// unsupportedToo tells of entries that leave the choice between two kinds of errors.
func (v Vector) unsupportedToo() bool {
	return strings.Contains(v.Policy, "error_kind unsupported is fine")
}

// inTime compares how long opening took with what the entry allows.
func (v Vector) inTime(begin time.Time) error {
	if took := time.Since(begin); v.Budget.Open > 0 && took.Seconds() > v.Budget.Open {
		return fmt.Errorf("opening took %v", took)
	}
	return nil
}

// measure runs do and compares the memory that it took in all with what the entry allows.
func (v Vector) measure(do func()) error {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	if mb := float64(after.TotalAlloc-before.TotalAlloc) / 1e6; v.Memory > 0 && mb > v.Memory {
		return fmt.Errorf("allocated %.0f MB of %.0f", mb, v.Memory)
	}
	return nil
}
