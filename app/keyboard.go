package app

import (
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// keyboard finds the action of a key. Named keys (arrows, Home, F1) arrive as key events; letters, digits and signs as
// characters, so that each keyboard layout has them where it prints them. Keys are written as people write them:
// "N", "Shift+Right", "Ctrl+O", "[", "Space".
type keyboard struct {
	actions map[string]*action
	// modifiers tells which modifier keys are down, since plain key events carry none.
	modifiers func() fyne.KeyModifier
	// blocked tells that a dialog or a menu lies over the window; it gets Escape, plain keys do nothing.
	blocked func() bool
	escape  func()
	held    *action // runs until its key is let go
	// moves takes a named key if a table is shown that it moves in.
	moves func(name string) bool
}

// named are keys that arrive as key events, by the toolkit's name.
var named = map[fyne.KeyName]string{
	fyne.KeyLeft: "Left", fyne.KeyRight: "Right", fyne.KeyUp: "Up", fyne.KeyDown: "Down",
	fyne.KeyHome: "Home", fyne.KeyEnd: "End", fyne.KeyPageUp: "PageUp", fyne.KeyPageDown: "PageDown",
	fyne.KeyEscape: "Escape", fyne.KeyF1: "F1", fyne.KeySpace: "Space",
}

// shifted are signs whose character changes with Shift, differently on each layout; with Shift they count by their key.
var shifted = map[fyne.KeyName]string{
	fyne.KeyComma: ",", fyne.KeyPeriod: ".", fyne.KeyLeftBracket: "[", fyne.KeyRightBracket: "]",
}

func newKeyboard(table []*action) *keyboard {
	k := &keyboard{actions: map[string]*action{}, modifiers: driverModifiers}
	for _, a := range table {
		for _, key := range a.allKeys() {
			k.actions[key] = a
		}
	}
	return k
}

func driverModifiers() fyne.KeyModifier {
	if d, ok := fyne.CurrentApp().Driver().(desktop.Driver); ok {
		return d.CurrentKeyModifiers()
	}
	return 0
}

// TypedKey runs the action of a named key.
func (k *keyboard) TypedKey(e *fyne.KeyEvent) {
	shift := k.modifiers()&fyne.KeyModifierShift != 0
	name, ok := named[e.Name]
	if !ok && shift {
		name, ok = shifted[e.Name]
	}
	if !ok || name == "Space" {
		return
	}
	if shift {
		name = "Shift+" + name
	}
	if k.moves != nil && !k.blocked() && k.moves(name) {
		return
	}
	k.press(name)
}

// TypedRune runs the action of a letter, digit or sign.
func (k *keyboard) TypedRune(r rune) {
	name := string(unicode.ToUpper(r))
	if unicode.IsLetter(r) && k.modifiers()&fyne.KeyModifierShift != 0 {
		name = "Shift+" + name
	}
	k.press(name)
}

// KeyDown begins an action that lasts while its key is held.
func (k *keyboard) KeyDown(e *fyne.KeyEvent) {
	if e.Name != fyne.KeySpace || k.held != nil || k.blocked() {
		return
	}
	if a := k.actions["Space"]; a != nil && a.isEnabled() {
		k.held = a
		a.Run()
	}
}

// KeyUp ends it.
func (k *keyboard) KeyUp(e *fyne.KeyEvent) {
	if e.Name == fyne.KeySpace {
		k.FocusLost()
	}
}

// FocusLost ends what is held, since the release of its key will not arrive.
func (k *keyboard) FocusLost() {
	if a := k.held; a != nil {
		k.held = nil
		a.Release()
	}
}

func (k *keyboard) press(name string) {
	if k.blocked() {
		if name == "Escape" || name == "F1" || name == "?" {
			k.escape()
		}
		return
	}
	k.run(name)
}

func (k *keyboard) run(name string) {
	if a := k.actions[name]; a != nil && a.Release == nil && a.isEnabled() {
		a.Run()
	}
}

// TypedShortcut runs the action of a key with Ctrl or Alt; false if there is none.
func (k *keyboard) TypedShortcut(s fyne.Shortcut) bool {
	c, ok := s.(*desktop.CustomShortcut)
	if !ok || k.actions[nameOf(c)] == nil {
		return false
	}
	k.shortcut(nameOf(c))
	return true
}

// shortcut runs the action of a key with Ctrl or Alt; while a dialog is open, only one that ends the program.
func (k *keyboard) shortcut(name string) {
	if a := k.actions[name]; !k.blocked() || a != nil && a.Ends {
		k.run(name)
	}
}

// bind makes keys reach the keyboard while nothing in the window has the focus, and those with Ctrl or Alt always.
func (k *keyboard) bind(c fyne.Canvas) {
	c.SetOnTypedKey(k.TypedKey)
	c.SetOnTypedRune(k.TypedRune)
	if d, ok := c.(desktop.Canvas); ok {
		d.SetOnKeyDown(k.KeyDown)
		d.SetOnKeyUp(k.KeyUp)
	}
	for name := range k.actions {
		s := shortcutOf(name)
		if s == nil {
			continue
		}
		c.AddShortcut(s, func(fyne.Shortcut) { k.shortcut(name) })
	}
}

// shortcutOf is the toolkit's form of a key with Ctrl or Alt; nil for a plain key.
func shortcutOf(name string) fyne.Shortcut {
	switch name {
	case "Ctrl+C":
		return &fyne.ShortcutCopy{}
	case "Ctrl+V":
		return &fyne.ShortcutPaste{}
	}
	var mods fyne.KeyModifier
	key := name
	for _, m := range modifierNames {
		if rest, ok := strings.CutPrefix(key, m.name); ok && rest != "" {
			key, mods = rest, mods|m.modifier
		}
	}
	if mods&^fyne.KeyModifierShift == 0 {
		return nil
	}
	for toolkit, ours := range named {
		if ours == key {
			key = string(toolkit)
		}
	}
	return &desktop.CustomShortcut{KeyName: fyne.KeyName(key), Modifier: mods}
}

var modifierNames = []struct {
	name     string
	modifier fyne.KeyModifier
}{
	{"Ctrl+", fyne.KeyModifierShortcutDefault},
	{"Alt+", fyne.KeyModifierAlt},
	{"Shift+", fyne.KeyModifierShift},
}

// nameOf is the reverse of shortcutOf.
func nameOf(s *desktop.CustomShortcut) string {
	name := ""
	for _, m := range modifierNames {
		if s.Modifier&m.modifier != 0 {
			name += m.name
		}
	}
	if ours, ok := named[s.KeyName]; ok {
		return name + ours
	}
	return name + string(s.KeyName)
}
