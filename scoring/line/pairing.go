package line

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"coverslip/datasets/biabench"
	"coverslip/datasets/tabular/python"
)

// pair is a truth file with the answer's file of the same key, "" where it has none.
type pair struct {
	key         string // "" for a truth file without one
	pred, truth string
}

// pairing is how files were paired: pairs by key, then truth files without an answer.
type pairing struct {
	truths  []string
	pairs   []pair
	missing []pair
	skipped []string // answer files named like copies of the truth
	surplus []string // answer files without a free truth file
}

// form says how the files of a task are recognised and keyed.
type form struct {
	truths  func(dir string) ([]string, error)
	truthID func(file string) string
	predID  func(file string, ids []string) (id string, copied bool)
}

// pairFiles gives each answer file, in path order, the truth file of its key if that is still free. Of truth files of one
// key the last counts.
func (f form) pairFiles(truths, preds []string) pairing {
	p := pairing{truths: truths}
	byID, ids := map[string]string{}, []string{}
	for _, file := range truths {
		if id := f.truthID(file); id != "" {
			if _, known := byID[id]; !known {
				ids = append(ids, id)
			}
			byID[id] = file
		}
	}
	taken := map[string]bool{}
	for _, file := range preds {
		id, copied := f.predID(file, ids)
		truth, known := byID[id]
		switch {
		case copied:
			p.skipped = append(p.skipped, file)
		case id == "" || !known || taken[id]:
			p.surplus = append(p.surplus, file)
		default:
			taken[id] = true
			p.pairs = append(p.pairs, pair{id, file, truth})
		}
	}
	slices.SortFunc(p.pairs, func(a, b pair) int { return strings.Compare(a.key, b.key) })
	for _, file := range truths {
		if id := f.truthID(file); id == "" || byID[id] != file || !taken[id] {
			p.missing = append(p.missing, pair{key: id, truth: file})
		}
	}
	return p
}

// filamentForm: truth files end in .binary.tif, .binary.tiff or .binary.png; the key is the first "report_" with a number.
var filamentForm = form{
	truths: func(dir string) ([]string, error) {
		all, err := biabench.ListFiles(dir)
		var list []string
		for _, ending := range []string{".binary.tif", ".binary.tiff", ".binary.png"} {
			for _, f := range all {
				if strings.HasSuffix(f, ending) {
					list = append(list, f)
				}
			}
		}
		return list, err
	},
	truthID: reportKey,
	predID:  func(file string, _ []string) (string, bool) { return reportKey(file), false },
}

var reportNumber = regexp.MustCompile(`(?i)report_\p{Nd}+`)

func reportKey(file string) string {
	return python.Lower(reportNumber.FindString(filepath.Base(file)))
}

// vesselForm: truth files are called Binary and an id; an answer file has the longest id that its name holds.
var vesselForm = form{
	truths: func(dir string) ([]string, error) {
		all, err := biabench.ListFiles(dir)
		return slices.DeleteFunc(all, func(f string) bool {
			switch strings.ToLower(biabench.Suffix(f)) {
			case ".tif", ".tiff", ".png":
				return vesselID(f) == ""
			}
			return true
		}), err
	},
	truthID: vesselID,
	predID: func(file string, ids []string) (id string, copied bool) {
		if vesselID(file) != "" {
			return "", true
		}
		stem := python.Lower(biabench.Stem(file))
		for _, candidate := range ids {
			if len([]rune(candidate)) > len([]rune(id)) && strings.Contains(stem, candidate) {
				id = candidate
			}
		}
		return id, false
	},
}

var binaryName = regexp.MustCompile(`(?i)^binary[_-]?(.+)$`)

func vesselID(file string) string {
	if m := binaryName.FindStringSubmatch(biabench.Stem(file)); m != nil {
		return python.Lower(m[1])
	}
	return ""
}
