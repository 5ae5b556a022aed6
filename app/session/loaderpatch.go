package session

import (
	"context"
	"image"

	"coverslip/datasets/raster"
	"coverslip/viewer/render"
)

// patchKey names a patch of the planes of one place: a rectangle, reduced to blocks of a side of step pixels.
type patchKey struct {
	path string
	t, z int
	area image.Rectangle
	step int
}

// patchesOver are patches that were read before and cover an area.
func (l *Loader) patchesOver(want patchKey) (patchKey, []*render.Patch) {
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

// readPatches reads a patch of all channels of an input that are shown as overviews, and remembers it.
func (l *Loader) readPatches(ctx context.Context, o *Opened, key patchKey, channels []render.Channel) ([]*render.Patch, error) {
	patches, cost := make([]*render.Patch, len(channels)), 0
	for c := range channels {
		p, err := o.Input.finer(ctx, key, c)
		if err != nil {
			return nil, err
		}
		if patches[c] = channels[c].PreparePatch(p, key.area.Min, key.step); patches[c] != nil {
			cost += preparedBytes(p.Type) * p.H * p.W
		}
	}
	l.mu.Lock()
	l.patches.put(key, patches, cost)
	l.mu.Unlock()
	return patches, ctx.Err()
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

// withPatches is the scene with patches over its channels.
func withPatches(scene *render.Scene, patches []*render.Patch) *render.Scene {
	s := *scene
	s.Channels = append([]render.Channel(nil), scene.Channels...)
	for c := range s.Channels {
		s.Channels[c].Patch = nil
		if c < len(patches) {
			s.Channels[c].Patch = patches[c]
		}
	}
	if scene.Other != nil {
		other := *scene.Other
		other.Channels = s.Channels
		s.Other = &other
	}
	return &s
}
