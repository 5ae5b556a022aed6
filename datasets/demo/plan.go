package demo

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"path"
	"slices"

	"coverslip/datasets/raster/pixel"
	"coverslip/datasets/raster/tiff"
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

// plan lists the jobs of some tasks.
func plan(some []task) []job {
	jobs := []job{readmeJob()}
	for _, t := range some {
		jobs = append(jobs, textJob(t))
		jobs = append(jobs, t.jobs(t)...)
	}
	return jobs
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

// The two images that the careless agent gets wrong altogether, counted from 0.
const wrongSize, notThere = 6, 3

// slideJobs makes the H&E images, one each.
func slideJobs() []job {
	var jobs []job
	for i, s := range slides() {
		jobs = append(jobs, slideJob(i, s))
	}
	return jobs
}

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

// textJob gives the YAML files of a task and the cards of its runs.
func textJob(t task) job {
	var b builder
	for _, name := range []string{"task_spec.yaml", "evaluation_rubric.yaml"} {
		b.text(path.Join(taskDir(t.id), name), path.Join(t.id, name))
	}
	for _, r := range t.roles {
		b.json(path.Join(runDir(t.id, r.name), "submission.json"), submission{
			SchemaVersion: versionOfCards, TaskID: t.id, AgentName: r.name, AgentVersion: "1.0", RunID: "demo",
			TimestampUTC: timeOfRuns, PromptVersion: "v1", Notes: "Synthetic demonstration. " + r.about,
		})
	}
	return b.job()
}

// readmeJob gives the README: one section a task, whichever of them are written.
func readmeJob() job {
	var b builder
	b.text("README.md", "README.md")
	if b.err == nil {
		text := bytes.NewBuffer(b.files[0].data)
		for _, t := range tasks() {
			fmt.Fprintf(text, "\n### %s\n\n%s\n\n", t.id, t.look)
			for _, r := range t.roles {
				fmt.Fprintf(text, "- `%s`: %s\n", r.name, r.about)
			}
		}
		b.files[0].data = text.Bytes()
	}
	return b.job()
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

// job hands out what was collected.
func (b *builder) job() job {
	j := job{make: func() ([]file, error) { return b.files, b.err }}
	for _, f := range b.files {
		j.paths = append(j.paths, f.path)
	}
	return j
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
	data, err := encoded(a, o)
	b.add(path, data, err)
}

// encoded is a TIFF file.
func encoded(a pixel.Array, o tiff.EncodeOptions) ([]byte, error) {
	var out bytes.Buffer
	err := tiff.Encode(&out, a, o)
	return out.Bytes(), err
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
