package raster

import (
	"fmt"
	"strings"
)

// Fact is one thing that a file says of its pixels, in words, with the place in the file that says so.
type Fact struct {
	Name   string // "pixel size", "z step", "time step", "channels", "colours", "bit depth", "tiles"
	Value  string // with its unit
	Source string // "OME-XML", "ImageJ", "resolution tags", "Zeiss LSM header", "MetaMorph tags", "bits per sample"
}

// Facts is the metadata for people: what is unknown is left out.
func (f *File) Facts() (out []Fact) {
	add := func(name, source, format string, args ...any) {
		out = append(out, Fact{name, fmt.Sprintf(format, args...), source})
	}
	c := f.Calibration
	switch {
	case c.X > 0 && c.X == c.Y:
		add("pixel size", c.Source, "%.4g µm", c.X)
	case c.X > 0 || c.Y > 0:
		add("pixel size", c.Source, "%.4g µm across, %.4g µm down", c.X, c.Y)
	}
	if c.Z > 0 {
		add("z step", c.Source, "%.4g µm", c.Z)
	}
	if c.T > 0 {
		add("time step", c.Source, "%.4g s", c.T)
	}
	var names []string
	for _, ch := range f.Channels {
		if ch.Name != "" {
			names = append(names, ch.Name)
		}
	}
	if len(names) > 0 {
		add("channels", f.channelSource, "%s", strings.Join(names, ", "))
	}
	if f.inkSource != "" {
		add("colours", f.inkSource, "CMYK: cyan, magenta, yellow and black ink")
	}
	if f.Bits > 0 && len(f.Series) > 0 {
		if stored := 8 * f.Series[0].Type.Size(); f.Bits < stored && f.Series[0].Type != Bool {
			add("bit depth", f.bitsSource, "%d of %d bits", f.Bits, stored)
		} else {
			add("bit depth", f.bitsSource, "%d bits", f.Bits)
		}
	}
	if m := f.mosaic; m != nil {
		source := "row by row"
		if m.Placed {
			source = "stage positions"
		}
		h, w := m.extent()
		add("tiles", source, "%d of %d x %d pixels in %d x %d", len(m.Tiles), m.W, m.H, w, h)
	}
	return out
}
