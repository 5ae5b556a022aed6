package render

import (
	"bytes"
	"fmt"
	"image"
	"math"
	"testing"

	"coverslip/datasets/raster"
	"coverslip/datasets/raster/pixel"
	"coverslip/viewer"
)

// blockMeans reduces a rectangle of a plane by the long way.
func blockMeans(p raster.Plane, r image.Rectangle, step int) raster.Plane {
	out := raster.Plane{H: (r.Dy() + step - 1) / step, W: (r.Dx() + step - 1) / step, Type: p.Type}
	out.Values = pixel.New(p.Type, out.H*out.W)
	for y := range out.H {
		for x := range out.W {
			block := image.Rect(r.Min.X+x*step, r.Min.Y+y*step, r.Min.X+(x+1)*step, r.Min.Y+(y+1)*step).Intersect(r)
			sum := 0.0
			for k := range block.Dx() * block.Dy() {
				sum += p.At(block.Min.Y+k/block.Dx(), block.Min.X+k%block.Dx())
			}
			mean := math.Floor(sum/float64(block.Dx()*block.Dy()) + 0.5)
			switch v := out.Values.(type) {
			case []uint8:
				v[y*out.W+x] = uint8(mean)
			case []uint16:
				v[y*out.W+x] = uint16(mean)
			case []int16:
				v[y*out.W+x] = int16(mean)
			case []float32:
				v[y*out.W+x] = float32(mean)
			}
		}
	}
	return out
}

// retyped is a plane of 16 bits in another type.
func retyped(p raster.Plane, t raster.Type) raster.Plane {
	out := raster.Plane{H: p.H, W: p.W, Type: t, Values: pixel.New(t, p.H*p.W)}
	for i, s := range p.Values.([]uint16) {
		switch v := out.Values.(type) {
		case []uint8:
			v[i] = uint8(s >> 4)
		case []uint16:
			v[i] = s
		case []int16:
			v[i] = int16(s) - 1000
		case []float32:
			v[i] = float32(s)
		}
	}
	return out
}

// patched is a scene of the plane as an overview of that step, with a patch of a rectangle in finer steps; an empty one is no patch.
func patched(whole raster.Plane, step int, r image.Rectangle, fine int, channels int) *Scene {
	s := &Scene{H: whole.H, W: whole.W}
	c := PrepareOverview(blockMeans(whole, image.Rect(0, 0, whole.W, whole.H), step), step)
	if !r.Empty() {
		c.Patch = c.PreparePatch(blockMeans(whole, r, fine), r.Min, fine)
	}
	for range channels {
		s.Channels = append(s.Channels, c)
	}
	return s
}

// planar is a scene of the plane itself.
func planar(p raster.Plane, channels int) *Scene {
	s := &Scene{H: p.H, W: p.W}
	for range channels {
		s.Channels = append(s.Channels, PrepareChannel(p))
	}
	return s
}

// limited is a view with fixed limits, since an overview chooses others.
func limited(zoom float64, at viewer.Point, lo, hi float64, channels int) viewer.View {
	v := viewer.View{Zoom: zoom, At: at}
	for c := range channels {
		v = v.WithTone(c, viewer.Tone{Lo: lo, Hi: hi})
	}
	return v.Normal()
}

func draw(s *Scene, v viewer.View, w, h, workers int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	compose(m, s, v, workers)
	return m
}

// TestPatchIsThePlane draws a patch that covers all of the picture: the bytes are those of the plane drawn whole.
func TestPatchIsThePlane(t *testing.T) {
	plane := newTissue(701, 60).plane()
	for _, typ := range []raster.Type{raster.Uint8, raster.Uint16} {
		p, hi := retyped(plane, typ), 1800.0
		if typ == raster.Uint8 {
			hi = 110
		}
		for _, channels := range []int{1, 2} {
			big, whole := patched(p, 8, image.Rect(96, 160, 512, 600), 1, channels), planar(p, channels)
			for _, zoom := range []float64{0.36, 0.5, 0.69, 0.71, 0.9, 1, 1.5, 2, 5.3, 16} {
				v := limited(zoom, viewer.Point{Y: 380.3, X: 300.6}, 10, hi, channels)
				if !bytes.Equal(draw(big, v, 120, 90, 2).Pix, draw(whole, v, 120, 90, 2).Pix) {
					t.Errorf("%s, %d channels, zoom %g: another picture", typ, channels, zoom)
				}
			}
		}
	}
}

// TestPatchAtTheEdge does so where the plane ends, odd sizes and all.
func TestPatchAtTheEdge(t *testing.T) {
	p := newTissue(701, 60).plane()
	big, whole := patched(p, 8, image.Rect(400, 400, 701, 701), 1, 1), planar(p, 1)
	for _, zoom := range []float64{0.3, 0.36, 0.5, 0.7, 1, 3} {
		v := limited(zoom, viewer.Point{Y: 701, X: 690}, 100, 1800, 1)
		v.At = viewer.Point{Y: 701 - 20/zoom, X: 701 - 20/zoom}
		if !bytes.Equal(draw(big, v, 60, 60, 1).Pix, draw(whole, v, 60, 60, 1).Pix) {
			t.Errorf("zoom %g: another picture at the edge", zoom)
		}
	}
}

// TestPatchOverOverview draws a patch that covers a part of the picture: it is the plane there and the overview elsewhere, for
// any number of goroutines.
func TestPatchOverOverview(t *testing.T) {
	p := newTissue(512, 60).plane()
	r := image.Rect(160, 192, 320, 288)
	for _, fine := range []int{1, 2} {
		for _, channels := range []int{1, 2} {
			big, over, only := patched(p, 8, r, fine, channels), patched(p, 8, image.Rectangle{}, 1, channels), patched(p, 8, image.Rect(0, 0, 512, 512), fine, channels)
			for _, zoom := range []float64{0.4, 0.5, 0.8, 1, 2.5} {
				v := limited(zoom, viewer.Point{Y: 240, X: 240}, 100, 1800, channels)
				got, outer, inner := draw(big, v, 333, 222, 1), draw(over, v, 333, 222, 1), draw(only, v, 333, 222, 1)
				for workers := 2; workers < 6; workers++ {
					if !bytes.Equal(got.Pix, draw(big, v, 333, 222, workers).Pix) {
						t.Fatalf("%d goroutines draw another picture", workers)
					}
				}
				cam := CameraOf(v, 512, 512, 333, 222)
				margin := max(float64(cam.Step()), float64(fine)) // of samples that are mixed
				within := 0
				for i := range 333 * 222 {
					at := cam.ToImage(float64(i/333)+0.5, float64(i%333)+0.5)
					a := got.Pix[4*i : 4*i+4]
					isInner, isOuter := bytes.Equal(a, inner.Pix[4*i:4*i+4]), bytes.Equal(a, outer.Pix[4*i:4*i+4])
					deep := at.X-margin >= 160 && at.X+margin < 320 && at.Y-margin >= 192 && at.Y+margin < 288
					out := at.X < 160 || at.X >= 320 || at.Y < 192 || at.Y >= 288
					if deep && !isInner || out && !isOuter || !isInner && !isOuter {
						t.Fatalf("step %d, zoom %g: pixel %d, %d of %v is of neither", fine, zoom, i/333, i%333, at)
					}
					if deep && !isOuter {
						within++
					}
				}
				if within == 0 {
					t.Errorf("step %d, zoom %g: the patch is nowhere to be seen", fine, zoom)
				}
			}
		}
	}
}

// TestNoSeam draws flat planes of all types: no border of a patch shows.
func TestNoSeam(t *testing.T) {
	flat := raster.Plane{H: 256, W: 256, Type: raster.Uint16, Values: make([]uint16, 1<<16)}
	for i := range flat.Values.([]uint16) {
		flat.Values.([]uint16)[i] = 900
	}
	for _, typ := range []raster.Type{raster.Uint8, raster.Uint16, raster.Int16, raster.Float32} {
		s := patched(retyped(flat, typ), 8, image.Rect(96, 96, 160, 144), 1, 1)
		for _, zoom := range []float64{0.4, 1, 3} {
			m := draw(s, viewer.View{Zoom: zoom, At: viewer.Point{Y: 128, X: 128}}.Normal(), 90, 90, 2)
			for i := 4; i < len(m.Pix); i += 4 {
				if !bytes.Equal(m.Pix[i:i+4], m.Pix[:4]) {
					t.Fatalf("%s, zoom %g: pixel %d is %v beside %v", typ, zoom, i/4, m.Pix[i:i+4], m.Pix[:4])
				}
			}
		}
	}
}

// TestQuantisedPatch keeps samples beyond the range of the means apart, within reason.
func TestQuantisedPatch(t *testing.T) {
	p := retyped(newTissue(256, 60).plane(), raster.Float32)
	s := patched(p, 8, image.Rect(64, 64, 192, 192), 1, 1)
	v := limited(1, viewer.Point{Y: 128, X: 128}, 100, 1800, 1)
	got, want := draw(s, v, 100, 100, 1), draw(planar(p, 1), v, 100, 100, 1)
	for i := range got.Pix {
		if d := int(got.Pix[i]) - int(want.Pix[i]); d > 1 || d < -1 {
			t.Fatalf("pixel %d is %d, expected %d", i/4, got.Pix[i], want.Pix[i])
		}
	}
}

// TestPatchRefuses turns down what does not fit the channel, and a scene leaves out channels that are not of its size.
func TestPatchRefuses(t *testing.T) {
	p := newTissue(100, 30).plane()
	c := PrepareOverview(blockMeans(p, image.Rect(0, 0, 100, 100), 8), 8)
	good := raster.Plane{H: 4, W: 4, Type: raster.Uint16, Values: make([]uint16, 16)}
	if c.PreparePatch(good, image.Pt(8, 16), 2) == nil {
		t.Error("a good patch is turned down")
	}
	bad := good
	bad.Type, bad.Values = raster.Uint8, make([]uint8, 16)
	short := good
	short.Values = make([]uint16, 15)
	for name, patch := range map[string]*Patch{"type": c.PreparePatch(bad, image.Pt(8, 16), 2), "step": c.PreparePatch(good, image.Pt(8, 16), 8),
		"no step": c.PreparePatch(good, image.Pt(8, 16), 0), "place": c.PreparePatch(good, image.Pt(4, 16), 2), "values": c.PreparePatch(short, image.Pt(8, 16), 2),
		"channel": PrepareChannel(p).PreparePatch(good, image.Pt(8, 16), 1)} {
		if patch != nil {
			t.Errorf("%s: a patch that does not fit is taken", name)
		}
	}
	mixed := patched(p, 8, image.Rect(8, 8, 56, 56), 1, 2)
	mixed.Channels[1].Patch = nil
	plain := patched(p, 8, image.Rectangle{}, 1, 2)
	v := limited(1, viewer.Point{Y: 30, X: 30}, 100, 1800, 2)
	if !bytes.Equal(draw(mixed, v, 60, 60, 1).Pix, draw(plain, v, 60, 60, 1).Pix) {
		t.Error("a patch of one channel alone is drawn")
	}
}

// TestChannelAt reads samples out of the patch, else means.
func TestChannelAt(t *testing.T) {
	p := newTissue(100, 30).plane()
	c := patched(p, 8, image.Rect(8, 8, 56, 56), 1, 1).Channels[0]
	for _, q := range []struct {
		y, x int
		mean bool
	}{{8, 8, false}, {55, 55, false}, {20, 33, false}, {7, 8, true}, {56, 10, true}, {99, 99, true}} {
		v, mean := c.At(q.y, q.x)
		want := p.At(q.y, q.x)
		if q.mean {
			want = blockMeans(p, image.Rect(q.x/8*8, q.y/8*8, min(q.x/8*8+8, 100), min(q.y/8*8+8, 100)), 8).At(0, 0)
		}
		if v != want || mean != q.mean {
			t.Errorf("%d, %d: %g, mean %v, expected %g, %v", q.y, q.x, v, mean, want, q.mean)
		}
	}
	for _, at := range []image.Point{{-1, 0}, {0, -1}, {104, 0}} {
		if v, _ := c.At(at.Y, at.X); !math.IsNaN(v) {
			t.Errorf("%v: %g", at, v)
		}
	}
	if v, mean := PrepareChannel(p).At(3, 4); mean || v != p.At(3, 4) {
		t.Error("a plane that is whole has means")
	}
}

// TestSpreadLabels draws labels of blocks: the picture is that of the plane that every block fills with its label.
func TestSpreadLabels(t *testing.T) {
	few := newTissue(96, 32).truth()
	large := raster.Plane{H: 8*96 - 3, W: 8*96 - 5, Type: few.Type}
	values := make([]uint16, large.H*large.W)
	for i := range values {
		values[i] = few.Values.([]uint16)[i/large.W/8*96+i%large.W/8]
	}
	large.Values = values
	few8, whole := PrepareLabels(few, nil).Spread(8, large.H, large.W), PrepareLabels(large, nil)
	for _, id := range whole.IDs[1:] {
		a, _ := few8.Box(id)
		if b, _ := whole.Box(id); a != b {
			t.Errorf("object %d: box %v, expected %v", id, a, b)
		}
	}
	whole.colour = few8.colour // which labels are near each other depends on the size
	for _, text := range []string{"answer=outline", "answer=fill", "answer=outline focus=a12 only=on"} {
		for _, zoom := range []float64{0.2, 0.7, 1, 3.1} {
			v, err := viewer.Parse(fmt.Sprintf("zoom=%g at=400,390 %s", zoom, text))
			if err != nil {
				t.Fatal(err)
			}
			got := draw(&Scene{H: large.H, W: large.W, Answer: few8}, v, 200, 150, 2)
			if !bytes.Equal(got.Pix, draw(&Scene{H: large.H, W: large.W, Answer: whole}, v, 200, 150, 1).Pix) {
				t.Errorf("%s at zoom %g: another picture", text, zoom)
			}
		}
	}
	for i := range large.H * large.W {
		a, _ := few8.At(i/large.W, i%large.W)
		if b, _ := whole.At(i/large.W, i%large.W); a != b {
			t.Fatalf("label %d at %d, expected %d", a, i, b)
		}
	}
}

// BenchmarkComposePatch draws a patch over an overview of a large plane, and a plane alone, to compare.
func BenchmarkComposePatch(b *testing.B) {
	p := newTissue(2048, 60).plane()
	over := raster.Plane{H: 3750, W: 3750, Type: raster.Uint16, Values: make([]uint16, 3750*3750)}
	for i := range over.Values.([]uint16) {
		over.Values.([]uint16)[i] = uint16(i % 1500)
	}
	c := PrepareOverview(over, 8)
	c.Patch = c.PreparePatch(p, image.Pt(8000, 8000), 1)
	large := &Scene{H: 30000, W: 30000, Channels: []Channel{c}}
	for _, zoom := range []float64{0.75, 1, 3} {
		for name, s := range map[string]*Scene{"small": planar(p, 1), "large": large} {
			b.Run(fmt.Sprintf("%s zoom %g", name, zoom), func(b *testing.B) {
				at := viewer.Point{Y: 1024, X: 1024}
				if s == large {
					at.Y, at.X = 9024, 9024
				}
				v := limited(zoom, at, 100, 1800, 1)
				m := image.NewRGBA(image.Rect(0, 0, 1400, 900))
				for b.Loop() {
					Compose(m, s, v)
				}
			})
		}
	}
}

// cornersOf takes the first sample of each block of a rectangle.
func cornersOf(p raster.Plane, r image.Rectangle, step int) raster.Plane {
	out := raster.Plane{H: (r.Dy() + step - 1) / step, W: (r.Dx() + step - 1) / step, Type: p.Type}
	v := make([]uint16, out.H*out.W)
	for i := range v {
		v[i] = p.Values.([]uint16)[(r.Min.Y+i/out.W*step)*p.W+r.Min.X+i%out.W*step]
	}
	out.Values = v
	return out
}

// TestLabelPatch draws labels with a patch: where it lies they are those of the plane held whole, styled or not.
func TestLabelPatch(t *testing.T) {
	tissue := newTissue(512, 40)
	plane, styles, _ := tissue.answer()
	whole, all := PrepareLabels(plane, nil), image.Rect(0, 0, 512, 512)
	coarse := PrepareLabels(cornersOf(plane, all, 8), nil).Spread(8, 512, 512)
	r := image.Rect(96, 64, 408, 424)
	for _, step := range []int{1, 2} {
		patch := coarse.PreparePatch(cornersOf(plane, r, step), r.Min, step)
		l := coarse.WithPatch(patch)
		for i := range 512 * 512 {
			y, x := i/512, i%512
			block := 8
			if image.Pt(x, y).In(r) {
				block = step
			}
			a, _ := l.At(y, x)
			if b, _ := whole.At(y/block*block, x/block*block); a != b {
				t.Fatalf("step %d: label %d at %d, %d, expected %d", step, a, y, x, b)
			}
		}
		if l.WithPatch(nil).WithPatch(patch).WithPatch(patch) == nil || len(l.WithPatch(nil).IDs) != len(coarse.IDs) || len(l.WithPatch(nil).boxes) != len(coarse.boxes) {
			t.Error("a patch does not come off")
		}
		if step > 1 {
			continue
		}
		for _, text := range []string{"errors=on", "errors=on answer=fill", "errors=on focus=a50"} {
			for _, zoom := range []float64{0.8, 1, 3} {
				v, err := viewer.Parse(fmt.Sprintf("zoom=%g at=240,250 %s", zoom, text))
				if err != nil {
					t.Fatal(err)
				}
				v.Answer.Style = viewer.Hidden // colours depend on which labels are near each other
				a := &Scene{H: 512, W: 512, Answer: coarse.SetStyles(styles).WithPatch(patch)}
				b := &Scene{H: 512, W: 512, Answer: whole.SetStyles(styles)}
				if !bytes.Equal(draw(a, v, 180, 150, 2).Pix, draw(b, v, 180, 150, 1).Pix) {
					t.Errorf("%s at zoom %g: another picture", text, zoom)
				}
			}
		}
	}
	if coarse.PreparePatch(plane, image.Pt(4, 8), 1) != nil || coarse.PreparePatch(plane, image.Pt(8, 8), 8) != nil || whole.PreparePatch(plane, image.Pt(0, 0), 1) != nil {
		t.Error("a patch that does not fit is taken")
	}
}
