package npy

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// dict is the header of an array, the text of a Python dictionary.
type dict struct {
	descr      string
	structured bool // the element type is a list of fields
	fortran    bool
	shape      []int64
}

// readDict reads the header's text. Keys may come in any order, with any spacing and either kind of quotes.
func readDict(text string) (d dict, err error) {
	s := &scanner{text: text}
	seen := map[string]bool{}
	if !s.take('{') {
		return d, errors.New("no dictionary")
	}
	for !s.take('}') {
		key, err := s.quoted()
		if err != nil {
			return d, err
		}
		if !s.take(':') || seen[key] {
			return d, fmt.Errorf("key %q", key)
		}
		seen[key] = true
		switch key {
		case "descr":
			d.descr, d.structured, err = s.descr()
		case "fortran_order":
			d.fortran, err = s.boolean()
		case "shape":
			d.shape, err = s.tuple()
		default:
			err = fmt.Errorf("key %q", key)
		}
		if err != nil {
			return d, err
		}
		if !s.take(',') && !s.peek('}') {
			return d, errors.New("a comma is missing")
		}
	}
	if !seen["descr"] || !seen["fortran_order"] || !seen["shape"] {
		return d, errors.New("a key is missing")
	}
	return d, nil
}

// scanner walks over Python literals.
type scanner struct{ text string }

func (s *scanner) blank() { s.text = strings.TrimLeft(s.text, " \t\r\n\x00") }

func (s *scanner) peek(c byte) bool {
	s.blank()
	return s.text != "" && s.text[0] == c
}

func (s *scanner) take(c byte) bool {
	if s.peek(c) {
		s.text = s.text[1:]
		return true
	}
	return false
}

func (s *scanner) quoted() (string, error) {
	s.blank()
	s.text = strings.TrimPrefix(s.text, "u") // as Python 2 wrote it
	if s.text == "" || s.text[0] != '\'' && s.text[0] != '"' {
		return "", errors.New("a text is missing")
	}
	end := strings.IndexByte(s.text[1:], s.text[0])
	if end < 0 {
		return "", errors.New("a text does not end")
	}
	out := s.text[1 : 1+end]
	s.text = s.text[2+end:]
	return out, nil
}

func (s *scanner) boolean() (bool, error) {
	s.blank()
	for word, v := range map[string]bool{"True": true, "False": false} {
		if rest, ok := strings.CutPrefix(s.text, word); ok {
			s.text = rest
			return v, nil
		}
	}
	return false, errors.New("fortran_order is neither True nor False")
}

// maxDepth is how deep the element type of records may be nested.
const maxDepth = 16

// descr reads the element type: a text, or a list of fields, which is only passed over.
func (s *scanner) descr() (text string, structured bool, err error) {
	if s.peek('\'') || s.peek('"') || s.peek('u') {
		text, err = s.quoted()
		return text, false, err
	}
	var open []byte
	for {
		s.blank()
		if s.text == "" {
			return "", false, errors.New("the element type does not end")
		}
		switch c := s.text[0]; c {
		case '[', '(', '{':
			open = append(open, map[byte]byte{'[': ']', '(': ')', '{': '}'}[c])
			if len(open) > maxDepth {
				return "", false, errors.New("an element type that is nested too deep")
			}
		case ']', ')', '}':
			if len(open) == 0 || open[len(open)-1] != c {
				return "", false, errors.New("brackets that do not fit")
			}
			if open = open[:len(open)-1]; len(open) == 0 {
				s.text = s.text[1:]
				return "", true, nil
			}
		case '\'', '"':
			if _, err := s.quoted(); err != nil {
				return "", false, err
			}
			continue
		default:
			if len(open) == 0 {
				return "", false, errors.New("an element type that is no text")
			}
		}
		s.text = s.text[1:]
	}
}

// tuple reads whole numbers in round brackets, a few more than an array may have. Those beyond 63 bits are the largest int64.
func (s *scanner) tuple() (out []int64, err error) {
	if !s.take('(') {
		return nil, errors.New("the shape is no tuple")
	}
	for !s.take(')') {
		s.blank()
		n := 0
		for n < len(s.text) && (s.text[n] >= '0' && s.text[n] <= '9' || n == 0 && s.text[n] == '-') {
			n++
		}
		v, err := strconv.ParseInt(s.text[:n], 10, 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) || len(out) > maxAxes {
			return nil, errors.New("the shape holds something else than whole numbers")
		}
		out = append(out, v)
		s.text = strings.TrimPrefix(s.text[n:], "L") // as Python 2 wrote it
		if !s.take(',') && !s.peek(')') {
			return nil, errors.New("the shape does not end")
		}
	}
	return out, nil
}
