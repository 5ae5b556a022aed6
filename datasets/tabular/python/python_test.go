package python

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"unicode"
)

func TestFloat(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		text string
		want float64
		ok   bool
	}{
		{"1", 1, true}, {" 1e-3\n", 0.001, true}, {"1.", 1, true}, {".5", 0.5, true}, {"-.5E+2", -50, true}, {"+3", 3, true},
		{"1_000.2_5e1_0", 1000.25e10, true}, {"nan", nan, true}, {"-NaN", nan, true}, {"iNf", inf, true}, {"-infinity", -inf, true},
		{"1e999", inf, true}, {"-1e999", -inf, true}, {"1e-999", 0, true}, {"１２．5", 0, false}, {"１２.5", 12.5, true}, {"٣", 3, true},
		{"\u00a07\u3000", 7, true}, {"", 0, false}, {" ", 0, false}, {"1,5", 0, false}, {"1 000", 0, false}, {"0x10", 0, false},
		{"0x1p4", 0, false}, {"1__0", 0, false}, {"_1", 0, false}, {"1_", 0, false}, {"1_.5", 0, false}, {"1e_5", 0, false}, {"in_f", 0, false},
		{"infinit", 0, false}, {"1e", 0, false}, {".", 0, false}, {"+-1", 0, false}, {"1d3", 0, false}, {"\x1c1", 0, false}, {"\ufeff1", 0, false},
		{"1\x00", 0, false}, {"²", 0, false}, {"½", 0, false}, {"True", 0, false}, {"<0.001", 0, false},
	} {
		got, ok := Float(c.text)
		if ok != c.ok || ok && got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%q: %v %v, expected %v %v", c.text, got, ok, c.want, c.ok)
		}
		if _, finite := Finite(c.text); finite != (ok && !math.IsNaN(got) && !math.IsInf(got, 0)) {
			t.Errorf("%q: finite %v", c.text, finite)
		}
	}
}

func TestInt(t *testing.T) {
	long := strings.Repeat("9", 4300)
	for text, want := range map[string]string{
		"12": "12", " -0_7 ": "-7", "+007": "7", "١٢": "12", "123456789012345678901234567890": "123456789012345678901234567890", long: long,
		"": "none", "1.0": "none", "1e3": "none", "_1": "none", "1__0": "none", "0x1": "none", "-": "none", "+-1": "none", "nan": "none", long + "9": "none",
	} {
		got := "none"
		if v, ok := Int(text); ok {
			got = v.String()
		}
		if got != want {
			t.Errorf("%.40q: %.40s, expected %.40s", text, got, want)
		}
	}
}

// TestDigit: the digits of each script are ten neighbours that count from 0.
func TestDigit(t *testing.T) {
	expected := 0
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !unicode.IsDigit(r) {
			if expected != 0 {
				t.Fatalf("%U: a run of digits ended at %d", r, expected)
			}
			if Digit(r) != -1 {
				t.Errorf("%U is %d", r, Digit(r))
			}
			continue
		}
		if Digit(r) != expected {
			t.Errorf("%U is %d, expected %d", r, Digit(r), expected)
		}
		expected = (expected + 1) % 10
	}
}

func TestFormatFloat(t *testing.T) {
	for want, v := range map[string]float64{"1.0": 1, "0.1": 0.1, "-0.0": math.Copysign(0, -1), "1e-05": 1e-5, "0.0001": 1e-4, "1e+16": 1e16,
		"1234567890123456.0": 1234567890123456, "1.7976931348623157e+308": math.MaxFloat64, "5e-324": 5e-324, "nan": math.NaN(), "inf": math.Inf(1), "-inf": math.Inf(-1)} {
		if got := FormatFloat(v); got != want {
			t.Errorf("%s, expected %s", got, want)
		}
	}
}

func TestText(t *testing.T) {
	if got := Lines("a\nb\r\nc\rd\x0be\x0cf\x1cg\x1dh\x1ei\u0085j\u2028k\u2029l\n\nm\n"); strings.Join(got, "|") != "a|b|c|d|e|f|g|h|i|j|k|l||m" {
		t.Errorf("%q", got)
	}
	if got := Fields("\x1c a\u00a0b\t\u3000c\u200b "); !reflect.DeepEqual(got, []string{"a", "b", "c\u200b"}) {
		t.Errorf("%q", got)
	}
	if got := Trim("\ufeff \x1f"); got != "\ufeff" {
		t.Errorf("%q", got)
	}
	for text, want := range map[string]string{"ΑΣ": "ας", "ΑΣΑ": "ασα", "Σ": "σ", "ΑΣ'": "ας'", "İI": "i\u0307i", "µM": "µm"} {
		if got := Lower(text); got != want {
			t.Errorf("%q in lower case: %q, expected %q", text, got, want)
		}
	}
	if got := Newlines(Decode("\xef\xbb\xbfa\xffb\r\n\rc\xe2\x82")); got != "\ufeffab\n\nc" {
		t.Errorf("%q", got)
	}
}

// FuzzFloat: a number that is read is written so that it reads back as itself, and white space around it changes nothing.
func FuzzFloat(f *testing.F) {
	for _, s := range []string{"1", "1_0", " nan ", "-inf", "1e999", "٣.５", "0x1", "1__0", "\x1c1", "1e_1", "", "-.5e-7"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, ok := Float(s)
		if again, okAgain := Float("\u2003" + s + "\t"); ok != okAgain || ok && math.Float64bits(v) != math.Float64bits(again) {
			t.Fatalf("%q: %v %v, with blanks %v %v", s, v, ok, again, okAgain)
		}
		if n, isInt := Int(s); isInt && !ok {
			t.Fatalf("%q is the whole number %v but no number", s, n)
		}
		if !ok || math.IsNaN(v) {
			return
		}
		if back, ok := Float(FormatFloat(v)); !ok || math.Float64bits(back) != math.Float64bits(v) {
			t.Fatalf("%q: %v is written %s, which reads as %v", s, v, FormatFloat(v), back)
		}
	})
}
