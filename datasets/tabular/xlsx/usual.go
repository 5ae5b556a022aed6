package xlsx

import "bytes"

// usualCells tells whether the elements to come may be taken in one step: names without a prefix are those of sheets here,
// and there is room for a cell and its value.
func (s *scanner) usualCells() bool {
	k := s.bound(nil)
	return k >= 0 && isMain(s.bindings[k].space) && len(s.open)+2 <= maxDepth
}

// usualCell is a cell in the form that nearly all have. Its slices are valid until the next call of next.
type usualCell struct {
	cellAttributes
	value []byte
}

// usualCell takes a whole cell of the form that nearly all have, <c r="B7" s="1" t="s"><v>12</v></c> or
// <c r="B7" s="1"/>. It takes nothing of any other form, nor of a cell that is not in the buffer as a whole; next then goes
// through it. Large sheets are read several times as fast this way.
func (s *scanner) usualCell() (c usualCell, ok bool) {
	b := s.buf[s.at:]
	if s.selfClosed || !bytes.HasPrefix(b, []byte("<c ")) {
		return c, false
	}
	i := 2
	for i+4 < len(b) && b[i] == ' ' && b[i+2] == '=' && b[i+3] == '"' {
		var to *[]byte
		switch b[i+1] {
		case 'r':
			to = &c.reference
		case 's':
			to = &c.style
		case 't':
			to = &c.kind
		}
		if to == nil || *to != nil { // another name, or there twice
			return c, false
		}
		end := i + 4 + plainLength(b[i+4:])
		if end >= len(b) || b[end] != '"' {
			return c, false
		}
		*to, i = b[i+4:end], end+1
	}
	if bytes.HasPrefix(b[i:], []byte("/>")) {
		s.at += i + len("/>")
		return c, true
	}
	if !bytes.HasPrefix(b[i:], []byte("><v>")) {
		return c, false
	}
	i += len("><v>")
	end := i + plainLength(b[i:])
	if !bytes.HasPrefix(b[end:], []byte("</v></c>")) {
		return c, false
	}
	c.value = b[i:end]
	s.at += end + len("</v></c>")
	return c, true
}

// plainLength is how many bytes stand for themselves in texts and quoted values alike.
func plainLength(b []byte) int {
	for i, c := range b {
		if !plainBytes[c] {
			return i
		}
	}
	return len(b)
}

var plainBytes = func() (plain [256]bool) {
	for c := ' '; c < 0x80; c++ {
		plain[c] = c != '&' && c != '<' && c != '"' && c != ']'
	}
	return plain
}()
