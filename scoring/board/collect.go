package board

import (
	"encoding/json"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"coverslip/datasets/biabench"
	"coverslip/datasets/fault"
)

// Names of the files that a tree of evaluations holds.
const (
	resultsFile = "submission_eval_results.json"
	summaryFile = "evaluation_summary.json"
)

// Collection is what a tree of evaluations holds.
type Collection struct {
	Runs  []Run
	Notes []string // what a person should know of them, such as a summary that cannot be read
}

// result is one row of submission_eval_results.json.
type result struct {
	Task    string   `json:"task_id"`
	Agent   string   `json:"agent_name"`
	Run     string   `json:"run_id"`
	Status  string   `json:"validation_status"`
	Score   *float64 `json:"overall_score"`
	Process *float64 `json:"checklist_score"`
	Result  *float64 `json:"result_score"`
	Passed  *bool    `json:"passed"`
	Summary *string  `json:"evaluation_summary_path"`
}

// summary is what a board reads from an evaluation's summary.
type summary struct {
	Task    string   `json:"task_id"`
	Overall *float64 `json:"overall_score"`
	Score   *float64 `json:"score"` // of older files
	Process *float64 `json:"checklist_score"`
	Result  *float64 `json:"result_score"`
	Passed  *bool    `json:"passed"`
}

// Collect reads the evaluated runs below a folder: those that its list of results names, each with the figures of its summary
// where that is there, since a judge may have added to it; or, without a list, those of all summaries, with agent and run
// by the folders <agent>/<run>/<task> that they lie in.
func Collect(dir string) (Collection, error) {
	if !biabench.IsFolder(dir) {
		return Collection{}, &fault.Error{Kind: fault.Missing, File: dir, Found: "no folder of that name", Expected: "a folder of evaluations"}
	}
	var c Collection
	list := filepath.Join(dir, resultsFile)
	text, err := biabench.ReadJSON(list)
	switch {
	case err == nil:
		err = c.listed(dir, list, text)
	case fault.KindOf(err) == fault.Missing:
		err = c.found(dir)
	}
	if err == nil && len(c.Runs) == 0 {
		err = &fault.Error{Kind: fault.Missing, File: dir, Found: "no evaluated run below it",
			Expected: resultsFile + " or folders with " + summaryFile, Fix: "`coverslip score --all` makes them"}
	}
	return c, err
}

// listed takes the runs of a list of results.
func (c *Collection) listed(dir, file string, text []byte) error {
	var rows []result
	if err := json.Unmarshal(text, &rows); err != nil {
		return &fault.Error{Kind: fault.Malformed, File: file, Found: "something else than a list of results", Err: err}
	}
	for _, row := range rows {
		r := Run{Agent: row.Agent, ID: row.Run, Task: row.Task, Valid: row.Status == "accepted",
			Score: row.Score, Process: row.Process, Result: row.Result, Passed: row.Passed}
		if row.Summary != nil && *row.Summary != "" {
			path := *row.Summary
			if !filepath.IsAbs(path) {
				path = filepath.Join(dir, filepath.FromSlash(path))
			}
			if s, err := readSummary(path); err == nil {
				r.take(s)
			} else if fault.KindOf(err) != fault.Missing { // one that was moved away: the list's figures stand
				c.Notes = append(c.Notes, err.Error())
			}
		}
		c.Runs = append(c.Runs, r)
	}
	return nil
}

// found takes the runs of all summaries below a folder, in path order.
func (c *Collection) found(dir string) error {
	return filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.Name() != summaryFile || !e.Type().IsRegular() {
			return nil // what cannot be read is no run
		}
		s, err := readSummary(path)
		if err != nil {
			c.Notes = append(c.Notes, err.Error())
			return nil
		}
		r := Run{Agent: "unknown_agent", ID: filepath.Base(filepath.Dir(path)), Valid: true} // only accepted submissions are evaluated
		if rel, err := filepath.Rel(dir, filepath.Dir(path)); err == nil {
			parts := strings.Split(filepath.ToSlash(rel), "/")
			if n := len(parts); n >= 3 {
				r.Agent, r.ID = parts[n-3], parts[n-2]
			}
			if n := len(parts); n >= 3 && parts[n-3] == s.Task { // the older layout: task, agent, run
				r.Agent, r.ID = parts[n-2], parts[n-1]
			}
		}
		r.take(s)
		c.Runs = append(c.Runs, r)
		return nil
	})
}

func readSummary(path string) (s summary, err error) {
	text, err := biabench.ReadJSON(path)
	if err == nil {
		if err = json.Unmarshal(text, &s); err != nil {
			err = &fault.Error{Kind: fault.Malformed, File: path, Found: "something else than an evaluation's summary", Err: err}
		}
	}
	return s, err
}

// take takes the figures of a summary. A run without an outcome is not scored.
func (r *Run) take(s summary) {
	r.Score, r.Process, r.Result, r.Passed = s.Overall, s.Process, s.Result, s.Passed
	if s.Overall == nil {
		r.Score = s.Score
	}
	if r.Task == "" {
		r.Task = s.Task
	}
}

// Entries reads and checks the files of entries: those named, and of a folder all its .json files but a built board.
func Entries(paths, tasks []string) ([]File, error) {
	var files []File
	for _, path := range paths {
		names := []string{path}
		if biabench.IsFolder(path) {
			found, err := filepath.Glob(filepath.Join(escaped(path), "*.json"))
			if err != nil || len(found) == 0 {
				return nil, &fault.Error{Kind: fault.Missing, File: path, Found: "no entry in this folder", Expected: "files ending in .json", Err: err}
			}
			slices.Sort(found)
			names = slices.DeleteFunc(found, func(name string) bool { return filepath.Base(name) == "leaderboard.json" })
		}
		for _, name := range names {
			f, err := Open(name, tasks)
			if err != nil {
				return nil, err
			}
			files = append(files, f)
		}
	}
	Twice(files)
	return files, nil
}

// escaped is a path in which no character is a pattern's.
func escaped(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}
