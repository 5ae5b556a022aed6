package table

import (
	"os"
	"path/filepath"

	"coverslip/datasets/tabular"
	"coverslip/datasets/tabular/python"
	"coverslip/scoring/report"
)

// sheet is a table as the reference reads it.
type sheet struct {
	*tabular.Dict
	path    string
	records tabular.Records
	err     error // what the reading ends with; the rows before it are there
}

func readSheet(path string) sheet {
	records, err := tabular.ReadCSVFile(path)
	return sheet{tabular.NewDict(records), path, records, err}
}

// id is the name of a row in marks: its place among the records of the file.
func (s sheet) id(row int) report.ID { return report.ID(s.Record(row)) }

// column is a name of a header in its normal form, with the text that addresses it.
type column struct{ normal, name string }

// columns lists the header's names by the place of their first appearance; of names with one normal form the last text
// stays. distinct tells that of equal texts only the first counts as an appearance, as in a row that became a mapping.
func (s sheet) columns(normal func(string) string, distinct bool) []column {
	var list []column
	at, seen := map[string]int{}, map[string]bool{}
	for _, name := range s.Names {
		if distinct && seen[name] {
			continue
		}
		seen[name] = true
		key := normal(name)
		if i, ok := at[key]; ok {
			list[i].name = name
			continue
		}
		at[key] = len(list)
		list = append(list, column{key, name})
	}
	return list
}

// find is the text of the first of the wanted names that is there.
func find(columns []column, wanted ...string) (string, bool) {
	for _, w := range wanted {
		for _, c := range columns {
			if c.normal == w {
				return c.name, true
			}
		}
	}
	return "", false
}

// lowered is a header's name in the form that most readers compare.
func lowered(name string) string { return python.Lower(python.Trim(name)) }

// finite reads a number that is neither NaN nor infinite, blanks of any kind around it.
func finite(cell string) (float64, bool) { return python.Finite(python.Trim(cell)) }

// number is a cell's plain number.
func (s sheet) number(row int, name string) (float64, bool) {
	cell, ok := s.Get(row, name)
	if !ok {
		return 0, false
	}
	return python.Float(cell)
}

// text is a trimmed cell, "" if it is absent.
func (s sheet) text(row int, name string) string {
	cell, _ := s.Get(row, name)
	return python.Trim(cell)
}

// downward lists the files below a folder in walking order: those of a folder before everything in its sub-folders, by
// name. Links to files count, folders behind links are not entered.
func downward(dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil && entries == nil {
		return nil
	}
	var files, folders []string
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if e.IsDir() {
			folders = append(folders, path)
		} else if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			files = append(files, path)
		}
	}
	for _, f := range folders {
		files = append(files, downward(f)...)
	}
	return files
}
