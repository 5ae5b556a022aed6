package board

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"

	"coverslip/datasets/biabench"
	"coverslip/datasets/fault"
)

// SchemaVersion is that of entries and boards.
const SchemaVersion = "1"

// Entry is one configuration of an agent on the published leaderboard, with all its runs. Pointers are nil where a value is
// null or not given.
type Entry struct {
	SchemaVersion string    `json:"schema_version"`
	ID            string    `json:"id"`
	Source        string    `json:"source"` // paper or community
	Submitted     string    `json:"submitted"`
	Submitter     Submitter `json:"submitter"`
	Agent         Agent     `json:"agent"`
	Model         Model     `json:"model"`
	Settings      Settings  `json:"settings"`
	Artifacts     Artifacts `json:"artifacts"`
	Tasks         TaskRuns  `json:"tasks"`
}

// Submitter is who answers for an entry.
type Submitter struct {
	Name        string  `json:"name"`
	Affiliation *string `json:"affiliation"`
	Contact     string  `json:"contact"`
}

// Agent is the harness that was run.
type Agent struct {
	Name    string  `json:"name"`
	Version string  `json:"version"`
	Adapter *string `json:"adapter,omitempty"`
	Class   *string `json:"class,omitempty"` // general or biology
	URL     *string `json:"url,omitempty"`
}

// Model is what the agent asked.
type Model struct {
	Name       string  `json:"name"`
	Identifier string  `json:"identifier"`
	Provider   *string `json:"provider,omitempty"`
}

// Settings are those of all runs of an entry.
type Settings struct {
	DatasetRevision  string  `json:"dataset_revision"`
	InstructionLevel string  `json:"instruction_level"` // brief or detailed
	Repeats          Count   `json:"repeats"`
	JudgeModel       *string `json:"judge_model"`
	EvaluatorCommit  *string `json:"evaluator_commit,omitempty"`
	CostProvenance   *string `json:"cost_provenance,omitempty"` // billed or list_price
	Hardware         *string `json:"hardware,omitempty"`
}

// Artifacts say where the runs can be looked at.
type Artifacts struct {
	URL   *string `json:"url"`
	Notes *string `json:"notes,omitempty"`
}

// TaskRuns are an entry's runs by task.
type TaskRuns map[string]RunList

// RunList holds the runs of one task.
type RunList struct {
	Runs []EntryRun `json:"runs"`
}

// EntryRun is one run of one task.
type EntryRun struct {
	ID           string  `json:"run_id"`
	Status       string  `json:"status"` // delivered, no_deliverable, crash, refused
	Outcome      *Number `json:"outcome"`
	Process      *Number `json:"process"`
	WallMinutes  *Number `json:"wall_min"`
	InputTokens  *Count  `json:"input_tokens"`
	OutputTokens *Count  `json:"output_tokens"`
	CostUSD      *Number `json:"cost_usd"`
}

// States of a run. A refused one was turned away by the provider, or failed for reasons that are not the agent's: it counts
// nowhere.
const (
	Delivered     = "delivered"
	NoDeliverable = "no_deliverable"
	Crash         = "crash"
	Refused       = "refused"
)

// File is an entry's file.
type File struct {
	Path     string
	Entry    Entry     // of use only where there are no problems
	Problems []Problem // what keeps it off the board, in the order of the checks
}

// Open reads an entry's file and checks it. tasks are the ids that an entry must have. The error is for a file that is no
// JSON object.
func Open(path string, tasks []string) (File, error) {
	text, err := biabench.ReadJSON(path)
	if err != nil {
		return File{Path: path}, err
	}
	return Read(path, text, tasks)
}

// Read reads and checks an entry's text. The path gives the name that its id must equal.
func Read(path string, text []byte, tasks []string) (File, error) {
	f := File{Path: path}
	raw, err := object(text)
	if err != nil {
		return f, &fault.Error{Kind: fault.Malformed, File: path, Found: "something else than one JSON object",
			Expected: "an entry of the leaderboard", Err: err}
	}
	f.Problems = append(checkForm(raw, tasks), Check(raw, Stem(path), tasks)...)
	if len(f.Problems) == 0 {
		err = json.Unmarshal(text, &f.Entry)
	}
	if err != nil { // a number that no field of ours holds
		err = &fault.Error{Kind: fault.Malformed, File: path, Found: "a value that cannot be read", Err: err}
	}
	return f, err
}

// Stem is the name of an entry's file without the suffix: what its id must be.
func Stem(path string) string {
	name := filepath.Base(path)
	return strings.TrimSuffix(name, filepath.Ext(name))
}

// object reads one JSON object; numbers are json.Number.
func object(text []byte) (map[string]any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var raw map[string]any
	if err := d.Decode(&raw); err != nil {
		return nil, err
	}
	if raw == nil || d.More() {
		return nil, errors.New("not one object")
	}
	return raw, nil
}
