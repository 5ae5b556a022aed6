package raster

import (
	"context"
	"errors"
	"image"
	"path/filepath"
	"strings"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster/picture"
)

// takePicture fills a File from a picture of one frame.
func (f *File) takePicture(p *picture.Picture) {
	f.Format, f.Pages, f.Notes = p.Format, 1, p.Notes
	f.Bits, f.bitsSource = 8*p.Type.Size(), p.Format
	if p.Type == Bool {
		f.Bits = 1
	}
	if p.PixelX > 0 || p.PixelY > 0 {
		f.Calibration = Calibration{X: p.PixelX, Y: p.PixelY, Source: p.Format}
	}
	if ext := strings.ToLower(filepath.Ext(f.Path)); ext == ".tif" || ext == ".tiff" {
		f.Notes = append(f.Notes, "the content is "+p.Format+" under the name of a TIFF")
		f.ScoringErr = &fault.Error{Kind: fault.Malformed, File: f.Path, Found: "a " + p.Format + " picture", Expected: "a TIFF, as the name says",
			Fix: "Convert it to TIFF"}
	}
	samples := 1
	if len(p.Shape) == 3 {
		samples = p.Shape[2]
	}
	s := &series{Header: p.Header, frames: 1, h: p.Shape[0], w: p.Shape[1], samples: samples, rgb: p.RGB, alpha: p.Alpha, splits: samples > 1}
	s.read = func(ctx context.Context, _ int, rq request, dst any) (found, error) {
		note, err := p.Read(dst, rq.split)
		return found{note: note}, errors.Join(err, ctx.Err())
	}
	if p.Hands() {
		s.hand = func(ctx context.Context, _ int, _ image.Rectangle) (out []any, err error) {
			planes, err := p.Planes()
			for _, plane := range planes {
				out = append(out, plane)
			}
			return out, errors.Join(err, ctx.Err())
		}
	}
	f.add(s, "")
	if p.Inks {
		f.showInks(p.Format)
	}
	if samples > 1 && p.Type == Uint16 { // the reference's decoder gives 8 bits (spec/formats.md 13.10)
		f.scored8 = true
		f.Notes = append(f.Notes, "16-bit colours are cut to 8 bits in scoring, as in the reference")
	}
}

// cutTo8 keeps the high byte of 16-bit samples.
func cutTo8(a Array) Array {
	v := a.Values.([]uint16)
	out := make([]uint8, len(v))
	for i, x := range v {
		out[i] = uint8(x >> 8)
	}
	a.Type, a.Values = Uint8, out
	return a
}
