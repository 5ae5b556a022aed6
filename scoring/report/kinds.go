package report

// Kind says what a mark judges.
type Kind string

const (
	TP          Kind = "TP"           // matched, IoU >= 0.75
	Weak        Kind = "weak match"   // matched, 0.5 <= IoU < 0.75
	FP          Kind = "FP"           // answer object without partner
	FN          Kind = "FN"           // truth object without partner
	Split       Kind = "split"        // one truth object under several answer objects; diagnostic
	Merge       Kind = "merge"        // one answer object over several truth objects; diagnostic
	LooseTruth  Kind = "loose truth"  // truth foreground that belongs to no instance
	LooseAnswer Kind = "loose answer" // answer foreground that belongs to no instance
	Whole       Kind = "image"        // a whole image that could not be scored, or an empty pair that scores 0

	// Tracks.
	IDSwitch     Kind = "ID switch"       // an answer track passes from one truth track to another
	MissedLink   Kind = "missing link"    // truth continues, answer does not
	SpuriousLink Kind = "spurious link"   // answer continues, truth does not
	MissedDivide Kind = "missed division" // truth divides, answer does not
	FalseDivide  Kind = "false division"  // answer divides, truth does not
	WrongParent  Kind = "wrong parent"    // both divide, the parents differ
	// Points and lists.
	CountError Kind = "count error"  // how many there are in an image or condition
	Duplicate  Kind = "duplicate"    // a second answer for one truth
	OutOfRange Kind = "out of range" // outside the image, the movie or what the value may be
	WrongClass Kind = "wrong class"  // matched, the label differs
	// Pixels and lines.
	MissedPixels Kind = "missed pixels" // a region or piece of line of the truth that the answer lacks
	ExtraPixels  Kind = "extra pixels"  // one of the answer that the truth lacks
	// Tables and curves.
	ValueError   Kind = "value error"   // a number differs from the expected one
	Unmatched    Kind = "unmatched key" // a row, group or file of one side has no partner
	MissingValue Kind = "missing value" // a column, row, cell, sheet or group that is asked for is not there
	Unparsed     Kind = "not a number"  // a row or cell that cannot be read
)
