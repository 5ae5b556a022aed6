package board

import (
	"cmp"
	"fmt"
	"slices"
)

// Board is the published leaderboard, best outcome first. It holds no time of its making, so that building it again from the
// same entries gives the same bytes.
type Board struct {
	SchemaVersion string   `json:"schema_version"`
	Updated       *string  `json:"updated"` // the latest day that an entry was submitted
	N             int      `json:"n_entries"`
	Tasks         []string `json:"tasks"`
	Rows          []Row    `json:"entries"`
}

// Publish builds the board of entries: by outcome, one without outcome as 0, then by agent and model.
func Publish(entries []Entry, tasks []string) Board {
	b := Board{SchemaVersion: SchemaVersion, N: len(entries), Tasks: tasks, Rows: []Row{}}
	for _, e := range entries {
		b.Rows = append(b.Rows, Aggregate(e, tasks))
		if b.Updated == nil || e.Submitted > *b.Updated {
			b.Updated = &e.Submitted
		}
	}
	slices.SortStableFunc(b.Rows, func(x, y Row) int {
		return cmp.Or(cmp.Compare(orZero(y.Outcome), orZero(x.Outcome)), cmp.Compare(x.Harness, y.Harness), cmp.Compare(x.Model, y.Model))
	})
	return b
}

func orZero(n *Number) Number {
	if n == nil {
		return 0
	}
	return *n
}

// Twice adds a problem to each file whose id an earlier one has: ids are unique on a board.
func Twice(files []File) {
	first := map[string]string{}
	for i := range files {
		f := &files[i]
		id := f.Entry.ID
		if id == "" { // refused already
			continue
		}
		if other, taken := first[id]; taken {
			f.Problems = append(f.Problems, Problem{DuplicateID, "id", fmt.Sprintf("%s has this id, too", other)})
		} else {
			first[id] = f.Path
		}
	}
}
