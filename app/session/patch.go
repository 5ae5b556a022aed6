package session

import (
	"context"
	"image"
	"math"

	"coverslip/viewer"
	"coverslip/viewer/render"
)

// patching is the patch of a large plane that is on its way to the screen, and where the picture is moving.
type patching struct {
	wanted patchKey
	cancel context.CancelFunc // nil: none is on its way
	seen   image.Rectangle    // the part of the image that was shown last
	dy, dx int                // direction in which it moved, -1 to 1
}

// sharpen sees to it that a large plane is shown as sharply as the zoom asks for: from a patch that covers what is shown and a
// margin, more of it in the direction of travel. A new one is read before the picture comes to the edge of the old one; what is read for
// a place that was left is given up.
func (s *Session) sharpen() {
	p := &s.picked
	if p.scene == nil || p.opened == nil || p.loaded != p.wanted || p.opened.overview() == 1 || p.loaded.projection.Kind != viewer.NoProjection {
		s.stopPatch()
		return
	}
	seen, step := s.seen()
	s.patch.move(seen)
	if step >= p.opened.overview() || seen.Empty() {
		s.stopPatch()
		return
	}
	key := patchKey{src: p.loaded.src, t: p.loaded.t, z: p.loaded.z, area: seen, step: step}
	soon := key
	soon.area = s.patch.ahead(seen, 8).Intersect(s.whole())
	have, finer := s.loader.patchOver(soon)
	if finer == nil {
		have, finer = s.loader.patchOver(key)
	}
	if finer != nil && p.patched != have {
		p.patched = have
		p.scene = finer.over(p.scene)
		s.changed(SceneChanged)
	}
	if finer != nil && soon.area.In(have.area) {
		s.stopPatch()
		return
	}
	if w := s.patch.wanted; s.patch.cancel != nil {
		named := w
		if named.area = seen; named == key && seen.In(w.area) {
			return // what is on its way covers it
		}
	}
	s.stopPatch()
	key.area = s.patch.room(seen, step, p.opened.overview()).Intersect(s.whole())
	s.readPatch(key)
}

// readPatch reads a patch in the background and puts it on screen if it is still wanted.
func (s *Session) readPatch(key patchKey) {
	ctx, cancel := context.WithCancel(s.ctx)
	s.patch.wanted, s.patch.cancel = key, cancel
	o, scene := s.picked.opened, s.picked.scene
	o.hold()
	go func() {
		_, err := s.loader.readPatch(ctx, o, key, scene)
		o.Release()
		s.post(func() {
			if ctx.Err() != nil {
				return
			}
			cancel()
			s.patch.wanted, s.patch.cancel = patchKey{}, nil
			s.batch(func() {
				if err != nil {
					s.complain(err)
				} else {
					s.sharpen()
				}
				s.scoreNext()
				s.changed(Pointer)
			})
		})
	}()
}

// stopPatch gives up what is on its way.
func (s *Session) stopPatch() {
	if s.patch.cancel != nil {
		s.patch.cancel()
	}
	s.patch.wanted, s.patch.cancel = patchKey{}, nil
}

func (s *Session) whole() image.Rectangle {
	return image.Rect(0, 0, s.picked.shape.X, s.picked.shape.Y)
}

// seen is the part of the image that the picture shows, and the side of the blocks that it is drawn from.
func (s *Session) seen() (r image.Rectangle, step int) {
	return seenIn(s.picked.scene, s.Shown())
}

// seenIn is the part of a scene's image that a view shows, and the side of the blocks that it is drawn from.
func seenIn(scene *render.Scene, v viewer.View) (r image.Rectangle, step int) {
	step = math.MaxInt
	add := func(cam render.Camera, size image.Point) {
		a, b := cam.ToImage(0, 0), cam.ToImage(float64(size.Y), float64(size.X))
		const most = 1 << 30
		whole := func(x float64) int { return int(math.Max(-most, math.Min(most, x))) }
		r = r.Union(image.Rect(whole(math.Floor(a.X)), whole(math.Floor(a.Y)), whole(math.Ceil(b.X)), whole(math.Ceil(b.Y))))
		step = min(step, cam.Step())
	}
	var panes []render.Pane
	if v.Layout != viewer.One {
		panes = render.Panes(scene, v, v.Size.X, v.Size.Y)
	}
	for _, p := range panes {
		if p.Plane == render.XY {
			add(p.Camera, p.Rect.Size())
		}
	}
	if len(panes) == 0 {
		add(render.CameraOf(v, scene.H, scene.W, v.Size.X, v.Size.Y), v.Size)
	}
	r = r.Inset(-2 * min(step, 1<<20)) // samples beside the picture are mixed into its edge
	return r.Intersect(image.Rect(0, 0, scene.W, scene.H)), step
}

// move notes where the picture goes.
func (p *patching) move(seen image.Rectangle) {
	if seen == p.seen {
		return
	}
	if seen.Size() == p.seen.Size() && seen.Overlaps(p.seen) {
		p.dy, p.dx = sign(seen.Min.Y-p.seen.Min.Y), sign(seen.Min.X-p.seen.Min.X)
	} else {
		p.dy, p.dx = 0, 0
	}
	p.seen = seen
}

// ahead is a rectangle with an nth of its size more in the direction of travel.
func (p *patching) ahead(r image.Rectangle, n int) image.Rectangle {
	return r.Union(r.Add(image.Pt(p.dx*r.Dx()/n, p.dy*r.Dy()/n)))
}

// room is what is read for a part of the image: a margin of a quarter on each side, half as much again ahead, to whole blocks.
func (p *patching) room(seen image.Rectangle, step, overview int) image.Rectangle {
	r := p.ahead(seen, 2)
	r = image.Rect(r.Min.X-seen.Dx()/4, r.Min.Y-seen.Dy()/4, r.Max.X+seen.Dx()/4, r.Max.Y+seen.Dy()/4)
	block := max(64*step, overview)
	down := func(n int) int { return max(n, 0) / block * block }
	up := func(n int) int { return (n + block - 1) / block * block }
	return image.Rect(down(r.Min.X), down(r.Min.Y), up(r.Max.X), up(r.Max.Y))
}

// sharpened is a scene with the patch that a view of it needs, for pictures that are drawn apart from the screen.
func (l *Loader) sharpened(ctx context.Context, o *Opened, scene *render.Scene, v viewer.View) (*render.Scene, error) {
	if scene == nil || o == nil || o.overview() == 1 || v.Project.Kind != viewer.NoProjection {
		return scene, nil
	}
	seen, step := seenIn(scene, v)
	if step >= o.overview() || seen.Empty() {
		return scene, nil
	}
	key := patchKey{src: o.Source, t: scene.T, z: scene.Z, area: seen, step: step}
	if _, known := l.patchOver(key); known != nil {
		return known.over(scene), nil
	}
	key.area = new(patching).room(seen, step, o.overview()).Intersect(image.Rect(0, 0, scene.W, scene.H))
	finer, err := l.readPatch(ctx, o, key, scene)
	if err != nil {
		return nil, err
	}
	return finer.over(scene), nil
}

// CacheUse is the bytes of planes that are held, decoded or ready to be drawn, and the most that may be.
func (s *Session) CacheUse() (used, limit int) { return s.loader.use() }
