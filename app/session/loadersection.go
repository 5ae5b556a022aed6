package session

import (
	"coverslip/datasets/raster"
	"coverslip/viewer"
	"coverslip/viewer/render"
)

// Sections need a row or a column of every slice. The slices of one time are read once and held as a volume as long as sections
// are shown, if all layers together fit into the memory that the loader may take; else every new place of the cross-hair reads them
// again, one after the other.

// volumeKey names the slices of a layer at one time of the image.
type volumeKey struct {
	path   string
	t      int
	labels bool
}

// volume is the channels of every slice; a slice that cannot be read has none.
type volume struct {
	slices [][]raster.Plane
	broken error // the first reason
}

// sectionKey names the sections of a layer through one pixel.
type sectionKey struct {
	volumeKey
	y, x int
}

// sections are those of a layer, prepared: an input's by channel, or those of labels.
type sections struct {
	xz, yz             []render.Channel
	labelsXZ, labelsYZ *render.Labels
	broken             error
}

// addSections puts the sections through the picture's cross into a scene.
func (l *Loader) addSections(s *render.Scene, o *Opened, p Picture, r *reader) (errs []error) {
	if o.Shape.Z < 2 {
		return nil
	}
	s.XZ, s.YZ = blankSections(s, o.Shape.Z)
	cross := render.CrossOf(s, viewer.View{Cross: p.Cross})
	y, x := int(cross.Y), int(cross.X)
	held := l.volumeBytes(o) <= l.volumes.limit
	get := func(layer *Layer, labels bool) *sections {
		if layer == nil {
			return &sections{}
		}
		cut, err := l.sectionsOf(o, layer, sectionKey{volumeKey{layer.Path, p.T, labels}, y, x}, held, r)
		if err == nil {
			err = cut.broken
		}
		if err != nil {
			errs = append(errs, err)
		}
		return cut
	}
	image, answer, truth := get(o.Input, false), get(o.Answer, true), get(o.Truth, true)
	if fatal(first(errs)) {
		return errs
	}
	s.XZ.Channels, s.YZ.Channels = image.xz, image.yz
	s.XZ.Answer, s.XZ.Truth = dressed(answer.labelsXZ, truth.labelsXZ, p.Styles, o.Source.Truth)
	s.YZ.Answer, s.YZ.Truth = dressed(answer.labelsYZ, truth.labelsYZ, p.Styles, o.Source.Truth)
	return errs
}

func first(errs []error) error {
	if len(errs) == 0 {
		return nil
	}
	return errs[0]
}

// blankSections are the sections of a stack of so many slices before they are read.
func blankSections(s *render.Scene, depth int) (xz, yz *render.Scene) {
	xz = &render.Scene{H: depth, W: s.W, RGB: s.RGB, Calibration: s.Calibration}
	yz = &render.Scene{H: s.H, W: depth, RGB: s.RGB, Calibration: s.Calibration}
	return xz, yz
}

// volumeBytes is the memory that all slices of one time take.
func (l *Loader) volumeBytes(o *Opened) int {
	n := 0
	for _, layer := range []*Layer{o.Input, o.Answer, o.Truth} {
		if layer == nil {
			continue
		}
		sh, held := layer.Stack.Shape, layer.Stack.Type.Held()
		channels := 1
		if layer == o.Input {
			channels = layer.channelCount()
		}
		n += o.Shape.Z * channels * sh.Y * sh.X * held / (layer.step * layer.step)
	}
	return n
}

// sectionsOf cuts a layer, and remembers what came of it.
func (l *Loader) sectionsOf(o *Opened, layer *Layer, key sectionKey, held bool, r *reader) (*sections, error) {
	l.mu.Lock()
	known, ok := l.sections.get(key)
	l.mu.Unlock()
	if ok {
		r.step(o.Shape.Z)
		return known, nil
	}
	n := 1
	if !key.labels {
		n = layer.channelCount()
	}
	cuts := make([]*render.Sections, n)
	for c := range cuts {
		cuts[c] = render.NewSections(key.y/layer.step, key.x/layer.step, o.Shape.Z)
	}
	broken, err := l.eachSlice(o, layer, key.volumeKey, held, r, func(z int, channels []raster.Plane) {
		for c, plane := range channels {
			cuts[c].Add(z, plane)
		}
	})
	if err != nil {
		return &sections{}, err
	}
	out, cost := prepareSections(layer, cuts, key.labels)
	out.broken = broken
	l.mu.Lock()
	l.sections.put(key, out, cost)
	l.mu.Unlock()
	return out, nil
}

// prepareSections readies cuts for display; cost is about the bytes that they take.
func prepareSections(layer *Layer, cuts []*render.Sections, labels bool) (out *sections, cost int) {
	out = new(sections)
	for c, cut := range cuts {
		xz, yz := layer.spread(cut.XZ(), cut.YZ())
		if xz.Values == nil {
			continue
		}
		if labels {
			out.labelsXZ, out.labelsYZ = render.PrepareLabels(xz, layer.palette), render.PrepareLabels(yz, layer.palette)
			return out, 5 * (xz.H*xz.W + yz.H*yz.W)
		}
		out.xz = append(out.xz, layer.describe(render.PrepareChannel(xz), c))
		out.yz = append(out.yz, layer.describe(render.PrepareChannel(yz), c))
		cost += 2 * (xz.Bytes() + yz.Bytes())
	}
	return out, cost
}

// eachSlice visits the slices of a layer at one time of the image, from memory where they are held. An error that costs only one
// slice is broken.
func (l *Loader) eachSlice(o *Opened, layer *Layer, key volumeKey, held bool, r *reader, visit func(z int, channels []raster.Plane)) (broken, err error) {
	l.mu.Lock()
	vol, ok := l.volumes.get(key)
	l.mu.Unlock()
	if ok {
		for z, channels := range vol.slices {
			visit(z, channels)
		}
		r.step(o.Shape.Z)
		return vol.broken, nil
	}
	if r.prepared {
		return nil, errNotPrepared
	}
	vol = &volume{slices: make([][]raster.Plane, o.Shape.Z)}
	cost := 0
	for z := range o.Shape.Z {
		channels, err := layer.slice(o, key, z, r)
		switch {
		case fatal(err):
			return nil, err
		case err != nil && vol.broken == nil:
			vol.broken = err
		}
		visit(z, channels)
		if held {
			vol.slices[z] = channels
			for _, p := range channels {
				cost += p.Bytes()
			}
		}
		r.step(1)
	}
	if held {
		l.mu.Lock()
		l.volumes.put(key, vol, cost)
		l.mu.Unlock()
	}
	return vol.broken, nil
}

// slice reads the channels of one slice, or the label plane that lies over it; none where there is none.
func (layer *Layer) slice(o *Opened, key volumeKey, z int, r *reader) ([]raster.Plane, error) {
	if !key.labels {
		return layer.planesAt(key.t, z, r)
	}
	t, z, ok := labelPlace(layer.Stack.Shape, o.Shape, key.t, z)
	if !ok {
		return nil, nil
	}
	plane, err := r.plane(layer, t, z, 0)
	if err != nil {
		return nil, err
	}
	return []raster.Plane{plane}, nil
}

// held is a plane of an input's volume, if that is in memory.
func (l *Loader) held(layer *Layer, t, z, c int) (raster.Plane, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	vol, ok := l.volumes.get(volumeKey{path: layer.Path, t: t})
	if !ok || layer.coloured() || z >= len(vol.slices) || c >= len(vol.slices[z]) {
		return raster.Plane{}, false
	}
	return vol.slices[z][c], true
}

// forgetVolumes gives back the memory of volumes when sections are no longer shown.
func (l *Loader) forgetVolumes() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.volumes.clear()
}

// addOther reads the other run's labels into a scene of its own over the same image.
func (l *Loader) addOther(s *render.Scene, o *Opened, p Picture, r *reader) error {
	other := *s
	other.XZ, other.YZ, other.Answer = nil, nil, nil
	other.Title, s.Title = p.Against.Title, p.Against.Facing
	s.Other = &other
	if p.Against.Source.Answer == "" {
		return nil
	}
	run, err := r.open(p.Against.Source)
	if err != nil {
		return err
	}
	defer run.Release()
	answer, err := l.labelsOf(o, run.Answer, p, r)
	truth := s.Truth
	if truth != nil {
		truth = truth.SetStyles(nil)
	}
	other.Answer, other.Truth = dressed(answer, truth, p.Against.Styles(p.T), o.Source.Truth)
	return err
}
