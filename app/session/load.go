package session

import (
	"context"
	"math"

	"coverslip/datasets/raster"
	"coverslip/scoring"
	"coverslip/viewer"
	"coverslip/viewer/render"
)

// sceneKey says what a scene shows, so that the same is not read twice and a late result is told from a wanted one.
type sceneKey struct {
	src    Source
	t, z   int
	middle bool // the middle slice, whichever that is
	report *scoring.Report
	row    int

	projection viewer.Projection
	sections   bool         // with the sections through cross
	cross      viewer.Point // pixel centre; the zero Point is the middle
	other      otherKey     // another run to compare with
}

// picture is what the loader is asked for.
func (k sceneKey) picture() Picture {
	return Picture{T: k.t, Z: k.z, Styles: StylesOf(k.report, k.row, k.t), Projection: k.projection,
		Sections: k.sections, Cross: k.cross, Against: k.other.against()}
}

// lasts tells whether such a picture may need more planes than the one that is shown.
func (k sceneKey) lasts() bool { return k.sections || k.projection.Kind != viewer.NoProjection }

// openImage shows the current image anew: fitted, first time, middle slice (the first ones of a stack are mostly empty), contrast
// fitted, layers as they are.
func (s *Session) openImage() {
	s.picked.middle = true
	s.view.Image, s.view.Part = s.imageName(), s.currentPart().Name
	s.view.T, s.view.Z = 0, 0
	s.view.Zoom, s.view.At, s.view.Cross = 0, viewer.Point{}, viewer.Point{}
	s.view.Focus = viewer.Focus{}
	if s.errors.onlyHere {
		s.rebuildErrors()
	}
	s.changed(ViewChanged)
	s.load()
}

// load reads the planes that the view asks for, unless they are on screen or on their way. Until they come the old picture stays.
func (s *Session) load() {
	p := &s.picked
	src, ok := s.source()
	if !ok {
		s.unpick()
		s.changed(SceneChanged)
		s.exhibit() // points may make a picture of their own
		return
	}
	if s.other(s.view.Other) == nil {
		s.view.Other = "" // a run of a task that was left
	}
	key := s.key(src)
	if key == p.wanted {
		s.sharpen()
		return
	}
	s.stopPatch()
	if p.cancel != nil {
		p.cancel()
	}
	if key.src.Input != p.wanted.src.Input || key.projection.Kind != p.wanted.projection.Kind {
		p.freeze = true
		s.view.Tones = keepColours(s.view.Tones)
	}
	if p.wanted.sections && !key.sections {
		s.loader.forgetVolumes()
	}
	ahead := nextPlane(p.wanted, key)
	p.wanted = key
	ctx, cancel := context.WithCancel(s.ctx)
	p.cancel = cancel
	if o, scene, ok := s.loader.Prepared(src, func(shape raster.Shape) Picture { return key.inside(shape).picture() }); ok {
		o.hold() // for reading ahead
		go s.readAhead(ctx, o, ahead)
		s.show(key.inside(o.Shape), o, scene) // in this frame, not in the next
		s.scoreNext()
		return
	}
	s.outline(key)
	go s.read(ctx, key, ahead, s.watch(key, cancel))
	s.changed(SceneChanged)
}

// key says what the view asks for of a source.
func (s *Session) key(src Source) sceneKey {
	v := s.view
	key := sceneKey{src: src, t: v.T, z: v.Z, middle: s.picked.middle, report: s.Report(), row: s.currentPart().Row,
		projection: v.Project, other: s.otherKey(src)}
	if v.Layout == viewer.Ortho {
		key.sections = true
		if v.Cross != (viewer.Point{}) {
			key.cross = viewer.Point{Y: math.Floor(v.Cross.Y) + 0.5, X: math.Floor(v.Cross.X) + 0.5}
		}
	}
	return key
}

// outline gives the picture on screen empty sections while those that are asked for are read, so that panes come at once.
func (s *Session) outline(key sceneKey) {
	p := &s.picked
	if !key.sections || p.scene == nil || p.scene.XZ != nil || p.loaded.src != key.src || p.shape.Z < 2 {
		return
	}
	scene := *p.scene
	scene.XZ, scene.YZ = blankSections(&scene, p.shape.Z)
	p.scene = &scene
}

// read runs on its own goroutine: it posts the picture and then prepares the plane that comes next in the direction of travel.
func (s *Session) read(ctx context.Context, asked, ahead sceneKey, w *watch) {
	o, err := s.loader.Open(ctx, asked.src)
	if err != nil {
		s.post(func() { s.ended(w); s.loaded(ctx, asked, asked, nil, nil, []error{err}) })
		return
	}
	key := asked.inside(o.Shape)
	if o.overview() > 1 {
		defer w.patience().Stop()
	}
	scene, errs := s.loader.Picture(ctx, o, key.picture(), w.progress)
	o.hold() // for reading ahead, beyond the picture's own time
	s.post(func() { s.ended(w); s.loaded(ctx, asked, key, o, scene, errs) })
	s.readAhead(ctx, o, ahead)
}

// readAhead prepares the plane that will be asked for next, if it is one of the same picture. An error comes again then.
func (s *Session) readAhead(ctx context.Context, o *Opened, ahead sceneKey) {
	defer o.Release()
	if ahead.src == o.Source {
		ahead = ahead.inside(o.Shape)
		ahead.sections, ahead.other = false, otherKey{}
		s.loader.Picture(ctx, o, ahead.picture(), nil)
	}
}

// nextPlane goes one step on in the direction from old to new.
func nextPlane(old, now sceneKey) sceneKey {
	if old.src != now.src {
		return sceneKey{}
	}
	next := now
	next.t += sign(now.t - old.t)
	next.z += sign(now.z - old.z)
	return next
}

func sign(n int) int {
	switch {
	case n > 0:
		return 1
	case n < 0:
		return -1
	}
	return 0
}

// inside is the place that a key comes to in a stack of a given shape. A slice asked of a file that has only times is a time there.
func (k sceneKey) inside(shape raster.Shape) sceneKey {
	if k.middle {
		k.t, k.z, k.middle = 0, shape.Z/2, false
	}
	if shape.Z == 1 && shape.T > 1 && k.z > 0 {
		k.t, k.z = k.z, 0
	}
	k.t, k.z = max(0, min(k.t, shape.T-1)), max(0, min(k.z, shape.Z-1))
	return k
}

// loaded takes a picture that was read, unless the user has gone elsewhere since it was asked for. What could not be read of it is said.
func (s *Session) loaded(ctx context.Context, asked, key sceneKey, o *Opened, scene *render.Scene, errs []error) {
	s.batch(func() {
		defer s.scoreNext()
		if asked != s.picked.wanted || ctx.Err() != nil { // the same may be wanted again, of another read
			if o != nil {
				o.Release()
			}
			switch {
			case asked != s.picked.wanted:
			case asked.lasts():
				s.plainPicture()
			default: // the user has stopped the reading of a large plane
				s.forgetPicture()
				s.picked.loaded = s.picked.wanted
				s.changed(SceneChanged)
			}
			return
		}
		for _, err := range errs {
			s.complain(err)
		}
		if scene != nil {
			s.show(key, o, scene)
			return
		}
		if o != nil {
			o.Release()
		}
		s.forgetPicture()
		s.picked.loaded = s.picked.wanted
		s.changed(SceneChanged)
	})
}

// show puts a picture on screen.
func (s *Session) show(key sceneKey, o *Opened, scene *render.Scene) {
	p := &s.picked
	first := p.loaded.src != key.src
	if p.opened != nil {
		p.opened.Release()
	}
	p.opened, p.scene, p.shape, p.loaded, p.wanted = o, scene, o.Shape, key, key
	p.middle, p.patched = false, patchKey{}
	s.view.T, s.view.Z = key.t, key.z
	s.layOverlays(scene)
	s.exhibit()
	if p.freeze {
		p.freeze = false
		s.freezeContrast()
	}
	if first {
		for _, note := range o.Notes {
			s.say("warning", note)
		}
	}
	s.sharpen()
	s.changed(SceneChanged | ViewChanged | Pointer)
}

// freezeContrast fixes the contrast of a stack at that of its first plane shown, so that it does not flicker from plane to plane.
func (s *Session) freezeContrast() {
	p := &s.picked
	if p.shape.T*p.shape.Z == 1 || p.scene.RGB {
		return
	}
	for c := range p.scene.Channels {
		t := s.view.Tone(c)
		t.Lo, t.Hi = p.scene.Channels[c].Auto()
		s.view = s.view.WithTone(c, t)
	}
}

// plainChannels forgets which channels are shown and how: that belongs to the images of one task. Masks, whose objects mean nothing, are shown
// pixel by pixel.
func (s *Session) plainChannels() {
	s.view.Tones, s.view.Single, s.view.Channel = nil, false, 0
	s.view.Chart, s.view.Other = "", ""
	e := s.entry()
	s.view.Mask = e != nil && e.task != nil && scoring.Binary(e.task.Spec.TaskID)
}

// keepColours forgets contrast limits, which belong to one image, and keeps what the user chose of colours.
func keepColours(tones []viewer.Tone) []viewer.Tone {
	kept := make([]viewer.Tone, len(tones))
	for i, t := range tones {
		kept[i] = viewer.Tone{Off: t.Off, LUT: t.LUT, Gamma: t.Gamma}
	}
	return kept
}

func (s *Session) forgetPicture() {
	p := &s.picked
	if p.opened != nil {
		p.opened.Release()
	}
	p.opened, p.scene, p.shape = nil, nil, raster.Shape{}
}

// unpick drops the picture and what is on its way.
func (s *Session) unpick() {
	if s.picked.cancel != nil {
		s.picked.cancel()
	}
	s.stopPatch()
	s.forgetPicture()
	s.picked = picked{}
}

// Scene is what is on screen, nil for nothing. It lags behind the view while Loading. While blinking it says in a corner what is shown.
func (s *Session) Scene() *render.Scene {
	if !s.blink || s.picked.scene == nil {
		return s.picked.scene
	}
	scene := *s.picked.scene
	scene.Badge = "answer"
	switch other := scene.Other; {
	case other != nil && s.blinkTruth:
		scene = *other
		scene.XZ, scene.YZ = s.picked.scene.XZ, s.picked.scene.YZ
		scene.Badge = other.Title
	case other != nil:
		scene.Badge = scene.Title
	case s.blinkTruth:
		scene.Badge = "truth"
	}
	return &scene
}

// Loading tells that planes are being read, or parts of a large one.
func (s *Session) Loading() bool { return s.picked.wanted != s.picked.loaded || s.patch.cancel != nil }

// Plane is the frame and slice that are on screen, which lag behind the view while Loading.
func (s *Session) Plane() (t, z int) {
	if s.picked.scene == nil {
		return s.view.T, s.view.Z
	}
	return s.picked.loaded.t, s.picked.loaded.z
}

// Shape is the shape of the image on screen, all zero for none.
func (s *Session) Shape() raster.Shape { return s.picked.shape }
