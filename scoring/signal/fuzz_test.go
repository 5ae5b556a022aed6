package signal

import (
	"regexp"
	"strconv"
	"testing"
)

var asciiCell = regexp.MustCompile(`(?i)cell[\s_-]?(\d{1,3})(?:\D|$)`)

// FuzzKeys holds the names of cells against a regular expression, for plain text.
func FuzzKeys(f *testing.F) {
	for _, seed := range []string{"160701-Nup107-cell-1-t6", "cell1234 cell_07", "CELL\t3", "cellcell-9x", "1234567", "cell", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := cellID(text)
		dateIn(text)
		channelIn(text)
		columnFeature(lower(text))
		for _, r := range text {
			if r >= 0x80 || r >= 0x1c && r <= 0x1f || r == 0x0b { // other scripts, and white space that differs
				return
			}
		}
		want := ""
		if m := asciiCell.FindStringSubmatch(text); m != nil {
			n, _ := strconv.Atoi(m[1])
			want = "cell" + strconv.Itoa(n)
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	})
}
