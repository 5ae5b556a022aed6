package biabench

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

// Patterns that take exponential time when every star is tried by itself.
func TestGlobCatastrophe(t *testing.T) {
	text := strings.Repeat("a", 5000)
	start := time.Now()
	for _, pattern := range []string{strings.Repeat("*a", 500) + "b", strings.Repeat("a*", 500) + "b", strings.Repeat("*", 5000) + "b", strings.Repeat("*[!b]", 300) + "c"} {
		if CompileGlob(pattern).Match(text) {
			t.Errorf("%.20s… matches", pattern)
		}
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("took %v", d)
	}
}

// FuzzGlob compares patterns without brackets with a regular expression, and checks laws for the others.
func FuzzGlob(f *testing.F) {
	for _, seed := range [][2]string{{"*_seg.tif*", "a/b_seg.tiff"}, {"a[!b-d]?", "aex"}, {"[]]", "]"}, {"[", "["}, {"[!", "x"}, {"*[a-*", "[a-"}, {"?", "é"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		text, pattern = strings.ToValidUTF8(text, ""), strings.ToValidUTF8(pattern, "")
		if len(text) > 200 || len(pattern) > 200 {
			return
		}
		got := CompileGlob(pattern).Match(text)
		if got && !CompileGlob("*"+pattern+"*").Match("x/"+text+"y") {
			t.Error("stars on both sides lose a match")
		}
		if strings.Contains(pattern, "[") {
			return
		}
		expression := strings.NewReplacer(`\*`, `.*`, `\?`, `.`).Replace(regexp.QuoteMeta(pattern))
		want, err := regexp.MatchString(`(?s)\A(?:`+expression+`)\z`, text)
		if err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%q on %q is %v", pattern, text, got)
		}
	})
}
