package remedy

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"coverslip/datasets/biabench"
	"coverslip/datasets/tabular"
	"coverslip/scoring"
)

// most is how many remedies are proposed; a whole score is the price of each.
const most = 40

// Find proposes the remedies that a run's files, its report and the names and shapes of the truth give reason for. None
// is tried yet. The error is for a cancelled context and for a run that cannot be listed.
func Find(ctx context.Context, task *biabench.Task, run *biabench.Run, official *scoring.Report) ([]Remedy, error) {
	if !biabench.IsFolder(run.Dir) || official == nil || full(official) {
		return nil, nil
	}
	files, err := filesOf(run.Dir)
	if err != nil {
		return nil, err
	}
	f := &finder{ctx: ctx, task: task, run: run, report: official, files: files, resolution: biabench.Resolve(ctx, run.Dir, task.Spec.Deliverables)}
	f.truths = f.truthFiles()
	for _, look := range []func(){f.places, f.kinds, f.names, f.tables, f.images, f.kinetics} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		look()
	}
	return f.found[:min(len(f.found), most)], ctx.Err()
}

// finder collects remedies.
type finder struct {
	ctx        context.Context
	task       *biabench.Task
	run        *biabench.Run
	report     *scoring.Report
	files      []file
	resolution biabench.Resolution
	truths     []string // image and table files of the truth
	common     [][]int  // shapes of the images of the truth, once read
	found      []Remedy
}

// add proposes one change of some files that the files themselves give reason for.
func (f *finder) add(text string, files []file, c change) { f.propose(text, files, c, false) }

// guess proposes one that only its score can speak for.
func (f *finder) guess(text string, files []file, c change) { f.propose(text, files, c, true) }

func (f *finder) propose(text string, files []file, c change, guess bool) {
	r := Remedy{Text: text, guess: guess, changes: map[string]change{}}
	for _, file := range files {
		r.changes[file.rel] = c
	}
	if len(files) > 0 {
		f.found = append(f.found, r)
	}
}

// asked are the files that a deliverable takes, and those that it turned down.
func (f *finder) asked(id string) (kept, rejected []file) {
	d, _ := f.resolution.ByID(id)
	for _, x := range f.files {
		switch {
		case slices.Contains(d.Files, x.path):
			kept = append(kept, x)
		case slices.ContainsFunc(f.resolution.Rejected, func(r biabench.Rejected) bool { return r.Deliverable == id && r.File == x.path }):
			rejected = append(rejected, x)
		}
	}
	return kept, rejected
}

func (f *finder) truthFiles() (list []string) {
	if f.task.Truth == "" {
		return nil
	}
	paths, _ := biabench.ListFiles(f.task.Truth)
	for _, path := range paths {
		if biabench.IsImageName(path) || isTable(path) && filepath.Base(path) != "CANARY.txt" {
			list = append(list, path)
		}
	}
	return list
}

// tables looks at the tables that the task asks for.
func (f *finder) tables() {
	for _, s := range schemas[f.task.Spec.TaskID] {
		d, _ := f.resolution.ByID(s.deliverable)
		kept, rejected := f.asked(s.deliverable)
		if d.Deliverable.Multi {
			f.table(s, append(kept, rejected...))
			continue
		}
		for _, one := range append(kept, rejected...) {
			f.table(s, []file{one})
		}
	}
}

// table looks at tables that are changed together. What the first one of a kind gives reason for is done to all.
func (f *finder) table(s schema, files []file) {
	dialects, headers := slips{}, slips{}
	var values []valueSlip
	seen := map[string]bool{}
	wide := slips{}
	for _, x := range files {
		raw, err := tabular.ReadRaw(x.path)
		if err != nil {
			continue
		}
		table := s.form.split(raw)
		if text := dialectSlip(tabular.Sniff(raw, x.path), s.form); text != "" {
			if person, err := asPerson(x.path); err == nil {
				dialects.add(text, x, change{form: s.form, load: asPerson})
				table = person
			}
		}
		if text, edit := headerSlip(s, table); text != "" {
			headers.add(text, x, change{form: s.form, rows: []func(rows) rows{edit}})
			table = edit(table)
		}
		if s.form == commas && surplus(table) {
			wide.add("cells behind the last column were left out", x, change{rows: []func(rows) rows{cut}})
		}
		for _, v := range valueSlips(s, table, sizeOf(f.task.Spec)) {
			if !seen[v.text] {
				seen[v.text] = true
				values = append(values, v)
			}
		}
	}
	f.pair(dialects, headers)
	f.found = append(f.found, wide.list()...)
	for _, v := range values {
		f.propose(v.text, files, change{form: s.form, rows: []func(rows) rows{v.edit}}, v.guess)
	}
}

// pair proposes dialects and headers, and both together: a table may need both before anything of it can be read.
func (f *finder) pair(dialects, headers slips) {
	a, b := dialects.list(), headers.list()
	f.found = append(append(f.found, a...), b...)
	if len(a) == 0 || len(b) == 0 {
		return
	}
	all := Remedy{}
	for i, r := range append(a, b...) {
		if i == 0 {
			all = r
		} else if both, ok := all.with(r); ok {
			all = both
		}
	}
	f.found = append(f.found, all)
}

// slips gathers changes that are told in the same words into one remedy.
type slips struct{ remedies []Remedy }

func (s *slips) add(text string, x file, c change) {
	i := slices.IndexFunc(s.remedies, func(r Remedy) bool { return r.Text == text })
	if i < 0 {
		i = len(s.remedies)
		s.remedies = append(s.remedies, Remedy{Text: text, changes: map[string]change{}})
	}
	s.remedies[i].changes[x.rel] = c
}

func (s *slips) list() []Remedy { return s.remedies }

func base(rel string) string { return rel[strings.LastIndexByte(rel, '/')+1:] }
