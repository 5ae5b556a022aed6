package signal

import (
	"fmt"
	"math"
	"math/big"

	"coverslip/datasets/tabular/python"
)

// config is a map of the rubric. Its numbers may be quoted (spec/scorers-signals.md 1.1); what is null or no number
// makes the reference fail where the number is used.
type config struct{ values map[string]any }

// float is a number of the rubric, or fallback where the key is absent.
func (c config) float(key string, fallback float64) (float64, error) {
	v, ok := c.values[key]
	if !ok {
		return fallback, nil
	}
	return toFloat(key, v)
}

// needed is a number that has no default.
func (c config) needed(key string) (float64, error) {
	v, ok := c.values[key]
	if !ok {
		return 0, fmt.Errorf("the rubric's metric_config lacks %s", key)
	}
	return toFloat(key, v)
}

func toFloat(key string, v any) (float64, error) {
	switch n := v.(type) {
	case float64:
		return n, nil
	case int:
		return float64(n), nil
	case int64:
		return float64(n), nil
	case *big.Int:
		f, _ := new(big.Float).SetInt(n).Float64()
		if math.IsInf(f, 0) {
			return 0, fmt.Errorf("the rubric's %s is too large", key)
		}
		return f, nil
	case bool:
		if n {
			return 1, nil
		}
		return 0, nil
	case string:
		if f, ok := python.Float(n); ok {
			return f, nil
		}
		return 0, fmt.Errorf("the rubric's %s is '%s' where a number is needed", key, n)
	case nil:
		return 0, fmt.Errorf("the rubric's %s is null where a number is needed", key)
	}
	return 0, fmt.Errorf("the rubric's %s is no number", key)
}

// whole is a whole number of the rubric: fractions are cut off, but not those of a quoted text.
func (c config) whole(key string, fallback int) (int, error) {
	v, ok := c.values[key]
	if !ok {
		return fallback, nil
	}
	if text, isText := v.(string); isText {
		n, ok := python.Int(text)
		if !ok {
			return 0, fmt.Errorf("the rubric's %s is '%s' where a whole number is needed", key, text)
		}
		return clampInt(n), nil
	}
	if n, isBig := v.(*big.Int); isBig {
		return clampInt(n), nil
	}
	f, err := toFloat(key, v)
	if err == nil && (math.IsNaN(f) || math.IsInf(f, 0)) {
		err = fmt.Errorf("the rubric's %s is not finite", key)
	}
	return int(max(-1e15, min(1e15, f))), err
}

// clampInt keeps a count within what an int holds; beyond 1e15 nothing is that many.
func clampInt(n *big.Int) int {
	const limit = int64(1e15)
	switch {
	case n.CmpAbs(big.NewInt(limit)) <= 0:
		return int(n.Int64())
	case n.Sign() < 0:
		return int(-limit)
	}
	return int(limit)
}

// text is a name in the rubric, or fallback where the key is absent. ok is false for what is no text.
func (c config) text(key, fallback string) (text string, ok bool) {
	v, there := c.values[key]
	if !there {
		return fallback, true
	}
	text, ok = v.(string)
	return text, ok
}

// falsy tells what the reference takes for "not given": null, empty text, list or map, 0, false.
func falsy(v any) bool {
	switch x := v.(type) {
	case nil:
		return true
	case string:
		return x == ""
	case bool:
		return !x
	case int:
		return x == 0
	case int64:
		return x == 0
	case float64:
		return x == 0
	case []any:
		return len(x) == 0
	case map[string]any:
		return len(x) == 0
	}
	return false
}
