package raster

import (
	"errors"
	"fmt"
	"math"

	"coverslip/datasets/raster/tiff"
)

// metadata is what an expected.json says of calibration and names. Absent keys are not checked; null means unknown.
type metadata map[string]any

// check compares lengths in micrometres, times in seconds, names, colours and ranges.
func (m metadata) check(f *File) error {
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
	return errors.Join(m.checkChannels(f), m.checkLSM(f))
}

// checkLSM compares what is given in metres: the voxel and the stage positions of the tiles.
func (m metadata) checkLSM(f *File) error {
	near := func(got, metres float64) bool { return math.Abs(got-metres*1e6) < 1e-9 }
	if voxel, ok := m["voxel_m"].([]any); ok {
		c := f.Calibration
		for i, got := range []float64{c.X, c.Y, c.Z} {
			if !near(got, voxel[i].(float64)) {
				return fmt.Errorf("voxel %g x %g x %g um, expected %v m", c.X, c.Y, c.Z, voxel)
			}
		}
	}
	places, _ := m["tile_positions_m"].([]any)
	if len(places) > 0 && (len(places) != len(f.places) || f.mosaic == nil || !f.mosaic.Placed) {
		return fmt.Errorf("%d tile positions, expected %d", len(f.places), len(places))
	}
	for i, p := range places {
		for k, v := range p.([]any) {
			if !near(f.places[i][k], v.(float64)) {
				return fmt.Errorf("tile %d at %v um, expected %v m", i, f.places[i], p)
			}
		}
	}
	return nil
}

func (m metadata) checkChannels(f *File) error {
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
