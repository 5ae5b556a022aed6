package biabench

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestLeftoversOfKilledProgramsAreRemoved(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	if os.TempDir() != temp {
		t.Skip("the temporary folder is not named by TMPDIR here")
	}
	old, fresh := filepath.Join(temp, unpackedPrefix+"1"), filepath.Join(temp, unpackedPrefix+"2")
	os.MkdirAll(filepath.Join(old, "sub"), 0o755)
	os.Mkdir(fresh, 0o755)
	long := time.Now().Add(-2 * leftFor)
	os.Chtimes(old, long, long)
	dir, err := newUnpacked()
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{old: false, fresh: true, dir: true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s: there %v, want %v", filepath.Base(path), err == nil, want)
		}
	}
}
