package table

import (
	"errors"
	"fmt"
	"math/big"

	"coverslip/datasets/biabench"
	"coverslip/datasets/tabular/python"
)

// expectations are what a rubric expects of pairs of conditions.
type expectations struct {
	comparisons []expectedPair
	orderings   []expectedOrder
}

type expectedPair struct {
	left, right string
	significant bool
	alpha       float64
}

type expectedOrder struct{ greater, less string }

// defaultAlpha is the level of significance where the rubric gives none.
const defaultAlpha = 0.05

// readExpectations reads comparisons and expect_greater of a rubric.
func readExpectations(metric map[string]any) (e expectations, err error) {
	pairs, err := mappings(metric["comparisons"], "comparisons")
	if err != nil {
		return e, err
	}
	for _, m := range pairs {
		p := expectedPair{significant: truthy(m["expect_significant"]), alpha: defaultAlpha}
		if p.left, p.right, err = two(m, "left", "right"); err != nil {
			return e, err
		}
		if v, given := m["alpha"]; given {
			if p.alpha, err = asFloat(v, "alpha"); err != nil {
				return e, err
			}
		}
		e.comparisons = append(e.comparisons, p)
	}
	orders, err := mappings(metric["expect_greater"], "expect_greater")
	if err != nil {
		return e, err
	}
	for _, m := range orders {
		var o expectedOrder
		if o.greater, o.less, err = two(m, "greater", "less"); err != nil {
			return e, err
		}
		e.orderings = append(e.orderings, o)
	}
	return e, nil
}

// mappings reads a list of mappings; none is allowed.
func mappings(v any, key string) ([]map[string]any, error) {
	if !truthy(v) {
		return nil, nil
	}
	items, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("the rubric's %s is no list", key)
	}
	var all []map[string]any
	for _, item := range items {
		m, ok := item.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("an entry of the rubric's %s is no mapping", key)
		}
		all = append(all, m)
	}
	return all, nil
}

// two reads two names.
func two(m map[string]any, first, second string) (a, b string, err error) {
	for _, field := range []struct {
		key string
		to  *string
	}{{first, &a}, {second, &b}} {
		v, given := m[field.key]
		if !given {
			return "", "", errors.New("a comparison of the rubric lacks " + field.key)
		}
		*field.to = biabench.KeyText(v)
	}
	return a, b, nil
}

// truthy tells what the reference's language takes for true.
func truthy(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case string:
		return v != ""
	case int64:
		return v != 0
	case float64:
		return v != 0
	case *big.Int:
		return v.Sign() != 0
	case []any:
		return len(v) > 0
	case map[string]any:
		return len(v) > 0
	}
	return true
}

// asFloat reads a number of the rubric: a number, a truth value or text that holds one.
func asFloat(v any, key string) (float64, error) {
	switch v := v.(type) {
	case int64:
		return float64(v), nil
	case float64:
		return v, nil
	case bool:
		if v {
			return 1, nil
		}
		return 0, nil
	case string:
		if f, ok := python.Float(python.Trim(v)); ok {
			return f, nil
		}
	}
	return 0, fmt.Errorf("the rubric's %s is no number", key)
}
