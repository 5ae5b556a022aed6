package raster

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster/tiff"
)

// openTIFF fills a File from a TIFF.
func (f *File) openTIFF(r io.ReaderAt, size int64) error {
	t, err := tiff.Open(r, size, f.Path)
	if err != nil {
		return err
	}
	first := t.Pages[0]
	cut, odd, err := t.Check(first)
	if err != nil {
		return err
	}
	g := t.Group(f.sibling)
	if fr := g.Series[0].First(); fr.Page != nil && fr.Page != first {
		if _, _, err := fr.File.Check(fr.Page); err != nil {
			return err
		}
	}
	f.Format, f.Pages = formatName(t, g.Flavour), len(t.Pages)
	f.Notes, f.ScoringErr = append(g.Notes, odd...), g.Refused
	switch strings.ToLower(filepath.Ext(f.Path)) {
	case ".png", ".jpg", ".jpeg", ".bmp", ".gif":
		f.Notes = append(f.Notes, "the content is TIFF under the name of another format")
	}
	if fr := g.Series[0].Last(); !cut && fr.Page != nil && fr.Page != first {
		lastCut, _, err := fr.File.Check(fr.Page)
		cut = lastCut || errors.Is(err, fault.Malformed)
	}
	if cut {
		f.Notes = append(f.Notes, "the file is cut off: pixels are missing and read as zero")
		if f.ScoringErr == nil {
			f.ScoringErr = &fault.Error{Kind: fault.Malformed, File: f.Path, Found: "pixels that are cut off", Fix: "Copy or write the file again"}
		}
	}
	for i := range g.Series {
		f.add(tiffSeries(&g.Series[i]), g.Series[i].Name)
	}
	if g.Shown != nil {
		f.shown = tiffSeries(g.Shown)
	}
	if g.Shown == nil && g.Series[0].Layout.Inks() && g.Flavour != "LSM" {
		f.showInks("photometric tag")
	}
	f.channelSource = map[string]string{"OME": "OME-XML", "LSM": "Zeiss LSM header"}[g.Flavour]
	f.takeMeta(g.Meta)
	if f.Bits == 0 {
		f.Bits, f.bitsSource = first.Layout.Bits, "bits per sample"
	}
	return nil
}

func formatName(t *tiff.File, flavour string) string {
	switch {
	case flavour == "OME":
		return "OME-TIFF"
	case flavour == "ImageJ":
		return "ImageJ TIFF"
	case flavour == "LSM":
		return "Zeiss LSM"
	case flavour == "STK":
		return "MetaMorph STK"
	case t.Big:
		return "BigTIFF"
	}
	return "TIFF"
}

// sibling opens another TIFF of the same folder, for sets of OME files.
func (f *File) sibling(name string) (*tiff.File, error) {
	path := filepath.Join(filepath.Dir(f.Path), filepath.Base(name))
	o, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	f.closers = append(f.closers, o)
	f.mu.Unlock()
	info, err := o.Stat()
	if err != nil {
		return nil, err
	}
	return tiff.Open(o, info.Size(), path)
}

func (f *File) takeMeta(m tiff.Meta) {
	f.Calibration = Calibration{X: m.X, Y: m.Y, Z: m.Z, T: m.T, Source: m.Source}
	for _, c := range m.Channels {
		f.Channels = append(f.Channels, Channel{Name: c.Name, Colour: c.Colour, Lo: c.Lo, Hi: c.Hi, LUT: c.LUT})
	}
	f.Labels = m.Labels
	f.Bits, f.bitsSource = m.Bits, m.BitsSource
	f.places = m.Tiles
	f.lay()
	f.look = look{palette: m.Palette, minIsWhite: m.MinIsWhite, offset: m.Offset, slope: m.Slope}
}

// tiffSeries is a TIFF's series in this package's form.
func tiffSeries(t *tiff.Series) *series {
	l := t.Layout
	s := &series{Header: t.Header, lead: t.Lead, leadAxes: t.LeadAxes, frames: t.Frames.Count, h: l.Height, w: l.Width, samples: l.Samples,
		planar: l.Planar, splits: l.Splits(), parts: true, rows: l.Rows()}
	if t.Kind != "LSM" { // its samples are channels, whatever the photometric tag says
		s.rgb, s.alpha = l.Colours()
	}
	for i := range t.Levels {
		s.levels = append(s.levels, tiffSeries(&t.Levels[i]))
	}
	s.read = func(ctx context.Context, i int, rq request, dst any) (found, error) {
		if t.Frames.Pages == nil {
			return found{}, t.Frames.ReadBehind(ctx, i, dst, tiff.Request{Sample: rq.sample, Split: rq.split, Part: rq.part})
		}
		fr := t.Frames.Pages[i]
		if fr.Page == nil {
			return found{}, ctx.Err()
		}
		page := fr.Page
		if fr.Sub > 0 {
			var err error
			if page, err = fr.File.SubPage(fr.Page, fr.Sub); err != nil {
				return found{}, err
			}
			if o := page.Layout; o.Width != l.Width || o.Height != l.Height || o.Samples != l.Samples || o.Type != l.Type || o.Planar != l.Planar {
				return found{note: "some pages lack the smaller copies that page 1 has"}, ctx.Err()
			}
		}
		got, err := fr.File.Read(ctx, page, dst, tiff.Request{Sample: rq.sample, Split: rq.split, Strict: rq.strict, Part: rq.part})
		out := found{cut: got.Lost > 0}
		if got.Surplus > 0 {
			out.note = "strips or tiles hold far more data than they need"
		}
		return out, err
	}
	return s
}
