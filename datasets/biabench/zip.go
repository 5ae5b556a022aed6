package biabench

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"unicode/utf8"

	"coverslip/datasets/fault"
)

// zipLimits bounds what unpacking may take.
type zipLimits struct {
	members int   // entries
	total   int64 // bytes unpacked
	ratio   int64 // bytes unpacked per byte of the zip, looked at above free bytes only: empty masks shrink very well
	free    int64
}

var defaultLimits = zipLimits{members: 100_000, total: 64 << 30, ratio: 300, free: 1 << 30}

// openZipRun unpacks a zip into a temporary folder and finds the submission in it.
func openZipRun(ctx context.Context, path string) (*Run, error) {
	task, agent, run, named := ZipName(filepath.Base(path))
	r := &Run{Path: path, Name: strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))}
	dir, notes, err := unpack(ctx, path, defaultLimits)
	if err != nil {
		return nil, err
	}
	r.unpacked, r.Notes = dir, notes
	root, found := submissionRoot(dir)
	if err := r.locate(root); err != nil {
		r.Close()
		return nil, err
	}
	if !found {
		r.Notes.info("The zip holds no %s: it is used as a plain folder of output files.", SubmissionFile)
		return r, nil
	}
	if r.Agent == "" && named {
		r.Agent, r.RunID = agent, run
		r.rename()
	}
	if r.TaskID != "" && named && task != r.TaskID {
		r.Notes.warn("The zip's name says task %s, its %s says %s. The latter counts.", task, SubmissionFile, r.TaskID)
	}
	return r, nil
}

// submissionRoot finds the folder that holds submission.json: dir itself, or below it through folders that hold one
// folder and no file, at most five down. Where there is none it is dir.
func submissionRoot(dir string) (root string, found bool) {
	root = dir
	for range 6 {
		if isFile(filepath.Join(root, SubmissionFile)) {
			return root, true
		}
		entries, _ := os.ReadDir(root)
		only := ""
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), "__MACOSX") {
				continue
			}
			if only != "" || !e.IsDir() {
				return dir, false
			}
			only = e.Name()
		}
		if only == "" {
			return dir, false
		}
		root = filepath.Join(root, only)
	}
	return dir, false
}

// unpack checks all members of a zip by name and size and only then writes them, into a new temporary folder. Finder's
// __MACOSX folder is left out. A member whose bytes are damaged is left out too, with a note.
func unpack(ctx context.Context, path string, limits zipLimits) (dir string, notes Notes, err error) {
	z, err := zip.OpenReader(path)
	if err != nil {
		return "", nil, notZip(path, err)
	}
	defer z.Close()
	members, err := checkMembers(path, z.File, limits)
	if err != nil {
		return "", nil, err
	}
	dir, err = newUnpacked()
	if err == nil {
		notes, err = writeMembers(ctx, dir, members)
	}
	if err == nil {
		return dir, notes, nil
	}
	if dir != "" {
		os.RemoveAll(dir)
	}
	if ctx.Err() == nil {
		kind := fault.Unsupported
		if errors.Is(err, syscall.ENOSPC) {
			kind = fault.TooLarge
		}
		// The cause is told, not wrapped: that the folder for temporary files is not there says nothing about the zip.
		err = &fault.Error{Kind: kind, File: path, Found: fmt.Sprintf("a zip that cannot be unpacked here (%v)", err),
			Fix: "See that the folder for temporary files is there and has room: " + os.TempDir()}
	}
	return "", nil, err
}

func notZip(path string, err error) error {
	e := &fault.Error{Kind: fault.Malformed, File: path, Expected: "a folder of output files, a submission folder or a submission zip", Err: err}
	switch {
	case errors.Is(err, os.ErrPermission):
		e.Kind, e.Found, e.Expected = fault.Missing, "a file that may not be read", ""
	case strings.EqualFold(filepath.Ext(path), ".zip"):
		e.Found = "a zip whose list of members cannot be read"
		e.Fix = "It may be cut off: copy or download it again"
	default:
		e.Found = "a single file that is no zip"
	}
	return e
}

// checkMembers refuses a zip with any member that could leave its folder, overwrite another or fill the disk.
func checkMembers(path string, files []*zip.File, limits zipLimits) ([]*zip.File, error) {
	refuse := func(kind error, member, found, expected string) error {
		e := &fault.Error{Kind: kind, File: path, Found: found, Expected: expected, Fix: "Nothing was unpacked"}
		if member != "" {
			e.At = fmt.Sprintf("member %q", shorten(member))
		}
		return e
	}
	if len(files) > limits.members {
		return nil, refuse(fault.TooLarge, "", fmt.Sprintf("%d members", len(files)), fmt.Sprintf("at most %d", limits.members))
	}
	names := newNameTree()
	var keep []*zip.File
	var total, packed int64
	for _, f := range files {
		if found := badMember(f); found != "" {
			return nil, refuse(fault.Malformed, f.Name, found, "")
		}
		if f.Flags&1 != 0 {
			return nil, refuse(fault.Unsupported, f.Name, "a member that is encrypted", "a zip without a password")
		}
		if found := names.add(f.Name); found != "" {
			return nil, refuse(fault.Malformed, f.Name, found, "")
		}
		// Sizes are compared one by one, so that their sum cannot run over.
		if f.UncompressedSize64 > uint64(limits.total) || f.CompressedSize64 > uint64(limits.total) || total > limits.total-int64(f.UncompressedSize64) {
			return nil, refuse(fault.TooLarge, f.Name, "more bytes than are unpacked at once", fmt.Sprintf("at most %d in all", limits.total))
		}
		total += int64(f.UncompressedSize64)
		packed = min(packed+int64(f.CompressedSize64), limits.total)
		if !strings.HasPrefix(f.Name, "__MACOSX") {
			keep = append(keep, f)
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, notZip(path, err)
	}
	if packed > info.Size() {
		return nil, refuse(fault.Malformed, "", fmt.Sprintf("members of %d packed bytes in a file of %d", packed, info.Size()), "members that do not overlap")
	}
	if total > limits.free && total/limits.ratio > info.Size() {
		return nil, refuse(fault.TooLarge, "", fmt.Sprintf("%d bytes that unpack to %d", info.Size(), total),
			fmt.Sprintf("at most %d times as many; if the zip is right, unpack it yourself and open the folder", limits.ratio))
	}
	return keep, nil
}

// badMember says what is unsafe about a member's name or kind, or "".
func badMember(f *zip.File) string {
	name := f.Name
	switch {
	case name == "":
		return "an empty name"
	case strings.ContainsAny(name, "\\\x00"), !utf8.ValidString(name):
		return "a backslash or an unreadable character in its name"
	case strings.HasPrefix(name, "/"):
		return "an absolute path"
	case len(name) >= 2 && name[1] == ':':
		return "a drive letter"
	}
	for part := range strings.SplitSeq(strings.TrimSuffix(name, "/"), "/") {
		switch {
		case part == "..":
			return "a path that leaves its folder (..)"
		case part == "" || part == ".":
			return "a path with an empty step in it"
		case len(part) > 255:
			return "a name longer than 255 bytes"
		}
	}
	if kind := f.Mode().Type(); kind&^fs.ModeDir != 0 {
		return "a link or special file"
	}
	return ""
}

// nameTree finds members that would overwrite one another.
type nameTree struct{ files, folders map[string]bool }

func newNameTree() nameTree { return nameTree{map[string]bool{}, map[string]bool{}} }

// add enters a member's name and says what it clashes with, or "".
func (t nameTree) add(name string) string {
	clean := strings.TrimSuffix(name, "/")
	for i, r := range clean {
		if r == '/' {
			if t.files[clean[:i]] {
				return "a folder with the name of another member"
			}
			t.folders[clean[:i]] = true
		}
	}
	if strings.HasSuffix(name, "/") {
		if t.files[clean] {
			return "a folder with the name of another member"
		}
		t.folders[clean] = true
		return ""
	}
	if t.files[clean] || t.folders[clean] {
		return "the name of another member"
	}
	t.files[clean] = true
	return ""
}

// writeMembers unpacks checked members below dir.
func writeMembers(ctx context.Context, dir string, members []*zip.File) (notes Notes, err error) {
	root, err := os.OpenRoot(dir) // names were checked; this keeps every write below dir all the same
	if err != nil {
		return nil, err
	}
	defer root.Close()
	for _, f := range members {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		name := filepath.FromSlash(strings.TrimSuffix(f.Name, "/"))
		if strings.HasSuffix(f.Name, "/") {
			if err := root.MkdirAll(name, 0o700); err != nil {
				return nil, err
			}
			continue
		}
		if err := root.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return nil, err
		}
		damage, err := writeMember(ctx, root, name, f)
		if err != nil {
			return nil, err
		}
		if damage != nil {
			root.Remove(name)
			notes.warn("The zip's member %s is damaged (%v) and left out.", f.Name, damage)
		}
	}
	return notes, nil
}

// writeMember unpacks one file. damage is what is wrong with the member itself.
func writeMember(ctx context.Context, root *os.Root, name string, f *zip.File) (damage, err error) {
	in, err := f.Open()
	if err != nil {
		return err, nil
	}
	defer in.Close()
	out, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	source := &memberReader{ctx: ctx, in: in, left: int64(f.UncompressedSize64)}
	if _, err := io.Copy(out, source); err != nil {
		if ctx.Err() == nil && source.damage != nil {
			return source.damage, nil
		}
		return nil, err
	}
	return nil, out.Close()
}

// memberReader reads a member as far as its declared size and stops when ctx ends. It tells its own errors from the writer's.
type memberReader struct {
	ctx    context.Context
	in     io.Reader
	left   int64
	damage error
}

func (m *memberReader) Read(p []byte) (int, error) {
	if err := m.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := m.in.Read(p)
	if m.left -= int64(n); m.left < 0 {
		n, err = 0, errors.New("it is longer than it says")
	}
	if err != nil && err != io.EOF {
		m.damage = err
	}
	return n, err
}
