package checklist

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"coverslip/datasets/biabench"
	"coverslip/datasets/tabular/python"
)

const (
	claimFiles = 50       // texts read for a claim
	claimRunes = 4000     // characters of the closing words
	claimReach = 40       // characters from a metric's name to its number
	mostText   = 64 << 20 // bytes read of a text
)

var (
	denials = []string{"could not be completed", "could not complete", "cannot be completed", "was not completed", "were not completed",
		"unable to complete", "did not complete", "did not finish", "failed to complete", "no valid submission", "not a valid submission",
		"does not contain a valid submission", "were not generated", "was not generated", "giving up", "gave up", "cannot confirm", "can not confirm"}
	claims      = []string{"i have processed", "task complete", "completed", "saved", "successfully"}
	metricWords = []string{"f1", "dice", "iou", "jaccard", "precision", "recall", "accuracy", "mae", "rmse", "mape", "correlation",
		"result score", "result_score", "overall score", "overall_score"}
)

// ClaimedSuccess tells whether the closing words of an agent, in the texts of a submission folder, claim success
// (spec/contract.md 7.4).
func ClaimedSuccess(dir string) bool {
	text := closingWords(claimText(dir))
	has := func(words string) bool { return strings.Contains(text, words) }
	switch {
	case python.Trim(text) == "", slices.ContainsFunc(denials, has):
		return false
	case slices.ContainsFunc(claims, has):
		return true
	}
	return slices.ContainsFunc(metricWords, func(word string) bool { return givesNumber(text, word) })
}

// claimText joins the texts that may hold closing words, in lower case.
func claimText(dir string) string {
	all, err := biabench.ListFiles(dir)
	if err != nil {
		return ""
	}
	var groups [4][]string
	for _, path := range all {
		rel, err := filepath.Rel(rootOf(dir), path)
		if err != nil {
			continue
		}
		parts := strings.Split(filepath.ToSlash(rel), "/")
		isText := strings.HasSuffix(path, ".txt")
		if parts[len(parts)-1] == "result.txt" {
			groups[0] = append(groups[0], path)
		}
		switch {
		case !isText:
		case len(parts) == 1:
			groups[3] = append(groups[3], path)
		case parts[0] == "logs":
			groups[1] = append(groups[1], path)
		case parts[0] == "artifacts":
			groups[2] = append(groups[2], path)
		}
	}
	files := slices.Concat(groups[:]...)
	files = files[:min(len(files), claimFiles)]
	joined, first := "", true
	for i, path := range files {
		if slices.Contains(files[:i], path) {
			continue
		}
		if text, ok := readLower(path); ok && first {
			joined, first = needed(text), false
		} else if ok {
			joined = needed(joined + "\n" + text)
		}
	}
	return joined
}

const (
	banner           = "[final result]"
	opening, closing = "<solution>", "</solution>"
)

// needed drops from the texts so far what cannot become closing words, whatever follows.
func needed(text string) string {
	if strings.Contains(text, banner) {
		return text
	}
	if at := strings.LastIndex(text, opening); at >= 0 {
		if end := strings.Index(text[at:], closing); end >= 0 {
			return strings.Clone(text[at : at+end+len(closing)])
		}
		return text[at:]
	}
	return strings.Clone(lastRunes(text, claimRunes))
}

func rootOf(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		return abs
	}
	return dir
}

// readLower reads a text file in lower case, what is not UTF-8 dropped. Of one beyond all reason it reads the end.
func readLower(path string) (string, bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	f, err := os.Open(path)
	if err != nil {
		return "", false
	}
	defer f.Close()
	raw, err := io.ReadAll(io.NewSectionReader(f, max(0, info.Size()-mostText), mostText))
	if err != nil {
		return "", false
	}
	return python.Lower(python.Newlines(python.Decode(string(raw)))), true
}

// closingWords are an agent's last words: what follows a banner, the last solution block, or the end of the text.
func closingWords(text string) string {
	if _, after, found := strings.Cut(text, banner); found {
		_, block, _ := strings.Cut(after, "\n")
		block, _, _ = strings.Cut(block, "=== stderr ===")
		block, _, _ = strings.Cut(block, "\n20")
		if block = python.Trim(block); block != "" {
			return firstRunes(block, claimRunes)
		}
	}
	if at := strings.LastIndex(text, opening); at >= 0 {
		block, _, _ := strings.Cut(text[at+len(opening):], closing)
		return block
	}
	return lastRunes(text, claimRunes)
}

func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

func lastRunes(s string, n int) string {
	at := len(s)
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:at])
		at -= size
	}
	return s[at:]
}

// givesNumber tells whether a whole word is followed, within its line and reach, by a digit.
func givesNumber(text, word string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(word)
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		after, _ := utf8.DecodeRuneInString(text[end:])
		if !(start > 0 && wordRune(before)) && !(end < len(text) && wordRune(after)) && digitNear(text[end:]) {
			return true
		}
		at = start + 1
	}
}

func wordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) }

func digitNear(rest string) bool {
	seen := 0
	for _, r := range rest {
		switch {
		case unicode.IsDigit(r):
			return true
		case r == '\n' || seen == claimReach:
			return false
		}
		seen++
	}
	return false
}
