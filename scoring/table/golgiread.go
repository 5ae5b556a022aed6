package table

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"coverslip/datasets/biabench"
	"coverslip/datasets/tabular/python"
	"coverslip/scoring/numeric"
)

// coefficients are the values per cell by condition.
type coefficients struct {
	sheet
	list              []*series // by first appearance; after dropOutOfRange only those that have values
	all               []*series
	condition, column string // header texts; "" where none was recognised
	byName            bool   // read by column names; else two bare columns
	skipped           []int  // rows without a condition or a number
	dropped           int    // values outside -1 to 1
}

// series are the values of one condition as it is written.
type series struct {
	name   string
	values []float64
	rows   []int // of each value; nil for two bare columns
	out    []int // indices of rows whose value is out of range
	outVal []float64
}

func (s *series) median() float64 {
	sorted := slices.Clone(s.values)
	slices.Sort(sorted)
	return numeric.Median(sorted)
}

// fragments of a header that mark the column of coefficients, the best first.
var fragments = []string{"spearman", "coloc", "colocal", "coefficient", "coeff", "correlation", "rho", "value"}

// readCoefficients reads the table per cell (spec/scorers-tables.md 4.3).
func readCoefficients(path string) (*coefficients, error) {
	c := &coefficients{sheet: readSheet(path)}
	columns := c.columns(lowered, false)
	condition, ok1 := find(columns, "condition", "group", "stage", "sample", "label", "cond")
	value, ok2 := holding(columns, fragments)
	c.condition, c.column = condition, value
	switch {
	case ok1 && ok2:
		if c.err != nil {
			return nil, c.err
		}
		c.byName = true
		c.readRows()
	case c.err != nil && (len(c.records) == 0 || len(c.Names) == 2):
		return nil, c.err
	case len(c.Names) == 2:
		c.readPairs()
	}
	return c, nil
}

// holding is the first header, from the left, that holds the first fragment that any header holds.
func holding(columns []column, fragments []string) (string, bool) {
	for _, f := range fragments {
		for _, c := range columns {
			if strings.Contains(c.normal, f) {
				return c.name, true
			}
		}
	}
	return "", false
}

func (c *coefficients) readRows() {
	at := map[string]*series{}
	for row := range c.Len() {
		name := c.text(row, c.condition)
		cell, _ := c.Get(row, c.column)
		v, ok := finite(cell)
		if !ok || name == "" {
			c.skipped = append(c.skipped, row)
			continue
		}
		s := c.series(at, name)
		s.values, s.rows = append(s.values, v), append(s.rows, row)
	}
}

// readPairs reads records of two cells, the header among them.
func (c *coefficients) readPairs() {
	at := map[string]*series{}
	for _, r := range c.records {
		if len(r) != 2 {
			continue
		}
		name := python.Trim(r[0])
		if v, ok := finite(r[1]); ok && name != "" {
			s := c.series(at, name)
			s.values = append(s.values, v)
		}
	}
}

func (c *coefficients) series(at map[string]*series, name string) *series {
	s, ok := at[name]
	if !ok {
		s = &series{name: name}
		at[name] = s
		c.list = append(c.list, s)
	}
	return s
}

// dropOutOfRange takes out values that no correlation can have, and conditions that are left without any.
func (c *coefficients) dropOutOfRange() {
	c.all = c.list
	c.list = nil
	for _, s := range c.all {
		kept := s.values[:0:0]
		for i, v := range s.values {
			if v >= -1 && v <= 1 {
				kept = append(kept, v)
				continue
			}
			c.dropped++
			s.outVal = append(s.outVal, v)
			if s.rows != nil {
				s.out = append(s.out, s.rows[i])
			}
		}
		if s.values = kept; len(kept) > 0 {
			c.list = append(c.list, s)
		}
	}
}

// first are the values of the first condition of that normal form.
func (c *coefficients) first(name string) ([]float64, bool) {
	want := spaced(name)
	for _, s := range c.list {
		if spaced(s.name) == want {
			return s.values, true
		}
	}
	return nil, false
}

// pairwiseFiles lists the tables of p-values by name, in path order. There is no fallback to other names.
func pairwiseFiles(ctx context.Context, dir string) ([]string, error) {
	const pattern = "*pairwise*.csv"
	glob := biabench.CompileGlob(pattern)
	files, err := biabench.ListFiles(dir)
	if err != nil {
		return nil, err
	}
	root, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	named := slices.ContainsFunc(files, func(f string) bool {
		rel, err := filepath.Rel(root, f)
		rel = filepath.ToSlash(rel)
		first, _, below := strings.Cut(rel, "/")
		return err == nil && !(below && first == biabench.SupportingFolder) &&
			(glob.Match(python.Lower(filepath.Base(f))) || glob.Match(python.Lower(rel)))
	})
	if !named {
		return nil, nil
	}
	r := biabench.Resolve(ctx, dir, []biabench.Deliverable{{ID: "pairwise", Pattern: pattern, Multi: true}})
	return r.Deliverables[0].Files, ctx.Err()
}

// pvalues are reported p-values by ordered pair of conditions.
type pvalues struct {
	list []pvalue
	at   map[[2]string]int
}

type pvalue struct {
	a, b string // normalised
	p    float64
	file string
}

// readPValues reads the tables of p-values (spec/scorers-tables.md 4.5). The first entry of a pair counts, over all files.
func readPValues(files []string) (*pvalues, error) {
	t := &pvalues{at: map[[2]string]int{}}
	for _, f := range files {
		if err := t.read(f); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func (t *pvalues) read(path string) error {
	s := readSheet(path)
	if s.err != nil && len(s.records) == 0 {
		return s.err
	}
	columns := s.columns(lowered, false)
	var names []string
	for _, pair := range [][2]string{{"condition_1", "condition_2"}, {"group_1", "group_2"}, {"group1", "group2"}} {
		a, ok1 := find(columns, pair[0])
		b, ok2 := find(columns, pair[1])
		if ok1 && ok2 {
			names = []string{a, b}
			break
		}
	}
	if both, ok := find(columns, "comparison"); ok && names == nil {
		names = []string{both}
	}
	p, ok := find(columns, "holm_corrected_p", "corrected_p", "adjusted_p", "uncorrected_p", "p_value", "p-value", "pvalue", "p")
	if names == nil || !ok {
		return nil
	}
	if s.err != nil {
		return s.err
	}
	for row := range s.Len() {
		v, ok := s.number(row, p)
		if !ok {
			continue
		}
		if err := t.row(s, row, names, v); err != nil {
			return err
		}
	}
	return nil
}

func (t *pvalues) row(s sheet, row int, columns []string, p float64) error {
	var names []string
	for _, c := range columns {
		if _, ok := s.Get(row, c); !ok {
			return fmt.Errorf("row %d of %s has a p-value but no cell %s", s.id(row)+1, filepath.Base(s.path), c)
		}
		names = append(names, s.text(row, c))
	}
	if len(names) == 1 {
		names = versus.Split(names[0], -1)
	}
	if len(names) != 2 || python.Trim(names[0]) == "" || python.Trim(names[1]) == "" {
		return nil
	}
	key := [2]string{spaced(names[0]), spaced(names[1])}
	if _, ok := t.at[key]; !ok {
		t.at[key] = len(t.list)
		t.list = append(t.list, pvalue{key[0], key[1], p, s.path})
	}
	return nil
}

// between is the reported p-value of a pair: as listed, or listed the other way round if it is not there or exactly 0.
func (t *pvalues) between(left, right string) (*float64, string) {
	l, r := spaced(left), spaced(right)
	if i, ok := t.at[[2]string{l, r}]; ok && t.list[i].p != 0 {
		return &t.list[i].p, t.list[i].file
	}
	if i, ok := t.at[[2]string{r, l}]; ok {
		return &t.list[i].p, t.list[i].file
	}
	return nil, ""
}

// has tells whether a pair is listed either way round.
func (t *pvalues) has(left, right string) bool {
	l, r := spaced(left), spaced(right)
	_, ok1 := t.at[[2]string{l, r}]
	_, ok2 := t.at[[2]string{r, l}]
	return ok1 || ok2
}
