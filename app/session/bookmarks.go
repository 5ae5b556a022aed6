package session

import (
	"slices"

	"coverslip/viewer"
)

// Bookmark is a place that the user wants to find again: a View of a task, by the task's folder, or of a loose file by its path.
type Bookmark struct {
	Key  string `json:"key"` // of the task or file it belongs to
	Name string `json:"name"`
	View string `json:"view"`
}

// Bookmarks lists those of what is open now.
func (s *Session) Bookmarks() []Bookmark {
	key := s.placeKey()
	var mine []Bookmark
	for _, b := range s.bookmarks {
		if b.Key == key {
			mine = append(mine, b)
		}
	}
	return mine
}

// AddBookmark keeps the present view under a name, in the place of an older one of that name.
func (s *Session) AddBookmark(name string) {
	key := s.placeKey()
	if key == "" || name == "" {
		return
	}
	s.RemoveBookmark(name)
	s.bookmarks = append(s.bookmarks, Bookmark{key, name, s.view.String()})
	s.changed(BookmarksChanged)
}

// RemoveBookmark forgets the one of that name.
func (s *Session) RemoveBookmark(name string) {
	key := s.placeKey()
	s.bookmarks = slices.DeleteFunc(s.bookmarks, func(b Bookmark) bool { return b.Key == key && b.Name == name })
	s.changed(BookmarksChanged)
}

// GoToBookmark shows a kept view.
func (s *Session) GoToBookmark(b Bookmark) error {
	v, err := viewer.Parse(b.View)
	if err != nil {
		return err
	}
	s.leave()
	return s.SetView(v)
}

// BookmarkMemory is all bookmarks of all tasks, for keeping them between starts.
func (s *Session) BookmarkMemory() []Bookmark { return slices.Clone(s.bookmarks) }

// SetBookmarkMemory takes up what was kept.
func (s *Session) SetBookmarkMemory(all []Bookmark) { s.bookmarks = slices.Clone(all) }

// placeKey names what the present views belong to: the task's folder, or the image's path.
func (s *Session) placeKey() string {
	e := s.entry()
	switch {
	case e == nil:
		return ""
	case e.task != nil:
		return e.task.Dir
	}
	if im := s.current(); im != nil {
		return im.Input
	}
	return ""
}
