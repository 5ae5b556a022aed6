package xlsx

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"coverslip/datasets/fault"
)

// scanner walks over a namespaced XML document of any length without holding more than one token of it. It is as strict
// as a conforming parser about well-formedness, since a workbook that the reference refuses must be refused, and refuses
// document type declarations altogether: a workbook has none, and they are the way to blow up a small file.
//
// Names, values and text are valid until the next call of next.
type scanner struct {
	name, space []byte // of the element that starts or ends: local name and namespace
	attrs       []attribute
	text        []byte

	in         io.Reader
	buf        []byte
	at         int // start of what is not consumed in buf
	ended      bool
	failed     error // of the reader
	begun      bool  // something of the document was seen
	rootSeen   bool
	selfClosed bool
	names      []byte // qualified names of the open elements, one behind the other
	open       []element
	bindings   []binding
	scratch    []byte
}

// element is one open element.
type element struct {
	nameAt, bindings int // where its name starts and how many bindings there were before it
	local, space     int // where its local name starts in names; which binding is its namespace, -1 for none
}

type binding struct {
	prefix string
	space  []byte
}

type attribute struct {
	prefix, name, value []byte
}

type token uint8

const (
	tokenEnd   token = iota // of the document
	tokenOpen               // an element starts
	tokenClose              // an element ends
	tokenText
)

const (
	maxDepth = 200
	maxToken = 8 << 20 // bytes of one tag or text
	window   = 64 << 10
)

func newScanner(in io.Reader) *scanner {
	return &scanner{in: in, bindings: []binding{{"xml", []byte("http://www.w3.org/XML/1998/namespace")}}}
}

// next gives the next token. After an error it must not be called again.
func (s *scanner) next() (token, error) {
	if s.selfClosed {
		s.selfClosed = false
		s.close()
		return tokenClose, nil
	}
	for {
		if !s.more(0) {
			return tokenEnd, s.endOfDocument()
		}
		if !s.begun {
			if err := s.begin(); err != nil {
				return tokenEnd, err
			}
			continue
		}
		if s.buf[s.at] != '<' {
			ok, err := s.readText()
			if err != nil {
				return tokenEnd, err
			}
			if ok {
				return tokenText, nil
			}
			continue
		}
		t, ok, err := s.readMarkup()
		if err != nil || ok {
			return t, err
		}
	}
}

// attr is the value of an attribute without prefix.
func (s *scanner) attr(name string) (value []byte, present bool) {
	for i := range s.attrs {
		if a := &s.attrs[i]; len(a.prefix) == 0 && string(a.name) == name {
			return a.value, true
		}
	}
	return nil, false
}

// attrIn is the value of an attribute of a namespace.
func (s *scanner) attrIn(space, name string) (value []byte, present bool) {
	for i := range s.attrs {
		a := &s.attrs[i]
		if len(a.prefix) == 0 || string(a.name) != name {
			continue
		}
		if b := s.bound(a.prefix); b >= 0 && string(s.bindings[b].space) == space {
			return a.value, true
		}
	}
	return nil, false
}

// malformed words an error; where the reader failed, that is the reason for all that seems wrong.
func (s *scanner) malformed(found string) error {
	if s.failed != nil {
		return s.failed
	}
	return &fault.Error{Kind: fault.Malformed, Found: found, Expected: "well-formed XML", Fix: "The file is damaged or was not written by a spreadsheet program: save it again"}
}

// more makes sure that the byte at an offset from the start of what is left is in the buffer.
func (s *scanner) more(offset int) bool {
	for s.at+offset >= len(s.buf) {
		if s.ended {
			return false
		}
		s.fill()
	}
	return true
}

// fill reads on, moving what is left to the front and growing the buffer when a token needs it. A failing reader ends the
// document; malformed and endOfDocument then say why.
func (s *scanner) fill() {
	if s.at > 0 && len(s.buf) == cap(s.buf) {
		s.buf = s.buf[:copy(s.buf, s.buf[s.at:])]
		s.at = 0
	}
	if len(s.buf) == cap(s.buf) {
		if cap(s.buf) >= maxToken {
			s.ended, s.failed = true, &fault.Error{Kind: fault.TooLarge, Found: fmt.Sprintf("a text or tag of more than %d MiB", maxToken>>20), Expected: "cells of at most 32,767 characters"}
			return
		}
		s.buf = append(make([]byte, 0, max(window, 2*cap(s.buf))), s.buf...)
	}
	n, err := s.in.Read(s.buf[len(s.buf):cap(s.buf)])
	s.buf = s.buf[:len(s.buf)+n]
	if err != nil {
		s.ended = true
		if !errors.Is(err, io.EOF) {
			s.failed = err
		}
	}
}

// find is the offset of a sequence from the start of what is left, at or behind from.
func (s *scanner) find(sequence string, from int) int {
	for {
		if s.at+from < len(s.buf) {
			if i := index(s.buf[s.at+from:], sequence); i >= 0 {
				return from + i
			}
			from = max(from, len(s.buf)-s.at-len(sequence)+1)
		}
		if s.ended {
			return -1
		}
		s.fill()
	}
}

// begin sees to what may only stand at the very start: a byte-order mark and the declaration with the encoding.
func (s *scanner) begin() error {
	s.begun = true
	s.more(5)
	start := s.buf[s.at:]
	switch {
	case bytes.HasPrefix(start, []byte("\xff\xfe")), bytes.HasPrefix(start, []byte("\xfe\xff")):
		return &fault.Error{Kind: fault.Unsupported, Found: "XML in UTF-16", Expected: "XML in UTF-8", Fix: "Open the workbook in a spreadsheet program and save it again"}
	case bytes.HasPrefix(start, []byte("\ufeff")):
		s.at += 3
		s.more(5)
	}
	if !bytes.HasPrefix(s.buf[s.at:], []byte("<?xml")) || !s.more(5) || !isBlank(s.buf[s.at+5]) {
		return nil
	}
	end := s.find("?>", 5)
	if end < 0 {
		return s.malformed("a declaration that does not end")
	}
	declaration := string(s.buf[s.at : s.at+end])
	s.at += end + 2
	_, encoding, stated := strings.Cut(declaration, "encoding")
	encoding = strings.ToLower(strings.Trim(encoding, "= \t\r\n\"'"))
	if encoding, _, _ = strings.Cut(encoding, "\""); stated {
		encoding, _, _ = strings.Cut(encoding, "'")
		if encoding != "utf-8" && encoding != "us-ascii" && encoding != "utf8" {
			return &fault.Error{Kind: fault.Unsupported, Found: "XML in " + encoding, Expected: "XML in UTF-8", Fix: "Open the workbook in a spreadsheet program and save it again"}
		}
	}
	return nil
}

func (s *scanner) endOfDocument() error {
	switch {
	case s.failed != nil:
		return s.failed
	case len(s.open) > 0:
		return s.malformed("an end inside <" + string(s.names[s.open[len(s.open)-1].nameAt:]) + ">")
	case !s.rootSeen:
		return s.malformed("no element")
	}
	return nil
}

// readText takes the text up to the next tag. It tells whether there is any inside the document's element.
func (s *scanner) readText() (bool, error) {
	end := s.find("<", 0)
	if end < 0 {
		end = len(s.buf) - s.at
	}
	raw := s.buf[s.at : s.at+end]
	s.at += end
	if len(s.open) == 0 {
		if len(bytes.Trim(raw, " \t\r\n")) > 0 {
			return false, s.malformed("text outside of all elements")
		}
		return false, nil
	}
	special, err := s.characters(raw)
	if err != nil {
		return false, err
	}
	if special && bytes.Contains(raw, []byte("]]>")) {
		return false, s.malformed("“]]>” in a text")
	}
	s.text = raw
	if special {
		s.text, err = s.expand(raw, false)
	}
	return err == nil, err
}

// characters checks that all may stand in XML, and tells whether any of them need work: references, carriage returns,
// brackets.
func (s *scanner) characters(raw []byte) (special bool, err error) {
	wide := false
	for _, c := range raw {
		switch {
		case c == '&' || c == '\r' || c == ']':
			special = true
		case c >= utf8.RuneSelf:
			wide = true
		case c < ' ' && c != '\n' && c != '\t':
			return false, s.malformed("a control character")
		}
	}
	if wide && (!utf8.Valid(raw) || bytes.Contains(raw, []byte("\ufffe")) || bytes.Contains(raw, []byte("\uffff"))) {
		return false, s.malformed("bytes that are not UTF-8")
	}
	return special, nil
}

// expand resolves references and line ends; in attribute values white space becomes blanks.
func (s *scanner) expand(raw []byte, attribute bool) ([]byte, error) {
	out := s.scratch[:0]
	if attribute { // several values must live side by side
		out = make([]byte, 0, len(raw))
	}
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '&':
			end := bytes.IndexByte(raw[i:], ';')
			if end < 0 {
				return nil, s.malformed("a reference without an end")
			}
			r, ok := reference(string(raw[i+1 : i+end]))
			if !ok {
				return nil, s.malformed("the unknown reference &" + string(raw[i+1:i+min(end, 20)]) + ";")
			}
			out = utf8.AppendRune(out, r)
			i += end
		case c == '\r':
			if i+1 < len(raw) && raw[i+1] == '\n' {
				i++
			}
			out = append(out, map[bool]byte{true: ' ', false: '\n'}[attribute])
		case attribute && (c == '\n' || c == '\t'):
			out = append(out, ' ')
		default:
			out = append(out, c)
		}
	}
	if !attribute {
		s.scratch = out
	}
	return out, nil
}

// reference is the character of a reference without its & and ;.
func reference(name string) (rune, bool) {
	switch name {
	case "lt":
		return '<', true
	case "gt":
		return '>', true
	case "amp":
		return '&', true
	case "quot":
		return '"', true
	case "apos":
		return '\'', true
	}
	digits, base := strings.TrimPrefix(name, "#"), 10
	if digits == name || digits == "" {
		return 0, false
	}
	if digits[0] == 'x' {
		digits, base = digits[1:], 16
	}
	if digits == "" || digits[0] == '+' || digits[0] == '-' || digits[0] == '_' {
		return 0, false
	}
	v, err := strconv.ParseUint(digits, base, 32)
	r := rune(v)
	legal := v <= utf8.MaxRune && utf8.ValidRune(r) && r != 0xfffe && r != 0xffff && (r >= ' ' || r == '\t' || r == '\n' || r == '\r')
	return r, err == nil && legal
}

// index is bytes.Index, which is slow for a single byte.
func index(b []byte, sequence string) int {
	if len(sequence) == 1 {
		return bytes.IndexByte(b, sequence[0])
	}
	return bytes.Index(b, []byte(sequence))
}

// skipBlanks cuts white space off the front.
func skipBlanks(b []byte) []byte {
	i := 0
	for i < len(b) && isBlank(b[i]) {
		i++
	}
	return b[i:]
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
