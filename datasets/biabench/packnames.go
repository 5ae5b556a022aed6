package biabench

import (
	"slices"
	"strings"
)

// notPacked are files that belong to the benchmark's own bookkeeping, and folders that are never an answer.
var (
	notPacked = []string{"evaluation_summary.json", "checklist_results.json", "vlm_judgement.json", "vlm_judgement_raw.jsonl",
		"validation_report.json", "run_manifest.json", SubmissionFile, "provenance.json", "result_manifest.json", "deliverable_manifest.json"}
	foldersNotPacked = []string{"chroma_knowledge_db", TruthFolder, "__pycache__", ".git"}
)

// skippedFolder is the first component of a path that keeps a file out of a submission, or "".
func skippedFolder(path string) string {
	for part := range strings.SplitSeq(path, "/") {
		if slices.Contains(foldersNotPacked, part) {
			return part
		}
	}
	return ""
}

// isLog tells the names that are logs; declared are those that an adapter names.
func isLog(name string, declared []string) bool {
	switch name {
	case "log.txt", "log_raw.json", "error.txt", "subprocess_log.txt":
		return true
	}
	return lower(Suffix(name)) == ".log" || strings.HasSuffix(name, "_log.txt") || strings.HasSuffix(name, "_log.json") ||
		strings.HasSuffix(name, "_events.jsonl") || (strings.Contains(name, "_session") && strings.HasSuffix(name, ".jsonl")) ||
		slices.Contains(declared, name)
}

// packedName makes a name fit for a folder, letters of all scripts kept. A name of points alone would lead elsewhere.
func packedName(s string) string {
	clean := strings.Map(func(r rune) rune {
		if isWordy(r) || strings.ContainsRune("_-.", r) {
			return r
		}
		return '_'
	}, trim(s))
	switch {
	case clean == "":
		return "unknown"
	case strings.Trim(clean, ".") == "":
		return strings.Repeat("_", len(clean))
	}
	return clean
}
