package datasets_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"coverslip/datasets/filetest"
)

// TestEveryFile opens every file of both collections as what it is and compares it with its entry: shape, axes, type,
// numbers, tables, members, warnings, kinds of errors, memory. It prints a table of variants and outcomes. A file
// without an entry, an entry without a file, and an entry by which nothing is compared fail.
func TestEveryFile(t *testing.T) {
	for _, collection := range []string{"zoo", "real"} {
		t.Run(collection, func(t *testing.T) {
			root := filetest.Shared(t, collection)
			vectors, err := filetest.Read(filepath.Join(root, "expected.json"))
			if err != nil {
				t.Fatal(err)
			}
			everyFileHasAnEntry(t, root, vectors)
			tally := map[string]*[2]int{}
			var table strings.Builder
			for _, p := range sorted(vectors) {
				group, _, _ := strings.Cut(p, "/")
				if tally[group] == nil {
					tally[group] = &[2]int{}
				}
				v := vectors[p]
				if err := v.Check(filepath.Join(root, p)); err != nil {
					tally[group][1]++
					fmt.Fprintf(&table, "%-60s %v DISAGREES\n", p, v)
					t.Errorf("%s (%s %s): %v", p, v.Outcome, v.ErrorKind, err)
					continue
				}
				tally[group][0]++
				fmt.Fprintf(&table, "%-60s %v\n", p, v)
			}
			t.Log("variants and outcomes:\n" + table.String())
			logTally(t, tally, len(vectors))
		})
	}
}

func sorted[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// besides are files that belong to a collection without being test files, or that others name: the XML beside a set of
// OME files, the table beside the masks of a tracking result.
var besides = []string{".gitattributes", "multifile.companion.ome", "res_track.txt", "expected.json", "README.md", "README.txt", "COPYRIGHT", "LICENSE", "LICENSE.txt", "LICENSE.md"}

// everyFileHasAnEntry finds pictures, tables and ZIPs of a collection that its list leaves out. The folder tasks holds
// whole tasks, which have tests of their own.
func everyFileHasAnEntry(t *testing.T, root string, vectors map[string]filetest.Vector) {
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == "tasks" {
			return errorOr(err, fs.SkipDir)
		}
		if _, ok := vectors[path]; !ok && !d.IsDir() && !slices.Contains(besides, d.Name()) {
			t.Errorf("%s has no entry in expected.json", path)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func errorOr(err, other error) error {
	if err != nil {
		return err
	}
	return other
}

func logTally(t *testing.T, tally map[string]*[2]int, entries int) {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%-20s %6s %8s\n", "group", "agree", "disagree")
	var sum [2]int
	for _, g := range sorted(tally) {
		n := tally[g]
		fmt.Fprintf(&b, "%-20s %6d %8d\n", g, n[0], n[1])
		sum[0], sum[1] = sum[0]+n[0], sum[1]+n[1]
	}
	fmt.Fprintf(&b, "%-20s %6d %8d\n", "all", sum[0], sum[1])
	t.Log(b.String())
	if sum[0]+sum[1] != entries {
		t.Errorf("%d of %d entries looked at", sum[0]+sum[1], entries)
	}
}
