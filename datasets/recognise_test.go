package datasets

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"coverslip/datasets/fault"
)

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRecognise(t *testing.T) {
	root := t.TempDir()
	for _, c := range []struct {
		file, text string
		ask        string
		want       Kind
	}{
		{"tasks/one/task_spec.yaml", "", "tasks/one", Task},
		{"tasks/two/task_spec.yaml", "", "tasks/two/task_spec.yaml", Task},
		{"tasks/readme.md", "", "tasks", TaskRoot},
		{"sub/submission.json", "{}", "sub", Submission},
		{"sub/artifacts/a.tif", "", "sub/submission.json", Submission},
		{"run/a.tif", "", "run", Run},
		{"run/deep/task/task_spec.yaml", "", "run", Run},
		{"empty/x/y", "", "empty/x", Run},
		{"a.tif", "II*\x00", "a.tif", Image},
		{"noname", "MM\x00+\x00\x08", "noname", Image},
		{"b.dat", "\x89PNG\r\n\x1a\n...", "b.dat", Image},
		{"c.Bmp", "BM", "c.Bmp", Image},
		{"broken.tif", "", "broken.tif", Image},
		{"t.csv", "a,b", "t.csv", Table},
		{"t.xlsx", "PK\x03\x04", "t.xlsx", Table},
		{"no.xlsx", "text", "no.xlsx", Table},
		{"old.xls", "\xd0\xcf\x11\xe0", "old.xls", Table},
		{"s.ZIP", "PK\x03\x04", "s.ZIP", SubmissionZip},
		{"s.bin", "PK\x05\x06", "s.bin", SubmissionZip},
		{"notes.md", "# x", "notes.md", Other},
	} {
		write(t, filepath.Join(root, c.file), c.text)
		got, err := Recognise(filepath.Join(root, c.ask))
		if err != nil || got != c.want {
			t.Errorf("%s is a %v (%v), want %v", c.ask, got, err, c.want)
		}
	}
	if _, err := Recognise(filepath.Join(root, "absent")); fault.KindOf(err) != fault.Missing {
		t.Error(err)
	}
}

func TestTasksBelow(t *testing.T) {
	root := t.TempDir()
	for i := range 3 {
		write(t, filepath.Join(root, fmt.Sprint("t", 2-i), "task_spec.yaml"), "")
	}
	write(t, filepath.Join(root, ".git", "task_spec.yaml"), "")
	write(t, filepath.Join(root, "other", "x"), "")
	tasks, err := TasksBelow(root)
	if err != nil || len(tasks) != 3 || filepath.Base(tasks[0]) != "t0" {
		t.Errorf("%v, %v", tasks, err)
	}
	if tasks, err = TasksBelow(filepath.Join(root, "absent")); err == nil {
		t.Error(tasks)
	}
}
