// Package report holds what a scorer says: a Result, the reference's Metrics record, Marks and Notes.
//
// Annotate, then count: a scorer marks objects first and derives its numbers from the marks, so that picture and number
// cannot disagree. Package scoring re-exports these types under its own name.
package report

// Report is the outcome of scoring one run of one task.
type Report struct {
	TaskID    string
	Result    Result
	Threshold float64 // result_pass_threshold of the rubric, 0.5 if not given
	Primary   string  // the metric that Result is the mean of, as used ("dice")
	Metrics   *Record // the reference calculator's dict without run_metrics, its field names and order
	Images    []Image // one judged image pair (or unpaired truth) each, in the reference's order
	Marks     []Mark  // of all images, in image order
	Notes     []Note
	// NeedsReview says why a person should look before the score is taken at face value, "" if there is no reason: files
	// paired with low confidence, images that could not be compared, a part that was not judged. Where there is no result,
	// or Result has a Reason, that says it already.
	NeedsReview string
	Gains       bool   // a mark's Cost is what fixing it alone would gain; such costs do not add up to 1 - score
	Estimated   bool   // these gains are estimates, since the exact ones take longer than the score: scoring.Gains has them
	Method      []Line // how Result comes about, in the scorer's words and with this run's values; Explain adds the rest
}

// Result is a number or none with a reason. Zero and none never look alike.
type Result struct {
	Value  float64
	None   bool   // not outcome-evaluable: the reference gives null
	Reason string // why there is none, or why it is 0 without anything judged
}

// ImageOf is the row that a mark belongs to; the zero Image for a mark of the whole run.
func (r *Report) ImageOf(m Mark) Image {
	if m.Image < 0 || m.Image >= len(r.Images) {
		return Image{}
	}
	return r.Images[m.Image]
}

// Passed tells whether the result reaches the threshold; none never does.
func (r *Report) Passed() bool { return !r.Result.None && r.Result.Value >= r.Threshold }

// Status says how an image pair fared.
type Status string

const (
	Scored        Status = "scored"
	ShapeMismatch Status = "shape_mismatch"
	Unreadable    Status = "unreadable"
	MissingAnswer Status = "missing"
)

// Image is one row that the score averages over.
type Image struct {
	Compartment string // "nuclei", "cytoplasm"; "" where a task has one
	Name        string // stem of the truth file: the name the user knows the image by
	Pred, Truth string // paths; Pred "" when missing
	Status      Status
	Reason      string  // why it was not scored
	Scores      Scores  // of instance segmentation
	Value       float64 // the primary metric of this image, unrounded; NaN for the reference's null or where it has none of its own
	PredShape   []int   // as the reference sees them
	TruthShape  []int

	// Pixel counts of the foreground (value > 0): answer, truth, both.
	PredPixels, TruthPixels, Both int
	NPred, NTruth                 int // instances
}

// Scores are unrounded figures of one image. NaN stands for the reference's null.
type Scores struct{ Dice, IoU, AP50, AP75, PQ, BoundaryF1 float64 }

// ID is an object's label as the reference keys it: truncated to a signed 64-bit integer. 0 is background.
type ID = int64

// Mark is one judged thing. Coordinates are array indices; boxes are half open.
type Mark struct {
	Kind   Kind
	Image  int  // index into Report.Images
	Pred   ID   // 0: none
	Truth  ID   // 0: none
	Others []ID // for split the answer parts, for merge the truth parts, by falling overlap

	T       int     // frame, 0-based
	Z, Y, X float64 // centroid of the object (answer object for FP and merge, else truth), in pixels
	Box     Box     // of both objects together
	Area    int     // pixels (voxels) of answer object and of truth object united

	IoU float64
	// Wrong is the number of foreground pixels this mark answers for: those of the answer object outside the truth's
	// foreground plus those of the truth object outside the answer's. Over the non-diagnostic marks of an image it
	// adds up to PredPixels + TruthPixels - 2*Both, so that the sum of Wrong/(PredPixels+TruthPixels) is 1 - Dice.
	Wrong int
	// Cost is this mark's share of 1 - Result.Value before the reference rounds; over non-diagnostic marks it adds up.
	// Wrong and Cost of a diagnostic mark repeat, summed, those of the official marks of the objects it names.
	Cost float64
	// Key names what is judged where it is no object in an image: a well, a condition, a column, a sheet; "" otherwise.
	// Found and Expected are the compared values of a value error; both 0 otherwise.
	Key             string
	Found, Expected float64

	Diagnostic bool   // the official score does not know this kind
	Text       string // one line in plain words
}

// Box is a bounding box, half open: Z0 <= z < Z1. Two-dimensional images have Z0 = 0, Z1 = 1.
type Box struct{ Z0, Y0, X0, Z1, Y1, X1 int }

// Level says how much a note matters.
type Level string

const (
	Info    Level = "info"
	Warning Level = "warning"
)

// Note is a remark that a biologist can act on.
type Note struct {
	Level Level  `json:"level"`
	File  string `json:"file,omitempty"`
	Text  string `json:"text"`
	Fix   string `json:"fix,omitempty"`
}
