// Package atomic writes files whole or not at all.
package atomic

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"coverslip/datasets/fault"
)

// Suffix ends the names of temporary files; one that a killed program left behind can be told by it.
const Suffix = ".coverslip-tmp"

// Write writes to a temporary file beside path, syncs it and renames it over path. If anything fails, path is as it was before. A link is
// followed, so that its target is replaced; what is no regular file (a pipe, a device) is written to as it is.
func Write(path string, fill func(io.Writer) error) error {
	target := path
	if real, err := filepath.EvalSymlinks(path); err == nil {
		target = real
	}
	info, err := os.Stat(target)
	switch {
	case err == nil && info.IsDir():
		return &fault.Error{Kind: fault.Inconsistent, File: path, Found: "a folder", Expected: "a file name"}
	case err == nil && !info.Mode().IsRegular():
		return worded(path, writeThrough(target, fill))
	}
	return worded(path, replace(target, fill))
}

// worded puts a failure of the file system in words that name the file the user asked for, not the temporary one.
func worded(path string, err error) error {
	var cause *fs.PathError
	var rename *os.LinkError
	text := ""
	switch {
	case errors.As(err, &cause):
		text = cause.Err.Error()
	case errors.As(err, &rename):
		text = rename.Err.Error()
	default:
		return err
	}
	return &fault.Error{Kind: fault.Missing, File: path, Found: "it cannot be written: " + text, Err: err,
		Fix: "Check that the folder is there, may be written to and has room"}
}

func writeThrough(path string, fill func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(f)
	return errors.Join(fill(b), b.Flush(), f.Close())
}

func replace(path string, fill func(io.Writer) error) (err error) {
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
	if err = errors.Join(b.Flush(), f.Chmod(0o644), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
