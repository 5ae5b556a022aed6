// Package raster turns image files into Stacks (pixels that are not read yet, for the screen) and Arrays (the first
// series as the reference evaluator sees it, for scoring).
//
// One decoder, two policies (spec/formats.md): File.Array is the scoring policy: first series, the reference's axes,
// stored numbers, its refusals. File.Stack is the display policy: open as much as possible, five axes T Z C Y X,
// calibration and channel names.
//
// open.go opens files by their content; tiffsource.go, picturesource.go and arraysource.go bring the decoders below into
// one form (series.go); folder.go does the same with the files of a folder, names.go reads places from their names and
// shelf.go keeps a few of them open. stack.go and axes.go are the display policy, region.go and means.go give parts of planes that are
// too large to be held whole, mosaic.go lays tiles out, inks.go turns inks into colours, cache.go holds planes; facts.go says what a file tells of its pixels; hash.go names an array's content.
//
// Below lie tiff (with LSM, STK, OME, ImageJ), picture (PNG, BMP, JPEG), npy, and what they share: pixel, parallel,
// inflate, ycbcr.
//
// Opening reads headers only. Sizes that a file claims are checked before memory is taken. Errors are *fault.Error.
package raster

import "coverslip/datasets/raster/pixel"

// The nouns of package pixel, under this package's own name.
type (
	Type   = pixel.Type
	Plane  = pixel.Plane
	Array  = pixel.Array
	Header = pixel.Header
)

// Element types.
const (
	Bool    = pixel.Bool
	Uint8   = pixel.Uint8
	Int8    = pixel.Int8
	Uint16  = pixel.Uint16
	Int16   = pixel.Int16
	Uint32  = pixel.Uint32
	Int32   = pixel.Int32
	Uint64  = pixel.Uint64
	Int64   = pixel.Int64
	Float16 = pixel.Float16
	Float32 = pixel.Float32
	Float64 = pixel.Float64
)

// Shape is the extent of a Stack along T Z C Y X. T, Z and C are at least 1.
type Shape struct{ T, Z, C, Y, X int }

// Calibration holds physical sizes: X, Y, Z in micrometres per pixel, T in seconds per frame; 0 means unknown.
type Calibration struct {
	X, Y, Z, T float64
	Source     string // where the numbers come from: "OME-XML", "ImageJ", "task_spec.yaml"
}

// Channel is what a file says of one channel. Lo < Hi is a display range, else there is none.
type Channel struct {
	Name   string
	Colour [3]uint8 // R G B; all zero means none given
	Lo, Hi float64
	// LUT is the file's own table of colours, R G B from the low end of the display range to the high end; nil means none.
	// It may be any: Fire, or one that runs from white to black. Colour is its last entry then.
	LUT *[256][3]uint8
}
