package table

import (
	"coverslip/scoring/numeric"
)

// tally counts pairs and classes over all frames.
type tally struct {
	tp, fp, fn     int
	classes        [nClasses]classTally
	counted, right int // pairs whose class in the truth is known, those of them whose classes agree
}

// classTally counts one class over the counted pairs.
type classTally struct{ tp, fp, fn int }

func (c classTally) f1() float64 { return f1(c.tp, c.fp, c.fn) }

// f1 is the harmonic mean of precision and recall, 0 without a hit.
func f1(tp, fp, fn int) float64 {
	if tp == 0 {
		return 0
	}
	p, r := float64(tp)/float64(tp+fp), float64(tp)/float64(tp+fn)
	return float64(2*p*r) / (p + r)
}

// pair adds n pairs (n may be negative) of a class in the answer and one in the truth.
func (t *tally) pair(pred, truth, n int) {
	t.tp += n
	if truth < 0 {
		return
	}
	t.counted += n
	if pred == truth {
		t.right += n
		t.classes[truth].tp += n
		return
	}
	t.classes[truth].fn += n
	if pred >= 0 {
		t.classes[pred].fp += n
	}
}

func (t *tally) localisation() float64 { return f1(t.tp, t.fp, t.fn) }

// classification are macro F1 and accuracy, nil without a counted pair.
func (t *tally) classification() (macro, accuracy *float64) {
	if t.counted == 0 {
		return nil, nil
	}
	sum := 0.0
	for _, c := range t.classes {
		sum += c.f1()
	}
	return ptr(sum / nClasses), ptr(float64(t.right) / float64(t.counted))
}

// course says how well the shares of the classes follow the truth over time.
type course struct {
	frames   int // compared
	perClass [nClasses]*float64
	mean     *float64 // of r over the classes that have one; nil for none
	score    *float64
}

// courseOf compares the shares in the frames where both sides have cells of known class. In one frame (-1 for none) the
// answer's counts may be changed.
func courseOf(frames []*frame, changed int, by [nClasses]int) (course, error) {
	var x, y [nClasses][]float64
	for i, f := range frames {
		pred := f.predKnown
		if i == changed {
			for k := range pred {
				pred[k] += by[k]
			}
		}
		nPred, nTruth := pred[0]+pred[1]+pred[2], f.truthKnown[0]+f.truthKnown[1]+f.truthKnown[2]
		if nPred == 0 || nTruth == 0 {
			continue
		}
		for k := range nClasses {
			x[k] = append(x[k], float64(f.truthKnown[k])/float64(nTruth))
			y[k] = append(y[k], float64(pred[k])/float64(nPred))
		}
	}
	c := course{frames: len(x[0])}
	if c.frames < 2 {
		return c, nil
	}
	var defined []float64
	for k := range nClasses {
		r, err := numeric.Pearson(x[k], y[k])
		if err != nil {
			return c, err
		}
		if c.perClass[k] = r; r != nil {
			defined = append(defined, *r)
		}
	}
	if len(defined) > 0 {
		c.mean = ptr(numeric.Mean(defined))
		c.score = ptr(numeric.Clip((*c.mean+1)/2, 0, 1))
	}
	return c, nil
}

// total is the unrounded result: the mean of localisation, classification and course, what is lacking counting 0.
func (m *microglia) total(t tally, c course) float64 {
	sum := t.localisation()
	macro, _ := t.classification()
	if macro != nil {
		sum += *macro
	}
	if c.score != nil {
		sum += *c.score
	}
	return sum / 3
}
