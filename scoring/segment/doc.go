// Package segment scores instance segmentations: label images, in which each object has its own number, against a truth
// of the same kind, in two or three dimensions (spec/scorers-segmentation-tracking.md 2).
//
// The way of a number: Count takes the Census of a pair of label images in one pass over runs of equal values (objects,
// foreground, overlaps). Annotate turns it into marks by the official assignment at IoU 0.5. The scores of an image are
// counted from its marks and its two foreground counts, so that picture and number cannot disagree; only the boundary
// score comes from the pixels. Single and Compartments are the two calculators: they find and pair files, judge each
// pair, average, and charge each mark with its share of what is missing to 1.
//
// Ids are 64-bit integers as the reference has them: truncated toward zero. A negative id (NaN, infinities and wrapped
// values among them) counts as an object without area; foreground that truncates to 0 belongs to no object.
package segment
