package session

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"testing"
	"time"

	"coverslip/datasets/raster"
	"coverslip/viewer"
	"coverslip/viewer/render"
)

// writeStack writes a T x Z x H x W stack of uint16 as NPY.
func writeStack(t testing.TB, path string, shape [4]int, at func(t, z, y, x int) uint16) {
	t.Helper()
	sizes := "" // in C order, without the axes that are not there
	for i, n := range shape {
		if i > 1 || n > 1 {
			sizes += fmt.Sprintf("%d, ", n)
		}
	}
	head := "{'descr': '<u2', 'fortran_order': False, 'shape': (" + sizes + "), }"
	for (len(head)+11)%64 != 0 {
		head += " "
	}
	var b bytes.Buffer
	b.WriteString("\x93NUMPY\x01\x00")
	binary.Write(&b, binary.LittleEndian, uint16(len(head)+1))
	b.WriteString(head + "\n")
	row := make([]byte, 2*shape[3])
	for i := range shape[0] * shape[1] * shape[2] {
		y, z := i%shape[2], i/shape[2]%shape[1]
		for x := range shape[3] {
			binary.LittleEndian.PutUint16(row[2*x:], at(i/shape[2]/shape[1], z, y, x))
		}
		b.Write(row)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// BenchmarkCrossHair is a step of the cross-hair with image, answer and truth of 512 x 512 x 128 in memory: cutting, preparing and
// drawing all three panes at 1400 x 900. The promise is 15 ms.
func BenchmarkCrossHair(b *testing.B) {
	dir := b.TempDir()
	src := Source{Input: filepath.Join(dir, "image.npy"), Answer: filepath.Join(dir, "answer.npy"), Truth: filepath.Join(dir, "truth.npy"), Unnamed: 'Z'}
	shape := [4]int{1, 128, 512, 512}
	writeStack(b, src.Input, shape, func(_, z, y, x int) uint16 { return uint16((x*x + y*z) % 4000) })
	blob := func(_, z, y, x int) uint16 {
		if (x%32-16)*(x%32-16)+(y%32-16)*(y%32-16) < 200 {
			return uint16(1 + x/32 + y/32*16 + z/16*256)
		}
		return 0
	}
	writeStack(b, src.Answer, shape, blob)
	writeStack(b, src.Truth, shape, func(t, z, y, x int) uint16 { return blob(t, z, max(0, y-2), x) })
	l := NewLoader(200 << 20)
	defer l.Close()
	ctx := context.Background()
	o, err := l.Open(ctx, src)
	if err != nil {
		b.Fatal(err)
	}
	p := Picture{Z: 64, Sections: true}
	if _, errs := l.Picture(ctx, o, p, nil); errs != nil {
		b.Fatal(errs)
	}
	dst := image.NewRGBA(image.Rect(0, 0, 1400, 900))
	v := viewer.View{Layout: viewer.Ortho, Z: 64, Answer: viewer.LabelLayer{Style: viewer.Outline}, Truth: viewer.LabelLayer{Style: viewer.Outline}, Bar: true}
	best, read, turn := time.Hour, time.Duration(0), 0
	for b.Loop() {
		turn++
		p.Cross = viewer.Point{Y: float64(turn*37%512) + 0.5, X: float64(turn*91%512) + 0.5}
		v.Cross = p.Cross
		start := time.Now()
		_, scene, ok := l.Prepared(src, func(raster.Shape) Picture { return p })
		if !ok {
			b.Fatal("the slices are not in memory")
		}
		o.Release()
		cut := time.Since(start)
		render.Compose(dst, scene, v)
		if took := time.Since(start); took < best {
			best, read = took, cut
		}
	}
	b.ReportMetric(best.Seconds()*1000, "best-ms")
	b.ReportMetric(read.Seconds()*1000, "cutting-ms")
}

// show gives a session a view as text and waits for its picture.
func (o *opened) show(t *testing.T, text string) {
	t.Helper()
	v, err := viewer.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	o.SetPictureSize(v.Size.X, v.Size.Y, v.LinePixel())
	if err := o.SetView(v); err != nil {
		t.Fatal(err)
	}
	o.settle(t)
}

// What the user divides and projects by hand comes back from the text of the view, to the byte.
func TestLayoutsComeBackFromTheirText(t *testing.T) {
	by := openDemo(t, 1)
	by.SetPictureSize(601, 420, 1)
	other := by.Runs()[1].Name
	steps := []struct {
		name string
		do   func()
	}{
		{"sections", func() { by.SetLayout(viewer.Ortho) }},
		{"cross-hair", func() { by.MoveCross(100, 140, 31) }},
		{"zoom", func() { by.ZoomCentred(2.5) }},
		{"slab", func() { by.SetProjection(viewer.Projection{Kind: viewer.MeanProjection, Span: 7}) }},
		{"depth", func() { by.SetProjection(viewer.Projection{Kind: viewer.DepthProjection}) }},
		{"curtain", func() { by.SetLayout(viewer.Curtain); by.SetSplit(0.3) }},
		{"plane", func() { by.SetProjection(viewer.Projection{}) }},
		{"runs", func() { by.SetLayout(viewer.Side); by.SetOther(other) }},
		{"one", func() { by.SetLayout(viewer.One) }},
	}
	again := openDemo(t, 1)
	seen := map[string]bool{}
	for _, step := range steps {
		step.do()
		by.settle(t)
		picture, err := by.CopyImage()
		if err != nil {
			t.Fatal(err)
		}
		text := by.Shown().String()
		again.show(t, text)
		copied, err := again.CopyImage()
		if err != nil {
			t.Fatal(err)
		}
		if got := again.Shown().String(); got != text || !bytes.Equal(copied.Pix, picture.Pix) {
			t.Errorf("%s: %q came back as %q, the picture the same: %v", step.name, text, got, bytes.Equal(copied.Pix, picture.Pix))
		}
		if seen[string(picture.Pix)] || !lively(picture) {
			t.Errorf("%s: nothing changed, or the picture is empty", step.name)
		}
		seen[string(picture.Pix)] = true
	}
}

// A click in a section goes to its voxel; the read-out names it from every pane.
func TestSectionsReadOutAndMoveTheSlice(t *testing.T) {
	o := openDemo(t, 1)
	o.show(t, "size=700x500 layout=ortho z=20 cross=100,110 truth=outline")
	size := o.pictureSize()
	panes := render.Panes(o.Scene(), o.Shown(), size.X, size.Y)
	if len(panes) != 3 {
		t.Fatalf("%d panes, want 3", len(panes))
	}
	stack := o.picked.opened.Input.Stack
	for _, c := range []struct {
		pane    int
		local   viewer.Point // in the pane's own rows and columns
		z, y, x int
	}{{0, viewer.Point{Y: 90.5, X: 60.5}, 20, 90, 60}, {2, viewer.Point{Y: 33.5, X: 71.5}, 33, 90, 71}, {1, viewer.Point{Y: 140.5, X: 12.5}, 12, 140, 71}} {
		p := render.Panes(o.Scene(), o.Shown(), size.X, size.Y)[c.pane]
		y, x := p.Camera.ToDevice(c.local)
		y, x = y+float64(p.Rect.Min.Y), x+float64(p.Rect.Min.X)
		o.Hover(y, x)
		plane, err := stack.Plane(context.Background(), 0, c.z, 0)
		if err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("y %d x %d z %d", c.y, c.x, c.z)
		if st := o.Status(); st.Position != want || st.Values != fmt.Sprint("value ", plane.At(c.y, c.x)) {
			t.Errorf("pane %d: the read-out says %q %q, want %q and value %v", c.pane, st.Position, st.Values, want, plane.At(c.y, c.x))
		}
		o.PickAt(y, x)
		o.settle(t)
		if v := o.View(); v.Z != c.z || v.Cross != (viewer.Point{Y: float64(c.y) + 0.5, X: float64(c.x) + 0.5}) {
			t.Errorf("pane %d: a click went to z %d %v, want %s", c.pane, v.Z, v.Cross, want)
		}
		if got := o.Scene().XZ.Channels[0].Plane.At(c.z, c.x); got != plane.At(c.y, c.x) {
			t.Errorf("pane %d: the section has %v there, the plane %v", c.pane, got, plane.At(c.y, c.x))
		}
	}
}

// The image point under the pointer stays there in every pane of every layout.
func TestZoomKeepsThePointInEveryPane(t *testing.T) {
	o := openDemo(t, 1)
	for _, layout := range []string{"side", "curtain", "ortho"} {
		o.show(t, "size=900x700 z=20 zoom=4 at=120,130 layout="+layout)
		size := o.pictureSize()
		for i, p := range render.Panes(o.Scene(), o.Shown(), size.X, size.Y) {
			y, x := float64(p.Rect.Min.Y+p.Rect.Dy()/3), float64(p.Rect.Min.X+p.Rect.Dx()/3)
			before, _ := o.spot(y, x)
			o.ZoomBy(1.3, y, x)
			after, _ := o.spot(y, x)
			if p.Plane == render.XZ {
				before.Point.Y, after.Point.Y = 0, 0
			}
			if d := before.Point; max(d.Y-after.Point.Y, after.Point.Y-d.Y, d.X-after.Point.X, after.Point.X-d.X) > 1e-3 {
				t.Errorf("%s, pane %d: zooming moved %v to %v", layout, i, before.Point, after.Point)
			}
			o.PanFrom(y, x, 10, 20)
			moved, _ := o.spot(y+10, x+20)
			if p.Plane == render.XZ {
				moved.Point.Y = 0
			}
			if d := after.Point; max(d.Y-moved.Point.Y, moved.Point.Y-d.Y, d.X-moved.Point.X, moved.Point.X-d.X) > 1e-3 && p.Plane != render.YZ {
				t.Errorf("%s, pane %d: dragging moved %v to %v", layout, i, after.Point, moved.Point)
			}
		}
	}
}

// Within its span a projection is made once.
func TestProjectionIsMadeOnceForItsSpan(t *testing.T) {
	o := openDemo(t, 1)
	o.show(t, "size=300x300 z=20 project=max:z truth=outline")
	first := o.Scene()
	o.SetZ(40)
	if o.Loading() || &o.Scene().Channels[0].Plane.Values.([]uint8)[0] != &first.Channels[0].Plane.Values.([]uint8)[0] || o.View().Z != 40 {
		t.Error("another slice of the same span was projected anew")
	}
	o.SetProjection(viewer.Projection{Kind: viewer.MaxProjection, Span: 3})
	o.settle(t)
	slab := o.Scene()
	o.SetZ(41)
	o.settle(t)
	if bytes.Equal(slab.Channels[0].Plane.Values.([]uint8), o.Scene().Channels[0].Plane.Values.([]uint8)) {
		t.Error("a slab stayed where it was")
	}
	o.SetProjection(viewer.Projection{Kind: viewer.SumProjection, Span: 1})
	o.settle(t)
	if typ := o.Scene().Channels[0].Plane.Type; typ != raster.Uint8 {
		t.Errorf("a projection of one plane is of type %v, not the plane", typ)
	}
}

// A sum has larger numbers than a slice, and the contrast follows.
func TestContrastFollowsTheKindOfProjection(t *testing.T) {
	o := openDemo(t, 1)
	plane := o.View().Tone(0)
	o.SetProjection(viewer.Projection{Kind: viewer.SumProjection})
	o.settle(t)
	sum := o.View().Tone(0)
	o.SetProjection(viewer.Projection{})
	o.settle(t)
	if sum.Hi < 10*plane.Hi || plane.Hi <= 0 || o.View().Tone(0) != plane {
		t.Errorf("contrast of a slice %v, of the sum %v, and back %v", plane, sum, o.View().Tone(0))
	}
}

// Who stops the reading of many planes is shown the one that is there.
func TestStoppedReadingLeavesThePlane(t *testing.T) {
	o := openDemo(t, 1)
	o.SetLayout(viewer.Ortho)
	o.SetProjection(viewer.Projection{Kind: viewer.MeanProjection})
	if !o.Loading() {
		t.Fatal("nothing is read")
	}
	if s := o.Scene(); s.XZ == nil || len(s.XZ.Channels) != 0 {
		t.Error("the panes do not come before what is in them")
	}
	o.picked.cancel()
	o.settle(t)
	if v := o.View(); v.Layout != viewer.One || v.Project != (viewer.Projection{}) || o.Scene() == nil {
		t.Errorf("after stopping the view is %v", v)
	}
}

// A stack that does not fit into memory is cut slice by slice, with the same result.
func TestSectionsOfLargeStacksAreTheSame(t *testing.T) {
	dir := t.TempDir()
	src := Source{Input: filepath.Join(dir, "image.npy"), Truth: filepath.Join(dir, "truth.npy"), Unnamed: 'Z'}
	at := func(t, z, y, x int) uint16 { return uint16(1000*z + 40*y + x) }
	writeStack(t, src.Input, [4]int{1, 9, 30, 40}, at)
	writeStack(t, src.Truth, [4]int{1, 9, 30, 40}, func(_, z, y, x int) uint16 { return uint16(x / 10 * (z % 2)) })
	var scenes []*render.Scene
	for _, bytes := range []int{1 << 20, 20 << 10} {
		l := NewLoader(bytes)
		o, err := l.Open(context.Background(), src)
		if err != nil {
			t.Fatal(err)
		}
		steps := 0
		s, errs := l.Picture(context.Background(), o, Picture{Z: 4, Sections: true, Cross: viewer.Point{Y: 11.5, X: 23.5}}, func(done, total int) {
			if steps++; done != steps || total != 18 {
				t.Errorf("progress %d of %d after %d steps", done, total, steps)
			}
		})
		if errs != nil || (l.volumes.used > 0) != (bytes == 1<<20) {
			t.Errorf("%d bytes: %v, %d bytes held", bytes, errs, l.volumes.used)
		}
		l.forgetVolumes()
		o.Release()
		l.Close()
		scenes = append(scenes, s)
	}
	for z := range 9 {
		for x := range 40 {
			if a, b := scenes[0].XZ.Channels[0].Plane.At(z, x), scenes[1].XZ.Channels[0].Plane.At(z, x); a != b || a != float64(at(0, z, 11, x)) {
				t.Fatalf("z %d x %d is %v and %v, want %v", z, x, a, b, at(0, z, 11, x))
			}
			if id, _ := scenes[1].XZ.Truth.At(z, x); id != int64(x/10*(z%2)) {
				t.Fatalf("z %d x %d is object %d", z, x, id)
			}
		}
	}
}

// Movies are projected over time, and a plane that cannot be read costs itself alone.
func TestProjectionOverTimeWithABrokenPlane(t *testing.T) {
	dir := t.TempDir()
	src := Source{Input: filepath.Join(dir, "movie.npy"), Unnamed: 'T'}
	writeStack(t, src.Input, [4]int{5, 1, 20, 30}, func(t, _, y, x int) uint16 { return uint16(100 * t) })
	l := NewLoader(1 << 20)
	defer l.Close()
	o, err := l.Open(context.Background(), src)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Release()
	broken := fmt.Errorf("frame 4 is cut off")
	r := &reader{plane: func(layer *Layer, t, z, c int) (raster.Plane, error) {
		if t == 4 {
			return raster.Plane{}, broken
		}
		return layer.Stack.Plane(context.Background(), t, z, c)
	}}
	p := Picture{T: 1, Projection: viewer.Projection{Kind: viewer.DepthProjection, Time: true}}
	s, errs := l.scene(o, p, r)
	if len(errs) != 1 || errs[0] != broken || s.Channels[0].Plane.At(3, 3) != 300 || s.Channels[0].Depth.At(3, 3) != 3 {
		t.Fatalf("errors %v, channels %v", errs, s.Channels)
	}
	if s, errs = l.Picture(context.Background(), o, p, nil); errs != nil || s.Channels[0].Plane.At(3, 3) != 400 {
		t.Error("what was broken once is remembered as whole")
	}
}

func TestComparingWithAnotherRun(t *testing.T) {
	o := openDemo(t, 0)
	if err := o.SetOther("nobody"); err == nil {
		t.Error("a run that is not there was compared with")
	}
	if err := o.SetView(viewer.View{Other: "nobody"}); err == nil {
		t.Error("a view with a run that is not there was shown")
	}
	names := []string{o.Runs()[0].Name, o.Runs()[1].Name, o.Runs()[2].Name}
	o.CycleOther()
	o.settle(t)
	if v := o.View(); v.Other != names[1] || v.Layout != viewer.Side {
		t.Fatalf("compared with %q in layout %v", v.Other, v.Layout)
	}
	s := o.Scene()
	if s.Other == nil || s.Title != names[0] || s.Other.Title != names[1] || s.Other.Answer == nil {
		t.Fatalf("the scene faces %q with %+v", s.Title, s.Other)
	}
	want := o.tasks[0].runs[1].images[o.Image()].Parts[0].Answer
	labels, err := o.loader.Open(context.Background(), Source{Answer: want, Unnamed: 'T'})
	if err != nil {
		t.Fatal(err)
	}
	defer labels.Release()
	plane, err := labels.Answer.Stack.Plane(context.Background(), 0, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 200 {
		if id, _ := s.Other.Answer.At(i, 2*i); float64(id) != plane.At(i, 2*i) {
			t.Fatalf("pixel y %d x %d is %d, in the other run's file %v", i, 2*i, id, plane.At(i, 2*i))
		}
	}
	o.SetBlink(true)
	if b := o.Scene(); b.Badge != names[1] || b.Answer != s.Other.Answer || o.Shown().Layout != viewer.One || o.Shown().Answer.Style == viewer.Hidden {
		t.Errorf("blinking shows %q in layout %v", b.Badge, o.Shown().Layout)
	}
	o.BlinkStep()
	if b := o.Scene(); b.Badge != names[0] || b.Answer != s.Answer {
		t.Errorf("blinking on shows %q", b.Badge)
	}
	o.SetBlink(false)
	o.CycleOther()
	o.CycleOther()
	if o.View().Other != "" {
		t.Errorf("after the last run comes %q, not the truth", o.View().Other)
	}
}

// A comparison shows labels that were hidden, and hides them when it ends unless the user has changed them.
func TestComparisonShowsBothSides(t *testing.T) {
	o := openDemo(t, 0)
	if !o.View().Errors || o.View().Truth.Style != viewer.Hidden {
		t.Fatal("the view begins otherwise")
	}
	o.SetLayout(viewer.Side)
	o.SetLayout(viewer.Curtain)
	if o.View().Truth.Style != viewer.Outline {
		t.Error("the truth's side is empty")
	}
	o.SetLayout(viewer.One)
	if o.View().Truth.Style != viewer.Hidden {
		t.Error("the truth stays after the comparison")
	}
	o.SetLayout(viewer.Side)
	o.CycleLabelStyle()
	o.SetLayout(viewer.Channels)
	if o.View().Truth.Style != viewer.Fill {
		t.Error("what the user chose was taken back")
	}
}

func TestCyclingVisitsTheLayoutsThatThereAre(t *testing.T) {
	for task, want := range [][]viewer.Layout{{viewer.Side, viewer.Curtain, viewer.Channels, viewer.One}, {viewer.Side, viewer.Curtain, viewer.Ortho, viewer.One}} {
		o := openDemo(t, task)
		for _, l := range want {
			if o.CycleLayout(1); o.Layout() != l {
				t.Errorf("task %d: layout %v, want %v", task, o.Layout(), l)
			}
			o.settle(t)
		}
		if o.CycleLayout(-1); o.Layout() != want[2] {
			t.Errorf("task %d: before one pane comes %v", task, o.Layout())
		}
	}
}

// Reading that lasts is a job with progress that can be stopped; what is quick is none.
func TestReadingThatLastsIsAJob(t *testing.T) {
	o := openDemo(t, 1)
	ctx, cancel := context.WithCancel(context.Background())
	if w := o.watch(sceneKey{}, cancel); w.progress != nil {
		t.Error("a single plane has progress")
	}
	w := o.watch(sceneKey{sections: true}, cancel)
	w.progress(1, 10)
	o.q.drain()
	if len(o.JobList()) != 0 {
		t.Error("what has just begun is a job already")
	}
	time.Sleep(patience)
	w.progress(2, 10)
	w.progress(3, 10)
	o.q.drain()
	if jobs := o.JobList(); len(jobs) != 1 || jobs[0].Done != 3 || jobs[0].Total != 10 || jobs[0].Title != "Reading slices" {
		t.Fatalf("jobs %+v", jobs)
	}
	o.CancelJob(o.JobList()[0].ID)
	if ctx.Err() == nil {
		t.Error("the job cannot be stopped")
	}
	o.ended(w)
	w.progress(4, 10)
	o.q.drain()
	if len(o.JobList()) != 0 {
		t.Error("the job stays after its end")
	}
}

// The other run's errors come with its score, and its name goes with its task.
func TestOtherRunIsScoredAndLeftWithItsTask(t *testing.T) {
	o := openDemo(t, 0)
	o.CycleOther()
	o.settle(t)
	r := o.other(o.View().Other)
	before := o.Scene().Other.Answer
	r.report = nil
	o.load() // at once, since all is in memory; scoring begins behind it
	bare := o.Scene().Other.Answer
	o.settle(t)
	if bare == before || o.Scene().Other.Answer == bare || r.report == nil {
		t.Errorf("the picture does not follow the other run's score: without it %v, with it again %v, report there %v",
			bare != before, o.Scene().Other.Answer != bare, r.report != nil)
	}
	dir := o.layout.Tasks[1]
	o.Open(dir)
	o.settle(t)
	if o.View().Other != "" || o.Scene().Other != nil {
		t.Errorf("another task is compared with %q", o.View().Other)
	}
}
