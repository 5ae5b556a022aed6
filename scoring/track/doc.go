// Package track scores cell tracking: a label movie and its lineage in the format of the Cell Tracking Challenge, against
// a truth of the same kind (spec/scorers-segmentation-tracking.md 3).
//
// The way of a number: a Movie gives one label image after the other; Count takes what each frame of both sides holds
// and pairs its cells by IoU. The nodes that result, together with the two lineages, make graphs, whose links are compared. The
// score is half SEG (mean IoU over the truth's cells) and half TRA (what it takes to mend the answer's graph, against
// drawing it from nothing). Each cell and each link is a mark with its part of the loss; divisions, identity switches,
// splits and merges are diagnostics.
//
// Labels are 64-bit integers; every value but 0 is a cell, negative ones too.
package track
