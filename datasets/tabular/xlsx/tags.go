package xlsx

import (
	"bytes"
	"unicode/utf8"
)

// readMarkup takes what starts with "<". It tells whether that is a token of its own; comments and instructions are not.
func (s *scanner) readMarkup() (token, bool, error) {
	if !s.more(1) {
		return 0, false, s.malformed("a tag that does not end")
	}
	switch s.buf[s.at+1] {
	case '/':
		return tokenClose, true, s.readClose()
	case '?':
		return 0, false, s.readInstruction()
	case '!':
		return s.readDeclaration()
	}
	return tokenOpen, true, s.readOpen()
}

// readInstruction skips <? ... ?>.
func (s *scanner) readInstruction() error {
	end := s.find("?>", 2)
	if end < 0 {
		return s.malformed("an instruction that does not end")
	}
	body := s.buf[s.at+2 : s.at+end]
	s.at += end + 2
	target, rest := cutName(body)
	if len(target) == 0 || !plainName(target) || bytes.EqualFold(target, []byte("xml")) || len(rest) > 0 && !isBlank(rest[0]) {
		return s.malformed("a declaration that is not at the start, or an instruction without a name")
	}
	_, err := s.characters(body)
	return err
}

// readDeclaration skips comments and gives marked sections as text.
func (s *scanner) readDeclaration() (token, bool, error) {
	const section = "<![CDATA["
	s.more(len(section) - 1)
	rest := s.buf[s.at:]
	switch {
	case bytes.HasPrefix(rest, []byte("<!--")):
		end := s.find("--", 4)
		if end < 0 || !s.more(end+2) || s.buf[s.at+end+2] != '>' {
			return 0, false, s.malformed("a comment that does not end as it should")
		}
		_, err := s.characters(s.buf[s.at+4 : s.at+end])
		s.at += end + 3
		return 0, false, err
	case bytes.HasPrefix(rest, []byte(section)) && len(s.open) > 0:
		end := s.find("]]>", len(section))
		if end < 0 {
			return 0, false, s.malformed("a marked section that does not end")
		}
		raw := s.buf[s.at+len(section) : s.at+end]
		s.at += end + 3
		_, err := s.characters(raw)
		s.text = bytes.ReplaceAll(bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n"))
		return tokenText, true, err
	case bytes.HasPrefix(rest, []byte("<!DOCTYPE")):
		return 0, false, s.malformed("a document type declaration, which no workbook has")
	}
	return 0, false, s.malformed("a tag that starts with <!")
}

// tagEnd is the offset of the ">" that ends a tag: quotes may hold one too.
func (s *scanner) tagEnd() int {
	quote, from := byte(0), 1
	for s.more(from) {
		for i, c := range s.buf[s.at+from:] {
			switch {
			case quote != 0:
				if c == quote {
					quote = 0
				}
			case c == '"' || c == '\'':
				quote = c
			case c == '>':
				return from + i
			}
		}
		from = len(s.buf) - s.at
	}
	return -1
}

func (s *scanner) readOpen() error {
	end := s.tagEnd()
	if end < 0 {
		return s.malformed("a tag that does not end")
	}
	tag := s.buf[s.at+1 : s.at+end]
	s.at += end + 1
	if s.rootSeen && len(s.open) == 0 {
		return s.malformed("a second outermost element")
	}
	if len(s.open) == maxDepth {
		return s.malformed("elements nested too deeply")
	}
	if n := len(tag); n > 0 && tag[n-1] == '/' {
		tag, s.selfClosed = tag[:n-1], true
	}
	s.rootSeen = true
	name, rest := cutName(tag)
	e := element{nameAt: len(s.names), bindings: len(s.bindings)}
	s.names = append(s.names, name...)
	if err := s.readAttributes(rest); err != nil {
		return err
	}
	prefix, local, ok := splitName(name)
	if !ok {
		return s.malformed("an element with an impossible name")
	}
	if e.space = s.bound(prefix); e.space < 0 && len(prefix) > 0 {
		return s.malformed("the undeclared prefix " + string(prefix))
	}
	e.local = len(s.names) - len(local)
	s.open = append(s.open, e)
	s.show(e)
	return nil
}

// show makes an open element the current one.
func (s *scanner) show(e element) {
	s.name, s.space = s.names[e.local:], nil
	if e.space >= 0 {
		s.space = s.bindings[e.space].space
	}
}

// readAttributes takes the part of a tag behind its name.
func (s *scanner) readAttributes(rest []byte) error {
	s.attrs = s.attrs[:0]
	for {
		trimmed := skipBlanks(rest)
		if len(trimmed) == 0 {
			break
		}
		if len(trimmed) == len(rest) {
			return s.malformed("attributes without a blank between them")
		}
		a, after, err := s.readAttribute(trimmed)
		if err != nil {
			return err
		}
		for _, b := range s.attrs {
			if bytes.Equal(a.name, b.name) && bytes.Equal(a.prefix, b.prefix) {
				return s.malformed("an attribute that is there twice")
			}
		}
		s.attrs, rest = append(s.attrs, a), after
		if err := s.bind(a); err != nil {
			return err
		}
	}
	for _, a := range s.attrs {
		if len(a.prefix) > 0 && string(a.prefix) != "xmlns" && s.bound(a.prefix) < 0 {
			return s.malformed("the undeclared prefix " + string(a.prefix))
		}
	}
	return nil
}

func (s *scanner) readAttribute(from []byte) (a attribute, rest []byte, err error) {
	name, rest := cutName(from)
	prefix, local, ok := splitName(name)
	rest = skipBlanks(rest)
	if !ok || len(rest) == 0 || rest[0] != '=' {
		return a, nil, s.malformed("an attribute without a name or a value")
	}
	rest = skipBlanks(rest[1:])
	if len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
		return a, nil, s.malformed("an attribute's value without quotes")
	}
	end := bytes.IndexByte(rest[1:], rest[0])
	if end < 0 {
		return a, nil, s.malformed("an attribute's value that does not end")
	}
	value := rest[1 : 1+end]
	special, err := s.characters(value)
	if err == nil && bytes.IndexByte(value, '<') >= 0 {
		err = s.malformed("“<” in an attribute's value")
	}
	if err == nil && (special || bytes.IndexByte(value, '\n') >= 0 || bytes.IndexByte(value, '\t') >= 0) {
		value, err = s.expand(value, true)
	}
	return attribute{prefix, local, value}, rest[end+2:], err
}

// bind enters a namespace declaration.
func (s *scanner) bind(a attribute) error {
	switch {
	case string(a.prefix) == "xmlns":
		if len(a.value) == 0 || string(a.name) == "xmlns" {
			return s.malformed("a prefix without a namespace")
		}
		s.bindings = append(s.bindings, binding{string(a.name), bytes.Clone(a.value)})
	case len(a.prefix) == 0 && string(a.name) == "xmlns":
		s.bindings = append(s.bindings, binding{"", bytes.Clone(a.value)})
	}
	return nil
}

// bound is the place of the innermost binding of a prefix, or -1.
func (s *scanner) bound(prefix []byte) int {
	for i := len(s.bindings) - 1; i >= 0; i-- {
		if s.bindings[i].prefix == string(prefix) {
			return i
		}
	}
	return -1
}

func (s *scanner) readClose() error {
	end := s.find(">", 2)
	if end < 0 {
		return s.malformed("a tag that does not end")
	}
	name := s.buf[s.at+2 : s.at+end]
	for len(name) > 0 && isBlank(name[len(name)-1]) {
		name = name[:len(name)-1]
	}
	s.at += end + 1
	if len(s.open) == 0 {
		return s.malformed("an end of nothing")
	}
	if e := s.open[len(s.open)-1]; !bytes.Equal(name, s.names[e.nameAt:]) {
		return s.malformed("<" + string(s.names[e.nameAt:]) + "> that is closed by another name")
	}
	s.close()
	return nil
}

// close leaves the innermost element and makes it the current one.
func (s *scanner) close() {
	e := s.open[len(s.open)-1]
	s.show(e)
	s.open = s.open[:len(s.open)-1]
	s.names, s.bindings = s.names[:e.nameAt], s.bindings[:e.bindings]
}

// cutName cuts behind the characters that may be part of a name.
func cutName(b []byte) (name, rest []byte) {
	i := 0
	for i < len(b) && !isBlank(b[i]) && b[i] != '=' && b[i] != '/' && b[i] != '"' && b[i] != '\'' && b[i] != '<' {
		i++
	}
	return b[:i], b[i:]
}

// splitName cuts a qualified name at its colon.
func splitName(name []byte) (prefix, local []byte, ok bool) {
	local = name
	if i := bytes.IndexByte(name, ':'); i >= 0 {
		prefix, local = name[:i], name[i+1:]
		if !plainName(prefix) {
			return nil, nil, false
		}
	}
	return prefix, local, plainName(local)
}

// plainName tells a name without colon. Letters beyond ASCII are not looked at closely.
func plainName(name []byte) bool {
	if len(name) == 0 || !utf8.Valid(name) {
		return false
	}
	for i, c := range name {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= utf8.RuneSelf
		if !letter && (i == 0 || !(c >= '0' && c <= '9' || c == '-' || c == '.')) {
			return false
		}
	}
	return true
}
