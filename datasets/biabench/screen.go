package biabench

import (
	"context"
	"strings"
)

// screen turns a candidate down for missing columns or for content that cannot be a mask (spec/contract.md 3.2).
func screen(gate *contentGate, path string, d Deliverable) (Rejected, bool) {
	r := Rejected{File: path, Deliverable: d.ID}
	if missing := missingColumns(path, d.Columns); len(missing) > 0 {
		r.Code, r.Columns = MissingColumns, missing
		r.Reason = "no column " + strings.Join(missing, ", ") + " in the header"
		return r, true
	}
	if !gated(path, d.Format) {
		return r, false
	}
	switch r.Code = gate.verdict(path); r.Code {
	case Colour:
		r.Reason = "a colour picture (or its last axis is 3 or 4 long), where a mask is asked for"
	case Probability:
		r.Reason = "fractions between 0 and 1, as of a probability map, where a mask is asked for"
	}
	return r, r.Code != ""
}

// gated tells whether a file's pixels are looked at: the task asks for a mask, and the file is a picture.
func gated(path string, format *string) bool {
	if format == nil {
		return false
	}
	f := lower(*format)
	for _, word := range []string{"binary", "label", "instance", "mask"} {
		if strings.Contains(f, word) {
			return pictureSuffix(path) != ""
		}
	}
	return false
}

// pictureSuffix is the lower-case suffix of a file that the content gate knows, or "".
func pictureSuffix(path string) string {
	switch suffix := lower(Suffix(path)); suffix {
	case ".tif", ".tiff", ".png", ".jpg", ".jpeg", ".bmp":
		return suffix
	}
	return ""
}

// contentGate judges pictures, each once.
type contentGate struct {
	ctx  context.Context
	seen map[string]string
}

// verdict is Colour, Probability or "" for a picture that passes.
func (g *contentGate) verdict(path string) string {
	code, known := g.seen[path]
	if !known {
		code = judgePicture(g.ctx, path)
		g.seen[path] = code
	}
	return code
}
