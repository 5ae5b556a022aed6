package raster

import (
	"bufio"
	"context"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster/parallel"
	"coverslip/datasets/raster/pixel"
)

// maxFiles is how many files of a folder are taken for one image.
const maxFiles = 1 << 17

// imageExtensions are those of files that a folder's image is made of.
var imageExtensions = []string{".tif", ".tiff", ".png", ".bmp", ".jpg", ".jpeg", ".lsm", ".stk"}

// OpenFolder opens the image files of a folder as one image whose planes are read from the files when they are asked for:
// a time series, a z stack, channels (spec/formats.md 11). The names give the places where they tell T, Z or C
// ("T00001C01Z001.tif", "Channel 1-01-A-01-00.Bmp"); else filelist.txt gives the order, else natural sorting.
// Files of another size or type than the first one are left out, which a note says.
func OpenFolder(ctx context.Context, dir string) (*File, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, openFault(dir, err)
	}
	var names []string
	list := ""
	for _, e := range entries {
		switch n := e.Name(); {
		case strings.HasPrefix(n, "."), e.IsDir():
		case strings.EqualFold(n, "filelist.txt"):
			list = filepath.Join(dir, n)
		case slices.Contains(imageExtensions, strings.ToLower(filepath.Ext(n))):
			names = append(names, n)
		}
	}
	slices.SortFunc(names, Natural)
	unnamed := byte('I')
	switch strings.ToLower(filepath.Ext(dir)) {
	case ".tif", ".tiff":
		unnamed = 'T' // folders named like a file are time series
	}
	names, notes, listed := byList(names, list)
	if listed {
		unnamed = 'T'
	}
	paths := make([]string, len(names))
	for i, n := range names {
		paths[i] = filepath.Join(dir, n)
	}
	f, err := openSet(ctx, dir, paths, unnamed, !listed)
	if f != nil {
		f.Notes = append(notes, f.Notes...)
	}
	return f, err
}

// OpenFiles opens files as one image: the channels of a field, the frames of a movie. Their names give the places as in
// OpenFolder; else they are taken in the order given.
func OpenFiles(ctx context.Context, paths []string) (*File, error) {
	if len(paths) == 0 {
		return nil, &fault.Error{Kind: fault.Missing, Found: "no files", Expected: "image files"}
	}
	return openSet(ctx, filepath.Dir(paths[0]), paths, 'I', true)
}

// byList orders names by a list of them, one per line. Those that it lacks come last.
func byList(names []string, list string) (out, notes []string, ok bool) {
	if list == "" {
		return names, nil, false
	}
	o, err := os.Open(list)
	if err != nil {
		return names, []string{"filelist.txt cannot be read"}, false
	}
	defer o.Close()
	left := map[string]string{}
	for _, n := range names {
		left[strings.ToLower(n)] = n
	}
	missing := 0
	for s := bufio.NewScanner(io.LimitReader(o, 1<<24)); s.Scan(); {
		line := strings.ReplaceAll(strings.TrimSpace(s.Text()), `\`, "/")
		key := strings.ToLower(line[strings.LastIndexByte(line, '/')+1:])
		if n, ok := left[key]; ok {
			out = append(out, n)
			delete(left, key)
		} else if slices.Contains(imageExtensions, filepath.Ext(key)) {
			missing++
		}
	}
	if len(out) == 0 {
		return names, []string{"filelist.txt names none of the files and is not used"}, false
	}
	if missing > 0 {
		notes = append(notes, fmt.Sprintf("%d files that filelist.txt names are not there", missing))
	}
	if len(left) > 0 {
		notes = append(notes, fmt.Sprintf("%d files are not in filelist.txt and come last", len(left)))
	}
	for _, n := range names {
		if _, ok := left[strings.ToLower(n)]; ok {
			out = append(out, n)
		}
	}
	return out, notes, true
}

// openSet opens files as one image. unnamed is the letter of their axis where names say nothing.
func openSet(ctx context.Context, path string, paths []string, unnamed byte, byName bool) (*File, error) {
	switch {
	case len(paths) == 0:
		return nil, &fault.Error{Kind: fault.Missing, File: path, Found: "a folder without image files", Expected: "TIFF, PNG, BMP or JPEG files"}
	case len(paths) > maxFiles:
		return nil, &fault.Error{Kind: fault.TooLarge, File: path, Found: fmt.Sprintf("a folder of %d image files", len(paths)), Expected: fmt.Sprintf("at most %d", maxFiles)}
	}
	paths, key, left, err := alike(ctx, paths)
	if err != nil {
		return nil, err
	}
	defer key.Close()
	f := &File{Path: path, Format: "folder", Pages: len(paths), Calibration: key.Calibration, Channels: key.Channels, Bits: key.Bits,
		bitsSource: key.bitsSource, channelSource: key.channelSource, look: key.look}
	f.ScoringErr = &fault.Error{Kind: fault.Inconsistent, File: path, Found: "a folder of images", Expected: "an image file", Fix: "Folders are shown and not scored as one image"}
	if left != "" {
		f.Notes = append(f.Notes, left)
	}
	g := grid{axes: string(unnamed), shape: []int{len(paths)}}
	for i := range paths {
		g.file = append(g.file, i)
	}
	if byName {
		names := make([]string, len(paths))
		for i, p := range paths {
			names[i] = filepath.Base(p)
		}
		if named, ok := gridOf(names); ok {
			g = named
		}
	}
	if empty := len(g.file) - len(paths); empty > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("%d planes have no file and are empty", empty))
	}
	f.add(f.setSeries(g, paths, key.shown), "")
	return f, nil
}

// setSeries puts the frames of all files behind each other. like is the series of one of them.
func (f *File) setSeries(g grid, paths []string, like *series) *series {
	s := *like
	s.lead, s.leadAxes = append(slices.Clone(g.shape), like.lead...), g.axes+like.leadAxes
	s.Shape, s.Axes = append(slices.Clone(g.shape), like.Shape...), g.axes+like.Axes
	s.frames, s.levels, s.splits = len(g.file)*like.frames, nil, false
	members := newShelf(paths)
	f.onClose(members.close)
	member := func(ctx context.Context, i int) (*series, func(), error) {
		k := g.file[i/like.frames]
		if k < 0 {
			return nil, nil, ctx.Err()
		}
		m, done, err := members.take(ctx, k)
		if err != nil {
			return nil, nil, err
		}
		if o := m.shown; o.h != s.h || o.w != s.w || o.samples != s.samples || o.Type != s.Type || o.frames != like.frames || (o.hand == nil) != (like.hand == nil) {
			done()
			return nil, nil, &fault.Error{Kind: fault.Inconsistent, File: paths[k], Found: "a file that has changed since the folder was opened", Fix: "Open the folder again"}
		}
		return m.shown, done, nil
	}
	s.read = func(ctx context.Context, i int, rq request, dst any) (found, error) {
		m, done, err := member(ctx, i)
		if m == nil {
			return found{}, err
		}
		defer done()
		return m.read(ctx, i%like.frames, rq, dst)
	}
	if like.hand != nil {
		s.hand = func(ctx context.Context, i int, part image.Rectangle) (planes []any, err error) {
			m, done, err := member(ctx, i)
			if m == nil {
				for range s.samples {
					planes = append(planes, pixel.New(s.Type, s.size(part)))
				}
				return planes, err
			}
			defer done()
			return m.hand(ctx, i%like.frames, part)
		}
	}
	return &s
}

// alike opens the headers of all files and keeps those that are like the first readable one. key is that one, left says
// what was left out.
func alike(ctx context.Context, paths []string) (kept []string, key *File, left string, err error) {
	heads := make([]string, len(paths)) // shape, axes and type, "" for files that cannot be read
	errs := make([]error, len(paths))
	err = parallel.Each(ctx, len(paths), func(i int) error {
		f, err := Open(ctx, paths[i])
		if errs[i] = err; err != nil {
			return nil // this file alone
		}
		heads[i] = fmt.Sprint(f.shown.Shape, f.shown.Axes, f.shown.Type, f.shown.planar)
		return f.Close()
	})
	if err != nil {
		return nil, nil, "", err
	}
	first := slices.IndexFunc(heads, func(h string) bool { return h != "" })
	if first < 0 {
		return nil, nil, "", errs[0]
	}
	var other, broken []string
	for i, h := range heads {
		switch {
		case h == heads[first]:
			kept = append(kept, paths[i])
		case h == "":
			broken = append(broken, filepath.Base(paths[i]))
		default:
			other = append(other, filepath.Base(paths[i]))
		}
	}
	var said []string
	if n := len(other); n > 0 {
		said = append(said, fmt.Sprintf("%d of %d files have another size or type than %s and are left out: %s", n, len(paths), filepath.Base(paths[first]), few(other)))
	}
	if n := len(broken); n > 0 {
		said = append(said, fmt.Sprintf("%d of %d files cannot be read and are left out: %s", n, len(paths), few(broken)))
	}
	key, err = Open(ctx, paths[first])
	return kept, key, strings.Join(said, "; "), err
}

// few joins up to three names.
func few(names []string) string {
	if len(names) > 3 {
		return strings.Join(names[:3], ", ") + " and others"
	}
	return strings.Join(names, ", ")
}
