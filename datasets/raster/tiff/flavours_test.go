package tiff

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// testPage is one uint8 page of a test file.
type testPage struct {
	text    string // description
	w, h    int
	subfile int
	loop    bool // the next page is the first again
	lost    bool // the next page lies behind the end of the file
}

// chainFile writes pages whose pixels count up from page to page: all pixels first, one page behind the other, then the
// directories. extra bytes follow the pixels.
func chainFile(pages []testPage, extra int) []byte {
	o := binary.LittleEndian
	b := []byte{'I', 'I', 42, 0, 0, 0, 0, 0}
	var at []int
	for p, pg := range pages {
		at = append(at, len(b))
		for i := range pg.w * pg.h {
			b = append(b, byte(10*p+i))
		}
	}
	b = append(b, make([]byte, extra)...)
	pointer := 4
	for p, pg := range pages {
		o.PutUint32(b[pointer:], uint32(len(b)))
		text := len(b) + 2 + 12*9 + 4
		b = o.AppendUint16(b, 9)
		for _, t := range [][3]int{{tagNewSubfileType, 1, pg.subfile}, {tagImageWidth, 1, pg.w}, {tagImageLength, 1, pg.h}, {tagBitsPerSample, 1, 8},
			{tagCompression, 1, 1}, {tagPhotometric, 1, 1}, {tagImageDescription, len(pg.text) + 1, text}, {tagStripOffsets, 1, at[p]}, {tagStripByteCounts, 1, pg.w * pg.h}} {
			kind := kindLong
			if t[0] == tagImageDescription {
				kind = kindASCII
				if t[1] <= 4 {
					t[2] = 0
				}
			}
			b = o.AppendUint16(o.AppendUint16(b, uint16(t[0])), uint16(kind))
			b = o.AppendUint32(o.AppendUint32(b, uint32(t[1])), uint32(t[2]))
		}
		pointer = len(b)
		b = append(append(o.AppendUint32(b, 0), pg.text...), 0)
		if pg.loop {
			o.PutUint32(b[pointer:], o.Uint32(b[4:]))
		}
		if pg.lost {
			o.PutUint32(b[pointer:], 1<<30)
		}
	}
	return b
}

// same is n equal pages of 3 x 4 pixels, the first with a description.
func same(n int, text string) []testPage {
	out := make([]testPage, n)
	for i := range out {
		out[i] = testPage{w: 4, h: 3}
	}
	out[0].text = text
	return out
}

// omeText is OME-XML of one image with these sizes.
func omeText(order string, z, c, t, x int, inner string) string {
	return fmt.Sprintf(`<?xml version="1.0"?><!-- c --><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06"><Image><Pixels DimensionOrder=%q Type="uint8" `+
		`SizeX="%d" SizeY="3" SizeZ="%d" SizeC="%d" SizeT="%d" PhysicalSizeX="250" PhysicalSizeXUnit="nm" TimeIncrement="2" TimeIncrementUnit="min">%s</Pixels></Image></OME>`,
		order, x, z, c, t, inner)
}

// TestFlavours says for many ways to put pages into a file what the first series is.
func TestFlavours(t *testing.T) {
	const all = "<TiffData/>"
	shaped := func(text string) testPage { return testPage{w: 4, h: 3, text: text} }
	for _, c := range []struct {
		name    string
		pages   []testPage
		extra   int
		want    string // flavour, shape, axes
		firsts  string // first pixel of each frame
		note    string // part of a note, "" for none at all
		refused bool   // by the reference
		shown   string // shape of what the screen shows instead
	}{
		{"one page", same(1, "hello"), 0, "pages [3 4] YX", "[0]", "", false, ""},
		{"plain pages", same(3, ""), 0, "pages [3 3 4] IYX", "[0 10 20]", "", false, ""},
		{"a smaller page between", []testPage{{w: 4, h: 3}, {w: 2, h: 2}, {w: 4, h: 3}}, 0, "pages [2 3 4] IYX", "[0 20]", "", false, ""},
		{"a reduced page", []testPage{{w: 4, h: 3}, {w: 4, h: 3, subfile: 1}}, 0, "pages [3 4] YX", "[0]", "", false, ""},
		{"a loop", []testPage{{w: 4, h: 3}, {w: 4, h: 3, loop: true}}, 0, "pages [2 3 4] IYX", "[0 10]", "loops", true, ""},
		{"a lost page", []testPage{{w: 4, h: 3}, {w: 4, h: 3, lost: true}}, 0, "pages [2 3 4] IYX", "[0 10]", "broken", false, ""},

		{"shape", same(4, `{"shape": [2, 2, 3, 4]}`), 0, "shaped [2 2 3 4] QQYX", "[0 10 20 30]", "", false, ""},
		{"shape with a one", same(1, `{"shape": [1, 3, 4, 1]}`), 0, "shaped [1 3 4 1] QYXQ", "[0]", "", false, ""},
		{"shape with axes", same(2, `{"shape": [2, 3, 4], "axes": "TYX"}`), 0, "shaped [2 3 4] TYX", "[0 10]", "", false, ""},
		{"shape with wrong axes", same(2, `{"shape": [2, 3, 4], "axes": "YX"}`), 0, "shaped [2 3 4] QYX", "[0 10]", "axes note", false, ""},
		{"old shape", same(2, `shape=(2, 3, 4)`), 0, "shaped [2 3 4] QYX", "[0 10]", "", false, ""},
		{"shape of planes without pages", same(1, `{"shape": [3, 3, 4], "truncated": true}`), 24, "shaped [3 3 4] QYX", "[0 0 0]", "", false, ""},
		{"shape too large", same(2, `{"shape": [9, 3, 4]}`), 0, "pages [2 3 4] IYX", "[0 10]", "asks for 9 pages", false, ""},
		{"shape cut off", same(2, `{"shape": [2, 3`), 0, "pages [2 3 4] IYX", "[0 10]", "not usable", true, ""},
		{"shape negative", same(2, `{"shape": [-2, 3, 4]}`), 0, "pages [2 3 4] IYX", "[0 10]", "not usable", false, ""},
		{"appended", []testPage{shaped(`{"shape": [3, 4]}`), shaped(`{"shape": [3, 4]}`)}, 0, "shaped [3 4] YX", "[0]", "appended", false, "[2 3 4]"},
		{"appended plain page", []testPage{shaped(`{"shape": [3, 4]}`), shaped("")}, 0, "pages [2 3 4] IYX", "[0 10]", "not covered", false, ""},

		{"ImageJ axes", same(8, "ImageJ=1\nimages=8\nchannels=2\nslices=2\nframes=2\n"), 0, "ImageJ [2 2 2 3 4] TZCYX", "[0 10 20 30 40 50 60 70]", "", false, ""},
		{"ImageJ ones", same(2, "ImageJ=1\nimages=2\nchannels=1\nslices=2\n"), 0, "ImageJ [2 3 4] ZYX", "[0 10]", "", false, ""},
		{"ImageJ images alone", same(3, "ImageJ=1\nimages=3\n"), 0, "ImageJ [3 3 4] IYX", "[0 10 20]", "", false, ""},
		{"ImageJ planes in a row", same(1, "ImageJ=1\nimages=3\nframes=3\n"), 24, "ImageJ [3 3 4] TYX", "[0 0 0]", "", false, ""},
		{"ImageJ planes in a row, images alone", same(1, "ImageJ=1\nimages=3\n"), 24, "ImageJ [3 4] YX", "[0]", "first plane alone", false, "[3 3 4]"},
		{"ImageJ promises too many", same(1, "ImageJ=1\nimages=99\nslices=99\n"), 24, "pages [3 4] YX", "[0]", "promises 99", false, "[3 3 4]"},
		{"ImageJ counts disagree", same(3, "ImageJ=1\nimages=8\nslices=2\nframes=4\n"), 0, "pages [3 3 4] IYX", "[0 10 20]", "promises 8", false, ""},
		{"ImageJ text for numbers", same(2, "ImageJ=1\nimages=two\n"), 0, "pages [2 3 4] IYX", "[0 10]", "not usable", true, ""},

		{"OME", same(4, omeText("XYCZT", 1, 2, 2, 4, all)), 0, "OME [2 2 3 4] TCYX", "[0 10 20 30]", "", false, ""},
		{"OME order", same(4, omeText("XYTZC", 1, 2, 2, 4, all)), 0, "OME [2 2 3 4] CTYX", "[0 10 20 30]", "", false, ""},
		{"OME blocks backwards", same(2, omeText("XYZCT", 2, 1, 1, 4, `<TiffData IFD="0" FirstZ="1"/><TiffData IFD="1" FirstZ="0"/>`)), 0, "OME [2 3 4] ZYX", "[10 0]", "", false, ""},
		{"OME hole", same(2, omeText("XYZCT", 3, 1, 1, 4, `<TiffData IFD="0" FirstZ="0"/><TiffData IFD="1" FirstZ="2"/>`)), 0, "OME [3 3 4] ZYX", "[0 0 10]", "1 missing", false, ""},
		{"OME surplus", same(4, omeText("XYZCT", 3, 1, 1, 4, all)), 0, "OME [3 3 4] ZYX", "[0 10 20]", "1 surplus", false, ""},
		{"OME width lies", same(2, omeText("XYZCT", 2, 1, 1, 40, all)), 0, "pages [2 3 4] IYX", "[0 10]", "40 x 3", false, ""},
		{"OME absurd", same(2, omeText("XYZCT", 1<<30, 1<<10, 1<<10, 4, all)), 0, "pages [2 3 4] IYX", "[0 10]", "announces", false, ""},
		{"OME points elsewhere", same(1, omeText("XYZCT", 1, 2, 1, 4, `<TiffData IFD="0"/><TiffData IFD="0" FirstC="1"><UUID FileName="../b.tif">x</UUID></TiffData>`)), 0,
			"OME [2 3 4] CYX", "[0 0]", "b.tif is missing", false, ""},
		{"OME broken", same(2, omeText("XYZCT", 2, 1, 1, 4, "<TiffData>")), 0, "pages [2 3 4] IYX", "[0 10]", "cannot be read", false, ""},
		{"OME nested too deep", same(2, "<OME>"+strings.Repeat("<a>", 100)+strings.Repeat("</a>", 100)+"</OME>"), 0, "pages [2 3 4] IYX", "[0 10]", "nested deeper", false, ""},
		{"OME without image", same(2, "<OME></OME>"), 0, "pages [2 3 4] IYX", "[0 10]", "no image", false, ""},
	} {
		b := chainFile(c.pages, c.extra)
		a, g, err := readAll(b, true)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := fmt.Sprint(g.Flavour, " ", a.Shape, " ", a.Axes); got != c.want {
			t.Errorf("%s: %s, expected %s; notes %q", c.name, got, c.want, g.Notes)
			continue
		}
		var firsts []uint8
		for i := 0; i < len(a.Values.([]uint8)); i += 12 {
			firsts = append(firsts, a.Values.([]uint8)[i])
		}
		if fmt.Sprint(firsts) != c.firsts {
			t.Errorf("%s: frames begin with %v, expected %s", c.name, firsts, c.firsts)
		}
		said := slices.ContainsFunc(g.Notes, func(n string) bool { return strings.Contains(n, c.note) })
		if c.note == "" && len(g.Notes) > 0 || c.note != "" && !said {
			t.Errorf("%s: notes %q, expected %q", c.name, g.Notes, c.note)
		}
		if (g.Refused != nil) != c.refused {
			t.Errorf("%s: refused by the reference: %v", c.name, g.Refused)
		}
		if shown := ""; g.Shown != nil || c.shown != "" {
			if g.Shown != nil {
				shown = fmt.Sprint(g.Shown.Shape)
			}
			if shown != c.shown {
				t.Errorf("%s: the screen shows %s, expected %s", c.name, shown, c.shown)
			}
		}
	}
}

// TestCalibration reads pixel sizes and intervals in the units that files use.
func TestCalibration(t *testing.T) {
	_, g, err := readAll(chainFile(same(2, omeText("XYZCT", 2, 1, 1, 4, `<Channel Name="DAPI" Color="65535"/><TiffData/>`)), 0), true)
	if err != nil {
		t.Fatal(err)
	}
	if m := g.Meta; m.X != 0.25 || m.T != 120 || m.Source != "OME-XML" || len(m.Channels) != 1 || m.Channels[0] != (ChannelMeta{Name: "DAPI", Colour: [3]uint8{0, 0, 255}}) {
		t.Errorf("OME: %+v", m)
	}
	_, g, err = readAll(chainFile(same(2, "ImageJ=1\nframes=2\nunit=\\u00B5m\nspacing=-1.5\nfinterval=14.5\ntunit=min\nmin=3\nmax=90\nc0=-32768\nc1=1\ncf=0\n"), 0), true)
	if err != nil {
		t.Fatal(err)
	}
	if m := g.Meta; m.Z != 1.5 || m.T != 870 || m.Channels[0].Lo != 3 || m.Channels[0].Hi != 90 || m.Offset != -32768 || m.Slope != 1 {
		t.Errorf("ImageJ: %+v", m)
	}
	for unit, want := range map[string]float64{"um": 1, "µm": 1, "micron": 1, "nm": 1e-3, "mm": 1e3, "inch": 25400, "pixel": 0, "": 0} {
		if got := Micrometres(unit); got != want {
			t.Errorf("%s is %g um", unit, got)
		}
	}
}

// TestLooksLike names what is not a TIFF.
func TestLooksLike(t *testing.T) {
	for content, want := range map[string]string{
		"": "empty", "abc": "3 bytes", "<!DOCTYPE html><html>": "web page", "PK\x03\x04........": "zip", "x,y\n1,2\n3,4": "text",
		"\x00\x01\x02\x03\x04\x05\x06\x07\x08": "no TIFF", "II,\x00\x08\x00\x00\x00": "version number 44",
	} {
		_, err := Open(bytes.NewReader([]byte(content)), int64(len(content)), "f.tif")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", content, err)
		}
	}
}
