package tiff

import (
	"bytes"
	"encoding/binary"
	"math"
)

const lsmSource = "Zeiss LSM header"

// lsmMeta reads voxel size, time, channels and tile positions.
func (f *File) lsmMeta(g *Group, info lsmInfo, channels int) {
	m := &g.Meta
	length := func(at int) float64 {
		if v := info.float(at) * 1e6; v > 0 {
			return v
		}
		return 0
	}
	m.X, m.Y, m.Z, m.Source = length(lsmVoxel), length(lsmVoxel+8), length(lsmVoxel+16), ""
	if m.T = info.float(lsmInterval); m.T <= 0 {
		m.T = f.lsmStampStep(info.offset(lsmTimeStamps))
	}
	if m.X > 0 || m.Y > 0 || m.Z > 0 || m.T > 0 {
		m.Source = lsmSource
	}
	m.Channels = f.lsmChannels(info.offset(lsmColours))
	m.Bits = f.lsmDepth(info, channels)
	if m.Bits > 0 {
		m.BitsSource = lsmSource
	}
	if info.int(lsmTiles) > 1 {
		m.Tiles = f.lsmPlaces(info.offset(lsmTileTable))
	}
}

// little reads n bytes of a table; nil where they do not lie in the file.
func (f *File) little(at int64, n int) []byte {
	if at <= 0 {
		return nil
	}
	b, ok := f.window().bytes(at, n)
	if !ok {
		return nil
	}
	return bytes.Clone(b)
}

// lsmStampStep is the mean time between the time stamps in seconds, 0 when there are none.
func (f *File) lsmStampStep(at int64) float64 {
	head := f.little(at, 8)
	if head == nil {
		return 0
	}
	n := int64(binary.LittleEndian.Uint32(head[4:]))
	first, last := f.little(at+8, 8), f.little(at+8+8*(n-1), 8)
	if n < 2 || first == nil || last == nil {
		return 0
	}
	step := (float(last) - float(first)) / float64(n-1)
	if !(step > 0) || math.IsInf(step, 0) {
		return 0
	}
	return step
}

func float(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) }

// lsmChannels reads names and colours: size, numbers of both, their places counted from the block, a mono flag.
func (f *File) lsmChannels(at int64) (out []ChannelMeta) {
	head := f.little(at, 24)
	if head == nil {
		return nil
	}
	word := func(i int) int { return int(int32(binary.LittleEndian.Uint32(head[4*i:]))) }
	size, colours, names := word(0), word(1), word(2)
	if size < 24 || size > 1<<16 || colours < 0 || colours > 64 || names < 0 || names > 64 {
		return nil
	}
	block := f.little(at, int(min(int64(size), f.size-at)))
	out = make([]ChannelMeta, max(colours, names))
	if from := word(3); from >= 24 {
		for i := range colours {
			if from+4*i+3 <= len(block) {
				copy(out[i].Colour[:], block[from+4*i:])
			}
		}
	}
	if from := word(4); from >= 24 && from <= len(block) {
		rest := block[from:]
		for i := range names {
			out[i].Name, rest = lsmName(rest)
		}
	}
	return out
}

// lsmName takes a name off: zero-terminated, in newer files with its length in front.
func lsmName(b []byte) (string, []byte) {
	if len(b) > 4 {
		if n := int(binary.LittleEndian.Uint32(b)); n > 0 && n <= 1<<10 && 4+n <= len(b) && b[4+n-1] == 0 {
			return cString(b[4 : 4+n]), b[4+n:]
		}
	}
	name := cString(b)
	return name, b[min(len(name)+1, len(b)):]
}

// lsmDepth is the number of bits that samples use: types 1, 2, 3, 5 mean 8, 12, 16 bits and 32-bit floats; 0 means that
// each channel has its own.
func (f *File) lsmDepth(info lsmInfo, channels int) int {
	bits := map[int]int{1: 8, 2: 12, 3: 16, 5: 32}
	if t := info.int(lsmDataType); t != 0 {
		return bits[t]
	}
	most := 0
	b := f.little(info.offset(lsmDataTypes), 4*min(channels, 64))
	for ; len(b) >= 4; b = b[4:] {
		most = max(most, bits[int(binary.LittleEndian.Uint32(b))])
	}
	return most
}

// maxTiles is how many tiles a mosaic may have.
const maxTiles = 1 << 16

// lsmPlaces reads the stage positions of tiles, in micrometres: X, Y, Z each.
func (f *File) lsmPlaces(at int64) (out [][3]float64) {
	head := f.little(at, 4)
	if head == nil {
		return nil
	}
	n := int(binary.LittleEndian.Uint32(head))
	if n > maxTiles {
		return nil
	}
	b := f.little(at+4, 24*n)
	for ; len(b) >= 24; b = b[24:] {
		out = append(out, [3]float64{float(b) * 1e6, float(b[8:]) * 1e6, float(b[16:]) * 1e6})
	}
	return out
}
