package demo

import "testing"

// grade is the Dice of the foreground and AP at IoU 0.5, in the words of spec/scorers-segmentation-tracking.md 2.1; above
// one half no two pairs share an object, so no assignment is needed.
func grade(a, b labels) (dice, ap float64) {
	if len(a.ID) != len(b.ID) || a.W != b.W {
		return 0, 0
	}
	areaA, areaB, both := make([]int, a.count()+1), make([]int, b.count()+1), map[[2]uint16]int{}
	fa, fb, fab := 0, 0, 0
	for i, v := range a.ID {
		w := b.ID[i]
		areaA[v]++
		areaB[w]++
		if v > 0 {
			fa++
		}
		if w > 0 {
			fb++
		}
		if v > 0 && w > 0 {
			fab++
			both[[2]uint16{v, w}]++
		}
	}
	tp := 0
	for k, n := range both {
		if 2*n > areaA[k[0]]+areaB[k[1]]-n {
			tp++
		}
	}
	return 2 * float64(fab) / float64(fa+fb), float64(tp) / float64(a.count()+b.count()-tp)
}

// TestAgentsAreGraded: the splitter keeps the careful agent's Dice but not its AP; the careless agent is lowest in both.
func TestAgentsAreGraded(t *testing.T) {
	all := agents()
	dice, ap := make([][2]float64, len(all)), make([][2]float64, len(all))
	list := slides()
	for n, s := range list {
		truth := painted()[n].truth
		for k, a := range all {
			answer := a.flat.answer(truth, hash(s.seed, uint64(k)))
			if a.name == "careless" && (n == wrongSize || n == notThere) {
				continue
			}
			d, p := grade(answer, truth)
			dice[k][0] += d / float64(len(list))
			ap[k][0] += p / float64(len(list))
		}
	}
	_, truth := grown()
	for k, a := range all {
		dice[k][1], ap[k][1] = grade(a.deep.answer(truth, hash(stackSeed, uint64(k+2))), truth)
		t.Logf("%-9s nuclei: Dice %.3f AP %.3f   cells: Dice %.3f AP %.3f", a.name, dice[k][0], ap[k][0], dice[k][1], ap[k][1])
	}
	for i, task := range []string{"nuclei", "cells"} {
		if dice[0][i] < 0.85 || ap[0][i] < 0.7 {
			t.Errorf("%s: careful has Dice %.3f AP %.3f", task, dice[0][i], ap[0][i])
		}
		if dice[1][i] < dice[0][i]-0.05 || ap[1][i] > ap[0][i]-0.3 {
			t.Errorf("%s: splitter should keep Dice and lose AP, has %.3f, %.3f", task, dice[1][i], ap[1][i])
		}
		if dice[2][i] < 0.45 || dice[2][i] > 0.68 || ap[2][i] >= ap[1][i] {
			t.Errorf("%s: careless has Dice %.3f AP %.3f", task, dice[2][i], ap[2][i])
		}
	}
}
