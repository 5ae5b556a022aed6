// Package table scores answers that are tables of measurements (spec/scorers-tables.md): puncta per nucleus, onsets of
// colocalization, colocalization coefficients of conditions, translocation by dose, and classed cells over time.
//
// The way of a number is the same in each: read the tables with the strict reader, so that only what the reference sees
// is there; pair or group the rows; mark each pair, surplus, gap or question; add up. A mark's Pred and Truth are the
// places of the judged rows among the records of their files, the header being 0; it names a group by Key where no single
// row is meant. Images are what the score averages over: images of nuclei, conditions, comparisons, cell types, frames.
package table
