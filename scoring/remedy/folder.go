package remedy

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"coverslip/datasets/biabench"
	"coverslip/datasets/fault"
	"coverslip/datasets/raster"
	"coverslip/datasets/raster/tiff"
	"coverslip/datasets/tabular"
)

// copyBytes is the largest untouched file that is copied where it cannot be linked.
const copyBytes = 16 << 20

// Apply writes the run with the remedy's changes into the empty folder dst, and gives the run to score. Untouched files
// are linked, and so is one that cannot be edited, since it may be broken: hard where the file system allows it, so that they keep their order among the edited ones, else copied
// when small and else by a symbolic link. dst stays the caller's to remove; the run's own folder is only read.
func (r Remedy) Apply(ctx context.Context, run *biabench.Run, dst string) (*biabench.Run, error) {
	edited := *run
	edited.Dir = filepath.Join(dst, r.above(run.Dir), "files")
	if err := os.MkdirAll(edited.Dir, 0o700); err != nil {
		return nil, cannotWrite(edited.Dir, err)
	}
	files, err := filesOf(run.Dir)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c := r.changes[f.rel]
		if c.omit {
			continue
		}
		rel := f.rel
		if c.name != "" {
			rel = c.name
		}
		target := filepath.Join(edited.Dir, filepath.FromSlash(rel))
		if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
			return nil, cannotWrite(target, err)
		}
		err := c.write(ctx, f.path, target, rel != f.rel)
		if err != nil && !errors.Is(err, errPlace) {
			err = place(f.path, filepath.Join(edited.Dir, filepath.FromSlash(f.rel)), false)
		}
		if err != nil {
			return nil, err
		}
	}
	for rel, text := range r.added {
		target := filepath.Join(edited.Dir, filepath.FromSlash(rel))
		if err := os.WriteFile(target, []byte(text), 0o600); err != nil {
			return nil, cannotWrite(target, err)
		}
	}
	return &edited, nil
}

// above keeps what the name of a folder above the run says of it: files below "raw" or "input" are not looked for by their
// suffix (spec/contract.md 3.1), and the edited run must be judged alike.
func (r Remedy) above(dir string) string {
	if by := inputFolder(dir); by != "" && !r.moved {
		return by
	}
	return "run"
}

// inputFolder is the first folder of a path whose name stands for input data, or "".
func inputFolder(path string) string {
	for part := range strings.SplitSeq(filepath.ToSlash(path), "/") {
		switch strings.ToLower(part) {
		case "input", "inputs", "raw", "raw_input", "raw_inputs":
			return part
		}
	}
	return ""
}

// write puts one file of the run, changed, at target.
func (c change) write(ctx context.Context, path, target string, renamed bool) error {
	switch {
	case c.array != nil || c.series:
		return c.writeArray(ctx, path, target)
	case c.rows != nil || c.load != nil:
		return c.writeTable(path, target)
	}
	return place(path, target, renamed)
}

// writeArray writes an edited image: plane by plane where that is possible, else whole.
func (c change) writeArray(ctx context.Context, path, target string) error {
	open := planesOf
	if c.series {
		open = planesOfSeries
	}
	if p, ok := open(ctx, path); ok && !c.whole {
		defer p.close()
		return writeFile(target, func(w io.Writer) error { return p.write(ctx, w, c.array) })
	} else if ok {
		p.close()
	}
	a, err := readWhole(ctx, path)
	for _, edit := range c.array {
		if err == nil {
			a, err = edit(a)
		}
	}
	if err != nil {
		return err
	}
	return writeFile(target, func(w io.Writer) error { return tiff.Encode(w, a, tiff.EncodeOptions{Uncompressed: true}) })
}

// readWhole reads the first series of an image that is not too large for that.
func readWhole(ctx context.Context, path string) (raster.Array, error) {
	img, err := raster.Open(ctx, path)
	if err != nil {
		return raster.Array{}, err
	}
	defer img.Close()
	if len(img.Series) > 0 && img.Series[0].Len() > maxSamples {
		return raster.Array{}, &fault.Error{Kind: fault.TooLarge, File: path, Found: fmt.Sprintf("an image of shape %v", img.Series[0].Shape),
			Expected: fmt.Sprintf("at most %d samples, to try it in another form", maxSamples)}
	}
	return img.Array(ctx)
}

func (c change) writeTable(path, target string) error {
	load := c.load
	if load == nil {
		load = func(path string) (rows, error) {
			text, err := tabular.ReadRaw(path)
			return c.form.split(text), err
		}
	}
	table, err := load(path)
	if err != nil {
		return err
	}
	for _, edit := range c.rows {
		table = edit(table)
	}
	return writeFile(target, func(w io.Writer) error { _, err := io.WriteString(w, c.form.join(table)); return err })
}

// place links or copies an untouched file. A symbolic link would keep the old name, so a renamed file is copied instead.
func place(path, target string, renamed bool) error {
	if !renamed && filepath.Base(path) != filepath.Base(target) && os.Symlink(path, target) == nil {
		return nil // a link of another name: the scorer goes by the name that it leads to
	}
	if os.Link(path, target) == nil {
		return nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil // a file that cannot be read cannot be scored either
	}
	if info.Size() > copyBytes && !renamed {
		if err := os.Symlink(path, target); err == nil {
			return nil
		}
	}
	from, err := os.Open(path)
	if errors.Is(err, os.ErrPermission) {
		return nil
	}
	if err != nil {
		return cannotWrite(target, err)
	}
	defer from.Close()
	return writeFile(target, func(w io.Writer) error { _, err := io.Copy(w, from); return err })
}

// errPlace is the cause of errors of the place that is written to, apart from those of the files that are read.
var errPlace = errors.New("nothing can be written there")

// writeFile fills a new file. Where filling fails there is no file.
func writeFile(target string, fill func(io.Writer) error) error {
	f, err := os.OpenFile(target, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return cannotWrite(target, err)
	}
	w := &watched{w: f}
	err = fill(w)
	if closing := f.Close(); w.err == nil {
		w.err = closing
	}
	if w.err != nil {
		err = cannotWrite(target, w.err)
	}
	if err != nil {
		os.Remove(target)
	}
	return err
}

// watched keeps the first error of writing.
type watched struct {
	w   io.Writer
	err error
}

func (w *watched) Write(p []byte) (int, error) {
	n, err := w.w.Write(p)
	if w.err == nil {
		w.err = err
	}
	return n, err
}

func cannotWrite(path string, err error) error {
	return &fault.Error{Kind: fault.Missing, File: path, Found: "a place for temporary files that cannot be written",
		Fix: "Free some space there, or let TMPDIR name another folder", Err: errors.Join(errPlace, err)}
}

// file is one file of a run: its place below the run folder, with slashes, and its path.
type file struct{ rel, path string }

// filesOf lists the files of a run that may be edited: regular ones. Links come with the path that they lead to.
func filesOf(dir string) ([]file, error) {
	paths, err := biabench.ListFiles(dir)
	if err != nil {
		return nil, err
	}
	var files []file
	for _, path := range paths {
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			continue
		}
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		files = append(files, file{filepath.ToSlash(rel), path})
	}
	return files, nil
}

// form is how the text of a table falls into records.
type form uint8

const (
	commas form = iota // CSV
	lines              // lines of cells at commas, tabs or white space
)

func (f form) split(text string) rows {
	if f == commas {
		records, _ := tabular.ParseCSV(tabular.StrictText(text)) // what comes before an error counts
		return rows(records)
	}
	var table rows
	for line := range strings.Lines(tabular.StrictText(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			table = append(table, tabular.SplitLine(line))
		}
	}
	return table
}

func (f form) join(table rows) string {
	var b strings.Builder
	if f == commas {
		w := csv.NewWriter(&b)
		for _, row := range table {
			if len(row) == 0 || len(row) == 1 && row[0] == "" {
				w.Flush()
				b.WriteString("\n")
				continue
			}
			w.Write(row) // into memory: it cannot fail
		}
		w.Flush()
		return b.String()
	}
	for _, row := range table {
		b.WriteString(strings.Join(row, ","))
		b.WriteByte('\n')
	}
	return b.String()
}
