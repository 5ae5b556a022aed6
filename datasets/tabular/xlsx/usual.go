package xlsx

import "bytes"

// usualCells tells whether the elements to come may be taken in one step: names without a prefix are those of sheets here,
// and there is room for a cell and its value.
func (s *scanner) usualCells() bool {
	k := s.bound(nil)
	return k >= 0 && isMain(s.bindings[k].space) && len(s.open)+2 <= maxDepth
}

// usualCell takes a whole cell of the form that nearly all have, <c r="B7" s="1" t="s"><v>12</v></c> or
// <c r="B7" s="1"/>: attributes into attrs, the value into text. It takes nothing of any other form, nor of a cell that is
// not in the buffer as a whole; next then goes through it. Large sheets are read several times as fast this way.
func (s *scanner) usualCell() bool {
	b := s.buf[s.at:]
	if s.selfClosed || !bytes.HasPrefix(b, []byte("<c ")) {
		return false
	}
	s.attrs = s.attrs[:0]
	i := 2
	for i+4 < len(b) && b[i] == ' ' && (b[i+1] == 'r' || b[i+1] == 's' || b[i+1] == 't') && b[i+2] == '=' && b[i+3] == '"' {
		length := plainLength(b[i+4:])
		for _, a := range s.attrs {
			if a.name[0] == b[i+1] { // there twice
				return false
			}
		}
		s.attrs = append(s.attrs, attribute{name: b[i+1 : i+2], value: b[i+4 : i+4+length]})
		if i += 4 + length; i >= len(b) || b[i] != '"' {
			return false
		}
		i++
	}
	if bytes.HasPrefix(b[i:], []byte("/>")) {
		s.text = nil
		s.at += i + len("/>")
		return true
	}
	if !bytes.HasPrefix(b[i:], []byte("><v>")) {
		return false
	}
	i += len("><v>")
	end := i + plainLength(b[i:])
	if !bytes.HasPrefix(b[end:], []byte("</v></c>")) {
		return false
	}
	s.text = b[i:end]
	s.at += end + len("</v></c>")
	return true
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
