package numeric

import "slices"

// Policies of AggregatePerItem: what a missing item counts.
const (
	ZeroScore = "zero_score"
	FullError = "full_error"
	Skip      = "skip"
)

// ItemScore is the mean over items, the missing ones among them, with its bootstrap limits.
type ItemScore struct {
	Score, Low, High  float64
	NScored, NMissing int
	PerItem           []float64 // with the values of the missing items at the end
	Policy            string
}

// AggregatePerItem averages scores, to which each missing item adds missingValue unless the policy is Skip
// (spec/contract.md 5, aggregate_per_item_scores).
func AggregatePerItem(scores []float64, missing int, policy string, missingValue float64) ItemScore {
	s := ItemScore{PerItem: slices.Clone(scores), Policy: policy, NMissing: missing}
	if policy != Skip {
		for range missing {
			s.PerItem = append(s.PerItem, missingValue)
		}
	}
	if len(s.PerItem) == 0 {
		return s
	}
	s.NScored = len(s.PerItem)
	if policy == Skip {
		s.NMissing = 0
	}
	s.NScored = max(0, s.NScored-s.NMissing)
	if len(s.PerItem) == 1 {
		s.Score = s.PerItem[0]
		s.Low, s.High = s.Score, s.Score
		return s
	}
	s.Score, s.Low, s.High = BootstrapCI(s.PerItem, DefaultResampling)
	return s
}
