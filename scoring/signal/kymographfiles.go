package signal

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"coverslip/datasets/raster"
	"coverslip/datasets/raster/pixel"
	"coverslip/datasets/raster/tiff"
)

// The kinds of files of an experiment, by the end of their stems.
const (
	kymographKind = "speedkymograph"
	xKind         = "mf_dxs"
	yKind         = "mf_dys"
	maskKind      = "roi"
)

// fileKey splits a file's name into experiment and kind; ok is false for a name that ends in no kind.
func fileKey(file string) (experiment, kind string, ok bool) {
	stem := lower(stemOf(file))
	for _, kind := range []string{kymographKind, xKind, yKind, maskKind} {
		if experiment, ok := strings.CutSuffix(stem, "_"+kind); ok && experiment != "" {
			return experiment, kind, true
		}
	}
	return "", "", false
}

// indexed are files by kind and experiment; the first file of a key counts.
type indexed map[string]map[string]string

func indexFiles(files []string) indexed {
	x := indexed{}
	for _, f := range files {
		experiment, kind, ok := fileKey(f)
		if !ok {
			continue
		}
		if x[kind] == nil {
			x[kind] = map[string]string{}
		}
		if _, taken := x[kind][experiment]; !taken {
			x[kind][experiment] = f
		}
	}
	return x
}

// experiments lists the keys of a kind, sorted.
func (x indexed) experiments(kind string) []string {
	var out []string
	for k := range x[kind] {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// field is an array of doubles without axes of length 1, as the reference loads it. A field of an absent or unreadable
// file has err set.
type field struct {
	file   string
	shape  []int
	values []float64 // C order
	notes  []string  // on the file
	err    error
}

var errAbsent = errors.New("there is no such file")

// plane tells a field that can be used: two axes.
func (f field) plane() bool { return f.err == nil && len(f.shape) == 2 }

func (f field) at(y, x int) float64 { return f.values[y*f.shape[1]+x] }

// allFinite tells whether no value is NaN or infinite.
func (f field) allFinite() bool {
	for _, v := range f.values {
		if v-v != 0 { // NaN for both
			return false
		}
	}
	return true
}

// loadField reads the first series of a TIFF file. The content decides: a file of another format is unreadable whatever its
// name.
func loadField(ctx context.Context, file string) field {
	out, samples := readField(ctx, file)
	out.values = toFloats(samples)
	return out
}

// readField is loadField with the samples as they are stored.
func readField(ctx context.Context, file string) (out field, samples any) {
	out.file = file
	if file == "" {
		out.err = errAbsent
		return out, nil
	}
	a, notes, err := readTIFF(ctx, file)
	out.notes, out.err = notes, err
	if err != nil {
		return out, nil
	}
	for _, n := range a.Shape {
		if n != 1 {
			out.shape = append(out.shape, n)
		}
	}
	return out, a.Values
}

// cellMask is the mask of the cell sheet: a field without values, and where it is above 0.
type cellMask struct {
	field
	set []bool
}

func loadMask(ctx context.Context, file string) cellMask {
	f, samples := readField(ctx, file)
	return cellMask{f, above0(samples)}
}

// readTIFF reads the first series of a TIFF file and what a user should know of the file.
func readTIFF(ctx context.Context, file string) (raster.Array, []string, error) {
	f, err := raster.Open(ctx, file)
	if errors.Is(err, tiff.ErrNoPages) { // the reference reads an empty array
		return raster.Array{Shape: []int{0}, Type: raster.Float64, Values: []float64{}}, []string{"the file holds no page: an empty array"}, nil
	}
	if err != nil {
		return raster.Array{}, nil, err
	}
	defer f.Close()
	if !isTIFF(f.Format) {
		return raster.Array{}, nil, errors.New("the file is no TIFF, it holds " + f.Format)
	}
	a, err := f.Array(ctx)
	return a, f.Notes, err
}

func isTIFF(format string) bool {
	return strings.HasSuffix(format, "TIFF") || format == "Zeiss LSM" || format == "MetaMorph STK"
}

// toFloats widens samples; doubles are taken as they are.
func toFloats(values any) []float64 {
	switch v := values.(type) {
	case []float64:
		return v
	case []float32:
		return widen(v)
	case []uint8:
		return widen(v)
	case []int8:
		return widen(v)
	case []uint16:
		return widen(v)
	case []int16:
		return widen(v)
	case []uint32:
		return widen(v)
	case []int32:
		return widen(v)
	case []uint64:
		return widen(v)
	case []int64:
		return widen(v)
	}
	return nil
}

func widen[E pixel.Element](v []E) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = float64(x)
	}
	return out
}

// name is a file's name for messages.
func (f field) name() string { return filepath.Base(f.file) }

// above0 tells for each sample whether it is above 0.
func above0(values any) []bool {
	switch v := values.(type) {
	case []uint8:
		return positive(v)
	case []uint16:
		return positive(v)
	}
	return positive(toFloats(values))
}

func positive[E pixel.Element](v []E) []bool {
	out := make([]bool, len(v))
	for i, x := range v {
		out[i] = x > 0
	}
	return out
}
