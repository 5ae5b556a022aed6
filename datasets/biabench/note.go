package biabench

import "fmt"

// Level says how much a note matters.
type Level string

// Info is good to know. Warning: what is scored, or how, is not what the files seem to say. Error: nothing can be scored this
// way.
const (
	Info    Level = "info"
	Warning Level = "warning"
	Error   Level = "error"
)

// Note is a remark on a task or a run that was opened all the same. Text is one sentence or a few.
type Note struct {
	Level Level
	Text  string
}

// Notes are the remarks on one task, rubric or run.
type Notes []Note

func (n *Notes) info(format string, args ...any) {
	*n = append(*n, Note{Info, fmt.Sprintf(format, args...)})
}

func (n *Notes) warn(format string, args ...any) {
	*n = append(*n, Note{Warning, fmt.Sprintf(format, args...)})
}
