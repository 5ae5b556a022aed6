package session

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"coverslip/datasets/biabench"
	"coverslip/datasets/raster"
	"coverslip/datasets/tabular"
	"coverslip/scoring"
	"coverslip/scoring/report"
)

// entry is one open task with its runs, or loose images without a task, or a table.
type entry struct {
	title string
	table *tabular.Table // nil for all others
	sheet int            // of the table
	task  *biabench.Task // nil for loose images
	runs  []*runEntry
	run   int     // index into runs, -1 none
	bare  []Image // images joined without a run
	image int     // index into images()
	part  int
}

type runEntry struct {
	run        *biabench.Run
	resolution biabench.Resolution
	report     *scoring.Report // nil before scoring
	images     []Image
	err        error
	stopped    bool // by the user, before there was a report
	scoring    *job
	whatIf     *whatIf // nil until remedies are tried
}

// TaskItem is a line of the task list.
type TaskItem struct{ Title, ID, Dir string }

// RunState says how far a run is.
type RunState uint8

// States of a run.
const (
	Waiting RunState = iota
	Scoring
	Done
	Failed
	Stopped
)

// RunItem is a line of the run list.
type RunItem struct {
	Name, Path string
	State      RunState
	Score      string // "0.780", "no score", "scoring"
	Passed     bool
	Err        error
}

// ImageItem is a line of the image list.
type ImageItem struct {
	Name   string
	Score  string // of the primary metric; "" when unknown
	Status string // "", "missing", "shape differs", "unreadable"
	Errors int
}

// Tasks lists the open tasks.
func (s *Session) Tasks() []TaskItem {
	items := make([]TaskItem, len(s.tasks))
	for i, e := range s.tasks {
		items[i] = TaskItem{Title: e.title}
		if e.task != nil {
			items[i].ID, items[i].Dir = e.task.Spec.TaskID, e.task.Dir
		}
		if s.namesakes(e) > 1 && e.task != nil {
			items[i].Title += " (" + filepath.Base(e.task.Dir) + ")"
		}
	}
	return items
}

// namesakes counts the open tasks with the title of e.
func (s *Session) namesakes(e *entry) int {
	n := 0
	for _, other := range s.tasks {
		if other.title == e.title {
			n++
		}
	}
	return n
}

// Task is the selected task, -1 if none.
func (s *Session) Task() int { return s.task }

func (s *Session) entry() *entry {
	if s.task < 0 {
		return nil
	}
	return s.tasks[s.task]
}

func (s *Session) runEntry() *runEntry {
	if e := s.entry(); e != nil && e.run >= 0 {
		return e.runs[e.run]
	}
	return nil
}

// SelectTask shows another task.
func (s *Session) SelectTask(i int) {
	if i < 0 || i >= len(s.tasks) || i == s.task {
		return
	}
	s.batch(func() {
		s.leave()
		s.task = i
		s.plainChannels()
		s.changed(Tasks)
		s.runChanged()
		s.openImage()
	})
}

// Runs lists the runs of the selected task.
func (s *Session) Runs() []RunItem {
	e := s.entry()
	if e == nil {
		return nil
	}
	items := make([]RunItem, len(e.runs))
	for i, r := range e.runs {
		items[i] = r.item()
	}
	return items
}

func (r *runEntry) item() RunItem {
	it := RunItem{Name: r.name(), Path: r.run.Path, Err: r.err}
	switch {
	case r.err != nil:
		it.State, it.Score = Failed, "failed"
	case r.stopped:
		it.State, it.Score = Stopped, "stopped"
	case r.scoring != nil:
		it.State, it.Score = Scoring, "scoring"
	case r.report == nil:
		it.State, it.Score = Waiting, "waiting"
	case r.report.Result.None:
		it.State, it.Score = Done, "no score"
	default:
		it.State, it.Score, it.Passed = Done, scoreText(r.report.Result.Value), r.report.Passed()
	}
	return it
}

// name is the run's own name; where that is what all runs are called, the folder above it goes in front.
func (r *runEntry) name() string {
	switch strings.ToLower(r.run.Name) {
	case "pred", "preds", "prediction", "predictions", "output", "outputs", "artifacts", "results":
		return filepath.Base(filepath.Dir(r.run.Path)) + "/" + r.run.Name
	}
	return r.run.Name
}

func scoreText(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }

// meanText is the mean of the compartments' figures, "" where one of them has none.
func meanText(values []float64) string {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	if len(values) == 0 || math.IsNaN(sum) {
		return ""
	}
	return scoreText(sum / float64(len(values)))
}

// Run is the selected run, -1 if none.
func (s *Session) Run() int {
	if e := s.entry(); e != nil {
		return e.run
	}
	return -1
}

// SelectRun shows another run of the task, at the same image, place and view.
func (s *Session) SelectRun(i int) {
	e := s.entry()
	if e == nil || i < 0 || i >= len(e.runs) || i == e.run {
		return
	}
	s.batch(func() {
		name := s.imageName()
		e.run = i
		s.runChanged()
		s.findImage(name)
		s.load()
	})
}

// runChanged tells that the run, its report or the task is another one.
func (s *Session) runChanged() {
	s.errors.forget()
	s.rebuildErrors()
	s.view.Focus.Answer, s.view.Focus.Truth = 0, 0
	s.changed(Runs | Images | Score | Errors | Selection | ViewChanged)
}

// images are those of the selected run, else of the task.
func (s *Session) images() []Image {
	if r := s.runEntry(); r != nil && len(r.images) > 0 {
		return r.images
	}
	if e := s.entry(); e != nil {
		return e.bare
	}
	return nil
}

// Images lists the images of the task with the scores of the selected run.
func (s *Session) Images() []ImageItem {
	images := s.images()
	r := s.Report()
	counts := s.errors.perImage
	items := make([]ImageItem, len(images))
	for i, im := range images {
		items[i].Name = im.Name
		if r == nil {
			continue
		}
		values := make([]float64, 0, len(im.Parts))
		for _, p := range im.Parts {
			if p.Frames {
				items[i].Errors = s.frameErrors()
			}
			if p.Row < 0 {
				continue
			}
			row := r.Images[p.Row]
			values = append(values, row.Value)
			items[i].Errors += counts[p.Row]
			if row.Status != "" && row.Status != report.Scored {
				items[i].Status = strings.ReplaceAll(string(row.Status), "_", " ")
			}
		}
		items[i].Score = meanText(values)
	}
	return items
}

// frameErrors is the errors of all rows, where they are the frames of one image.
func (s *Session) frameErrors() int {
	n := 0
	for _, errors := range s.errors.perImage {
		n += errors
	}
	return n
}

// ImageCount is how many images there are, without the work of listing them.
func (s *Session) ImageCount() int { return len(s.images()) }

// RunCount is how many runs the selected task has.
func (s *Session) RunCount() int {
	if e := s.entry(); e != nil {
		return len(e.runs)
	}
	return 0
}

// Image is the selected image, -1 if none.
func (s *Session) Image() int {
	if e := s.entry(); e != nil && e.image < len(s.images()) {
		return e.image
	}
	return -1
}

func (s *Session) current() *Image {
	if i := s.Image(); i >= 0 {
		return &s.images()[i]
	}
	return nil
}

func (s *Session) imageName() string {
	if im := s.current(); im != nil {
		return im.Name
	}
	return ""
}

// findImage selects the image of that name, or stays in range.
func (s *Session) findImage(name string) {
	e := s.entry()
	if e == nil {
		return
	}
	images := s.images()
	for i := range images {
		if images[i].Name == name {
			e.image = i
			return
		}
	}
	e.image = max(0, min(e.image, len(images)-1))
}

// SelectImage shows another image, fitted, first plane, its layers as they were.
func (s *Session) SelectImage(i int) {
	e := s.entry()
	if e == nil || i < 0 || i >= len(s.images()) || i == e.image {
		return
	}
	s.batch(func() {
		s.leave()
		e.image = i
		s.changed(Images)
		s.openImage()
	})
}

// StepImage moves n images on, to the first or last at most.
func (s *Session) StepImage(n int) {
	if last := len(s.images()) - 1; last >= 0 {
		s.SelectImage(max(0, min(last, s.Image()+n)))
	}
}

// Parts lists the compartments of the image.
func (s *Session) Parts() []string {
	im := s.current()
	if im == nil {
		return nil
	}
	names := make([]string, len(im.Parts))
	for i, p := range im.Parts {
		names[i] = p.Name
	}
	return names
}

// Part is the selected compartment.
func (s *Session) Part() int {
	e := s.entry()
	if im := s.current(); im != nil && e.part < len(im.Parts) {
		return e.part
	}
	return 0
}

// SelectPart shows the labels of another compartment.
func (s *Session) SelectPart(i int) {
	im := s.current()
	if im == nil || i < 0 || i >= len(im.Parts) {
		return
	}
	s.batch(func() {
		s.entry().part = i
		s.view.Part = im.Parts[i].Name
		s.view.Focus.Answer, s.view.Focus.Truth = 0, 0
		s.rebuildErrors()
		s.changed(ViewChanged | Images)
		s.load()
	})
}

// currentPart is the selected compartment of the image; without labels it is empty with Row -1.
func (s *Session) currentPart() Part {
	if im := s.current(); im != nil && len(im.Parts) > 0 {
		return im.Parts[s.Part()]
	}
	return Part{Row: -1}
}

// source names the files of the current picture.
func (s *Session) source() (Source, bool) {
	im := s.current()
	if im == nil {
		return Source{}, false
	}
	src := sourceOf(s.entry().task, im, s.currentPart())
	src.Axes = s.axes[s.axesKey()]
	if src.Input != "" || src.Answer != "" || src.Truth != "" {
		return src, true
	}
	if s.exhibits.key == (exhibitKey{s.Report(), s.currentPart().Row}) {
		src.Blank = s.exhibits.blank
	}
	return src, src.Blank.Y > 0
}

func sourceOf(task *biabench.Task, im *Image, p Part) Source {
	src := Source{Input: im.Input, Unnamed: 'Z'}
	if task == nil || scoring.LaysLabels(task.Spec.TaskID) {
		src.Answer, src.Truth = labelFile(p.Answer), labelFile(p.Truth)
	}
	if task != nil {
		src.Calibration = TaskCalibration(task.Spec)
		if !task.Spec.ThreeD() {
			src.Unnamed = 'T'
		}
	}
	return src
}

// labelFile is a file that can be laid over the image; answers and truths that are tables cannot.
func labelFile(path string) string {
	if biabench.IsImageName(path) {
		return path
	}
	return ""
}

// TaskCalibration reads the pixel size from a spec's free-form input block: pixel_size_um as a number or text,
// voxel_size_um as "X x Y x Z" or a list X, Y, Z.
func TaskCalibration(spec biabench.Spec) raster.Calibration {
	c := raster.Calibration{Source: "task_spec.yaml"}
	if v := numbersIn(spec.Input["pixel_size_nm"]); len(v) > 0 {
		c.X = v[0] / 1000
	}
	if v := numbersIn(spec.Input["pixel_size_um"]); len(v) > 0 {
		c.X = v[0]
	}
	c.Y = c.X
	if v := numbersIn(spec.Input["voxel_size_um"]); len(v) >= 3 {
		c.X, c.Y, c.Z = v[0], v[1], v[2]
	}
	if c.X == 0 {
		return raster.Calibration{}
	}
	return c
}

// numbersIn finds the positive numbers in a YAML value: a number, a text, a list or a mapping's values.
func numbersIn(value any) []float64 {
	var found []float64
	for _, word := range strings.FieldsFunc(fmt.Sprint(value), func(r rune) bool {
		return !(r >= '0' && r <= '9' || r == '.')
	}) {
		if v, err := strconv.ParseFloat(strings.Trim(word, "."), 64); err == nil && v > 0 {
			found = append(found, v)
		}
	}
	return found
}

// Report is the report of the selected run, nil before it is there.
func (s *Session) Report() *scoring.Report {
	if r := s.runEntry(); r != nil {
		return r.report
	}
	return nil
}
