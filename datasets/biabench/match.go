package biabench

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// Pairing joins prediction files with reference files.
type Pairing struct {
	Pairs         []Pair // in pairing order
	Method        string // stem, index, sorted, none
	LowConfidence bool
	Unpaired      []string // references without a prediction, listing order
	Surplus       []string // predictions without a reference, listing order
}

// Pair is one prediction with its reference.
type Pair struct{ Pred, Ref string }

// Match pairs files by name: equal or similar stems, else equal numbers, else (only when nothing paired and both lists
// are equally long) by position. Folder names play no part, so paths or bare names both do. Source: spec/contract.md 4.
func Match(preds, refs []string) Pairing {
	if len(preds) == 0 || len(refs) == 0 {
		return complete(Pairing{Method: "none"}, preds, refs)
	}
	p := Pairing{Pairs: matchStems(preds, refs), Method: "stem"}
	if byIndex := matchIndices(preds, refs); len(byIndex) > len(p.Pairs) {
		p = Pairing{Pairs: byIndex, Method: "index"}
	}
	if len(p.Pairs) == 0 && len(preds) == len(refs) {
		p = Pairing{Pairs: matchPositions(preds, refs), Method: "sorted", LowConfidence: true}
	}
	return complete(p, preds, refs)
}

// complete lists what the pairs leave over.
func complete(p Pairing, preds, refs []string) Pairing {
	pred, ref := map[string]bool{}, map[string]bool{}
	for _, pair := range p.Pairs {
		pred[pair.Pred], ref[pair.Ref] = true, true
	}
	for _, f := range refs {
		if !ref[f] {
			p.Unpaired = append(p.Unpaired, f)
		}
	}
	for _, f := range preds {
		if !pred[f] {
			p.Surplus = append(p.Surplus, f)
		}
	}
	return p
}

// stemIndex looks references up by stem. A later reference with the same stem takes its place.
type stemIndex struct {
	raw        map[string]string
	normalised map[string]string
	order      []string // raw stems, each at its first position
}

func indexStems(refs []string) stemIndex {
	x := stemIndex{raw: map[string]string{}, normalised: map[string]string{}}
	for _, ref := range refs {
		stem := Stem(ref)
		if _, seen := x.raw[stem]; !seen {
			x.order = append(x.order, stem)
		}
		x.raw[stem] = ref
		x.normalised[normaliseStem(stem)] = ref
	}
	return x
}

// find gives the one reference that a prediction's stem asks for.
func (x stemIndex) find(stem string) (string, bool) {
	if ref, ok := x.raw[stem]; ok {
		return ref, true
	}
	norm := normaliseStem(stem)
	if ref, ok := x.raw[norm]; ok {
		return ref, true
	}
	if ref, ok := x.normalised[norm]; ok {
		return ref, true
	}
	for _, s := range x.order {
		if strings.HasSuffix(stem, s) {
			return x.raw[s], true
		}
	}
	return "", false
}

func matchStems(preds, refs []string) []Pair {
	x := indexStems(refs)
	used := map[string]bool{}
	var pairs []Pair
	for _, pred := range preds {
		// A reference that is taken leaves this prediction unpaired: there is no second choice.
		if ref, ok := x.find(Stem(pred)); ok && !used[ref] {
			used[ref] = true
			pairs = append(pairs, Pair{pred, ref})
		}
	}
	return pairs
}

func matchIndices(preds, refs []string) []Pair {
	byIndex := map[string]string{}
	count := map[string]int{}
	for _, ref := range refs {
		if i := nameIndex(Stem(ref)); i != "" {
			byIndex[i] = ref
			count[i]++
		}
	}
	var pairs []Pair
	for _, pred := range preds {
		i := nameIndex(Stem(pred))
		if i == "" || count[i] != 1 {
			continue
		}
		count[i] = 0 // each reference is used once
		pairs = append(pairs, Pair{pred, byIndex[i]})
	}
	return pairs
}

func matchPositions(preds, refs []string) []Pair {
	p, r := sortByNumber(preds), sortByNumber(refs)
	pairs := make([]Pair, len(p))
	for i := range p {
		pairs[i] = Pair{p[i], r[i]}
	}
	return pairs
}

// sortByNumber puts files with a number first, by number, then the others by lower-case stem. It is stable.
func sortByNumber(files []string) []string {
	type key struct{ index, stem, file string }
	keys := make([]key, len(files))
	for i, f := range files {
		keys[i] = key{nameIndex(Stem(f)), "", f}
		if keys[i].index == "" {
			keys[i].stem = lower(Stem(f))
		}
	}
	slices.SortStableFunc(keys, func(a, b key) int {
		if (a.index == "") != (b.index == "") {
			return cmp.Compare(len(b.index), len(a.index)) // the empty index goes last
		}
		if c := cmp.Compare(len(a.index), len(b.index)); c != 0 {
			return c // no leading zeros: the longer number is the greater one
		}
		return cmp.Or(cmp.Compare(a.index, b.index), cmp.Compare(a.stem, b.stem))
	})
	sorted := make([]string, len(keys))
	for i, k := range keys {
		sorted[i] = k.file
	}
	return sorted
}

var (
	agentPrefix = regexp.MustCompile(`(?i)^[a-z0-9]+_`)
	wordPrefix  = regexp.MustCompile(`(?i)^(?:nuclei|cytoplasm|masks?|seg|segmentation|pred|prediction|labels?|output|result)_`)
	wordSuffix  = regexp.MustCompile(`(?i)_(?:masks?|seg|segmentation|pred|prediction|labels?|output|result)$`)
)

// normaliseStem removes one leading run of letters and digits, one leading and one trailing word that agents add to
// names, each with its underscore, and lower-cases the rest.
func normaliseStem(stem string) string {
	stem = agentPrefix.ReplaceAllString(stem, "")
	stem = wordPrefix.ReplaceAllString(stem, "")
	stem = wordSuffix.ReplaceAllString(stem, "")
	return lower(stem)
}

// nameIndex is the longest run of digits in a stem (the first of equals) as a decimal number without leading zeros,
// or "" where there are no digits.
func nameIndex(stem string) string {
	var best, run []byte
	for _, r := range stem + " " {
		if d := digitValue(r); d >= 0 {
			run = append(run, byte('0'+d))
			continue
		}
		if len(run) > len(best) {
			best = slices.Clone(run)
		}
		run = run[:0]
	}
	if len(best) == 0 {
		return ""
	}
	if s := strings.TrimLeft(string(best), "0"); s != "" {
		return s
	}
	return "0"
}
