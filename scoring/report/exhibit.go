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

// TrackSet is the tracks of one side.
type TrackSet struct {
	Side   Side
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
	Verdict Kind // TP, FP, FN of the node; a link or division error that begins here has its own kind
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
	Answer, Truth string // paths
	Unit          string // of the values
	YName, XName  string // what the axes are, with their units
	YStep, XStep  float64
	Lo, Hi        float64 // common limits of contrast; Lo >= Hi: from the data
}

// Graph is curves over one pair of axes.
type Graph struct {
	Name         string // short, unique in the exhibit
	Title        string
	XName, YName string // with units
	Curves       []Curve
	Places       []Place // places marked on the X axis, such as an onset
	// FrameAt0 and FrameStep tie X to the frames of the input: frame = FrameAt0 + x/FrameStep. FrameStep 0: X is no time.
	FrameAt0, FrameStep float64
}

// Curve is one curve of a graph. NaN in Y is a gap.
type Curve struct {
	Name string
	Side Side
	X, Y []float64
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
	Images      []string
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
}

// Comparison is what was tested between two groups.
type Comparison struct {
	Left, Right string
	P           float64 // NaN: none
	Expected    bool    // that they differ
	Met         bool
	Text        string
}
