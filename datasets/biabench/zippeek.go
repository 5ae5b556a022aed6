package biabench

import (
	"archive/zip"
	"context"
	"path/filepath"
	"strings"
)

// IsZipName tells a name that ends in .zip, in any letters.
func IsZipName(path string) bool { return lower(Suffix(path)) == ".zip" }

// withoutZip is the path that a zip would be unpacked to beside itself.
func withoutZip(path string) string { return strings.TrimSuffix(path, filepath.Ext(path)) }

// isSubmissionZip tells a zip that holds a submission, by the list of its members alone.
func isSubmissionZip(path string) bool {
	z, err := zip.OpenReader(path)
	if err != nil {
		return false
	}
	defer z.Close()
	if len(z.File) > defaultLimits.members {
		return false
	}
	top := ""
	for range 6 { // as submissionRoot goes down
		only := ""
		for _, f := range z.File {
			rest, below := strings.CutPrefix(f.Name, top)
			if !below || rest == "" || strings.HasPrefix(rest, "__MACOSX") {
				continue
			}
			if rest == SubmissionFile {
				return true
			}
			first, _, isFolder := strings.Cut(rest, "/")
			switch {
			case !isFolder || (only != "" && only != first):
				only = "/" // more than one folder: only a file at this level can be it
			case only == "":
				only = first
			}
		}
		if only == "" || only == "/" {
			return false
		}
		top += only + "/"
	}
	return false
}

// Validate checks a run that is a submission, as Validate checks its folder. Of a zip, what submission.json does not tell is
// taken from the zip's name.
func (r *Run) Validate(ctx context.Context, tasks map[string]*Task) (Validation, error) {
	v, err := Validate(ctx, r.Submission, tasks)
	if r.unpacked == "" {
		return v, err
	}
	said := func(key string) bool { x := v.Fields[key]; return x != nil && trim(KeyText(x)) != "" }
	_, agent, run, named := ZipName(filepath.Base(r.Path))
	if !said("run_id") {
		v.RunID = run
	}
	if !said("agent_name") && named {
		v.Agent = agent
	}
	return v, err
}
