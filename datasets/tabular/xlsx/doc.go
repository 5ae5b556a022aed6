// Package xlsx reads the cells of .xlsx workbooks: text, numbers, booleans, dates, cached results of formulas. It reads
// nothing else: no styles beyond what tells a date from a number, no charts, no formulas.
//
// There are two views on one reading. The display view (Workbook.Sheets) shows every cell. The strict view
// (Workbook.Strict) is what the reference's reader yields (spec/formats.md 7 and 13.9, spec/scorers-signals.md 3.2): the
// window that the sheet states as its dimensions, from A1 to its lower right corner; rows that go back are dropped;
// durations are dates; the strict namespace has no sheets; a sheet whose part is absent is left out.
//
// A file is read with its own scanner and not with a library, since the libraries give one reading, the display's, as
// formatted text, and hide what the strict one depends on.
//
// Cells in the form that nearly all have are taken in one step (usual.go), and the sheets of a workbook that is not large
// are read at the same time (sheets.go); neither changes what is read.
//
// Sizes are bounded before memory is taken: parts and their sum, members, rows, cells, nesting, the length of a text.
package xlsx
