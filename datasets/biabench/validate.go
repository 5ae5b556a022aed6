package biabench

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Validation is what the reference finds out about a submission folder before it evaluates it (spec/contract.md 7.2).
type Validation struct {
	Accepted bool // there is no error
	Errors   []Finding
	Warnings []Finding
	Audit    *Audit         // nil where validation ended before
	Fields   map[string]any // submission.json; nil where it cannot be read

	// What submission.json says of itself, trimmed; read also where it is refused.
	TaskID, Agent, RunID string

	ended bool // before the fields were looked at
}

// Finding is one remark of a validation.
type Finding struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Field   string `json:"field,omitempty"`
}

// Codes of findings.
const (
	InvalidSchema      = "INVALID_SCHEMA"
	SchemaWarning      = "SCHEMA_WARNING"
	MissingArtifact    = "MISSING_ARTIFACT"
	EmptyArtifacts     = "EMPTY_ARTIFACTS"
	SparseArtifacts    = "SPARSE_ARTIFACTS"
	MissingDeliverable = "MISSING_REQUIRED_DELIVERABLE"
	Overmatch          = "DELIVERABLE_OVERMATCH"
)

// Audit lists what was delivered. File lists are sorted as whole texts.
type Audit struct {
	Deliverable  []string             `json:"deliverable_files"`
	Supporting   []string             `json:"supporting_files"`
	TaskID       string               `json:"task_id"`
	Deliverables []AuditedDeliverable `json:"deliverables,omitempty"`
	Rejected     []AuditedReject      `json:"rejected_files,omitempty"`
}

// AuditedDeliverable says how many files serve one deliverable.
type AuditedDeliverable struct {
	ID       string `json:"id"`
	Pattern  string `json:"filename_pattern"`
	Required bool   `json:"required"`
	Matched  int    `json:"matched_files"`
}

// AuditedReject is a file that was turned down.
type AuditedReject struct {
	File        string `json:"file"` // base name
	Reason      string `json:"reason"`
	Deliverable string `json:"deliverable"`
	Code        string `json:"-"`
}

// Validate checks a submission folder. tasks are those that are known, by their ids; with none, every id passes. The
// error is for a cancelled context alone.
func Validate(ctx context.Context, dir string, tasks map[string]*Task) (Validation, error) {
	v := Validation{Agent: "unknown_agent", RunID: folderName(dir)}
	file, artifacts := filepath.Join(dir, SubmissionFile), filepath.Join(dir, ArtifactsFolder)
	there := isFile(file)
	if there {
		fields, err := ReadJSONObject(file)
		if err == nil {
			v.identify(fields)
		} else if IsFolder(artifacts) {
			v.refuse(InvalidSchema, "", "%s is not a JSON object", SubmissionFile)
		}
	} else {
		v.refuse(InvalidSchema, "", "there is no %s", SubmissionFile)
	}
	if !IsFolder(artifacts) {
		v.refuse(MissingArtifact, "", "there is no folder %s", ArtifactsFolder)
	}
	if v.ended = len(v.Errors) > 0; !v.ended {
		v.checkFields(tasks)
		if id, ok := v.Fields["task_id"].(string); ok {
			v.audit(ctx, artifacts, id, tasks[id])
		}
	}
	v.Accepted = len(v.Errors) == 0
	return v, ctx.Err()
}

func folderName(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	return filepath.Base(dir)
}

func (v *Validation) refuse(code, field, format string, args ...any) {
	v.Errors = append(v.Errors, Finding{code, fmt.Sprintf(format, args...), field})
}

func (v *Validation) warn(code, field, format string, args ...any) {
	v.Warnings = append(v.Warnings, Finding{code, fmt.Sprintf(format, args...), field})
}

// identify takes the names; what is absent or blank keeps its default.
func (v *Validation) identify(fields map[string]any) {
	v.Fields = fields
	for key, into := range map[string]*string{"task_id": &v.TaskID, "agent_name": &v.Agent, "run_id": &v.RunID} {
		if x := fields[key]; x != nil && trim(KeyText(x)) != "" {
			*into = trim(KeyText(x))
		}
	}
}

var (
	requiredFields = []string{"schema_version", "task_id", "agent_name", "agent_version", "run_id", "timestamp_utc", "prompt_version"}
	optionalFields = []string{"model_name", "runtime_seconds", "notes"}
)

// checkFields checks submission.json: first what is absent, then what is wrong, absent fields once more.
func (v *Validation) checkFields(tasks map[string]*Task) {
	for _, key := range requiredFields {
		if _, ok := v.Fields[key]; !ok {
			v.refuse(InvalidSchema, key, "the field %s is required", key)
		}
	}
	if v.Fields["schema_version"] != "1.0" {
		v.refuse(InvalidSchema, "schema_version", `schema_version must be "1.0"`)
	}
	id, _ := v.Fields["task_id"].(string)
	if _, known := tasks[id]; trim(id) == "" || (len(tasks) > 0 && !known) {
		v.refuse(InvalidSchema, "task_id", "task_id is not the id of a task that is known here")
	}
	for _, key := range []string{"agent_name", "agent_version", "run_id", "prompt_version"} {
		if text, _ := v.Fields[key].(string); trim(text) == "" {
			v.refuse(InvalidSchema, key, "%s must be text that is not blank", key)
		}
	}
	if text, ok := v.Fields["timestamp_utc"].(string); !ok || !isTimestamp(strings.ReplaceAll(text, "Z", "+00:00")) {
		v.refuse(InvalidSchema, "timestamp_utc", "timestamp_utc must be a date and time as 2026-01-31T09:00:00Z")
	}
	if x := v.Fields["runtime_seconds"]; x != nil {
		if n, ok := jsonNumber(x); !ok || n < 0 {
			v.refuse(InvalidSchema, "runtime_seconds", "runtime_seconds must be a number that is not negative")
		}
	}
	for _, key := range sortedKeys(v.Fields) {
		if !slices.Contains(requiredFields, key) && !slices.Contains(optionalFields, key) {
			v.warn(SchemaWarning, "", "the field %s is not known", shorten(key))
		}
	}
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// jsonNumber takes numbers, and booleans as Python's isinstance does.
func jsonNumber(v any) (float64, bool) {
	switch v := v.(type) {
	case bool, float64:
		return pythonFloat(v)
	case json.Number:
		return pythonFloat(v.String())
	}
	return 0, false
}

// audit lists the files and adds the warnings about them.
func (v *Validation) audit(ctx context.Context, artifacts, id string, task *Task) {
	v.Audit = &Audit{Deliverable: []string{}, Supporting: []string{}, TaskID: id}
	all := walkFiles(ctx, artifacts)
	for _, f := range all {
		if strings.HasPrefix(f.rel, SupportingFolder+"/") {
			v.Audit.Supporting = append(v.Audit.Supporting, f.rel)
		} else if !slices.Contains(strings.Split(f.rel, "/"), SupportingFolder) {
			v.Audit.Deliverable = append(v.Audit.Deliverable, f.rel)
		}
	}
	slices.Sort(v.Audit.Deliverable)
	slices.Sort(v.Audit.Supporting)
	switch {
	case len(all) == 0:
		v.warn(EmptyArtifacts, "", "the folder %s holds no files", ArtifactsFolder)
	case !slices.ContainsFunc(all, func(f file) bool { return isUsualArtifact(f.rel) }):
		v.warn(SparseArtifacts, "", "no file in %s is of a usual kind", ArtifactsFolder)
	}
	if task != nil && len(task.Spec.Deliverables) > 0 {
		v.auditDeliverables(ctx, artifacts, task)
	}
}

func isUsualArtifact(name string) bool {
	suffix := strings.TrimPrefix(lower(Suffix(name)), ".")
	return slices.Contains(strings.Fields("png jpg jpeg svg pdf tif tiff txt md csv tsv py ipynb"), suffix)
}

// overmatchFactor is how many files a deliverable may have for each input image.
const overmatchFactor = 3

func (v *Validation) auditDeliverables(ctx context.Context, artifacts string, task *Task) {
	images := 0
	inputs, _ := ListFiles(filepath.Join(task.Dir, InputFolder)) // no folder: no images
	for _, path := range inputs {
		if IsImageName(path) {
			images++
		}
	}
	found := Resolve(ctx, artifacts, task.Spec.Deliverables)
	for _, d := range found.Deliverables {
		n := len(d.Files)
		v.Audit.Deliverables = append(v.Audit.Deliverables, AuditedDeliverable{d.Deliverable.ID, d.Deliverable.Pattern, d.Deliverable.Required, n})
		switch {
		case d.Deliverable.Required && n == 0:
			v.warn(MissingDeliverable, d.Deliverable.ID, "no file serves the required deliverable %s (%s)", d.Deliverable.ID, d.Deliverable.Pattern)
		case images > 0 && n > overmatchFactor*images:
			v.warn(Overmatch, d.Deliverable.ID, "%d files serve %s, for %d input images", n, d.Deliverable.ID, images)
		}
	}
	for _, r := range found.Rejected {
		v.Audit.Rejected = append(v.Audit.Rejected, AuditedReject{filepath.Base(r.File), r.Reason, r.Deliverable, r.Code})
	}
}

// ReportFile is the name of a validation's report.
const ReportFile = "validation_report.json"

// MarshalJSON writes the report as the reference does. Paths in it are relative to the submission.
func (v Validation) MarshalJSON() ([]byte, error) {
	status := "rejected"
	if v.Accepted {
		status = "accepted"
	}
	audit, fields := any(v.Audit), v.Fields
	if v.Audit == nil {
		audit = struct{}{}
	}
	if v.ended || fields == nil {
		fields = map[string]any{}
	}
	return json.Marshal(struct {
		Status   string            `json:"status"`
		Errors   []Finding         `json:"errors"`
		Warnings []Finding         `json:"warnings"`
		Paths    map[string]string `json:"normalized_paths"`
		Metadata map[string]any    `json:"metadata"`
		Audit    any               `json:"artifact_audit"`
	}{status, append([]Finding{}, v.Errors...), append([]Finding{}, v.Warnings...),
		map[string]string{"submission": ".", "artifacts": ArtifactsFolder}, fields, audit})
}
