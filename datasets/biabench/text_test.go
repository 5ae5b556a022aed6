package biabench

import (
	"path/filepath"
	"testing"
)

// The last component of a path by the rules of both kinds of system, whichever this one is.
func TestLastComponent(t *testing.T) {
	slash := func(c uint8) bool { return c == '/' }
	either := func(c uint8) bool { return c == '/' || c == '\\' }
	for _, c := range []struct{ path, slash, either string }{
		{"a/b.tif", "b.tif", "b.tif"}, {"/a/b.d/", "b.d", "b.d"}, {"b.tif", "b.tif", "b.tif"}, {"", "", ""}, {"//", "", ""},
		{`C:\run\nuclei_masks\7.tif`, `C:\run\nuclei_masks\7.tif`, "7.tif"}, {`out/odd\name.tif`, `odd\name.tif`, "name.tif"}, {`C:\run\`, `C:\run\`, "run"},
	} {
		same(t, c.path, []string{lastComponent(c.path, slash), lastComponent(c.path, either)}, []string{c.slash, c.either})
	}
}

// Paths as the system joins them, which is what ListFiles and Resolve give, lose their folders.
func TestNamesOfJoinedPaths(t *testing.T) {
	path := filepath.Join("run.d", "nuclei.masks", "img_07.ome.TIF")
	same(t, "stem and suffix", []string{Stem(path), Suffix(path)}, []string{"img_07.ome", ".TIF"})
	p := Match([]string{path}, []string{filepath.Join("truth", "img_07.ome.tif")})
	same(t, "pairing", []any{p.Method, len(p.Pairs)}, []any{"stem", 1})
	for name, want := range map[string][2]string{".tif": {".tif", ""}, "a.": {"a.", ""}, "a.b.": {"a.b.", ""}, "x": {"x", ""}, ".a.b": {".a", ".b"}} {
		same(t, name, [2]string{Stem(name), Suffix(name)}, want)
	}
}
