package remedy

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"coverslip/datasets/biabench"
	"coverslip/datasets/raster"
	"coverslip/scoring/report"
)

// mask is a deliverable whose files are label images or binary masks.
type mask struct {
	deliverable string
	axes        string // of the truth, where it has as many
	labels      bool   // each object has its own number
	movie       bool
}

// masks are the image deliverables of the tasks (spec/scorers-segmentation-tracking.md 2, 3, 5, 6).
var masks = map[string][]mask{
	"he-nuinsseg-nuclear-segmentation":               {{deliverable: "segmentation_masks", axes: "YX", labels: true}},
	"3d-fluo-cell-segmentation-lateral-line-idr0079": {{deliverable: "segmentation_masks", axes: "ZYX", labels: true}},
	"fluo-helacytonuc-cell-segmentation":             {{deliverable: "nuclei_masks", axes: "YX", labels: true}, {deliverable: "cytoplasm_masks", axes: "YX", labels: true}},
	"phase-contrast-bacteria-tracking-toiam":         {{deliverable: "segmentation_masks", axes: "TYX", labels: true, movie: true}},
	"sim-microtubules-segmentation":                  {{deliverable: "segmentation_masks", axes: "YX"}},
	"3d-light-sheet-brain-vessels":                   {{deliverable: "vessel_masks", axes: "ZYX"}},
}

// goodScore is from where on an image is not turned round in search of a better one.
const goodScore = 0.7

// images looks at the label images and masks, and at the images of the tasks that compare pixels.
func (f *finder) images() {
	for _, m := range masks[f.task.Spec.TaskID] {
		kept, rejected := f.asked(m.deliverable)
		f.rejected(m, rejected)
		f.shapes(m, append(slices.Clone(kept), rejected...))
		f.looks(m, kept)
		if v := f.report.Result; len(kept) > 0 && (v.None || v.Value < goodScore) {
			f.turnedRound(kept)
		}
	}
	f.kymographs()
	f.mosaic()
}

// rejected looks at files that were turned down for what their pixels are.
func (f *finder) rejected(m mask, files []file) {
	s := slips{}
	for _, x := range files {
		i := slices.IndexFunc(f.resolution.Rejected, func(r biabench.Rejected) bool { return r.File == x.path && r.Deliverable == m.deliverable })
		switch f.resolution.Rejected[i].Code {
		case biabench.Colour:
			if shape, _ := f.shapeOf(x.path); f.isVolume(shape, m, x.path) {
				continue
			}
			s.add("each colour were a label, and the border's colour the background", x, wholly(colours))
			if m.labels {
				s.add("the coloured pieces were labels, one each", x, m.piecewise(colours))
			}
		case biabench.Probability:
			s.add("the map of probabilities were a mask: 1 from 0.5 on", x, edit(aboveHalf))
			if m.labels {
				s.add("the map of probabilities were labels: its pieces of at least 0.5, one each", x, m.piecewise(aboveHalf))
			}
		}
	}
	f.found = append(f.found, s.list()...)
}

// edit is a change of pixels that each plane of an image can have for itself.
func edit(edits ...func(raster.Array) (raster.Array, error)) change { return change{array: edits} }

// wholly is one that needs the image whole.
func wholly(edits ...func(raster.Array) (raster.Array, error)) change {
	return change{array: edits, whole: true}
}

// piecewise numbers the pieces of the frames of a movie, or of an image as a whole, after other edits.
func (m mask) piecewise(edits ...func(raster.Array) (raster.Array, error)) change {
	if m.movie {
		return change{array: append(edits, piecesOfFrames)}
	}
	return change{array: append(edits, pieces), whole: true}
}

// isVolume tells an image whose last axis is an axis of the volume, not of colours.
func (f *finder) isVolume(shape []int, m mask, path string) bool {
	want := f.truthShape(path)
	return len(want) == 3 && len(shape) == 3 && m.axes == "ZYX" && len(fits(shape, want)) > 0
}

// truthShape is the shape of the truth that a file was compared with or, where it was not, that all images of the truth have.
func (f *finder) truthShape(path string) []int {
	for _, im := range f.report.Images {
		if im.Pred == path && im.Truth != "" {
			if len(im.TruthShape) > 0 {
				return squeezed(im.TruthShape)
			}
			shape, _ := f.shapeOf(im.Truth)
			return squeezed(shape)
		}
	}
	if f.common == nil {
		f.common = [][]int{}
		for _, truth := range f.truths {
			if shape, _ := f.shapeOf(truth); shape != nil && biabench.IsImageName(truth) {
				f.common = append(f.common, squeezed(shape))
			}
		}
	}
	for _, shape := range f.common {
		if !slices.Equal(shape, f.common[0]) {
			return nil
		}
	}
	if len(f.common) == 0 {
		return nil
	}
	return f.common[0]
}

// shapes looks at images whose axes are not those of the truth.
func (f *finder) shapes(m mask, files []file) {
	s := slips{}
	for _, x := range files {
		if f.ctx.Err() != nil {
			return
		}
		i := slices.IndexFunc(f.report.Images, func(im report.Image) bool { return im.Pred == x.path })
		if i >= 0 && f.report.Images[i].Status == report.Scored && slices.Equal(f.report.Images[i].PredShape, f.report.Images[i].TruthShape) && len(f.report.Images[i].PredShape) > 0 {
			continue
		}
		want := f.truthShape(x.path)
		have, series := f.shapeOf(x.path)
		if want == nil || have == nil {
			continue
		}
		if series > 1 {
			if one, n := f.alike(x.path); n > 1 && slices.Equal(append([]int{n}, squeezed(one)...), want) {
				s.add(fmt.Sprintf("the %d images in the file were one stack", n), x, change{series: true})
			}
			continue
		}
		f.orders(&s, m, x, have, want)
	}
	f.found = append(f.found, s.list()...)
}

// orders proposes the orders of axes that give a file the truth's shape.
func (f *finder) orders(s *slips, m mask, x file, have, want []int) {
	axes := m.axes
	if len(want) != len(axes) {
		axes = axesOf(len(want))
	}
	for _, order := range fits(have, want) {
		if !inOrder(order) || len(squeezed(have)) != len(have) {
			s.add(orderText(order, axes), x, wholly(axesIn(order, axes)))
		}
	}
	if k := ratio(have, want); k > 1 {
		s.add(fmt.Sprintf("the image were not enlarged: one pixel of each %d x %d", k, k), x, edit(everyNth(k)))
	}
	if k := ratio(want, have); k > 1 {
		s.add(fmt.Sprintf("the image were not made smaller: %d x %d pixels for each", k, k), x, edit(repeated(k)))
	}
	_, rejected := f.asked(m.deliverable) // they are looked at by what their pixels are
	if n := len(have); !slices.Contains(rejected, x) && n == len(want)+1 && (have[n-1] == 3 || have[n-1] == 4) && slices.Equal(have[:n-1], want) {
		s.add("each colour were a label, and the border's colour the background", x, wholly(colours))
	}
}

// ratio is how many times the one image is as high and as wide as the other, 0 if it is not a whole number or another axis differs.
func ratio(large, small []int) int {
	n := len(small)
	if len(large) != n || n < 2 || !slices.Equal(large[:n-2], small[:n-2]) || small[n-1] == 0 {
		return 0
	}
	if k := large[n-1] / small[n-1]; large[n-1] == k*small[n-1] && large[n-2] == k*small[n-2] {
		return k
	}
	return 0
}

// sampled is how many files are looked at for what their pixels mean.
const sampled = 4

// looks samples the answer's planes: a binary mask where labels are asked for, labels that cover several pieces, a
// background that is not 0, a mask that is inverted.
func (f *finder) looks(m mask, files []file) {
	var binary, scattered, grounded, upside bool
	for i := range min(sampled, len(files)) {
		for _, s := range f.samples(files[i*len(files)/min(sampled, len(files))].path) {
			binary = binary || s.values == 1 && s.pieces > 1
			scattered = scattered || s.values > 1 && s.pieces > s.values+s.values/2
			grounded = grounded || s.border > 0.5 && (s.values > 1 || s.zeros == 0)
			upside = upside || s.border > 0.5 && s.values == 1 && s.zeros > 0
		}
	}
	switch {
	case m.labels && binary:
		f.add("the connected pieces of the binary mask were labels, one each", files, m.piecewise())
	case m.labels && scattered:
		f.add("each connected piece had its own label", files, m.piecewise())
	}
	if grounded {
		f.add("the background, the value that most of the border has, were 0", files, edit(withoutBackground))
		if m.labels {
			f.add("the background were 0 and each connected piece had its own label", files, m.piecewise(withoutBackground))
		}
	}
	if upside {
		f.add("background and objects were exchanged", files, edit(inverted))
		if m.labels {
			f.add("background and objects were exchanged and each connected piece had its own label", files, m.piecewise(inverted))
		}
	}
}

// samples describes the first, the middle and the last plane of an image.
func (f *finder) samples(path string) (list []sample) {
	img, err := raster.Open(f.ctx, path)
	if err != nil {
		return nil
	}
	defer img.Close()
	s, err := img.Stack(raster.NewCache(64<<20), raster.Layout{})
	if err != nil || s.Shape.C > 1 {
		return nil
	}
	planes := s.Shape.T * s.Shape.Z
	for _, i := range slices.Compact([]int{0, planes / 2, planes - 1}) {
		p, err := s.Plane(f.ctx, i/s.Shape.Z, i%s.Shape.Z, 0)
		if err == nil {
			list = append(list, look(raster.Array{Shape: []int{p.H, p.W}, Axes: "YX", Type: p.Type, Values: p.Values}))
		}
	}
	return list
}

// turnedRound tries the images in other directions. Where the sides differ a swap would change the shape, which shapes sees to.
func (f *finder) turnedRound(files []file) {
	shape, _ := f.shapeOf(files[0].path)
	n := len(shape)
	if n < 2 {
		return
	}
	for _, t := range turns {
		if !t.swap || shape[n-1] == shape[n-2] {
			f.guess(t.text, files, edit(t.edit))
		}
	}
}

const kymographTask, mosaicTask = "wound-healing-speed-kymograph-gigadb100118", "confocal-mosaic-4channel-stitching-ctc-model"

// kymographs looks at speed kymographs and velocity fields.
func (f *finder) kymographs() {
	if f.task.Spec.TaskID != kymographTask {
		return
	}
	suffixed := func(suffix string) (list []file) {
		for _, x := range f.files {
			if strings.HasSuffix(strings.ToLower(biabench.Stem(x.path)), suffix) && biabench.IsImageName(x.path) {
				list = append(list, x)
			}
		}
		return list
	}
	kymographs, dx, dy := suffixed("_speedkymograph"), suffixed("_mf_dxs"), suffixed("_mf_dys")
	f.guess("distance were along the rows of the kymographs and time along the columns", kymographs, edit(turns[0].edit))
	f.guess("the first row of the kymographs were the one at the wound", kymographs, edit(turns[1].edit))
	f.add("the first plane of the kymographs were all of them", f.stacks(kymographs), wholly(firstPlane))
	if len(dx) == len(dy) && len(dx) > 0 {
		r := Remedy{Text: "the velocities in x and in y were swapped", guess: true, changes: map[string]change{}}
		for i := range dx {
			r.changes[dx[i].rel], r.changes[dy[i].rel] = change{name: dy[i].rel}, change{name: dx[i].rel}
		}
		f.found = append(f.found, r)
	}
	f.guess("velocities in y were positive downwards", dy, edit(negative))
	f.guess("velocities pointed the other way", slices.Concat(dx, dy), edit(negative))
}

// stacks are the files with more than two axes.
func (f *finder) stacks(files []file) []file {
	return slices.DeleteFunc(slices.Clone(files), func(x file) bool {
		shape, _ := f.shapeOf(x.path)
		return len(squeezed(shape)) < 3
	})
}

func firstPlane(a raster.Array) (raster.Array, error) {
	a, err := reshaped(a, squeezed(a.Shape), axesOf(len(squeezed(a.Shape))))
	if n := len(a.Shape); err == nil && n > 2 {
		h, w := a.Shape[n-2], a.Shape[n-1]
		a = raster.Array{Shape: []int{h, w}, Axes: "YX", Type: a.Type, Values: slice(a.Values, h*w)}
	}
	return a, err
}

// mosaic looks at the axes of the stitched image. The scorer averages z and goes by the names of axes; without names it
// may take planes for channels.
func (f *finder) mosaic() {
	if f.task.Spec.TaskID != mosaicTask {
		return
	}
	kept, _ := f.asked("stitched_image")
	for _, x := range kept {
		img, err := raster.Open(f.ctx, x.path)
		if err != nil || len(img.Series) == 0 {
			continue
		}
		h := img.Series[0]
		img.Close()
		f.mosaicAxes(x, h)
	}
}

func (f *finder) mosaicAxes(x file, h raster.Header) {
	shape := squeezed(h.Shape)
	text := func(order string) string { return "the axes of " + filepath.Base(x.path) + " were named " + order }
	flat := func(to []int) func(raster.Array) (raster.Array, error) {
		return func(a raster.Array) (raster.Array, error) { return reshaped(a, to, axesOf(len(to))) }
	}
	switch n := len(shape); {
	case n == 3 && shape[0] == 12:
		f.add(text("Z C Y X: 3 slices of 4 channels"), []file{x}, wholly(flat([]int{3, 4, shape[1], shape[2]}), as("ZCYX", []int{0, 1, 2, 3})))
		f.add(text("C Z Y X: 4 channels of 3 slices"), []file{x}, wholly(flat([]int{4, 3, shape[1], shape[2]}), as("ZCYX", []int{1, 0, 2, 3})))
	case n == 3 && shape[0] == 4:
		f.add(text("C Y X"), []file{x}, wholly(flat(shape), as("CYX", []int{0, 1, 2})))
	case n == 4:
		z, c := slices.Index(shape, 3), slices.Index(shape, 4)
		if z < 0 || c < 0 {
			return
		}
		var rest []int
		for i := range shape {
			if i != z && i != c {
				rest = append(rest, i)
			}
		}
		f.add(text("Z C Y X"), []file{x}, wholly(flat(shape), as("ZCYX", []int{z, c, rest[0], rest[1]})))
		f.add(text("Z C X Y")+", and Y and X were swapped", []file{x}, wholly(flat(shape), as("ZCYX", []int{z, c, rest[1], rest[0]})))
	}
}

// as puts axes into an order under their names.
func as(axes string, order []int) func(raster.Array) (raster.Array, error) {
	return func(a raster.Array) (raster.Array, error) { return rearrange(a, order, nil, axes) }
}
