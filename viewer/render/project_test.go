package render

import (
	"math"
	"slices"
	"testing"

	"coverslip/datasets/raster"
	"coverslip/datasets/raster/pixel"
	"coverslip/viewer"
)

var elementTypes = []raster.Type{raster.Bool, raster.Uint8, raster.Int8, raster.Uint16, raster.Int16, raster.Uint32, raster.Int32, raster.Uint64,
	raster.Int64, raster.Float16, raster.Float32, raster.Float64}

// planeOf makes a plane of any type; samples must fit.
func planeOf(typ raster.Type, h, w int, at func(i int) float64) raster.Plane {
	values := pixel.New(typ, h*w)
	for i := range h * w {
		x := at(i)
		switch v := values.(type) {
		case []uint8:
			v[i] = uint8(x)
		case []int8:
			v[i] = int8(x)
		case []uint16:
			v[i] = uint16(x)
		case []int16:
			v[i] = int16(x)
		case []uint32:
			v[i] = uint32(x)
		case []int32:
			v[i] = int32(x)
		case []uint64:
			v[i] = uint64(x)
		case []int64:
			v[i] = int64(x)
		case []float32:
			v[i] = float32(x)
		case []float64:
			v[i] = x
		}
	}
	return raster.Plane{H: h, W: w, Type: typ, Values: values}
}

var kinds = []viewer.ProjectionKind{viewer.MaxProjection, viewer.MeanProjection, viewer.SumProjection, viewer.DepthProjection}

func TestProjectionsOfEveryType(t *testing.T) {
	const h, w, n = 7, 9, 11
	rnd := noise(5)
	for _, typ := range elementTypes {
		planes := make([]raster.Plane, n)
		for z := range planes {
			planes[z] = planeOf(typ, h, w, func(int) float64 { return float64(rnd.next() % 100) })
		}
		for _, kind := range kinds {
			p := NewProjector(kind, 3)
			for _, plane := range planes {
				if !p.Add(plane) {
					t.Fatalf("%v: a plane was not taken", typ)
				}
			}
			got, channel := p.Plane(), p.Channel()
			for i := range h * w {
				best, where, sum := math.Inf(-1), 0, 0.0
				for z, plane := range planes {
					x := plane.At(i/w, i%w)
					if sum += x; x > best {
						best, where = x, z
					}
				}
				want := map[viewer.ProjectionKind]float64{viewer.MaxProjection: best, viewer.DepthProjection: best, viewer.SumProjection: sum,
					viewer.MeanProjection: sum / n}[kind]
				if g := got.At(i/w, i%w); math.Abs(g-want) > 1e-5 {
					t.Fatalf("%v, kind %v: pixel %d is %v, want %v", typ, kind, i, g, want)
				}
				if kind == viewer.DepthProjection && channel.Depth.At(i/w, i%w) != 3+where {
					t.Fatalf("%v: pixel %d comes from plane %d, want %d", typ, i, channel.Depth.At(i/w, i%w), 3+where)
				}
			}
			if (kind == viewer.MaxProjection || kind == viewer.DepthProjection) && got.Type != typ {
				t.Errorf("the maximum of %v is of type %v", typ, got.Type)
			}
		}
	}
}

func TestProjectionOfOnePlaneIsThePlane(t *testing.T) {
	for _, typ := range elementTypes {
		plane := planeOf(typ, 5, 6, func(i int) float64 { return float64(i * 4 % 120) })
		for _, kind := range kinds {
			p := NewProjector(kind, 0)
			p.Add(plane)
			for i := range 30 {
				if got, want := p.Plane().At(i/6, i%6), plane.At(i/6, i%6); got != want {
					t.Fatalf("%v, kind %v: pixel %d is %v, want %v", typ, kind, i, got, want)
				}
			}
		}
		l := NewLabelProjector()
		l.Add(plane)
		if l.Plane().At(2, 3) != plane.At(2, 3) {
			t.Errorf("labels of %v changed", typ)
		}
	}
}

func TestProjectionLeavesOutWhatIsNoNumber(t *testing.T) {
	nan := math.NaN()
	rows := [][]float64{{nan, 1, nan, -5, math.Inf(1)}, {2, nan, nan, -7, 0}, {4, 3, nan, -6, 1}}
	want := map[viewer.ProjectionKind][]float64{
		viewer.MaxProjection: {4, 3, nan, -5, math.Inf(1)}, viewer.DepthProjection: {4, 3, nan, -5, math.Inf(1)},
		viewer.MeanProjection: {3, 2, nan, -6, math.Inf(1)}, viewer.SumProjection: {6, 4, nan, -18, math.Inf(1)},
	}
	for kind, values := range want {
		p := NewProjector(kind, 0)
		for _, row := range rows {
			p.Add(planeOf(raster.Float64, 1, 5, func(i int) float64 { return row[i] }))
		}
		for i, x := range values {
			if got := p.Plane().At(0, i); got != x && !(got != got && x != x) {
				t.Errorf("kind %v: sample %d is %v, want %v", kind, i, got, x)
			}
		}
	}
}

func TestProjectorPassesOverWhatDoesNotBelong(t *testing.T) {
	p := NewProjector(viewer.DepthProjection, 0)
	if p.Plane().Values != nil || p.Channel().Depth != nil {
		t.Error("a projection of nothing is something")
	}
	p.Skip() // a plane that could not be read
	p.Add(planeOf(raster.Uint8, 2, 2, func(int) float64 { return 1 }))
	if p.Add(planeOf(raster.Uint8, 2, 3, func(int) float64 { return 9 })) || p.Add(planeOf(raster.Uint16, 2, 2, func(int) float64 { return 9 })) || p.Add(raster.Plane{}) {
		t.Error("a plane of another kind was taken")
	}
	p.Add(planeOf(raster.Uint8, 2, 2, func(i int) float64 { return float64(2 * (i % 2)) }))
	d := p.Channel().Depth
	if d.At(0, 0) != 1 || d.At(0, 1) != 5 || d.Count != 6 || d.At(2, 0) != -1 || d.At(-1, 0) != -1 {
		t.Errorf("depth %d and %d of %d planes, want 1 and 5 of 6", d.At(0, 0), d.At(0, 1), d.Count)
	}
}

// The object of the first plane that has one lies on top.
func TestLabelsAreProjectedFirstOnTop(t *testing.T) {
	p := NewLabelProjector()
	for _, row := range [][]float64{{0, 7, 0, 0}, {3, 9, 0, 0}, {2, 1, 0, 5}} {
		p.Add(planeOf(raster.Uint16, 1, 4, func(i int) float64 { return row[i] }))
	}
	if got := p.Plane().Values.([]uint16); !slices.Equal(got, []uint16{3, 7, 0, 5}) {
		t.Errorf("projected to %v", got)
	}
}

func TestSpanOfAProjection(t *testing.T) {
	for _, c := range []struct{ span, at, count, from, to int }{
		{0, 3, 10, 0, 10}, {1, 3, 10, 3, 4}, {3, 3, 10, 2, 5}, {4, 3, 10, 2, 6}, {5, 0, 10, 0, 3}, {5, 9, 10, 7, 10}, {99, 4, 10, 0, 10}, {19, 0, 10, 0, 10},
		{3, 0, 1, 0, 1}, {viewer.MaxIndex, 5, 10, 0, 10},
	} {
		from, to := Span(viewer.Projection{Kind: viewer.MaxProjection, Span: c.span}, c.at, c.count)
		if from != c.from || to != c.to {
			t.Errorf("%d planes around %d of %d: %d to %d, want %d to %d", c.span, c.at, c.count, from, to, c.from, c.to)
		}
	}
	if from, to := Span(viewer.Projection{}, 4, 10); from != 4 || to != 5 {
		t.Errorf("no projection spans %d to %d", from, to)
	}
}

// Bright samples have the colour of their depth, dark ones are black, at any zoom.
func TestDepthIsColouredByViridis(t *testing.T) {
	p := NewProjector(viewer.DepthProjection, 0)
	for z := range 3 { // columns: black, then plane 0, 1, 2 bright
		p.Add(planeOf(raster.Uint16, 8, 8, func(i int) float64 {
			if i%8/2 == z+1 {
				return 1000
			}
			return 0
		}))
	}
	s := &Scene{H: 8, W: 8, Channels: []Channel{p.Channel()}}
	viridis, _ := Colours("viridis")
	for _, zoom := range []string{"8", "1", "0.5"} {
		m := picture(t, s, "size=64x64 tone0=:0..1000 at=4,4 zoom="+zoom)
		scale := map[string]float64{"8": 8, "1": 1, "0.5": 0.5}[zoom]
		for k, want := range [][3]uint8{{}, viridis[0], viridis[128], viridis[255]} {
			if zoom == "0.5" && k > 0 {
				continue // neighbours mix
			}
			x := int(32 + (2*float64(k)+0.5-4)*scale)
			if c := m.RGBAAt(x, 32); max(diff(c.R, want[0]), diff(c.G, want[1]), diff(c.B, want[2])) > 2 {
				t.Errorf("zoom %s: plane %d is drawn %v, want %v", zoom, k-1, c, want)
			}
		}
	}
}

func diff(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }

func BenchmarkProject(b *testing.B) {
	t := newTissue(1024, 45)
	for _, kind := range kinds {
		b.Run([]string{"", "max", "mean", "sum", "depth"}[kind], func(b *testing.B) {
			plane := t.plane()
			p := NewProjector(kind, 0)
			for b.Loop() {
				p.Add(plane)
			}
			b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N), "ms/plane")
			b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N)/copyTime(2*1024*1024), "copies")
		})
	}
}
