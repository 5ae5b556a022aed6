package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"coverslip/datasets/biabench"
	"coverslip/scoring/report"
)

// packing are the choices of a call of pack.
type packing struct {
	task, out   string
	options     biabench.PackOptions
	zip, asJSON bool
}

func (p Program) pack() *cobra.Command {
	var k packing
	c := &cobra.Command{
		Use:   "pack RUN_DIR --task TASK_DIR --agent NAME -o DIR",
		Short: "Package what an agent wrote as a submission",
		Long: "Copies a run folder into DIR/TASK/AGENT/RUN, or with --session into DIR/AGENT/SESSION/TASK: deliverables, logs and the rest\n" +
			"each to their place, with submission.json, the manifest of deliverables and the report of its validation. The run folder\n" +
			"itself is only read. A submission that is there already is kept: the new one gets the time behind its name.",
		Args: between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if k.task == "" || k.options.Agent == "" || k.out == "" {
				return usageError{errors.New("usage: coverslip pack RUN_DIR --task TASK_DIR --agent NAME -o DIR")}
			}
			return p.packRun(cmd.Context(), args[0], k)
		},
	}
	f := c.Flags()
	f.StringVar(&k.task, "task", "", "the task's folder")
	f.StringVar(&k.options.Agent, "agent", "", "the agent's name")
	f.StringVar(&k.options.RunID, "run", "", "id of the run; the session's, else the run folder's name if not given")
	f.StringVar(&k.options.Session, "session", "", "session that the run belongs to")
	f.StringVarP(&k.out, "output", "o", "", "folder that all submissions lie in")
	f.StringVar(&k.options.AgentVersion, "agent-version", "", "version of the agent")
	f.StringVar(&k.options.PromptVersion, "prompt-version", "", "version of the instruction")
	f.StringVar(&k.options.Model, "model", "", "the model that the agent asked; that of run_manifest.json if not given")
	f.StringVar(&k.options.Remark, "notes", "", "a remark for submission.json")
	f.BoolVar(&k.zip, "zip", false, "write a zip of the submission into DIR, too")
	f.BoolVar(&k.asJSON, "json", false, "print one JSON object")
	return c
}

func (p Program) packRun(ctx context.Context, runDir string, k packing) error {
	task, err := biabench.OpenTask(k.task, "")
	if err != nil {
		return err
	}
	o := k.options
	o.Task, o.TaskID, o.Tasks, o.Now = task, task.Spec.TaskID, map[string]*biabench.Task{task.Spec.TaskID: task}, time.Now()
	o.Model, o.Seconds = known(runDir, o.Model)
	packed, err := biabench.Pack(ctx, runDir, k.out, o)
	if err != nil {
		return err
	}
	rec := new(report.Record).Set("submission_dir", packed.Dir).Set("validation", packed.Validation)
	if k.zip {
		path := filepath.Join(k.out, packed.Name)
		if err := biabench.WriteZip(ctx, packed.Dir, path); err != nil {
			return err
		}
		rec.Set("zip", path)
	}
	if k.asJSON {
		err = writeJSONLine(p.Out, rec)
	} else {
		p.tellPacked(packed, rec)
	}
	return errors.Join(err, p.packedVerdict(packed))
}

// known takes from the run's own record what nobody said: its model, and how long it took.
func known(runDir, model string) (string, *float64) {
	fields, err := biabench.ReadJSONObject(filepath.Join(runDir, "run_manifest.json"))
	if err != nil {
		return model, nil
	}
	said, _ := fields["model"].(string)
	model = cmp.Or(model, said)
	if v := fields["duration_seconds"]; v != nil {
		if s, ok := biabench.Number(biabench.KeyText(v)); ok && s >= 0 {
			return model, &s
		}
	}
	return model, nil
}

func (p Program) tellPacked(packed biabench.Packed, rec *report.Record) {
	fmt.Fprintf(p.Out, "%s\n", packed.Dir)
	if zip := rec.Get("zip"); zip != nil {
		fmt.Fprintf(p.Out, "%s\n", zip)
	}
	for _, d := range packed.Manifest.Deliverables {
		fmt.Fprintf(p.Out, "  %s: %d file(s)\n", d.ID, len(d.Resolved))
	}
	for _, r := range packed.Manifest.Rejected {
		fmt.Fprintf(p.Out, "  %s was turned down for %s: %s\n", r.File, r.Deliverable, r.Reason)
	}
}

// packedVerdict says on stderr what is wrong with a submission, and gives the error for the exit code.
func (p Program) packedVerdict(packed biabench.Packed) error {
	var verdict error
	for _, n := range packed.Notes {
		fmt.Fprintf(p.Err, "coverslip: %s\n", n.Text)
		if n.Level == biabench.Warning {
			verdict = errWithheld
		}
	}
	for _, w := range packed.Validation.Warnings {
		fmt.Fprintf(p.Err, "coverslip: %s\n", w.Message)
		verdict = errWithheld
	}
	for _, e := range packed.Validation.Errors {
		fmt.Fprintf(p.Err, "coverslip: the reference evaluator would turn this submission away: %s\n", e.Message)
		verdict = errFindings
	}
	return verdict
}
