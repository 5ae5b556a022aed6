package signal

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"coverslip/datasets/tabular"
)

// writeLocalisationProbe edits the rows of the truth's list.
func writeLocalisationProbe(t *testing.T, p probe, task, out string) {
	truth, err := readList(filepath.Join(task, "evaluation", "DNAPAINT_LocalizationList.txt"))
	if err != nil {
		t.Fatal(err)
	}
	columns := 4
	if p.text() == "missing_column" {
		columns = 3
	}
	writeList(t, filepath.Join(out, "probe_LocalizationList.txt"), editList(t, p, truth.rows), columns)
}

// writeList writes rows with all their digits, separated by tabs.
func writeList(t testing.TB, file string, rows []tabular.Localisation, columns int) {
	var b strings.Builder
	for _, l := range rows {
		cells := []string{exactText(l.Frame), exactText(l.X), exactText(l.Y), exactText(l.Intensity)}
		b.WriteString(strings.Join(cells[:columns], "\t") + "\n")
	}
	writeFile(t, file, []byte(b.String()))
}

func editList(t *testing.T, p probe, truth []tabular.Localisation) (rows []tabular.Localisation) {
	every := func(edit func(i int, l tabular.Localisation) tabular.Localisation) {
		for i, l := range truth {
			rows = append(rows, edit(i, l))
		}
	}
	copies := func(by float64) {
		rows = append(rows, truth...)
		for i := 0; i < len(truth); i += p.whole() {
			l := truth[i]
			l.X, l.Y = l.X+by, l.Y+by
			rows = append(rows, l)
		}
	}
	switch p.name {
	case "shift_x_px":
		every(func(_ int, l tabular.Localisation) tabular.Localisation { l.X += p.number(); return l })
	case "frame_offset":
		every(func(_ int, l tabular.Localisation) tabular.Localisation { l.Frame += p.number(); return l })
	case "swap_xy":
		every(func(_ int, l tabular.Localisation) tabular.Localisation { l.X, l.Y = l.Y, l.X; return l })
	case "drop_every_kth_row":
		for i, l := range truth {
			if i%p.whole() != 0 {
				rows = append(rows, l)
			}
		}
	case "duplicate_every_kth_row":
		copies(0)
	case "far_copy_of_every_kth_row":
		copies(500)
	case "rows":
	case "intensity":
		every(func(i int, l tabular.Localisation) tabular.Localisation {
			switch p.text() {
			case "negated":
				l.Intensity = -l.Intensity
			case "constant":
				l.Intensity = 1
			case "square_root":
				l.Intensity = math.Sqrt(l.Intensity)
			case "squared":
				l.Intensity *= l.Intensity
			case "previous_row":
				l.Intensity = truth[(i+len(truth)-1)%len(truth)].Intensity
			case "times_100":
				l.Intensity *= 100
			case "missing_column":
			default:
				t.Fatalf("unknown edit %s", p.text())
			}
			return l
		})
	default:
		t.Fatalf("unknown probe %s", p.name)
	}
	return rows
}
