package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// TestWhatIfStandsBeside: what a run would score comes under a key of its own; all else is the same with and without.
func TestWhatIfStandsBeside(t *testing.T) {
	task := theDemo.Tasks[0]
	run := t.TempDir()
	if err := os.CopyFS(filepath.Join(run, "supporting"), os.DirFS(theDemo.Runs[task][0])); err != nil {
		t.Fatal(err)
	}
	print := func(args ...string) map[string]json.RawMessage {
		var out, errs bytes.Buffer
		if code := (Program{Out: &out, Err: &errs}).Main(context.Background(), append([]string{"score", "--json", task, run}, args...)); code != Withheld {
			t.Fatalf("exit %d: %s", code, errs.String())
		}
		fields := map[string]json.RawMessage{}
		if err := json.Unmarshal(out.Bytes(), &fields); err != nil {
			t.Fatal(err)
		}
		return fields
	}
	without, with := print(), print("--what-if")
	var list []struct {
		If       string
		Score    float64
		Official *bool
	}
	if err := json.Unmarshal(with["what_if"], &list); err != nil || len(list) == 0 || list[0].Score < 0.8 || list[0].Official == nil || *list[0].Official {
		t.Errorf("%s: %v", with["what_if"], err)
	}
	delete(with, "what_if")
	if len(with) != len(without) {
		t.Errorf("%d fields with, %d without", len(with), len(without))
	}
	for key, value := range without {
		if !bytes.Equal(value, with[key]) {
			t.Errorf("%s: %s, with --what-if %s", key, value, with[key])
		}
	}
}
