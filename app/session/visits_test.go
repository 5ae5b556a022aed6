package session

import (
	"testing"

	"coverslip/viewer"
)

func TestBackAndForwardRetraceJumps(t *testing.T) {
	o := openDemo(t, 0)
	if o.CanGoBack() || o.CanGoForward() {
		t.Fatal("a way back before the first jump")
	}
	var stops []viewer.View
	stop := func() { o.settle(t); stops = append(stops, o.View()) }
	stop()
	o.WorstError()
	stop()
	o.NextError()
	stop()
	o.SelectImage(3)
	stop()
	o.Pan(5, 5) // no jump, but where the way back begins
	stops[len(stops)-1] = o.View()
	if err := o.GoTo("40, 50"); err != nil {
		t.Fatal(err)
	}
	stop()
	check := func(i int, what string) {
		t.Helper()
		o.settle(t)
		if !o.View().Equal(stops[i]) {
			t.Errorf("%s to stop %d: %s, expected %s", what, i, o.View(), stops[i])
		}
	}
	for i := len(stops) - 2; i >= 0; i-- {
		o.GoBack()
		check(i, "back")
	}
	if o.CanGoBack() || o.Selected() >= 0 {
		t.Errorf("at the beginning: back %v, selected %d", o.CanGoBack(), o.Selected())
	}
	for i := 1; i < len(stops); i++ {
		o.GoForward()
		check(i, "forward")
	}
	o.GoBack()
	o.GoBack()
	o.NextError()
	if o.CanGoForward() {
		t.Error("a jump leaves the way forward open")
	}
}

func TestBookmarksBelongToTheirTask(t *testing.T) {
	o := openDemo(t, 0)
	o.WorstError()
	o.settle(t)
	kept := o.View()
	o.AddBookmark("worst")
	o.SelectImage(4)
	o.settle(t)
	o.AddBookmark("fourth")
	o.AddBookmark("fourth")
	if n := len(o.Bookmarks()); n != 2 {
		t.Fatalf("%d bookmarks", n)
	}
	other := New(Options{Post: o.q.Post})
	defer other.Close()
	other.SetBookmarkMemory(o.BookmarkMemory())
	if len(other.Bookmarks()) != 0 {
		t.Error("bookmarks of a task that is not open")
	}
	if err := o.GoToBookmark(o.Bookmarks()[0]); err != nil {
		t.Fatal(err)
	}
	o.settle(t)
	if got := o.View(); !got.Equal(kept) {
		t.Errorf("%s, expected %s", got, kept)
	}
	o.RemoveBookmark("worst")
	if b := o.Bookmarks(); len(b) != 1 || b[0].Name != "fourth" {
		t.Errorf("%v", b)
	}
}
