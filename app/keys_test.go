package app

import (
	"strings"
	"testing"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
)

func TestEveryActionHasKeyNameAndMenuEntry(t *testing.T) {
	w := newTestBench(t)
	menus := map[string]bool{}
	for _, m := range menuOrder {
		menus[m] = true
	}
	byKey, byID := map[string]string{}, map[string]bool{}
	for _, a := range w.table {
		if a.Name == "" || a.Run == nil || byID[a.ID] {
			t.Errorf("action %q has no name, does nothing, or is there twice", a.ID)
		}
		byID[a.ID] = true
		if len(a.Keys) == 0 {
			t.Errorf("action %q has no key", a.ID)
		}
		if top, _, _ := strings.Cut(a.Menu, "/"); !menus[top] {
			t.Errorf("action %q stands in no menu: %q", a.ID, a.Menu)
		}
		for _, k := range a.allKeys() {
			if other, taken := byKey[k]; taken {
				t.Errorf("key %q runs both %q and %q", k, other, a.ID)
			}
			byKey[k] = a.ID
		}
	}
}

func TestMenuHoldsEachActionOnceWithItsKey(t *testing.T) {
	w := newTestBench(t)
	labels := map[string]int{}
	var walk func(items []*fyne.MenuItem)
	walk = func(items []*fyne.MenuItem) {
		for _, item := range items {
			labels[strings.Join(strings.Fields(item.Label), " ")]++
			if item.ChildMenu != nil {
				walk(item.ChildMenu.Items)
			}
		}
	}
	for _, m := range w.window.MainMenu().Items {
		walk(m.Items)
	}
	for _, a := range w.table {
		if n := labels[a.Name+" "+shownKey(a.Keys[0])]; n != 1 {
			t.Errorf("%q with its key stands %d times in the menu", a.Name, n)
		}
	}
}

func TestKeySheetNamesEveryAction(t *testing.T) {
	w := newTestBench(t)
	text := textsIn(keySheet(w.table, 900))
	for _, a := range w.table {
		if !strings.Contains(a.Menu, "/") && (!strings.Contains(text, a.Name+"\n") || !strings.Contains(text, shownKeys(a)+"\n")) {
			t.Errorf("the key sheet lacks %q", a.Name)
		}
	}
}

func TestKeyNamesAndShortcutsAgree(t *testing.T) {
	for _, key := range []string{"Ctrl+O", "Ctrl+Shift+O", "Alt+Left", "Alt+Shift+Right", "Alt+[", "Alt+PageDown", "Alt++", "Ctrl+1"} {
		s, ok := shortcutOf(key).(*desktop.CustomShortcut)
		if !ok || nameOf(s) != key {
			t.Errorf("%q became %v", key, s)
		}
	}
	for _, key := range []string{"N", "+", "Shift+Left", "Shift+,", "Space", "F1"} {
		if s := shortcutOf(key); s != nil {
			t.Errorf("the plain key %q became a shortcut %v", key, s)
		}
	}
}

func TestKeysFindTheirActionOnAnyLayout(t *testing.T) {
	test.NewTempApp(t)
	ran := ""
	var table []*action
	for _, key := range []string{"N", "Shift+C", "C", ",", "Shift+,", "[", "Left", "Shift+Left", "?", "F1", "+", "0", "PageDown"} {
		table = append(table, &action{ID: key, Keys: []string{key}, Run: func() { ran += key + " " }})
	}
	k := newKeyboard(table)
	k.blocked = func() bool { return false }
	for _, c := range []struct {
		name  string
		key   fyne.KeyName
		char  rune
		shift bool
		want  string
	}{
		{"letter", fyne.KeyN, 'n', false, "N"},
		{"caps lock", fyne.KeyN, 'N', false, "N"},
		{"Shift and letter", fyne.KeyC, 'C', true, "Shift+C"},
		{"comma", fyne.KeyComma, ',', false, ","},
		{"Shift and comma, American", fyne.KeyComma, '<', true, "Shift+,"},
		{"Shift and comma, German", fyne.KeyComma, ';', true, "Shift+,"},
		{"bracket by its own key", fyne.KeyLeftBracket, '[', false, "["},
		{"bracket by AltGr and 8", fyne.Key8, '[', false, "["},
		{"arrow", fyne.KeyLeft, 0, false, "Left"},
		{"Shift and arrow", fyne.KeyLeft, 0, true, "Shift+Left"},
		{"question mark", fyne.KeySlash, '?', true, "?"},
		{"plus with Shift", fyne.KeyEqual, '+', true, "+"},
		{"digit with Shift, French", fyne.Key0, '0', true, "0"},
		{"function key", fyne.KeyF1, 0, false, "F1"},
		{"page", fyne.KeyPageDown, 0, false, "PageDown"},
		{"nothing bound", fyne.KeyJ, 'j', false, ""},
	} {
		ran = ""
		k.modifiers = func() fyne.KeyModifier { return map[bool]fyne.KeyModifier{true: fyne.KeyModifierShift}[c.shift] }
		k.TypedKey(&fyne.KeyEvent{Name: c.key})
		if c.char != 0 {
			k.TypedRune(c.char)
		}
		if strings.TrimSpace(ran) != c.want {
			t.Errorf("%s: ran %q, want %q", c.name, ran, c.want)
		}
	}
}

func TestKeysWorkAfterClicksOnControls(t *testing.T) {
	w := openDemo(t, 0, 1)
	c := w.window.Canvas()
	for name, o := range map[string]fyne.Focusable{
		"list of images": w.lists.images.list, "errors": w.errors.list, "z slider": w.axes.z.slider,
		"chip": w.axes.layers[0], "style": w.layers.answer.style, "picture": w.picture,
	} {
		c.Focus(o)
		before := w.session.View().Bar
		w.press("B")
		if w.session.View().Bar == before {
			t.Errorf("with the focus on the %s, B does nothing", name)
		}
	}
}

func TestTypingInTheSearchIsNoCommand(t *testing.T) {
	w := openDemo(t, 0, 1)
	w.press("/")
	if w.window.Canvas().Focused() != w.errors.search {
		t.Fatal("/ does not lead to the search")
	}
	bar := w.session.View().Bar
	w.press("B")
	if w.session.View().Bar != bar || w.errors.search.Text != "b" {
		t.Errorf("B in the search: scale bar %v, text %q", w.session.View().Bar, w.errors.search.Text)
	}
	w.press("Alt+B")
	if w.session.View().Bar == bar {
		t.Error("Alt+B does nothing while a text is typed")
	}
	w.press("Escape")
	w.press("B")
	if w.session.View().Bar != bar {
		t.Error("Escape does not lead out of the search")
	}
}

// press sends a key the way the toolkit does: presses and releases to what has the focus, else to the window; a shortcut if
// Ctrl or Alt is held.
func (w *testBench) press(key string) { w.down(key); w.up(key) }

func (w *testBench) down(key string) {
	if s := shortcutOf(key); s != nil {
		if f, ok := w.window.Canvas().Focused().(fyne.Shortcutable); ok {
			f.TypedShortcut(s)
		} else {
			w.keyboard.shortcut(key) // the window's handler, which the test driver does not call
		}
		return
	}
	w.mods = 0
	if rest, ok := strings.CutPrefix(key, "Shift+"); ok {
		key, w.mods = rest, fyne.KeyModifierShift
	}
	e := eventOf(key)
	if f := w.window.Canvas().Focused(); f != nil {
		if k, ok := f.(desktop.Keyable); ok {
			k.KeyDown(e)
		}
		f.TypedKey(e)
		if r := runeOf(key, w.mods != 0); r != 0 {
			f.TypedRune(r)
		}
		return
	}
	w.keyboard.KeyDown(e) // the window's handler, which the test driver does not have
	w.window.Canvas().OnTypedKey()(e)
	if r := runeOf(key, w.mods != 0); r != 0 {
		w.window.Canvas().OnTypedRune()(r)
	}
}

func (w *testBench) up(key string) {
	if k, ok := w.window.Canvas().Focused().(desktop.Keyable); ok {
		k.KeyUp(eventOf(key))
	} else {
		w.keyboard.KeyUp(eventOf(key))
	}
}

func eventOf(key string) *fyne.KeyEvent {
	for toolkit, ours := range named {
		if ours == key {
			return &fyne.KeyEvent{Name: toolkit}
		}
	}
	return &fyne.KeyEvent{Name: fyne.KeyName(key)}
}

// runeOf is the character of a key on an American keyboard; 0 for one that has none.
func runeOf(key string, shift bool) rune {
	if key == "Space" {
		return ' '
	}
	if len(key) != 1 {
		return 0
	}
	if shift {
		if other, ok := map[string]rune{",": '<', ".": '>', "[": '{', "]": '}'}[key]; ok {
			return other
		}
		return rune(key[0])
	}
	return unicode.ToLower(rune(key[0]))
}
