package remedy

import (
	"os"
	"path/filepath"
	"testing"

	"coverslip/datasets/biabench"
)

// FuzzTables makes every edit that a table gives reason for, as the table of each task. Nothing may panic, and each edit
// can be written.
func FuzzTables(f *testing.F) {
	for _, raw := range []string{"", "\n", "x", "X,Y\n1,2\n", "\ufeffx;y\n1,5;2,5\n", "1,2\n3,4,5\n", "frame\tx\ty\n1\tinf\tnan\n",
		"a,b\n\"1\n", "condition,start_normalized\n,\nA,25 %\na ,<3\n", "\xff\xfex\x00,\x00y\x00", "# c\n1 2 3 4\n", ",,,,\n,,\n", "title\n\nx,y,frame,label\n1,2"} {
		f.Add([]byte(raw))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		dir := t.TempDir()
		for task, list := range schemas {
			for _, s := range list {
				name := "table.csv"
				if s.form == lines {
					name = "table.txt"
				}
				path := filepath.Join(dir, name)
				if err := os.WriteFile(path, raw, 0o644); err != nil {
					t.Fatal(err)
				}
				find := &finder{ctx: t.Context(), task: &biabench.Task{Spec: biabench.Spec{TaskID: task, Input: map[string]any{"pixel_size_um": 0.5}}}}
				find.table(s, []file{{name, path}})
				for _, r := range find.found {
					target := filepath.Join(dir, "edited")
					if err := r.changes[name].write(t.Context(), path, target, false); err != nil {
						t.Errorf("%s: %v", r.Text, err)
					}
					os.Remove(target)
				}
			}
		}
	})
}
