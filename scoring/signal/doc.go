// Package signal scores the four tasks whose answers are signals rather than label images (spec/scorers-signals.md):
//
//	Localisations  lists of localised molecules, frame by frame            smlm*.go
//	Kinetics       curves over time in the sheets of workbooks             kinetics*.go
//	Mosaic         the size and band profiles of a mosaic, a table of means mosaic*.go
//	Kymographs     speed kymographs and the direction of velocity fields   kymograph*.go
//
// Each calculator finds its files, compares, writes one mark for each thing that takes something from the score, and
// derives the figures of its record. Costs of the marks that are not diagnostic add up to 1 - score: where weights of
// the rubric leave a rest, a mark of kind Whole names it (balance).
//
// scorer.go holds what the calculators share, config.go reads the rubric's numbers, notes.go the remarks on runs.
package signal
