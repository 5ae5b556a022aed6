// Package python holds the rules for text and numbers of the language that the reference scorer is written in, where Go's
// own differ: what counts as white space and as a line break, what float() and int() accept, and how a number is written.
// The source is spec/scorers-tables.md 1.3, 1.6 and 1.7. A scorer that is off here reads other numbers than the reference.
package python
