package session

import (
	"math"
	"strings"
	"testing"

	"coverslip/datasets/fault"
)

func TestParseDestination(t *testing.T) {
	none := Destination{Y: math.NaN(), X: math.NaN(), T: -1, Z: -1}
	at := func(change func(*Destination)) *Destination {
		d := none
		change(&d)
		return &d
	}
	for text, want := range map[string]*Destination{
		"512, 300":         at(func(d *Destination) { d.Y, d.X = 512, 300 }),
		"512.5 300":        at(func(d *Destination) { d.Y, d.X = 512.5, 300 }),
		"z 3":              at(func(d *Destination) { d.Z = 3 }),
		"z3,t 12 y10 x 20": at(func(d *Destination) { d.Z, d.T, d.Y, d.X = 3, 12, 10, 20 }),
		"frame 7":          at(func(d *Destination) { d.T = 7 }),
		"answer 17":        at(func(d *Destination) { d.ID, d.Answer = 17, true }),
		"Truth 9":          at(func(d *Destination) { d.ID, d.Truth = 9, true }),
		"#-4":              at(func(d *Destination) { d.ID, d.Answer, d.Truth = -4, true, true }),
		"":                 nil, "512": nil, "y 3": nil, "z -1": nil, "z 1.5": nil, "answer": nil, "answer 0": nil, "q 3": nil, "1 2 3": nil,
		"y 1e9 x 1": nil, "zoom=x": nil,
	} {
		got, err := ParseDestination(text)
		if want == nil {
			if fault.KindOf(err) != fault.Malformed {
				t.Errorf("%q: %+v, %v; expected an error", text, got, err)
			}
			continue
		}
		same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
		if err != nil || !same(got.Y, want.Y) || !same(got.X, want.X) || got.T != want.T || got.Z != want.Z || got.ID != want.ID ||
			got.Answer != want.Answer || got.Truth != want.Truth {
			t.Errorf("%q: %+v, %v; expected %+v", text, got, err, *want)
		}
	}
}

func TestGoToPlaceAndLabel(t *testing.T) {
	o := openDemo(t, 1) // a stack
	for _, c := range []struct{ text, view, err string }{
		{"z 5 y 100 x 120", "z=5", ""},
		{"z 5 y 100 x 120", "at=100.5,120.5", ""},
		{"z 9999", "", "z from 0 to"},
		{"y 99999 x 1", "", "y from 0 to"},
		{"truth 999999999", "", ""}, // looked for in all planes, said when it is over
	} {
		err := o.GoTo(c.text)
		o.settle(t)
		if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%q: %v, expected %q", c.text, err, c.err)
		}
		if !strings.Contains(o.View().String(), c.view) {
			t.Errorf("%q: %s lacks %s", c.text, o.View(), c.view)
		}
	}
	if list := o.MessageList(); len(list) == 0 || !strings.Contains(list[len(list)-1].Text, "no label 999999999") {
		t.Errorf("messages %v", list)
	}
	for _, m := range o.Report().Marks[:20] {
		if m.Truth == 0 || m.Image != o.currentPart().Row {
			continue
		}
		if err := o.GoTo("truth " + orNone(m.Truth)); err != nil {
			t.Fatal(err)
		}
		o.settle(t)
		if o.View().Focus.Truth != m.Truth {
			t.Errorf("truth %d: %s", m.Truth, o.View())
		}
		if _, shown := o.Scene().Truth.Box(m.Truth); !shown {
			t.Errorf("truth %d is not on slice %d", m.Truth, o.View().Z)
		}
	}
}

func TestLabelsAreFoundWithoutAReport(t *testing.T) {
	o := openDemo(t, 1)
	truth := o.images()[0].Parts[0].Truth
	var id int64
	for _, m := range o.Report().Marks {
		if m.Truth != 0 && m.Image == 0 && m.Box.Z1 < o.Shape().Z/2-4 {
			id = m.Truth // not on the middle slice, at which a stack opens
		}
	}
	q := NewQueue()
	alone := &opened{New(Options{Post: q.Post}), q, o.layout}
	t.Cleanup(alone.Close)
	alone.loader.Forget()
	alone.Open(truth)
	alone.settle(t)
	if alone.Scene() == nil || id == 0 {
		t.Fatalf("scene %v, label %d", alone.Scene(), id)
	}
	alone.picked.opened.Truth = alone.picked.opened.Input // a lone label image has no sides
	if err := alone.GoTo("truth " + orNone(id)); err != nil {
		t.Fatal(err)
	}
	alone.settle(t)
	if alone.View().Focus.Truth != id {
		t.Errorf("label %d: %s, %v", id, alone.View(), alone.MessageList())
	}
}
