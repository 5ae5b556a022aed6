package xlsx

import "strconv"

// readStyles finds the styles of dates and times. The reference cannot open a workbook with an empty fill among its
// styles, which some programs write.
func (b *book) readStyles() error {
	m := b.archive.Find("xl/styles.xml")
	if m == nil {
		if m = b.related("styles"); m == nil {
			return nil
		}
	}
	st := styleReader{formats: map[int]string{}, styles: b.styles}
	err := b.scan(m, st.read)
	if st.emptyFill {
		b.refuseStrictly("a fill without a pattern among the styles")
	}
	return err
}

type styleReader struct {
	formats   map[int]string // number formats of the workbook
	styles    map[int]look
	next      int  // number of the next style
	inStyles  bool // below the cells' styles
	openFill  bool // the element before was the start of a fill
	emptyFill bool
}

func (r *styleReader) read(s *scanner) error {
	for {
		t, err := s.next()
		if err != nil || t == tokenEnd {
			return err
		}
		if t == tokenText {
			continue
		}
		r.element(s, t == tokenOpen)
	}
}

// element takes the start or the end of an element.
func (r *styleReader) element(s *scanner, starts bool) {
	name := string(s.name)
	r.emptyFill = r.emptyFill || r.openFill && !starts && name == "fill"
	r.openFill = starts && name == "fill"
	switch {
	case name == "cellXfs":
		r.inStyles = starts
	case name == "numFmt" && starts:
		id, _ := s.attr("numFmtId")
		code, _ := s.attr("formatCode")
		if n, err := strconv.Atoi(string(id)); err == nil {
			r.formats[n] = string(code)
		}
	case name == "xf" && starts && r.inStyles:
		id, _ := s.attr("numFmtId")
		if l := styleLook(string(id), r.formats); l != 0 {
			r.styles[r.next] = l
		}
		r.next++
	}
}

// styleLook tells what a style's number format is good for. Formats of the workbook come before the built-in ones.
func styleLook(id string, formats map[int]string) look {
	n, err := strconv.Atoi(id)
	if err != nil {
		return 0
	}
	if format, ok := formats[n]; ok {
		return formatLook(format)
	}
	switch {
	case n == builtInDuration:
		return lookDate | lookDuration
	case builtInDates[n]:
		return lookDate
	}
	return 0
}
