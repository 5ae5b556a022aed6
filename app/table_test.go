package app

import (
	"archive/zip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

	"coverslip/datasets/tabular"
)

// written writes a file of a test and gives its path.
func written(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// spots is a table of n rows: a name, a number whose text sorts otherwise, and a number that is not in each row.
func spots(n int) string {
	var b strings.Builder
	b.WriteString("name,area,note\n")
	for i := range n {
		fmt.Fprintf(&b, "spot %d,%d,%s\n", i, (i*7919)%n, map[bool]string{true: "bright"}[i%1000 == 0])
	}
	return b.String()
}

// openFiles opens paths in a new window and waits.
func openFiles(t *testing.T, paths ...string) *testBench {
	t.Helper()
	w := newTestBench(t)
	var uris []fyne.URI
	for _, p := range paths {
		uris = append(uris, uriOf(p))
	}
	w.dropped(fyne.Position{}, uris)
	w.settle()
	return w
}

// column lists the first n cells of a column as shown.
func (w *testBench) column(c, n int) []string {
	var cells []string
	for i := range min(n, len(w.cells.grid.rows)) {
		text, _ := w.cells.sheet.Cell(int(w.cells.grid.rows[i]), c)
		cells = append(cells, text)
	}
	return cells
}

func TestRowsAreSortedAndFound(t *testing.T) {
	table, err := tabular.Open(written(t, "a.csv", "k,v\nb,10\na,9\nB,nan\nc,\nd,text\ne,-1.5\nf\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		o    ordering
		want string
	}{
		{"as in the file", ordering{column: -1}, "0 1 2 3 4 5 6"},
		{"numbers as numbers", ordering{column: 1}, "5 1 0 2 4 3 6"},
		{"falling, nothing last", ordering{column: 1, falling: true}, "0 1 5 2 4 3 6"},
		{"texts", ordering{column: 0}, "2 1 0 3 4 5 6"},
		{"search, letter case aside", ordering{column: -1, search: "B"}, "0 2"},
		{"search and sort", ordering{column: 0, search: "b"}, "2 0"},
		{"nothing found", ordering{column: 1, search: "zzz"}, ""},
		{"no such column", ordering{column: 9}, "0 1 2 3 4 5 6"},
	} {
		if got := strings.Trim(fmt.Sprint(c.o.rows(context.Background(), table.Sheets[0])), "[]"); got != c.want {
			t.Errorf("%s: rows %s, want %s", c.name, got, c.want)
		}
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if rows := (ordering{column: -1}).rows(stopped, table.Sheets[0]); rows != nil {
		t.Errorf("a cancelled listing gave %v", rows)
	}
	if o := (ordering{column: -1}).next(3).next(3); o.column != 3 || !o.falling || o.next(3).column != -1 || o.next(1).falling {
		t.Errorf("two taps give %+v", o)
	}
}

func TestStoryATableIsSortedSearchedAndCopied(t *testing.T) {
	w := openFiles(t, written(t, "spots.csv", spots(3000)))
	if !w.cells.content.Visible() || w.picture.Visible() || w.axes.content.Visible() || w.welcome.Visible() {
		t.Fatal("the table is not alone in the place of the picture")
	}
	if w.cells.count.Text != "3000 rows" || w.cells.place.Text != "row 2, name" || w.cells.cell.Text() != "spot 0" {
		t.Errorf("the table says %q, %q, %q", w.cells.count.Text, w.cells.place.Text, w.cells.cell.Text())
	}
	w.press("Right")
	w.press("Shift+S")
	w.settle()
	if got := w.column(1, 3); !slices.Equal(got, []string{"0", "1", "2"}) {
		t.Errorf("sorted by area: %v", got)
	}
	if w.cells.cell.Text() != "0" || w.cells.place.Text != "row 2, area" {
		t.Errorf("after sorting, the picked cell is %q at %q", w.cells.cell.Text(), w.cells.place.Text)
	}
	head := newHeadCell(w.cells.grid.tapped)
	w.cells.grid.showHead(idOf(-1, 1), head)
	if head.text.Text() != "area ▴" {
		t.Errorf("the head of the sorted column is %q", head.text.Text())
	}
	test.Tap(head)
	w.settle()
	if got := w.column(1, 2); !slices.Equal(got, []string{"2999", "2998"}) {
		t.Errorf("tapped, falling: %v", got)
	}
	w.press("Home")
	w.press("PageDown")
	w.press("Up")
	w.press("Ctrl+C")
	if got, _ := w.cells.Cell(); got == "" || w.app.Clipboard().Content() != got || got != fmt.Sprint(2999-w.cells.grid.at.Row) {
		t.Errorf("copied %q of row %d", w.app.Clipboard().Content(), w.cells.grid.at.Row)
	}
	w.press("End")
	if w.cells.cell.Text() != "0" {
		t.Errorf("End leads to %q", w.cells.cell.Text())
	}
	w.press("/")
	if w.window.Canvas().Focused() != w.cells.search {
		t.Fatal("/ does not lead to the search of the table")
	}
	test.Type(w.cells.search, "bright")
	if !w.queue.Wait(func() bool { return w.cells.count.Text == "3 of 3000 rows" }) {
		t.Errorf("searched: %q", w.cells.count.Text)
	}
	w.press("Escape")
	w.press("Up") // from spot 0, which is still picked and now the last of three
	if w.cells.grid.at.Row != 1 || w.cells.grid.Row() != 1000 && w.cells.grid.Row() != 2000 {
		t.Errorf("after the search, Up leads to line %d", w.cells.grid.at.Row)
	}
}

func TestStoryPictureActionsRestWhileATableIsShown(t *testing.T) {
	w := openDemo(t, 1, 0)
	w.session.Open(written(t, "a.csv", "a,b\n1,2\n"))
	w.settle()
	for _, id := range []string{"fit", "zoom-in", "auto-contrast", "single", "bar", "image", "answer", "truth", "errors", "style", "blink",
		"axes", "tiles", "z-forward", "t-forward", "play", "channel-1", "save-picture"} {
		if w.action(id).isEnabled() {
			t.Errorf("%q can be done while a table is shown", id)
		}
	}
	w.session.SelectTask(0)
	w.settle()
	if w.cells.content.Visible() || !w.picture.Visible() || !w.axes.content.Visible() || !w.action("fit").isEnabled() || w.action("reading").isEnabled() {
		t.Error("the picture does not come back")
	}
}

func TestStoryTheScorersReadingOfATable(t *testing.T) {
	w := openFiles(t, written(t, "semicolons.csv", "\xef\xbb\xbfimage;area\na.tif;1,5\nb.tif;2,5\n"))
	if _, cols := w.cells.grid.Length(); cols != 2 || !strings.Contains(w.cells.notes.Text, "byte-order mark") && !strings.Contains(w.cells.notes.Text, ";") {
		t.Errorf("%d columns, notes %q", cols, w.cells.notes.Text)
	}
	w.press("S")
	w.settle()
	rows, cols := w.cells.grid.Length()
	first, _ := w.cells.sheet.Cell(0, 0)
	if rows != 3 || cols != 2 || first != "\ufeffimage;area" || !w.cells.reading.on || !strings.HasPrefix(w.cells.notes.Text, "This is what the scorer reads") {
		t.Errorf("the scorer's reading has %d rows, %d columns, begins with %q; %q", rows, cols, first, w.cells.notes.Text)
	}
	w.press("S")
	w.settle()
	if _, cols := w.cells.grid.Length(); w.cells.IsStrict() || cols != 2 || !w.sheetNamed("area") {
		t.Error("the forgiving reading does not come back")
	}
}

func (w *testBench) sheetNamed(column string) bool { return w.cells.sheet.Find(column) >= 0 }

func TestStoryWhatTheScorerRefusesIsSaid(t *testing.T) {
	w := openFiles(t, written(t, "long.csv", "a,b\n1,"+strings.Repeat("x", 140000)+"\n"))
	w.press("S")
	w.settle()
	if !strings.HasPrefix(w.cells.notes.Text, "The scorer cannot read all of this table.") {
		t.Errorf("of a field that is too long it says %q", w.cells.notes.Text)
	}
}

func TestStorySheetsOfAWorkbook(t *testing.T) {
	w := openFiles(t, workbook(t, "cells.xlsx", "first", "second"))
	if len(w.cells.sheets.Objects) != 2 || !w.cells.sheets.Visible() {
		t.Fatalf("%d switches for two sheets", len(w.cells.sheets.Objects))
	}
	test.Tap(w.cells.sheets.Objects[1].(*chip))
	w.settle()
	if got := w.column(0, 1); len(got) != 1 || got[0] != "second" {
		t.Errorf("the second sheet begins with %v", got)
	}
	w.press("M")
	w.settle()
	if w.session.Sheet() != 0 || !w.cells.sheets.Objects[0].(*chip).on {
		t.Error("M does not lead to the next sheet")
	}
	w.press("S")
	w.settle()
	if rows, _ := w.cells.grid.Length(); rows != 2 {
		t.Errorf("the scorer reads %d rows of the sheet, want 2", rows)
	}
}

func TestThePickedRowIsInSightInLongTables(t *testing.T) {
	w := openFiles(t, written(t, "spots.csv", spots(60000)))
	w.window.Canvas().Capture()
	step := newGridCell().MinSize().Height + theme.Padding()
	if step != float32(int(step)) {
		t.Errorf("rows are %v high, which the toolkit cannot multiply exactly", step)
	}
	for _, keys := range [][]string{{"End"}, {"Up", "Up"}, {"PageUp", "PageUp"}, {"Up"}, {"PageDown"}, {"Home"}, {"PageDown", "PageDown", "PageDown", "Down"}, {"Up", "PageUp"}} {
		for _, key := range keys {
			w.press(key)
		}
		g := w.cells.grid
		y, foot := float32(g.at.Row)*step, g.scroll.Offset.Y+g.scroll.Size().Height
		if y < g.scroll.Offset.Y || y+step-theme.Padding() > foot {
			t.Errorf("after %v row %d, at %v, is picked; in sight are %v to %v", keys, g.at.Row, y, g.scroll.Offset.Y, foot)
		}
	}
}

func TestLongTextsOfCellsAreOneLine(t *testing.T) {
	for text, want := range map[string]string{"a\r\nb\tc": "a ⏎ b ⇥ c", "plain": "plain", strings.Repeat("µ", 400): strings.Repeat("µ", 150) + "…"} {
		if got := oneLine(text); got != want {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// workbook writes an Excel file: each sheet has the column "name" and one row, which holds its name.
func workbook(t testing.TB, name string, sheets ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	part := func(name, text string) {
		out, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(out, `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>`+text)
	}
	const main, office = "http://schemas.openxmlformats.org/spreadsheetml/2006/main", "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	const packages, content = "http://schemas.openxmlformats.org/package/2006/", "application/vnd.openxmlformats-officedocument.spreadsheetml."
	types := `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="` + content + `sheet.main+xml"/>`
	var list, links string
	for i, s := range sheets {
		types += fmt.Sprintf(`<Override PartName="/xl/worksheets/sheet%d.xml" ContentType="%sworksheet+xml"/>`, i+1, content)
		list += fmt.Sprintf(`<sheet name="%s" sheetId="%d" r:id="rId%d"/>`, s, i+1, i+1)
		links += fmt.Sprintf(`<Relationship Id="rId%d" Type="%s/worksheet" Target="worksheets/sheet%d.xml"/>`, i+1, office, i+1)
		cell := func(at, text string) string {
			return `<c r="` + at + `" t="inlineStr"><is><t>` + text + `</t></is></c>`
		}
		part(fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1), `<worksheet xmlns="`+main+`"><dimension ref="A1:A2"/><sheetData><row r="1">`+cell("A1", "name")+
			`</row><row r="2">`+cell("A2", s)+`</row></sheetData></worksheet>`)
	}
	part("[Content_Types].xml", `<Types xmlns="`+packages+`content-types">`+types+`</Types>`)
	part("_rels/.rels", `<Relationships xmlns="`+packages+`relationships"><Relationship Id="rId1" Type="`+office+`/officeDocument" Target="xl/workbook.xml"/></Relationships>`)
	part("xl/workbook.xml", `<workbook xmlns="`+main+`" xmlns:r="`+office+`"><sheets>`+list+`</sheets></workbook>`)
	part("xl/_rels/workbook.xml.rels", `<Relationships xmlns="`+packages+`relationships">`+links+`</Relationships>`)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}
