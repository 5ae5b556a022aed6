package render

import (
	"math"
	"slices"
	"testing"

	"coverslip/datasets/raster"
	"coverslip/viewer"
)

func plane(h, w int, values any) raster.Plane { return raster.Plane{H: h, W: w, Values: values} }

// Automatic contrast is the nearest-rank percentile of the samples, exactly so for integers.
func TestAutoContrast(t *testing.T) {
	v := make([]uint16, 1000)
	for i := range v {
		v[i] = uint16(mix(uint64(i)) % 5000)
	}
	sorted := slices.Sorted(slices.Values(v))
	lo, hi := PrepareChannel(plane(10, 100, v)).Auto()
	if lo != float64(sorted[4]) || hi != float64(sorted[994]) {
		t.Errorf("contrast %v to %v, expected %d to %d", lo, hi, sorted[4], sorted[994])
	}
	wide, floats, signed := make([]int64, 1000), make([]float32, 1000), make([]int16, 1000)
	for i, x := range v {
		wide[i], floats[i], signed[i] = int64(x)-1<<40, float32(x)/5000, int16(x)-2500
	}
	if a, b := PrepareChannel(plane(10, 100, wide)).Auto(); a != lo-1<<40 || b != hi-1<<40 {
		t.Errorf("int64: %v to %v", a, b)
	}
	if a, b := PrepareChannel(plane(10, 100, signed)).Auto(); a != lo-2500 || b != hi-2500 {
		t.Errorf("int16: %v to %v", a, b)
	}
	if a, b := PrepareChannel(plane(10, 100, floats)).Auto(); math.Abs(a-lo/5000) > 2e-5 || math.Abs(b-hi/5000) > 2e-5 {
		t.Errorf("float32: %v to %v", a, b)
	}
}

// Limits are in order whatever the plane.
func TestAutoContrastOfOddPlanes(t *testing.T) {
	sparse := make([]uint8, 10000)
	sparse[7] = 90
	outlier := make([]float64, 10000)
	for i := range outlier {
		outlier[i] = float64(i%100) / 100
	}
	outlier[5], outlier[6], outlier[7] = 1e9, math.NaN(), math.Inf(1)
	for name, c := range map[string]struct {
		values any
		lo, hi float64
		near   float64
	}{
		"flat zero":  {make([]uint8, 10000), 0, 1, 0},
		"sparse":     {sparse, 0, 90, 0},
		"outlier":    {outlier, 0, 0.99, 0.01},
		"not finite": {slices.Repeat([]float64{math.NaN(), math.Inf(-1)}, 5000), 0, 1, 0},
		"extremes":   {slices.Repeat([]float64{-math.MaxFloat64, math.MaxFloat64}, 5000), -math.MaxFloat64, math.MaxFloat64, 1e304},
		"flat":       {slices.Repeat([]int32{7}, 10000), 0, 7, 0},
	} {
		lo, hi := PrepareChannel(plane(100, 100, c.values)).Auto()
		if math.Abs(lo-c.lo) > c.near || math.Abs(hi-c.hi) > c.near || !(lo < hi) {
			t.Errorf("%s: %v to %v, expected %v to %v", name, lo, hi, c.lo, c.hi)
		}
	}
}

func TestHistogram(t *testing.T) {
	c := PrepareChannel(plane(2, 4, []float32{0, 0.1, 0.24, 0.25, 0.9, 1, float32(math.NaN()), float32(math.Inf(1))}))
	if got := c.Histogram(4); !slices.Equal(got, []int{3, 1, 0, 2}) {
		t.Errorf("bins %v", got)
	}
	if got := PrepareChannel(plane(1, 3, []uint8{4, 4, 4})).Histogram(2); !slices.Equal(got, []int{3, 0}) {
		t.Errorf("bins of a flat plane %v", got)
	}
	if c.Histogram(0) != nil || (Channel{}).Histogram(2) == nil {
		t.Error("no bins asked for, or none given")
	}
}

// The table of levels is the rounded formula, also with gamma and outside the limits.
func TestLevels(t *testing.T) {
	v := make([]uint16, 1<<16)
	for i := range v {
		v[i] = uint16(i)
	}
	for _, c := range []struct{ lo, hi, gamma float64 }{{0, 65535, 0}, {100, 2000, 1}, {-500, 300.5, 0.5}, {65000, 70000, 2}, {0, 1, 0.05}, {20000, 20001, 20}} {
		toned := &toned{data: PrepareChannel(plane(256, 256, v)).data}
		toned.fillLevels(c.lo, c.hi, c.gamma)
		gamma := c.gamma
		if gamma == 0 {
			gamma = 1
		}
		for i, got := range toned.levels {
			exact := 255 * math.Pow(math.Max(0, math.Min(1, (float64(i)-c.lo)/(c.hi-c.lo))), gamma)
			if math.Abs(float64(got)-exact) > 0.5+1e-6 {
				t.Fatalf("%v: code %d has level %d, expected %.3f", c, i, got, exact)
			}
		}
	}
}

// Tables rise in brightness from one end to the other; only "inverted" falls.
func TestTablesAreMonotone(t *testing.T) {
	for _, name := range viewer.LUTs {
		c, ok := Colours(name)
		if !ok || tables[name] == nil {
			t.Fatalf("no table %q", name)
		}
		sign := 1
		if name == "inverted" {
			sign = -1
		}
		luma := func(i int) int { return 299*int(c[i][0]) + 587*int(c[i][1]) + 114*int(c[i][2]) }
		for i := 1; i < 256; i++ {
			if sign*(luma(i)-luma(i-1)) < -600 { // rounding of the three parts
				t.Errorf("%s: level %d is less bright than the one before: %v, %v", name, i, c[i-1], c[i])
			}
		}
		if sign*(luma(255)-luma(0)) < 25000 {
			t.Errorf("%s: little contrast from end to end", name)
		}
	}
	if c, _ := Colours("#ff8000"); c[255] != [3]uint8{255, 128, 0} || c[0] != [3]uint8{} {
		t.Errorf("a colour's table ends in %v", c[255])
	}
	if _, ok := Colours("jet"); ok {
		t.Error("jet is no table")
	}
}

// A colour picture shows its own bytes; a composite is the clamped sum of its channels.
func TestColourPictureAndComposite(t *testing.T) {
	const n = 16
	channels := make([]Channel, 3)
	for k := range channels {
		v := make([]uint8, n*n)
		for i := range v {
			v[i] = uint8(mix(uint64(i*3 + k)))
		}
		channels[k] = PrepareChannel(plane(n, n, v))
		channels[k].Plane.Type = raster.Uint8
		channels[k] = PrepareChannel(channels[k].Plane)
	}
	s := &Scene{H: n, W: n, Channels: channels, RGB: true}
	m := picture(t, s, "size=16x16 zoom=1 at=8,8")
	s.RGB = false
	tones := " tone0=red:0..255 tone1=yellow:0..255 tone2=#8000ff:0..255"
	sum := picture(t, s, "size=16x16 zoom=1 at=8,8"+tones)
	part := picture(t, s, "size=16x16 zoom=1 at=8,8 off=0,2"+tones)
	one := picture(t, s, "size=16x16 zoom=1 at=8,8 single=on channel=2 tone2=:0..255")
	for y := range n {
		for x := range n {
			a, b, c := channels[0].Plane.At(y, x), channels[1].Plane.At(y, x), channels[2].Plane.At(y, x)
			if p := m.RGBAAt(x, y); float64(p.R) != a || float64(p.G) != b || float64(p.B) != c {
				t.Fatalf("colour pixel %d %d is %v", y, x, p)
			}
			red := math.Min(255, a+b+math.Floor(c*128/255+0.5))
			if p := sum.RGBAAt(x, y); float64(p.R) != red || float64(p.G) != b || float64(p.B) != c {
				t.Fatalf("composite pixel %d %d is %v of %v %v %v", y, x, p, a, b, c)
			}
			if p := part.RGBAAt(x, y); float64(p.R) != b || float64(p.G) != b || p.B != 0 {
				t.Fatalf("with one channel on, pixel %d %d is %v", y, x, p)
			}
			if p := one.RGBAAt(x, y); float64(p.R) != c || float64(p.G) != c || float64(p.B) != c {
				t.Fatalf("single channel pixel %d %d is %v", y, x, p)
			}
		}
	}
}

func TestScaleBar(t *testing.T) {
	for limit, want := range map[float64]float64{1: 1, 1.99: 1, 2: 2, 4.9: 2, 5.1: 5, 99: 50, 100: 100, 0.3: 0.2, 0.05: 0.05} {
		if got := barLength(limit); math.Abs(got-want) > 1e-9*want {
			t.Errorf("under %v: %v, expected %v", limit, got, want)
		}
	}
	for length, want := range map[float64]string{0.2: "200 nm", 0.005: "5 nm", 1: "1 µm", 500: "500 µm", 1000: "1 mm", 20000: "20 mm", 0.00005: "0.05 nm"} {
		if got := string(lengthText(nil, length)); got != want {
			t.Errorf("%v µm is written %q, expected %q", length, got, want)
		}
	}
	// 0.5 µm a pixel at zoom 2: of 400 device pixels a fifth is 80, that is 20 µm.
	s := &Scene{H: 300, W: 300, Calibration: raster.Calibration{X: 0.5}}
	m := picture(t, s, "size=400x100 zoom=2 at=150,150 bar=on")
	longest := 0
	for x := range 400 {
		if m.RGBAAt(x, 100-textMargin-2) == m.RGBAAt(399-textMargin, 100-textMargin-2) {
			longest++
		}
	}
	if longest != 80 {
		t.Errorf("the bar is %d device pixels long, expected 80", longest)
	}
	s.Calibration.X = 0
	bare := picture(t, s, "size=400x100 zoom=2 at=150,150")
	if n := differences(picture(t, s, "size=400x100 zoom=2 at=150,150 bar=on"), bare); n != 0 {
		t.Errorf("a bar without a pixel size: %d pixels", n)
	}
}

// Names of seven letters are names, and only what begins with # is a colour by its digits.
func TestEveryNamedTableIsItsOwn(t *testing.T) {
	for _, name := range viewer.LUTs {
		got, ok := Colours(name)
		first, last := unpack(tables[name][0]), unpack(tables[name][255])
		if !ok || got[0] != first || got[255] != last {
			t.Errorf("%s goes from %v to %v, want %v to %v", name, got[0], got[255], first, last)
		}
	}
	if got, ok := Colours("#ff8000"); !ok || got[255] != [3]uint8{255, 128, 0} {
		t.Errorf("#ff8000 ends in %v", got[255])
	}
}
