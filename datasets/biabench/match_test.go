package biabench

import (
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"
)

// randomNames makes file names of the words that agents and tasks use.
func randomNames(rng *rand.Rand) []string {
	words := []string{"img", "mask", "Agent", "nuclei", "cellA", "K", "1", "01", "12", "seg", "labels", "x", "output"}
	joints := []string{"_", "_", "-", ".", ""}
	names := make([]string, rng.IntN(8))
	for i := range names {
		for range 1 + rng.IntN(4) {
			names[i] += words[rng.IntN(len(words))] + joints[rng.IntN(len(joints))]
		}
		names[i] += []string{".tif", ".tiff", ".png", ""}[rng.IntN(4)]
	}
	return names
}

// Laws: each file is paired at most once and is one of the given; a list paired with itself is whole when its stems
// differ; folder names change nothing.
func TestMatchLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		preds, refs := randomNames(rng), randomNames(rng)
		slices.Sort(preds)
		slices.Sort(refs)
		preds, refs = slices.Compact(preds), slices.Compact(refs)
		got := Match(preds, refs)
		usedPred, usedRef := map[string]bool{}, map[string]bool{}
		for _, p := range got.Pairs {
			if usedPred[p.Pred] || usedRef[p.Ref] || !slices.Contains(preds, p.Pred) || !slices.Contains(refs, p.Ref) {
				t.Fatalf("%v with %v: %v is used twice or was not given", preds, refs, p)
			}
			usedPred[p.Pred], usedRef[p.Ref] = true, true
		}
		if len(got.Unpaired) != len(refs)-len(got.Pairs) || len(got.Surplus) != len(preds)-len(got.Pairs) {
			t.Fatalf("%v with %v: %+v does not account for all files", preds, refs, got)
		}
		moved := Match(below("a/b", preds), below("truth_1/img", refs))
		for i, p := range moved.Pairs {
			if path.Base(p.Pred) != got.Pairs[i].Pred || path.Base(p.Ref) != got.Pairs[i].Ref {
				t.Fatalf("%v with %v: folders change the pairing", preds, refs)
			}
		}
		if moved.Method != got.Method || len(moved.Pairs) != len(got.Pairs) {
			t.Fatalf("%v with %v: folders change the pairing", preds, refs)
		}
		if stems := distinctStems(refs); len(stems) == len(refs) && len(refs) > 0 {
			if self := Match(refs, refs); len(self.Pairs) != len(refs) || self.Method != "stem" {
				t.Fatalf("%v with itself: %+v", refs, self)
			}
		}
	}
}

func below(dir string, names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = dir + "/" + n
	}
	return out
}

func distinctStems(names []string) map[string]bool {
	stems := map[string]bool{}
	for _, n := range names {
		stems[Stem(n)] = true
	}
	return stems
}

func TestNumbersOfAnyLength(t *testing.T) {
	long := strings.Repeat("9", 100)
	got := Match([]string{"a-" + long + ".tif", "b-٣.tif"}, []string{"r.3.tif", "r.0" + long + ".tif"})
	same(t, "pairs", got.Pairs, []Pair{{"a-" + long + ".tif", "r.0" + long + ".tif"}, {"b-٣.tif", "r.3.tif"}})
}

func TestKeyText(t *testing.T) {
	for want, v := range map[string]any{
		"None": nil, "True": true, "1": 1, "2.0": 2.0, "0.1": 0.1, "1e+16": 1e16, "1000000000000000.0": 1e15, "1e-05": 1e-5, "0.0001": 1e-4,
		"-inf": negativeInfinity(), "1.5e+300": 1.5e300, "0.0": 0.0, "text": "text",
	} {
		same(t, "text", KeyText(v), want)
	}
}

func negativeInfinity() float64 { f, _ := pythonFloat("-inf"); return f }
