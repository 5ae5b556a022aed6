package remedy

import (
	"strings"
	"unicode"

	"coverslip/datasets/tabular"
)

// role is what a column holds.
type role uint8

const (
	other role = iota
	frameNo
	xPixel
	yPixel
	zPixel
	group    // a name that rows are grouped by
	fraction // a number between -1 and 1
	number
)

// column is one that a task's scorer reads.
type column struct {
	name     string // as the scorer wants it
	role     role
	also     []string // other usual names, folded; one that ends in * may go on
	optional bool
}

// schema is a table that a task asks for.
type schema struct {
	deliverable string
	form        form
	place       bool // the scorer goes by the places of columns, not by their names
	columns     []column
}

// Usual names of coordinates. "x [px]" and "X (um)" fold to the same as "x".
var (
	xNames     = []string{"x", "xpx", "xpixel", "xpixels", "xpos", "posx", "xcoord", "xcoordinate", "centroidx", "xcentroid", "centerx", "xcenter", "cx", "col", "column", "xum", "xnm", "xvoxel"}
	yNames     = []string{"y", "ypx", "ypixel", "ypixels", "ypos", "posy", "ycoord", "ycoordinate", "centroidy", "ycentroid", "centery", "ycenter", "cy", "row", "yum", "ynm", "yvoxel"}
	zNames     = []string{"z", "zpx", "zslice", "slice", "plane", "centroidz", "zcentroid", "cz", "zum", "zvoxel", "zcoord"}
	frameNames = []string{"frame", "t", "time", "timepoint", "timeindex", "frameindex", "frameno", "framenumber", "frameid", "imageindex", "image", "slice"}
	groups     = []string{"condition", "conditions", "group", "treatment", "sample", "stage", "class", "sirna", "genotype", "construct", "folder"}
)

// schemas are the tables of the tasks (spec/scorers-tables.md 2.1 to 6.1, spec/scorers-signals.md 1.2, 2.3, 4.3,
// spec/scorers-segmentation-tracking.md 3.2, 4).
var schemas = map[string][]schema{
	"3d-confocal-puncta-quantification-sbiad1556": {{deliverable: "cell_quants", columns: []column{
		{name: "condition", role: group, also: groups},
		{name: "Image name", role: other, also: []string{"imagename", "image", "imagefile", "filename", "file", "imageid", "position"}},
		{name: "z", role: zPixel, also: zNames}, {name: "y", role: yPixel, also: yNames}, {name: "x", role: xPixel, also: xNames},
		{name: "number of GFP puncta", role: number, also: []string{"numberofgfppuncta", "ngfppuncta", "npuncta", "numpuncta", "numberofpuncta",
			"punctacount", "gfppuncta", "gfppunctacount", "puncta", "countpuncta", "gfppunctanumber"}},
	}}},
	"fluo-cell-counting-2d-cellfmcount": {{deliverable: "centroids_per_image", columns: []column{
		{name: "X", role: xPixel, also: xNames}, {name: "Y", role: yPixel, also: yNames},
	}}},
	"microglia-phenotype-progression-bbbc054": {{deliverable: "cell_labels", columns: []column{
		{name: "frame", role: frameNo, also: frameNames},
		{name: "x", role: xPixel, also: xNames}, {name: "y", role: yPixel, also: yNames},
		{name: "predicted_phenotype", role: group, optional: true, also: []string{"predictedphenotype", "predictedlabel", "phenotype", "label", "class",
			"predictedclass", "morphology", "celltype", "type", "state", "classlabel", "prediction"}},
	}}},
	"smlm-localization-dnapaint": {{deliverable: "localization_list", form: lines, place: true, columns: []column{
		{name: "frame", role: frameNo, also: frameNames},
		{name: "x", role: xPixel, also: xNames}, {name: "y", role: yPixel, also: yNames},
		{name: "intensity", role: number, optional: true, also: []string{"intensity", "intensities", "photons", "nphotons", "amplitude", "brightness", "signal", "int", "i"}},
	}}},
	"phase-contrast-bacteria-tracking-toiam": {{deliverable: "tracking_lineage", form: lines, place: true, columns: []column{
		{name: "track_id", role: other, also: []string{"trackid", "id", "track", "label", "l", "cellid", "tracklabel"}},
		{name: "start", role: frameNo, also: []string{"start", "begin", "b", "startframe", "first", "firstframe", "framestart", "tstart", "t0", "birth"}},
		{name: "end", role: frameNo, also: []string{"end", "e", "endframe", "last", "lastframe", "frameend", "tend", "t1", "death"}},
		{name: "parent", role: other, also: []string{"parent", "p", "parentid", "parenttrack", "parentlabel", "mother", "motherid", "parenttrackid"}},
	}}},
	"fluo-dna-repair-foci-colocalization-sbsst227": {{deliverable: "coloc_results", columns: []column{
		{name: "condition", role: group, also: groups},
		{name: "start_normalized", role: fraction, also: []string{"startnormalized", "startnorm", "normalizedstart", "startnormalised",
			"normalisedstart", "normstart", "onsetnormalized", "normalizedonset", "startcolocnormalized", "relativestart"}},
	}}},
	"fluo-coronavirus-golgi-colocalization": {{deliverable: "per_cell_coefficients", columns: []column{
		{name: "condition", role: group, also: groups},
		{name: "spearman", role: fraction, also: []string{"spearman*", "coloc*", "coefficient*", "correlation*", "rho", "r", "scc", "pcc", "pearson*"}},
	}}, {deliverable: "pairwise_pvalues", columns: []column{
		{name: "condition_1", role: group, also: []string{"condition1", "group1", "a", "conditiona", "groupa", "left"}},
		{name: "condition_2", role: group, also: []string{"condition2", "group2", "b", "conditionb", "groupb", "right"}},
		{name: "p_value", role: number, also: []string{"p", "pvalue", "pval", "pvalue*", "padj", "padjusted"}},
	}}},
	"cytoplasm-nucleus-translocation-bbbc014": {{deliverable: "per_well_summary", columns: []column{
		{name: "well", role: other, also: []string{"well", "wellid", "wellname"}},
		{name: "cell_type", role: group, also: []string{"celltype", "cellline", "line", "cell", "cells"}},
		{name: "dose", role: number, also: []string{"dose", "concentration", "conc", "tnfdose", "tnfadose", "tnfalpha", "doseng", "dosengml", "tnf"}},
		{name: "mean_nuc_over_cyto_ratio", role: number, also: []string{"meannucovercytoratio", "nucovercytoratio", "meanratio", "ratio",
			"meannuccytoratio", "nuccytoratio", "meannucovercyto", "nucovercyto", "ncratio", "meanncratio", "meannucleartocytoplasmicratio"}},
	}}},
	"confocal-mosaic-4channel-stitching-ctc-model": {{deliverable: "summary_statistics", columns: []column{
		{name: "population", role: other, also: []string{"population", "celltype", "cell", "type", "group", "class"}},
		{name: "channel", role: other, also: []string{"channel", "marker", "stain", "channelname"}},
		{name: "feature", role: other, also: []string{"feature", "parameter", "measure", "metric", "measurement", "featurename"}},
		{name: "mean", role: number, also: []string{"mean", "average", "avg", "meanvalue", "value"}},
	}}},
}

// fold is a header cell without case, blanks, signs and what stands in brackets: "x [px]" folds to "x".
func fold(name string) string {
	var b strings.Builder
	depth := 0
	for _, r := range strings.ToLower(name) {
		switch {
		case r == '(' || r == '[' || r == '<':
			depth++
		case r == ')' || r == ']' || r == '>':
			depth = max(0, depth-1)
		case r == 'µ' || r == 'μ':
			b.WriteByte('u')
		case depth == 0 && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			b.WriteRune(r)
		}
	}
	return b.String()
}

// is tells whether a header cell means the column.
func (c column) is(cell string) bool {
	f := fold(cell)
	if f == fold(c.name) {
		return true
	}
	for _, name := range c.also {
		if f == name {
			return true
		}
		if start, open := strings.CutSuffix(name, "*"); open && strings.HasPrefix(f, start) {
			return true
		}
	}
	return false
}

// headerRows is how far down a header is looked for.
const headerRows = 20

// locate finds the header of a table and the places of the schema's columns in it, -1 for optional ones that are not
// there. The header is -1 where no row names all columns that are not optional; then columns stand where the schema has them.
func (s schema) locate(table rows) (header int, at []int) {
	for h, row := range table[:min(len(table), headerRows)] {
		if at, ok := s.columnsOf(row); ok {
			return h, at
		}
	}
	at = make([]int, len(s.columns))
	for i := range at {
		at[i] = i
	}
	return -1, at
}

func (s schema) columnsOf(row []string) (at []int, ok bool) {
	at = make([]int, len(s.columns))
	used := map[int]bool{}
	for i, c := range s.columns {
		at[i] = -1
		for k, cell := range row { // the exact name first
			if cell == c.name && !used[k] {
				at[i] = k
				break
			}
		}
		for k, cell := range row {
			if at[i] < 0 && !used[k] && c.is(cell) {
				at[i] = k
			}
		}
		if at[i] < 0 && !c.optional {
			return nil, false
		}
		if at[i] >= 0 {
			used[at[i]] = true
		}
	}
	return at, true
}

// of is the place of the first column of a role, -1 if there is none.
func (s schema) of(r role, at []int) int {
	for i, c := range s.columns {
		if c.role == r {
			return at[i]
		}
	}
	return -1
}

// value is the number in a row's cell.
func value(row []string, at int) (float64, bool) {
	if at < 0 || at >= len(row) {
		return 0, false
	}
	return tabular.Float(row[at])
}
