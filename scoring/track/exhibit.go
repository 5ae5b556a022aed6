package track

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"coverslip/datasets/biabench"
	"coverslip/datasets/raster/parallel"
	"coverslip/datasets/tabular"
	"coverslip/scoring/call"
	"coverslip/scoring/report"
)

// TrackingExhibit reads both label stacks of a report of Tracking again: the tracks of both sides with the centroid of their cell
// in each frame (pixels), their mothers, and what the marks say of cells, links and divisions. One frame of each side per
// goroutine is in memory, and of the cells only their places. The graphs count cells and errors over the frames. The error is for a
// cancelled context.
func TrackingExhibit(ctx context.Context, task *biabench.Task, run *biabench.Run, rep *report.Report, row int) (*report.Exhibit, error) {
	return call.Show(ctx, task, run, rep, row, showTracks)
}

func showTracks(s *call.Showing) error {
	var files [2]sideFiles
	all, err := biabench.ListFiles(s.Task.Truth)
	if err != nil {
		s.Remark("", "The truth cannot be read: "+call.Reason(err))
	}
	files[report.TruthSide] = truthFiles(all)
	files[report.AnswerSide] = sideFiles{s.Answer("segmentation_masks"), s.Answer("tracking_lineage")}
	for _, side := range call.Sides {
		tracks, err := sideTracks(s, side, files[side])
		if err := s.Ctx.Err(); err != nil {
			return err
		}
		if err != nil {
			s.Unread(side, files[side].masks, err)
		}
		if tracks != nil {
			s.Out.Tracks = append(s.Out.Tracks, *tracks)
		}
	}
	s.Out.Graphs = append(s.Out.Graphs, cellCounts(s.Out.Tracks), errorCounts(s.Of), overlapByFrame(s.Of))
	s.Out.Groups = append(s.Out.Groups, trackLengths(s.Out.Tracks))
	return nil
}

// sideTracks reads the tracks of one side; nil where there is no stack.
func sideTracks(s *call.Showing, side report.Side, files sideFiles) (*report.TrackSet, error) {
	if files.masks == "" {
		if side == report.TruthSide {
			s.Remark("", "The truth has no label stack")
		}
		return nil, nil
	}
	var rows []tabular.Track
	if files.lineage != "" {
		var err error
		if rows, _, err = readLineage(files.lineage); err != nil {
			s.Unread(side, files.lineage, err)
		}
	}
	movie, err := OpenMovie(files.masks)
	if err != nil {
		return nil, err
	}
	defer movie.Close()
	frames, broken, err := places(s.Ctx, movie)
	if err != nil {
		return nil, err
	}
	if broken != "" {
		s.Remark(filepath.Base(files.masks), broken)
	}
	c := &chart{side: side, frames: frames}
	c.judgeCells(s.Of)
	set := c.tracks(rows)
	c.judgeLinks(s.Of, set)
	if n := c.absent; n > 0 {
		s.Remark(filepath.Base(files.lineage), call.Quantity(n, "track has", "tracks have")+" a row in the lineage but no cell in the label stack")
	}
	return set, nil
}

// spotted is a cell in a frame: its label, its place, and what is said of it.
type spotted struct {
	label, partner int64
	y, x           float32
	verdict        report.Kind
}

// places finds the cells of all frames, by rising label in each. A frame that cannot be read has none; broken says which is the
// first of them.
func places(ctx context.Context, m *Movie) (frames [][]spotted, broken string, err error) {
	frames = make([][]spotted, m.Frames)
	errs := make([]error, m.Frames)
	pool := sync.Pool{New: func() any { return &bench{} }}
	err = parallel.Each(ctx, m.Frames, func(t int) error {
		b := pool.Get().(*bench)
		defer pool.Put(b)
		values, err := m.Frame(ctx, t, b.pred)
		if err != nil {
			errs[t] = err
			return ctx.Err()
		}
		b.pred = values
		found := b.count(values, nil, m.Y, m.X).pred
		frames[t] = make([]spotted, len(found))
		for i := range found {
			frames[t][i] = spotted{label: found[i].label, y: found[i].y, x: found[i].x}
		}
		return nil
	})
	for t, e := range errs {
		if e != nil {
			return frames, fmt.Sprintf("frame %d cannot be read and has no cells: %s", t, call.Reason(e)), err
		}
	}
	return frames, "", err
}

// chart is the cells of one side on their way to tracks.
type chart struct {
	side   report.Side
	frames [][]spotted
	absent int // rows of the lineage without a cell
}

// at is a label's cell in a frame, nil for none.
func (c *chart) at(t int, label int64) *spotted {
	if t < 0 || t >= len(c.frames) {
		return nil
	}
	k, ok := slices.BinarySearchFunc(c.frames[t], label, func(s spotted, l int64) int {
		switch {
		case s.label < l:
			return -1
		case s.label > l:
			return 1
		}
		return 0
	})
	if !ok {
		return nil
	}
	return &c.frames[t][k]
}

// judgeCells joins the marks on cells.
func (c *chart) judgeCells(rep *report.Report) {
	for i := range rep.Marks {
		m := &rep.Marks[i]
		switch m.Kind {
		case report.TP, report.Weak, report.FP, report.FN:
		default:
			continue
		}
		own, other := m.Pred, m.Truth
		if c.side == report.TruthSide {
			own, other = other, own
		}
		if own != 0 {
			if cell := c.at(m.T, own); cell != nil {
				cell.verdict, cell.partner = m.Kind, other
			}
		}
	}
}

// tracks collects the cells of each label over the frames. A label without a row in the lineage is a track without a mother.
func (c *chart) tracks(rows []tabular.Track) *report.TrackSet {
	lengths := map[int64]int{}
	for _, cells := range c.frames {
		for i := range cells {
			lengths[cells[i].label]++
		}
	}
	labels := make([]int64, 0, len(lengths))
	total := 0
	for label, n := range lengths {
		labels = append(labels, label)
		total += n
	}
	slices.Sort(labels)
	steps := make([]report.Step, 0, total) // of all tracks, one behind the other
	set := &report.TrackSet{Side: c.side, Frames: len(c.frames), Tracks: make([]report.Track, len(labels))}
	place := make(map[int64]int, len(labels))
	for i, label := range labels {
		place[label] = i
		from := len(steps)
		steps = steps[:from+lengths[label]]
		set.Tracks[i] = report.Track{ID: label, Steps: steps[from:from:len(steps)]}
	}
	for t, cells := range c.frames {
		for i := range cells {
			s := &cells[i]
			track := &set.Tracks[place[s.label]]
			track.Steps = append(track.Steps, report.Step{T: t, Y: float64(s.y), X: float64(s.x), Partner: s.partner, Verdict: s.verdict})
		}
	}
	c.join(rows, set, place)
	return set
}

// join gives the tracks their mothers by the scorer's rule: the mother has a row that ends before the daughter's begins, so that no
// track comes from itself.
func (c *chart) join(rows []tabular.Track, set *report.TrackSet, place map[int64]int) {
	ends := make(map[int64]float64, len(rows))
	for _, r := range rows {
		if id := whole(r.ID); id != 0 {
			ends[id] = r.End
		}
	}
	for _, r := range rows {
		id, parent := whole(r.ID), whole(r.Parent)
		k, there := place[id]
		if !there {
			c.absent++
			continue
		}
		_, drawn := place[parent]
		if end, known := ends[parent]; parent != 0 && known && drawn && end < r.Start {
			set.Tracks[k].Parent = parent
		}
	}
}
