// Package baseline says between what a score lies that means something: what an answer without any thought scores (the floor)
// and what the truth itself scores when it is handed in (the ceiling), each with its reason. A score is to be read against
// both: 0.33 is nothing where one constant scores 0.33, and 0.5 is much where no answer can reach more.
//
// Only what is known is said: what the benchmark's own checks hold of naive and of perfect submissions, and for overlap with a
// mask what follows from the share of foreground in the truth. A metric that neither speaks of has no band.
package baseline

import (
	"fmt"
	"math"
	"strings"

	"coverslip/scoring/call"
	"coverslip/scoring/report"
)

// Band is the range of a metric from thoughtless to perfect. FloorWhy and CeilingWhy are sentences without a full stop.
type Band struct {
	Metric               string // "" for a score that is no single metric of the record
	Floor, Ceiling       float64
	FloorWhy, CeilingWhy string
}

// Share is where in the band a score lies: 0 at the floor, 1 at the ceiling; NaN where the two are one. It may lie outside.
func (b Band) Share(score float64) float64 {
	if b.Ceiling == b.Floor {
		return math.NaN()
	}
	return (score - b.Floor) / (b.Ceiling - b.Floor)
}

const (
	nothing = "an answer without the deliverable scores 0"
	perfect = "the truth handed in as an answer scores 1"
)

// Of is the band of the metric that a report's result comes from; false where none is known: for an unknown task, for metrics
// that are no score from 0 to 1, and where the inputs allow no score.
func Of(r *report.Report) (Band, bool) {
	if r == nil || r.Result.None {
		return Band{}, false
	}
	t, known := tasks[r.TaskID]
	if !known {
		return Band{}, false
	}
	b := Band{Metric: r.Primary, Ceiling: 1, FloorWhy: nothing, CeilingWhy: perfect}
	if t.metrics != nil && r.Primary != "" && !t.metrics[r.Primary] {
		return Band{}, false
	}
	if t.adjust != nil {
		t.adjust(r, &b)
	}
	return b, true
}

// task is what is known of a task beyond that nothing scores 0 and the truth scores 1.
type task struct {
	metrics map[string]bool // that are scores from 0 to 1; nil: whatever the result comes from is one
	adjust  func(*report.Report, *Band)
}

func names(list ...string) map[string]bool {
	set := map[string]bool{}
	for _, n := range list {
		set[n] = true
	}
	return set
}

var (
	instances = names("dice", "iou", "ap_at_0.5", "ap_at_0.75", "pq", "boundary_f1")
	lines     = names("dice", "iou", "precision", "recall", "cl_dice")
)

var tasks = map[string]task{
	"he-nuinsseg-nuclear-segmentation":               {instances, foreground},
	"3d-fluo-cell-segmentation-lateral-line-idr0079": {instances, foreground},
	"fluo-helacytonuc-cell-segmentation":             {instances, foreground},
	"sim-microtubules-segmentation":                  {lines, foreground},
	"3d-light-sheet-brain-vessels":                   {lines, foreground},
	"fluo-cell-counting-2d-cellfmcount":              {nil, blanks},
	"phase-contrast-bacteria-tracking-toiam":         {},
	"smlm-localization-dnapaint":                     {names("composite_score", "jaccard", "precision", "recall", "f1"), localisations},
	"5D-npc-assembly-kinetics-idr0115":               {names("kinetics_quality_score"), movies},
	"confocal-mosaic-4channel-stitching-ctc-model":   {nil, mosaic},
	"wound-healing-speed-kymograph-gigadb100118":     {nil, gap},
	"3d-confocal-puncta-quantification-sbiad1556":    {nil, puncta},
	"fluo-dna-repair-foci-colocalization-sbsst227":   {nil, foci},
	"fluo-coronavirus-golgi-colocalization":          {nil, golgi},
	"cytoplasm-nucleus-translocation-bbbc014":        {nil, translocation},
	"microglia-phenotype-progression-bbbc054":        {},
}

// foreground sets the floor of an overlap to that of an answer that is foreground everywhere: with f the share of foreground in
// the truth, Dice is 2f/(1+f), IoU and precision are f, and recall is 1. It is the mean over the images of a compartment, then
// over the compartments, as the score is.
func foreground(r *report.Report, b *Band) {
	shares := sharesOf(r)
	if len(shares) == 0 {
		return
	}
	formula, floor, n := "", 0.0, 0
	for _, list := range shares {
		mean := 0.0
		for _, f := range list {
			v := 0.0
			switch r.Primary {
			case "dice":
				formula, v = "2f/(1+f)", 2*f/(1+f)
			case "iou", "precision":
				formula, v = "f", f
			case "recall":
				formula, v = "1", 1
			default:
				return
			}
			mean += v / float64(len(list))
		}
		floor += mean / float64(len(shares))
		n += len(list)
	}
	b.Floor = floor
	b.FloorWhy = fmt.Sprintf("an answer that is foreground everywhere scores %s, the mean of %s over %s, f being the share of foreground in the truth; %s",
		report.Number(floor), formula, call.Quantity(n, "image", "images"), nothing)
	if formula == "1" {
		b.FloorWhy = "an answer that is foreground everywhere misses nothing and scores 1; " + nothing
	}
}

// sharesOf lists the share of foreground in the truth of each scored image by compartment, the compartments as they come up.
// The share of an image without foreground is 0.
func sharesOf(r *report.Report) (shares [][]float64) {
	place := map[string]int{}
	for i := range r.Images {
		im := &r.Images[i]
		size := 1.0
		for _, n := range im.TruthShape {
			size *= float64(n)
		}
		if im.Status != report.Scored || len(im.TruthShape) == 0 || size == 0 {
			continue
		}
		k, known := place[im.Compartment]
		if !known {
			k = len(shares)
			place[im.Compartment], shares = k, append(shares, nil)
		}
		shares[k] = append(shares[k], min(1, float64(im.TruthPixels)/size))
	}
	return shares
}

// blanks: a table without a row for every image is right on the images without cells.
func blanks(r *report.Report, b *Band) {
	blank := 0
	for i := range r.Images {
		if r.Images[i].NTruth == 0 {
			blank++
		}
	}
	if n := len(r.Images); n > 0 && r.Result.Reason == "" {
		b.Floor = float64(blank) / float64(n)
		b.FloorWhy = fmt.Sprintf("an empty table for every image is right on %d of %s, those without cells; %s", blank, call.Quantity(n, "image", "images"), nothing)
	}
}

func localisations(r *report.Report, b *Band) {
	b.FloorWhy += "; so does a text without a single localisation"
	if r.Primary == "composite_score" || r.Primary == "" {
		b.CeilingWhy += "; right places with meaningless intensities score 0.7, where the weights are the usual ones"
	}
}

// shipped is the number of movies that the task's input holds.
const shipped = 5

// movies: each cell of the truth counts, and one without a movie cannot be answered.
func movies(r *report.Report, b *Band) {
	n, ok := r.Metrics.Number("n_cells_ref")
	if ok && n > shipped {
		b.Ceiling = shipped / n
		b.CeilingWhy = fmt.Sprintf("%s; but the input has %d movies and the truth %s cells: a perfect answer to all of these movies scores %s",
			perfect, shipped, report.Number(n), report.Number(b.Ceiling))
	}
}

func mosaic(_ *report.Report, b *Band) {
	b.FloorWhy += "; a constant image of the right size earns 0.35 by its size, where the weights are the usual ones"
	b.CeilingWhy += "; the right mosaic without any mean scores 0.7, the right means with an unreadable mosaic 0.3, where the weights are the usual ones"
}

// gap: without the masks below input/ nobody's direction of flow can be judged.
func gap(r *report.Report, b *Band) {
	directions, ok := r.Metrics.Get("direction_detail").(*report.Record)
	if !ok || len(directions.Keys()) == 0 || !strings.Contains(r.NeedsReview, "direction of flow") {
		return
	}
	lost := 0.0
	for i := range r.Marks {
		m := &r.Marks[i]
		if m.Kind == report.MissingValue && m.Key == r.ImageOf(*m).Name+", direction" {
			lost += m.Cost
		}
	}
	if lost == 0 { // the rubric gives it no weight
		return
	}
	b.Ceiling = 1 - lost
	b.CeilingWhy = "without the masks of the input the direction of flow counts 0 for everybody: the truth handed in as an answer scores " + report.Number(b.Ceiling)
}

func puncta(_ *report.Report, b *Band) {
	b.FloorWhy += "; so do counts that are shuffled between the nuclei of a condition, and a copy of every nucleus, puncta included, far away"
}

func foci(_ *report.Report, b *Band) {
	b.FloorWhy += "; one constant start of 0.5 scores 0.0625 on the published data"
}

func golgi(_ *report.Report, b *Band) {
	b.CeilingWhy = "there is no truth; coefficients as published, with fitting p-values, score 1"
	b.FloorWhy += "; so do coefficients above 1, which are dropped"
}

func translocation(_ *report.Report, b *Band) {
	b.Floor = 1.0 / 3
	b.FloorWhy = "one constant ratio in all wells scores 1/3, since its replicates agree; " + nothing
	b.CeilingWhy = "there is no truth; a clean linear dose response with hardly any noise scores 1, and with the scatter of real wells about 0.97 can be reached"
}
