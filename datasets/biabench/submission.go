package biabench

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"strings"
)

const maxSubmissionBytes = 4 << 20

// readSubmission takes agent, run and task from submission.json. It is tolerant: what is absent, blank or broken leaves
// the field empty, and only a note says so (spec/contract.md 7.2, 7.4).
func (r *Run) readSubmission(file string) {
	var fields map[string]any
	if info, err := os.Stat(file); err != nil || info.Size() > maxSubmissionBytes {
		r.Notes.warn("%s cannot be read or is too large; agent and task are unknown.", SubmissionFile)
		return
	}
	text, err := readText(file)
	if err == nil {
		d := json.NewDecoder(bytes.NewReader(standardJSON(text)))
		d.UseNumber()
		err = d.Decode(&fields)
	}
	if err != nil || fields == nil {
		r.Notes.warn("%s is not a JSON object; agent and task are unknown.", SubmissionFile)
		return
	}
	field := func(key string) string {
		if v := fields[key]; v != nil {
			return trim(KeyText(v))
		}
		return ""
	}
	r.TaskID, r.Agent, r.RunID = field("task_id"), field("agent_name"), field("run_id")
	r.rename()
}

var (
	stringOrNumberWord = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|-?Infinity|NaN`)
	byteOrderMark      = []byte("\ufeff")
)

// standardJSON turns the number words of Python's JSON, which are not in the standard, into null.
func standardJSON(text []byte) []byte {
	return stringOrNumberWord.ReplaceAllFunc(bytes.TrimPrefix(text, byteOrderMark), func(token []byte) []byte {
		if token[0] == '"' {
			return token
		}
		return []byte("null")
	})
}

// rename makes the name for lists from what is known.
func (r *Run) rename() {
	switch {
	case r.Agent != "" && r.RunID != "":
		r.Name = r.Agent + " / " + r.RunID
	case r.Agent != "":
		r.Name = r.Agent
	}
}

var unclean = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// ZipName takes task, agent and run from the name of a submission zip, <task>__<agent>__<run>.zip, each cleaned for use
// as a folder name. A name of another form gives ok false and its cleaned stem as the run.
// Source: spec/contract.md 7.3.
func ZipName(name string) (task, agent, run string, ok bool) {
	stem := name
	if n := len(name) - len(".zip"); n >= 0 && strings.EqualFold(name[n:], ".zip") {
		stem = name[:n]
	}
	task, rest, ok1 := cutShortest(stem)
	agent, run, ok2 := cutShortest(rest)
	if !ok1 || !ok2 || run == "" {
		return "unknown_task", "unknown_agent", cleanPart(stem), false
	}
	return cleanPart(task), cleanPart(agent), cleanPart(run), true
}

// cutShortest cuts at the first "__" that leaves at least one character before it.
func cutShortest(s string) (before, after string, ok bool) {
	if s == "" {
		return "", "", false
	}
	i := strings.Index(s[1:], "__")
	if i < 0 {
		return "", "", false
	}
	return s[:1+i], s[1+i+2:], true
}

func cleanPart(s string) string {
	s = unclean.ReplaceAllString(strings.ReplaceAll(trim(s), "/", "_"), "_")
	if s == "" {
		return "unknown"
	}
	return s
}
