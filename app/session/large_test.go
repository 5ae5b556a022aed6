package session

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"coverslip/datasets/raster"
	"coverslip/datasets/raster/tiff"
	"coverslip/viewer"
	"coverslip/viewer/render"
)

// largeSide is the side of a plane that is a little too large to be held whole.
const largeSide = 4200

// largeTissue is a plane of largeSide that differs everywhere, in pixels as in its large features.
func largeTissue() raster.Plane {
	v := make([]uint8, largeSide*largeSide)
	for i := range v {
		y, x := i/largeSide, i%largeSide
		v[i] = uint8(40 + (x/37+y/29)%7*20 + (x*7+y*13)%17)
	}
	return raster.Plane{H: largeSide, W: largeSide, Type: raster.Uint8, Values: v}
}

// writePlane writes a plane of bytes as a TIFF without compression.
func writePlane(tb testing.TB, p raster.Plane) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "large.tif")
	f, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	a := raster.Array{Shape: []int{p.H, p.W}, Axes: "YX", Type: p.Type, Values: p.Values}
	if err := tiff.Encode(f, a, tiff.EncodeOptions{Uncompressed: true}); err != nil {
		tb.Fatal(err)
	}
	return path
}

// sparsePlanes writes a BigTIFF of pages of 16 bits, each one strip that is a hole in the file but for a dot in its middle.
func sparsePlanes(tb testing.TB, pages, side int) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "sparse.tif")
	o, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer o.Close()
	le := binary.LittleEndian
	b, at := []byte{'I', 'I', 43, 0, 8, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0}, 0
	for page := range pages {
		tags := [][2]int{{256, side}, {257, side}, {258, 16}, {259, 1}, {262, 1}, {273, 0}, {277, 1}, {278, side}, {279, 2 * side * side}}
		pixels := at + len(b) + 8 + 20*len(tags) + 8
		next := pixels + 2*side*side
		if page == pages-1 {
			next = 0
		}
		b = le.AppendUint64(b, uint64(len(tags)))
		for _, t := range tags {
			if t[0] == 273 {
				t[1] = pixels
			}
			b = le.AppendUint16(le.AppendUint16(b, uint16(t[0])), 16)
			b = le.AppendUint64(le.AppendUint64(b, 1), uint64(t[1]))
		}
		b = le.AppendUint64(b, uint64(next))
		if _, err := o.WriteAt(b, int64(at)); err != nil {
			tb.Fatal(err)
		}
		if _, err := o.WriteAt([]byte{100, byte(page)}, int64(pixels)+int64(side*side+side)); err != nil {
			tb.Skipf("no room for a sparse file: %v", err)
		}
		at, b = pixels+2*side*side, nil
	}
	if err := o.Truncate(int64(at)); err != nil {
		tb.Fatal(err)
	}
	return path
}

// openLarge opens a file in a session with a picture of 300 x 200 pixels.
func openLarge(tb testing.TB, path string) *opened {
	tb.Helper()
	q := NewQueue()
	o := &opened{Session: New(Options{Post: q.Post}), q: q}
	tb.Cleanup(o.Close)
	o.SetPictureSize(300, 200, 1)
	o.Open(path)
	o.rest(tb)
	if o.Scene() == nil || len(o.Scene().Channels) == 0 {
		tb.Fatalf("no picture: %v", o.MessageList())
	}
	return o
}

func (o *opened) rest(tb testing.TB) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if !o.q.WaitContext(ctx, func() bool { return len(o.JobList()) == 0 && !o.Loading() }) {
		tb.Fatalf("still busy: jobs %v", o.JobList())
	}
}

// stand shows a place at a zoom.
func (o *opened) stand(tb testing.TB, zoom, y, x float64) {
	tb.Helper()
	v := o.View()
	v.Zoom, v.At = zoom, viewer.Point{Y: y, X: x}
	if err := o.SetView(v); err != nil {
		tb.Fatal(err)
	}
	o.rest(tb)
}

// A large plane enlarged is drawn with the bytes of the plane held whole, wherever one looks; fitted it is an overview.
func TestLargePlaneIsSharp(t *testing.T) {
	p := largeTissue()
	o := openLarge(t, writePlane(t, p))
	if c := o.Scene().Channels[0]; c.Step != 2 || c.Patch != nil || c.Plane.W != largeSide/2 {
		t.Fatalf("an overview in steps of %d, %d wide, with a patch: %v", c.Step, c.Plane.W, c.Patch != nil)
	}
	whole := &render.Scene{H: p.H, W: p.W, Channels: []render.Channel{render.PrepareChannel(p)}}
	o.SetTone(0, viewer.Tone{Lo: 30, Hi: 200})
	for _, zoom := range []float64{0.71, 1, 2.5, 8} {
		for _, at := range [][2]float64{{2100, 2100}, {2150, 2180}, {0, 0}, {4200, 4200}, {700.5, 3999.25}} {
			o.stand(t, zoom, at[0], at[1])
			got, err := o.CopyImage()
			if err != nil {
				t.Fatal(err)
			}
			want := image.NewRGBA(got.Rect)
			render.Compose(want, whole, o.Shown())
			if !bytes.Equal(got.Pix, want.Pix) {
				t.Errorf("zoom %g at %v: another picture", zoom, at)
			}
		}
	}
	if used, limit := o.CacheUse(); used <= 0 || used > limit || !strings.Contains(o.FileText(), fmt.Sprintf("%d of at most %d MiB", used>>20, limit>>20)) {
		t.Errorf("%d of %d bytes in use, told as %q", used, limit, o.FileText())
	}
}

// The status line tells a sample that is read from a mean of those around.
func TestLargePlaneValues(t *testing.T) {
	p := largeTissue()
	o := openLarge(t, writePlane(t, p))
	o.Hover(100, 150)
	if s := o.Status().Values; !strings.HasPrefix(s, "value about ") {
		t.Errorf("fitted: %q", s)
	}
	o.stand(t, 1, 2000, 2000)
	o.Hover(100, 150) // the middle
	if s, want := o.Status().Values, fmt.Sprint("value ", p.At(2000, 2000)); s != want {
		t.Errorf("enlarged: %q, expected %q", s, want)
	}
}

// While the picture moves within what was read nothing is read, and beyond that the old patch stays until the new one comes.
func TestPatchIsReused(t *testing.T) {
	o := openLarge(t, writePlane(t, largeTissue()))
	o.stand(t, 1, 2000, 2000)
	first := o.Scene().Channels[0].Patch
	o.Pan(8, 8)
	if o.Loading() || o.Scene().Channels[0].Patch != first {
		t.Error("a small step reads a patch anew")
	}
	o.rest(t)
	for range 100 {
		o.Pan(0, -60)
		seen, _ := o.seen()
		if patch := o.Scene().Channels[0].Patch; patch == nil {
			t.Fatal("the picture lost its patch")
		} else if !seen.Overlaps(patch.Area(largeSide, largeSide)) && !o.Loading() {
			t.Fatal("nothing is on its way")
		}
		o.rest(t)
		seen, _ = o.seen()
		if !seen.In(o.Scene().Channels[0].Patch.Area(largeSide, largeSide)) {
			t.Fatalf("%v is not covered by %v", seen, o.Scene().Channels[0].Patch.Area(largeSide, largeSide))
		}
	}
}

// Ahead of the picture more is read than behind it, in whole blocks.
func TestPatchLooksAhead(t *testing.T) {
	var p patching
	p.move(image.Rect(1000, 1000, 1400, 1300))
	p.move(image.Rect(1010, 1000, 1410, 1300))
	if p.dx != 1 || p.dy != 0 {
		t.Errorf("direction %d, %d", p.dy, p.dx)
	}
	r := p.room(p.seen, 1, 8)
	if left, right := 1010-r.Min.X, r.Max.X-1410; left < 100 || right < 300 || r.Min.X%64 != 0 || r.Max.Y%64 != 0 {
		t.Errorf("%v around %v", r, p.seen)
	}
	p.move(image.Rect(0, 0, 4000, 3000))
	if p.dx != 0 || p.dy != 0 {
		t.Error("a jump has a direction")
	}
}

// Labels of a large plane are those of the corners of blocks, drawn over all of it.
func TestLargeLabels(t *testing.T) {
	p := largeTissue()
	for i, v := 0, p.Values.([]uint8); i < len(v); i++ {
		v[i] = uint8(i/largeSide/100*42 + i%largeSide/100)
	}
	l := NewLoader(192 << 20)
	defer l.Close()
	o, err := l.Open(context.Background(), Source{Answer: writePlane(t, p)})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Release()
	scene, errs := l.Scene(context.Background(), o, 0, 0, Styles{})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	labels, step := scene.Answer, o.Answer.step
	if step < 2 || labels.H != largeSide || labels.W != largeSide {
		t.Fatalf("step %d, %d x %d", step, labels.H, labels.W)
	}
	for _, at := range []image.Point{{0, 0}, {1234, 987}, {4199, 4199}, {99, 100}} {
		id, ok := labels.At(at.Y, at.X)
		if want := int64(p.At(at.Y/step*step, at.X/step*step)); !ok || id != want {
			t.Errorf("%v: object %d, expected %d", at, id, want)
		}
	}
}

// Enlarged, the labels of a large plane are drawn as those of the plane held whole; a picture of more pixels than the screen has is as sharp.
func TestLargeLabelsAreSharp(t *testing.T) {
	p := largeTissue()
	for i, v := 0, p.Values.([]uint8); i < len(v); i++ {
		v[i] = 0
		if y, x := i/largeSide, i%largeSide; y%100 < 93 && (x+y/7)%90 < 83 {
			v[i] = uint8(1 + y/100*42 + x/100)
		}
	}
	path := writePlane(t, p)
	whole := render.PrepareLabels(p, nil)
	l := NewLoader(192 << 20)
	defer l.Close()
	o, err := l.Open(context.Background(), Source{Input: path, Answer: path})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Release()
	scene, errs := l.Scene(context.Background(), o, 0, 0, Styles{Unjudged: true})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	styles := map[int64]render.Style{}
	for _, id := range whole.IDs {
		styles[id] = render.Extra
	}
	want := &render.Scene{H: p.H, W: p.W, Channels: []render.Channel{render.PrepareChannel(p)}, Answer: whole.SetStyles(styles)}
	for _, zoom := range []float64{0.8, 1, 3} {
		v := viewer.View{Zoom: zoom, At: viewer.Point{Y: 2000, X: 2100}, Size: image.Pt(300, 200), Errors: true}.Normal()
		v = v.WithTone(0, viewer.Tone{Lo: 0, Hi: 255})
		sharp, err := l.sharpened(context.Background(), o, scene, v)
		if err != nil {
			t.Fatal(err)
		}
		a, b := image.NewRGBA(image.Rect(0, 0, 300, 200)), image.NewRGBA(image.Rect(0, 0, 300, 200))
		render.Compose(a, sharp, v)
		render.Compose(b, want, v)
		if !bytes.Equal(a.Pix, b.Pix) {
			t.Errorf("zoom %g: another picture", zoom)
		}
	}
	s := openLarge(t, path)
	s.stand(t, 0.25, 2000, 2100)
	s.SetTone(0, viewer.Tone{Lo: 0, Hi: 255})
	got, err := s.CopyImageAt(4)
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.finer(4)
	if err != nil {
		t.Fatal(err)
	}
	b := image.NewRGBA(got.Rect)
	render.Compose(b, &render.Scene{H: p.H, W: p.W, Channels: want.Channels}, v)
	if !bytes.Equal(got.Pix, b.Pix) {
		t.Error("a picture of more pixels is another one")
	}
}

// Projections and sections of a stack of large planes are made from overviews.
func TestLargeStack(t *testing.T) {
	const side = 4400
	o := openLarge(t, sparsePlanes(t, 3, side))
	o.SetProjection(viewer.Projection{Kind: viewer.MaxProjection})
	o.rest(t)
	s := o.Scene()
	if c := s.Channels[0]; c.Step < 2 || c.Plane.W != (side+c.Step-1)/c.Step {
		t.Errorf("a projection in steps of %d, %d wide", c.Step, c.Plane.W)
	}
	o.SetProjection(viewer.Projection{})
	o.SetLayout(viewer.Ortho)
	o.rest(t)
	if s = o.Scene(); s.XZ == nil || len(s.XZ.Channels) != 1 || s.XZ.Channels[0].Plane.W != side || s.YZ.Channels[0].Plane.H != side || s.YZ.Channels[0].Plane.W != 3 {
		t.Fatalf("sections %+v", s.XZ)
	}
	if _, err := o.CopyImage(); err != nil || len(o.MessageList()) > 0 {
		t.Error(err, o.MessageList())
	}
	if used, _ := o.CacheUse(); used > 300<<20 {
		t.Errorf("%d MiB held", used>>20)
	}
}

// residentMiB is the program's memory as the system counts it; 0 where it does not say.
func residentMiB() int {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	pages, _ := strconv.Atoi(strings.Fields(string(b))[1])
	return pages * os.Getpagesize() >> 20
}

// A plane of 30,000 x 30,000 pixels of 16 bits, 1.8 GB, is browsed from corner to corner with less than 500 MiB.
func TestBrowseLarge(t *testing.T) {
	if residentMiB() == 0 {
		t.Skip("the system does not tell resident memory")
	}
	debug.FreeOSMemory()
	const side = 30000
	begin := time.Now()
	o := openLarge(t, sparsePlanes(t, 1, side))
	o.SetPictureSize(1400, 900, 1)
	o.rest(t)
	opened, most := time.Since(begin), residentMiB()
	frame := image.NewRGBA(image.Rect(0, 0, 1400, 900))
	o.stand(t, 1, 1000, 1000)
	steps, begin := 0, time.Now()
	for _, zoom := range []float64{1, 0.3, 3} {
		o.stand(t, zoom, 1000, 1000)
		for i := 0; i < 24; i++ {
			o.Pan(-700*zoom, -900*zoom)
			if i%3 == 0 {
				o.rest(t)
			}
			render.Compose(frame, o.Scene(), o.Shown())
			steps++
			most = max(most, residentMiB())
		}
	}
	used, limit := o.CacheUse()
	t.Logf("overview in %v; %d steps of most of a picture, %v each; %d MiB resident at most; %d of %d MiB held", opened, steps, time.Since(begin)/time.Duration(steps), most, used>>20, limit>>20)
	if most > 500 || used > limit {
		t.Errorf("%d MiB resident, %d of %d MiB held", most, used>>20, limit>>20)
	}
	o.stand(t, 4, side/2+0.5, side/2+0.5)
	o.Hover(450, 700)
	if s := o.Status().Values; s != "value 100" {
		t.Errorf("the dot in the middle: %q", s)
	}
}

// BenchmarkPanLarge is what a step of panning takes, drawing included, of a plane of 30,000 x 30,000 pixels and of a small one.
func BenchmarkPanLarge(b *testing.B) {
	for _, side := range []int{4000, 30000} {
		path := sparsePlanes(b, 1, side)
		for _, zoom := range []float64{0.75, 1, 2} {
			b.Run(fmt.Sprintf("side %d zoom %g", side, zoom), func(b *testing.B) {
				o := openLarge(b, path)
				o.SetPictureSize(1400, 900, 1)
				o.stand(b, zoom, 1800, 1800)
				frame := image.NewRGBA(image.Rect(0, 0, 1400, 900))
				dx := -16.0
				for b.Loop() {
					o.Pan(0, dx)
					if o.q.drain(); o.View().At.X > 2200 || o.View().At.X < 1800 {
						dx = -dx
					}
					render.Compose(frame, o.Scene(), o.Shown())
				}
			})
		}
	}
}
