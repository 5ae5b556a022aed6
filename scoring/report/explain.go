package report

import (
	"fmt"
	"math"
	"strings"
)

// Line is one statement of "how this number is made". Head is a word or two: "Formula", "Mean", "Threshold".
type Line struct{ Head, Text string }

// String reads "Head: text".
func (l Line) String() string { return l.Head + ": " + l.Text }

// Explain tells how the number of a report is made, top down: the result, the scorer's method with the actual values,
// the threshold, and the other metrics beside it.
func Explain(r *Report) []Line {
	lines := []Line{r.resultLine()}
	lines = append(lines, r.Method...)
	if line := r.costLine(); line.Text != "" {
		lines = append(lines, line)
	}
	lines = append(lines, r.thresholdLine())
	if beside := r.besideLine(); beside.Text != "" {
		lines = append(lines, beside)
	}
	return lines
}

func (r *Report) resultLine() Line {
	switch {
	case r.Result.None && r.Result.Reason != "":
		return Line{"Score", "none: " + r.Result.Reason}
	case r.Result.None:
		return Line{"Score", "none"}
	case r.Result.Reason != "":
		return Line{"Score", Number(r.Result.Value) + ": " + r.Result.Reason}
	case r.Primary != "":
		return Line{"Score", Number(r.Result.Value) + ", from " + r.Primary}
	}
	return Line{"Score", Number(r.Result.Value)}
}

// costNames tell what was lost, kind by kind, in the order of kindsByCost.
var costNames = map[Kind]string{TP: "contours of good matches", Weak: "weak matches", FP: "extra objects", FN: "missed objects",
	LooseTruth: "truth without an object", LooseAnswer: "answer without an object", Whole: "whole images",
	CountError: "wrong counts", ValueError: "wrong values", MissingValue: "missing values", Unmatched: "unmatched keys", MissedLink: "missing links", SpuriousLink: "spurious links", WrongClass: "wrong kinds",
	MissedPixels: "missed pixels", ExtraPixels: "extra pixels"}

var kindsByCost = []Kind{Whole, MissingValue, Unmatched, ValueError, CountError, FN, FP, MissedLink, SpuriousLink, WrongClass, Weak, TP, MissedPixels, ExtraPixels, LooseTruth, LooseAnswer}

// costLine adds up the costs of the marks by kind: what kind of error took how much from the full score.
func (r *Report) costLine() Line {
	if r.Gains {
		return Line{}
	}
	sums := map[Kind]float64{}
	for _, m := range r.Marks {
		if !m.Diagnostic {
			sums[m.Kind] += m.Cost
		}
	}
	var parts []string
	for _, k := range kindsByCost {
		if sums[k] >= 0.00005 {
			parts = append(parts, costNames[k]+" "+Number(sums[k]))
		}
	}
	return Line{"Lost", strings.Join(parts, ", ")}
}

func (r *Report) thresholdLine() Line {
	t := Number(r.Threshold)
	switch {
	case r.Result.None:
		return Line{"Threshold", "a run passes from " + t + "; without a score it neither passes nor fails"}
	case math.IsNaN(r.Threshold):
		return Line{"Threshold", "does not pass: the threshold is not a number"}
	case r.Passed():
		return Line{"Threshold", "passes, " + Number(r.Result.Value) + " reaches " + t}
	}
	return Line{"Threshold", "does not pass, " + Number(r.Result.Value) + " is below " + t}
}

// besideLine lists the other figures of the record, those of nested records under their name. Counts are left out.
func (r *Report) besideLine() Line {
	var parts []string
	collect("", r.Metrics, r.Primary, &parts)
	return Line{"Beside", strings.Join(parts, ", ")}
}

// evidence is a field of some records that repeats their numbers for a judge.
const evidence = "evidence_for_vlm"

func collect(prefix string, record *Record, primary string, parts *[]string) {
	if record == nil {
		return
	}
	for _, key := range record.Keys() {
		if key == evidence {
			continue
		}
		switch v := record.Get(key).(type) {
		case *Record:
			if v.holdsRecords() {
				collect(prefix, v, primary, parts)
			} else {
				collect(prefix+key+" ", v, primary, parts)
			}
		case float64:
			if n, ok := record.Number(key); ok && (prefix != "" || key != "result_score" && key != primary) {
				*parts = append(*parts, prefix+key+" "+Number(n))
			}
		}
	}
}

// holdsRecords tells a record that only names other records ("compartments").
func (r *Record) holdsRecords() bool {
	for _, key := range r.keys {
		if _, ok := r.values[key].(*Record); !ok {
			return false
		}
	}
	return len(r.keys) > 0
}

// Number prints a figure without superfluous digits: at most four decimals, a point, no thousands marks.
func Number(v float64) string {
	switch {
	case math.IsNaN(v):
		return "not a number"
	case math.IsInf(v, 1):
		return "infinity"
	case math.IsInf(v, -1):
		return "-infinity"
	}
	text := fmt.Sprintf("%.4f", v)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	if text == "-0" {
		return "0"
	}
	return text
}
