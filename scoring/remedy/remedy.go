// Package remedy answers "what did a slip of format cost?": it proposes edits that undo the usual slips in an agent's
// files, and scores the edited copies with the ordinary scorer. What it says is unofficial and stands beside a report,
// never in it.
//
// A Remedy is a set of changes to files: a byte-order mark taken off, frames counted from 0, axes put in the order of the
// truth, connected pieces of a binary mask numbered. Find proposes those that the files give reason for; it never fits an
// answer to the truth beyond such named choices. Apply writes the edited run into a folder of its own; WhatIf tries all
// proposals in a temporary folder and keeps those that gain. The run itself is only read.
//
// find.go holds the order of search; places.go, kinds.go and names.go look at where files lie and what they are called,
// dialect.go, header.go and values.go at tables (schema.go says what the tasks' columns are), axes.go and labels.go at
// images, kinetics.go at the workbooks of one task. folder.go and planes.go write, whatif.go tries.
package remedy

import (
	"maps"
	"slices"

	"coverslip/datasets/raster"
)

// Remedy undoes one slip, or two of one file that must go together.
type Remedy struct {
	Text    string // completes "If ...": "frames were counted from 0, not from 1"
	changes map[string]change
	added   map[string]string // new files by place below the run folder, with their text
	moved   bool              // the run folder is read as if no folder above it stood for input data
	// guess tells a remedy that no file shows a reason for: turned images, shifted or swapped coordinates. Chance moves a score
	// a little, so that such a one counts only where it gives back a good part of what is missing.
	guess bool
}

// change is what becomes of one file of a run. The parts work in the order of the fields.
type change struct {
	omit  bool
	name  string                          // new place below the run folder, with slashes; "" keeps it
	load  func(path string) (rows, error) // the file's records as a person reads them; nil: as the scorer does
	rows  []func(rows) rows
	form  form // how the file's records are split
	array []func(raster.Array) (raster.Array, error)
	// whole tells that an edit needs all planes of an image at once; else each is edited for itself where that is possible.
	whole  bool
	series bool // the file's series are the planes of one image
}

// rows are the records of a table, a header included.
type rows = [][]string

// Files lists the files that a remedy changes, below the run folder, with slashes, in order.
func (r Remedy) Files() []string {
	return append([]string{}, slices.Sorted(maps.Keys(r.changes))...) // never nil
}

// with is both remedies as one; ok is false where they cannot both be: each gives a file a new name, or leaves it out.
func (r Remedy) with(o Remedy) (both Remedy, ok bool) {
	both = Remedy{Text: r.Text + ", and if " + o.Text, changes: maps.Clone(r.changes), added: maps.Clone(r.added), moved: r.moved || o.moved, guess: r.guess || o.guess}
	if both.changes == nil {
		both.changes = map[string]change{}
	}
	if both.added == nil {
		both.added = map[string]string{}
	}
	maps.Copy(both.added, o.added)
	for file, c := range o.changes {
		first, twice := both.changes[file]
		if !twice {
			both.changes[file] = c
			continue
		}
		if first.omit || c.omit || first.name != "" && c.name != "" || first.load != nil && c.load != nil {
			return Remedy{}, false
		}
		both.changes[file] = first.then(c)
	}
	return both, true
}

// then is one change of a file after the other.
func (c change) then(o change) change {
	if c.name == "" {
		c.name = o.name
	}
	if c.load == nil {
		c.load = o.load
	}
	c.whole, c.series = c.whole || o.whole, c.series || o.series
	c.form = max(c.form, o.form)
	c.rows = slices.Concat(c.rows, o.rows)
	c.array = slices.Concat(c.array, o.array)
	return c
}
