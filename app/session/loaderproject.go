package session

import (
	"coverslip/datasets/raster"
	"coverslip/viewer"
	"coverslip/viewer/render"
)

// span is the planes that a projection takes in: from..to-1 along one axis. The zero span is no projection.
type span struct {
	kind     viewer.ProjectionKind
	time     bool
	from, to int
}

// spanOf is the span of a picture in an image of that shape.
func spanOf(p Picture, shape raster.Shape) span {
	if p.Projection.Kind == viewer.NoProjection {
		return span{}
	}
	sp := span{kind: p.Projection.Kind, time: p.Projection.Time}
	if sp.time {
		sp.from, sp.to = render.Span(p.Projection, p.T, shape.T)
	} else {
		sp.from, sp.to = render.Span(p.Projection, p.Z, shape.Z)
	}
	return sp
}

func (sp span) planes() int { return sp.to - sp.from }

// place is the ith plane's time and slice, for a picture at t and z.
func (sp span) place(t, z, i int) (int, int) {
	if sp.time {
		return sp.from + i, z
	}
	return t, sp.from + i
}

// key names the projection whatever plane of the span the picture stands at.
func (sp span) key(path string, t, z, c int) planeKey {
	if sp.time {
		t = 0
	} else {
		z = 0
	}
	return planeKey{path, t, z, c, sp}
}

// planes is how many planes a picture may have to read, all channels of a place counted as one.
func (p Picture) planes(o *Opened) int {
	layers := 0
	for _, l := range []*Layer{o.Input, o.Answer, o.Truth} {
		if l != nil {
			layers++
		}
	}
	n := 0
	if sp := spanOf(p, o.Shape); sp.planes() > 1 {
		n += sp.planes() * layers
	}
	if p.Sections {
		n += o.Shape.Z * layers
	}
	return n
}

// planesAt are the channels of an input at one place, those of a colour table in red, green and blue.
func (layer *Layer) planesAt(t, z int, r *reader) ([]raster.Plane, error) {
	if layer.coloured() {
		indices, err := r.plane(layer, t, z, 0)
		if err != nil {
			return nil, err
		}
		planes := make([]raster.Plane, 3)
		for c := range planes {
			planes[c] = colourOf(indices, layer.Stack.Palette, c)
		}
		return planes, nil
	}
	planes := make([]raster.Plane, layer.Stack.Shape.C)
	for c := range planes {
		var err error
		if planes[c], err = r.plane(layer, t, z, c); err != nil {
			return nil, err
		}
	}
	return planes, nil
}

func (layer *Layer) channelCount() int {
	if layer.coloured() {
		return 3
	}
	return layer.Stack.Shape.C
}

// projectChannels makes one channel of the planes of a span, for each channel of an input. Planes that cannot be read are missing from
// the projection, and the error says so.
func (l *Loader) projectChannels(layer *Layer, p Picture, sp span, r *reader) ([]render.Channel, error) {
	n := layer.channelCount()
	channels := make([]render.Channel, n)
	known := 0
	l.mu.Lock()
	for c := range channels {
		var ok bool
		if channels[c], ok = l.channels.get(sp.key(layer.Path, p.T, p.Z, c)); ok {
			known++
		}
	}
	l.mu.Unlock()
	if known == n {
		r.step(sp.planes())
		return channels, nil
	}
	projectors := make([]*render.Projector, n)
	for c := range projectors {
		projectors[c] = render.NewProjector(sp.kind, sp.from)
	}
	broken, err := sp.each(p, r, func(t, z int) error {
		planes, err := layer.planesAt(t, z, r)
		for c, projector := range projectors {
			if err != nil {
				projector.Skip()
			} else {
				projector.Add(planes[c])
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for c := range channels {
		channels[c] = layer.describe(projectors[c].Channel().Coarse(layer.step), c)
		if broken == nil {
			l.mu.Lock()
			l.channels.put(sp.key(layer.Path, p.T, p.Z, c), channels[c], 2*channels[c].Plane.Bytes())
			l.mu.Unlock()
		}
	}
	return channels, broken
}

// each visits the planes of a span in order. An error that costs only one plane is broken, the first of them.
func (sp span) each(p Picture, r *reader, visit func(t, z int) error) (broken, err error) {
	for i := range sp.planes() {
		t, z := sp.place(p.T, p.Z, i)
		switch err := visit(t, z); {
		case fatal(err):
			return nil, err
		case err != nil && broken == nil:
			broken = err
		}
		r.step(1)
	}
	return broken, nil
}

// projectLabels makes one label plane of those of a span: every pixel has the object of the first plane that has one there.
func (l *Loader) projectLabels(o *Opened, layer *Layer, p Picture, sp span, r *reader) (*render.Labels, error) {
	key := sp.key(layer.Path, p.T, p.Z, 0)
	key.span.kind = viewer.MaxProjection // the same for all kinds
	l.mu.Lock()
	known, ok := l.labels.get(key)
	l.mu.Unlock()
	if ok {
		r.step(sp.planes())
		return known, nil
	}
	projector := render.NewLabelProjector()
	broken, err := sp.each(p, r, func(t, z int) error {
		t, z, ok := labelPlace(layer.Stack.Shape, o.Shape, t, z)
		if !ok {
			return nil
		}
		plane, err := r.plane(layer, t, z, 0)
		if err == nil {
			projector.Add(plane)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	plane := projector.Plane()
	if plane.Values == nil {
		return nil, broken
	}
	labels := layer.prepareLabels(plane)
	if broken == nil {
		l.mu.Lock()
		l.labels.put(key, labels, labelBytes*plane.H*plane.W)
		l.mu.Unlock()
	}
	return labels, broken
}
