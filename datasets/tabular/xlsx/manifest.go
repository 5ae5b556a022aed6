package xlsx

import (
	"coverslip/datasets/fault"
	"coverslip/datasets/tabular/archive"
	"path"
	"slices"
	"strings"
)

// workbookTypes in the order in which the reference looks for them.
var workbookTypes = []string{
	"application/vnd.ms-excel.template.macroEnabled.main+xml",
	"application/vnd.openxmlformats-officedocument.spreadsheetml.template.main+xml",
	"application/vnd.ms-excel.sheet.macroEnabled.main+xml",
	"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml",
}

const stringsType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"

type contentTypes struct {
	overrides map[string]string // part of a type, the first one
	defaults  map[string]bool   // types of suffixes
}

type relation struct{ target, kind string }

// findWorkbook gives the name of the part with the list of sheets.
func (b *book) findWorkbook() (string, error) {
	const manifest = "[Content_Types].xml"
	if m := b.archive.Find(manifest); m == nil {
		b.refuseStrictly("no " + manifest)
	} else if err := b.readTypes(m); err != nil {
		return "", err
	}
	for _, kind := range workbookTypes {
		if part, ok := b.types.overrides[kind]; ok && b.archive.Find(part) != nil {
			return part, nil
		}
	}
	const usual = "xl/workbook.xml"
	if !slices.ContainsFunc(workbookTypes, func(kind string) bool { return b.types.defaults[kind] }) {
		b.refuseStrictly("no workbook among the content types")
	}
	if b.archive.Find(usual) == nil {
		return "", &fault.Error{Kind: fault.Malformed, Found: "an archive without a workbook part", Expected: "an .xlsx workbook", Fix: "Save it again in a spreadsheet program"}
	}
	return usual, nil
}

func (b *book) readTypes(m *archive.Member) error {
	b.types = contentTypes{map[string]string{}, map[string]bool{}}
	return b.walk(m, func(s *scanner) error {
		kind, _ := s.attr("ContentType")
		switch string(s.name) {
		case "Default":
			b.types.defaults[string(kind)] = true
		case "Override":
			part, _ := s.attr("PartName")
			if _, known := b.types.overrides[string(kind)]; !known {
				b.types.overrides[string(kind)] = strings.TrimPrefix(string(part), "/")
			}
		}
		return nil
	})
}

func (b *book) readRelations(main string) error {
	b.relations = map[string]relation{}
	folder := path.Dir(main)
	m := b.archive.Find(path.Join(folder, "_rels", path.Base(main)+".rels"))
	if m == nil {
		b.refuseStrictly("no relations of the workbook")
		return nil
	}
	return b.walk(m, func(s *scanner) error {
		if string(s.name) != "Relationship" {
			return nil
		}
		id, _ := s.attr("Id")
		target, _ := s.attr("Target")
		kind, _ := s.attr("Type")
		if mode, _ := s.attr("TargetMode"); string(mode) == "External" {
			return nil
		}
		r := relation{string(target), string(kind)}
		if strings.HasPrefix(r.target, "/") {
			r.target = r.target[1:]
		} else {
			r.target = path.Join(folder, r.target)
		}
		if _, known := b.relations[string(id)]; !known {
			b.relations[string(id)] = r
		}
		return nil
	})
}

// related is the member that a relation of the workbook of some type leads to, by the last part of the type's name.
func (b *book) related(kind string) *archive.Member {
	var found *archive.Member
	first := ""
	for id, r := range b.relations {
		if path.Base(r.kind) == kind && (found == nil || id < first) {
			if m := b.archive.Find(r.target); m != nil {
				found, first = m, id
			}
		}
	}
	return found
}
