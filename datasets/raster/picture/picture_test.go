package picture

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"reflect"
	"testing"

	"golang.org/x/image/bmp"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster/pixel"
)

// chunk writes one chunk of a PNG.
func chunk(name string, body []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	out = append(append(out, name...), body...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:]))
}

// pngFile writes a PNG of raw rows, each behind a zero filter byte. extra are chunks between header and pixels.
func pngFile(w, h int, depth, kind byte, rows [][]byte, extra ...[]byte) []byte {
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(w)), uint32(h))
	out := append([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", append(head, depth, kind, 0, 0, 0))...)
	for _, e := range extra {
		out = append(out, e...)
	}
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	for _, r := range rows {
		z.Write(append([]byte{0}, r...))
	}
	z.Close()
	return append(append(out, chunk("IDAT", b.Bytes())...), chunk("IEND", nil)...)
}

// TestPNG reads each colour type as the array that the reference would see.
func TestPNG(t *testing.T) {
	palette := chunk("PLTE", []byte{10, 11, 12, 20, 21, 22, 30, 31, 32})
	for _, c := range []struct {
		name   string
		file   []byte
		typ    pixel.Type
		shape  string
		values string
	}{
		{"grey, 1 bit", pngFile(3, 1, 1, pngGrey, [][]byte{{0xa0}}), pixel.Bool, "[1 3]", "[1 0 1]"},
		{"grey, 1 bit, transparent", pngFile(3, 1, 1, pngGrey, [][]byte{{0xa0}}, chunk("tRNS", []byte{0, 1})), pixel.Bool, "[1 3]", "[1 0 1]"},
		{"grey, 2 bits", pngFile(3, 1, 2, pngGrey, [][]byte{{0xd8}}), pixel.Uint8, "[1 3]", "[255 85 170]"},
		{"grey, 4 bits", pngFile(2, 1, 4, pngGrey, [][]byte{{0x1f}}), pixel.Uint8, "[1 2]", "[17 255]"},
		{"grey", pngFile(2, 2, 8, pngGrey, [][]byte{{1, 2}, {3, 4}}), pixel.Uint8, "[2 2]", "[1 2 3 4]"},
		{"grey, transparent value", pngFile(3, 1, 8, pngGrey, [][]byte{{1, 2, 3}}, chunk("tRNS", []byte{0, 2})), pixel.Uint8, "[1 3]", "[1 2 3]"},
		{"grey, 16 bits", pngFile(1, 1, 16, pngGrey, [][]byte{{1, 2}}), pixel.Uint16, "[1 1]", "[258]"},
		{"grey, 16 bits, transparent", pngFile(1, 1, 16, pngGrey, [][]byte{{1, 2}}, chunk("tRNS", []byte{1, 2})), pixel.Uint16, "[1 1]", "[258]"},
		{"grey and opacity", pngFile(2, 1, 8, pngGreyAlpha, [][]byte{{1, 0, 3, 4}}), pixel.Uint8, "[1 2 2]", "[1 0 3 4]"},
		{"grey and opacity, 16 bits", pngFile(1, 1, 16, pngGreyAlpha, [][]byte{{1, 2, 3, 4}}), pixel.Uint16, "[1 1 2]", "[258 772]"},
		{"colours", pngFile(1, 1, 8, pngRGB, [][]byte{{1, 2, 3}}), pixel.Uint8, "[1 1 3]", "[1 2 3]"},
		{"colours, transparent value", pngFile(1, 1, 8, pngRGB, [][]byte{{1, 2, 3}}, chunk("tRNS", []byte{0, 1, 0, 2, 0, 3})), pixel.Uint8, "[1 1 3]", "[1 2 3]"},
		{"colours, 16 bits", pngFile(1, 1, 16, pngRGB, [][]byte{{1, 2, 3, 4, 5, 6}}), pixel.Uint16, "[1 1 3]", "[258 772 1286]"},
		{"colours and opacity", pngFile(1, 1, 8, pngRGBA, [][]byte{{1, 2, 3, 0}}), pixel.Uint8, "[1 1 4]", "[1 2 3 0]"},
		{"palette", pngFile(2, 1, 8, pngPalette, [][]byte{{2, 0}}, palette), pixel.Uint8, "[1 2 3]", "[30 31 32 10 11 12]"},
		{"palette, 1 bit", pngFile(2, 1, 1, pngPalette, [][]byte{{0x40}}, chunk("PLTE", []byte{10, 11, 12, 20, 21, 22})), pixel.Uint8, "[1 2 3]", "[10 11 12 20 21 22]"},
		{"palette, transparent entries", pngFile(2, 1, 8, pngPalette, [][]byte{{1, 2}}, palette, chunk("tRNS", []byte{9, 0})), pixel.Uint8, "[1 2 4]", "[20 21 22 0 30 31 32 255]"},
	} {
		p, ok, err := Open(bytes.NewReader(c.file), int64(len(c.file)), "test.png")
		if !ok || err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		values, _, err := p.all()
		if err != nil || p.Type != c.typ || fmt.Sprint(p.Shape) != c.shape || fmt.Sprint(values) != c.values {
			t.Errorf("%s: %s %v %v %v, expected %s %s %s", c.name, p.Type, p.Shape, values, err, c.typ, c.shape, c.values)
		}
	}
}

// TestPNGOutside finds indices beyond the palette.
func TestPNGOutside(t *testing.T) {
	b := pngFile(2, 1, 8, pngPalette, [][]byte{{0, 7}}, chunk("PLTE", []byte{10, 11, 12}))
	p, _, err := Open(bytes.NewReader(b), int64(len(b)), "test.png")
	if err != nil {
		t.Fatal(err)
	}
	if values, note, err := p.all(); err != nil || note == "" || fmt.Sprint(values) != "[10 11 12 0 0 0]" {
		t.Errorf("%v, %q, %v", values, note, err)
	}
}

// TestPNGSize reads the pixel size and leaves printers' resolutions alone.
func TestPNGSize(t *testing.T) {
	for perMetre, want := range map[uint32]float64{4000000: 0.25, 2835: 0} {
		n := binary.BigEndian.AppendUint32(nil, perMetre)
		b := pngFile(1, 1, 8, pngGrey, [][]byte{{1}}, chunk("pHYs", append(append(n, n...), 1)))
		if p, _, err := Open(bytes.NewReader(b), int64(len(b)), "test.png"); err != nil || p.PixelX != want || p.PixelY != want {
			t.Errorf("%d per metre: %v", perMetre, err)
		}
	}
}

// TestRefusals checks the kinds of errors.
func TestRefusals(t *testing.T) {
	whole := pngFile(3, 1, 8, pngGrey, [][]byte{{1, 2, 3}})
	for _, c := range []struct {
		name string
		file []byte
		kind error
	}{
		{"too large", pngFile(1<<20, 1<<20, 8, pngGrey, nil), fault.TooLarge},
		{"no size", pngFile(0, 1, 8, pngGrey, nil), fault.Malformed},
		{"cut off", whole[:len(whole)-20], fault.Malformed},
		{"no pixels", whole[:33], fault.Malformed},
		{"colour type 5", pngFile(1, 1, 8, 5, nil), fault.Malformed},
		{"BMP cut off", []byte("BM1234"), fault.Malformed},
		{"JPEG cut off", []byte("\xff\xd8\xff\xe0"), fault.Malformed},
	} {
		p, ok, err := Open(bytes.NewReader(c.file), int64(len(c.file)), "test")
		if ok && err == nil {
			_, _, err = p.all()
		}
		if !errors.Is(err, c.kind) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if _, ok, _ := Open(bytes.NewReader([]byte("II*\x00")), 4, "x"); ok {
		t.Error("a TIFF is taken for a picture")
	}
}

// TestBMP reads a palette of greys as one channel and other palettes as colours.
func TestBMP(t *testing.T) {
	for want, palette := range map[string]color.Palette{
		"[1 2]":   {color.Gray{0}, color.Gray{255}},
		"[1 2 3]": {color.Gray{0}, color.RGBA{255, 0, 0, 255}},
	} {
		m := image.NewPaletted(image.Rect(0, 0, 2, 1), palette)
		m.SetColorIndex(1, 0, 1)
		var b bytes.Buffer
		if err := bmp.Encode(&b, m); err != nil {
			t.Fatal(err)
		}
		p, _, err := Open(bytes.NewReader(b.Bytes()), int64(b.Len()), "test.Bmp")
		if err != nil || fmt.Sprint(p.Shape) != want {
			t.Fatalf("%v, expected %s", err, want)
		}
		values, _, err := p.all()
		if v := values.([]uint8); err != nil || v[len(v)/2] != 255 {
			t.Errorf("%v %v", values, err)
		}
	}
}

// all reads the samples side by side, and compares them with what they are plane by plane.
func (p *Picture) all() (values any, note string, err error) {
	values, planes := pixel.New(p.Type, p.Len()), pixel.New(p.Type, p.Len())
	if note, err = p.Read(values, false); err != nil {
		return nil, "", err
	}
	if _, err := p.Read(planes, true); err != nil {
		return nil, "", err
	}
	n := p.samples()
	for k := range n {
		if size := p.Len() / n; !reflect.DeepEqual(pixel.Every(values, k, n), pixel.Slice(planes, k*size, (k+1)*size)) {
			return nil, "", fmt.Errorf("sample %d differs when planes are asked for", k)
		}
	}
	return values, note, nil
}
