package session

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"coverslip/datasets"
	"coverslip/datasets/biabench"
	"coverslip/datasets/demo"
	"coverslip/datasets/fault"
	"coverslip/datasets/tabular"
)

// recentLimit bounds the list of recent items.
const recentLimit = 12

// found is what a set of dropped paths turned out to be.
type found struct {
	tasks  []*biabench.Task
	runs   []foundRun
	images []string
	tables []*tabular.Table
	errs   []error
}

// foundRun is a run and the task that was named before it, nil for none.
type foundRun struct {
	run  *biabench.Run
	task *biabench.Task
}

// Open opens anything: task folders, folders of tasks, runs (folders or zips), images. Runs join the task named before
// them in the same call, else the task they say they are for, else the selected one. What cannot be opened becomes a message and costs itself alone.
func (s *Session) Open(paths ...string) {
	if len(paths) == 0 {
		return
	}
	title := "Opening " + filepath.Base(paths[0])
	var f found
	work := func(ctx context.Context, progress func(done, total int)) error {
		for i, p := range paths {
			f.look(ctx, p)
			progress(i+1, len(paths))
		}
		return f.unless(ctx)
	}
	s.start(title, work, func(err error) {
		if err != nil {
			s.complain(err)
			return
		}
		s.batch(func() {
			s.take(f)
		})
	})
}

// OpenDemo writes the demo into the user's cache folder, if it is not there yet, and opens it with all its runs: the first tasks as soon
// as they are there, then the rest beside them.
func (s *Session) OpenDemo() {
	s.demoTasks("Opening the demo", demo.First(), func(f found) {
		s.take(f)
		s.demoTasks("Writing the rest of the demo", demo.IDs(), s.takeBeside)
	})
}

// demoTasks writes tasks of the demo and hands over those that are not open yet.
func (s *Session) demoTasks(title string, ids []string, take func(found)) {
	open := map[string]bool{}
	for _, e := range s.tasks {
		if e.task != nil && demo.Holds(e.task.Dir) {
			open[e.task.Spec.TaskID] = true
		}
	}
	again := len(ids) == len(demo.First()) // the first ones are shown anew
	var f found
	s.start(title, func(ctx context.Context, progress func(done, total int)) error {
		layout, err := demo.EnsureTasks(ctx, progress, ids...)
		if err != nil {
			return err
		}
		for _, dir := range layout.Tasks {
			if open[filepath.Base(dir)] && !again {
				continue
			}
			f.look(ctx, dir)
			for _, run := range layout.Runs[dir] {
				f.look(ctx, run)
			}
		}
		return f.unless(ctx)
	}, func(err error) {
		if err != nil {
			s.complain(err)
			return
		}
		s.batch(func() { take(f) })
	})
}

// takeBeside adds what was found and leaves the user where they are.
func (s *Session) takeBeside(f found) {
	for _, err := range f.errs {
		s.complain(err)
	}
	for _, t := range f.tasks {
		s.addTask(t)
	}
	s.attach(f.runs)
	s.changed(Tasks)
	s.scoreNext()
}

// look recognises one path and reads what it needs; pixels stay where they are.
func (f *found) look(ctx context.Context, path string) {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	kind, err := datasets.Recognise(path)
	if err != nil {
		f.errs = append(f.errs, err)
		return
	}
	switch kind {
	case datasets.Task:
		f.task(path)
	case datasets.TaskRoot:
		dirs, err := datasets.TasksBelow(path)
		if err != nil {
			f.errs = append(f.errs, err)
		}
		for _, dir := range dirs {
			f.task(dir)
		}
	case datasets.Run, datasets.Submission, datasets.SubmissionZip:
		run, err := biabench.OpenRun(ctx, path)
		if err != nil {
			f.errs = append(f.errs, err)
			return
		}
		found := foundRun{run: run}
		if n := len(f.tasks); n > 0 {
			found.task = f.tasks[n-1]
		}
		f.runs = append(f.runs, found)
	case datasets.Table:
		table, err := tabular.Open(path)
		if err != nil {
			f.errs = append(f.errs, err)
			return
		}
		f.tables = append(f.tables, table)
	case datasets.Image:
		f.images = append(f.images, path)
	default:
		f.errs = append(f.errs, &fault.Error{Kind: fault.Unsupported, File: path, Found: "a file of another kind",
			Expected: "a task folder, a run folder or zip, an image or a table"})
	}
}

func (f *found) task(dir string) {
	task, err := biabench.OpenTask(dir, "")
	if err != nil {
		f.errs = append(f.errs, err)
		return
	}
	f.tasks = append(f.tasks, task)
}

// unless removes what was unpacked if the work was cancelled, since nobody will take it then.
func (f *found) unless(ctx context.Context) error {
	err := ctx.Err()
	if err != nil {
		for _, r := range f.runs {
			r.run.Close()
		}
	}
	return err
}

// take adds what was found to the session and selects the first task of it, else the loose images. A run that joins the selected task
// leaves the view where it is.
func (s *Session) take(f found) {
	for _, err := range f.errs {
		s.complain(err)
	}
	before, name := s.entry(), s.imageName()
	first := -1
	for _, t := range f.tasks {
		if i := s.addTask(t); first < 0 {
			first = i
		}
	}
	if len(f.images) > 0 {
		if i := s.addImages(f.images); first < 0 {
			first = i
		}
	}
	for _, t := range f.tables {
		if i := s.addTable(t); first < 0 {
			first = i
		}
	}
	if first >= 0 {
		s.task = first
	}
	s.attach(f.runs)
	if first < 0 && len(f.runs) == 0 {
		return
	}
	s.changed(Tasks)
	s.runChanged()
	s.findImage(name)
	if s.entry() != before {
		s.plainChannels()
	}
	if s.entry() == before && len(f.tasks) == 0 {
		s.load()
	} else {
		s.openImage()
	}
	s.scoreNext()
}

// addTask adds a task. One that is open already is read anew, and its runs are scored anew: its files may have changed.
func (s *Session) addTask(t *biabench.Task) int {
	for i, e := range s.tasks {
		if e.task != nil && e.task.Dir == t.Dir {
			e.task, e.bare = t, Join(t, biabench.Resolution{}, nil)
			for k, r := range e.runs {
				e.runs[k] = &runEntry{run: r.run}
			}
			s.reread()
			return i
		}
	}
	s.recall(t.Dir)
	for _, note := range t.Notes {
		s.say(string(note.Level), note.Text)
	}
	s.tasks = append(s.tasks, &entry{title: TitleOf(t.Spec.TaskID), task: t, run: -1, bare: Join(t, biabench.Resolution{}, nil)})
	return len(s.tasks) - 1
}

func (s *Session) addImages(paths []string) int {
	e := &entry{title: filepath.Base(paths[0]), run: -1}
	for _, p := range paths {
		s.recall(p)
		e.bare = append(e.bare, Image{Name: biabench.Stem(p), Input: p})
	}
	s.tasks = append(s.tasks, e)
	return len(s.tasks) - 1
}

// attach adds runs to the tasks they belong to; the first new one of the selected task is shown.
func (s *Session) attach(runs []foundRun) {
	shown := false
	for _, f := range runs {
		run, i := f.run, s.taskOf(f)
		if i < 0 && onlyImages(run.Dir) {
			run.Close()
			s.task = s.addImages([]string{run.Path})
			continue
		}
		if i < 0 {
			s.say("error", fmt.Sprintf("%s: a run needs its task. Open the task folder first, then this run.", run.Path))
			run.Close()
			continue
		}
		e := s.tasks[i]
		s.recall(run.Path)
		if run.TaskID != "" && run.TaskID != e.task.Spec.TaskID {
			s.say("warning", fmt.Sprintf("%s: this run says it is for the task %s, it is compared with %s.", run.Path, run.TaskID, e.task.Spec.TaskID))
		}
		at := s.addRun(e, run)
		if e.run < 0 || (i == s.task && !shown) {
			e.run = at
		}
		if i == s.task {
			shown = true
		}
	}
}

// onlyImages tells a folder of planes, which is looked at as one image where no task is open.
func onlyImages(dir string) bool {
	files, err := biabench.ListFiles(dir)
	if err != nil || len(files) == 0 {
		return false
	}
	for _, f := range files {
		if !biabench.IsImageName(f) && filepath.Base(f) != "filelist.txt" {
			return false
		}
	}
	return true
}

// addRun adds a run. One that is open already is read and scored anew: its files may have changed.
func (s *Session) addRun(e *entry, run *biabench.Run) int {
	for i, r := range e.runs {
		if r.run.Path == run.Path {
			if r.scoring != nil {
				r.scoring.cancel()
			}
			r.stopWhatIf()
			r.run.Close()
			e.runs[i] = &runEntry{run: run}
			s.reread()
			return i
		}
	}
	for _, note := range run.Notes {
		s.say(string(note.Level), note.Text)
	}
	e.runs = append(e.runs, &runEntry{run: run})
	return len(e.runs) - 1
}

// taskOf is the open task that a run belongs to: the one named before it, else the selected one if the run says it is for that or for
// none, else the first it is for, else the selected one.
func (s *Session) taskOf(f foundRun) int {
	selected := -1
	if e := s.entry(); e != nil && e.task != nil {
		selected = s.task
	}
	if selected >= 0 && f.task == nil && (f.run.TaskID == "" || f.run.TaskID == s.tasks[selected].task.Spec.TaskID) {
		return selected
	}
	for i, e := range s.tasks {
		if e.task != nil && (e.task == f.task || f.task == nil && e.task.Spec.TaskID == f.run.TaskID) {
			return i
		}
	}
	return selected
}

// recall puts a path that could be opened at the head of the recent list. What belongs to the demo is always at hand.
func (s *Session) recall(path string) {
	if demo.Holds(path) {
		return
	}
	s.recent = slices.DeleteFunc(s.recent, func(q string) bool { return q == path })
	s.recent = slices.Insert(s.recent, 0, path)
	s.recent = s.recent[:min(len(s.recent), recentLimit)]
	s.changed(Tasks)
}

// Recent lists recently opened paths, newest first.
func (s *Session) Recent() []string { return slices.Clone(s.recent) }

// SetRecent loads the list stored by an earlier session.
func (s *Session) SetRecent(paths []string) {
	s.recent = slices.Clone(paths[:min(len(paths), recentLimit)])
}
