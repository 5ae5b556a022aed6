package biabench

import "slices"

// Glob is a compiled file name pattern: `*` any run of characters including '/', `?` one character, `[abc]`, `[a-z]`,
// `[!a]` one of or none of; everything else stands for itself (spec/contract.md 3.1). Matching takes time proportional
// to pattern times text at worst, whatever the pattern.
type Glob []globPart

// globPart is one element of a pattern.
type globPart struct {
	kind    globKind
	char    rune      // literal
	ranges  [][2]rune // class members
	negated bool
}

type globKind uint8

const (
	globLiteral globKind = iota
	globAny              // ?
	globStar             // *
	globClass            // [...]
)

// CompileGlob reads a pattern. Every text is a valid pattern.
func CompileGlob(pattern string) Glob {
	p := []rune(pattern)
	var g Glob
	for i := 0; i < len(p); {
		switch p[i] {
		case '*':
			if len(g) == 0 || g[len(g)-1].kind != globStar {
				g = append(g, globPart{kind: globStar})
			}
			i++
		case '?':
			g = append(g, globPart{kind: globAny})
			i++
		case '[':
			class, next := globClassAt(p, i)
			g = append(g, class)
			i = next
		default:
			g = append(g, globPart{char: p[i]})
			i++
		}
	}
	return g
}

// globClassAt reads the class that opens at p[open], or a literal bracket when it is never closed.
func globClassAt(p []rune, open int) (globPart, int) {
	i := open + 1
	negated := i < len(p) && p[i] == '!'
	if negated {
		i++
	}
	from := i + 1 // a ']' right here is a member
	if from > len(p) {
		return globPart{char: '['}, open + 1
	}
	length := slices.Index(p[from:], ']')
	if length < 0 {
		return globPart{char: '['}, open + 1
	}
	end := from + length
	part := globPart{kind: globClass, negated: negated}
	for i < end {
		if i+2 < end && p[i+1] == '-' {
			part.ranges = append(part.ranges, [2]rune{p[i], p[i+2]}) // a descending range holds nothing
			i += 3
			continue
		}
		part.ranges = append(part.ranges, [2]rune{p[i], p[i]})
		i++
	}
	return part, end + 1
}

func (p globPart) fits(r rune) bool {
	switch p.kind {
	case globAny:
		return true
	case globLiteral:
		return p.char == r
	}
	in := slices.ContainsFunc(p.ranges, func(g [2]rune) bool { return g[0] <= r && r <= g[1] })
	return in != p.negated
}

// Match tells whether the pattern matches the whole text.
func (g Glob) Match(text string) bool {
	t := []rune(text)
	i, j := 0, 0
	star, mark := -1, 0 // the last star, and where the text after it is tried from
	for j < len(t) {
		switch {
		case i < len(g) && g[i].kind == globStar:
			star, mark = i, j
			i++
		case i < len(g) && g[i].fits(t[j]):
			i++
			j++
		case star >= 0:
			mark++
			i, j = star+1, mark
		default:
			return false
		}
	}
	for i < len(g) && g[i].kind == globStar {
		i++
	}
	return i == len(g)
}
