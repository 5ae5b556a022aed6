package tiff

import (
	"bytes"
	"context"
	"encoding/binary"
	"image"
	"math/rand/v2"
	"reflect"
	"testing"

	"coverslip/datasets/raster/pixel"
)

// TestParts reads rectangles of pages of every kind: they hold what the whole page holds there.
func TestParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, order := range []byteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, typ := range allTypes {
			for _, compression := range []int{codecNone, codecDeflate, codecPackBits} {
				for _, v := range []variant{{samples: 1, rows: 7}, {samples: 3, rows: 19}, {samples: 3, rows: 5, planar: true}, {samples: 1, tile: 16},
					{samples: 2, tile: 16, planar: true}, {samples: 3, tile: 32}, {samples: 1, rows: 6, lowBitFirst: true}} {
					v.order, v.typ, v.compression, v.h, v.w = order, typ, compression, 39, 43
					if compression == codecDeflate && typ != pixel.Bool {
						v.predictor = 2
					}
					b := v.build(noise(typ, v.h*v.w*v.samples))
					f, err := Open(bytes.NewReader(b), int64(len(b)), "test.tif")
					if err != nil {
						t.Fatal(err)
					}
					for range 3 {
						x, y := rng.IntN(v.w), rng.IntN(v.h)
						checkPart(t, f, v, image.Rect(x, y, x+1+rng.IntN(v.w-x), y+1+rng.IntN(v.h-y)), rng.IntN(v.samples))
					}
					checkPart(t, f, v, image.Rect(0, 8, v.w, 31), 0)
					checkPart(t, f, v, image.Rect(0, 0, v.w, v.h), 0)
				}
			}
		}
	}
}

// checkPart compares a part of a page, of one sample where samples are planar and apart where they can be, with the whole.
func checkPart(t *testing.T, f *File, v variant, r image.Rectangle, sample int) {
	t.Helper()
	l := f.Pages[0].Layout
	whole := Request{Sample: -1, Split: l.Splits(), Strict: true}
	lanes, planes := 1, 1
	switch {
	case v.planar:
		whole.Sample = sample
	case whole.Split:
		planes = v.samples
	default:
		lanes = v.samples
	}
	part := whole
	part.Part = r
	all, got := pixel.New(v.typ, v.h*v.w*lanes*planes), pixel.New(v.typ, r.Dx()*r.Dy()*lanes*planes)
	_, err1 := f.Read(context.Background(), f.Pages[0], all, whole)
	_, err2 := f.Read(context.Background(), f.Pages[0], got, part)
	if err1 != nil || err2 != nil {
		t.Fatalf("%+v, %v: %v, %v", v, r, err1, err2)
	}
	n := r.Dx() * lanes
	for k := range planes {
		for y := range r.Dy() {
			at := (k*v.h*v.w + (r.Min.Y+y)*v.w + r.Min.X) * lanes
			to := (k*r.Dy() + y) * n
			if !reflect.DeepEqual(pixel.Slice(got, to, to+n), pixel.Slice(all, at, at+n)) {
				t.Fatalf("%+v, %v: plane %d, row %d differs", v, r, k, y)
			}
		}
	}
}

// TestPartsOfAFrameBehind reads rectangles of frames that lie behind each other without compression.
func TestPartsOfAFrameBehind(t *testing.T) {
	for _, planar := range []bool{false, true} {
		v := variant{order: binary.BigEndian, typ: pixel.Uint16, compression: codecNone, samples: 3, planar: planar, rows: 30, h: 30, w: 20}
		b := v.build(noise(v.typ, v.h*v.w*3))
		b = append(b, pixel.Memory(noise(v.typ, 3*v.h*v.w*3))...)
		f, err := Open(bytes.NewReader(b), int64(len(b)), "test.tif")
		if err != nil {
			t.Fatal(err)
		}
		size := int64(v.h * v.w * 3 * 2)
		fr := Frames{Count: 4, File: f, First: f.Pages[0], Base: int64(len(b)) - 3*size, Stride: size}
		whole, r := make([]uint16, 3*v.h*v.w), image.Rect(3, 5, 17, 28)
		part := make([]uint16, 3*r.Dx()*r.Dy())
		err1 := fr.ReadBehind(context.Background(), 2, whole, Request{Sample: -1})
		err2 := fr.ReadBehind(context.Background(), 2, part, Request{Sample: -1, Part: r})
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		at := func(c, y, x, h, w int) int {
			if planar {
				return (c*h+y)*w + x
			}
			return (y*w+x)*3 + c
		}
		for c := range 3 {
			for y := range r.Dy() {
				for x := range r.Dx() {
					if part[at(c, y, x, r.Dy(), r.Dx())] != whole[at(c, r.Min.Y+y, r.Min.X+x, v.h, v.w)] {
						t.Fatalf("planar %v: sample %d at %d, %d differs", planar, c, y, x)
					}
				}
			}
		}
	}
}

// TestPartsOfACutFile reads rectangles of a file that ends in the middle of its pixels: what is missing is zero and counted.
func TestPartsOfACutFile(t *testing.T) {
	v := variant{order: binary.LittleEndian, typ: pixel.Uint8, compression: codecNone, samples: 1, rows: 4, h: 64, w: 64}
	values := make([]uint8, 64*64)
	for i := range values {
		values[i] = 7
	}
	b := v.build(values)
	f, err := Open(bytes.NewReader(b), int64(len(b)), "test.tif")
	if err != nil {
		t.Fatal(err)
	}
	f.size = 8 + 40*64 + 16 // of the pixels; the directory is read
	got := make([]uint8, 20*60)
	found, err := f.readSegments(context.Background(), f.Pages[0], mustSegments(t, f), got, Request{Sample: -1, Part: image.Rect(10, 0, 30, 60)})
	if err != nil || found.Lost != 5 {
		t.Fatalf("%d lost, %v", found.Lost, err)
	}
	for i, s := range got {
		y, x := i/20, 10+i%20
		if want := y < 40 || y == 40 && x < 16; (s == 7) != want {
			t.Fatalf("%d at %d, %d", s, y, x)
		}
	}
	if _, err := f.readSegments(context.Background(), f.Pages[0], mustSegments(t, f), got, Request{Sample: -1, Strict: true, Part: image.Rect(10, 0, 30, 60)}); err == nil {
		t.Error("missing pixels pass where all are wanted")
	}
}

// mustSegments reads the places of the strips of a page as long as the file has them.
func mustSegments(t *testing.T, f *File) segments {
	t.Helper()
	size := f.size
	f.size = 1 << 30
	s, err := f.segments(f.Pages[0])
	if f.size = size; err != nil {
		t.Fatal(err)
	}
	return s
}
