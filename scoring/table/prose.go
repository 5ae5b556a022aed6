package table

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"coverslip/datasets/tabular"
	"coverslip/datasets/tabular/python"
)

// space is white space as the reference's patterns have it.
const space = `[\t-\r\x1c-\x20\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}]`

var (
	versus = regexp.MustCompile(`(?i)` + space + `+vs\.?` + space + `+`)
	stated = regexp.MustCompile(`(?i)p[- ]?value` + space + `*[:=]` + space + `*([0-9e+\-.]+)`)
)

// afterNames finds two names and a number, separated by white space alone.
func afterNames(a, b string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)` + regexp.QuoteMeta(a) + space + `+` + regexp.QuoteMeta(b) + space +
		`+([-+]?\p{Nd}*\.?\p{Nd}+(?:e[-+]?\p{Nd}+)?)`)
}

// found is a p-value in a text.
type found struct {
	p    *float64
	file string
}

// searchTexts looks for p-values that no table reported in all texts of the answer, supporting ones included: first as
// "... p-value: x" in a line with both names, then as a row of both names and a number (spec/scorers-tables.md 4.6). Files
// are read one at a time; the first hit counts, a statement before any row.
func (g *golgi) searchTexts() error {
	var open []*comparison
	for _, c := range g.comparisons {
		if c.p == nil {
			open = append(open, c)
		}
	}
	if len(open) == 0 {
		return nil
	}
	rows := make([]found, len(open))
	for _, path := range downward(g.Run.Dir) {
		if err := g.Ctx.Err(); err != nil {
			return err
		}
		if !isText(path) {
			continue
		}
		raw, err := tabular.ReadRaw(path)
		if err != nil {
			g.Warn(g.Shown(path), "This text was not searched for p-values: "+err.Error(), "")
			continue
		}
		text := tabular.StrictText(raw)
		lines := &lineSearch{text: text}
		for i, c := range open {
			if c.p == nil {
				if p := lines.statement(c); p != nil {
					c.p, c.from = p, path
				}
			}
			if rows[i].p == nil {
				rows[i] = found{lines.row(c), path}
			}
		}
	}
	for i, c := range open {
		if c.p == nil && rows[i].p != nil {
			c.p, c.from = rows[i].p, rows[i].file
		}
	}
	return nil
}

// isText tells the suffixes of files that are searched. A name that starts with its only dot has no suffix.
func isText(path string) bool {
	name := filepath.Base(path)
	suffix := filepath.Ext(name)
	return suffix != name && slices.Contains([]string{".txt", ".md", ".log", ".csv"}, python.Lower(suffix))
}

// lineSearch searches one text; it splits and lowers only what may hold something.
type lineSearch struct {
	text  string
	lines []string // of text, nil until needed
	lower []string // the lines that state a p-value, lowered; nil until needed
	plain []string // the same lines as they are
	known bool
}

func (s *lineSearch) split() []string {
	if s.lines == nil {
		s.lines = python.Lines(s.text)
	}
	return s.lines
}

// statement is the first number that a line with both names states as a p-value.
func (s *lineSearch) statement(c *comparison) *float64 {
	if !s.known {
		s.known = true
		if stated.MatchString(s.text) {
			for _, line := range s.split() {
				if l := python.Lower(line); strings.Contains(l, "p-value") || strings.Contains(l, "p value") {
					s.lower, s.plain = append(s.lower, l), append(s.plain, line)
				}
			}
		}
	}
	left, right := python.Lower(c.left), python.Lower(c.right)
	for i, l := range s.lower {
		if !strings.Contains(l, left) || !strings.Contains(l, right) {
			continue
		}
		if m := stated.FindStringSubmatch(s.plain[i]); m != nil {
			if v, ok := python.Float(m[1]); ok {
				return &v
			}
		}
	}
	return nil
}

// row is the first number that follows both names, either way round.
func (s *lineSearch) row(c *comparison) *float64 {
	forward, backward := afterNames(c.left, c.right), afterNames(c.right, c.left)
	if !forward.MatchString(s.text) && !backward.MatchString(s.text) {
		return nil
	}
	for _, line := range s.split() {
		for _, pattern := range []*regexp.Regexp{forward, backward} {
			if m := pattern.FindStringSubmatch(python.Trim(line)); m != nil {
				if v, ok := python.Float(m[1]); ok {
					return &v
				}
			}
		}
	}
	return nil
}
