package xlsx

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// tokens writes a document's tokens one a line, neighbouring texts joined.
func tokens(s *scanner) (string, error) {
	var b, text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			fmt.Fprintf(&b, "%q\n", text.String())
			text.Reset()
		}
	}
	for {
		t, err := s.next()
		if err != nil {
			return b.String(), err
		}
		switch t {
		case tokenText:
			text.Write(s.text)
			continue
		case tokenEnd:
			return b.String(), nil
		}
		flush()
		if t == tokenClose {
			fmt.Fprintf(&b, "/{%s}%s\n", s.space, s.name)
			continue
		}
		fmt.Fprintf(&b, "{%s}%s", s.space, s.name)
		for _, a := range s.attrs {
			if string(a.prefix) != "xmlns" && string(a.name) != "xmlns" {
				fmt.Fprintf(&b, " %s=%q", a.name, a.value)
			}
		}
		b.WriteByte('\n')
	}
}

// standardTokens is the same by the standard library.
func standardTokens(document string) (string, error) {
	d := xml.NewDecoder(strings.NewReader(document))
	var b, text strings.Builder
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			return b.String(), nil
		}
		if err != nil {
			return b.String(), err
		}
		if c, ok := t.(xml.CharData); ok {
			text.Write(c)
			continue
		}
		switch t.(type) {
		case xml.StartElement, xml.EndElement:
			if text.Len() > 0 && strings.TrimSpace(b.String()) != "" {
				fmt.Fprintf(&b, "%q\n", text.String())
			}
			text.Reset()
		}
		switch e := t.(type) {
		case xml.StartElement:
			fmt.Fprintf(&b, "{%s}%s", e.Name.Space, e.Name.Local)
			for _, a := range e.Attr {
				if a.Name.Space != "xmlns" && a.Name.Local != "xmlns" {
					fmt.Fprintf(&b, " %s=%q", a.Name.Local, a.Value)
				}
			}
			b.WriteByte('\n')
		case xml.EndElement:
			fmt.Fprintf(&b, "/{%s}%s\n", e.Name.Space, e.Name.Local)
		}
	}
}

var documents = []struct {
	name, document string
	bad            bool
}{
	{"plain", `<a b="1">x<c/>y</a>`, false},
	{"declaration", "\ufeff<?xml version='1.0' encoding='UTF-8' standalone=\"yes\"?>\n<a/>\n<!-- end -->\n", false},
	{"namespaces", `<x:a xmlns:x="u" xmlns="v"><b x:c="1" c="2"/><d xmlns="w"/><e xmlns=""/></x:a>`, false},
	{"references", `<a b="&lt;&#65;&quot;">&amp;&#x20AC;&apos;&gt;</a>`, false},
	{"sections", "<a><![CDATA[<b>&]]]]><![CDATA[>]]>x<!-- c -->y<?p i?>z</a>", false},
	{"line ends", "<a>\r\nx\ry</a>", false},
	{"quotes in tags", `<a b='>"' c=">'"/>`, false},
	{"blanks in tags", "<a  b = '1'\n\tc='2' ></a >", false},
	{"blanks in values", "<a b=\"x\ty\nz\"/>", false},
	{"letters", "<ä ü='ö'>漢字</ä>", false},
	{"empty", "", true},
	{"blank", " \n", true},
	{"text only", "abc", true},
	{"cut in text", "<a>abc", true},
	{"cut in tag", "<a><b", true},
	{"wrong end", "<a><b></a></b>", true},
	{"end of nothing", "</a>", true},
	{"two roots", "<a/><b/>", true},
	{"text behind", "<a/>x", true},
	{"text before", "x<a/>", true},
	{"attribute twice", `<a b="1" b="2"/>`, true},
	{"attribute without value", `<a b/>`, true},
	{"attribute without quotes", `<a b=1/>`, true},
	{"attributes without blank", `<a b="1"c="2"/>`, true},
	{"less in a value", `<a b="<"/>`, true},
	{"unknown reference", `<a>&nbsp;</a>`, true},
	{"reference without end", `<a>&amp</a>`, true},
	{"reference to nothing", `<a>&#0;</a>`, true},
	{"undeclared prefix", `<x:a/>`, true},
	{"undeclared prefix of an attribute", `<a x:b="1"/>`, true},
	{"document type", `<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`, true},
	{"section end", `<a>]]></a>`, true},
	{"two hyphens", `<a><!-- a -- b --></a>`, true},
	{"late declaration", ` <?xml version="1.0"?><a/>`, true},
	{"control character", "<a>\x01</a>", true},
	{"not UTF-8", "<a>\xff</a>", true},
	{"no character", "<a>\ufffe</a>", true},
	{"UTF-16", "\xff\xfe<\x00a\x00/\x00>\x00", true},
	{"Latin-1", `<?xml version="1.0" encoding="ISO-8859-1"?><a/>`, true},
	{"name", `<1a/>`, true},
}

func TestScanner(t *testing.T) {
	for _, c := range documents {
		t.Run(c.name, func(t *testing.T) {
			got, err := tokens(newScanner(strings.NewReader(c.document)))
			slow, slowErr := tokens(newScanner(iotest.OneByteReader(strings.NewReader(c.document))))
			if got != slow || (err == nil) != (slowErr == nil) {
				t.Errorf("byte by byte:\n%s%v\nin one:\n%s%v", slow, slowErr, got, err)
			}
			if (err != nil) != c.bad {
				t.Fatalf("error %v", err)
			}
			if want, _ := standardTokens(strings.TrimPrefix(c.document, "\ufeff")); !c.bad && !alike(got, want) {
				t.Errorf("got\n%swant\n%s", got, want)
			}
		})
	}
}

func TestScannerGivesTheReadersError(t *testing.T) {
	broken := errors.New("broken disk")
	_, err := tokens(newScanner(io.MultiReader(strings.NewReader("<a><b>"), iotest.ErrReader(broken))))
	if !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

// alike compares two lists of tokens. A tab or a line end in an attribute counts as a blank, as XML 1.0, 3.3.3 asks; the standard
// library leaves it.
func alike(got, want string) bool {
	blanks := strings.NewReplacer(`\t`, " ", `\n`, " ")
	return blanks.Replace(got) == blanks.Replace(want)
}

func TestBlanksInAttributesAreSpaces(t *testing.T) {
	got, err := tokens(newScanner(strings.NewReader("<a b=\"x\ty\nz&#9;\"/>")))
	if want := `b="x y z\t"`; err != nil || !strings.Contains(got, want) {
		t.Errorf("%v, %s, want %s", err, got, want)
	}
}

// FuzzScanner: whatever our scanner accepts, the standard library reads alike, wherever it accepts it too.
func FuzzScanner(f *testing.F) {
	for _, c := range documents {
		f.Add(c.document)
	}
	f.Fuzz(func(t *testing.T, document string) {
		got, err := tokens(newScanner(strings.NewReader(document)))
		slow, slowErr := tokens(newScanner(iotest.HalfReader(strings.NewReader(document))))
		if got != slow || (err == nil) != (slowErr == nil) {
			t.Fatalf("in halves:\n%s%v\nin one:\n%s%v", slow, slowErr, got, err)
		}
		if err != nil {
			return
		}
		want, err := standardTokens(strings.TrimPrefix(document, "\ufeff"))
		if err == nil && !alike(got, want) {
			t.Fatalf("%q: got\n%swant\n%s", document, got, want)
		}
	})
}
