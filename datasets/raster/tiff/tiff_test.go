package tiff

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	xtiff "golang.org/x/image/tiff"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster/pixel"
)

var allTypes = []pixel.Type{pixel.Bool, pixel.Uint8, pixel.Int8, pixel.Uint16, pixel.Int16, pixel.Uint32, pixel.Int32, pixel.Uint64, pixel.Int64,
	pixel.Float16, pixel.Float32, pixel.Float64}

// noise fills n samples of a type with values that every type holds exactly, negative ones and large ones included.
func noise(t pixel.Type, n int) any {
	rng := rand.New(rand.NewPCG(1, uint64(t)))
	values := pixel.New(t, n)
	switch v := values.(type) {
	case []uint8:
		for i := range v {
			v[i] = uint8(rng.Uint32())
			if t == pixel.Bool {
				v[i] &= 1
			}
		}
	case []float32:
		for i := range v {
			v[i] = pixel.FromHalf(uint16(rng.Uint32())&0x83ff | uint16(1+rng.IntN(30))<<10)
		}
	case []float64:
		for i := range v {
			v[i] = rng.NormFloat64() * 1e9
		}
	default:
		b := pixel.Memory(values)
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
	}
	return values
}

// readAll opens a file in memory and reads its first series.
func readAll(b []byte, strict bool) (pixel.Array, Group, error) {
	f, err := Open(bytes.NewReader(b), int64(len(b)), "test.tif")
	if err != nil {
		return pixel.Array{}, Group{}, err
	}
	if _, _, err := f.Check(f.Pages[0]); err != nil {
		return pixel.Array{}, Group{}, err
	}
	g := f.Group(nil)
	s := g.Series[0]
	per := s.Layout.Elements()
	if s.Frames.Count > 1<<12 || per > 1<<22 || s.Frames.Count*per > 1<<24 { // asking for more is the caller's own wish
		return pixel.Array{}, g, nil
	}
	values := pixel.New(s.Type, per*s.Frames.Count)
	for i := range s.Frames.Count {
		dst := pixel.Slice(values, i*per, (i+1)*per)
		if s.Frames.Pages == nil {
			err = s.Frames.ReadBehind(context.Background(), i, dst, Request{Sample: -1})
		} else if fr := s.Frames.Pages[i]; fr.Page != nil {
			_, err = fr.File.Read(context.Background(), fr.Page, dst, Request{Sample: -1, Strict: strict})
		}
		if err != nil {
			return pixel.Array{}, g, err
		}
	}
	return pixel.Array{Shape: s.Shape, Axes: s.Axes, Type: s.Type, Values: values}, g, nil
}

// TestVariants reads every way to store a page: byte orders, offset sizes, element types, schemes, predictors, strips
// and tiles, chunky and planar.
func TestVariants(t *testing.T) {
	tried := 0
	for _, order := range []byteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, big := range []bool{false, true} {
			for _, typ := range allTypes {
				for _, compression := range []int{codecNone, codecDeflate, codecLZW, codecPackBits} {
					for _, predictor := range []int{1, 2, 3} {
						for _, layout := range []variant{{samples: 1, rows: 7}, {samples: 3, rows: 19}, {samples: 3, rows: 5, planar: true},
							{samples: 1, tile: 16}, {samples: 2, tile: 16, planar: true}, {samples: 3, tile: 32}, {samples: 1, rows: 6, lowBitFirst: true}} {
							v := layout
							v.order, v.big, v.typ, v.compression, v.predictor, v.h, v.w = order, big, typ, compression, predictor, 19, 23
							if !v.sensible() {
								continue
							}
							tried++
							checkVariant(t, v)
						}
					}
				}
			}
		}
	}
	t.Logf("%d variants", tried)
}

// sensible leaves out predictors that do not exist for the type or the scheme.
func (v variant) sensible() bool {
	if v.predictor == 1 {
		return true
	}
	if v.typ == pixel.Bool || v.compression == codecNone || v.compression == codecPackBits {
		return false
	}
	return v.predictor == 2 || v.typ.IsFloat()
}

func checkVariant(t *testing.T, v variant) {
	t.Helper()
	values := noise(v.typ, v.h*v.w*v.samples)
	a, _, err := readAll(v.build(values), true)
	if err != nil {
		t.Errorf("%+v: %v", v, err)
		return
	}
	if a.Type != v.typ || !reflect.DeepEqual(a.Values, values) {
		t.Errorf("%+v: other values of type %s", v, a.Type)
	}
	want := "YX"
	switch {
	case v.planar:
		want = "SYX"
	case v.samples > 1:
		want = "YXS"
	}
	if a.Axes != want {
		t.Errorf("%+v: axes %s", v, a.Axes)
	}
}

// TestOneSample reads the samples of a planar page one at a time.
func TestOneSample(t *testing.T) {
	v := variant{order: binary.BigEndian, typ: pixel.Uint16, compression: codecDeflate, predictor: 2, samples: 3, planar: true, rows: 5, h: 19, w: 23}
	values := noise(v.typ, v.h*v.w*v.samples).([]uint16)
	b := v.build(values)
	f, err := Open(bytes.NewReader(b), int64(len(b)), "test.tif")
	if err != nil {
		t.Fatal(err)
	}
	for s := range 3 {
		got := make([]uint16, v.h*v.w)
		if _, err := f.Read(context.Background(), f.Pages[0], got, Request{Sample: s}); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, values[s*v.h*v.w:(s+1)*v.h*v.w]) {
			t.Errorf("sample %d differs", s)
		}
	}
}

// TestSplit reads chunky pages with a plane for each sample: the same numbers in another order.
func TestSplit(t *testing.T) {
	for _, typ := range allTypes {
		for _, v := range []variant{{samples: 3, rows: 5, compression: codecNone}, {samples: 2, tile: 16, compression: codecDeflate, predictor: 2}, {samples: 4, rows: 19, compression: codecLZW}} {
			v.order, v.typ, v.h, v.w = binary.BigEndian, typ, 19, 23
			values := noise(typ, v.h*v.w*v.samples)
			b := v.build(values)
			f, err := Open(bytes.NewReader(b), int64(len(b)), "test.tif")
			if err != nil || !v.sensible() {
				continue
			}
			if l := f.Pages[0].Layout; !l.Splits() {
				if typ != pixel.Bool && typ != pixel.Float16 {
					t.Errorf("%+v does not split", v)
				}
				continue
			}
			got := pixel.New(typ, v.h*v.w*v.samples)
			if _, err := f.Read(context.Background(), f.Pages[0], got, Request{Sample: -1, Split: true}); err != nil {
				t.Fatal(err)
			}
			for k := range v.samples {
				if !reflect.DeepEqual(pixel.Slice(got, k*v.h*v.w, (k+1)*v.h*v.w), pixel.Every(values, k, v.samples)) {
					t.Errorf("%+v: sample %d differs", v, k)
				}
			}
		}
	}
}

// TestRoundTrip writes arrays with Encode and reads them back: values, shape and axes.
func TestRoundTrip(t *testing.T) {
	for _, typ := range allTypes {
		for _, c := range []struct{ axes, back string }{{"YX", "YX"}, {"ZYX", "ZYX"}, {"TZCYX", "TZCYX"}, {"YXS", "YXS"}, {"ZYXS", "ZYXS"}, {"", "QYX"}, {"QQYX", "QQYX"}} {
			for _, plain := range []bool{false, true} {
				shape := []int{3, 2, 2, 21, 13}[5-max(len(c.axes), 2):]
				switch c.axes {
				case "":
					shape = []int{1, 21, 13}
				case "YXS":
					shape = []int{21, 13, 3}
				case "ZYXS":
					shape = []int{2, 21, 13, 4}
				}
				n := product(shape...)
				in := pixel.Array{Shape: shape, Axes: c.axes, Type: typ, Values: noise(typ, n)}
				var b bytes.Buffer
				if err := Encode(&b, in, EncodeOptions{Uncompressed: plain}); err != nil {
					t.Fatal(err)
				}
				out, _, err := readAll(b.Bytes(), true)
				if err != nil {
					t.Fatalf("%s %s: %v", typ, c.axes, err)
				}
				if fmt.Sprint(out.Shape) != fmt.Sprint(shape) || out.Axes != c.back || !reflect.DeepEqual(out.Values, in.Values) || out.Type != typ {
					t.Errorf("%s %q plain %v: came back as %s %v %s", typ, c.axes, plain, out.Type, out.Shape, out.Axes)
				}
			}
		}
	}
}

// TestEncodeElsewhere reads what Encode writes with the decoder of golang.org/x/image, where that knows the type.
func TestEncodeElsewhere(t *testing.T) {
	for _, typ := range []pixel.Type{pixel.Uint8, pixel.Uint16} {
		for _, samples := range []int{1, 3} {
			in := pixel.Array{Shape: []int{21, 13}, Axes: "YX", Type: typ, Values: noise(typ, 21*13*samples)}
			if samples == 3 {
				in.Shape, in.Axes = []int{21, 13, 3}, "YXS"
			}
			var b bytes.Buffer
			if err := Encode(&b, in, EncodeOptions{}); err != nil {
				t.Fatal(err)
			}
			m, err := xtiff.Decode(&b)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 21 * 13 {
				r, g, bl, _ := m.At(i%13, i/13).RGBA()
				for s, got := range []uint32{r, g, bl}[:samples] {
					want := uint32(pattern(in.Values, typ, i*samples+s))
					if typ == pixel.Uint8 {
						want *= 257
					}
					if got != want {
						t.Fatalf("%s, %d samples, pixel %d: %d, expected %d", typ, samples, i, got, want)
					}
				}
			}
		}
	}
}

// TestEncodeImageJ checks axes and calibration of ImageJ files, and what cannot be written as one.
func TestEncodeImageJ(t *testing.T) {
	a := pixel.Array{Shape: []int{2, 3, 2, 5, 4}, Axes: "TZCYX", Type: pixel.Uint16, Values: noise(pixel.Uint16, 240)}
	var b bytes.Buffer
	if err := Encode(&b, a, EncodeOptions{ImageJ: true, PixelUM: 0.325, StepUM: 1.5}); err != nil {
		t.Fatal(err)
	}
	out, g, err := readAll(b.Bytes(), true)
	if err != nil || out.Axes != "TZCYX" || !reflect.DeepEqual(out.Values, a.Values) {
		t.Fatalf("%v, axes %s", err, out.Axes)
	}
	if m := g.Meta; g.Flavour != "ImageJ" || m.Source != "ImageJ" || m.X < 0.32499 || m.X > 0.32501 || m.Y != m.X || m.Z != 1.5 {
		t.Errorf("%s, calibration %+v", g.Flavour, m)
	}
	for _, bad := range []pixel.Array{
		{Shape: []int{2, 2}, Axes: "YX", Type: pixel.Int32, Values: make([]int32, 4)},
		{Shape: []int{2, 2, 2}, Axes: "QYX", Type: pixel.Uint8, Values: make([]uint8, 8)},
		{Shape: []int{2, 2, 2, 2}, Axes: "CZYX", Type: pixel.Uint8, Values: make([]uint8, 16)},
		{Shape: []int{0, 2}, Axes: "YX", Type: pixel.Uint8, Values: []uint8{}},
		{Shape: []int{2, 2}, Axes: "YX", Type: pixel.Uint8, Values: make([]uint8, 3)},
	} {
		if err := Encode(&b, bad, EncodeOptions{ImageJ: true}); !errors.Is(err, fault.Inconsistent) {
			t.Errorf("%v %s %s: %v", bad.Shape, bad.Axes, bad.Type, err)
		}
	}
}

// TestPixelSize writes a pixel size into a file that is not ImageJ's and reads it back in micrometres.
func TestPixelSize(t *testing.T) {
	a := pixel.Array{Shape: []int{2, 3, 4}, Axes: "ZYX", Type: pixel.Uint8, Values: make([]uint8, 24)}
	var b bytes.Buffer
	if err := Encode(&b, a, EncodeOptions{PixelUM: 0.1625, StepUM: 2}); err != nil {
		t.Fatal(err)
	}
	_, g, err := readAll(b.Bytes(), true)
	if err != nil || g.Meta.X < 0.16249 || g.Meta.X > 0.16251 || g.Meta.Z != 2 {
		t.Errorf("%v, %+v", err, g.Meta)
	}
}

// TestCutOff cuts a file at every length: it is read in part with lost pixels, or refused; scoring never reads other
// numbers than the whole file's.
func TestCutOff(t *testing.T) {
	v := variant{order: binary.LittleEndian, typ: pixel.Uint16, compression: codecNone, samples: 1, rows: 4, h: 9, w: 5}
	values := noise(v.typ, 45)
	whole := v.build(values)
	for n := range whole {
		a, _, err := readAll(whole[:n], true)
		if err == nil && !reflect.DeepEqual(a.Values, values) {
			t.Errorf("cut at %d: other values", n)
		}
		if err != nil && fault.KindOf(err) == nil {
			t.Errorf("cut at %d: %v is no fault", n, err)
		}
	}
}

// FuzzOpen reads whatever bytes there are: no panic, no hang, errors are faults.
func FuzzOpen(f *testing.F) {
	for _, v := range []variant{
		{order: binary.LittleEndian, typ: pixel.Uint8, compression: codecDeflate, predictor: 2, samples: 3, rows: 4},
		{order: binary.BigEndian, big: true, typ: pixel.Float32, compression: codecLZW, predictor: 3, samples: 1, tile: 16},
		{order: binary.BigEndian, typ: pixel.Bool, compression: codecPackBits, samples: 1, rows: 3},
		{order: binary.LittleEndian, typ: pixel.Uint16, compression: codecNone, samples: 2, planar: true, rows: 9},
	} {
		v.h, v.w = 9, 5
		f.Add(v.build(noise(v.typ, v.h*v.w*v.samples)))
	}
	for _, o := range []EncodeOptions{{}, {ImageJ: true, PixelUM: 0.5, StepUM: 1}, {Uncompressed: true}} {
		a := pixel.Array{Shape: []int{2, 3, 4, 5}, Axes: "TZYX", Type: pixel.Uint8, Values: noise(pixel.Uint8, 120)}
		var b bytes.Buffer
		if err := Encode(&b, a, o); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	for _, b := range [][]byte{
		lsmFile{x: 3, y: 2, z: 1, c: 3, t: 1, m: 2, pages: 2, places: [][2]float64{{0, 0}, {5e-7, 0}}, stamps: []float64{1, 2}}.build(),
		lsmFile{x: 3, y: 2, z: 2, c: 2, t: 1, pages: 2, bitsBehind: true}.build(),
		stkFile(3, 3, 1, 5),
		chainFile(same(4, omeText("XYTZC", 1, 2, 2, 4, `<TiffData IFD="1" FirstT="1"/><TiffData IFD="0"/><Channel Name="a" Color="-1"/>`)), 0),
		chainFile(same(1, "ImageJ=1\nimages=3\nslices=3\n"), 24),
	} {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, strict := range []bool{true, false} {
			if _, _, err := readAll(b, strict); err != nil && fault.KindOf(err) == nil {
				t.Errorf("%v is no fault", err)
			}
		}
	})
}
