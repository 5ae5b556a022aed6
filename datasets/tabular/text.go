package tabular

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"coverslip/datasets/fault"
	"coverslip/datasets/tabular/python"
)

const maxText = 256 << 20 // bytes of a table in text; the largest known one has 3.2 MB

// StrictText turns the bytes of a file into text as the reference does (spec/scorers-tables.md 1.3): UTF-8, bytes that
// do not decode dropped, a byte-order mark kept as a character, CR LF and CR turned into LF.
func StrictText(raw string) string { return python.Newlines(python.Decode(raw)) }

// ReadCSV reads a table as the reference does. The bytes are taken as they are: no byte-order mark is looked for and
// no other separator than a comma.
func ReadCSV(r io.Reader) (Records, error) {
	raw, err := readRaw(r)
	if err != nil {
		return nil, err
	}
	return ParseCSV(StrictText(raw))
}

// ReadCSVFile is ReadCSV for a file. Its errors name the file.
func ReadCSVFile(path string) (Records, error) {
	raw, err := ReadRaw(path)
	if err != nil {
		return nil, err
	}
	records, err := ParseCSV(StrictText(raw))
	return records, inFile(path, err)
}

// ReadHeader reads no more of a table than it takes to know the first record that is not an empty line: what required
// columns are looked for in. It is nil where there is none.
func ReadHeader(r io.Reader) ([]string, error) {
	const most = 1 << 26 // bytes; nothing sensible comes near it
	raw := make([]byte, 0, 64<<10)
	for {
		n, err := io.ReadFull(r, raw[len(raw):cap(raw)])
		raw = raw[:len(raw)+n]
		whole := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !whole {
			return nil, unreadable(err)
		}
		header, complete, err := headerOf(StrictText(string(raw)), whole)
		if complete || err != nil {
			return header, err
		}
		if cap(raw) >= most {
			return nil, &fault.Error{Kind: fault.TooLarge, At: "the header", Found: fmt.Sprintf("more than %d bytes", most)}
		}
		raw = append(make([]byte, 0, 2*cap(raw)), raw...)
	}
}

// headerOf finds the first record with cells. Without the whole text a record counts only once its line break is there.
func headerOf(text string, whole bool) (header []string, complete bool, err error) {
	p := csvParser{text: text, csvDialect: csvDialect{separator: ',', strict: true}}
	for {
		record, err := p.next()
		switch {
		case err != nil || record == nil:
			return nil, whole, err
		case len(record) > 0 && (whole || p.at < len(text)):
			return record, true, nil
		case len(record) > 0:
			return nil, false, nil
		}
	}
}

// ReadRaw gives the bytes of a file that is small enough to be a table in text.
func ReadRaw(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", inFile(path, unreadable(err))
	}
	defer f.Close()
	raw, err := readRaw(f)
	return raw, inFile(path, err)
}

func readRaw(r io.Reader) (string, error) {
	var b strings.Builder
	if f, ok := r.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && info.Size() < maxText {
			b.Grow(int(info.Size()) + 1)
		}
	}
	n, err := io.Copy(&b, io.LimitReader(r, maxText+1))
	switch {
	case err != nil:
		return "", unreadable(err)
	case n > maxText:
		return "", &fault.Error{Kind: fault.TooLarge, Found: fmt.Sprintf("more than %d MiB", maxText>>20),
			Expected: "a table in text", Fix: "Split the table, or see whether this is a table at all"}
	}
	return b.String(), nil
}

func unreadable(err error) error {
	e := &fault.Error{Kind: fault.Missing, Found: "a file that cannot be read", Err: err}
	if errors.Is(err, os.ErrNotExist) {
		e.Found = "nothing of that name"
	}
	return e
}

// inFile names the file in an error that does not know it.
func inFile(path string, err error) error {
	var e *fault.Error
	if errors.As(err, &e) && e.File == "" {
		named := *e
		named.File = path
		return &named
	}
	return err
}
