// Package workbook packs spreadsheets from their parts, for tests.
package workbook

import (
	"archive/zip"
	"maps"
	"os"
	"slices"
	"strings"
)

// Parts are those of a workbook with one sheet called s, for cases that are about something else.
var Parts = map[string]string{
	"[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/>` +
		`<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>` +
		`<Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/></Types>`,
	"xl/workbook.xml": `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">` +
		`<sheets><sheet name="s" sheetId="1" r:id="rId1"/></sheets></workbook>`,
	"xl/_rels/workbook.xml.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
	"xl/sharedStrings.xml": `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>one</t></si><si><t>two</t></si></sst>`,
}

// Pack writes the parts of a text of the form "-- name --" line, content, next name, and those of Parts that it lacks.
// "-- name absent --" leaves one out.
func Pack(path, text string) error {
	parts := maps.Clone(Parts)
	for _, piece := range strings.Split("\n"+text, "\n-- ")[1:] {
		name, content, _ := strings.Cut(piece, " --\n")
		name, absent := strings.CutSuffix(name, " absent")
		if parts[name] = content; absent {
			delete(parts, name)
		}
	}
	return Write(path, parts)
}

// Write writes parts as they are, by name.
func Write(path string, parts map[string]string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	z := zip.NewWriter(f)
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(parts[name]))
		}
		if err != nil {
			return err
		}
	}
	return z.Close()
}
