package biabench

import (
	"cmp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// The reference's YAML reader takes a tab for an error everywhere but inside quotes, block texts and comments. Our YAML
// library is kinder. strayTab finds such a tab in a text that is otherwise fine: it walks over the text once and skips
// quotes, block texts and comments, which begin where the nodes say.

// strayTab gives the line of the first tab that is an error, or 0.
func strayTab(doc *yaml.Node, text string) int {
	if !strings.Contains(text, "\t") {
		return 0
	}
	starts := quotedNodes(doc, nil)
	slices.SortFunc(starts, func(a, b *yaml.Node) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column)) })
	s := tabScanner{text: text, line: 1, column: 1}
	for s.at < len(s.text) {
		for len(starts) > 0 && s.reached(starts[0]) {
			if s.skipProperties(); s.stray != 0 {
				return s.stray
			}
			s.skipQuoted()
			starts = starts[1:]
		}
		if s.at >= len(s.text) {
			break
		}
		switch {
		case s.text[s.at] == '\t':
			return s.line
		case s.text[s.at] == '#' && (s.at == 0 || strings.IndexByte(" \t\n\r", s.text[s.at-1]) >= 0):
			s.skipLine()
		default:
			s.step()
		}
	}
	return s.stray
}

// quotedNodes lists the scalars that may hold tabs.
func quotedNodes(n *yaml.Node, found []*yaml.Node) []*yaml.Node {
	const quoted = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	if n.Kind == yaml.ScalarNode && n.Style&quoted != 0 {
		return append(found, n)
	}
	for _, child := range n.Content {
		found = quotedNodes(child, found)
	}
	return found
}

// tabScanner is a place in a YAML text. Columns count characters, as the library's do.
type tabScanner struct {
	text         string
	at           int
	line, column int
	stray        int // line of a tab where none may be
}

func (s *tabScanner) reached(n *yaml.Node) bool {
	return s.line > n.Line || s.line == n.Line && s.column >= n.Column
}

// step moves over one byte and counts characters and lines.
func (s *tabScanner) step() {
	switch c := s.text[s.at]; {
	case c == '\n', c == '\r' && !strings.HasPrefix(s.text[s.at+1:], "\n"):
		s.line++
		s.column = 1
	case c&0xC0 != 0x80 && c != '\r':
		s.column++
	}
	s.at++
}

func (s *tabScanner) skipLine() {
	for s.at < len(s.text) && s.text[s.at] != '\n' {
		s.step()
	}
}

// skipProperties moves over anchor and tag to the quote or block sign of a scalar.
func (s *tabScanner) skipProperties() {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; c {
		case '"', '\'', '|', '>':
			return
		case '\t':
			s.stray = s.line
			return
		case '&', '!':
			for s.at < len(s.text) && strings.IndexByte(" \t\r\n", s.text[s.at]) < 0 {
				s.step()
			}
		case '#':
			s.skipLine()
		default:
			s.step()
		}
	}
}

// skipQuoted moves behind a quoted or block scalar.
func (s *tabScanner) skipQuoted() {
	if s.at >= len(s.text) {
		return
	}
	switch quote := s.text[s.at]; quote {
	case '"', '\'':
		s.step()
		for s.at < len(s.text) {
			c := s.text[s.at]
			next := s.text[s.at+1:]
			switch {
			case quote == '"' && c == '\\' && next != "", quote == '\'' && c == '\'' && strings.HasPrefix(next, "'"):
				s.step()
				s.step()
				continue
			case c == quote:
				s.step()
				return
			}
			s.step()
		}
	default:
		s.skipBlock()
	}
}

// skipBlock moves behind a block text: its header line, then all lines that are blank or indented like the first.
func (s *tabScanner) skipBlock() {
	for s.at < len(s.text) && s.text[s.at] != '\n' {
		switch s.text[s.at] {
		case '\t':
			s.stray = s.line
			return
		case '#':
			s.skipLine()
			continue
		}
		s.step()
	}
	indent := -1
	for s.at < len(s.text) {
		rest := s.text[s.at+1:] // s stands on the end of the line before
		line, _, _ := strings.Cut(rest, "\n")
		if body := strings.TrimLeft(line, " "); body != "" && body != "\r" {
			depth := len(line) - len(body)
			if indent < 0 && depth > 0 {
				indent = depth
			}
			if depth < indent || indent < 0 {
				return
			}
		}
		s.step()
		s.skipLine()
	}
}
