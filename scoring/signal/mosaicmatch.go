package signal

import (
	"math"

	"coverslip/scoring/numeric"
	"coverslip/scoring/report"
)

// stitching is how the mosaic compares with the truth's (spec/scorers-signals.md 4.6).
type stitching struct {
	truth, answer    *stack // answer is nil for an unreadable file
	answerErr        error
	channels, planes int // expected
	tolerance        float64
	fits             bool // channels and planes are as expected
	deviation        int  // pixels in x and y together
	shape, profile   float64
	correlations     []float64 // of each expected channel, NaN for none
}

func (t *stitching) compare() {
	t.profile, t.shape = 0, 0
	if t.answer != nil {
		t.fits = t.answer.c == t.channels && t.answer.z == t.planes
		t.deviation = distance(t.answer.x, t.truth.x) + distance(t.answer.y, t.truth.y)
	}
	switch {
	case !t.fits:
	case t.tolerance > 0:
		t.shape = atLeast0(1 - float64(t.deviation)/(2*t.tolerance))
	case t.deviation == 0:
		t.shape = 1
	}
	sum := 0.0
	for c := range t.channels {
		r := math.NaN()
		if t.answer != nil && c < len(t.answer.profiles) && c < len(t.truth.profiles) {
			r = profileCorrelation(t.answer.profiles[c], t.truth.profiles[c])
		}
		t.correlations = append(t.correlations, r)
		sum += atLeast0(r)
	}
	if t.channels > 0 {
		t.profile = sum / float64(t.channels)
	}
}

func (t *stitching) quality() float64 { return float64(0.5*t.shape) + float64(0.5*t.profile) }

func distance(a, b int) int { return max(a-b, b-a) }

// profileCorrelation is Pearson's r of two profiles; the answer's is stretched to the truth's width.
func profileCorrelation(answer, truth []float64) float64 {
	if len(answer) != len(truth) {
		if len(answer) < 2 || len(truth) < 2 {
			return math.NaN()
		}
		answer = stretch(answer, len(truth))
	}
	return numeric.PairwisePearson(answer, truth)
}

// stretch resamples a profile linearly to n points, both ends kept.
func stretch(v []float64, n int) []float64 {
	out := make([]float64, n)
	last := len(v) - 1
	for i := range out {
		at := float64(i) / float64(n-1) * float64(last)
		k := min(int(at), last-1)
		out[i] = v[k] + float64((v[k+1]-v[k])*(at-float64(k)))
	}
	return out
}

// record is the detail of the stitching.
func (t *stitching) record(r *report.Record, bandHeight int) {
	round := numeric.Round4
	shape := new(report.Record)
	xy := []any{0, 0}
	if t.answer != nil {
		shape.Set("agent_channels", t.answer.c).Set("agent_z_slices", t.answer.z)
		xy = []any{t.answer.x, t.answer.y}
	} else {
		shape.Set("agent_channels", nil).Set("agent_z_slices", nil)
	}
	shape.Set("agent_xy", xy).Set("reference_xy", []any{t.truth.x, t.truth.y}).Set("expected_channels", t.channels).
		Set("expected_z_slices", t.planes).Set("tolerance_px", t.tolerance)
	if t.fits {
		shape.Set("xy_deviation_px", t.deviation)
	} else {
		shape.Set("reason", "the number of channels or planes is not the expected one")
	}
	list := []*report.Record{}
	for c, v := range t.correlations {
		list = append(list, new(report.Record).Set("channel_index", c).Set("pearson_r", null(round(v))).Set("score", round(atLeast0(v))))
	}
	r.Set("shape_match_score", round(t.shape)).Set("shape_match", shape).Set("profile_match_score", round(t.profile)).
		Set("profile_match_per_channel", list).Set("band_height_px", bandHeight)
}

// wanted is a mean that the rubric asks for.
type wanted struct {
	channel, feature, population string
	truth, answer, error, score  float64 // NaN where there is none
	reason                       string
}

func (w wanted) key() string { return w.channel + "_" + w.feature + "_" + w.population }

// align judges a wanted mean (spec/scorers-signals.md 4.7).
func (w *wanted) align(truth, answer means) {
	f := feature{w.channel, w.feature}
	w.truth, w.answer, w.error = math.NaN(), math.NaN(), math.NaN()
	switch lower(w.population) {
	case "wbc":
		w.truth = meanOf(truth, f, populationWBC)
	case "mcf7":
		w.truth = meanOf(truth, f, populationMCF7)
	}
	w.answer = meanOf(answer, f, w.population)
	switch {
	case math.IsNaN(w.answer):
		w.reason = "the answer does not report it"
	case math.IsNaN(w.truth) || w.truth == 0:
		w.reason = "the truth has no usable value"
	default:
		w.error = math.Abs(w.answer-w.truth) / math.Abs(w.truth)
		w.score = atLeast0(1 - w.error)
	}
}

func meanOf(m means, f feature, population string) float64 {
	if v, ok := m[f][population]; ok {
		return v.mean
	}
	return math.NaN()
}

func (w wanted) record() *report.Record {
	r := new(report.Record).Set("reference_mean", null(w.truth))
	if w.reason != "" {
		return r.Set("agent_mean", null(w.answer)).Set("score", 0.0).Set("reason", w.reason)
	}
	round := numeric.Round4
	return r.Set("agent_mean", round(w.answer)).Set("relative_error", round(w.error)).Set("score", round(w.score))
}

// direction says which population has more of a feature, in truth and answer. It is not scored.
type direction struct {
	feature       feature
	truth, answer float64 // MCF7 - WBC
	correct       bool
}

// directions compares the features that both sides have for both populations.
func directions(truth, answer means) []direction {
	var out []direction
	for _, f := range answer.both() {
		if truth[f] == nil {
			continue
		}
		d := direction{feature: f, truth: truth[f][populationMCF7].mean - truth[f][populationWBC].mean,
			answer: answer[f][populationMCF7].mean - answer[f][populationWBC].mean}
		d.correct = d.truth > 0 && d.answer > 0 || d.truth < 0 && d.answer < 0
		out = append(out, d)
	}
	return out
}

func (d direction) record() *report.Record {
	name := func(v float64) string {
		if v > 0 {
			return "MCF7>WBC"
		}
		return "WBC>MCF7"
	}
	answer := name(d.answer)
	if d.answer == 0 {
		answer = "flat"
	}
	return new(report.Record).Set("ref_direction", name(d.truth)).Set("agent_direction", answer).Set("correct", d.correct).
		Set("ref_delta", numeric.Round4(d.truth)).Set("agent_delta", numeric.Round4(d.answer))
}

// effectSizes is the rank correlation of the answer's effect sizes with the published ones, and the number of features; NaN
// where it cannot be computed.
func effectSizes(r reference, answer means) (rho float64, n int) {
	var x, y []float64
	for _, f := range answer.both() {
		if r.means[f] == nil {
			continue
		}
		w, m := answer[f][populationWBC], answer[f][populationMCF7]
		pooled := math.Sqrt((float64(w.sd*w.sd) + float64(m.sd*m.sd)) / 2)
		if math.IsNaN(pooled) || pooled == 0 {
			continue
		}
		x, y = append(x, math.Abs(m.mean-w.mean)/pooled), append(y, math.Abs(r.effect[f]))
	}
	if len(x) < 3 {
		return math.NaN(), len(x)
	}
	return numeric.Spearman(x, y), len(x)
}
