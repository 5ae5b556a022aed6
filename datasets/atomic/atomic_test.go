package atomic

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coverslip/datasets/fault"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestWriteReplacesWholeFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	for _, s := range []string{"first", "second"} {
		if err := Write(path, text(s)); err != nil || read(t, path) != s {
			t.Fatalf("%v, %q", err, read(t, path))
		}
	}
}

func TestFailureLeavesTheOldFileAndNoTrace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	os.WriteFile(path, []byte("old"), 0o644)
	broken := errors.New("broken")
	err := Write(path, func(w io.Writer) error { io.WriteString(w, "half"); return broken })
	if !errors.Is(err, broken) || read(t, path) != "old" {
		t.Errorf("%v, %q", err, read(t, path))
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestLinksAreFollowed(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	os.WriteFile(target, []byte("old"), 0o644)
	if err := os.Symlink(target, link); err != nil {
		t.Skipf("no links here: %v", err)
	}
	if err := Write(link, text("new")); err != nil || read(t, target) != "new" {
		t.Errorf("%v, %q", err, read(t, target))
	}
	if info, _ := os.Lstat(link); info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
}

func TestDevicesStayDevices(t *testing.T) {
	before, err := os.Stat(os.DevNull)
	if err != nil {
		t.Skipf("no null device: %v", err)
	}
	if err := Write(os.DevNull, text("x")); err != nil {
		t.Error(err)
	}
	if after, _ := os.Stat(os.DevNull); after.Mode() != before.Mode() {
		t.Errorf("the null device went from %v to %v", before.Mode(), after.Mode())
	}
}

func TestMessagesNameTheFileAskedFor(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{dir, filepath.Join(dir, "none", "a")} {
		err := Write(path, text("x"))
		var e *fault.Error
		if !errors.As(err, &e) || e.File != path || strings.Contains(err.Error(), Suffix) {
			t.Errorf("%v", err)
		}
	}
}
