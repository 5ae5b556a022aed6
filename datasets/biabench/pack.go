package biabench

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"coverslip/datasets/atomic"
	"coverslip/datasets/fault"
)

// PackOptions say what a run folder is packaged as.
type PackOptions struct {
	TaskID  string
	Task    *Task            // its folder; nil where it is not known: everything goes to supporting/ then
	Tasks   map[string]*Task // known tasks, for validation; with none every id passes
	Agent   string
	Session string // "" files the submission by task, agent and run
	RunID   string // "": the session, else the run folder's name

	AgentVersion  string   // "": unknown
	PromptVersion string   // "": v1
	Model         string   // "": not told
	Seconds       *float64 // how long the run took; nil: not told
	Remark        string   // "": not told
	Logs          []string // names of log files that the agent's adapter knows of

	Now time.Time // for submission.json and, where the folder is taken, for its name
}

// Packed is a submission that was made.
type Packed struct {
	Dir        string // its folder, absolute
	Name       string // of a zip of it
	Manifest   Manifest
	Validation Validation
	Notes      Notes
}

// submission is submission.json, in the reference's order.
type submission struct {
	SchemaVersion string   `json:"schema_version"`
	TaskID        string   `json:"task_id"`
	Agent         string   `json:"agent_name"`
	AgentVersion  string   `json:"agent_version"`
	RunID         string   `json:"run_id"`
	Timestamp     string   `json:"timestamp_utc"`
	PromptVersion string   `json:"prompt_version"`
	Model         string   `json:"model_name,omitempty"`
	Seconds       *float64 `json:"runtime_seconds,omitempty"`
	Notes         string   `json:"notes,omitempty"`
}

// Pack copies a run folder into a submission below base: deliverables, logs and the rest each to their place, with
// submission.json, the manifest of deliverables and the report of its validation (spec/contract.md 7.3). The run folder is
// only read. The submission appears whole or not at all. One that the reference would turn away is made all the same: see
// Packed.Validation.
func Pack(ctx context.Context, runDir, base string, o PackOptions) (Packed, error) {
	p := packer{options: o, taken: map[string]string{}}
	if err := p.open(runDir, base); err != nil {
		return Packed{}, err
	}
	p.plan(ctx)
	if err := ctx.Err(); err != nil {
		return Packed{}, err
	}
	parent := filepath.Dir(p.target)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return Packed{}, cannotWrite(parent, err)
	}
	work, err := newPack(parent)
	if err != nil {
		return Packed{}, cannotWrite(parent, err)
	}
	defer os.RemoveAll(work) // gone already where all went well
	if err := p.fill(ctx, work); err != nil {
		return Packed{}, err
	}
	if err := p.settle(work); err != nil {
		return Packed{}, err
	}
	return p.packed, nil
}

// newPack makes a temporary folder for a submission, and first removes those that a killed program left behind.
func newPack(parent string) (string, error) {
	const pattern = ".pack-*" + atomic.Suffix
	old, _ := filepath.Glob(filepath.Join(parent, pattern))
	for _, dir := range old {
		if info, err := os.Lstat(dir); err == nil && info.IsDir() && time.Since(info.ModTime()) > leftFor {
			os.RemoveAll(dir)
		}
	}
	return os.MkdirTemp(parent, pattern)
}

func cannotWrite(path string, err error) error {
	return &fault.Error{Kind: fault.Missing, File: path, Found: "it cannot be written (" + cause(err) + ")",
		Fix: "Check that the folder is there, may be written to and has room", Err: err}
}

// packer makes one submission.
type packer struct {
	options PackOptions
	run     string // the run folder, absolute, links followed
	named   string // the same as it was named, absolute
	target  string
	files   []packedFile
	taken   map[string]string // run-relative path by place in the submission
	packed  Packed
}

// packedFile is one file and its place in the submission.
type packedFile struct {
	file
	to string
}

// open finds the run folder and the submission's name.
func (p *packer) open(runDir, base string) error {
	info, err := os.Stat(runDir)
	if err != nil {
		return noPath(runDir, err, "Name the folder that the agent wrote its outputs to")
	}
	if !info.IsDir() {
		return &fault.Error{Kind: fault.Malformed, File: runDir, Found: "a file", Expected: "the folder that the agent wrote its outputs to"}
	}
	if p.named, err = filepath.Abs(runDir); err != nil {
		return unreadableFolder(runDir, err)
	}
	if p.run, err = filepath.EvalSymlinks(p.named); err != nil {
		return unreadableFolder(runDir, err)
	}
	if _, err := os.ReadDir(p.run); err != nil {
		return unreadableFolder(runDir, err)
	}
	if isFile(filepath.Join(p.run, SubmissionFile)) && IsFolder(filepath.Join(p.run, ArtifactsFolder)) {
		return &fault.Error{Kind: fault.Inconsistent, File: runDir, Found: "a folder that is a submission already",
			Fix: "Use it as it is, or name the folder that the agent itself wrote"}
	}
	if isFile(filepath.Join(p.run, SpecFile)) {
		return &fault.Error{Kind: fault.Inconsistent, File: runDir, Found: "a task folder", Expected: "an agent's output",
			Fix: "Name the folder that the agent wrote its outputs to"}
	}
	return p.name(base)
}

// name settles where the submission goes, and keeps it out of what is read.
func (p *packer) name(base string) error {
	o := &p.options
	o.RunID = packedName(cmp.Or(o.RunID, o.Session, filepath.Base(p.named)))
	task, agent := packedName(o.TaskID), packedName(o.Agent)
	parts := []string{task, agent, o.RunID}
	if o.Session != "" {
		parts = []string{agent, packedName(o.Session), task}
	}
	p.packed.Name = strings.Join(parts, "__") + ".zip"
	abs, err := filepath.Abs(base)
	if err != nil {
		return cannotWrite(base, err)
	}
	p.target = filepath.Join(append([]string{abs}, parts...)...)
	sources := []string{p.run}
	if o.Task != nil {
		sources = append(sources, o.Task.Dir)
	}
	for _, source := range sources {
		if within(p.target, source) {
			return &fault.Error{Kind: fault.Inconsistent, File: base, Found: "a folder in what is being packaged or in its task",
				Expected: "a folder elsewhere", Fix: "Runs and tasks are never written into; choose another folder"}
		}
	}
	return nil
}

// within tells whether a path, as far as it exists already, lies in a folder.
func within(path, folder string) bool {
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real
	}
	rest := ""
	for dir := path; ; dir = filepath.Dir(dir) {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			rel, err := filepath.Rel(folder, filepath.Join(real, rest))
			return err == nil && filepath.IsLocal(rel)
		}
		if dir == filepath.Dir(dir) {
			return false
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}

// plan gives every file of the run its place. A folder's own files come before those of its subfolders.
func (p *packer) plan(ctx context.Context) {
	var deliverables []Deliverable
	if p.options.Task != nil {
		deliverables = p.options.Task.Spec.Deliverables
	}
	found := Resolve(ctx, p.run, deliverables)
	all := walkFiles(ctx, p.run)
	slices.SortFunc(all, compareDepthFirst)
	skipped, where := 0, skippedFolder(filepath.ToSlash(p.named))
	for _, f := range all {
		name := baseName(f.rel)
		if strings.HasSuffix(name, atomic.Suffix) || slices.Contains(notPacked, name) || where != "" || skippedFolder(f.rel) != "" {
			skipped++
			continue
		}
		p.place(f, p.placeOf(f, found))
	}
	p.notes(len(all), skipped, where)
	to := map[string]string{}
	for _, f := range p.files {
		if strings.HasPrefix(f.to, ArtifactsFolder+"/") {
			to[f.path] = f.to
		}
	}
	p.packed.Manifest = ManifestOf(p.run, found, func(path string) string { return to[path] })
}

func (p *packer) notes(all, skipped int, where string) {
	switch {
	case all == 0:
		p.packed.Notes.warn("the run folder is empty, so the submission holds no file of it")
	case where != "":
		p.packed.Notes.warn("The run lies below a folder called %q, which submissions leave out, so none of its %d file(s) was taken. "+
			"Copy the run elsewhere first.", where, all)
	case skipped > 0:
		p.packed.Notes.info("%d file(s) of the benchmark's own bookkeeping were left out.", skipped)
	}
}

// compareDepthFirst sorts files as a walk meets them: those of a folder first, then its subfolders by name.
func compareDepthFirst(a, b file) int {
	as, bs := strings.Split(a.rel, "/"), strings.Split(b.rel, "/")
	for i := 0; ; i++ {
		aFile, bFile := i == len(as)-1, i == len(bs)-1
		switch {
		case aFile && !bFile:
			return -1
		case bFile && !aFile:
			return 1
		case aFile || as[i] != bs[i]:
			return cmp.Compare(as[i], bs[i])
		}
	}
}

// placeOf says where in the submission a file goes.
func (p *packer) placeOf(f file, found Resolution) string {
	const supporting = ArtifactsFolder + "/" + SupportingFolder + "/"
	name := baseName(f.rel)
	if strings.HasPrefix(f.rel, SupportingFolder+"/") {
		return ArtifactsFolder + "/" + f.rel
	}
	if isLog(name, p.options.Logs) {
		return "logs/" + f.rel
	}
	for _, d := range found.Deliverables {
		if slices.Contains(d.Files, f.path) {
			folder := ArtifactsFolder + "/" + d.Deliverable.ID + "/"
			if _, taken := p.taken[folder+name]; taken {
				return folder + f.rel
			}
			return folder + name
		}
	}
	return supporting + f.rel
}

// place enters a file. Where two would have one place the later one has it, as in the reference, and that is said.
func (p *packer) place(f file, to string) {
	if earlier, taken := p.taken[to]; taken {
		p.packed.Notes.warn("%s and %s of the run would both be %s: the submission holds the latter alone.", earlier, f.rel, to)
		p.files = slices.DeleteFunc(p.files, func(x packedFile) bool { return x.to == to })
	}
	p.taken[to] = f.rel
	p.files = append(p.files, packedFile{f, to})
}

// fill writes the submission into its temporary folder.
func (p *packer) fill(ctx context.Context, work string) error {
	if err := os.Mkdir(filepath.Join(work, ArtifactsFolder), 0o755); err != nil {
		return cannotWrite(work, err)
	}
	for _, f := range p.files {
		if err := copyFile(ctx, f.path, filepath.Join(work, filepath.FromSlash(f.to))); err != nil {
			return err
		}
	}
	o := p.options
	head := submission{SchemaVersion: "1.0", TaskID: o.TaskID, Agent: o.Agent, AgentVersion: cmp.Or(o.AgentVersion, "unknown"),
		RunID: o.RunID, Timestamp: o.Now.UTC().Format("2006-01-02T15:04:05Z"), PromptVersion: cmp.Or(o.PromptVersion, "v1"),
		Model: o.Model, Seconds: o.Seconds, Notes: o.Remark}
	if err := writeIndented(filepath.Join(work, SubmissionFile), head); err != nil {
		return err
	}
	if err := writeIndented(filepath.Join(work, "deliverable_manifest.json"), p.packed.Manifest); err != nil {
		return err
	}
	var err error
	if p.packed.Validation, err = Validate(ctx, work, o.Tasks); err != nil {
		return err
	}
	return writeIndented(filepath.Join(work, ReportFile), p.packed.Validation)
}

// copyFile copies a file's bytes, synced. A file that changes meanwhile is copied as it is read.
func copyFile(ctx context.Context, from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return &fault.Error{Kind: fault.Missing, File: from, Found: "a file that cannot be read (" + cause(err) + ")",
			Fix: "Check that you may read it", Err: err}
	}
	defer in.Close()
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return noPlace(from, to, err)
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return noPlace(from, to, err)
	}
	_, err = io.Copy(out, contextReader{ctx, in})
	if err == nil {
		err = out.Sync()
	}
	if closeErr := out.Close(); err == nil {
		err = closeErr
	}
	if ctxErr := ctx.Err(); ctxErr != nil {
		return ctxErr
	}
	if err != nil {
		return cannotWrite(to, err)
	}
	return nil
}

// noPlace is for a place that cannot be made: the disk's fault, or a file and a folder that would have one name.
func noPlace(from, to string, err error) error {
	if !errors.Is(err, syscall.ENOTDIR) && !errors.Is(err, fs.ErrExist) {
		return cannotWrite(to, err)
	}
	return &fault.Error{Kind: fault.Inconsistent, File: from, Found: "a file that has no place in the submission (" + cause(err) + ")",
		Fix: "A folder of the run may have the name of a deliverable's file: rename one of them. The place would be " + filepath.ToSlash(to), Err: err}
}

// contextReader stops reading when its context ends.
type contextReader struct {
	ctx context.Context
	in  io.Reader
}

func (r contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.in.Read(p)
}

func writeIndented(path string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return atomic.Write(path, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s\n", text)
		return err
	})
}

// settle moves the finished submission to its place. A place that is taken gets the time behind its name.
func (p *packer) settle(work string) error {
	if err := os.Chmod(work, 0o755); err != nil {
		return cannotWrite(work, err)
	}
	stamp := p.options.Now.UTC().Format("_20060102_150405")
	for _, suffix := range []string{"", stamp} {
		target := p.target + suffix
		if _, err := os.Lstat(target); err == nil {
			continue
		}
		err := os.Rename(work, target)
		if err == nil {
			p.packed.Dir, p.packed.Name = target, withoutZip(p.packed.Name)+suffix+".zip"
			return nil
		}
		if _, statErr := os.Lstat(target); statErr != nil { // not taken meanwhile
			return cannotWrite(target, err)
		}
	}
	return &fault.Error{Kind: fault.Inconsistent, File: p.target + stamp, Found: "a submission of this name and second",
		Fix: "Try again", Err: fs.ErrExist}
}
