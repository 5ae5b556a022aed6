package session

import (
	"path/filepath"
	"strings"
	"unicode"

	"coverslip/datasets/biabench"
	"coverslip/datasets/raster"
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
	Row           int  // index into Report.Images, -1 before scoring
	Frames        bool // the rows of the report are the frames of this image, and Row is -1
}

// Join finds which input, answer and truth belong together. The report's rows decide what was compared with what, since
// they say what the score saw; without a report the file names do.
func Join(task *biabench.Task, resolution biabench.Resolution, report *scoring.Report) []Image {
	j := joiner{at: map[string]int{}}
	j.addInputs(task)
	j.files = report == nil || scoring.LaysLabels(report.TaskID)
	if report != nil && len(report.Images) > 0 && scoring.RowsAreFrames(report.TaskID) {
		return j.movie()
	}
	if report != nil && len(report.Images) > 0 {
		j.alone = j.inputs == 1 && len(report.Images) == 1
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
	files  bool           // rows are named after files, which the reference's own rules pair
	alone  bool           // there is one input and one row, which belong together whatever their names
	at     map[string]int // name -> index
}

// addInputs makes an image of every field below input/. Where two have one name, the folder goes in front.
func (j *joiner) addInputs(task *biabench.Task) {
	fields := raster.Fields(task.Inputs)
	count := map[string]int{}
	for i, f := range fields {
		if biabench.IsImageName(f.Path) && strings.HasPrefix(filepath.Base(f.Path), f.Name) {
			fields[i].Name = biabench.Stem(f.Path) // without both parts of ".ome.tif"
		}
		count[fields[i].Name]++
	}
	for _, f := range fields {
		if count[f.Name] > 1 {
			f.Name = filepath.Base(filepath.Dir(f.Path)) + "/" + f.Name
		}
		j.add(Image{Name: f.Name, Input: f.Path})
	}
	j.inputs = len(j.images)
}

// movie puts the frames of a report on the one input, or on a movie of its own where there is none.
func (j *joiner) movie() []Image {
	if j.inputs != 1 {
		j.add(Image{Name: "movie"})
	}
	j.images[len(j.images)-1].Parts = []Part{{Row: -1, Frames: true}}
	return j.images
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
	if j.alone {
		return 0, true
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
	if m := biabench.Match([]string{stem + ".x"}, names); j.files && len(m.Pairs) == 1 && !m.LowConfidence {
		return j.at[biabench.Stem(m.Pairs[0].Ref)], true
	}
	if i, ok := j.holder(stem); ok {
		return i, true
	}
	return j.spelled(stem)
}

// spelled is the one input whose name has the words and numbers of the row's in their order, with others between them: "160701-cell4" in
// "160701-Nup107-cell-4-t6".
func (j *joiner) spelled(row string) (int, bool) {
	words := wordsOf(row)
	found, n := 0, 0
	for i, im := range j.images[:j.inputs] {
		if len(words) > 1 && inOrder(words, wordsOf(im.Name)) {
			found, n = i, n+1
		}
	}
	return found, n == 1
}

func inOrder(words, in []string) bool {
	for _, w := range in {
		if len(words) > 0 && w == words[0] {
			words = words[1:]
		}
	}
	return len(words) == 0
}

// wordsOf splits a name into words and numbers, in lower case.
func wordsOf(name string) []string {
	var words []string
	kind := 0
	for _, r := range strings.ToLower(name) {
		now := 0
		switch {
		case unicode.IsDigit(r):
			now = 1
		case unicode.IsLetter(r):
			now = 2
		}
		if now != 0 && now == kind {
			words[len(words)-1] += string(r)
		} else if now != 0 {
			words = append(words, string(r))
		}
		kind = now
	}
	return words
}

// holder is the one input whose name holds the row's as words of its own: "siControl" in "Figure2b_siControl". Masks of a region of
// interest beside an image do not count.
func (j *joiner) holder(row string) (int, bool) {
	found, n := 0, 0
	for i, im := range j.images[:j.inputs] {
		if standsIn(row, im.Name) && !strings.HasSuffix(strings.ToLower(im.Name), "_roi") {
			found, n = i, n+1
		}
	}
	return found, n == 1
}

// standsIn tells whether name is a part of stem that no letter or digit touches, whatever their case: "7" stands in "7_seg" but not in "17_seg".
func standsIn(name, stem string) bool {
	name, stem = strings.ToLower(name), strings.ToLower(stem)
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
