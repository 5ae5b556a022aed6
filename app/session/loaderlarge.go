package session

import (
	"context"
	"image"

	"coverslip/datasets/raster"
	"coverslip/datasets/raster/pixel"
	"coverslip/viewer/render"
)

// A plane of more than largePlane pixels is not held whole: the picture has an overview of it, the means of blocks, and where it is
// shown larger than that a patch of finer samples (patch.go). Projections and sections of such planes are those of their overviews.
const largePlane = 4096 * 4096

// overviewStep is the side of the blocks of an overview: as fine as fits into what is kept of prepared planes.
func (l *Loader) overviewStep(s *raster.Stack, labels bool) int {
	size := s.Shape.Y * s.Shape.X
	if size <= largePlane {
		return 1
	}
	bytes, limit := preparedBytes(s.Type)*s.Shape.C, l.channels.limit/6*5
	if labels {
		bytes, limit = labelBytes, l.labels.limit/6*5
	}
	step := 2
	for size/(step*step) > min(largePlane, limit/bytes) && step < 1<<14 {
		step *= 2
	}
	return step
}

// preparedBytes is about what a sample takes when it is ready to be drawn: itself, its codes where it has some, and halved copies.
func preparedBytes(t raster.Type) int {
	switch t {
	case raster.Bool, raster.Uint8:
		return 2
	case raster.Uint16:
		return 3
	}
	return t.Held() + 3
}

// labelBytes is about what a sample of a label plane takes when it is ready to be drawn.
const labelBytes = 5

// large tells whether the layer's planes are shown as overviews.
func (layer *Layer) large() bool { return layer.step > 1 }

// plane reads a plane, or its overview.
func (layer *Layer) plane(ctx context.Context, t, z, c int) (raster.Plane, error) {
	if !layer.large() {
		return layer.Stack.Plane(ctx, t, z, c)
	}
	return layer.region(ctx, t, z, c, image.Rect(0, 0, layer.Stack.Shape.X, layer.Stack.Shape.Y), layer.step)
}

// region reads a part of a plane. Numbers of objects or of colours have no mean.
func (layer *Layer) region(ctx context.Context, t, z, c int, r image.Rectangle, step int) (raster.Plane, error) {
	if layer.labels || layer.coloured() {
		return layer.Stack.Corners(ctx, t, z, c, r, step)
	}
	return layer.Stack.Region(ctx, t, z, c, r, step)
}

// prepare readies a plane of the layer, and gives about the memory that it takes.
func (layer *Layer) prepare(p raster.Plane) (ch render.Channel, bytes int) {
	if !layer.large() {
		return render.PrepareChannel(p), 2 * p.Bytes()
	}
	return render.PrepareOverview(p, layer.step), preparedBytes(p.Type) * p.H * p.W
}

// prepareLabels readies a label plane of the layer.
func (layer *Layer) prepareLabels(p raster.Plane) *render.Labels {
	return render.PrepareLabels(p, layer.palette).Spread(layer.step, layer.Stack.Shape.Y, layer.Stack.Shape.X)
}

// spread gives sections through overviews the length of the plane's sides, each sample as often as its block is long.
func (layer *Layer) spread(xz, yz raster.Plane) (raster.Plane, raster.Plane) {
	if !layer.large() || xz.Values == nil {
		return xz, yz
	}
	sh := layer.Stack.Shape
	return repeated(xz, xz.H, sh.X, 1, layer.step), repeated(yz, sh.Y, yz.W, layer.step, 1)
}

// repeated is a plane of h x w samples, each of p's standing for a block of dy x dx.
func repeated(p raster.Plane, h, w, dy, dx int) raster.Plane {
	out := raster.Plane{H: h, W: w, Type: p.Type, Values: pixel.New(p.Type, h*w)}
	from, to, size := pixel.Memory(p.Values), pixel.Memory(out.Values), p.Type.Held()
	for y := range h {
		row, line := from[y/dy*p.W*size:], to[y*w*size:(y+1)*w*size]
		for x := range w {
			copy(line[x*size:(x+1)*size], row[x/dx*size:])
		}
	}
	return out
}
