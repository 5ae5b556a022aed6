// Package board brings many runs together: the local leaderboard of evaluated submissions, and the published leaderboard,
// which is built from one file per configuration of an agent, an entry (spec/contract.md 8).
//
// Locally, Collect reads the runs of a tree of evaluations and Local pools them by agent. For the published board, Check
// says what is wrong with an entry, Read gives it as a value, Aggregate makes a row of it and Publish the board; Pack goes
// the other way and makes an entry of evaluated runs. Names, order and rounding of fields are the reference's.
package board
