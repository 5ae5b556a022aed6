// Package line scores binary masks of line-like structures: filaments in planes and vessels in volumes, against a truth of
// the same kind (spec/scorers-segmentation-tracking.md 5 and 6).
//
// The way of a number: a file becomes a bit mask (value > 0). Compare counts the foreground of both masks and what they
// share, and thins both to lines to see how much of each line the other mask covers. The pixels in which the masks differ fall
// into connected regions; each is a mark with its part of the loss where the rubric's metric splits over pixels, else with
// what the score would gain if it alone were right. Of clDice that is an estimate at first in the report of a large run;
// Gains makes it exact.
package line
