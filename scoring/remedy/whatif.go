package remedy

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"coverslip/datasets/biabench"
	"coverslip/scoring"
	"coverslip/scoring/report"
)

// Outcome is what a run would score after a remedy. It is unofficial.
type Outcome struct {
	If    string   `json:"if"`    // the remedy in plain words: "frames were counted from 0, not from 1"
	Files []string `json:"files"` // the edited ones, below the run folder
	Score float64  `json:"score"`
	Now   *float64 `json:"now"`  // the official score; nil where there is none
	Gain  float64  `json:"gain"` // over the official score, or over 0 where there is none
	// Beside names a measure beside the score that the remedy moves where the score cannot see it: "AP at IoU 0.5: 0.81
	// (now 0.02)"; "" otherwise.
	Beside   string `json:"beside,omitempty"`
	Official bool   `json:"official"` // false, always
}

// leastGain is what a remedy must raise the score by to be told; leastShare the part of what is missing that a guess must
// give back.
const (
	leastGain  = 0.001
	leastShare = 0.2
)

// WhatIf scores a run after each remedy that Find proposes; where one gains, it looks again at the files that the best one
// gave, for a second slip behind the first. It gives what raises the official report's score by more than 0.001, best
// first, two remedies together only where that beats the best one alone. Edited copies lie in a temporary folder, at most
// two at a time, and are removed; run and task are only read. The error is for a cancelled context and where no copy could
// be written. progress may be nil.
func WhatIf(ctx context.Context, task *biabench.Task, run *biabench.Run, official *scoring.Report, progress scoring.Progress) (outcomes []Outcome, err error) {
	defer func() {
		if p := recover(); p != nil { // as in scoring: it costs this answer, not the program
			outcomes, err = nil, fmt.Errorf("trying remedies failed: %v", p)
		}
	}()
	if progress == nil {
		progress = func(int, int) {}
	}
	remedies, err := Find(ctx, task, run, official)
	if err != nil || len(remedies) == 0 {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "coverslip-whatif-")
	if err != nil {
		return nil, cannotWrite(os.TempDir(), err)
	}
	defer os.RemoveAll(dir)
	t := trials{ctx: ctx, task: task, official: official, dir: dir, progress: progress, total: 2 * len(remedies)}
	var best trial
	best, outcomes, err = t.round(run, remedies, trial{})
	if err == nil && best.run == nil && t.tried == 0 {
		err = t.failed
	}
	if err != nil || best.run == nil {
		return outcomes, err
	}
	if pair, err := t.second(best); err != nil {
		return nil, err
	} else if pair.run != nil && !again(outcomes, pair.Outcome) {
		outcomes = append(outcomes, pair.Outcome)
	}
	progress(t.total, t.total)
	slices.SortStableFunc(outcomes, func(a, b Outcome) int { return cmp.Compare(b.Gain, a.Gain) })
	return outcomes, nil
}

// trials scores remedies one after the other.
type trials struct {
	ctx         context.Context
	task        *biabench.Task
	official    *scoring.Report
	dir         string
	progress    scoring.Progress
	done, total int
	tried       int
	failed      error // the first reason why a copy could not be made
}

// trial is an edited run that was scored. Its folder is there as long as it is the best of its round.
type trial struct {
	Outcome
	remedy Remedy
	run    *biabench.Run // nil: none
	report *scoring.Report
	folder string
}

// round tries remedies on a run that an earlier one may have edited. It gives the best that gains, and all that do.
func (t *trials) round(run *biabench.Run, remedies []Remedy, earlier trial) (best trial, outcomes []Outcome, err error) {
	for _, r := range remedies {
		now, gains, err := t.try(run, r, earlier)
		if err != nil {
			return best, nil, err
		}
		if gains && !again(outcomes, now.Outcome) {
			outcomes = append(outcomes, now.Outcome)
		}
		if gains && (best.run == nil || now.Gain > best.Gain) {
			best, now = now, best
		}
		os.RemoveAll(now.folder)
		t.done++
		t.progress(min(t.done, t.total-1), t.total)
	}
	return best, outcomes, nil
}

// second looks for a slip behind the one that the best remedy undid.
func (t *trials) second(first trial) (pair trial, err error) {
	remedies, err := Find(t.ctx, t.task, first.run, first.report)
	if err != nil {
		return pair, err
	}
	t.total = t.done + len(remedies) + 1
	pair, _, err = t.round(first.run, remedies, first)
	os.RemoveAll(pair.folder)
	return pair, err
}

// try scores a run after one remedy. The folder of the edited run is the caller's to remove.
func (t *trials) try(run *biabench.Run, r Remedy, earlier trial) (now trial, gains bool, err error) {
	now = trial{remedy: r, folder: filepath.Join(t.dir, strconv.Itoa(t.done))}
	edited, err := r.Apply(t.ctx, run, now.folder)
	if t.ctx.Err() != nil {
		return now, false, t.ctx.Err()
	}
	if err != nil {
		t.failed = cmp.Or(t.failed, err)
		return now, false, nil
	}
	t.tried++
	if now.report, err = scoring.Score(t.ctx, t.task, edited, nil); err != nil {
		return now, false, err
	}
	now.run = edited
	against := t.official
	if earlier.run != nil {
		against = earlier.report
	}
	_, gains = compare(against, now.report, r)
	now.Outcome, _ = compare(t.official, now.report, r)
	now.If, now.Files = r.Text, r.Files()
	if earlier.run != nil {
		now.If = earlier.If + ", and if " + r.Text
		now.Files = earlier.with(now.Files)
	}
	return now, gains, nil
}

// with adds files of the edited run to those that the earlier remedy changed, under the names that they have in the run itself.
func (t trial) with(files []string) []string {
	all := slices.Clone(t.Files)
	for _, f := range files {
		for was, c := range t.remedy.changes {
			if c.name == f {
				f = was
				break
			}
		}
		if !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	slices.Sort(all)
	return all
}

// compare tells what the edited run's report gains over the official one.
func compare(official, after *scoring.Report, r Remedy) (o Outcome, gains bool) {
	if after.Result.None {
		return o, false
	}
	var was float64
	if !official.Result.None {
		was = official.Result.Value
		o.Now = &was
	}
	o.Score, o.Gain = after.Result.Value, after.Result.Value-was
	gains = o.Gain > needed(r, was)
	for _, m := range besides {
		now, ok := m.of(official)
		then, too := m.of(after)
		if ok && too && then > now+needed(r, now) && o.Gain > -leastGain {
			o.Beside = m.name + ": " + figure(then) + " (now " + figure(now) + ")"
			gains = true
		}
	}
	return o, gains
}

// needed is what a remedy must gain over a score to be told.
func needed(r Remedy, was float64) float64 {
	if r.guess {
		return max(leastGain, leastShare*(1-was))
	}
	return leastGain
}

// again tells an outcome that is in the list already: the same files to the same effect, in other words.
func again(list []Outcome, o Outcome) bool {
	return slices.ContainsFunc(list, func(x Outcome) bool {
		return x.Score == o.Score && x.Beside == o.Beside && slices.Equal(x.Files, o.Files)
	})
}

func figure(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }

// beside is a measure that stands beside a score which does not know objects: pixel Dice does not tell one label from
// another, and a count not where the points are.
type beside struct {
	name string
	path []string // of the record's field
}

var besides = []beside{
	{"AP at IoU 0.5", []string{"ap_at_0.5"}},
	{"AP at IoU 0.5 of nuclei", []string{"compartments", "nuclei", "ap_at_0.5"}},
	{"AP at IoU 0.5 of cytoplasm", []string{"compartments", "cytoplasm", "ap_at_0.5"}},
	{"F1 of the points", []string{"f1"}},
}

// full tells a report that no remedy can raise.
func full(r *scoring.Report) bool {
	if r.Result.None || r.Result.Value < 1 {
		return false
	}
	for _, m := range besides {
		if v, ok := m.of(r); ok && v < 1 {
			return false
		}
	}
	return true
}

// of is the measure in a report, where it has it and it is not part of the score itself.
func (b beside) of(r *scoring.Report) (float64, bool) {
	if _, composite := r.Metrics.Get("composite_score").(float64); composite {
		return 0, false
	}
	record := r.Metrics
	for _, key := range b.path[:len(b.path)-1] {
		record, _ = record.Get(key).(*report.Record)
	}
	return record.Number(b.path[len(b.path)-1])
}
