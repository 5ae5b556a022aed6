// Package tabular reads tables: CSV, TSV, text with white space, localisation lists, CTC lineages and, through its part
// xlsx, workbooks.
//
// Every table has two readings. The strict one decides scores and is the reference's, quirks included: ReadCSV, NewDict,
// Float and Int, ParseLineage, ParseLocalisations, xlsx.OpenStrict (spec/scorers-tables.md 1.3 to 1.6,
// spec/scorers-segmentation-tracking.md 3.2 and 4.2, spec/scorers-signals.md 2.3 and 3.2). The forgiving one is for people:
// Open guesses encoding, separator, decimal sign and header (spec/formats.md 6 and 7), shows as much as can be read, and
// says in its Notes where the scorer reads something else and what to do about it. Table.Strict puts the strict reading
// into the same form, so that both can stand side by side.
//
// Tables are kept whole in memory, text as one string whose parts the cells are, workbooks sparsely; a view asks for the
// cells in sight by index. Sizes are bounded before memory is taken.
//
// The parts: python holds the rules for numbers and white space, archive reads ZIP files within limits, xlsx workbooks.
package tabular
