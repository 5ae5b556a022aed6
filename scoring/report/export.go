package report

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"
)

// MarkColumns is the header of an exported table of marks. Columns are only ever added at the end.
var MarkColumns = []string{
	"kind", "image", "compartment", "pred_id", "truth_id", "z", "y", "x", "iou", "wrong_pixels", "cost", "diagnostic", "text",
}

// WriteMarks writes the marks as CSV: one row each in the report's order, header MarkColumns. Ids are empty where there
// is no object. Numbers have a decimal point and all their digits, so that the scores can be recomputed from the table.
func WriteMarks(w io.Writer, r *Report) error {
	out := csv.NewWriter(w)
	if err := out.Write(MarkColumns); err != nil {
		return err
	}
	for _, m := range r.Marks {
		var image Image
		if m.Image >= 0 && m.Image < len(r.Images) {
			image = r.Images[m.Image]
		}
		err := out.Write([]string{
			string(m.Kind), image.Name, image.Compartment, idText(m.Pred), idText(m.Truth),
			exact(m.Z), exact(m.Y), exact(m.X), exact(m.IoU), strconv.Itoa(m.Wrong), exact(m.Cost),
			strconv.FormatBool(m.Diagnostic), m.Text,
		})
		if err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func idText(id ID) string {
	if id == 0 {
		return ""
	}
	return strconv.FormatInt(id, 10)
}

func exact(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
