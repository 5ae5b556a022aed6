package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// floors says which parts of the house a part may not import. Both sides are folders of this module, or prefixes of other modules;
// a part named more exactly wins.
var floors = []struct{ part, banned string }{
	{"datasets", "scoring"}, {"datasets", "viewer"}, {"datasets", "app"},
	{"scoring", "viewer"}, {"scoring", "app"},
	{"viewer", "scoring"}, {"viewer", "app"},
	{"assets", "datasets"}, {"assets", "scoring"}, {"assets", "viewer"}, {"assets", "app"},
}

// fyneFolders may import Fyne; of all others only window.go may, and only it imports Fyne's driver.
var fyneFolders = []string{"app", "viewer/canvas"}

const fyne = "fyne.io/fyne/v2"

func TestFloorsOfTheHouse(t *testing.T) {
	seen := 0
	for _, file := range goFiles(t) {
		for _, path := range importsOf(t, file) {
			seen++
			checkFloor(t, file, path)
			checkFyne(t, file, path)
		}
	}
	if seen < 50 {
		t.Fatalf("only %d imports seen: the walk did not find the house", seen)
	}
}

func checkFloor(t *testing.T, file, path string) {
	target, ours := strings.CutPrefix(path, "coverslip/")
	if !ours {
		return
	}
	for _, f := range floors {
		if within(filepath.ToSlash(filepath.Dir(file)), f.part) && within(target, f.banned) {
			t.Errorf("%s imports %s: %s may not know %s", file, path, f.part, f.banned)
		}
	}
}

func checkFyne(t *testing.T, file, path string) {
	if path != fyne && !strings.HasPrefix(path, fyne+"/") {
		return
	}
	dir := filepath.ToSlash(filepath.Dir(file))
	if path == fyne+"/app" {
		if file != "window.go" {
			t.Errorf("%s imports %s: only window.go may, so that all else builds without a display", file, path)
		}
		return
	}
	for _, ok := range fyneFolders {
		if dir == ok {
			return
		}
	}
	if file != "window.go" {
		t.Errorf("%s imports %s: only %s may know Fyne", file, path, strings.Join(fyneFolders, " and "))
	}
}

func within(dir, part string) bool { return dir == part || strings.HasPrefix(dir, part+"/") }

// TestTopLevel keeps the top level as the design has it.
func TestTopLevel(t *testing.T) {
	allowed := map[string]bool{"main.go": true, "window.go": true, "headless.go": true, "floors_test.go": true, "app": true, "viewer": true,
		"scoring": true, "datasets": true, "assets": true, "go.mod": true, "go.sum": true, "FyneApp.toml": true, "README.md": true,
		"Makefile": true, "LICENSE": true, "build": true}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !allowed[e.Name()] && !strings.HasPrefix(e.Name(), ".") && !strings.HasSuffix(e.Name(), "_test.go") && !strings.HasPrefix(e.Name(), "coverslip") {
			t.Errorf("%s does not belong on the top level", e.Name())
		}
	}
}

func goFiles(t *testing.T) []string {
	var files []string
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != "." || d.Name() == "testdata" || d.Name() == "build") {
			return fs.SkipDir
		}
		if strings.HasSuffix(path, ".go") {
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func importsOf(t *testing.T, file string) []string {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, spec := range parsed.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}
