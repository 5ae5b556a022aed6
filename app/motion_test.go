package app

import (
	"fmt"
	"testing"
)

func TestWhatHappensAtTheEndOfAFilm(t *testing.T) {
	for loop, want := range map[loopMode]string{
		around: "[1 2 3 0 1 2 3 0]", forthAndBack: "[1 2 3 2 1 0 1 2]", once: "[1 2 3]",
	} {
		p, at, goOn := pace{loop: loop}, 0, true
		var got []int
		for goOn && len(got) < 8 {
			at, goOn = p.next(at, 4)
			got = append(got, at)
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s: %v, expected %s", loopWords[loop], got, want)
		}
	}
	p := pace{loop: once}
	if at, goOn := p.next(3, 4); at != 0 || !goOn {
		t.Errorf("from the end a film begins anew: %d, %v", at, goOn)
	}
}

func TestStoryTheSpeedIsSaid(t *testing.T) {
	w := openDemo(t, 1, 1)
	w.press("}")
	w.press("Shift+K")
	if text := w.status.Text(); w.pace.playEvery().Milliseconds() != 66 || w.pace.loop != forthAndBack {
		t.Errorf("%v, %v: %q", w.pace.playEvery(), w.pace.loop, text)
	}
	w.press("Ctrl+]")
	if w.pace.blinkEvery().Milliseconds() != 250 {
		t.Errorf("%v", w.pace.blinkEvery())
	}
}
