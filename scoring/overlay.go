package scoring

// withoutLabels are the tasks whose answers are no label images or masks that lie over the input: points, curves, tables, mosaics, fields.
var withoutLabels = map[string]bool{
	"fluo-cell-counting-2d-cellfmcount":            true,
	"smlm-localization-dnapaint":                   true,
	"5D-npc-assembly-kinetics-idr0115":             true,
	"confocal-mosaic-4channel-stitching-ctc-model": true,
	"wound-healing-speed-kymograph-gigadb100118":   true,
	"3d-confocal-puncta-quantification-sbiad1556":  true,
	"fluo-dna-repair-foci-colocalization-sbsst227": true,
	"fluo-coronavirus-golgi-colocalization":        true,
	"cytoplasm-nucleus-translocation-bbbc014":      true,
	"microglia-phenotype-progression-bbbc054":      true,
}

// LaysLabels tells whether answer and truth of a task are images of labels or masks over its input; so they are taken to be for a task that
// has no scorer.
func LaysLabels(taskID string) bool { return !withoutLabels[taskID] }

// Binary tells whether a task's answer and truth are masks, whose objects mean nothing.
func Binary(taskID string) bool {
	return taskID == "sim-microtubules-segmentation" || taskID == "3d-light-sheet-brain-vessels"
}

// RowsAreFrames tells whether the rows of a task's reports are the frames of one movie.
func RowsAreFrames(taskID string) bool { return taskID == "microglia-phenotype-progression-bbbc054" }

// MarksElsewhere tells that the coordinates of a task's marks count the cells of a map (a kymograph) and not pixels of its images.
func MarksElsewhere(taskID string) bool {
	return taskID == "wound-healing-speed-kymograph-gigadb100118"
}
