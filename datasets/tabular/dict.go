package tabular

// Dict gives access to records by the names in a header, as the reference's dictionary reader does
// (spec/scorers-tables.md 1.5): the first record is the header, even an empty one; empty lines after it are no rows.
type Dict struct {
	Names   []string // the header's cells as they are
	columns map[string]int
	rows    Records
	record  []int // of each row in the file, 0 is the header
}

// NewDict takes the first record as header. Without records there are no names and no rows.
func NewDict(records Records) *Dict {
	d := &Dict{columns: map[string]int{}}
	if len(records) == 0 {
		return d
	}
	d.Names = records[0]
	for i, name := range d.Names {
		d.columns[name] = i // the last of equal names counts
	}
	d.rows = make(Records, 0, len(records)-1)
	d.record = make([]int, 0, len(records)-1)
	for i, r := range records[1:] {
		if len(r) > 0 {
			d.rows = append(d.rows, r)
			d.record = append(d.record, i+1)
		}
	}
	return d
}

// Len is the number of rows. The row numbers of the reference count from 0 to Len-1.
func (d *Dict) Len() int { return len(d.rows) }

// Has tells whether a column of exactly this name is there.
func (d *Dict) Has(name string) bool {
	_, ok := d.columns[name]
	return ok
}

// Get is the cell of a row in the last column of that name. It is absent, which is not the same as empty, where there is
// no such column or the row is too short.
func (d *Dict) Get(row int, name string) (cell string, present bool) {
	c, ok := d.columns[name]
	if !ok || c >= len(d.rows[row]) {
		return "", false
	}
	return d.rows[row][c], true
}

// Surplus lists the cells of a row behind the last column of the header.
func (d *Dict) Surplus(row int) []string {
	if r := d.rows[row]; len(r) > len(d.Names) {
		return r[len(d.Names):]
	}
	return nil
}

// Record is the place of a row among the records of the file, where 0 is the header.
func (d *Dict) Record(row int) int { return d.record[row] }
