package session

import (
	"context"
	"image"

	"coverslip/datasets/raster"
	"coverslip/viewer/render"
)

// patchKey names a patch of the planes of one place: a rectangle, reduced to blocks of a side of step pixels.
type patchKey struct {
	src  Source
	t, z int
	area image.Rectangle
	step int
}

// patch is finer samples of a part of a picture's planes: by channel of the input, and of label planes. What is not large has none.
type patch struct {
	channels      []*render.Patch
	answer, truth *render.LabelPatch
}

// overview is the side of the largest blocks that the picture is shown as, 1 where all planes are held whole.
func (o *Opened) overview() int {
	step := 1
	for _, l := range []*Layer{o.Input, o.Answer, o.Truth} {
		if l != nil {
			step = max(step, l.step)
		}
	}
	return step
}

// patchOver is a patch that was read before and covers an area, nil for none.
func (l *Loader) patchOver(want patchKey) (patchKey, *patch) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key := range l.patches.slots {
		named := key
		if named.area = want.area; named == want && want.area.In(key.area) {
			found, _ := l.patches.get(key)
			return key, found
		}
	}
	return patchKey{}, nil
}

// readPatch reads a patch for a scene, whose planes are shown as overviews, and remembers it.
func (l *Loader) readPatch(ctx context.Context, o *Opened, key patchKey, scene *render.Scene) (*patch, error) {
	out, cost := new(patch), 0
	for c := range scene.Channels {
		if o.Input.step <= key.step {
			break
		}
		p, err := o.Input.finer(ctx, key, c)
		if err != nil {
			return nil, err
		}
		fine := scene.Channels[c].PreparePatch(p, key.area.Min, key.step)
		out.channels = append(out.channels, fine)
		cost += preparedBytes(p.Type) * p.H * p.W
	}
	for _, side := range []struct {
		layer *Layer
		over  *render.Labels
		to    **render.LabelPatch
	}{{o.Answer, scene.Answer, &out.answer}, {o.Truth, scene.Truth, &out.truth}} {
		if side.layer == nil || side.over == nil || side.layer.step <= key.step {
			continue
		}
		fine, err := side.layer.finerLabels(ctx, o, key, side.over)
		if err != nil {
			return nil, err
		}
		if *side.to = fine; fine != nil {
			cost += fine.Bytes()
		}
	}
	l.mu.Lock()
	l.patches.put(key, out, cost)
	l.mu.Unlock()
	return out, ctx.Err()
}

// finer reads a part of channel c, those of a colour table in red, green and blue.
func (layer *Layer) finer(ctx context.Context, key patchKey, c int) (raster.Plane, error) {
	if !layer.coloured() {
		return layer.region(ctx, key.t, key.z, c, key.area, key.step)
	}
	indices, err := layer.region(ctx, key.t, key.z, 0, key.area, key.step)
	if err != nil {
		return indices, err
	}
	return colourOf(indices, layer.Stack.Palette, c), nil
}

// finerLabels reads a part of the label plane that lies over an image; nil where that ends before.
func (layer *Layer) finerLabels(ctx context.Context, o *Opened, key patchKey, over *render.Labels) (*render.LabelPatch, error) {
	sh := layer.Stack.Shape
	t, z, ok := labelPlace(sh, o.Shape, key.t, key.z)
	area := key.area.Intersect(image.Rect(0, 0, sh.X, sh.Y))
	if !ok || area.Empty() {
		return nil, nil
	}
	p, err := layer.region(ctx, t, z, 0, area, key.step)
	if err != nil {
		return nil, err
	}
	return over.PreparePatch(p, area.Min, key.step), nil
}

// over lays the patch over a scene.
func (p *patch) over(scene *render.Scene) *render.Scene {
	s := *scene
	s.Channels = append([]render.Channel(nil), scene.Channels...)
	for c := range s.Channels {
		s.Channels[c].Patch = nil
		if c < len(p.channels) {
			s.Channels[c].Patch = p.channels[c]
		}
	}
	s.Answer, s.Truth = s.Answer.WithPatch(p.answer), s.Truth.WithPatch(p.truth)
	if scene.Other != nil {
		other := *scene.Other
		other.Channels = s.Channels
		s.Other = &other
	}
	return &s
}
