package biabench

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"coverslip/datasets/fault"
)

// file is a regular file found below a folder.
type file struct {
	rel  string // path below the folder as found, components joined by '/'
	path string // absolute, links followed
}

// ListFiles lists the regular files below dir, sorted component by component, absolute. Links to files count, folders
// behind links are not entered. CANARY.txt, hidden files and partial downloads are left to the caller.
func ListFiles(dir string) ([]string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, unreadableFolder(dir, err)
	}
	if _, err := os.ReadDir(abs); err != nil {
		return nil, unreadableFolder(dir, err)
	}
	var paths []string
	for _, f := range walkFiles(context.Background(), abs) {
		paths = append(paths, filepath.Join(abs, filepath.FromSlash(f.rel)))
	}
	sortPaths(paths)
	return paths, nil
}

func unreadableFolder(dir string, err error) error {
	return &fault.Error{Kind: fault.Missing, File: dir, Found: "a folder that cannot be read",
		Fix: "Check that it exists and that you may read it", Err: err}
}

// walkFiles lists the regular files below dir. What cannot be read is left out. It stops early when ctx ends.
func walkFiles(ctx context.Context, dir string) []file {
	root, err := filepath.Abs(dir)
	if err != nil {
		return nil
	}
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	var files []file
	var visit func(path, rel string)
	visit = func(path, rel string) {
		entries, _ := os.ReadDir(path) // what could be read before an error counts
		for _, e := range entries {
			if ctx.Err() != nil {
				return
			}
			below, name := filepath.Join(path, e.Name()), rel+e.Name()
			switch {
			case e.IsDir():
				visit(below, name+"/")
			case e.Type().IsRegular():
				files = append(files, file{name, below})
			case e.Type()&fs.ModeSymlink != 0:
				if target, ok := linkedFile(below); ok {
					files = append(files, file{name, target})
				}
			}
		}
	}
	visit(root, "")
	return files
}

// linkedFile follows a link to a regular file.
func linkedFile(link string) (string, bool) {
	info, err := os.Stat(link)
	if err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	target, err := filepath.EvalSymlinks(link)
	return target, err == nil
}

// sortPaths sorts by path components, each by code point, so that "a/x" comes before "a-x/y".
func sortPaths(paths []string) { slices.SortFunc(paths, comparePaths) }

func comparePaths(a, b string) int {
	return slices.Compare(strings.Split(filepath.ToSlash(a), "/"), strings.Split(filepath.ToSlash(b), "/"))
}

// compareNatural sorts as a person does: "img_2" before "img_10", folders by their own names, letter case last.
func compareNatural(a, b string) int {
	as, bs := strings.Split(filepath.ToSlash(a), "/"), strings.Split(filepath.ToSlash(b), "/")
	if c := slices.CompareFunc(as, bs, compareNaturalName); c != 0 {
		return c
	}
	return cmp.Compare(a, b)
}

func compareNaturalName(a, b string) int {
	for a != "" && b != "" {
		na, nb := digitRun(a), digitRun(b)
		if na > 0 && nb > 0 {
			x, y := strings.TrimLeft(a[:na], "0"), strings.TrimLeft(b[:nb], "0")
			if c := cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)); c != 0 {
				return c
			}
			a, b = a[na:], b[nb:]
			continue
		}
		ta, tb := textRun(a), textRun(b)
		if c := cmp.Compare(lower(a[:ta]), lower(b[:tb])); c != 0 {
			return c
		}
		a, b = a[ta:], b[tb:]
	}
	return cmp.Compare(len(a), len(b))
}

func digitRun(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

func textRun(s string) int {
	if n := strings.IndexAny(s, "0123456789"); n >= 0 {
		return n
	}
	return len(s)
}
