package filetest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCheckFails: entries that state nothing, what nobody knows or what is not so are errors.
func TestCheckFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(path, []byte("X,Y\n1,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for entry, want := range map[string]string{
		`{"outcome": "ok", "strict": {"records": [["X", "Y"], ["1", "2"]]}}`: "",
		`{"outcome": "survive"}`:                                                        "",
		`{"outcome": "ok", "what": "a table"}`:                                          "states nothing",
		`{"outcome": "ok", "members": null}`:                                            "states nothing",
		`{"outcome": "fine"}`:                                                           "an outcome that nobody knows",
		`{"outcome": "error", "error_kind": "odd"}`:                                     "a kind of error that nobody knows",
		`{"outcome": "error", "error_kind": "malformed"}`:                               "read without an error",
		`{"outcome": "ok", "colour": "red"}`:                                            "fields that nobody checks",
		`{"outcome": "ok", "strict": {"records": [["X", "Y"], ["1", "3"]]}}`:            "strict records",
		`{"outcome": "ok", "strict": {"n_records": 3}}`:                                 "2 strict records",
		`{"outcome": "warn", "warn": "semicolons"}`:                                     "no warning about",
		`{"outcome": "ok", "display_table": {"encoding": "utf-8", "delimiter": ";"}}`:   "separator",
		`{"outcome": "ok", "strict": {"records": [["X", "Y"], ["1", "2"]]}, "x_y": {}}`: "fields that nobody checks",
	} {
		var v Vector
		if err := json.Unmarshal([]byte(entry), &v); err != nil {
			t.Fatal(entry, err)
		}
		err := v.Check(path)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, expected %q", entry, err, want)
		}
	}
}
