package table

import (
	"strings"

	"coverslip/datasets/tabular/python"
)

// align finds for each condition of the reference one of the answer: by equal names, by names that hold one another, then
// by class (spec/scorers-tables.md 3.5). A condition is taken once.
func (f *foci) align() {
	taken := map[string]bool{}
	take := func(ref, pred string) {
		taken[pred] = true
		f.pairs = append(f.pairs, aligned{ref: ref, pred: pred, truth: f.truth.values[ref], got: f.pred.values[pred]})
	}
	for _, ref := range f.truth.names {
		if pred, ok := namesake(ref, f.pred.names); ok && !taken[pred] {
			take(ref, pred)
		} else {
			f.open = append(f.open, ref)
		}
	}
	var left []string
	for _, ref := range f.open {
		class, found := classOf(ref), false
		for _, pred := range f.pred.names {
			if class != "" && !taken[pred] && classOf(pred) == class {
				take(ref, pred)
				found = true
				break
			}
		}
		if !found {
			left = append(left, ref)
		}
	}
	f.open = left
	for _, pred := range f.pred.names {
		if !taken[pred] {
			f.unused = append(f.unused, pred)
		}
	}
}

// namesake is the first name that is the same in normal form, else the first that holds it or is held by it.
func namesake(ref string, names []string) (string, bool) {
	r := spaceless(ref)
	for _, n := range names {
		if spaceless(n) == r {
			return n, true
		}
	}
	for _, n := range names {
		if p := spaceless(n); strings.Contains(p, r) || strings.Contains(r, p) {
			return n, true
		}
	}
	return "", false
}

// spaceless is a name in normal form: no white space, lower case.
func spaceless(name string) string { return python.Lower(strings.Join(python.Fields(name), "")) }

// classOf tells control and treated conditions; "" for others.
func classOf(name string) string {
	n := spaceless(name)
	for _, c := range []struct {
		class string
		words []string
	}{{"control", []string{"sicontrol", "control", "si_control"}}, {"treated", []string{"si53bp1", "53bp1", "treated"}}} {
		for _, w := range c.words {
			if strings.Contains(n, w) {
				return c.class
			}
		}
	}
	return ""
}
