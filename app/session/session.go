// Package session is what is open and selected in the workbench: the only mutable state of the program.
//
// All methods of Session run on one goroutine, the owner's (the window's). Work runs on other goroutines and comes back
// through Options.Post. Observers are told what changed and read the session again; they keep nothing of their own.
//
// The session is also where scores meet pixels: it turns the marks of a report into styles of label layers.
package session

import (
	"context"
	"errors"
	"image"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster"
	"coverslip/viewer"
	"coverslip/viewer/render"
)

// Options say how a session reports back and how much it may remember.
type Options struct {
	Post       func(func()) // runs a function on the owner's goroutine
	CacheBytes int          // of decoded planes; 0 takes 192 MiB
}

// Topic tells an observer what changed. It is a set of bits.
type Topic uint

// What may change.
const (
	Tasks Topic = 1 << iota
	Runs
	Images
	Score
	Errors
	Selection
	ViewChanged
	SceneChanged
	Jobs
	Messages
	Pointer // what the status line says of the place under the pointer
	BookmarksChanged
	Exhibits // what was judged of the row on screen beside label images
)

// Session is what is open, selected and shown.
type Session struct {
	post      func(func())
	ctx       context.Context
	stop      context.CancelFunc
	observers []func(Topic)
	depth     int   // of nested batches
	pending   Topic // changed within the current batch

	loader *Loader
	tasks  []*entry
	task   int // index into tasks, -1 none
	recent []string
	axes   map[string]string // as the user reassigned them, by task id or path

	jobs     []*job
	nextJob  int
	messages []Message
	failures []error // all that complain said

	errors    errorList
	visits    visits
	exhibits  exhibits
	plots     []Plot
	plotKey   plotKey
	bookmarks []Bookmark

	view       viewer.View // as the user set it
	picture    image.Point // device pixels of the picture on screen
	blink      bool
	blinkTruth bool
	lent       lent              // what a comparison shows that was hidden
	projected  viewer.Projection // the last one, to be turned on again
	pointer    *viewer.Point     // where the pointer is, in device pixels of the picture

	picked picked   // what is on screen
	patch  patching // what is on its way to make it sharper
}

// picked is the loaded picture. It lags behind the view while planes are read.
type picked struct {
	scene   *render.Scene
	opened  *Opened
	view    viewer.View  // the last view that this picture was right for
	shape   raster.Shape // of the image
	loaded  sceneKey     // what scene shows
	wanted  sceneKey     // what the view asks for
	cancel  context.CancelFunc
	patched patchKey // of the patches over scene
	middle  bool     // a new stack is to be shown at its middle slice
	freeze  bool     // the first plane of a stack sets the contrast of all
}

// New makes an empty session.
func New(o Options) *Session {
	if o.CacheBytes == 0 {
		o.CacheBytes = 192 << 20
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &Session{post: o.Post, ctx: ctx, stop: stop, loader: NewLoader(o.CacheBytes), task: -1, axes: map[string]string{}}
	s.errors.reset()
	s.view = DefaultView()
	return s
}

// Close stops all work and removes what was unpacked from zips.
func (s *Session) Close() {
	s.stop()
	s.unpick()
	for _, e := range s.tasks {
		for _, r := range e.runs {
			r.run.Close()
		}
	}
	s.loader.Close()
}

// Observe calls f on the owner's goroutine after each change; changes within one call of a method come as one.
func (s *Session) Observe(f func(Topic)) { s.observers = append(s.observers, f) }

// batch merges the changes of f into one report to the observers.
func (s *Session) batch(f func()) {
	s.depth++
	f()
	s.depth--
	s.flush()
}

func (s *Session) changed(t Topic) {
	s.pending |= t
	s.flush()
}

func (s *Session) flush() {
	if s.depth > 0 || s.pending == 0 {
		return
	}
	if p := &s.picked; p.loaded.src == p.wanted.src {
		p.view = s.view
	}
	t := s.pending
	s.pending = 0
	for _, f := range s.observers {
		f(t)
	}
}

// Message is a remark to the user, shown until dismissed.
type Message struct {
	Level string // "info", "warning", "error"
	Text  string
}

// MessageList lists messages, newest last.
func (s *Session) MessageList() []Message { return s.messages }

// DismissMessages clears them.
func (s *Session) DismissMessages() {
	s.messages = nil
	s.changed(Messages)
}

// say tells the user something, once.
func (s *Session) say(level, text string) {
	for _, m := range s.messages {
		if m.Text == text {
			return
		}
	}
	s.messages = append(s.messages, Message{level, text})
	s.changed(Messages)
}

// complain reports an error unless it only says that the user cancelled.
func (s *Session) complain(err error) {
	if err == nil || errors.Is(err, context.Canceled) {
		return
	}
	s.failures = append(s.failures, err)
	level := "error"
	if fault.KindOf(err) == fault.Inconsistent {
		level = "warning"
	}
	s.say(level, err.Error())
}

// Failure joins all errors that were said so far, nil for none: for programs without a window, which have nobody to show them to.
func (s *Session) Failure() error { return errors.Join(s.failures...) }
