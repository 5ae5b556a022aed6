package biabench

import (
	"os"
	"path/filepath"
	"time"
)

// unpackedPrefix begins the names of the temporary folders that zips are unpacked into.
const unpackedPrefix = "coverslip-run-"

// leftFor is the age from which on such a folder must be of a program that was killed before it could remove it.
const leftFor = 48 * time.Hour

// newUnpacked makes a temporary folder for a zip, and first removes those that were left behind.
func newUnpacked() (string, error) {
	old, _ := filepath.Glob(filepath.Join(os.TempDir(), unpackedPrefix+"*"))
	for _, dir := range old {
		if info, err := os.Lstat(dir); err == nil && info.IsDir() && time.Since(info.ModTime()) > leftFor {
			os.RemoveAll(dir)
		}
	}
	return os.MkdirTemp("", unpackedPrefix)
}
