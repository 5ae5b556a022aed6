package tabular_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coverslip/datasets/filetest"
	"coverslip/datasets/filetest/workbook"
)

// TestVectors reads the package's own files and compares them with what is expected. Adding a case needs no code: a file
// and its entry, or for a workbook a .parts file, which is packed first.
func TestVectors(t *testing.T) {
	root := packWorkbooks(t, "testdata")
	vectors, err := filetest.Read(filepath.Join(root, "expected.json"))
	if err != nil || len(vectors) < 40 {
		t.Fatalf("%d vectors, %v", len(vectors), err)
	}
	for _, p := range slices.Sorted(maps.Keys(vectors)) {
		if err := vectors[p].Check(filepath.Join(root, p)); err != nil {
			t.Errorf("%s (%s %s): %v", p, vectors[p].Outcome, vectors[p].ErrorKind, err)
		}
	}
}

// packWorkbooks copies a folder of vectors to a temporary one and packs each NAME.parts as NAME.
func packWorkbooks(t *testing.T, from string) string {
	t.Helper()
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(to, "xlsx", "*.parts"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err == nil {
			err = workbook.Pack(strings.TrimSuffix(file, ".parts"), string(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return to
}
