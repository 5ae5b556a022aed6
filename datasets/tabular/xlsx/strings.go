package xlsx

import "strings"

func (b *book) readShared() error {
	part, stated := b.types.overrides[stringsType]
	m := b.archive.Find(part)
	if m == nil {
		if stated {
			b.refuseStrictly("no part with the shared strings")
		}
		if m = b.related("sharedStrings"); m == nil {
			return nil
		}
	}
	return b.scan(m, b.readStrings)
}

// readStrings reads the shared strings: rich text runs joined, phonetic text left out.
func (b *book) readStrings(s *scanner) error {
	for {
		t, err := s.next()
		if err != nil || t == tokenEnd {
			return err
		}
		if t != tokenOpen || string(s.name) != "si" || !isMain(s.space) {
			continue
		}
		text, err := readRich(s)
		if err != nil {
			return err
		}
		if err := b.takeText(len(text) + 16); err != nil {
			return err
		}
		b.shared = append(b.shared, strings.ReplaceAll(text, "x005F_", ""))
	}
}

func isMain(space []byte) bool {
	return string(space) == mainSpace || string(space) == mainSpaceStrict
}

// readRich reads the text of the element that was just opened, up to its end: its own plain text (the last one, should
// there be several), then the texts of its runs.
func readRich(s *scanner) (string, error) {
	var plain, runs, text strings.Builder
	depth := 1
	inRun, inText := false, false
	for {
		t, err := s.next()
		if err != nil {
			return "", err
		}
		switch t {
		case tokenOpen:
			depth++
			switch {
			case depth == 2 && string(s.name) == "r":
				inRun = true
			case string(s.name) == "t" && (depth == 2 || depth == 3 && inRun):
				inText = true
				text.Reset()
			}
		case tokenText:
			if inText {
				text.Write(s.text)
			}
		case tokenClose:
			depth--
			switch {
			case depth == 0:
				return plain.String() + runs.String(), nil
			case depth == 1 && inRun:
				inRun = false
			case inText && depth == 1:
				plain.Reset()
				plain.WriteString(text.String())
				inText = false
			case inText && depth == 2:
				runs.WriteString(text.String())
				inText = false
			}
		}
	}
}
