package checklist

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"coverslip/datasets/biabench"
	"coverslip/datasets/tabular/python"
)

// Labels of how a run ended (spec/analysis.md 2).
const (
	Success             = "success"
	Partial             = "partial"
	NoDeliverable       = "no_deliverable"
	HallucinatedSuccess = "hallucinated_success"
	Timeout             = "timeout"
	Crash               = "crash"
	ConnectionError     = "connection_error"
	ProviderRefusal     = "provider_refusal"
	InfraError          = "infra_error"
	Unevaluated         = "unevaluated"
)

// Ending is what is known of a run when it gets its label. nil is not known.
type Ending struct {
	Evaluated       bool
	Passed          bool
	RequiredPresent *bool
	Status          string // of the run manifest: success, failed, timed_out, ...
	GateLabel       string // failure_label of the evaluation summary
	InputTokens     *float64
	TotalTokens     *float64
	InfraError      bool // the record says so
}

// Words in logs that tell why a run ended.
var (
	infraWords = []string{"insufficient credits", "requires more credits", "error code: 402", "error code: 401", "error code: 429",
		"'code': 402", "'code': 401", "'code': 429", "too many requests", "rate limit exceeded", "quota exceeded",
		"exceeded your current quota", "billing hard limit", "overloaded_error", "status code 529"}
	refusalWords = []string{"we've limited access to this content for safety reasons", "limited access to this content for safety",
		"invalid prompt: we've limited access", "flagged for possible biological risk", "detecting biological risk"}
	connectionWords = []string{"connectionrefusederror", "cannot connect to host", "connect call failed", "connectionerror",
		"connection timeout to host", "stream disconnected before completion", "idle timeout waiting for sse", "stream idle timeout after"}
	timeoutWords = []string{"timed out after", "wall-clock timeout", "timeout after"}
)

const (
	emptyResponse = "api returned an empty or malformed response"
	refusalTokens = 64     // at most: an empty response to so short a prompt is a refusal
	labelRunes    = 200000 // characters read from the end of each log
)

// Label gives the label of a run and the line of its logs that decided it, "" where no log did. dir is the run folder,
// which may be gone.
func Label(e Ending, dir string) (label, line string) {
	log := runLogs(dir)
	find := func(words []string) (string, bool) { return lineWith(log, words) }
	status := python.Lower(e.Status)
	timedOut := status == "timed_out" || status == "timeout"
	delivered := e.Evaluated && e.RequiredPresent != nil && *e.RequiredPresent
	open := !e.Passed && !delivered
	if line, hit := find(infraWords); e.InfraError || (hit && open && !timedOut) {
		return InfraError, line
	}
	if line, hit := find(refusalWords); hit && open {
		return ProviderRefusal, line
	}
	if line, hit := find([]string{emptyResponse}); hit && ((open && e.fewTokens()) || !e.Evaluated) {
		return ProviderRefusal, line
	}
	switch {
	case e.GateLabel == HallucinatedSuccess || e.GateLabel == NoDeliverable:
		return gateLabel(e.GateLabel, dir), ""
	case e.Evaluated && e.Passed:
		return Success, ""
	case e.Evaluated && e.RequiredPresent != nil && !*e.RequiredPresent:
		return NoDeliverable, ""
	case e.Evaluated:
		return Partial, ""
	case timedOut:
		return Timeout, ""
	}
	if line, hit := find(connectionWords); hit {
		return ConnectionError, line
	}
	if line, hit := find(timeoutWords); hit {
		return Timeout, line
	}
	if status == "failed" {
		return Crash, ""
	}
	return Unevaluated, ""
}

// gateLabel judges the claim anew where the run folder is still there.
func gateLabel(written, dir string) string {
	if !biabench.IsFolder(dir) {
		return written
	}
	if ClaimedSuccess(dir) {
		return HallucinatedSuccess
	}
	return NoDeliverable
}

// fewTokens tells whether the prompt is known to be too short for an empty response to be anything but a refusal.
func (e Ending) fewTokens() bool {
	n := e.InputTokens
	if n == nil {
		n = e.TotalTokens
	}
	return n != nil && *n <= refusalTokens
}

var logNames = []string{"error.txt", "copilotj_log.txt", "subprocess_log.txt", "log.txt", "agentic_j_debug.log", "result.json"}

// runLogs joins the ends of a run folder's own logs, in lower case.
func runLogs(dir string) string {
	if !biabench.IsFolder(dir) {
		return ""
	}
	names := slices.Clone(logNames)
	entries, _ := os.ReadDir(dir) // sorted by name
	for _, e := range entries {
		if name := e.Name(); strings.HasSuffix(name, "_log.txt") && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	var texts []string
	for _, name := range names {
		if text, ok := readLower(filepath.Join(dir, name)); ok {
			texts = append(texts, lastRunes(text, labelRunes))
		}
	}
	return strings.Join(texts, "\n")
}

// lineWith finds the first of the words in the log and gives its line.
func lineWith(log string, words []string) (line string, found bool) {
	for _, w := range words {
		if i := strings.Index(log, w); i >= 0 {
			start := strings.LastIndexByte(log[:i], '\n') + 1
			line, _, _ = strings.Cut(log[start:], "\n")
			return python.Trim(line), true
		}
	}
	return "", false
}
