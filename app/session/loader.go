package session

import (
	"context"
	"errors"
	"sync"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster"
	"coverslip/viewer/render"
)

// Source names the files of one picture and how to read them.
type Source struct {
	Input, Answer, Truth string             // "" where there is none
	Unnamed              byte               // 'Z' or 'T': what a lone unnamed axis means in this task
	Axes                 string             // of the input as the user reassigned them, "" for the file's own
	Calibration          raster.Calibration // of the task, used where the file has none
	Blank                raster.Shape       // of the picture where there is no file at all
}

// Styles say how the errors layer draws objects, by label id. Where an image could not be judged, all of the truth is missed and all
// of the answer is extra.
type Styles struct {
	Answer, Truth map[int64]render.Style
	Unjudged      bool
}

// Loader opens the files of pictures and prepares their planes. It is safe for use by several goroutines and remembers what it
// prepared, up to a number of bytes.
type Loader struct {
	planes *raster.Cache

	mu       sync.Mutex
	opened   *lru[Source, *Opened]
	channels *lru[planeKey, render.Channel]
	labels   *lru[planeKey, *render.Labels]
	volumes  *lru[volumeKey, *volume]
	sections *lru[sectionKey, *sections]
	patches  *lru[patchKey, *patch]
}

// planeKey names what was prepared: a plane, or a projection of several.
type planeKey struct {
	path    string
	t, z, c int
	span    span
}

// openedLimit bounds the pictures whose files are kept open.
const openedLimit = 8

// NewLoader makes a loader that holds about so many bytes: half of them decoded planes, half prepared for display; while sections are
// shown, up to as much again of the slices that they are cut from. The garbage
// collector lets the process grow to about twice of it.
func NewLoader(bytes int) *Loader {
	return &Loader{
		planes:   raster.NewCache(bytes / 2),
		opened:   newLRU[Source](openedLimit, (*Opened).Release),
		channels: newLRU[planeKey, render.Channel](bytes/4, nil),
		labels:   newLRU[planeKey, *render.Labels](bytes/4, nil),
		volumes:  newLRU[volumeKey, *volume](bytes, nil),
		sections: newLRU[sectionKey, *sections](bytes/16, nil),
		patches:  newLRU[patchKey, *patch](bytes/4, nil),
	}
}

// Close closes all files that are not in use.
func (l *Loader) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.opened.clear()
}

// Forget closes all files that are not in use and drops what was prepared, since the files may have changed.
func (l *Loader) Forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.opened.clear()
	l.channels.clear()
	l.labels.clear()
	l.volumes.clear()
	l.sections.clear()
	l.patches.clear()
}

// use is the bytes that are held and the most that may be; each part of them has a limit of its own.
func (l *Loader) use() (used, limit int) {
	used, limit = l.planes.Used(), l.planes.Limit()
	l.mu.Lock()
	defer l.mu.Unlock()
	used += l.channels.used + l.labels.used + l.volumes.used + l.sections.used + l.patches.used
	return used, limit + l.channels.limit + l.labels.limit + l.volumes.limit + l.sections.limit + l.patches.limit
}

// Opened is the files of one picture, their headers read. Release it when done.
type Opened struct {
	Source        Source
	Shape         raster.Shape // of the input, else of the truth, else of the answer
	RGB           bool
	Input         *Layer
	Answer, Truth *Layer
	Notes         []string // what could not be opened or does not fit

	mu   sync.Mutex
	refs int
}

// Layer is one opened file of a picture.
type Layer struct {
	Path    string
	File    *raster.File
	Stack   *raster.Stack
	palette *render.Palette // of label layers
	labels  bool            // its samples are numbers of objects, which have no mean
	step    int             // side of the blocks that planes are shown as; 1 for planes that are held whole
}

// Open opens the files of a picture. A file that cannot be opened costs itself alone: it is missing from the result and named in
// Notes; only if none can be opened is there an error.
func (l *Loader) Open(ctx context.Context, src Source) (*Opened, error) {
	if o := l.known(src); o != nil {
		return o, nil
	}
	o := &Opened{Source: src, refs: 1}
	var errs []error
	open := func(path, axes string, labels bool) *Layer {
		if path == "" {
			return nil
		}
		layer, err := l.openLayer(ctx, path, raster.Layout{Unnamed: src.Unnamed, Axes: axes}, labels)
		if err != nil {
			errs = append(errs, err)
			o.Notes = append(o.Notes, err.Error())
			return nil
		}
		return layer
	}
	o.Input, o.Answer, o.Truth = open(src.Input, src.Axes, false), open(src.Answer, "", true), open(src.Truth, "", true)
	first := o.first()
	if first == nil && src.Blank.Y > 0 {
		o.Shape = src.Blank
		return l.remember(o), nil
	}
	if first == nil {
		if len(errs) > 0 {
			return nil, errors.Join(errs...)
		}
		return nil, &fault.Error{Kind: fault.Missing, Found: "no image file", Expected: "an input image, an answer or a truth"}
	}
	o.Shape = first.Stack.Shape
	if o.Input != nil {
		o.RGB = o.Input.Stack.RGB || o.Input.coloured()
		if o.Input.coloured() {
			o.Shape.C = 3
		}
	}
	o.Notes = append(o.Notes, o.misfits()...)
	return l.remember(o), nil
}

func (l *Loader) known(src Source) *Opened {
	l.mu.Lock()
	defer l.mu.Unlock()
	o, ok := l.opened.get(src)
	if ok {
		o.hold()
	}
	return o
}

// remember keeps a picture open beyond its caller's use; if another goroutine opened the same one meanwhile, that one is used.
func (l *Loader) remember(o *Opened) *Opened {
	l.mu.Lock()
	defer l.mu.Unlock()
	if other, ok := l.opened.get(o.Source); ok {
		other.hold()
		o.Release()
		return other
	}
	o.hold()
	l.opened.put(o.Source, o, 1)
	return o
}

// openLayer opens an image file with the other channels of its field, or a folder of planes as one image.
func (l *Loader) openLayer(ctx context.Context, path string, layout raster.Layout, labels bool) (*Layer, error) {
	f, err := raster.OpenField(ctx, path)
	if err != nil {
		return nil, err
	}
	stack, err := f.Stack(l.planes, layout)
	if err != nil {
		f.Close()
		return nil, err
	}
	return &Layer{Path: path, File: f, Stack: stack, palette: render.NewPalette(), labels: labels, step: l.overviewStep(stack, labels)}, nil
}

func (o *Opened) first() *Layer {
	for _, l := range []*Layer{o.Input, o.Truth, o.Answer} {
		if l != nil {
			return l
		}
	}
	return nil
}

// tiles are those that a mosaic is laid out from.
func (o *Opened) tiles() []render.Tile {
	if o.Input == nil || o.Input.Stack.Mosaic == nil {
		return nil
	}
	m := o.Input.Stack.Mosaic
	tiles := make([]render.Tile, len(m.Tiles))
	for i, t := range m.Tiles {
		tiles[i] = render.Tile{Y: t.Y, X: t.X, H: m.H, W: m.W}
	}
	return tiles
}

// Pixel is the physical size of a pixel: the file's own, else the task's.
func (o *Opened) Pixel() raster.Calibration {
	if o.Input != nil && o.Input.Stack.Calibration.X > 0 {
		return o.Input.Stack.Calibration
	}
	return o.Source.Calibration
}

func (o *Opened) hold() {
	o.mu.Lock()
	o.refs++
	o.mu.Unlock()
}

// Release gives the picture back; its files close when nobody holds it.
func (o *Opened) Release() {
	o.mu.Lock()
	o.refs--
	last := o.refs == 0
	o.mu.Unlock()
	if !last {
		return
	}
	for _, l := range []*Layer{o.Input, o.Answer, o.Truth} {
		if l != nil {
			l.File.Close()
		}
	}
}

// Scene reads and prepares the planes of one time and slice. Styles may be empty. A plane that cannot be read costs itself alone: it is
// missing from the scene, and the errors say why. Only a cancelled context leaves no scene.
func (l *Loader) Scene(ctx context.Context, o *Opened, t, z int, styles Styles) (*render.Scene, []error) {
	return l.Picture(ctx, o, Picture{T: t, Z: z, Styles: styles}, nil)
}

// Picture does the same for projections, sections and comparisons. Progress, which may be nil, counts the planes that take long.
func (l *Loader) Picture(ctx context.Context, o *Opened, p Picture, progress func(done, total int)) (*render.Scene, []error) {
	r := &reader{total: p.planes(o), progress: progress}
	r.plane = func(layer *Layer, t, z, c int) (raster.Plane, error) {
		if layer == o.Input && p.Sections {
			if plane, ok := l.held(layer, t, z, c); ok {
				return plane, nil
			}
		}
		return layer.plane(ctx, t, z, c)
	}
	r.open = func(src Source) (*Opened, error) { return l.Open(ctx, src) }
	return l.scene(o, p, r)
}

// errNotPrepared tells that a plane would have to be read.
var errNotPrepared = errors.New("not prepared")

// Prepared gives the picture and scene of a place if all of its planes were prepared before, at once and without reading anything.
func (l *Loader) Prepared(src Source, place func(raster.Shape) Picture) (*Opened, *render.Scene, bool) {
	o := l.known(src)
	if o == nil {
		return nil, nil, false
	}
	r := &reader{prepared: true}
	r.plane = func(*Layer, int, int, int) (raster.Plane, error) { return raster.Plane{}, errNotPrepared }
	r.open = func(src Source) (*Opened, error) {
		if o := l.known(src); o != nil {
			return o, nil
		}
		return nil, errNotPrepared
	}
	scene, errs := l.scene(o, place(o.Shape), r)
	if len(errs) > 0 {
		o.Release()
		return nil, nil, false
	}
	return o, scene, true
}

func (l *Loader) scene(o *Opened, p Picture, r *reader) (*render.Scene, []error) {
	s := &render.Scene{H: o.Shape.Y, W: o.Shape.X, T: p.T, Z: p.Z, Depth: o.Shape.Z, RGB: o.RGB, Calibration: o.Pixel(), Tiles: o.tiles()}
	var errs []error
	keep := func(err error) {
		if err != nil {
			errs = append(errs, err)
		}
	}
	if o.Input != nil {
		var err error
		s.Channels, err = l.channelsOf(o, p, r)
		keep(err)
	}
	answer, err := l.labelsOf(o, o.Answer, p, r)
	keep(err)
	truth, err := l.labelsOf(o, o.Truth, p, r)
	keep(err)
	s.Answer, s.Truth = dressed(answer, truth, p.Styles, o.Source.Truth)
	if p.Sections {
		errs = append(errs, l.addSections(s, o, p, r)...)
	}
	if p.Against != nil {
		keep(l.addOther(s, o, p, r))
	}
	for _, err := range errs {
		if errors.Is(err, context.Canceled) {
			return nil, errs
		}
	}
	return s, errs
}

// dressed draws objects as a report judges them. Where the truth cannot be read, nobody knows about an answer without a judgement.
func dressed(answer, truth *render.Labels, styles Styles, truthFile string) (a, t *render.Labels) {
	if !styles.Unjudged {
		return styled(answer, styles.Answer), styled(truth, styles.Truth)
	}
	if truth != nil || truthFile == "" {
		answer = allIn(answer, render.Extra)
	}
	return answer, allIn(truth, render.Missed)
}

// channelsOf prepares all channels of an input, or none if one of them cannot be read.
func (l *Loader) channelsOf(o *Opened, p Picture, r *reader) ([]render.Channel, error) {
	layer := o.Input
	if sp := spanOf(p, layer.Stack.Shape); sp.planes() > 1 {
		return l.projectChannels(layer, p, sp, r)
	}
	if layer.coloured() {
		return l.paletteChannels(layer, p.T, p.Z, r)
	}
	channels := make([]render.Channel, layer.Stack.Shape.C)
	for c := range channels {
		var err error
		if channels[c], err = l.channel(layer, p.T, p.Z, c, r); err != nil {
			return nil, err
		}
	}
	return channels, nil
}

func styled(l *render.Labels, styles map[int64]render.Style) *render.Labels {
	if l == nil || len(styles) == 0 {
		return l
	}
	return l.SetStyles(styles)
}

// allIn draws all objects of a plane in one style.
func allIn(l *render.Labels, style render.Style) *render.Labels {
	if l == nil {
		return nil
	}
	styles := make(map[int64]render.Style, len(l.IDs))
	for _, id := range l.IDs {
		styles[id] = style
	}
	return l.SetStyles(styles)
}

func (l *Loader) channel(layer *Layer, t, z, c int, r *reader) (render.Channel, error) {
	key := planeKey{path: layer.Path, t: t, z: z, c: c}
	l.mu.Lock()
	ch, ok := l.channels.get(key)
	l.mu.Unlock()
	if ok {
		return ch, nil
	}
	p, err := r.plane(layer, t, z, c)
	if err != nil {
		return ch, err
	}
	ch, cost := layer.prepare(p)
	ch = layer.describe(ch, c)
	l.mu.Lock()
	l.channels.put(key, ch, cost)
	l.mu.Unlock()
	return ch, nil
}

// describe gives a channel what its file says of it.
func (layer *Layer) describe(ch render.Channel, c int) render.Channel {
	ch.Name = channelName(layer.Stack, c)
	if layer.coloured() {
		ch.Name = [...]string{"red", "green", "blue"}[c%3]
		return ch
	}
	ch.Dark = layer.Stack.MinIsWhite
	if c < len(layer.Stack.Channels) {
		ch.Colour = layer.Stack.Channels[c].Colour
	}
	return ch
}

// labelsOf prepares the labels of a layer, projected as the image is.
func (l *Loader) labelsOf(o *Opened, layer *Layer, p Picture, r *reader) (*render.Labels, error) {
	if sp := spanOf(p, o.Shape); layer != nil && sp.planes() > 1 {
		return l.projectLabels(o, layer, p, sp, r)
	}
	return l.labelPlane(o, layer, p.T, p.Z, r.plane)
}

// labelPlane prepares the label plane that lies over slice z at time t; nil if the layer has none there.
func (l *Loader) labelPlane(o *Opened, layer *Layer, t, z int, read func(layer *Layer, t, z, c int) (raster.Plane, error)) (*render.Labels, error) {
	if layer == nil {
		return nil, nil
	}
	t, z, ok := labelPlace(layer.Stack.Shape, o.Shape, t, z)
	if !ok {
		return nil, nil
	}
	key := planeKey{path: layer.Path, t: t, z: z}
	l.mu.Lock()
	known, ok := l.labels.get(key)
	l.mu.Unlock()
	if ok {
		return known, nil
	}
	p, err := read(layer, t, z, 0)
	if err != nil {
		return nil, err
	}
	labels := layer.prepareLabels(p)
	l.mu.Lock()
	l.labels.put(key, labels, labelBytes*p.H*p.W)
	l.mu.Unlock()
	return labels, nil
}

// labelPlace finds the label plane for a place of the image. Writers often file slices as times or the reverse; where the
// count agrees, that is followed.
func labelPlace(labels, im raster.Shape, t, z int) (int, int, bool) {
	switch {
	case labels.T == im.Z && labels.Z == im.T && labels.T != labels.Z:
		t, z = z, t
	case labels.T == 1 && im.T > 1:
		t = 0
	case labels.Z == 1 && im.Z > 1 && labels.T == 1:
		return 0, 0, z == 0
	}
	return t, z, t < labels.T && z < labels.Z
}

// misfits says in words where label layers do not cover the image.
func (o *Opened) misfits() []string {
	var notes []string
	for _, l := range []*Layer{o.Answer, o.Truth} {
		if l == nil || o.Input == nil {
			continue
		}
		if a, b := l.Stack.Shape, o.Shape; a.Y != b.Y || a.X != b.X || a.Z*a.T != b.Z*b.T {
			notes = append(notes, (&fault.Error{Kind: fault.Inconsistent, File: l.Path, Found: shapeText(a), Expected: shapeText(b) + " like the input"}).Error())
		}
	}
	return notes
}
