// Package archive lists the members of a ZIP and reads them in place, within limits. Nothing is written to disk here.
//
// A ZIP is refused before any member is read when members are encrypted, overlap, or unpack to more than the limits
// allow. Names, and whether all members are there and whole, are checked only where an archive is going to be unpacked
// (Safe): a reader that looks up fixed names need not. archive.go lists and reads, inflate.go unpacks,
// structure.go looks at the records.
package archive

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"coverslip/datasets/fault"
)

// Limits bound what reading an archive may take.
type Limits struct {
	Members int   // entries
	Total   int64 // bytes of all members unpacked
	Ratio   int64 // bytes unpacked per byte of the archive; only looked at above Free bytes, since empty masks shrink well
	Free    int64
}

// DefaultLimits fit data sets and submissions.
var DefaultLimits = Limits{Members: 100_000, Total: 64 << 30, Ratio: 300, Free: 1 << 30}

// Archive is an open ZIP. Its members may be read from several goroutines.
type Archive struct {
	Path    string
	Members []*Member // in the archive's order; of equal names the last only
	Notes   []string
	reader  io.ReaderAt
	size    int64
	file    *os.File // that Close closes, if any
	byName  map[string]*Member
}

// Member is one entry of an archive.
type Member struct {
	Name string
	Size int64 // bytes unpacked, as the archive states
	file *zip.File
}

// Open reads the list of members and checks it against the limits.
func Open(path string, limits Limits) (*Archive, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, unreadable(path, err)
	}
	a, err := New(path, f, info.Size(), limits)
	if err != nil {
		f.Close()
		return nil, err
	}
	a.file = f
	return a, nil
}

func unreadable(path string, err error) error {
	e := &fault.Error{Kind: fault.Missing, File: path, Found: "a file that cannot be read", Err: err}
	if errors.Is(err, os.ErrNotExist) {
		e.Found = "nothing of that name"
	}
	return e
}

// New is Open for an archive that is somewhere else than in a file. The path is for messages alone.
func New(path string, r io.ReaderAt, size int64, limits Limits) (*Archive, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, notZip(path, r, err)
	}
	z.RegisterDecompressor(zip.Deflate, inflate)
	a := &Archive{Path: path, reader: r, size: size, byName: make(map[string]*Member, len(z.File))}
	if err := a.check(z.File, size, limits); err != nil {
		return nil, err
	}
	a.list(z.File)
	return a, nil
}

// notZip says what a file is that is no ZIP.
func notZip(path string, f io.ReaderAt, err error) error {
	start := make([]byte, 512)
	n, _ := f.ReadAt(start, 0)
	start = start[:n]
	e := &fault.Error{Kind: fault.Malformed, File: path, Expected: "a ZIP archive", Err: err}
	switch {
	case bytes.HasPrefix(start, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")):
		e.Kind, e.Found, e.Expected = fault.Unsupported, "an old binary Office file (.xls)", "an .xlsx workbook"
		e.Fix = "Open it in a spreadsheet program and save it as .xlsx; the reference scorer does not read .xls either"
	case bytes.HasPrefix(start, []byte("PK")):
		e.Found, e.Fix = "a ZIP without the list of its members, which stands at the end", "The file is cut off: copy or download it again"
	case n == 0:
		e.Found = "an empty file"
	case utf8.Valid(start) && !bytes.ContainsRune(start, 0):
		e.Found, e.Fix = "a file that looks like text", "If it is a table, rename it to .csv"
	default:
		e.Found = "something else"
	}
	return e
}

// check refuses an archive by what its list of members states.
func (a *Archive) check(files []*zip.File, size int64, limits Limits) error {
	if len(files) > limits.Members {
		return a.refuse(fault.TooLarge, "", fmt.Sprintf("%d members", len(files)), fmt.Sprintf("at most %d", limits.Members))
	}
	var total, packed int64
	for _, f := range files {
		if f.Flags&1 != 0 {
			return a.refuse(fault.Unsupported, f.Name, "a member that is encrypted", "a ZIP without a password")
		}
		// Sizes are compared one by one, so that their sum cannot run over.
		if f.UncompressedSize64 > uint64(limits.Total) || total > limits.Total-int64(f.UncompressedSize64) {
			return a.refuse(fault.TooLarge, f.Name, "more bytes than are unpacked", fmt.Sprintf("at most %d in all", limits.Total))
		}
		total += int64(f.UncompressedSize64)
		if f.CompressedSize64 > uint64(size) {
			return a.refuse(fault.Malformed, f.Name, fmt.Sprintf("a member of %d packed bytes in a file of %d", f.CompressedSize64, size), "members that lie in the file")
		}
		if packed > size-int64(f.CompressedSize64) {
			return a.refuse(fault.TooLarge, f.Name, fmt.Sprintf("members of more packed bytes than the %d of the file", size), "members that do not overlap")
		}
		packed += int64(f.CompressedSize64)
	}
	if total > limits.Free && total/limits.Ratio > size {
		return a.refuse(fault.TooLarge, "", fmt.Sprintf("%d bytes that unpack to %d", size, total), fmt.Sprintf("at most %d times as many", limits.Ratio))
	}
	return nil
}

func (a *Archive) refuse(kind error, member, found, expected string) error {
	e := &fault.Error{Kind: kind, File: a.Path, Found: found, Expected: expected}
	if member != "" {
		e.At = fmt.Sprintf("member %q", member)
	}
	return e
}

// list keeps the last of equal names.
func (a *Archive) list(files []*zip.File) {
	for _, f := range files {
		name := nameOf(f)
		if m, twice := a.byName[name]; twice {
			m.file, m.Size = f, int64(f.UncompressedSize64)
			a.Notes = append(a.Notes, fmt.Sprintf("duplicate member: %q is there more than once; the last one counts.", name))
			continue
		}
		m := &Member{name, int64(f.UncompressedSize64), f}
		a.byName[name] = m
		a.Members = append(a.Members, m)
	}
}

// Safe refuses an archive that is not to be unpacked as a whole: with a member that could leave its folder (absolute
// paths, "..", links), that is not where the list says or in a method not known here; and one volume of several.
func (a *Archive) Safe() error {
	if err := a.whole(); err != nil {
		return err
	}
	for _, m := range a.Members {
		if found := unsafe(m); found != "" {
			return a.refuse(fault.Malformed, m.Name, found, "members that stay in their folder")
		}
		if err := a.sound(m); err != nil {
			return err
		}
	}
	return nil
}

// unsafe says what is wrong with a member's name or kind, or "".
func unsafe(m *Member) string {
	name := m.Name
	switch {
	case name == "":
		return "an empty name"
	case strings.ContainsAny(name, "\\\x00"), !utf8.ValidString(name):
		return "a backslash or an unreadable character in its name"
	case strings.HasPrefix(name, "/"), filepath.IsAbs(name), len(name) >= 2 && name[1] == ':':
		return "an absolute path"
	}
	for part := range strings.SplitSeq(strings.TrimSuffix(name, "/"), "/") {
		switch part {
		case "..":
			return "a path that leaves its folder (..)"
		case "", ".":
			return "a path with an empty step in it"
		}
	}
	if m.file.Mode().Type()&^fs.ModeDir != 0 {
		return "a link or special file"
	}
	return ""
}

// Find is the member of exactly that name, or nil.
func (a *Archive) Find(name string) *Member { return a.byName[name] }

// Reader opens a member; it ends with an error of kind fault.TooLarge after most bytes, whatever the archive states.
func (a *Archive) Reader(m *Member, most int64) (io.ReadCloser, error) {
	if m.Size > most {
		return nil, a.tooLarge(m, most)
	}
	r, err := m.file.Open()
	switch {
	case errors.Is(err, zip.ErrAlgorithm):
		return nil, a.refuse(fault.Unsupported, m.Name, "a compression method that is not known here", "stored or deflated members")
	case err != nil:
		return nil, a.damaged(m, err)
	}
	return &memberReader{r, a, m, most}, nil
}

func (a *Archive) tooLarge(m *Member, most int64) error {
	return a.refuse(fault.TooLarge, m.Name, "more bytes than are unpacked here", fmt.Sprintf("at most %d MiB", most>>20))
}

func (a *Archive) damaged(m *Member, err error) error {
	return &fault.Error{Kind: fault.Malformed, File: a.Path, At: fmt.Sprintf("member %q", m.Name), Found: "bytes that cannot be unpacked",
		Err: err, Fix: "The file is damaged: copy or download it again"}
}

// Close closes the file. Readers of members end with it.
func (a *Archive) Close() error {
	if a.file == nil {
		return nil
	}
	return a.file.Close()
}

// memberReader counts and words its errors.
type memberReader struct {
	io.ReadCloser
	archive *Archive
	member  *Member
	left    int64
}

func (r *memberReader) Read(p []byte) (int, error) {
	if r.left <= 0 {
		// One byte more than allowed tells a member that ends here from one that goes on.
		var one [1]byte
		if n, err := r.ReadCloser.Read(one[:]); n == 0 {
			return 0, r.worded(err)
		}
		return 0, r.archive.tooLarge(r.member, r.member.Size)
	}
	n, err := r.ReadCloser.Read(p[:min(int64(len(p)), r.left)])
	r.left -= int64(n)
	return n, r.worded(err)
}

func (r *memberReader) worded(err error) error {
	if err == nil || errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	return r.archive.damaged(r.member, err)
}
