package report

// Exhibit is what was judged for one row of a report, in a form that can be drawn: points, tracks, fields, curves, a plate, values by
// group. Label images and masks are not in it, since their files are drawn as they are. It is read from the files when somebody
// looks, so that scoring itself stays fast, and by the same rules as the scorer's. Coordinates are array indices in pixels, frames
// and slices from 0, as in Mark.
type Exhibit struct {
	Points []PointSet
	Tracks []TrackSet
	Fields []Field
	Pairs  []Pair
	Graphs []Graph
	Plate  *Plate
	Tables []Crosstab
	Groups []Groups
	Notes  []Note
}

// Side tells whose something is.
type Side uint8

const (
	AnswerSide Side = iota
	TruthSide
)

// PointSet is the points of one side: all frames and slices of the row.
type PointSet struct {
	Side    Side
	Radius  float64  // pixels within which two points count as matched; 0: there is no such distance
	Classes []string // what Point.Class counts, the same list on both sides
	Value   string   // what Point.Value is, with its unit; "" where there is none
	Points  []Point
}

// Point is one point.
type Point struct {
	ID      ID      // as Mark.Pred or Mark.Truth names it
	Partner ID      // of the other side, 0: none
	T       int     // frame
	Z, Y, X float64 // pixels
	Class   int     // index into Classes, -1: none
	Value   float64 // NaN: none
	Verdict Kind    // TP, FP, FN, WrongClass ...; "" where the point is not judged
}

// TrackSet is the tracks of one side, by rising id.
type TrackSet struct {
	Side   Side
	Frames int // of the movie of that side
	Tracks []Track
}

// Track is one object over time. Parent is the track that it comes from by division, 0: none.
type Track struct {
	ID, Parent ID
	Steps      []Step // by rising T; a frame that is missing is a gap
}

// Step is where a track is in one frame: the centroid of its label.
type Step struct {
	T       int
	Z, Y, X float64
	Partner ID   // track of the other side that it is matched with in this frame, 0: none
	Verdict Kind // of the cell itself: TP, Weak, FP, FN; "" where it is not judged
	// Link is what is wrong with what leads on from here, along the track or to a daughter: MissedLink, SpuriousLink, WrongClass
	// (a link of the wrong kind), IDSwitch, MissedDivide, FalseDivide, WrongParent; "" for nothing. Of several the gravest stands.
	Link Kind
}

// Field is a vector field over the image: two files with one value per pixel, along y and along x.
type Field struct {
	Side         Side
	DY, DX       string // paths
	T            int    // frame that it belongs to
	Unit         string // of both ("µm/h")
	Name         string
	StepY, StepX float64 // pixels of the image per element of the field, along y and x; 1 where they agree
}

// Pair is two scalar images that are compared with each other and lie over no input: kymographs, difference maps. Either path may be
// "" where that side has none.
type Pair struct {
	Name          string
	Answer, Truth string  // paths
	Unit          string  // of the values
	YName, XName  string  // what the axes are, with their units
	YStep, XStep  float64 // of YName and XName per row and column; row and column 0 begin at 0
	Lo, Hi        float64 // common limits of contrast; Lo >= Hi: from the data
	Places        []Place // places marked on the X axis, such as where the comparison ends
}

// Graph is curves over one pair of axes.
type Graph struct {
	Name         string // short, unique in the exhibit
	Title        string
	XName, YName string // with units
	XLog         bool   // X spans powers of ten: to be drawn by its logarithm, with 0 apart at the left
	Equal        bool   // X and Y are of one kind: to be drawn at one scale, with the line Y = X
	Curves       []Curve
	Places       []Place // places marked on the X axis, such as an onset
	// FrameAt0 and FrameStep tie X to the frames of the input: frame = FrameAt0 + x/FrameStep. FrameStep 0: X is no time.
	FrameAt0, FrameStep float64
	Slices              bool // X counts slices (z) of the input
}

// Curve is one curve of a graph. NaN in Y is a gap.
type Curve struct {
	Name  string
	Side  Side
	X, Y  []float64
	Loose bool      // points that no line joins
	IDs   []ID      // of the points, as Mark.Pred or Mark.Truth of the curve's side names them; nil: none
	Rows  []int     // of the report, that the points belong to; nil: none
	Error []float64 // half the length of the bar at each point, such as a standard deviation; nil: none
}

// Place is a place marked on the X axis of a graph.
type Place struct {
	Name string
	Side Side
	X    float64
}

// Plate is a multi-well plate.
type Plate struct {
	Rows, Columns int
	Value         string // what Well.Value is
	Wells         []Well // only those that the answer or the plate map knows
}

// Well is one well of a plate. Row and Column count from 0.
type Well struct {
	Row, Column int
	Name        string  // "A01"
	Group       string  // cell type
	Dose        float64 // NaN: unknown
	Value       float64 // NaN: none
	Verdict     Kind    // "" for a well in order
	Text        string  // what is wrong with it
	ID          ID      // its row in the answer's table, as Mark.Pred names it; 0: none
	Images      []string
}

// Crosstab counts pairs by what the truth and what the answer calls them.
type Crosstab struct {
	Name    string
	Truth   []string // names of the rows
	Answer  []string // names of the columns
	Numbers [][]int  // by row of Truth, then column of Answer
}

// Groups is values by group: conditions, classes, cell types.
type Groups struct {
	Name   string
	Value  string // what the values are, with unit
	Groups []Group
	Tests  []Comparison
}

// Group is the values of one group of one side.
type Group struct {
	Name   string
	Side   Side
	Values []float64
	IDs    []ID     // rows of the values, as Mark.Pred or Mark.Truth names them; nil: none
	Rows   []int    // of the report, that the values belong to; nil: none
	Images []string // files of the input that the values were measured in, "" where unknown; nil: none
}

// Comparison is what was tested between two groups: a difference, or without a P an order of their medians.
type Comparison struct {
	Row         int // of the report that judges it, -1: none
	Left, Right string
	P           float64 // NaN: none
	Expected    bool    // that they differ
	Met         bool
	Text        string
}

// Warn adds a note on a file.
func (x *Exhibit) Warn(file, text string) {
	x.Notes = append(x.Notes, Note{Level: Warning, File: file, Text: text})
}
