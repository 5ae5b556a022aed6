package render

import (
	"strings"

	"coverslip/viewer"
)

// A colour table gives 256 levels their colours as packed pixels: R in the lowest byte, then G, B and full alpha.
type lut [256]uint32

const opaque = 0xff000000

func pack(r, g, b uint8) uint32 { return uint32(r) | uint32(g)<<8 | uint32(b)<<16 | opaque }

func rgb(hex uint32) uint32 { return pack(uint8(hex>>16), uint8(hex>>8), uint8(hex)) }

// controls are evenly spaced colours 0xRRGGBB; between them a table is linear. viridis, magma and cividis follow the
// perceptually uniform maps of these names (public domain); fire rises black, blue, purple, red, orange, yellow, white.
var controls = map[string][]uint32{
	"grey":     {0x000000, 0xffffff},
	"inverted": {0xffffff, 0x000000},
	"red":      {0x000000, 0xff0000},
	"green":    {0x000000, 0x00ff00},
	"blue":     {0x000000, 0x0000ff},
	"cyan":     {0x000000, 0x00ffff},
	"magenta":  {0x000000, 0xff00ff},
	"yellow":   {0x000000, 0xffff00},
	"fire":     {0x000000, 0x12007a, 0x5a00c8, 0xa80a9a, 0xdc2a3c, 0xf06000, 0xff9c00, 0xffd020, 0xfff480, 0xffffff},
	"viridis":  {0x440154, 0x482878, 0x3e4989, 0x31688e, 0x26828e, 0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b, 0xfde725},
	"magma":    {0x000004, 0x180f3d, 0x440f76, 0x721f81, 0x9e2f7f, 0xcd4071, 0xf1605d, 0xfd9668, 0xfeca8d, 0xfcfdbf},
	"cividis":  {0x00224e, 0x123570, 0x3b496c, 0x575d6d, 0x707173, 0x8a8678, 0xa59c74, 0xc3b369, 0xe1cc55, 0xfee838},
}

var tables = makeTables()

func makeTables() map[string]*lut {
	m := map[string]*lut{}
	for name, c := range controls {
		m[name] = ramp(c)
	}
	return m
}

// ramp interpolates evenly spaced colours in integers, so that it is the same everywhere.
func ramp(colours []uint32) *lut {
	t, last := new(lut), uint32(len(colours)-1)
	for i := range t {
		at := uint32(i) * last
		k, part := at/255, at%255
		if k == last {
			k, part = last-1, 255
		}
		mix := func(shift uint32) uint8 {
			a, b := colours[k]>>shift&255, colours[k+1]>>shift&255
			return uint8((a*(255-part) + b*part + 127) / 255)
		}
		t[i] = pack(mix(16), mix(8), mix(0))
	}
	return t
}

// tint fills t from black to the colour.
func (t *lut) tint(r, g, b uint8) {
	for i := range uint32(256) {
		t[i] = pack(uint8((uint32(r)*i+127)/255), uint8((uint32(g)*i+127)/255), uint8((uint32(b)*i+127)/255))
	}
}

// channelLUTs are the tables of channels that say nothing: for one, for two, and for more. Two channels are green and
// magenta, which everybody can tell apart.
var channelLUTs = [3][]string{
	{"grey"},
	{"green", "magenta"},
	{"cyan", "magenta", "yellow", "red", "green", "blue", "grey"},
}

var rgbLUTs = []string{"red", "green", "blue"}

// defaultLUT names the table of channel i of n.
func defaultLUT(i, n int) string {
	names := channelLUTs[min(max(n, 1), 3)-1]
	return names[i%len(names)]
}

// choose fills t with the colours of channel i of n: the tone's table, else the file's colour, else by number.
func (t *lut) choose(tone viewer.Tone, c *Channel, i, n int) {
	switch {
	case strings.HasPrefix(tone.LUT, "#") && viewer.IsLUT(tone.LUT):
		t.tint(hexByte(tone.LUT[1:]), hexByte(tone.LUT[3:]), hexByte(tone.LUT[5:]))
	case tables[tone.LUT] != nil:
		*t = *tables[tone.LUT]
	case c.Dark:
		*t = *tables["inverted"]
	case c.Colour != [3]uint8{}:
		t.tint(c.Colour[0], c.Colour[1], c.Colour[2])
	default:
		*t = *tables[defaultLUT(i, n)]
	}
}

func hexByte(s string) uint8 {
	digit := func(c byte) uint8 {
		if c >= 'a' {
			return c - 'a' + 10
		}
		return c - '0'
	}
	return digit(s[0])<<4 | digit(s[1])&15
}

// Colours gives the 256 colours of a table as R, G, B triples, for legends and menus; ok is false for an unknown name.
func Colours(name string) (colours [256][3]uint8, ok bool) {
	if !viewer.IsLUT(name) {
		return colours, false
	}
	var t lut
	t.choose(viewer.Tone{LUT: name}, &Channel{}, 0, 1)
	for i, c := range t {
		colours[i] = [3]uint8{uint8(c), uint8(c >> 8), uint8(c >> 16)}
	}
	return colours, true
}
