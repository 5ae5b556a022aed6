package session

import (
	"path/filepath"
	"strings"

	"coverslip/datasets/biabench"
	"coverslip/scoring"
)

// Image is one image of a task with the label images that belong to it. Paths are "" where there is none.
type Image struct {
	Name  string // stem of the input, or of the truth where no input is here
	Input string
	Parts []Part // one per compartment; a task without compartments has one with an empty name
}

// Part is the answer and the truth of one compartment of an image.
type Part struct {
	Name          string // "nuclei"; "" where the task has no compartments
	Answer, Truth string
	Row           int // index into Report.Images, -1 before scoring
}

// Join finds which input, answer and truth belong together. The report's rows decide what was compared with what, since
// they say what the score saw; without a report the file names do.
func Join(task *biabench.Task, resolution biabench.Resolution, report *scoring.Report) []Image {
	j := joiner{at: map[string]int{}}
	for _, path := range task.Inputs {
		j.add(Image{Name: biabench.Stem(path), Input: path})
	}
	j.inputs = len(j.images)
	if report != nil && len(report.Images) > 0 {
		for i, row := range report.Images {
			j.place(row.Name, Part{Name: row.Compartment, Answer: row.Pred, Truth: row.Truth, Row: i})
		}
		return j.images
	}
	for _, truth := range imagesBelow(task.Truth) {
		j.place(biabench.Stem(truth), Part{Name: partOf(task.Truth, truth), Truth: truth, Row: -1})
	}
	for _, d := range resolution.Deliverables {
		for _, file := range d.Files {
			if biabench.IsImageName(file) {
				j.place(biabench.Stem(file), Part{Name: partOfDeliverable(d.Deliverable.ID), Answer: file, Row: -1})
			}
		}
	}
	return j.images
}

type joiner struct {
	images []Image
	inputs int            // the first so many come from input/
	at     map[string]int // name -> index
}

func (j *joiner) add(im Image) int {
	j.images = append(j.images, im)
	j.at[im.Name] = len(j.images) - 1
	return len(j.images) - 1
}

// place files a part under the image of that name, which is made if there is none. Rows of a report that are no images (a condition,
// a cell line) become entries without an input.
func (j *joiner) place(stem string, p Part) {
	i, ok := j.find(stem)
	if ok && !j.join(&j.images[i], p) {
		ok = false // two label files of one name: each is an image of its own
	}
	if !ok {
		i = j.add(Image{Name: stem})
		j.join(&j.images[i], p)
	}
}

// join adds a part to an image, or completes the one of that compartment; false if that place is taken.
func (j *joiner) join(im *Image, p Part) bool {
	for k := range im.Parts {
		old := &im.Parts[k]
		if old.Name != p.Name && (p.Truth != "" || len(im.Parts) != 1 || old.Name != "") {
			continue
		}
		if old.Row >= 0 || old.Truth != "" && p.Truth != "" || old.Answer != "" && p.Answer != "" {
			return false
		}
		old.Answer, old.Truth, old.Row = old.Answer+p.Answer, old.Truth+p.Truth, p.Row
		return true
	}
	im.Parts = append(im.Parts, p)
	return true
}

// find looks for the image of a label file: the same stem, else the longest input stem that stands in it as words of its own
// ("056F63395C_8bit_lynEGFP" in "056F63395C_8bit_lynEGFP_seg"), else the reference's own pairing rules.
func (j *joiner) find(stem string) (int, bool) {
	if i, ok := j.at[stem]; ok {
		return i, true
	}
	best, length := -1, 0
	for i, im := range j.images[:j.inputs] {
		if len(im.Name) > length && standsIn(im.Name, stem) {
			best, length = i, len(im.Name)
		}
	}
	if best >= 0 {
		return best, true
	}
	names := make([]string, j.inputs)
	for i := range names {
		names[i] = j.images[i].Name + ".x"
	}
	if m := biabench.Match([]string{stem + ".x"}, names); len(m.Pairs) == 1 && !m.LowConfidence {
		return j.at[biabench.Stem(m.Pairs[0].Ref)], true
	}
	return 0, false
}

// standsIn tells whether name is a part of stem that no letter or digit touches: "7" stands in "7_seg" but not in "17_seg".
func standsIn(name, stem string) bool {
	for from := 0; ; {
		at := strings.Index(stem[from:], name)
		if at < 0 || name == "" {
			return false
		}
		at += from
		end := at + len(name)
		if (at == 0 || !wordByte(stem[at-1])) && (end == len(stem) || !wordByte(stem[end])) {
			return true
		}
		from = at + 1
	}
}

func wordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// partOf is the compartment that a truth file's folder names: evaluation/nuclei_masks/7.tif is of "nuclei".
func partOf(root, file string) string {
	rel, err := filepath.Rel(root, file)
	if err != nil {
		return ""
	}
	folder, _, nested := strings.Cut(filepath.ToSlash(rel), "/")
	if !nested || !strings.HasSuffix(folder, "_masks") {
		return ""
	}
	return strings.TrimSuffix(folder, "_masks")
}

// partOfDeliverable is the compartment in a deliverable's id; segmentation_masks names none.
func partOfDeliverable(id string) string {
	switch name := strings.TrimSuffix(id, "_masks"); name {
	case id, "segmentation":
		return ""
	default:
		return name
	}
}

// imagesBelow lists the image files of a truth folder. The contamination marker and notes are no images.
func imagesBelow(dir string) []string {
	if dir == "" {
		return nil
	}
	files, err := biabench.ListFiles(dir)
	if err != nil {
		return nil
	}
	kept := files[:0:0]
	for _, f := range files {
		if biabench.IsImageName(f) {
			kept = append(kept, f)
		}
	}
	return kept
}
