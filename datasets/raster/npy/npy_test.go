package npy

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster/pixel"
)

// file writes an NPY file with a header of that text.
func file(version byte, header string, data []byte) []byte {
	out := append([]byte(magic), version, 0)
	if version == 1 {
		out = binary.LittleEndian.AppendUint16(out, uint16(len(header)))
	} else {
		out = binary.LittleEndian.AppendUint32(out, uint32(len(header)))
	}
	return append(append(out, header...), data...)
}

func header(descr, fortran, shape string) string {
	return fmt.Sprintf("{'descr': %s, 'fortran_order': %s, 'shape': %s, }\n", descr, fortran, shape)
}

// read opens an array and reads all of it, in parts of one and of the rest.
func read(b []byte) (pixel.Array, error) {
	a, ok, err := Open(bytes.NewReader(b), int64(len(b)), "a.npy")
	if err != nil {
		return pixel.Array{}, err
	}
	if !ok {
		return pixel.Array{}, errors.New("not taken for an NPY file")
	}
	return whole(a)
}

func whole(a *Array) (pixel.Array, error) {
	n := a.Len()
	out := pixel.Array{Shape: a.Shape, Axes: a.Axes, Type: a.Type, Values: pixel.New(a.Type, n)}
	first := min(n, 1)
	return out, errors.Join(a.Read(context.Background(), 0, pixel.Slice(out.Values, 0, first)), a.Read(context.Background(), first, pixel.Slice(out.Values, first, n)))
}

// TestArrays reads each element type, order and spelling of the header.
func TestArrays(t *testing.T) {
	for _, c := range []struct {
		name, header string
		data         []byte
		want         string // type, shape, axes, values
	}{
		{"bytes", header("'|u1'", "False", "(2, 3)"), []byte{1, 2, 3, 4, 5, 6}, "uint8 [2 3] YX [1 2 3 4 5 6]"},
		{"bool", header("'|b1'", "False", "(3,)"), []byte{1, 0, 1}, "bool [3] X [1 0 1]"},
		{"signed", header("'|i1'", "False", "(2,)"), []byte{255, 1}, "int8 [2] X [-1 1]"},
		{"little", header("'<u2'", "False", "(2,)"), []byte{1, 2, 3, 4}, "uint16 [2] X [513 1027]"},
		{"big", header("'>u2'", "False", "(2,)"), []byte{1, 2, 3, 4}, "uint16 [2] X [258 772]"},
		{"big int32", header("'>i4'", "False", "(1,)"), []byte{255, 255, 255, 254}, "int32 [1] X [-2]"},
		{"uint64", header("'<u8'", "False", "()"), []byte{255, 255, 255, 255, 255, 255, 255, 255}, "uint64 []  [18446744073709551615]"},
		{"half", header("'<f2'", "False", "(2,)"), []byte{0, 0x3c, 0, 0xc0}, "float16 [2] X [1 -2]"},
		{"big half", header("'>f2'", "False", "(2,)"), []byte{0x3c, 0, 0xc0, 0}, "float16 [2] X [1 -2]"},
		{"float", header("'<f4'", "False", "(1,)"), []byte{0, 0, 0x80, 0x3f}, "float32 [1] X [1]"},
		{"double", header("'>f8'", "False", "(1,)"), []byte{0x3f, 0xf0, 0, 0, 0, 0, 0, 0}, "float64 [1] X [1]"},
		{"Fortran", header("'|u1'", "True", "(2, 3)"), []byte{1, 4, 2, 5, 3, 6}, "uint8 [2 3] YX [1 2 3 4 5 6]"},
		{"Fortran, three axes", header("'<u2'", "True", "(2, 2, 2)"), []byte{0, 0, 4, 0, 2, 0, 6, 0, 1, 0, 5, 0, 3, 0, 7, 0}, "uint16 [2 2 2] ZYX [0 1 2 3 4 5 6 7]"},
		{"other spelling", `{"shape":(2L,3L),"fortran_order":False,"descr":"|u1"}`, []byte{1, 2, 3, 4, 5, 6}, "uint8 [2 3] YX [1 2 3 4 5 6]"},
		{"nothing", header("'<f4'", "False", "(0, 5)"), nil, "float32 [0 5] YX []"},
		{"more behind it", header("'|u1'", "False", "(2,)"), []byte{1, 2, 3}, "uint8 [2] X [1 2]"},
		{"six axes", header("'|u1'", "False", "(1, 1, 1, 1, 1, 1)"), []byte{9}, "uint8 [1 1 1 1 1 1] QTZCYX [9]"},
	} {
		for _, version := range []byte{1, 2, 3} {
			a, err := read(file(version, c.header, c.data))
			if got := fmt.Sprint(a.Type, " ", a.Shape, " ", a.Axes, " ", a.Values); err != nil || got != c.want {
				t.Errorf("%s, version %d: %s, %v; expected %s", c.name, version, got, err, c.want)
			}
		}
	}
}

// TestRefusals checks the kinds of errors.
func TestRefusals(t *testing.T) {
	data := make([]byte, 64)
	for _, c := range []struct {
		name string
		file []byte
		kind error
		text string // part of the message
	}{
		{"objects", file(1, header("'|O'", "False", "(2,)"), data), fault.Unsupported, "run code"},
		{"records", file(1, header("[('a', '<i4'), ('b', '<f8')]", "False", "(2,)"), data), fault.Unsupported, "records"},
		{"complex", file(1, header("'<c8'", "False", "(2,)"), data), fault.Unsupported, "complex"},
		{"text", file(1, header("'<U2'", "False", "(2,)"), data), fault.Unsupported, "text"},
		{"dates", file(1, header("'<M8[ns]'", "False", "(2,)"), data), fault.Unsupported, "M8"},
		{"cut off", file(1, header("'<u2'", "False", "(40,)"), data), fault.Malformed, "cut off"},
		{"absurd", file(1, header("'<u2'", "False", "(1099511627776,)"), data), fault.TooLarge, ""},
		{"overflow", file(1, header("'<u8'", "False", "(4294967296, 4294967296, 4294967296)"), data), fault.TooLarge, ""},
		{"beyond int64", file(1, header("'<u8'", "False", "(99999999999999999999999,)"), data), fault.TooLarge, ""},
		{"negative", file(1, header("'<u2'", "False", "(-4,)"), data), fault.Malformed, "negative"},
		{"fraction", file(1, header("'<u2'", "False", "(1.5,)"), data), fault.Malformed, ""},
		{"version 9", file(9, header("'<u2'", "False", "(1,)"), data), fault.Malformed, "version 9"},
		{"nested", file(1, header(strings.Repeat("[", 5000)+strings.Repeat("]", 5000), "False", "(1,)"), data), fault.Malformed, "deep"},
		{"no dictionary", file(1, "shape", data), fault.Malformed, ""},
		{"a key twice", file(1, "{'descr': '|u1', 'descr': '|u1', 'shape': (1,)}", data), fault.Malformed, ""},
		{"a key too few", file(1, "{'descr': '|u1', 'shape': (1,)}", data), fault.Malformed, ""},
		{"brackets", file(1, header("[(]", "False", "(1,)"), data), fault.Malformed, ""},
		{"header too long", []byte(magic + "\x02\x00\xff\xff\xff\xff{"), fault.Malformed, "4294967295"},
		{"only magic", []byte(magic), fault.Malformed, ""},
	} {
		_, err := read(c.file)
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if _, ok, _ := Open(bytes.NewReader([]byte("PK")), 2, "x"); ok {
		t.Error("a zip is taken for an NPY file")
	}
}

// archive writes an NPZ.
func archive(tb testing.TB, method uint16, members map[string][]byte) []byte {
	tb.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range []string{"a.npy", "b.npy", "o.npy", "readme.txt"} {
		if data, ok := members[name]; ok {
			w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method})
			if err != nil {
				tb.Fatal(err)
			}
			w.Write(data)
		}
	}
	z.Close()
	return b.Bytes()
}

// TestArchive reads stored and packed members and names those that are refused.
func TestArchive(t *testing.T) {
	one, two := file(1, header("'|u1'", "False", "(2, 3)"), []byte{1, 2, 3, 4, 5, 6}), file(1, header("'>u2'", "True", "(2, 2)"), []byte{0, 1, 0, 3, 0, 2, 0, 4})
	object := file(1, header("'|O'", "False", "(2,)"), []byte{1})
	for _, method := range []uint16{zip.Store, zip.Deflate} {
		b := archive(t, method, map[string][]byte{"a.npy": one, "b.npy": two, "o.npy": object, "readme.txt": nil})
		arrays, notes, ok, err := OpenZip(bytes.NewReader(b), int64(len(b)), "x.npz")
		if !ok || err != nil || len(arrays) != 2 || len(notes) != 1 || !strings.Contains(notes[0], "o.npy") {
			t.Fatalf("method %d: %d arrays, notes %q, %v", method, len(arrays), notes, err)
		}
		for i, want := range []string{"a [1 2 3 4 5 6]", "b [1 2 3 4]"} {
			a, err := whole(arrays[i])
			if got := fmt.Sprint(arrays[i].Name, " ", a.Values); err != nil || got != want {
				t.Errorf("method %d: %s, %v; expected %s", method, got, err, want)
			}
		}
		b[bytes.LastIndex(b, []byte("a.npy"))-30] ^= 0xff // the checksum in the table of members
		if arrays, _, _, err := OpenZip(bytes.NewReader(b), int64(len(b)), "x.npz"); method == zip.Deflate && err == nil {
			if _, err := whole(arrays[0]); !errors.Is(err, fault.Malformed) {
				t.Errorf("a wrong checksum: %v", err)
			}
		}
	}
	for _, c := range []struct {
		name    string
		members map[string][]byte
		ok      bool
		kind    error
	}{
		{"x.npz", nil, true, fault.Malformed},
		{"x.zip", map[string][]byte{"readme.txt": nil}, false, nil},
		{"x.npz", map[string][]byte{"o.npy": object}, true, fault.Unsupported},
		{"x.zip", map[string][]byte{"a.npy": one}, true, nil},
	} {
		b := archive(t, zip.Deflate, c.members)
		if _, _, ok, err := OpenZip(bytes.NewReader(b), int64(len(b)), c.name); ok != c.ok || c.kind != nil && !errors.Is(err, c.kind) || c.kind == nil && err != nil {
			t.Errorf("%s of %d members: %v, %v", c.name, len(c.members), ok, err)
		}
	}
}

// TestBombs refuses archives that unpack to far more than they hold, and those of very many members.
func TestBombs(t *testing.T) {
	for _, claimed := range []uint64{600 << 20, 100 << 20} {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		w, err := z.CreateRaw(&zip.FileHeader{Name: "a.npy", Method: zip.Deflate, UncompressedSize64: claimed, CompressedSize64: 1000})
		if err != nil {
			t.Fatal(err)
		}
		w.Write(make([]byte, 1000))
		z.Close()
		if _, _, _, err := OpenZip(bytes.NewReader(b.Bytes()), int64(b.Len()), "x.npz"); !errors.Is(err, fault.TooLarge) {
			t.Errorf("%d bytes out of 1000: %v", claimed, err)
		}
	}
	var many bytes.Buffer
	z := zip.NewWriter(&many)
	for i := range maxMembers + 1 {
		z.CreateHeader(&zip.FileHeader{Name: fmt.Sprint(i)})
	}
	z.Close()
	if _, _, _, err := OpenZip(bytes.NewReader(many.Bytes()), int64(many.Len()), "x.npz"); !errors.Is(err, fault.TooLarge) {
		t.Errorf("many members: %v", err)
	}
}

// FuzzOpen reads whatever bytes there are as an array and as an archive: no panic, errors are faults.
func FuzzOpen(f *testing.F) {
	one := file(1, header("'<f4'", "True", "(2, 3)"), make([]byte, 24))
	f.Add(one)
	f.Add(file(2, header("[('a', '<i4')]", "False", "(2,)"), nil))
	f.Add(file(3, header("'>f2'", "False", "(2, 1, 2)"), make([]byte, 8)))
	f.Add(archive(f, zip.Store, map[string][]byte{"a.npy": one}))
	f.Add(archive(f, zip.Deflate, map[string][]byte{"a.npy": one, "b.npy": one}))
	f.Fuzz(func(t *testing.T, b []byte) {
		check := func(a *Array, err error) {
			if err == nil && a != nil && a.Len() < 1<<20 {
				_, err = whole(a)
			}
			if err != nil && fault.KindOf(err) == nil {
				t.Errorf("%v is no fault", err)
			}
		}
		a, _, err := Open(bytes.NewReader(b), int64(len(b)), "a.npy")
		check(a, err)
		arrays, _, _, err := OpenZip(bytes.NewReader(b), int64(len(b)), "a.npz")
		check(nil, err)
		for _, a := range arrays {
			check(a, nil)
		}
	})
}
