package tiff

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
)

// Meta is what a file says of its pixels besides their numbers. Sizes are in micrometres per pixel and seconds per
// frame, 0 unknown.
type Meta struct {
	X, Y, Z, T float64
	Source     string // "OME-XML", "ImageJ", "resolution tags", "Zeiss LSM header", "MetaMorph tags"
	Bits       int    // that samples use at most, 0 when the file does not say
	BitsSource string
	Tiles      [][3]float64 // X Y Z of each tile of a mosaic on the stage, in micrometres
	Channels   []ChannelMeta
	Palette    [][3]uint8 // colours of a palette page
	MinIsWhite bool
	Offset     float64 // ImageJ's value calibration: true value = Offset + Slope x stored number
	Slope      float64 // 0 when there is none
	Labels     []string
}

// ChannelMeta is a channel's name, colour (zero: none), display range (Lo < Hi, else none) and lookup table (nil: none).
type ChannelMeta struct {
	Name   string
	Colour [3]uint8
	Lo, Hi float64
	LUT    *[256][3]uint8
}

// tagMeta reads resolution and palette of the first page.
func (f *File) tagMeta(p *Page) Meta {
	m := Meta{MinIsWhite: p.Layout.Photometric == photoMinIsWhite}
	if p.Layout.Photometric == photoPalette {
		m.Palette = f.palette(p)
		if want := 1 << min(p.Layout.Bits, 16); len(m.Palette) < want {
			f.note("the colour map is too short: %d of %d entries", len(m.Palette), want)
			m.Palette = nil
		}
	}
	unit := 2
	if t, ok := f.Tag(p, tagResolutionUnit, 0); ok && len(t.Ints) > 0 {
		unit = int(t.Ints[0])
	}
	micrometres := map[int]float64{2: 25400, 3: 1e4}[unit]
	m.X, m.Y = f.pixelSize(p, tagXResolution, micrometres), f.pixelSize(p, tagYResolution, micrometres)
	if m.X > 0 || m.Y > 0 {
		m.Source = "resolution tags"
	}
	return m
}

// pixelSize is unit / resolution; 0 for what printers' defaults say (72, 96, 150, 300, 600 per inch) and for 1.
func (f *File) pixelSize(p *Page, tag int, unit float64) float64 {
	t, ok := f.Tag(p, tag, 0)
	r := t.Ratio
	if !ok || unit == 0 || math.IsNaN(r) || r <= 0 || r == 1 {
		return 0
	}
	if perInch := r * 25400 / unit; perInch < 1200.5 {
		return 0 // no microscope has pixels above 20 micrometres
	}
	return unit / r
}

// palette reads the colour map: 16-bit values, or 8-bit values from old writers.
func (f *File) palette(p *Page) [][3]uint8 {
	t, ok := f.Tag(p, tagColorMap, 0)
	if !ok {
		return nil
	}
	n := len(t.Ints) / 3
	shift := 0
	for _, v := range t.Ints {
		if v > 255 {
			shift = 8
		}
	}
	out := make([][3]uint8, n)
	for i := range out {
		for c := range 3 {
			out[i][c] = uint8(t.Ints[c*n+i] >> shift)
		}
	}
	return out
}

// takeShape uses the calibration that a shape note may hold.
func (m *Meta) takeShape(n shapeNote) {
	if unit := Micrometres(n.Unit); n.Spacing > 0 && unit > 0 {
		m.Z = n.Spacing * unit
		if m.Source == "" {
			m.Source = "shape note"
		}
	}
}

// imageJMeta reads calibration, ranges, colours and labels of an ImageJ file.
func (f *File) imageJMeta(g *Group, n imageJNote) {
	m := &g.Meta
	p := f.Pages[0]
	unit := Micrometres(unescape(n["unit"]))
	other := func(key string) float64 {
		if v, ok := n[key]; ok {
			return Micrometres(unescape(v))
		}
		return unit
	}
	m.X, m.Y = f.imageJStep(p, tagXResolution)*unit, f.imageJStep(p, tagYResolution)*other("yunit")
	m.Z = math.Abs(n.number("spacing")) * other("zunit")
	m.T = n.number("finterval") * Seconds(n["tunit"])
	if fps := n.number("fps"); m.T <= 0 && fps > 0 {
		m.T = 1 / fps
	}
	m.Source = ""
	if m.X > 0 || m.Y > 0 || m.Z > 0 || m.T > 0 {
		m.Source = "ImageJ"
	}
	if n["cf"] == "0" || n["cf"] == "" && n["c0"] != "" {
		m.Offset, m.Slope = n.number("c0"), n.number("c1")
	}
	lo, hi := n.number("min"), n.number("max")
	if err := f.imageJBlocks(p, m); err != nil {
		g.Notes = append(g.Notes, "the ImageJ metadata are not usable: "+err.Error())
	}
	if len(m.Channels) == 0 && lo < hi {
		m.Channels = []ChannelMeta{{Lo: lo, Hi: hi}}
	}
}

// imageJStep is units per pixel; 0 for defaults and divisions by zero.
func (f *File) imageJStep(p *Page, tag int) float64 {
	t, ok := f.Tag(p, tag, 0)
	if r := t.Ratio; ok && r > 0 && r != 1 && r != 72 && r != 96 && !math.IsInf(r, 0) {
		return 1 / r
	}
	return 0
}

func (n imageJNote) number(key string) float64 {
	v, err := strconv.ParseFloat(n[key], 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return v
}

// imageJBlocks reads tags 50838 and 50839: lengths, and blocks of labels, ranges and colour tables.
func (f *File) imageJBlocks(p *Page, m *Meta) error {
	lengths, ok1 := f.Tag(p, tagImageJCounts, 0)
	data, ok2 := f.Tag(p, tagImageJData, 0)
	if !ok1 || !ok2 || len(lengths.Ints) == 0 {
		return nil
	}
	head := int(lengths.Ints[0])
	if head < 12 || head > len(data.Bytes) || (head-4)%8 != 0 {
		return fmt.Errorf("a header of %d bytes", head)
	}
	rest, lens := data.Bytes[head:], lengths.Ints[1:]
	for at := 4; at+8 <= head; at += 8 {
		kind := f.order.Uint32(data.Bytes[at:])
		for range int(f.order.Uint32(data.Bytes[at+4:])) {
			if len(lens) == 0 || lens[0] < 0 || lens[0] > int64(len(rest)) {
				return fmt.Errorf("blocks longer than the data")
			}
			f.imageJBlock(m, kind, rest[:lens[0]])
			rest, lens = rest[lens[0]:], lens[1:]
		}
	}
	return nil
}

func (f *File) imageJBlock(m *Meta, kind uint32, b []byte) {
	channel := func(i int) *ChannelMeta {
		for len(m.Channels) <= i {
			m.Channels = append(m.Channels, ChannelMeta{})
		}
		return &m.Channels[i]
	}
	switch string([]byte{byte(kind >> 24), byte(kind >> 16), byte(kind >> 8), byte(kind)}) {
	case "labl":
		units := make([]uint16, len(b)/2)
		for i := range units {
			units[i] = f.order.Uint16(b[2*i:])
		}
		m.Labels = append(m.Labels, string(utf16.Decode(units)))
	case "rang":
		for i := 0; i+16 <= len(b) && i < 16*64; i += 16 {
			c := channel(i / 16)
			c.Lo, c.Hi = math.Float64frombits(f.order.Uint64(b[i:])), math.Float64frombits(f.order.Uint64(b[i+8:]))
		}
	case "luts":
		n := 0
		for n < len(m.Channels) && m.Channels[n].LUT != nil {
			n++
		}
		if len(b) == 3*256 && n < 64 {
			c := channel(n)
			c.LUT = lookupTable(b)
			c.Colour = c.LUT[255] // what a plain gradient from black goes to
		}
	}
}

// lookupTable is 256 reds, greens and blues as the colours of an 8-bit grey each.
func lookupTable(b []byte) *[256][3]uint8 {
	t := new([256][3]uint8)
	for i := range t {
		t[i] = [3]uint8{b[i], b[256+i], b[512+i]}
	}
	return t
}

// takeOME uses calibration, names and colours of an OME Pixels element.
func (m *Meta) takeOME(px omePixels) {
	size := func(v, unit string) float64 {
		if unit == "" {
			unit = "um"
		}
		n, err := strconv.ParseFloat(v, 64)
		if err != nil || n <= 0 || math.IsInf(n, 0) {
			return 0
		}
		return n * Micrometres(unit)
	}
	m.X, m.Y, m.Z = size(px.StepX, px.UnitX), size(px.StepY, px.UnitY), size(px.StepZ, px.UnitZ)
	if t, err := strconv.ParseFloat(px.StepT, 64); err == nil && t > 0 {
		m.T = t * Seconds(px.UnitT)
	} else {
		m.T = deltaStep(px.Planes)
	}
	m.Source = ""
	if m.X > 0 || m.Y > 0 || m.Z > 0 || m.T > 0 {
		m.Source = "OME-XML"
	}
	if px.Bits > 0 {
		m.Bits, m.BitsSource = px.Bits, "OME-XML"
	}
	for _, c := range px.Channels {
		out := ChannelMeta{Name: c.Name}
		if v, err := strconv.ParseInt(c.Colour, 10, 64); err == nil && v != -1 { // -1, white, is the default
			out.Colour = [3]uint8{uint8(v >> 24), uint8(v >> 16), uint8(v >> 8)}
		}
		m.Channels = append(m.Channels, out)
	}
}

// deltaStep is the mean time between frames by the planes' own times.
func deltaStep(planes []omePlane) float64 {
	last, at, found := 0, 0.0, false
	start := math.NaN()
	for _, p := range planes {
		v, err := strconv.ParseFloat(p.Delta, 64)
		if err != nil || p.Z != 0 || p.C != 0 {
			continue
		}
		v *= Seconds(p.Unit)
		if p.T == 0 {
			start = v
		}
		if p.T > last {
			last, at, found = p.T, v, true
		}
	}
	if !found || math.IsNaN(start) || at <= start {
		return 0
	}
	return (at - start) / float64(last)
}

// Micrometres is the length of a unit of length, 0 for unknown ones and for pixels.
func Micrometres(unit string) float64 {
	switch strings.ToLower(strings.TrimSpace(unit)) {
	case "um", "µm", "μm", "micron", "microns", "micrometer", "micrometre", "\xb5m", "\ufffdm":
		return 1
	case "nm", "nanometer", "nanometre":
		return 1e-3
	case "pm":
		return 1e-6
	case "å", "angstrom":
		return 1e-4
	case "mm", "millimeter", "millimetre":
		return 1e3
	case "cm", "centimeter", "centimetre":
		return 1e4
	case "m", "meter", "metre":
		return 1e6
	case "inch", "in", "\"":
		return 25400
	}
	return 0
}

// Seconds is the length of a unit of time; "" means seconds.
func Seconds(unit string) float64 {
	switch strings.ToLower(strings.TrimSpace(unit)) {
	case "", "s", "sec", "second", "seconds":
		return 1
	case "ms", "msec", "millisecond", "milliseconds":
		return 1e-3
	case "us", "µs", "μs":
		return 1e-6
	case "min", "minute", "minutes":
		return 60
	case "h", "hr", "hour", "hours":
		return 3600
	case "d", "day", "days":
		return 86400
	}
	return 0
}

// unescape turns the \u00B5 of ImageJ descriptions into its letter.
func unescape(s string) string {
	for {
		i := strings.Index(s, `\u`)
		if i < 0 || i+6 > len(s) {
			return s
		}
		v, err := strconv.ParseUint(s[i+2:i+6], 16, 16)
		if err != nil {
			return s
		}
		s = s[:i] + string(rune(v)) + s[i+6:]
	}
}
