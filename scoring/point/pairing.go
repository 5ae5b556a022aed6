package point

import (
	"path/filepath"
	"strings"

	"coverslip/datasets/biabench"
)

// pairing joins answer tables with truth tables. Indices are places in the lists that were paired.
type pairing struct {
	truthOf []int // of each answer file, -1: none
	predOf  []int // of each truth file, -1: none
}

// pair gives each answer file, in path order, its truth file (4.3): of equal stem, else of the stem without its first
// word, else the first whose stem the answer's ends with. A truth file that is taken is not given again.
func pair(preds, truths []string) pairing {
	p := pairing{truthOf: make([]int, len(preds)), predOf: make([]int, len(truths))}
	stems, byStem := make([]string, len(truths)), map[string]int{}
	for i, file := range truths {
		p.predOf[i] = -1
		stems[i] = biabench.Stem(file)
		byStem[stems[i]] = i
	}
	for i, file := range preds {
		p.truthOf[i] = -1
		if k := find(biabench.Stem(file), stems, byStem); k >= 0 && p.predOf[k] < 0 {
			p.truthOf[i], p.predOf[k] = k, i
		}
	}
	return p
}

func find(stem string, stems []string, byStem map[string]int) int {
	if k, ok := byStem[stem]; ok {
		return k
	}
	if k, ok := byStem[withoutFirstWord(stem)]; ok {
		return k
	}
	for k, s := range stems {
		if strings.HasSuffix(stem, s) {
			return k
		}
	}
	return -1
}

// withoutFirstWord drops one leading run of letters and digits together with the underscore behind it.
func withoutFirstWord(stem string) string {
	for i := range len(stem) {
		c := stem[i]
		switch {
		case c == '_' && i > 0:
			return stem[i+1:]
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		default:
			return stem
		}
	}
	return stem
}

// reserved tells answer files that are no table of an image (4.1).
func reserved(file string) bool {
	name := strings.ToLower(filepath.Base(file))
	return strings.HasPrefix(name, "summary") || strings.HasPrefix(name, "metrics") || strings.HasPrefix(name, "report")
}
