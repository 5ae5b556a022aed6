// Package point scores counts of cells: tables of points, one per image, against a truth of the same kind
// (spec/scorers-segmentation-tracking.md 4).
//
// The official score compares how many points there are, not where: each image gives 1 - |answer - truth| over a
// denominator, a missing image gives 0, and the score is their mean. So the marks that carry costs are one per image; the
// marks of single points (matched, missed, extra, duplicate) are diagnostics and make up precision, recall and F1.
package point
