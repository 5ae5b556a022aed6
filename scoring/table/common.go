package table

import (
	"context"
	"errors"
	"fmt"

	"coverslip/datasets/biabench"
	"coverslip/scoring/call"
	"coverslip/scoring/report"
)

// run makes a call of a calculator's body.
func run(ctx context.Context, task *biabench.Task, answer *biabench.Run, progress func(done, total int), body func(*call.Call) error) (*report.Report, error) {
	return call.Do(ctx, task, answer, progress, body)
}

// deliverable finds the one file of a required deliverable; "" means that the report is finished.
func deliverable(c *call.Call, id string) (string, error) {
	d, err := c.Deliverable(id)
	if err != nil {
		return "", err
	}
	if d.Err != "" {
		c.Missing(d)
		whole(c, id)
		return "", nil
	}
	if len(d.Files) == 0 {
		return "", fmt.Errorf("the deliverable '%s' is optional in the task's spec, and there is no file of it", id)
	}
	return d.Files[0], nil
}

// whole lists one thing that was not judged, so that the whole loss has a place.
func whole(c *call.Call, name string) {
	c.Report.Images = []report.Image{{Name: name, Status: report.MissingAnswer, Reason: c.Report.Result.Reason}}
	c.Report.Marks = []report.Mark{{Kind: report.Whole, Key: name, Cost: 1, Text: "Counts 0: " + c.Report.Result.Reason}}
}

// unmatched lists the keys of the truth, none of which the answer has.
func unmatched(c *call.Call, keys []string, noun string) {
	c.Report.Images, c.Report.Marks = nil, nil
	for i, key := range keys {
		c.Report.Images = append(c.Report.Images, report.Image{Name: key, Status: report.MissingAnswer, Reason: c.Report.Result.Reason})
		c.Report.Marks = append(c.Report.Marks, report.Mark{Kind: report.Unmatched, Image: i, Key: key, Cost: 1 / float64(len(keys)),
			Text: "No " + noun + " of the answer goes with " + quoted(key)})
	}
}

func quoted(s string) string { return "“" + s + "”" }

// errTruthFolder is for a folder that was there when scoring began.
var errTruthFolder = errors.New("the evaluation folder cannot be read")
