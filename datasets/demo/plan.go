package demo

import (
	"bytes"
	"embed"
	"encoding/json"
	"image"
	"image/png"
	"path"
	"slices"

	"coverslip/datasets/raster/pixel"
	"coverslip/datasets/raster/tiff"
)

const (
	nucleiTask = "he-nuinsseg-nuclear-segmentation"
	cellsTask  = "3d-fluo-cell-segmentation-lateral-line-idr0079"
)

//go:embed texts
var texts embed.FS

// file is one file of the demo: its path below the demo folder, with slashes, and its content.
type file struct {
	path string
	data []byte
}

// job makes some files of the demo. Jobs know the paths beforehand and do not depend on each other.
type job struct {
	paths []string
	make  func() ([]file, error)
}

// plan lists the jobs, the longest first.
func plan() []job {
	jobs := []job{stackJob()}
	for i, s := range slides() {
		jobs = append(jobs, slideJob(i, s))
	}
	return append(jobs, textJob())
}

// paths lists all files of the demo in order.
func paths(jobs []job) []string {
	var all []string
	for _, j := range jobs {
		all = append(all, j.paths...)
	}
	slices.Sort(all)
	return all
}

func taskDir(task string) string       { return path.Join("tasks", task) }
func runDir(task, agent string) string { return path.Join("runs", task, agent) }

func answerPath(task, agent, name string) string {
	return path.Join(runDir(task, agent), "artifacts", "segmentation_masks", name)
}

// layout names the tasks and runs of a demo in dir, which is a path of the system.
func layout(join func(...string) string) Layout {
	l := Layout{Runs: map[string][]string{}}
	for _, t := range []string{nucleiTask, cellsTask} {
		task := join("tasks", t)
		l.Tasks = append(l.Tasks, task)
		for _, a := range agents() {
			l.Runs[task] = append(l.Runs[task], join("runs", t, a.name))
		}
	}
	return l
}

// The two images that the careless agent gets wrong altogether, counted from 0.
const wrongSize, notThere = 6, 3

// slideJob makes an H&E image, its truth and the agents' answers.
func slideJob(number int, s slide) job {
	in := path.Join(taskDir(nucleiTask), "input", s.name+".png")
	gt := path.Join(taskDir(nucleiTask), "evaluation", s.name+".tif")
	j := job{paths: []string{in, gt}}
	careless := agents()[len(agents())-1].name
	absent := func(a agent) bool { return a.name == careless && number == notThere }
	for _, a := range agents() {
		if !absent(a) {
			j.paths = append(j.paths, answerPath(nucleiTask, a.name, s.name+".tif"))
		}
	}
	j.make = func() ([]file, error) {
		p := paint(s)
		b := builder{}
		b.png(in, p.rgb)
		b.tiff(gt, p.truth.array(), tiff.EncodeOptions{PixelUM: 0.275})
		for k, a := range agents() {
			if absent(a) {
				continue
			}
			answer := a.flat.answer(p.truth, hash(s.seed, uint64(k)))
			if a.name == careless && number == wrongSize {
				answer = answer.halved()
			}
			b.tiff(answerPath(nucleiTask, a.name, s.name+".tif"), answer.array(), tiff.EncodeOptions{})
		}
		return b.files, b.err
	}
	return j
}

// stackJob makes the membrane stack, its truth and the agents' answers.
func stackJob() job {
	in := path.Join(taskDir(cellsTask), "input", stackName+".tif")
	gt := path.Join(taskDir(cellsTask), "evaluation", stackName+"_seg.tif")
	j := job{paths: []string{in, gt}}
	for _, a := range agents() {
		j.paths = append(j.paths, answerPath(cellsTask, a.name, stackName+"_seg.tif"))
	}
	j.make = func() ([]file, error) {
		stack, truth := primordium()
		made := make([]builder, 2+len(agents()))
		spreadOut(len(made), func(i int) {
			switch i {
			case 0:
				a := pixel.Array{Shape: []int{stackD, stackH, stackW}, Axes: "ZYX", Type: pixel.Uint8, Values: stack}
				made[i].tiff(in, a, tiff.EncodeOptions{ImageJ: true, Uncompressed: true, PixelUM: stackPixelUM, StepUM: stackStepUM})
			case 1:
				made[i].tiff(gt, truth.array(), tiff.EncodeOptions{})
			default:
				a := agents()[i-2]
				answer := a.deep.answer(truth, hash(stackSeed, uint64(i)))
				made[i].tiff(answerPath(cellsTask, a.name, stackName+"_seg.tif"), answer.array(), tiff.EncodeOptions{})
			}
		})
		var b builder
		for _, m := range made {
			b.files = append(b.files, m.files...)
			b.fail(m.err)
		}
		return b.files, b.err
	}
	return j
}

// submission is the card of a run (spec/contract.md 7.2).
type submission struct {
	SchemaVersion string `json:"schema_version"`
	TaskID        string `json:"task_id"`
	AgentName     string `json:"agent_name"`
	AgentVersion  string `json:"agent_version"`
	RunID         string `json:"run_id"`
	TimestampUTC  string `json:"timestamp_utc"`
	PromptVersion string `json:"prompt_version"`
	Notes         string `json:"notes"`
}

// textJob gives the README, the YAML files and the cards of the runs.
func textJob() job {
	var b builder
	b.text("README.txt", "README.txt")
	for task, stem := range map[string]string{nucleiTask: "nuclei", cellsTask: "cells"} {
		b.text(path.Join(taskDir(task), "task_spec.yaml"), stem+"_spec.yaml")
		b.text(path.Join(taskDir(task), "evaluation_rubric.yaml"), stem+"_rubric.yaml")
		for _, a := range agents() {
			b.json(path.Join(runDir(task, a.name), "submission.json"), submission{
				SchemaVersion: "1.0", TaskID: task, AgentName: a.name, AgentVersion: "1.0", RunID: "demo",
				TimestampUTC: "2026-01-15T09:00:00Z", PromptVersion: "v1", Notes: "Synthetic demonstration. " + a.about,
			})
		}
	}
	slices.SortFunc(b.files, func(x, y file) int { return bytes.Compare([]byte(x.path), []byte(y.path)) })
	j := job{make: func() ([]file, error) { return b.files, b.err }}
	for _, f := range b.files {
		j.paths = append(j.paths, f.path)
	}
	return j
}

// builder collects files and keeps the first error.
type builder struct {
	files []file
	err   error
}

func (b *builder) fail(err error) {
	if b.err == nil {
		b.err = err
	}
}

func (b *builder) add(path string, data []byte, err error) {
	b.fail(err)
	b.files = append(b.files, file{path, data})
}

func (b *builder) text(path, name string) {
	data, err := texts.ReadFile("texts/" + name)
	b.add(path, data, err)
}

func (b *builder) json(path string, v any) {
	data, err := json.MarshalIndent(v, "", "  ")
	b.add(path, append(data, '\n'), err)
}

func (b *builder) tiff(path string, a pixel.Array, o tiff.EncodeOptions) {
	var out bytes.Buffer
	err := tiff.Encode(&out, a, o)
	b.add(path, out.Bytes(), err)
}

// png writes without compression: what a compressor makes of the same pixels changes between Go versions.
func (b *builder) png(path string, rgb []uint8) {
	img := image.NewNRGBA(image.Rect(0, 0, tile, tile))
	for i := range tile * tile {
		copy(img.Pix[i*4:], rgb[i*3:i*3+3])
		img.Pix[i*4+3] = 255
	}
	var out bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.NoCompression}).Encode(&out, img)
	b.add(path, out.Bytes(), err)
}
