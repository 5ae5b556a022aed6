package table

import (
	"cmp"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"coverslip/datasets/biabench"
	"coverslip/datasets/tabular/python"
	"coverslip/scoring/numeric"
)

// quants is a table with one row per nucleus.
type quants struct {
	sheet
	conditions []string // of each row, canonical
	groups     []*group // by first appearance
	at         map[groupKey]*group
	skipped    []int // rows without a place or a count
}

// groupKey is an image of a condition, both in canonical form.
type groupKey struct{ condition, image string }

// group are the nuclei of one image, in file order.
type group struct {
	groupKey
	name   string // as written in the first row
	rows   []int
	points []numeric.Point // x, y, z
	counts []float64
}

// quantsOf finds the table of the truth: cell_quants.csv in the shallowest folder, else a file whose name holds that.
func quantsOf(dir string) (string, error) {
	files, err := biabench.ListFiles(dir)
	if err != nil {
		return "", errTruthFolder
	}
	slices.SortStableFunc(files, func(a, b string) int {
		return cmp.Compare(strings.Count(filepath.ToSlash(a), "/"), strings.Count(filepath.ToSlash(b), "/"))
	})
	for _, pattern := range []string{"cell_quants.csv", "*cell_quants*.csv"} {
		glob := biabench.CompileGlob(pattern)
		for _, f := range files {
			if glob.Match(filepath.Base(f)) {
				return f, nil
			}
		}
	}
	return "", nil
}

func readQuants(path string) (*quants, error) {
	q := &quants{sheet: readSheet(path), at: map[groupKey]*group{}}
	if q.err != nil {
		return nil, q.err
	}
	q.conditions = q.canonical("condition", canonicalCondition)
	images := q.canonical("Image name", canonicalImage)
	for row := range q.Len() {
		x, okX := q.number(row, "x")
		y, okY := q.number(row, "y")
		z, okZ := q.number(row, "z")
		n, okN := q.number(row, countColumn)
		if !okX || !okY || !okZ || !okN {
			q.skipped = append(q.skipped, row)
			continue
		}
		key := groupKey{q.conditions[row], images[row]}
		g, ok := q.at[key]
		if !ok {
			g = &group{groupKey: key}
			g.name, _ = q.Get(row, "Image name")
			q.at[key] = g
			q.groups = append(q.groups, g)
		}
		g.rows, g.points, g.counts = append(g.rows, row), append(g.points, numeric.Point{x, y, z}), append(g.counts, n)
	}
	return q, nil
}

// canonical puts a column into its canonical form. A column that is not there is empty text, a cell that is not there
// becomes the text "None", as the reference has it.
func (q *quants) canonical(column string, form func(string) string) []string {
	list := make([]string, q.Len())
	if !q.Has(column) {
		return list
	}
	known := map[string]string{}
	for row := range list {
		raw, ok := q.Get(row, column)
		if !ok {
			raw = "None"
		}
		text, seen := known[raw]
		if !seen {
			text = form(raw)
			known[raw] = text
		}
		list[row] = text
	}
	return list
}

// canonicalCondition maps the many names of the three constructs to one each; other names keep their letters and digits.
func canonicalCondition(label string) string {
	s := lowered(label)
	switch {
	case strings.Contains(s, "3dbd"):
		return "3dbdmut"
	case strings.Contains(s, "c129a"), strings.Contains(s, "h144a"):
		return "c129a_h144a"
	case strings.Contains(s, "wt"):
		return "wt"
	}
	return plainLetters(s)
}

// canonicalImage drops folders, "_trimmed" and the suffixes of TIFF files, and keeps letters and digits.
func canonicalImage(name string) string {
	s := strings.ReplaceAll(name, `\`, "/")
	s = python.Lower(s[strings.LastIndexByte(s, '/')+1:])
	s = strings.ReplaceAll(s, "_trimmed", "")
	s = strings.NewReplacer(".tiff", "", ".tif", "").Replace(s)
	return plainLetters(s)
}

// plainLetters keeps a to z and 0 to 9.
func plainLetters(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
}

// means are the means of a column by condition, in order of first appearance.
type means struct {
	order []string
	value map[string]float64
}

func (q *quants) means(column string) means {
	m := means{value: map[string]float64{}}
	count := map[string]int{}
	for row := range q.Len() {
		v, ok := q.number(row, column)
		name := q.conditions[row]
		if !ok || name == "" {
			continue
		}
		if count[name] == 0 {
			m.order = append(m.order, name)
		}
		count[name]++
		m.value[name] += v
	}
	for name, n := range count {
		m.value[name] /= float64(n)
	}
	return m
}

// common lists the conditions of both, sorted.
func (m means) common(other means) []string {
	var both []string
	for _, name := range m.order {
		if _, ok := other.value[name]; ok {
			both = append(both, name)
		}
	}
	slices.Sort(both)
	return both
}

// without lists the conditions that the other lacks, sorted.
func (m means) without(other means) []string {
	var left []string
	for _, name := range m.order {
		if _, ok := other.value[name]; !ok {
			left = append(left, name)
		}
	}
	slices.Sort(left)
	return left
}

// voxel is the edge of a cube of the table's upper median voxel volume, in micrometres; 0 if no row tells.
func (q *quants) voxel() float64 {
	var volumes []float64
	for row := range q.Len() {
		voxels, ok1 := q.number(row, "ROI volume pix")
		cubic, ok2 := q.number(row, "ROI volume um")
		if ok1 && ok2 && voxels > 0 && cubic > 0 {
			volumes = append(volumes, cubic/voxels)
		}
	}
	if len(volumes) == 0 {
		return 0
	}
	slices.Sort(volumes)
	v := volumes[len(volumes)/2]
	if math.IsNaN(v) {
		return v
	}
	return numeric.PowThird(v)
}
