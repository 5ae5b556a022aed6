package tabular

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// shared is a folder of test material beside the repository; the test is skipped where it is not there.
func shared(t testing.TB, parts ...string) string {
	t.Helper()
	dir, err := os.Getwd()
	for err == nil {
		if _, e := os.Stat(filepath.Join(dir, "go.mod")); e == nil {
			path := filepath.Join(append([]string{filepath.Dir(dir), "shared"}, parts...)...)
			if _, e := os.Stat(path); e != nil {
				t.Skipf("%s is not there", path)
			}
			return path
		}
		if dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	t.Skip("the module's root was not found")
	return ""
}

// packWorkbooks copies a folder of vectors to a temporary one and packs each NAME.parts as NAME.
func packWorkbooks(t testing.TB, from string) string {
	t.Helper()
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(to, "xlsx", "*.parts"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		packWorkbook(t, strings.TrimSuffix(file, ".parts"), string(text))
	}
	return to
}

// usualParts are those of a workbook with one sheet called s, for cases that are about something else.
var usualParts = map[string]string{
	"[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/>` +
		`<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>` +
		`<Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/></Types>`,
	"xl/workbook.xml": `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">` +
		`<sheets><sheet name="s" sheetId="1" r:id="rId1"/></sheets></workbook>`,
	"xl/_rels/workbook.xml.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
	"xl/sharedStrings.xml": `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>one</t></si><si><t>two</t></si></sst>`,
}

// packWorkbook writes the parts of a text of the form "-- name --" line, content, next name, and the usual ones that it
// lacks. "-- name absent --" leaves one out.
func packWorkbook(t testing.TB, path, text string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	put := func(name, content string) {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(content))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	given := map[string]bool{}
	for _, piece := range strings.Split("\n"+text, "\n-- ")[1:] {
		name, content, _ := strings.Cut(piece, " --\n")
		name, absent := strings.CutSuffix(name, " absent")
		if given[name] = true; !absent {
			put(name, content)
		}
	}
	for name, content := range usualParts {
		if !given[name] {
			put(name, content)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
}
