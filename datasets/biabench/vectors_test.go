package biabench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// vectors runs check on the cases of testdata/<name>.json and, where the shared golden folder lies beside the repository,
// on those of its file of that name. Adding a case needs no Go code.
func vectors[C any](t *testing.T, name string, check func(t *testing.T, root string, c C)) {
	t.Helper()
	roots := []string{"testdata"}
	if dir := filepath.Join(sharedFolder(), "golden", "_contract"); IsFolder(dir) {
		roots = append(roots, dir)
	}
	for _, root := range roots {
		text, err := os.ReadFile(filepath.Join(root, name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var file struct{ Cases []json.RawMessage }
		if err := json.Unmarshal(text, &file); err != nil || len(file.Cases) == 0 {
			t.Fatalf("%s: %d cases, %v", name, len(file.Cases), err)
		}
		for _, raw := range file.Cases {
			var head struct{ Name string }
			var c C
			d := json.NewDecoder(bytes.NewReader(raw))
			d.UseNumber()
			if err := errors.Join(json.Unmarshal(raw, &head), d.Decode(&c)); err != nil {
				t.Fatal(err)
			}
			t.Run(filepath.Base(root)+"/"+head.Name, func(t *testing.T) { check(t, root, c) })
		}
	}
}

// sharedFolder is the folder "shared" beside the repository; it may not exist.
func sharedFolder() string {
	dir, _ := filepath.Abs(".")
	for !isFile(filepath.Join(dir, "go.mod")) && dir != filepath.Dir(dir) {
		dir = filepath.Dir(dir)
	}
	return filepath.Join(filepath.Dir(dir), "shared")
}

func TestLoad(t *testing.T) {
	type deliverable struct {
		ID          string
		Description string
		Pattern     string `json:"filename_pattern"`
		Required    *bool
		Multi       *bool
		Columns     []string `json:"required_columns"`
		Format      *string
	}
	type vector struct {
		Name, YAML   string
		Valid        bool
		Deliverables []deliverable
	}
	vectors(t, "load", func(t *testing.T, root string, c vector) {
		if strings.HasPrefix(c.Name, "rubric:") {
			_, err := ReadRubric("rubric.yaml", []byte(c.YAML))
			checkVerdict(t, err, c.Valid)
			return
		}
		spec, err := ReadSpec("spec.yaml", []byte(c.YAML))
		checkVerdict(t, err, c.Valid)
		if len(spec.Deliverables) != len(c.Deliverables) {
			t.Fatalf("%d deliverables, want %d", len(spec.Deliverables), len(c.Deliverables))
		}
		for i, want := range c.Deliverables {
			got := spec.Deliverables[i]
			w := Deliverable{want.ID, want.Description, want.Pattern, *want.Required, *want.Multi, want.Columns, want.Format}
			if len(w.Columns) == 0 {
				w.Columns = nil
			}
			if !reflect.DeepEqual(got, w) {
				t.Errorf("deliverable %d is %+v, want %+v", i, got, w)
			}
		}
	})
}

type resolvedVector struct {
	ID       string
	Resolved []string
	Present  bool
	Error    string
}

type rejectedVector struct {
	File, Deliverable, Code string
	Columns                 []string
}

type resolveVector struct {
	Name, Dir    string
	PredDir      string `json:"pred_dir"`
	Deliverables []struct {
		ID       string
		Pattern  string `json:"filename_pattern"`
		Required bool
		Multi    bool
		Columns  []string `json:"required_columns"`
		Format   *string
	}
	Expected struct {
		Deliverables []resolvedVector
		Rejected     []rejectedVector
		Selected     []string
	}
}

func TestResolve(t *testing.T) {
	vectors(t, "resolve", func(t *testing.T, root string, c resolveVector) {
		abs, err := filepath.Abs(root)
		if err != nil {
			t.Fatal(err)
		}
		if abs, err = filepath.EvalSymlinks(abs); err != nil {
			t.Fatal(err)
		}
		if by := inputComponent(abs); by != "" {
			t.Skipf("the test files lie below a folder called %q, which switches the extension tier off", by)
		}
		dir := filepath.Join(abs, c.Dir, c.PredDir)
		var ds []Deliverable
		for _, d := range c.Deliverables {
			ds = append(ds, Deliverable{d.ID, "", d.Pattern, d.Required, d.Multi, d.Columns, d.Format})
		}
		got := Resolve(context.Background(), dir, ds)
		rel := func(paths ...string) []string {
			out := []string{}
			for _, p := range paths {
				r, err := filepath.Rel(dir, p)
				if err != nil {
					t.Fatal(err)
				}
				out = append(out, filepath.ToSlash(r))
			}
			return out
		}
		for i, want := range c.Expected.Deliverables {
			g := got.Deliverables[i]
			same(t, want.ID, resolvedVector{g.Deliverable.ID, rel(g.Files...), len(g.Files) > 0, g.Err}, want)
		}
		rejects := []rejectedVector{}
		for _, r := range got.Rejected {
			if r.Reason == "" {
				t.Errorf("%s is turned down without a reason", r.File)
			}
			rejects = append(rejects, rejectedVector{rel(r.File)[0], r.Deliverable, r.Code, r.Columns})
		}
		same(t, "rejected", rejects, c.Expected.Rejected)
		same(t, "selected", rel(got.Selected...), c.Expected.Selected)
	})
}

func TestMatch(t *testing.T) {
	type vector struct {
		Name, Method  string
		Pred, Ref     []string
		Pairs         [][2]string
		LowConfidence bool `json:"low_confidence"`
	}
	vectors(t, "match", func(t *testing.T, root string, c vector) {
		got := Match(c.Pred, c.Ref)
		pairs := [][2]string{}
		for _, p := range got.Pairs {
			pairs = append(pairs, [2]string{p.Pred, p.Ref})
		}
		same(t, "pairs", pairs, c.Pairs)
		same(t, "method", got.Method, c.Method)
		same(t, "low confidence", got.LowConfidence, c.LowConfidence)
		if len(got.Pairs)+len(got.Unpaired) != len(c.Ref) || len(got.Pairs)+len(got.Surplus) != len(c.Pred) {
			t.Errorf("%d pairs, %d unpaired and %d surplus of %d and %d files", len(got.Pairs), len(got.Unpaired), len(got.Surplus), len(c.Ref), len(c.Pred))
		}
	})
}

func TestStem(t *testing.T) {
	type vector struct {
		Name, In string
		Out      any
	}
	vectors(t, "stem", func(t *testing.T, root string, c vector) {
		function, _, _ := strings.Cut(c.Name, ":")
		switch function {
		case "normalise_stem":
			same(t, c.In, any(normaliseStem(c.In)), c.Out)
		case "extensions_for_pattern":
			want := []string{}
			for _, x := range c.Out.([]any) {
				want = append(want, x.(string))
			}
			same(t, c.In, append([]string{}, extensionFamily(c.In)...), want)
		case "index":
			want, _ := c.Out.(string)
			same(t, c.In, nameIndex(c.In), want)
		default:
			t.Fatal("an unknown function: " + function)
		}
	})
}

func TestGlob(t *testing.T) {
	type vector struct {
		Name, Pattern, Text string
		Match               bool
	}
	vectors(t, "glob", func(t *testing.T, root string, c vector) {
		same(t, c.Pattern, CompileGlob(c.Pattern).Match(c.Text), c.Match)
	})
}

func TestKeyOverlap(t *testing.T) {
	type overlap struct {
		Status    string
		NPred     int      `json:"n_pred_keys"`
		NRef      int      `json:"n_ref_keys"`
		NCommon   int      `json:"n_common"`
		Pred      []string `json:"pred_keys"`
		Ref       []string `json:"ref_keys"`
		Unmatched []string `json:"unmatched_ref_keys"`
	}
	type vector struct {
		Name      string
		Pred, Ref []any
		Matched   *[]string
		Expected  overlap
	}
	vectors(t, "key_overlap", func(t *testing.T, root string, c vector) {
		same(t, "overlap", overlap(KeyOverlap(c.Pred, c.Ref, c.Matched)), c.Expected)
	})
}

func TestZipName(t *testing.T) {
	type vector struct{ Name, Task, Agent, Run string }
	vectors(t, "zip_name", func(t *testing.T, root string, c vector) {
		task, agent, run, _ := ZipName(c.Name)
		same(t, "parts", []string{task, agent, run}, []string{c.Task, c.Agent, c.Run})
	})
}

func TestZipIntake(t *testing.T) {
	type vector struct {
		Name, Zip string
		Members   map[string]string
		Files     []string
		Found     bool
	}
	vectors(t, "zip_intake", func(t *testing.T, root string, c vector) {
		path := writeZip(t, c.Zip, c.Members)
		dir, _, err := unpack(context.Background(), path, defaultLimits)
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		root, found := submissionRoot(dir)
		same(t, "found", found, c.Found)
		files, err := ListFiles(root)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range files {
			rel, _ := filepath.Rel(root, f)
			got = append(got, filepath.ToSlash(rel))
		}
		// Finder's folder is never written here.
		want := slices.DeleteFunc(c.Files, func(f string) bool { return strings.HasPrefix(f, "__MACOSX") })
		same(t, "files", got, want)
	})
}

func same[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// checkVerdict compares acceptance, and requires that a refusal says where and what.
func checkVerdict(t *testing.T, err error, valid bool) {
	t.Helper()
	if (err == nil) != valid {
		t.Fatalf("valid should be %v, got error %v", valid, err)
	}
	if err != nil {
		checkFault(t, err)
	}
}

// yamlTexts are the YAML texts of a file of load vectors.
func yamlTexts(file []byte) (texts []string) {
	var cases struct{ Cases []struct{ YAML string } }
	if json.Unmarshal(file, &cases) != nil {
		return nil
	}
	for _, c := range cases.Cases {
		texts = append(texts, c.YAML)
	}
	return texts
}

// Every golden case of a task whose answer lacks a deliverable: the same one is missing, for the same reason and with the
// same files turned down.
func TestGoldenMissing(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(sharedFolder(), "golden", "*", "*", "expected.json"))
	cases := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var want struct {
			Metrics struct {
				Missing *struct {
					ID, Reason string
					Rejected   []struct{ File string }
				} `json:"missing_deliverable"`
			}
		}
		if json.Unmarshal(text, &want) != nil || want.Metrics.Missing == nil {
			continue
		}
		cases++
		dir := filepath.Dir(file)
		task, err := OpenTask(dir, "")
		if err != nil {
			t.Fatal(err)
		}
		got := Resolve(context.Background(), filepath.Join(dir, "pred"), task.Spec.Deliverables)
		d, _ := got.ByID(want.Metrics.Missing.ID)
		same(t, dir, d.Err, want.Metrics.Missing.Reason)
		var turned, wanted []string
		for _, r := range got.Rejected {
			if r.Deliverable == d.Deliverable.ID {
				turned = append(turned, baseName(r.File))
			}
		}
		for _, r := range want.Metrics.Missing.Rejected {
			wanted = append(wanted, baseName(r.File))
		}
		same(t, dir, turned, wanted)
	}
	if cases == 0 {
		t.Skip("the golden cases are not beside the repository")
	}
}
