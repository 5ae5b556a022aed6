package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coverslip/datasets/filetest"
)

// printed is what info --json --hash prints of one file, as far as an expected.json speaks of it.
type printed struct {
	Kind    string   `json:"kind"`
	Axes    string   `json:"axes"`
	Shape   []int    `json:"shape"`
	Type    string   `json:"dtype"`
	Hash    string   `json:"sha256"`
	Notes   []string `json:"notes"`
	Error   string   `json:"error"`
	Kinds   string   `json:"error_kind"`
	Members *int     `json:"members"`
	Sheets  []struct {
		Rows int `json:"rows"`
	} `json:"sheets"`
}

// TestInfoOfEveryFile asks info about every file of both collections: one object per file, with the shape, axes, type and
// hash that are expected, or the kind of error.
func TestInfoOfEveryFile(t *testing.T) {
	for _, collection := range []string{"zoo", "real"} {
		t.Run(collection, func(t *testing.T) {
			root := filetest.Shared(t, collection)
			vectors, err := filetest.Read(filepath.Join(root, "expected.json"))
			if err != nil {
				t.Fatal(err)
			}
			for p, v := range vectors {
				var out bytes.Buffer
				err := infoOf(context.Background(), &out, filepath.Join(root, p), true, true)
				var got printed
				if e := json.Unmarshal(out.Bytes(), &got); e != nil {
					t.Errorf("%s prints %q: %v", p, out.String(), e)
					continue
				}
				if (err != nil) != (got.Error != "") {
					t.Errorf("%s: error %v, printed %q", p, err, got.Error)
				}
				if err := got.agrees(v); err != nil {
					t.Errorf("%s: %v", p, err)
				}
			}
		})
	}
}

func (got printed) agrees(v filetest.Vector) error {
	switch {
	case v.Outcome == "survive":
		return nil
	case v.Outcome == "error" && strings.Contains(v.Policy, "error_kind unsupported is fine") && got.Kinds == "unsupported":
		return nil
	case v.Outcome == "error" || got.Error != "":
		if got.Error == "" || got.Kinds != v.ErrorKind {
			return fmt.Errorf("error %q of kind %q, expected %q", got.Error, got.Kinds, v.ErrorKind)
		}
		return nil
	case v.Outcome == "warn" && len(got.Notes) == 0:
		return fmt.Errorf("no note, expected one about %q", v.Warn)
	}
	switch got.Kind {
	case "image":
		return got.agreesAsImage(v)
	case "table":
		if len(got.Sheets) == 0 || v.Table != nil && v.Table.Rows != nil && len(*v.Table.Rows) != got.Sheets[0].Rows {
			return fmt.Errorf("sheets %v", got.Sheets)
		}
	case "submission zip":
		members := map[string]int64{}
		if v.Members != nil {
			if err := json.Unmarshal(v.Members, &members); err != nil {
				return err
			}
		}
		if got.Members == nil || v.Members != nil && *got.Members != len(members) {
			return fmt.Errorf("members %v, expected %d", got.Members, len(members))
		}
	default:
		return fmt.Errorf("a file of kind %q", got.Kind)
	}
	return nil
}

func (got printed) agreesAsImage(v filetest.Vector) error {
	switch {
	case v.Shape != nil && !slices.Equal(got.Shape, v.Shape):
		return fmt.Errorf("shape %v, expected %v", got.Shape, v.Shape)
	case v.Axes != nil && got.Axes != *v.Axes:
		return fmt.Errorf("axes %s, expected %s", got.Axes, *v.Axes)
	case v.Type != nil && got.Type != *v.Type:
		return fmt.Errorf("type %s, expected %s", got.Type, *v.Type)
	case v.Hash != nil && got.Hash != *v.Hash:
		return fmt.Errorf("hash %s, expected %s", got.Hash, *v.Hash)
	case len(got.Hash) != 64:
		return fmt.Errorf("hash %q", got.Hash)
	}
	return nil
}
