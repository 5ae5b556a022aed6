package report

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"
	"strings"
)

// MarkColumns is the header of an exported table of marks. Columns are only ever added at the end. Boxes are half open.
var MarkColumns = []string{
	"kind", "image", "compartment", "pred_id", "truth_id", "z", "y", "x", "iou", "wrong_pixels", "cost", "diagnostic", "text",
	"t", "z0", "y0", "x0", "z1", "y1", "x1", "area", "others", "key", "found", "expected",
	"image_index", "status", "pred_pixels", "truth_pixels", "both_pixels",
}

// Counts is the kind of the rows that give an image's status and foreground counts. No mark has it.
const Counts Kind = "counts"

// WriteMarks writes the marks as CSV: one row each in the report's order, header MarkColumns, then one row of the kind
// Counts per image, in order. image_index is the image's place in the report (0-based), since names may repeat. Ids are
// empty where there is no object, cells that a row has no use for likewise; others are separated by blanks. Numbers have a
// decimal point and all their digits, so that scores that are made of objects and pixels can be recomputed from the table
// alone; of these, rows with diagnostic true are no part.
func WriteMarks(w io.Writer, r *Report) error {
	out := csv.NewWriter(w)
	if err := out.Write(MarkColumns); err != nil {
		return err
	}
	for _, m := range r.Marks {
		if err := out.Write(r.markRow(m)); err != nil {
			return err
		}
	}
	for i := range r.Images {
		if err := out.Write(r.countsRow(i)); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func (r *Report) markRow(m Mark) []string {
	var image Image
	index := ""
	if m.Image >= 0 && m.Image < len(r.Images) {
		image, index = r.Images[m.Image], strconv.Itoa(m.Image)
	}
	found, expected := "", ""
	if m.Kind == ValueError || m.Found != 0 || m.Expected != 0 {
		found, expected = exact(m.Found), exact(m.Expected)
	}
	row := []string{
		string(m.Kind), image.Name, image.Compartment, idText(m.Pred), idText(m.Truth),
		exact(m.Z), exact(m.Y), exact(m.X), exact(m.IoU), strconv.Itoa(m.Wrong), exact(m.Cost),
		strconv.FormatBool(m.Diagnostic), m.Text, strconv.Itoa(m.T),
	}
	for _, n := range []int{m.Box.Z0, m.Box.Y0, m.Box.X0, m.Box.Z1, m.Box.Y1, m.Box.X1, m.Area} {
		row = append(row, strconv.Itoa(n))
	}
	return append(row, idList(m.Others), m.Key, found, expected, index, "", "", "", "")
}

// countsRow is the row of one image.
func (r *Report) countsRow(index int) []string {
	image := r.Images[index]
	cells := map[string]string{
		"kind": string(Counts), "image": image.Name, "compartment": image.Compartment, "diagnostic": "true",
		"image_index": strconv.Itoa(index), "status": string(image.Status),
		"pred_pixels": strconv.Itoa(image.PredPixels), "truth_pixels": strconv.Itoa(image.TruthPixels), "both_pixels": strconv.Itoa(image.Both),
	}
	row := make([]string, len(MarkColumns))
	for i, column := range MarkColumns {
		row[i] = cells[column]
	}
	return row
}

func idList(ids []ID) string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = strconv.FormatInt(id, 10)
	}
	return strings.Join(texts, " ")
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
