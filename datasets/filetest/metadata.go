package filetest

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"coverslip/datasets/raster"
	"coverslip/datasets/raster/tiff"
)

// metadata is what an expected.json says of calibration and names. Null means unknown.
type metadata map[string]any

// metadataKeys are those that are compared, and those that no reader here gives: single times and stage positions of
// planes, and how ImageJ blends its channels.
var metadataKeys = strings.Fields("pixel_size_x pixel_unit_x pixel_size_y yunit pixel_size_z pixel_unit_z spacing_z zunit unit finterval finterval_unit " +
	"finterval_s time_interval_s time_increment time_unit delta_t channel_names channel_colors_rgb ranges luts labels voxel_m tile_positions_m " +
	"time_stamps_s position_x position_y mode note")

// unknown refuses keys that are none of these.
func (m metadata) unknown() error {
	for key := range m {
		if !slices.Contains(metadataKeys, key) {
			return fmt.Errorf("metadata that nobody checks: %q", key)
		}
	}
	return nil
}

// check compares lengths in micrometres, times in seconds, names, colours and ranges.
func (m metadata) check(f *raster.File) error {
	for _, c := range []struct {
		key   string
		units []string // keys of the unit, the first that is there counts
		got   float64
		scale func(string) float64
	}{
		{"pixel_size_x", []string{"pixel_unit_x", "unit"}, f.Calibration.X, tiff.Micrometres},
		{"pixel_size_y", []string{"yunit", "unit"}, f.Calibration.Y, tiff.Micrometres},
		{"pixel_size_z", []string{"pixel_unit_z", "unit"}, f.Calibration.Z, tiff.Micrometres},
		{"spacing_z", []string{"zunit", "unit"}, f.Calibration.Z, tiff.Micrometres},
		{"finterval", []string{"finterval_unit"}, f.Calibration.T, tiff.Seconds},
		{"finterval_s", nil, f.Calibration.T, tiff.Seconds},
		{"time_interval_s", nil, f.Calibration.T, tiff.Seconds},
		{"time_increment", []string{"time_unit"}, f.Calibration.T, tiff.Seconds},
	} {
		v, there := m[c.key]
		if !there {
			continue
		}
		want, _ := v.(float64)
		scale := c.scale("um")
		if c.scale("") == 1 {
			scale = 1
		}
		for i := len(c.units) - 1; i >= 0; i-- {
			if u, ok := m[c.units[i]].(string); ok {
				scale = c.scale(u)
			}
		}
		if want *= scale; math.Abs(c.got-want) > 1e-9*want {
			return fmt.Errorf("%s %g, expected %g", c.key, c.got, want)
		}
	}
	return errors.Join(m.unknown(), m.checkChannels(f), m.checkTables(f), m.checkLabels(f), m.checkTimes(f), m.checkLSM(f))
}

// checkLSM compares what is given in metres: the voxel and the stage positions of the tiles.
func (m metadata) checkLSM(f *raster.File) error {
	near := func(got, metres float64) bool { return math.Abs(got-metres*1e6) < 1e-9 }
	if voxel, ok := m["voxel_m"].([]any); ok {
		c := f.Calibration
		for i, got := range []float64{c.X, c.Y, c.Z} {
			if !near(got, voxel[i].(float64)) {
				return fmt.Errorf("voxel %g x %g x %g um, expected %v m", c.X, c.Y, c.Z, voxel)
			}
		}
	}
	return m.checkTiles(f)
}

// checkTiles compares the tiles of the laid-out plane with their places on the stage, to the pixel.
func (m metadata) checkTiles(f *raster.File) error {
	places, _ := m["tile_positions_m"].([]any)
	if len(places) == 0 {
		return nil
	}
	s, err := f.Stack(nil, raster.Layout{})
	if err != nil {
		return err
	}
	if s.Mosaic == nil || !s.Mosaic.Placed || len(s.Mosaic.Tiles) != len(places) {
		return fmt.Errorf("tiles %+v, expected %d with places", s.Mosaic, len(places))
	}
	left, top := math.Inf(1), math.Inf(1)
	for _, p := range places {
		left, top = min(left, p.([]any)[0].(float64)), min(top, p.([]any)[1].(float64))
	}
	for i, p := range places {
		x, y := (p.([]any)[0].(float64)-left)*1e6/f.Calibration.X, (p.([]any)[1].(float64)-top)*1e6/f.Calibration.Y
		if at := s.Mosaic.Tiles[i]; math.Abs(float64(at.X)-x) > 0.5 || math.Abs(float64(at.Y)-y) > 0.5 {
			return fmt.Errorf("tile %d at %v, expected x %g, y %g", i, at, x, y)
		}
	}
	return nil
}

func (m metadata) checkChannels(f *raster.File) error {
	names, _ := m["channel_names"].([]any)
	colours, _ := m["channel_colors_rgb"].([]any)
	ranges, _ := m["ranges"].([]any)
	if n := max(len(names), len(colours), len(ranges)); n > len(f.Channels) {
		return fmt.Errorf("%d channels described, expected %d", len(f.Channels), n)
	}
	for i, v := range names {
		if f.Channels[i].Name != v {
			return fmt.Errorf("channel %q, expected %q", f.Channels[i].Name, v)
		}
	}
	for i, v := range colours {
		if fmt.Sprint(f.Channels[i].Colour) != fmt.Sprint(v) {
			return fmt.Errorf("colour %v, expected %v", f.Channels[i].Colour, v)
		}
	}
	for i, v := range ranges {
		if c := f.Channels[i]; fmt.Sprint([]float64{c.Lo, c.Hi}) != fmt.Sprint(v) {
			return fmt.Errorf("range %g to %g, expected %v", c.Lo, c.Hi, v)
		}
	}
	return nil
}

// tables are the colours of lookup tables by their names, at the full 255.
var tables = map[string][3]int{"magenta": {1, 0, 1}, "green": {0, 1, 0}, "red": {1, 0, 0}, "blue": {0, 0, 1}, "cyan": {0, 1, 1}, "yellow": {1, 1, 0}, "grey": {1, 1, 1}}

// checkTables compares whole lookup tables with the gradients of their names.
func (m metadata) checkTables(f *raster.File) error {
	names, _ := m["luts"].([]any)
	if len(names) > len(f.Channels) {
		return fmt.Errorf("%d channels described, expected %d", len(f.Channels), len(names))
	}
	for i, name := range names {
		full, known := tables[fmt.Sprint(name)]
		if !known || f.Channels[i].LUT == nil {
			return fmt.Errorf("channel %d: a table %v that is not known, or none in the file", i+1, name)
		}
		for v, got := range f.Channels[i].LUT {
			if want := [3]uint8{uint8(v * full[0]), uint8(v * full[1]), uint8(v * full[2])}; got != want {
				return fmt.Errorf("channel %d: entry %d is %v, expected %v", i+1, v, got, want)
			}
		}
	}
	return nil
}

// checkLabels compares the first labels of slices; "..." stands for the rest.
func (m metadata) checkLabels(f *raster.File) error {
	labels, _ := m["labels"].([]any)
	for i, want := range labels {
		if want == "..." {
			return nil
		}
		if i >= len(f.Labels) || f.Labels[i] != want {
			return fmt.Errorf("labels %q, expected %v", f.Labels, labels)
		}
	}
	return nil
}

// checkTimes compares the time step with the mean step of the planes' own times.
func (m metadata) checkTimes(f *raster.File) error {
	times, _ := m["delta_t"].([]any)
	if len(times) < 2 {
		return nil
	}
	last, first := times[len(times)-1].(float64), times[0].(float64)
	if want := (last - first) / float64(len(times)-1); math.Abs(f.Calibration.T-want) > 1e-9 {
		return fmt.Errorf("a time step of %g s, expected %g", f.Calibration.T, want)
	}
	return nil
}
