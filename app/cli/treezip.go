package cli

import (
	"context"
	"path/filepath"

	"coverslip/datasets/biabench"
)

// validate checks a submission of the tree. folder is where it lies: a zip is unpacked first, until done is called.
func (t *tree) validate(ctx context.Context, path string) (folder string, v biabench.Validation, done func(), err error) {
	done = func() {}
	if biabench.IsFolder(path) {
		v, err = biabench.Validate(ctx, path, t.tasks)
		return path, v, done, err
	}
	run, err := biabench.OpenRun(ctx, path)
	if err != nil {
		var named bool
		v.TaskID, v.Agent, v.RunID, named = biabench.ZipName(filepath.Base(path))
		if !named {
			v.TaskID = ""
		}
		return path, v, done, err
	}
	v, err = run.Validate(ctx, t.tasks)
	return run.Submission, v, func() { run.Close() }, err
}
