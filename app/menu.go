package app

import (
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
)

// menuBar is the main menu made from the table of actions. It is rebuilt only when an item is switched on or off, or when
// the recent items change.
type menuBar struct {
	table  []*action
	recent func() []string
	open   func(string)
	shown  string // fingerprint of what the menu shows
}

// Changed builds the menu if it differs from the one shown; nil if not.
func (m *menuBar) Changed() *fyne.MainMenu {
	var print strings.Builder
	for _, a := range m.table {
		print.WriteByte(stateOf(a))
	}
	print.WriteString(strings.Join(m.recent(), "\n"))
	if print.String() == m.shown {
		return nil
	}
	m.shown = print.String()
	return m.build()
}

func stateOf(a *action) byte {
	state := byte('0')
	if a.isEnabled() {
		state |= 1
	}
	if a.Checked != nil && a.Checked() {
		state |= 2
	}
	return state
}

func (m *menuBar) build() *fyne.MainMenu {
	var menus []*fyne.Menu
	for _, name := range menuOrder {
		menus = append(menus, m.menu(name))
	}
	return fyne.NewMainMenu(menus...)
}

// menu builds one menu or submenu.
func (m *menuBar) menu(name string) *fyne.Menu {
	menu := fyne.NewMenu(lastPart(name))
	width := m.widest(name)
	subs := map[string]bool{}
	for _, a := range m.table {
		sub := strings.HasPrefix(a.Menu, name+"/")
		switch {
		case sub && !subs[a.Menu]:
			subs[a.Menu] = true
			item := fyne.NewMenuItem(lastPart(a.Menu), nil)
			item.ChildMenu = m.menu(a.Menu)
			menu.Items = append(menu.Items, item)
		case a.Menu == name:
			if a.Divide {
				menu.Items = append(menu.Items, fyne.NewMenuItemSeparator())
			}
			menu.Items = append(menu.Items, menuItem(a, width))
			if a.ID == "demo" {
				menu.Items = append(menu.Items, m.recentItem())
			}
		}
	}
	return menu
}

func menuItem(a *action, width float32) *fyne.MenuItem {
	item := fyne.NewMenuItem(padTo(a.Name, width)+shownKey(a.Keys[0]), func() {
		if a.isEnabled() {
			a.Run()
		}
	})
	item.Disabled = !a.isEnabled()
	item.Checked = a.Checked != nil && a.Checked()
	item.IsQuit = a.Ends
	return item
}

func (m *menuBar) recentItem() *fyne.MenuItem {
	item := fyne.NewMenuItem("Open recent", nil)
	item.ChildMenu = fyne.NewMenu("")
	for _, path := range m.recent() {
		item.ChildMenu.Items = append(item.ChildMenu.Items, fyne.NewMenuItem(shortPath(path), func() { m.open(path) }))
	}
	if len(m.recent()) == 0 {
		item.Disabled = true
	}
	return item
}

// shortPath is the end of a path that tells recent items apart.
func shortPath(path string) string {
	dir, name := filepath.Split(filepath.Clean(path))
	return filepath.Join(filepath.Base(dir), name)
}

func lastPart(menu string) string { return menu[strings.LastIndex(menu, "/")+1:] }

// widest is the width of the longest name in a menu: keys stand in a column of their own. The toolkit's own column of
// shortcuts is too faint to read.
func (m *menuBar) widest(menu string) float32 {
	width := float32(0)
	for _, a := range m.table {
		if a.Menu == menu {
			width = max(width, textWidth(a.Name))
		}
	}
	return width + 24
}

func textWidth(text string) float32 {
	return fyne.MeasureText(text, theme.TextSize(), fyne.TextStyle{}).Width
}

func padTo(text string, width float32) string {
	space := textWidth("n n") - textWidth("nn")
	for room := width - textWidth(text); room > space/2; room -= space {
		text += " "
	}
	return text
}

// shownKey writes a key as people read it.
func shownKey(key string) string {
	names := map[string]string{"Left": "←", "Right": "→", "Escape": "Esc", "PageUp": "Page Up", "PageDown": "Page Down"}
	at := strings.LastIndex(key, "+") + 1
	if at == len(key) { // the key is + itself
		at = 0
	}
	if shown, ok := names[key[at:]]; ok {
		return key[:at] + shown
	}
	return key
}

// shownKeys lists all keys of an action.
func shownKeys(a *action) string {
	var keys []string
	for _, k := range a.Keys {
		keys = append(keys, shownKey(k))
	}
	return strings.Join(keys, "  ")
}

// sheetColumns are the menus in each column of the key sheet.
var sheetColumns = [][]string{{"File", "Layers"}, {"View", "Help"}, {"Go"}}

// keySheet is the list of all keys, one block for each menu, for a width in dp: in a narrow window the columns stand below each
// other.
func keySheet(table []*action, width float32) fyne.CanvasObject {
	sheet := container.New(&flow{gap: 14, width: width})
	for _, menus := range sheetColumns {
		column := container.NewVBox()
		for _, menu := range menus {
			column.Add(container.New(inset{top: 8}, newHeading(strings.ToUpper(menu))))
			for _, a := range table {
				if a.Menu == menu {
					column.Add(sheetLine(shownKeys(a), a.Name))
				}
			}
			if menu == "Layers" {
				column.Add(sheetLine("1 … 9", "Channel on or off"))
			}
			if menu == "Help" {
				column.Add(newGap(1))
				column.Add(sheetLine("Wheel", "Slice back and forward"))
				column.Add(sheetLine("Ctrl and wheel", "Zoom about the pointer"))
				column.Add(sheetLine("Drag", "Move the picture or the curtain"))
				column.Add(sheetLine("Arrows, Page, End", "Move in a table"))
				column.Add(sheetLine("Click", "Select the object, set the cross"))
				column.Add(sheetLine("Alt and a key", "The same, while typing a text"))
			}
		}
		sheet.Add(column)
	}
	return sheet
}

func sheetLine(keys, name string) fyne.CanvasObject {
	return container.New(columns{widths: []float32{128, 178}, gap: 6},
		newText(keys, theme.ColorNameHyperlink, sizeText), newText(name, theme.ColorNameForeground, sizeText))
}

// showKeys opens the key sheet, or closes it.
func (w *Workbench) showKeys() {
	size := fyne.NewSize(1010, 640).Min(w.room())
	w.show(dialog.NewCustom("All keys", "Close", container.NewVScroll(keySheet(w.table, size.Width-40)), w.window), size)
}
