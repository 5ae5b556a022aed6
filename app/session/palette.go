package session

import (
	"coverslip/datasets/raster"
	"coverslip/viewer/render"
)

// coloured tells an image whose stored numbers are indices of a colour table. Label layers show the indices all the same.
func (l *Layer) coloured() bool {
	return len(l.Stack.Palette) > 0 && l.Stack.Shape.C == 1 && (l.Stack.Type == raster.Uint8 || l.Stack.Type == raster.Uint16)
}

// paletteChannels prepares the red, green and blue of an image with a colour table.
func (l *Loader) paletteChannels(layer *Layer, t, z int, r *reader) ([]render.Channel, error) {
	channels := make([]render.Channel, 3)
	var indices raster.Plane
	for c := range channels {
		key := planeKey{path: layer.Path, t: t, z: z, c: c}
		l.mu.Lock()
		known, ok := l.channels.get(key)
		l.mu.Unlock()
		if ok {
			channels[c] = known
			continue
		}
		if indices.Values == nil {
			var err error
			if indices, err = r.plane(layer, t, z, 0); err != nil {
				return nil, err
			}
		}
		ch, cost := layer.prepare(colourOf(indices, layer.Stack.Palette, c))
		channels[c] = layer.describe(ch, c)
		l.mu.Lock()
		l.channels.put(key, channels[c], cost)
		l.mu.Unlock()
	}
	return channels, nil
}

// colourOf is one of the three colours of a plane of indices; an index beyond the table is black.
func colourOf(p raster.Plane, palette [][3]uint8, c int) raster.Plane {
	values := make([]uint8, p.H*p.W)
	look := func(i, index int) {
		if index < len(palette) {
			values[i] = palette[index][c]
		}
	}
	switch v := p.Values.(type) {
	case []uint8:
		for i, index := range v {
			look(i, int(index))
		}
	case []uint16:
		for i, index := range v {
			look(i, int(index))
		}
	}
	return raster.Plane{H: p.H, W: p.W, Type: raster.Uint8, Values: values}
}
