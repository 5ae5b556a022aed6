package signal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"coverslip/datasets/raster/pixel"
	"coverslip/datasets/raster/tiff"
)

// stack is what a mosaic's file gives to scoring: its size, the axes as read, and the profile of each channel along x, the
// mean over the rows of the band and over all planes. Without a band there are no profiles.
type stack struct {
	geometry
	axes     string
	shape    []int
	pages    int
	profiles [][]float64
	y0, y1   int      // rows of the band
	notes    []string // on the file
}

// readStack reads size and profiles of the first series of a TIFF file, of large planes and of those stored without
// compression the band alone. Every error means that the reference cannot read the file.
func readStack(ctx context.Context, path string, height int) (s stack, err error) {
	files := sources{}
	defer files.close()
	f, err := files.open(path)
	if err != nil {
		return s, err
	}
	g := f.Group(func(name string) (*tiff.File, error) {
		return files.open(filepath.Join(filepath.Dir(path), filepath.Base(name)))
	})
	if g.Refused != nil {
		return s, g.Refused
	}
	s.notes = g.Notes
	series := &g.Series[0]
	frames, err := framesOfSeries(f, series)
	if err != nil {
		return s, err
	}
	s.axes, s.shape, s.pages = series.Axes, series.Shape, len(frames)
	if series.Kind == "LSM" {
		s.axes, s.shape = lsmAxes(f, series)
	}
	if s.geometry, err = geometryOf(s.axes, s.shape); err != nil {
		return s, err
	}
	if s.y0, s.y1 = bandRows(s.y, height); s.y1 <= s.y0 {
		return s, nil
	}
	s.profiles, err = s.addPages(ctx, series.Layout, frames, files)
	return s, err
}

// source is the bytes of a file.
type source struct {
	io.ReaderAt
	size      int64
	bigEndian bool
}

// sources are the open files.
type sources map[*tiff.File]source

func (s sources) open(path string) (*tiff.File, error) {
	o, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := o.Stat()
	if err == nil {
		var f *tiff.File
		if f, err = tiff.Open(o, info.Size(), path); err == nil {
			var mark [2]byte
			_, err = o.ReadAt(mark[:], 0)
			s[f] = source{o, info.Size(), mark == [2]byte{'M', 'M'}}
			return f, err
		}
	}
	o.Close()
	return nil, err
}

func (s sources) close() {
	for _, f := range s {
		f.ReaderAt.(*os.File).Close()
	}
}

// lsmAxes are the axes of an LSM series as the reference has them: channels stand beside Y X only where the photometric
// tag says RGB, otherwise where the scan type puts them.
func lsmAxes(f *tiff.File, s *tiff.Series) (string, []int) {
	const photometricRGB, tagInfo, scanTypeAt = 2, 34412, 88
	if s.Layout.Photometric == photometricRGB || s.Layout.Samples == 1 {
		return s.Axes, s.Shape
	}
	order := "TCZ" // slowest first
	if info, ok := f.Tag(f.Pages[0], tagInfo, 0); ok && len(info.Bytes) > scanTypeAt {
		switch info.Bytes[scanTypeAt] {
		case 3, 5, 9:
			order = "ZCT"
		case 4, 6:
			order = "CTZ"
		case 7:
			order = "ZTC"
		case 8:
			order = "TZC"
		}
	}
	var axes []byte
	var shape []int
	for _, letter := range []byte("MP" + order + "YX") {
		if i := strings.IndexByte(s.Axes, letter); i >= 0 {
			axes, shape = append(axes, letter), append(shape, s.Shape[i])
		}
	}
	if len(axes) != len(s.Axes) {
		return s.Axes, s.Shape
	}
	return string(axes), shape
}

// framesOfSeries lists the pages that the reference goes through: a single one where planes follow each other behind one
// directory, and none of those that are missing at the end.
func framesOfSeries(f *tiff.File, s *tiff.Series) ([]tiff.Frame, error) {
	if s.Frames.Pages == nil {
		return []tiff.Frame{{File: s.Frames.File, Page: s.Frames.First}}, nil
	}
	frames := s.Frames.Pages
	for len(frames) > 0 && frames[len(frames)-1].Page == nil {
		frames = frames[:len(frames)-1]
	}
	if len(frames) == 1 && s.Frames.Count > 1 {
		return nil, errors.New("a single plane of several is there")
	}
	for i, fr := range frames {
		if fr.Page == nil {
			return nil, fmt.Errorf("plane %d of %d is missing", i+1, s.Frames.Count)
		}
		cut, _, err := fr.File.Check(fr.Page)
		if err == nil && cut {
			err = fmt.Errorf("page %d is cut off", fr.Page.Index+1)
		}
		if err != nil {
			return nil, err
		}
	}
	return frames, nil
}

// addPages takes the profile of each channel from the pages (spec/scorers-signals.md 4.5).
func (s *stack) addPages(ctx context.Context, l *tiff.Layout, frames []tiff.Frame, files sources) ([][]float64, error) {
	pageShape, _ := l.Shape()
	leading := len(s.axes) - len(pageShape)
	if leading < 0 {
		return nil, fmt.Errorf("the axes '%s' are fewer than those of a page", s.axes)
	}
	lead, letters := s.shape[:leading], s.axes[leading:]
	page, err := newPageBand(l, letters, s.y0, s.y1)
	if err != nil {
		return nil, err
	}
	page.files = files
	channels := strings.IndexByte(s.axes[:leading], 'C')
	profiles, counts := make([][]float64, s.c), make([]float64, s.c)
	for i := range profiles {
		profiles[i] = make([]float64, page.width)
	}
	for i, fr := range frames {
		rows, err := page.read(ctx, fr)
		if err != nil {
			return nil, err
		}
		if channels >= 0 {
			c, err := channelOf(i, lead, channels)
			if err != nil {
				return nil, err
			}
			if c >= len(profiles) {
				return nil, errors.New("the channels of the pages do not fit the axes")
			}
			addTo(profiles[c], rows[0])
			counts[c]++
			continue
		}
		if len(rows) != 1 && len(rows) != s.c {
			return nil, fmt.Errorf("pages of %d channels in a stack of %d", len(rows), s.c)
		}
		for c := range profiles {
			addTo(profiles[c], rows[min(c, len(rows)-1)])
			counts[c]++
		}
	}
	for c := range profiles {
		for x := range profiles[c] {
			if counts[c] > 0 {
				profiles[c][x] /= counts[c]
			}
		}
	}
	return profiles, nil
}

func addTo(sum, row []float64) {
	for x, v := range row {
		sum[x] += v
	}
}

// pageBand takes the band of pages of one layout. A page is an array of up to three axes in memory; each of them steps
// along the rows of the result (channels), its columns (x), or is averaged (y within the band, and all others).
type pageBand struct {
	layout          *tiff.Layout
	shape           []int // of the page, 3 axes: those that it lacks have length 1
	steps           []int // in the result per step along each axis
	from, to        []int // range of each axis
	rowAxis         int   // the axis of stored rows
	channels, width int
	count           float64 // samples in each mean
	scratch         any
	files           sources
}

func newPageBand(l *tiff.Layout, letters string, y0, y1 int) (*pageBand, error) {
	shape, own := l.Shape()
	r, err := rolesOf(letters)
	if err != nil {
		return nil, err
	}
	p := &pageBand{layout: l, shape: shape, rowAxis: strings.IndexByte(own, 'Y'), channels: 1, width: shape[r.x], count: 1}
	if r.c >= 0 {
		p.channels = shape[r.c]
	}
	for i, n := range shape {
		from, to, step := 0, n, 0
		switch i {
		case r.x:
			step = 1
		case r.c:
			step = p.width
		case r.y:
			from, to = min(y0, n), min(y1, n)
			p.count *= float64(to - from)
		default:
			p.count *= float64(n)
		}
		p.from, p.to, p.steps = append(p.from, from), append(p.to, to), append(p.steps, step)
	}
	return p, nil
}

// read gives the mean over the band of each channel of a page.
func (p *pageBand) read(ctx context.Context, fr tiff.Frame) ([][]float64, error) {
	sums := make([]float64, p.channels*p.width)
	if l := p.layout; l.Planar && l.Samples > 1 {
		for k := p.from[0]; k < p.to[0]; k++ {
			if err := p.addPlane(ctx, fr, k, sums[k*p.steps[0]:], 1); err != nil {
				return nil, err
			}
		}
	} else if err := p.addPlane(ctx, fr, -1, sums, 0); err != nil {
		return nil, err
	}
	rows := make([][]float64, p.channels)
	for c := range rows {
		rows[c] = sums[c*p.width : (c+1)*p.width]
		for x := range rows[c] {
			rows[c][x] /= p.count
		}
	}
	return rows, nil
}

// addPlane adds the samples of one plane (sample k of a planar page, or the page) to the sums; its axes begin at the
// page's axis first.
func (p *pageBand) addPlane(ctx context.Context, fr tiff.Frame, k int, sums []float64, first int) error {
	shape, from, to, steps := p.shape[first:], p.from[first:], p.to[first:], p.steps[first:]
	row := p.rowAxis - first
	y0, y1 := from[row], to[row]
	width := 1
	for _, n := range shape[row+1:] {
		width *= n
	}
	if n := (y1 - y0) * width; pixel.Len(p.scratch) != n {
		p.scratch = pixel.New(p.layout.Type, n)
	}
	values, err := readRows(ctx, fr, p.files[fr.File], k, y0, y1, width, p.scratch)
	if err != nil {
		return err
	}
	for y := range y1 - y0 {
		line := pixel.Slice(values, y*width, (y+1)*width)
		base := (y0 + y) * steps[row]
		if len(shape) == 2 {
			addLine(sums, line, base, from[1], to[1], steps[1], 1)
			continue
		}
		for s := from[2]; s < to[2]; s++ { // samples side by side
			addLine(sums, pixel.Slice(line, s, width), base+s*steps[2], from[1], to[1], steps[1], shape[2])
		}
	}
	return nil
}

// addLine adds elements from to to-1 of a line, stride apart, to the sums, step apart from base on.
func addLine(sums []float64, line any, base, from, to, step, stride int) {
	switch v := line.(type) {
	case []uint8:
		addElements(sums, v, base, from, to, step, stride)
	case []int8:
		addElements(sums, v, base, from, to, step, stride)
	case []uint16:
		addElements(sums, v, base, from, to, step, stride)
	case []int16:
		addElements(sums, v, base, from, to, step, stride)
	case []uint32:
		addElements(sums, v, base, from, to, step, stride)
	case []int32:
		addElements(sums, v, base, from, to, step, stride)
	case []uint64:
		addElements(sums, v, base, from, to, step, stride)
	case []int64:
		addElements(sums, v, base, from, to, step, stride)
	case []float32:
		addElements(sums, v, base, from, to, step, stride)
	case []float64:
		addElements(sums, v, base, from, to, step, stride)
	}
}

func addElements[E pixel.Element](sums []float64, v []E, base, from, to, step, stride int) {
	if step == 1 && stride == 1 {
		out := sums[base+from : base+to]
		for i, x := range v[from:to] {
			out[i] += float64(x)
		}
		return
	}
	for i := from; i < to; i++ {
		sums[base+i*step] += float64(v[i*stride])
	}
}
