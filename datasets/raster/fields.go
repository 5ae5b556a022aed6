package raster

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Field is the files that show one image: a file, the channels of a field of view, or a folder that is a movie.
type Field struct {
	Name string // what the names of its files share; a folder's own name
	Path string // of its first file, or of the folder: what OpenField takes
}

// listName is a text file that names the frames of a movie in their order (spec/formats.md 11).
const listName = "filelist.txt"

// Fields finds the images that image files make together, in natural order of their paths: the files of a folder with a filelist.txt, or
// of one named like a TIFF, are the frames of one movie; files whose names tell the channels of one field are that field; a folder and every other file stand for
// themselves.
func Fields(paths []string) []Field {
	movies := map[string]bool{}
	sets := map[string]int{}
	var fields []Field
	for _, path := range paths {
		dir, name := filepath.Split(path)
		known, seen := movies[dir]
		if !seen {
			known = isMovie(dir)
			movies[dir] = known
		}
		f := Field{Name: strings.TrimSuffix(name, filepath.Ext(name)), Path: path}
		key := "file " + path
		if known {
			base := filepath.Base(dir)
			f = Field{Name: base, Path: filepath.Clean(dir)}
			if ext := strings.ToLower(filepath.Ext(base)); ext == ".tif" || ext == ".tiff" {
				f.Name = strings.TrimSuffix(base, filepath.Ext(base))
			}
			key = "folder " + dir
		} else if set, shared := channelSet(name); set != "" {
			f.Name = shared
			key = "set " + dir + set
		}
		if i, have := sets[key]; !have {
			sets[key] = len(fields)
			fields = append(fields, f)
		} else if Natural(f.Path, fields[i].Path) < 0 {
			fields[i].Path = f.Path
		}
	}
	return fields
}

func isMovie(dir string) bool {
	switch strings.ToLower(filepath.Ext(filepath.Clean(dir))) {
	case ".tif", ".tiff": // folders named like a file are time series
		return true
	}
	_, err := os.Stat(filepath.Join(dir, listName))
	return err == nil
}

// channelSet is what the names of all channels of a field share, as a key and for people; "" where a name tells no channel.
func channelSet(name string) (key, shared string) {
	p := readPlaneName(name)
	if _, ok := p.at['C']; !ok || p.at['T'] != 0 || p.at['Z'] != 0 {
		return "", ""
	}
	for _, part := range strings.FieldsFunc(p.key, func(r rune) bool { return strings.ContainsRune(" -_", r) }) {
		if !strings.HasSuffix(part, "#") {
			shared += "-" + part
		}
	}
	if shared == "" {
		shared = "-" + strings.TrimSuffix(name, filepath.Ext(name))
	}
	return strings.ToLower(p.key + filepath.Ext(name)), shared[1:]
}

// OpenField opens the image that a file belongs to, as Fields has it: with the other channels of its field, or as a folder.
func OpenField(ctx context.Context, path string) (*File, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return OpenFolder(ctx, path)
	}
	dir, name := filepath.Split(path)
	if set, _ := channelSet(name); set == "" {
		return Open(ctx, path)
	}
	entries, err := os.ReadDir(filepath.Clean(dir))
	if err != nil {
		return Open(ctx, path)
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	pair := PairedChannels(name, names)
	if pair == nil {
		return Open(ctx, path)
	}
	paths := make([]string, len(pair))
	for i, n := range pair {
		paths[i] = filepath.Join(dir, n)
	}
	slices.SortFunc(paths, Natural)
	return OpenFiles(ctx, paths)
}
