package segment

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"coverslip/datasets/biabench"
	"coverslip/scoring/report"
)

// scorer is one call of a calculator.
type scorer struct {
	ctx        context.Context
	task       *biabench.Task
	run        *biabench.Run
	progress   func(done, total int)
	threeD     bool
	resolution biabench.Resolution
	report     *report.Report
}

func newScorer(ctx context.Context, task *biabench.Task, run *biabench.Run, progress func(done, total int)) *scorer {
	if progress == nil {
		progress = func(int, int) {}
	}
	return &scorer{
		ctx: ctx, task: task, run: run, progress: progress, threeD: task.Spec.ThreeD(),
		report: &report.Report{TaskID: task.Spec.TaskID, Threshold: threshold(task)},
	}
}

// threshold is the rubric's, or the default when the rubric was refused.
func threshold(task *biabench.Task) float64 {
	if task.RubricErr != nil {
		return 0.5
	}
	return task.Rubric.Threshold
}

// resolve finds the deliverable's files. A deliverable that the spec does not declare makes the reference fail.
func (s *scorer) resolve(id string) (biabench.Resolved, error) {
	if s.resolution.Deliverables == nil {
		s.resolution = biabench.Resolve(s.ctx, s.run.Dir, s.task.Spec.Deliverables)
		if err := s.ctx.Err(); err != nil {
			return biabench.Resolved{}, err
		}
	}
	d, ok := s.resolution.ByID(id)
	if !ok {
		return d, fmt.Errorf("the task's spec declares no deliverable '%s'", id)
	}
	return d, nil
}

// none ends with no result and a note: the inputs do not allow a judgement.
func (s *scorer) none(note string) *report.Report {
	s.report.Result = report.Result{None: true, Reason: note}
	s.report.Metrics = new(report.Record).Set("result_score", nil).Set("note", note)
	return s.report
}

// crashed ends with no result and an error: the reference chokes on these inputs.
func (s *scorer) crashed(err error) *report.Report {
	text := reason(err)
	s.report.Result = report.Result{None: true, Reason: text}
	s.report.Metrics = new(report.Record).Set("error", text)
	s.report.Marks, s.report.Images = nil, nil
	return s.report
}

// zero ends with a score of 0 and an error: the answer gave nothing to judge. The groups' truth images are listed as
// missing, so that each shows what it costs.
func (s *scorer) zero(text string, groups ...*group) (*report.Report, error) {
	s.report.Result = report.Result{Reason: text}
	s.report.Metrics = new(report.Record).Set("result_score", 0.0).Set("error", text)
	for _, g := range groups {
		g.fail(text)
	}
	s.report.Primary = ""
	return s.report, s.judge(groups, "dice")
}

// missing ends with the record of a deliverable that was not delivered.
func (s *scorer) missing(d biabench.Resolved, groups ...*group) (*report.Report, error) {
	r, err := s.zero("deliverable '"+d.Deliverable.ID+"' "+d.Err, groups...)
	detail := new(report.Record).Set("id", d.Deliverable.ID).Set("reason", d.Err).
		Set("filename_pattern", d.Deliverable.Pattern).Set("pred_dir", filepath.Base(s.run.Dir))
	var rejected []*report.Record
	for _, f := range s.resolution.Rejected {
		if f.Deliverable == d.Deliverable.ID {
			rejected = append(rejected, new(report.Record).Set("file", s.shown(f.File)).Set("reason", f.Reason))
		}
	}
	if rejected != nil {
		detail.Set("rejected", rejected)
	}
	r.Metrics.Set("missing_deliverable", detail)
	return r, err
}

// shown is a file's path from the prediction folder's name on, with slashes: what two machines agree on.
func (s *scorer) shown(file string) string {
	if !filepath.IsAbs(file) {
		file = filepath.Join(s.run.Dir, file)
	}
	roots := []string{s.run.Dir}
	if real, err := filepath.EvalSymlinks(s.run.Dir); err == nil {
		roots = append(roots, real)
	}
	for _, root := range roots {
		if abs, err := filepath.Abs(root); err == nil {
			if rel, err := filepath.Rel(abs, file); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
				return filepath.ToSlash(filepath.Join(filepath.Base(s.run.Dir), rel))
			}
		}
	}
	return filepath.Base(file)
}

// pair fills a group with one row per pair, then one per truth file without an answer.
func (s *scorer) pair(g *group, preds, refs []string) {
	g.pairing = biabench.Match(preds, refs)
	noun := nounFor(s.task.Spec.TaskID, g.compartment, s.threeD)
	for _, p := range g.pairing.Pairs {
		g.works = append(g.works, work{compartment: g.compartment, pred: p.Pred, truth: p.Ref, noun: noun})
	}
	unpaired := g.pairing.Unpaired
	if len(preds) == 0 {
		unpaired = refs
	}
	for _, ref := range unpaired {
		g.works = append(g.works, work{compartment: g.compartment, truth: ref, noun: noun, why: "no file of the answer pairs with it"})
	}
}

// judge judges the rows of all groups and charges their marks with their share of 1 - metric.
func (s *scorer) judge(groups []*group, metric string) error {
	var all []work
	for _, g := range groups {
		all = append(all, g.works...)
	}
	rows, err := s.judgeAll(all, metric)
	if err != nil {
		return err
	}
	s.report.Gains = metric == "boundary_f1"
	for _, g := range groups {
		g.rows, rows = rows[:len(g.works)], rows[len(g.works):]
		for i := range g.rows {
			scale := 1 / float64(len(g.rows)) / float64(len(groups))
			if metric == "boundary_f1" {
				scale = g.boundaryGains(i) / float64(len(groups))
			}
			s.add(&g.rows[i], metric, scale)
		}
	}
	return nil
}

// boundaryGains is what a gain in boundary_f1 of row i is worth in the mean, in which only compared images are. For one that
// is not, whose mark then says so, it is the gain of the mean if it were compared and right.
func (g *group) boundaryGains(i int) float64 {
	mean, known := g.mean("boundary_f1")
	n := 0.0
	for _, v := range g.rows {
		if f := v.image.Scores.BoundaryF1; f == f {
			n++
		}
	}
	switch v := &g.rows[i]; {
	case v.image.Status == report.Scored:
		return 1 / max(n, 1)
	default:
		v.marks[0].Cost = 1
		if !known {
			return 1
		}
		return (1 - mean) / (n + 1)
	}
}

// judgeAll judges rows on several goroutines; volumes one after the other, to bound the memory, since each of them
// keeps the processors busy by itself.
func (s *scorer) judgeAll(works []work, metric string) ([]verdict, error) {
	rows, errs := make([]verdict, len(works)), make([]error, len(works))
	workers := min(len(works), runtime.GOMAXPROCS(0), 8)
	if s.threeD {
		workers = min(len(works), 1)
	}
	var wg sync.WaitGroup
	var lock sync.Mutex
	next, done := 0, 0
	for range workers {
		wg.Go(func() {
			for {
				lock.Lock()
				i := next
				next++
				lock.Unlock()
				if i >= len(works) || s.ctx.Err() != nil {
					return
				}
				rows[i], errs[i] = s.judgeOne(works[i], metric)
				lock.Lock()
				done++
				s.progress(done, len(works))
				lock.Unlock()
			}
		})
	}
	wg.Wait()
	if err := s.ctx.Err(); err != nil {
		return nil, err
	}
	for i, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", biabench.Stem(works[i].truth), err)
		}
	}
	return rows, nil
}

// judgeOne turns a panic into an error, so that one file cannot end the program.
func (s *scorer) judgeOne(w work, metric string) (v verdict, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("scoring failed: %v", p)
		}
	}()
	return judge(s.ctx, w, s.threeD, metric)
}

// add puts a judged row into the report, its marks charged with scale times their share of the row's loss.
func (s *scorer) add(v *verdict, metric string, scale float64) {
	index := len(s.report.Images)
	v.charge(metric, scale)
	for i := range v.marks {
		v.marks[i].Image = index
	}
	s.report.Images = append(s.report.Images, v.image)
	s.report.Marks = append(s.report.Marks, v.marks...)
}

// rasters lists the files below dir that a mask may be in, sorted by path.
func rasters(dir string) ([]string, error) {
	files, err := biabench.ListFiles(dir)
	return slices.DeleteFunc(files, func(f string) bool { return !isRaster(f) }), err
}

func isRaster(file string) bool {
	switch strings.ToLower(biabench.Suffix(file)) {
	case ".tif", ".tiff", ".png":
		return true
	}
	return false
}
