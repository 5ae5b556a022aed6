package tiff

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster/pixel"
)

// TestEncodeOME writes OME files and reads values, axes and calibration back, and tries what cannot be written as one.
func TestEncodeOME(t *testing.T) {
	for _, c := range []struct {
		axes  string
		shape []int
	}{
		{"TYX", []int{3, 2, 4}}, {"ZCYX", []int{3, 2, 2, 4}}, {"TZCYX", []int{2, 3, 2, 2, 4}}, {"YX", []int{2, 4}},
	} {
		n := 1
		for _, d := range c.shape {
			n *= d
		}
		values := make([]uint16, n)
		for i := range values {
			values[i] = uint16(i)
		}
		var b bytes.Buffer
		in := pixel.Array{Shape: c.shape, Axes: c.axes, Type: pixel.Uint16, Values: values}
		if err := Encode(&b, in, EncodeOptions{OME: true, PixelUM: 0.5, StepUM: 2, IntervalMin: 1.5}); err != nil {
			t.Errorf("%s: %v", c.axes, err)
			continue
		}
		out, g, err := readAll(b.Bytes(), true)
		if err != nil || g.Flavour != "OME" || len(g.Series) != 1 || out.Axes != c.axes || !reflect.DeepEqual(out, in) {
			t.Errorf("%s: %v, %s, %s %v", c.axes, err, g.Flavour, out.Axes, out.Shape)
		}
		if m := g.Meta; m.X != 0.5 || m.Z != 2 || m.T != 90 {
			t.Errorf("%s: calibration %+v", c.axes, m)
		}
	}
	for _, bad := range []pixel.Array{
		{Shape: []int{2, 2}, Axes: "XY", Type: pixel.Uint8, Values: make([]uint8, 4)},
		{Shape: []int{2, 2, 3}, Axes: "YXS", Type: pixel.Uint8, Values: make([]uint8, 12)},
		{Shape: []int{2, 2}, Axes: "YX", Type: pixel.Uint64, Values: make([]uint64, 4)},
	} {
		var b bytes.Buffer
		if err := Encode(&b, bad, EncodeOptions{OME: true}); !errors.Is(err, fault.Inconsistent) || b.Len() > 0 {
			t.Errorf("%s %v: %v, %d bytes", bad.Axes, bad.Type, err, b.Len())
		}
	}
}

// TestEncodePageByPage: each page is a series of its own.
func TestEncodePageByPage(t *testing.T) {
	var b bytes.Buffer
	in := pixel.Array{Shape: []int{3, 2, 4}, Axes: "TYX", Type: pixel.Uint8, Values: make([]uint8, 24)}
	if err := Encode(&b, in, EncodeOptions{PageByPage: true}); err != nil {
		t.Fatal(err)
	}
	out, g, err := readAll(b.Bytes(), true)
	if err != nil || len(g.Series) != 3 || out.Axes != "YX" {
		t.Errorf("%v, %d series, the first %s", err, len(g.Series), out.Axes)
	}
}

// TestEncodeInterval: the time step of an ImageJ file comes back in seconds.
func TestEncodeInterval(t *testing.T) {
	var b bytes.Buffer
	in := pixel.Array{Shape: []int{3, 2, 4}, Axes: "TYX", Type: pixel.Uint8, Values: make([]uint8, 24)}
	if err := Encode(&b, in, EncodeOptions{ImageJ: true, IntervalMin: 14.5}); err != nil {
		t.Fatal(err)
	}
	if _, g, err := readAll(b.Bytes(), true); err != nil || g.Meta.T != 870 {
		t.Errorf("%v, %+v", err, g.Meta)
	}
}
