// Package biabench reads BIABench task folders and agents' outputs (spec/contract.md 1-4).
//
// The way through it: OpenTask reads the two YAML files of a task folder (YAML 1.1, with the reference evaluator's
// acceptance and refusals), OpenRun finds the prediction folder of an agent's output, Resolve says which of its files
// serve which deliverable and why the others do not, Match pairs prediction files with reference files by name.
//
// Lint says what is wrong in a task's own files, Validate what is wrong with a submission, Pack makes a submission of what an
// agent wrote, FindSubmissions and FindTasks find them in trees.
//
// Nothing in a task or run folder is ever written. Errors are *fault.Error.
package biabench

// Names of files and folders that the benchmark fixes.
const (
	SpecFile         = "task_spec.yaml"
	RubricFile       = "evaluation_rubric.yaml"
	InputFolder      = "input"
	TruthFolder      = "evaluation"
	SubmissionFile   = "submission.json"
	ArtifactsFolder  = "artifacts"
	SupportingFolder = "supporting"
	CanaryFile       = "CANARY.txt" // a contamination marker: never data, never read, never shown
)
