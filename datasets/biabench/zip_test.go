package biabench

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coverslip/datasets/fault"
)

// writeZip makes a zip of members with these contents.
func writeZip(t testing.TB, name string, members map[string]string) string {
	t.Helper()
	var list []zip.FileHeader
	var contents []string
	for _, member := range slices.Sorted(maps.Keys(members)) {
		list = append(list, zip.FileHeader{Name: member, Method: zip.Deflate})
		contents = append(contents, members[member])
	}
	return writeZipHeaders(t, name, list, contents)
}

func writeZipHeaders(t testing.TB, name string, headers []zip.FileHeader, contents []string) string {
	t.Helper()
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	for i := range headers {
		w, err := z.CreateHeader(&headers[i])
		if err == nil {
			_, err = w.Write([]byte(contents[i]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	// A "/" in the vectors' zip names stands for a folder of the user's.
	path := filepath.Join(t.TempDir(), filepath.Base(name))
	if err := os.WriteFile(path, buf.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// temporaries counts what unpacking left in the folder for temporary files.
func temporaries(t testing.TB) int {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(os.TempDir(), "coverslip-run-*"))
	if err != nil {
		t.Fatal(err)
	}
	return len(left)
}

func TestZipAttacks(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	link := zip.FileHeader{Name: "link"}
	link.SetMode(fs.ModeSymlink | 0o777)
	pipe := zip.FileHeader{Name: "pipe"}
	pipe.SetMode(fs.ModeNamedPipe | 0o600)
	named := func(names ...string) (list []zip.FileHeader) {
		for _, n := range names {
			list = append(list, zip.FileHeader{Name: n, Method: zip.Deflate})
		}
		return list
	}
	for name, c := range map[string]struct {
		headers []zip.FileHeader
		found   string
		kind    error
	}{
		"climbs out":             {named("ok.txt", "../evil.txt"), "..", fault.Malformed},
		"climbs in the middle":   {named("a/../../evil.txt"), "..", fault.Malformed},
		"climbs at the end":      {named("a/.."), "..", fault.Malformed},
		"absolute":               {named("/etc/evil"), "absolute", fault.Malformed},
		"backslash":              {named(`..\evil`), "backslash", fault.Malformed},
		"drive letter":           {named("C:evil"), "drive", fault.Malformed},
		"empty step":             {named("a//b"), "empty step", fault.Malformed},
		"dot step":               {named("./b"), "empty step", fault.Malformed},
		"NUL":                    {named("a\x00b"), "unreadable", fault.Malformed},
		"not UTF-8":              {named("a\xffb"), "unreadable", fault.Malformed},
		"long name":              {named(strings.Repeat("n", 300)), "longer", fault.Malformed},
		"link":                   {[]zip.FileHeader{link}, "link", fault.Malformed},
		"pipe":                   {[]zip.FileHeader{pipe}, "special", fault.Malformed},
		"twice":                  {named("a.txt", "b.txt", "a.txt"), "another member", fault.Malformed},
		"file then folder":       {named("a", "a/b"), "another member", fault.Malformed},
		"folder then file":       {named("a/b", "a"), "another member", fault.Malformed},
		"hidden in Finder's":     {named("__MACOSX/../../x"), "..", fault.Malformed},
		"more members than fit":  {named("1", "2", "3", "4", "5", "6"), "6 members", fault.TooLarge},
		"more bytes than fit":    {named("big1", "big2"), "more bytes", fault.TooLarge},
		"shrinks all too well":   {named("zeros"), "unpack to", fault.TooLarge},
		"encrypted":              {[]zip.FileHeader{{Name: "secret", Flags: 1}}, "encrypted", fault.Unsupported},
		"clash through Finder's": {named("__MACOSX", "__MACOSX/a"), "another member", fault.Malformed},
	} {
		t.Run(name, func(t *testing.T) {
			limits := zipLimits{members: 5, total: 100_000, ratio: 50, free: 20_000}
			path := writeZipHeaders(t, "t__a__r.zip", c.headers, attackContents(c.headers))
			dir, _, err := unpack(context.Background(), path, limits)
			if err == nil {
				t.Fatal("unpacked to " + dir)
			}
			checkFault(t, err)
			if !strings.Contains(err.Error(), c.found) || fault.KindOf(err) != c.kind {
				t.Errorf("got %v, want %q", err, c.found)
			}
			if temporaries(t) != 0 {
				t.Error("something was written")
			}
		})
	}
}

// attackContents gives members their contents by name.
func attackContents(headers []zip.FileHeader) []string {
	contents := make([]string, len(headers))
	for i, h := range headers {
		switch {
		case strings.HasPrefix(h.Name, "big"):
			contents[i] = strings.Repeat("x", 60_000)
		case h.Name == "zeros":
			contents[i] = strings.Repeat("\x00", 90_000)
		default:
			contents[i] = "text"
		}
	}
	return contents
}

// Members that overlap (one stretch of bytes listed many times) are refused.
func TestZipOverlap(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	path := writeZip(t, "x.zip", map[string]string{"a": strings.Repeat("abc", 1000), "b": strings.Repeat("abc", 1000)})
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// The packed size of a central directory entry is its bytes 20 to 23.
	at := bytes.LastIndex(raw, []byte("PK\x01\x02"))
	copy(raw[at+20:], []byte{0, 0, 1, 0})
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, err = unpack(context.Background(), path, defaultLimits)
	if fault.KindOf(err) != fault.Malformed || !strings.Contains(err.Error(), "overlap") {
		t.Errorf("got %v", err)
	}
}

// A member whose bytes are damaged costs itself alone.
func TestZipDamagedMember(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	text := "good text that is kept"
	path := writeZipHeaders(t, "x.zip", []zip.FileHeader{{Name: "bad.txt"}, {Name: "good.txt"}}, []string{"to be damaged", text})
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	raw[bytes.Index(raw, []byte("to be"))] ^= 1
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	run, err := OpenRun(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	files, err := ListFiles(run.Dir)
	if err != nil || len(files) != 1 || filepath.Base(files[0]) != "good.txt" {
		t.Errorf("kept %v, %v", files, err)
	}
	if !strings.Contains(noteLines(run.Notes), "warning: The zip's member bad.txt is damaged") {
		t.Errorf("notes %q", run.Notes)
	}
	if err := errors.Join(run.Close(), run.Close()); err != nil || temporaries(t) != 0 {
		t.Errorf("%v, %d temporary folders left", err, temporaries(t))
	}
}

func TestZipCancelled(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := OpenRun(ctx, writeZip(t, "x.zip", map[string]string{"a": "b"}))
	if !errors.Is(err, context.Canceled) || temporaries(t) != 0 {
		t.Errorf("%v, %d temporary folders left", err, temporaries(t))
	}
}

func FuzzZipIntake(f *testing.F) {
	for _, members := range []map[string]string{
		{"submission.json": `{"task_id":"t"}`, "artifacts/x_seg.tif": "II*"},
		{"w/submission.json": "{}", "w/artifacts/": "", "__MACOSX/w/._x": "y"},
		{"../evil": "x"}, {"a": "1", "a/b": "2"}, {"w/submission.json": "{}", "w/artifacts/x": "", "note": ""}, {"a/b/submission.json": "{}", "a/__MACOSX/x": ""},
	} {
		raw, err := os.ReadFile(writeZip(f, "x.zip", members))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		home := t.TempDir()
		t.Setenv("TMPDIR", filepath.Join(home, "tmp"))
		if err := os.Mkdir(filepath.Join(home, "tmp"), 0o700); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(home, "t__a__r.zip")
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		dir, notes, err := unpack(context.Background(), path, zipLimits{members: 50, total: 1 << 20, ratio: 100, free: 1 << 16})
		if err != nil {
			checkFault(t, err)
		} else {
			root, found := submissionRoot(dir)
			if notes == nil && found != isSubmissionZip(path) {
				t.Errorf("unpacked it is a submission: %v, by its list of members: %v", found, !found)
			}
			if root != dir && !strings.HasPrefix(root, dir+string(filepath.Separator)) {
				t.Errorf("%s is not below %s", root, dir)
			}
			os.RemoveAll(dir)
		}
		if entries, _ := os.ReadDir(home); len(entries) != 2 || temporaries(t) != 0 {
			t.Errorf("%d entries beside the zip, %d temporary folders", len(entries), temporaries(t))
		}
	})
}
