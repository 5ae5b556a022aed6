package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"testing"

	"coverslip/datasets/fault"
)

// bmpFile is a BMP to be written.
type bmpFile struct {
	size, w, h, depth, compression, used int
	masks                                []uint32 // in the header, or behind one of 40 bytes
	palette                              []byte   // as stored
	pixels                               []byte
}

func (f bmpFile) build() []byte {
	le := binary.LittleEndian
	size := f.size
	if size == 0 {
		size = bmpInfo
	}
	head := make([]byte, size)
	le.PutUint32(head, uint32(size))
	if size == bmpOS2 {
		le.PutUint16(head[4:], uint16(f.w))
		le.PutUint16(head[6:], uint16(f.h))
		le.PutUint16(head[10:], uint16(f.depth))
	} else {
		le.PutUint32(head[4:], uint32(f.w))
		le.PutUint32(head[8:], uint32(f.h))
		le.PutUint16(head[14:], uint16(f.depth))
		if size >= bmpInfo {
			le.PutUint32(head[16:], uint32(f.compression))
			le.PutUint32(head[32:], uint32(f.used))
		}
	}
	for i, m := range f.masks {
		if size > bmpInfo {
			le.PutUint32(head[40+4*i:], m)
		} else {
			head = le.AppendUint32(head, m)
		}
	}
	out := append([]byte("BM"), make([]byte, 12)...)
	le.PutUint32(out[10:], uint32(14+len(head)+len(f.palette)))
	return append(append(append(out, head...), f.palette...), f.pixels...)
}

// Palettes in the file's order, blue first.
var (
	greyPalette = []byte{0, 0, 0, 0, 90, 90, 90, 0, 255, 255, 255, 0}
	redPalette  = []byte{0, 0, 0, 0, 0, 0, 255, 0, 4, 5, 6, 0}
	os2Palette  = []byte{0, 0, 0, 90, 90, 90}
)

func tryBMP(b []byte) (shape string, values any, note string, err error) {
	p, ok, err := Open(bytes.NewReader(b), int64(len(b)), "test.Bmp")
	if !ok || err != nil {
		return "", nil, "", err
	}
	values, note, err = p.all()
	return fmt.Sprint(p.Shape), values, note, err
}

// TestBMPVariants reads each depth, header and packing.
func TestBMPVariants(t *testing.T) {
	for _, c := range []struct {
		name   string
		file   bmpFile
		shape  string
		values string
		note   bool
	}{
		{"8 bits", bmpFile{w: 2, h: 2, depth: 8, used: 3, palette: greyPalette, pixels: []byte{2, 1, 0, 0, 0, 1, 0, 0}}, "[2 2]", "[0 90 255 90]", false},
		{"8 bits, from the top", bmpFile{w: 2, h: -2, depth: 8, used: 3, palette: greyPalette, pixels: []byte{2, 1, 0, 0, 0, 1, 0, 0}}, "[2 2]", "[255 90 0 90]", false},
		{"8 bits, colours", bmpFile{w: 2, h: 1, depth: 8, used: 3, palette: redPalette, pixels: []byte{1, 2, 0, 0}}, "[1 2 3]", "[255 0 0 6 5 4]", false},
		{"last padding missing", bmpFile{w: 2, h: 1, depth: 8, used: 3, palette: redPalette, pixels: []byte{1, 2}}, "[1 2 3]", "[255 0 0 6 5 4]", false},
		{"outside the palette", bmpFile{w: 2, h: 1, depth: 8, used: 3, palette: greyPalette, pixels: []byte{1, 7, 0, 0}}, "[1 2]", "[90 0]", true},
		{"OS/2", bmpFile{size: bmpOS2, w: 2, h: 1, depth: 1, palette: os2Palette, pixels: []byte{0x40, 0, 0, 0}}, "[1 2]", "[0 90]", false},
		{"OS/2 version 2", bmpFile{size: bmpOS2v2, w: 2, h: 1, depth: 8, used: 3, palette: greyPalette, pixels: []byte{2, 1, 0, 0}}, "[1 2]", "[255 90]", false},
		{"OS/2 version 2, short", bmpFile{size: 16, w: 2, h: 1, depth: 1, palette: greyPalette[:8], pixels: []byte{0x40, 0, 0, 0}}, "[1 2]", "[0 90]", false},
		{"version 4", bmpFile{size: 108, w: 2, h: 1, depth: 8, used: 3, palette: greyPalette, pixels: []byte{2, 1, 0, 0}}, "[1 2]", "[255 90]", false},
		{"version 5", bmpFile{size: 124, w: 2, h: 1, depth: 8, used: 3, palette: greyPalette, pixels: []byte{2, 1, 0, 0}}, "[1 2]", "[255 90]", false},
		{"1 bit", bmpFile{w: 10, h: 1, depth: 1, palette: greyPalette[:8], pixels: []byte{0x81, 0x40, 0, 0}}, "[1 10]", "[90 0 0 0 0 0 0 90 0 90]", false},
		{"2 bits", bmpFile{w: 3, h: 1, depth: 2, used: 3, palette: greyPalette, pixels: []byte{0x24, 0, 0, 0}}, "[1 3]", "[0 255 90]", false},
		{"4 bits", bmpFile{w: 3, h: 1, depth: 4, used: 3, palette: redPalette, pixels: []byte{0x12, 0, 0, 0}}, "[1 3 3]", "[255 0 0 6 5 4 0 0 0]", false},
		{"16 bits", bmpFile{w: 2, h: 1, depth: 16, pixels: []byte{0x1f, 0x7c, 0xe0, 0x03}}, "[1 2 3]", "[255 0 255 0 255 0]", false},
		{"16 bits, 5-6-5", bmpFile{w: 2, h: 1, depth: 16, compression: bmpMasks, masks: []uint32{0xf800, 0x7e0, 0x1f}, pixels: []byte{0x00, 0xf8, 0x20, 0x00}}, "[1 2 3]", "[255 0 0 0 4 0]", false},
		{"24 bits", bmpFile{w: 1, h: 2, depth: 24, pixels: []byte{1, 2, 3, 0, 4, 5, 6, 0}}, "[2 1 3]", "[6 5 4 3 2 1]", false},
		{"32 bits, fourth byte unused", bmpFile{w: 1, h: 1, depth: 32, pixels: []byte{1, 2, 3, 99}}, "[1 1 3]", "[3 2 1]", false},
		{"32 bits, masks", bmpFile{w: 1, h: 1, depth: 32, compression: bmpMasks, masks: []uint32{0xff, 0xff00, 0xff0000}, pixels: []byte{1, 2, 3, 99}}, "[1 1 3]", "[1 2 3]", false},
		{"32 bits, opacity", bmpFile{size: 124, w: 1, h: 1, depth: 32, compression: bmpMasks, masks: []uint32{0xff0000, 0xff00, 0xff, 0xff000000}, pixels: []byte{1, 2, 3, 99}},
			"[1 1 4]", "[3 2 1 99]", false},
		{"32 bits, four masks behind", bmpFile{w: 1, h: 1, depth: 32, compression: bmpFourMasks, masks: []uint32{0xff0000, 0xff00, 0xff, 0xff000000}, pixels: []byte{1, 2, 3, 99}},
			"[1 1 4]", "[3 2 1 99]", false},
		{"RLE8", bmpFile{w: 4, h: 2, depth: 8, compression: bmpRLE8, used: 3, palette: greyPalette, pixels: []byte{0, 3, 2, 1, 2, 0, 1, 1, 0, 0, 3, 1, 1, 2, 0, 1}}, "[2 4]",
			"[90 90 90 255 255 90 255 90]", false},
		{"RLE8, a jump", bmpFile{w: 3, h: 2, depth: 8, compression: bmpRLE8, used: 3, palette: greyPalette, pixels: []byte{1, 1, 0, 2, 1, 1, 1, 2, 0, 1}}, "[2 3]", "[0 0 255 90 0 0]", false},
		{"RLE8, a run that is too long", bmpFile{w: 2, h: 2, depth: 8, compression: bmpRLE8, used: 3, palette: greyPalette, pixels: []byte{9, 1, 0, 0, 2, 2}}, "[2 2]", "[255 255 90 90]", false},
		{"RLE4", bmpFile{w: 5, h: 1, depth: 4, compression: bmpRLE4, used: 3, palette: greyPalette, pixels: []byte{2, 0x12, 0, 3, 0x21, 0x20, 0, 1}}, "[1 5]", "[90 255 255 90 255]", false},
	} {
		shape, values, note, err := tryBMP(c.file.build())
		if err != nil || shape != c.shape || fmt.Sprint(values) != c.values || (note != "") != c.note {
			t.Errorf("%s: %s %v %q, %v; expected %s %s", c.name, shape, values, note, err, c.shape, c.values)
		}
	}
}

// TestBMPRefusals checks the kinds of errors.
func TestBMPRefusals(t *testing.T) {
	for _, c := range []struct {
		name string
		file bmpFile
		kind error
	}{
		{"JPEG inside", bmpFile{w: 2, h: 2, depth: 24, compression: bmpJPEG}, fault.Unsupported},
		{"PNG inside", bmpFile{w: 2, h: 2, depth: 24, compression: bmpPNG}, fault.Unsupported},
		{"compression 77", bmpFile{w: 2, h: 2, depth: 24, compression: 77}, fault.Unsupported},
		{"fax", bmpFile{size: bmpOS2v2, w: 2, h: 2, depth: 1, compression: bmpMasks}, fault.Unsupported},
		{"RLE8 of 24 bits", bmpFile{w: 2, h: 2, depth: 24, compression: bmpRLE8}, fault.Malformed},
		{"7 bits", bmpFile{w: 2, h: 2, depth: 7}, fault.Malformed},
		{"negative width", bmpFile{w: -2, h: 2, depth: 24}, fault.Malformed},
		{"no rows", bmpFile{w: 2, h: 0, depth: 24}, fault.Malformed},
		{"too large", bmpFile{w: 1<<31 - 1, h: 1<<31 - 1, depth: 8, used: 1, palette: greyPalette[:4]}, fault.TooLarge},
		{"more than it can hold", bmpFile{w: 9000, h: 9000, depth: 8, used: 1, palette: greyPalette[:4]}, fault.TooLarge},
		{"palette cut off", bmpFile{w: 2, h: 2, depth: 8, palette: greyPalette}, fault.Malformed},
		{"pixels cut off", bmpFile{w: 2, h: 2, depth: 24, pixels: make([]byte, 9)}, fault.Malformed},
		{"runs cut off", bmpFile{w: 4, h: 2, depth: 8, compression: bmpRLE8, used: 3, palette: greyPalette, pixels: []byte{3, 1, 0}}, fault.Malformed},
		{"literal run cut off", bmpFile{w: 4, h: 2, depth: 8, compression: bmpRLE8, used: 3, palette: greyPalette, pixels: []byte{0, 9, 1}}, fault.Malformed},
	} {
		if _, _, _, err := tryBMP(c.file.build()); !errors.Is(err, c.kind) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// FuzzBMP reads whatever bytes there are: no panic, errors are faults.
func FuzzBMP(f *testing.F) {
	f.Add(bmpFile{w: 2, h: -2, depth: 8, used: 3, palette: greyPalette, pixels: []byte{2, 1, 0, 0, 0, 1, 0, 0}}.build())
	f.Add(bmpFile{size: bmpOS2, w: 2, h: 1, depth: 1, palette: os2Palette, pixels: []byte{0x40, 0, 0, 0}}.build())
	f.Add(bmpFile{size: 124, w: 1, h: 1, depth: 32, compression: bmpMasks, masks: []uint32{0xff0000, 0xff00, 0xff, 0xff000000}, pixels: []byte{1, 2, 3, 99}}.build())
	f.Add(bmpFile{w: 2, h: 1, depth: 16, compression: bmpMasks, masks: []uint32{0xf800, 0x7e0, 0x1f}, pixels: []byte{0x00, 0xf8, 0x20, 0x00}}.build())
	f.Add(bmpFile{w: 3, h: 2, depth: 8, compression: bmpRLE8, used: 3, palette: greyPalette, pixels: []byte{1, 1, 0, 2, 1, 1, 1, 2, 0, 1}}.build())
	f.Add(bmpFile{w: 5, h: 1, depth: 4, compression: bmpRLE4, used: 3, palette: greyPalette, pixels: []byte{2, 0x12, 0, 3, 0x21, 0x20, 0, 1}}.build())
	f.Fuzz(func(t *testing.T, b []byte) {
		b = append([]byte("BM"), b[min(2, len(b)):]...)
		p, _, err := Open(bytes.NewReader(b), int64(len(b)), "fuzz.bmp")
		if err == nil && p.Len() < 1<<22 {
			_, _, err = p.all()
		}
		if err != nil && fault.KindOf(err) == nil {
			t.Errorf("%v is no fault", err)
		}
	})
}
