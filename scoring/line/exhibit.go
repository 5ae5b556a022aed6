package line

import (
	"context"
	"math/bits"
	"slices"

	"coverslip/datasets/biabench"
	"coverslip/scoring/call"
	"coverslip/scoring/numeric"
	"coverslip/scoring/report"
)

// FilamentsExhibit reads the masks of one image of a report of Filaments again: how long the connected pieces of both are, in
// pixels of their centre line. The masks themselves are drawn as they are. The whole run (row -1) has nothing. The error is for a
// cancelled context.
func FilamentsExhibit(ctx context.Context, task *biabench.Task, run *biabench.Run, rep *report.Report, row int) (*report.Exhibit, error) {
	return call.Show(ctx, task, run, rep, row, func(s *call.Showing) error {
		masks := masksOfRow(s, false)
		pieces := report.Groups{Name: "pieces", Value: "length of a connected piece (pixels of its centre line)"}
		for _, side := range call.Sides {
			m := masks[side].mask
			if m == nil || len(masks[side].shape) != 2 {
				continue
			}
			line, err := numeric.Thin2D(s.Ctx, m)
			if err != nil {
				return err
			}
			g := report.Group{Name: sideName(side), Side: side}
			for _, r := range Beyond(m, numeric.NewMask(m.Z, m.Y, m.X), line) {
				g.Values = append(g.Values, float64(r.Line))
			}
			pieces.Groups = append(pieces.Groups, g)
		}
		if len(pieces.Groups) > 0 {
			s.Out.Groups = append(s.Out.Groups, pieces)
		}
		return nil
	})
}

// VesselsExhibit reads the masks of one volume of a report of Vessels again: Dice and the share of vessels in each slice. The
// masks themselves are drawn as they are. The whole run (row -1) has nothing. The error is for a cancelled context.
func VesselsExhibit(ctx context.Context, task *biabench.Task, run *biabench.Run, rep *report.Report, row int) (*report.Exhibit, error) {
	return call.Show(ctx, task, run, rep, row, func(s *call.Showing) error {
		masks := masksOfRow(s, true)
		shares := report.Graph{Name: "vessels by slice", Title: "Share of vessels by slice", XName: "slice (z)", YName: "share of the voxels", Slices: true}
		for _, side := range call.Sides {
			if m := masks[side].mask; m != nil {
				c := bySlice(m.Z, func(z int) float64 { return float64(countSlice(m, nil, z)) / float64(m.Y*m.X) })
				c.Name, c.Side = sideName(side), side
				shares.Curves = append(shares.Curves, c)
			}
		}
		if a, t := masks[report.AnswerSide], masks[report.TruthSide]; a.mask != nil && t.mask != nil && slices.Equal(a.shape, t.shape) {
			c := bySlice(t.mask.Z, func(z int) float64 { // NaN where both are empty
				both, sum := countSlice(a.mask, t.mask, z), countSlice(a.mask, nil, z)+countSlice(t.mask, nil, z)
				return float64(2*both) / float64(sum)
			})
			c.Name = "Dice"
			s.Out.Graphs = append(s.Out.Graphs, report.Graph{Name: "dice by slice", Title: "Dice by slice", XName: shares.XName, YName: "Dice", Slices: true, Curves: []report.Curve{c}})
		}
		if len(shares.Curves) > 0 {
			s.Out.Graphs = append(s.Out.Graphs, shares)
		}
		return nil
	})
}

func sideName(side report.Side) string {
	if side == report.TruthSide {
		return "truth"
	}
	return "answer"
}

// masksOfRow reads both masks of the row that is looked at. A side that cannot be read has a note and no mask.
func masksOfRow(s *call.Showing, volumes bool) (masks [2]loaded) {
	image, ok := s.Image()
	if !ok {
		return masks
	}
	files := [2]string{report.AnswerSide: image.Pred, report.TruthSide: image.Truth}
	for _, side := range call.Sides {
		if files[side] == "" {
			s.Remark("", "The "+sideName(side)+" has no mask of this image")
			continue
		}
		one := load(s.Ctx, files[side], volumes)
		switch {
		case one.err != nil:
			s.Unread(side, files[side], one.err)
		case one.mask == nil:
			s.Remark("", "The "+sideName(side)+"'s mask is an array of "+call.Shape(one.shape))
		default:
			masks[side] = one
		}
	}
	return masks
}

func bySlice(n int, value func(z int) float64) (c report.Curve) {
	for z := range n {
		c.X, c.Y = append(c.X, float64(z)), append(c.Y, value(z))
	}
	return c
}

// countSlice counts the voxels of a slice that are set, in both masks where there are two.
func countSlice(m, other *numeric.Mask, z int) int {
	n := 0
	for y := range m.Y {
		row := m.Row(z, y)
		if other == nil {
			for _, w := range row {
				n += bits.OnesCount64(w)
			}
			continue
		}
		for i, w := range other.Row(z, y) {
			n += bits.OnesCount64(w & row[i])
		}
	}
	return n
}
