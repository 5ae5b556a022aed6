package compare

import (
	"math"
	"strconv"

	"coverslip/scoring/report"
)

// metrics lists every numeric field of two records by its path: names joined by points, list elements in brackets by the
// first text in them ("per_image[kidney_01].dice"), by their place where there is none.
func metrics(a, b *report.Record) []Metric {
	var list []Metric
	index := map[string]int{}
	at := func(path string) *Metric {
		i, known := index[path]
		if !known {
			i = len(list)
			index[path] = i
			list = append(list, Metric{path, math.NaN(), math.NaN()})
		}
		return &list[i]
	}
	numbers("", a, func(path string, v float64) { at(path).A = v })
	numbers("", b, func(path string, v float64) { at(path).B = v })
	return list
}

// numbers visits the numeric fields of a value.
func numbers(path string, value any, visit func(string, float64)) {
	switch v := value.(type) {
	case *report.Record:
		if v == nil {
			return
		}
		for _, key := range v.Keys() {
			below := key
			if path != "" {
				below = path + "." + key
			}
			numbers(below, v.Get(key), visit)
		}
	case []*report.Record:
		for i, name := range namesOf(v) {
			numbers(path+"["+name+"]", v[i], visit)
		}
	case []any:
		for i := range v {
			numbers(path+"["+strconv.Itoa(i)+"]", v[i], visit)
		}
	case []int:
		for i := range v {
			visit(path+"["+strconv.Itoa(i)+"]", float64(v[i]))
		}
	case []float64:
		for i := range v {
			numbers(path+"["+strconv.Itoa(i)+"]", v[i], visit)
		}
	case int:
		visit(path, float64(v))
	case float64:
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			visit(path, v)
		}
	}
}

// namesOf gives the records of a list a name each: their first text if these differ, else their places.
func namesOf(list []*report.Record) []string {
	names := make([]string, len(list))
	seen := map[string]bool{}
	for i, r := range list {
		for _, key := range r.Keys() {
			if text, ok := r.Get(key).(string); ok {
				names[i] = text
				break
			}
		}
		if names[i] == "" || seen[names[i]] {
			for k := range names {
				names[k] = strconv.Itoa(k)
			}
			return names
		}
		seen[names[i]] = true
	}
	return names
}
