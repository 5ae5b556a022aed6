// Package atomic writes files whole or not at all.
package atomic

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
)

// Suffix ends the names of temporary files; one that a killed program left behind can be told by it.
const Suffix = ".coverslip-tmp"

// Write writes to a temporary file beside path, syncs it and renames it over path. If anything fails, path is as it was before.
func Write(path string, fill func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".*"+Suffix)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	b := bufio.NewWriter(f)
	if err = fill(b); err != nil {
		return err
	}
	if err = b.Flush(); err != nil {
		return err
	}
	if err = f.Chmod(0o644); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
