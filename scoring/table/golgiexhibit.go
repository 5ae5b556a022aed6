package table

import (
	"context"
	"math"
	"path/filepath"
	"strings"

	"coverslip/datasets/biabench"
	"coverslip/scoring/call"
	"coverslip/scoring/report"
)

// GolgiExhibit reads the coefficients of a report of Golgi again: the values by condition as the score uses them, and what the
// report says of the comparisons and of the orderings of medians: all of them, or that of the row. There is no truth. The error
// is for a cancelled context.
func GolgiExhibit(ctx context.Context, task *biabench.Task, run *biabench.Run, rep *report.Report, row int) (*report.Exhibit, error) {
	return call.Show(ctx, task, run, rep, row, showGolgi)
}

func showGolgi(s *call.Showing) error {
	groups := report.Groups{Name: "coefficients", Value: "coefficient of colocalisation per cell"}
	if file := s.Answer("per_cell_coefficients"); file != "" {
		c, err := readCoefficients(file)
		if err != nil {
			s.Unread(report.AnswerSide, file, err)
		} else {
			groups.Groups = c.groups(cellImages(s.Task.Inputs))
			if len(groups.Groups) == 0 {
				s.Remark(s.Shown(file), "No row has a condition and a coefficient from -1 to 1")
			}
		}
	}
	expected, err := readExpectations(s.Task.Rubric.Metric)
	if err != nil {
		s.Out.Groups = append(s.Out.Groups, groups)
		return err
	}
	for _, e := range expected.comparisons {
		if m, ok := judgedTest(s, e.left+" vs "+e.right); ok {
			c := report.Comparison{Row: m.Image, Left: e.left, Right: e.right, P: m.Found, Expected: e.significant, Met: m.Kind == report.TP, Text: m.Text}
			if m.Kind == report.MissingValue {
				c.P = math.NaN()
			}
			groups.Tests = append(groups.Tests, c)
		}
	}
	for _, e := range expected.orderings {
		if m, ok := judgedTest(s, e.greater+" > "+e.less); ok {
			groups.Tests = append(groups.Tests, report.Comparison{Row: m.Image, Left: e.greater, Right: e.less, P: math.NaN(), Expected: true,
				Met: m.Kind == report.TP, Text: m.Text})
		}
	}
	s.Out.Groups = append(s.Out.Groups, groups)
	return nil
}

// judgedTest is the mark on a comparison or an ordering by the name of its row; only that of the row that is looked at.
func judgedTest(s *call.Showing, name string) (report.Mark, bool) {
	for _, m := range s.Of.Marks {
		if !m.Diagnostic && m.Key == name && s.Of.ImageOf(m).Name == name && (s.Row < 0 || m.Image == s.Row) {
			return m, true
		}
	}
	return report.Mark{}, false
}

// cellImages are the images of single cells by the condition that their folder is named after and their own name.
func cellImages(inputs []string) map[string]string {
	images := make(map[string]string, len(inputs))
	for _, file := range inputs {
		images[imageKey(filepath.Base(filepath.Dir(file)), filepath.Base(file))] = file
	}
	return images
}

// imageKey joins a condition with the name of an image in a folder or without, with its ending or without.
func imageKey(condition, name string) string {
	name = spaced(name[strings.LastIndexAny(name, `/\`)+1:])
	for _, ending := range []string{".tif", ".tiff"} {
		name = strings.TrimSuffix(name, ending)
	}
	return spaced(condition) + "/" + name
}

// groups are the conditions in the order of the table, without values that no correlation can have.
func (c *coefficients) groups(images map[string]string) []report.Group {
	var out []report.Group
	names, named := find(c.columns(lowered, false), "image", "image_name", "image name", "filename", "file_name", "file", "cell", "cell_id", "cell_name")
	for _, s := range c.list {
		g := report.Group{Name: s.name}
		for i, v := range s.values {
			if v < -1 || v > 1 {
				continue
			}
			g.Values = append(g.Values, v)
			if s.rows != nil {
				g.IDs = append(g.IDs, c.id(s.rows[i]))
			}
			if s.rows != nil && named {
				g.Images = append(g.Images, images[imageKey(s.name, c.text(s.rows[i], names))])
			}
		}
		if len(g.Values) > 0 {
			out = append(out, g)
		}
	}
	return out
}
