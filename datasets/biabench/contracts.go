package biabench

import (
	"maps"
	"slices"
)

// contract is what the scorer of a task asks of the task's own files (spec/contract.md 9).
type contract struct {
	deliverables []string            // ids that it asks for
	alsoScored   []string            // optional deliverables that it reads all the same
	columns      map[string][]string // that it reads, by deliverable
	metrics      []string            // that primary_metric may name, its default first; nil: any name goes
}

var (
	instanceMetrics = []string{"dice", "iou", "pq"}
	filamentMetrics = []string{"dice", "iou", "cl_dice", "precision", "recall"}
	masks           = []string{"segmentation_masks"}
)

// contracts of the sixteen tasks, by their ids.
var contracts = map[string]contract{
	"3d-confocal-puncta-quantification-sbiad1556": {deliverables: []string{"cell_quants"},
		columns: map[string][]string{"cell_quants": {"condition", "Image name", "z", "y", "x", "number of GFP puncta"}}},
	"3d-fluo-cell-segmentation-lateral-line-idr0079": {deliverables: masks, metrics: instanceMetrics},
	"3d-light-sheet-brain-vessels":                   {deliverables: []string{"vessel_masks"}, metrics: filamentMetrics},
	"5D-npc-assembly-kinetics-idr0115":               {deliverables: []string{"kinetics_per_cell"}, metrics: kineticsMetrics()},
	"confocal-mosaic-4channel-stitching-ctc-model": {deliverables: []string{"stitched_image", "summary_statistics", "per_cell_features"},
		alsoScored: []string{"per_cell_features"}, columns: map[string][]string{"per_cell_features": {"cell_type"}},
		metrics: []string{"weighted_score"}},
	"cytoplasm-nucleus-translocation-bbbc014": {deliverables: []string{"per_well_summary", "per_cell_features"},
		alsoScored: []string{"per_cell_features"},
		columns: map[string][]string{"per_well_summary": {"well", "cell_type", "dose", "mean_nuc_over_cyto_ratio"},
			"per_cell_features": {"well", "cell_type", "dose", "nuc_intensity", "cyto_intensity", "nuc_over_cyto_ratio"}}},
	"fluo-cell-counting-2d-cellfmcount": {deliverables: []string{"centroids_per_image"}, columns: map[string][]string{"centroids_per_image": {"X", "Y"}}},
	// The table of p-values is found by its name, whatever the spec declares.
	"fluo-coronavirus-golgi-colocalization": {deliverables: []string{"per_cell_coefficients"}, alsoScored: []string{"pairwise_pvalues"}},
	"fluo-dna-repair-foci-colocalization-sbsst227": {deliverables: []string{"coloc_results"},
		columns: map[string][]string{"coloc_results": {"condition", "start_normalized"}}},
	"fluo-helacytonuc-cell-segmentation":      {deliverables: []string{"nuclei_masks", "cytoplasm_masks"}, metrics: instanceMetrics},
	"he-nuinsseg-nuclear-segmentation":        {deliverables: masks, metrics: []string{"dice", "iou", "ap_at_0.5", "ap_at_0.75", "pq"}},
	"microglia-phenotype-progression-bbbc054": {deliverables: []string{"cell_labels"}},
	"phase-contrast-bacteria-tracking-toiam":  {deliverables: []string{"segmentation_masks", "tracking_lineage"}},
	"sim-microtubules-segmentation":           {deliverables: masks, metrics: filamentMetrics},
	"smlm-localization-dnapaint": {deliverables: []string{"localization_list"},
		metrics: []string{"composite_score", "jaccard", "precision", "recall", "f1"}},
	"wound-healing-speed-kymograph-gigadb100118": {deliverables: []string{"velocity_x", "velocity_y", "speed_kymograph"}},
}

// kineticsMetrics are the score of the kinetics task and, of each of its four series, the correlation and the error.
func kineticsMetrics() []string {
	names := []string{"kinetics_quality_score"}
	for _, series := range []string{"volume_nucleus", "surface_area_nucleus", "normalized_total_innercore", "normalized_total_noncore"} {
		names = append(names, "pearson_"+series, "mae_"+series)
	}
	return names
}

// TaskIDs lists the tasks of the benchmark, sorted as its leaderboard has them.
func TaskIDs() []string { return slices.Sorted(maps.Keys(contracts)) }
