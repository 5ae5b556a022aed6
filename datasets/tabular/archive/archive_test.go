package archive

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"strings"
	"testing"

	"coverslip/datasets/fault"
)

func pack(t *testing.T, method uint16, mode fs.FileMode, members ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(members); i += 2 {
		h := &zip.FileHeader{Name: members[i], Method: method}
		h.SetMode(mode)
		w, err := z.CreateHeader(h)
		if err == nil {
			_, err = io.WriteString(w, members[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func open(b []byte, limits Limits) (*Archive, error) {
	return New("a.zip", bytes.NewReader(b), int64(len(b)), limits)
}

func TestReadMembers(t *testing.T) {
	a, err := open(pack(t, zip.Deflate, 0o600, "x/a b.txt", "one", "µ", "two", "µ", "three"), DefaultLimits)
	if err != nil || a.Safe() != nil {
		t.Fatal(err, a.Safe())
	}
	if len(a.Members) != 2 || len(a.Notes) != 1 || !strings.Contains(a.Notes[0], "µ") {
		t.Errorf("%d members, %q", len(a.Members), a.Notes)
	}
	for name, want := range map[string]string{"x/a b.txt": "one", "µ": "three"} {
		r, err := a.Reader(a.Find(name), int64(len(want)))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		if err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if a.Find("a b.txt") != nil {
		t.Error("names are whole paths")
	}
}

func TestUnsafeNames(t *testing.T) {
	for _, name := range []string{"../a", "a/../../b", "/a", `a\b`, "C:a", "a//b", "./a", "a\x00b", "\xff", ".."} {
		a, err := open(pack(t, zip.Store, 0o600, name, "x"), DefaultLimits)
		if err != nil {
			t.Fatal(name, err)
		}
		if err := a.Safe(); !errors.Is(err, fault.Malformed) {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"a", "a/b/", "..a", "a..", "ä b"} {
		a, err := open(pack(t, zip.Store, 0o600, name, ""), DefaultLimits)
		if err != nil || a.Safe() != nil {
			t.Errorf("%q: %v %v", name, err, a.Safe())
		}
	}
	a, err := open(pack(t, zip.Store, fs.ModeSymlink|0o777, "a", ".."), DefaultLimits)
	if err != nil || !errors.Is(a.Safe(), fault.Malformed) {
		t.Error("a link is not safe")
	}
}

func TestLimits(t *testing.T) {
	zeros := strings.Repeat("\x00", 1<<20)
	b := pack(t, zip.Deflate, 0o600, "a", zeros, "b", zeros)
	for name, limits := range map[string]Limits{
		"members": {Members: 1, Total: 1 << 30, Ratio: 1 << 30},
		"total":   {Members: 9, Total: 2<<20 - 1, Ratio: 1 << 30},
		"ratio":   {Members: 9, Total: 1 << 30, Ratio: 100, Free: 1 << 20},
	} {
		if _, err := open(b, limits); !errors.Is(err, fault.TooLarge) {
			t.Errorf("%s: %v", name, err)
		}
	}
	a, err := open(b, Limits{Members: 2, Total: 2 << 20, Ratio: 1, Free: 2 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Reader(a.Find("a"), 1<<20-1); !errors.Is(err, fault.TooLarge) {
		t.Errorf("a member: %v", err)
	}
}

// TestMemberThatLies: a member that unpacks to more than it states ends in an error.
func TestMemberThatLies(t *testing.T) {
	b := pack(t, zip.Deflate, 0o600, "a", strings.Repeat("x", 5000))
	at := bytes.LastIndex(b, []byte("PK\x01\x02")) + 24
	binary.LittleEndian.PutUint32(b[at:], 10)
	a, err := open(b, DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	r, err := a.Reader(a.Find("a"), 100)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(r)
	if err == nil || len(got) > 100 || fault.KindOf(err) == nil {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

func TestMembersThatOverlap(t *testing.T) {
	b := pack(t, zip.Store, 0o600, "a", strings.Repeat("x", 500), "b", strings.Repeat("x", 500))
	for at := 0; ; at++ { // each claims nearly the whole file
		next := bytes.Index(b[at:], []byte("PK\x01\x02"))
		if next < 0 {
			break
		}
		at += next
		binary.LittleEndian.PutUint32(b[at+20:], 900)
		binary.LittleEndian.PutUint32(b[at+24:], 900)
	}
	if _, err := open(b, DefaultLimits); !errors.Is(err, fault.TooLarge) {
		t.Error(err)
	}
}

func TestNoZip(t *testing.T) {
	whole := pack(t, zip.Store, 0o600, "a", "x")
	encrypted := bytes.Clone(whole)
	encrypted[bytes.LastIndex(whole, []byte("PK\x01\x02"))+8] |= 1
	for text, kind := range map[string]error{"": fault.Malformed, "X,Y\n": fault.Malformed, "\x00\x01": fault.Malformed, string(whole[:len(whole)-10]): fault.Malformed,
		"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": fault.Unsupported, string(encrypted): fault.Unsupported} {
		if _, err := open([]byte(text), DefaultLimits); !errors.Is(err, kind) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestUnsound: what the list of members allows but unpacking would trip over is refused by Safe alone.
func TestUnsound(t *testing.T) {
	whole := pack(t, zip.Store, 0o600, "a", "x")
	list := bytes.LastIndex(whole, []byte("PK\x01\x02"))
	end := bytes.LastIndex(whole, []byte("PK\x05\x06"))
	change := func(at int, to ...byte) []byte {
		b := bytes.Clone(whole)
		copy(b[at:], to)
		return b
	}
	for _, c := range []struct {
		name string
		b    []byte
		kind error
	}{
		{"as written", whole, nil},
		{"a byte behind the end", append(bytes.Clone(whole), 0), fault.Malformed},
		{"the second of several files", change(end+4, 1), fault.Unsupported},
		{"a method of long ago", change(list+10, 1), fault.Unsupported},
		{"no member where the list says", change(0, 'Q'), fault.Malformed},
		{"a listed offset beyond the end", change(list+42, 0xff, 0xff), fault.Malformed},
	} {
		a, err := open(c.b, DefaultLimits)
		if err == nil {
			err = a.Safe()
		} else {
			t.Errorf("%s: opening fails: %v", c.name, err)
		}
		if c.kind == nil && err != nil || c.kind != nil && !errors.Is(err, c.kind) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if _, err := open(change(list+20, 0xff, 0xff), DefaultLimits); !errors.Is(err, fault.Malformed) {
		t.Errorf("a member longer than the file: %v", err)
	}
}

// TestSecondName: of a name in an old encoding and one in UTF-8 the latter counts, if it belongs to the former.
func TestSecondName(t *testing.T) {
	for _, c := range []struct {
		version byte
		of      string
		want    string
	}{{1, "a", "µ"}, {2, "a", "a"}, {1, "b", "a"}} {
		extra := binary.LittleEndian.AppendUint32([]byte{0x75, 0x70, 7, 0, c.version}, crc32.ChecksumIEEE([]byte(c.of)))
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		_, err := z.CreateHeader(&zip.FileHeader{Name: "a", Extra: append(extra, "µ"...)})
		if err = errors.Join(err, z.Close()); err != nil {
			t.Fatal(err)
		}
		a, err := open(b.Bytes(), DefaultLimits)
		if err != nil || a.Safe() != nil || a.Members[0].Name != c.want || a.Find(c.want) == nil {
			t.Errorf("version %d, of %q: %v, %v", c.version, c.of, a.Members[0], err)
		}
	}
}
