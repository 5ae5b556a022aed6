package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster"
	"coverslip/scoring/report"
)

func (p Program) info() *cobra.Command {
	var asJSON, hash bool
	c := &cobra.Command{
		Use:   "info FILE...",
		Short: "Say what image files are: format, axes, type, calibration, pages, notes",
		Long: "Shape, axes and type are those of the first series, which is what a scorer sees.\n" +
			"With --json, prints one object per line and file.",
		Args: between(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var errs []error
			for _, path := range args {
				if err := infoOf(cmd.Context(), p.Out, path, asJSON, hash); err != nil {
					errs = append(errs, err)
				}
			}
			return errors.Join(errs...)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().BoolVar(&hash, "hash", false, "add the SHA-256 of the first series' values, C order, little-endian")
	return c
}

// infoOf describes one file. With JSON a refused file gets an object too, with its error.
func infoOf(ctx context.Context, w io.Writer, path string, asJSON, hash bool) error {
	f, err := raster.Open(ctx, path)
	if err != nil {
		if asJSON {
			writeJSONLine(w, new(report.Record).Set("file", path).Set("error", err.Error()).Set("error_kind", kindName(err)))
		}
		return err
	}
	defer f.Close()
	rec := describe(f)
	var problem error
	if hash {
		sum, err := raster.Hash(ctx, f)
		if err != nil {
			rec.Set("error", err.Error()).Set("error_kind", kindName(err))
			problem = err
		} else {
			rec.Set("sha256", sum)
		}
	}
	if asJSON {
		return errors.Join(writeJSONLine(w, rec), problem)
	}
	return errors.Join(writeInfoText(w, f, rec), problem)
}

func kindName(err error) string {
	if k := fault.KindOf(err); k != nil {
		return k.Error()
	}
	return ""
}

func describe(f *raster.File) *report.Record {
	rec := new(report.Record).Set("file", f.Path).Set("format", f.Format).Set("pages", f.Pages)
	if len(f.Series) > 0 {
		h := f.Series[0]
		shape := h.Shape
		if shape == nil {
			shape = []int{}
		}
		rec.Set("shape", shape).Set("axes", h.Axes).Set("dtype", h.Type.String())
	}
	rec.Set("series", len(f.Series))
	if f.ScoringErr != nil {
		rec.Set("scoring_error", f.ScoringErr.Error())
	}
	if c := f.Calibration; c.X > 0 || c.Z > 0 || c.T > 0 {
		rec.Set("calibration", new(report.Record).Set("x_um", c.X).Set("y_um", c.Y).Set("z_um", c.Z).Set("t_s", c.T).Set("source", c.Source))
	}
	if names := channelNames(f.Channels); len(names) > 0 {
		rec.Set("channels", names)
	}
	if len(f.Notes) > 0 {
		rec.Set("notes", f.Notes)
	}
	return rec
}

func channelNames(channels []raster.Channel) []string {
	var names []string
	for _, c := range channels {
		if c.Name != "" {
			names = append(names, c.Name)
		}
	}
	return names
}

func writeJSONLine(w io.Writer, rec *report.Record) error {
	text, err := json.Marshal(rec)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", text)
	return err
}

func writeInfoText(w io.Writer, f *raster.File, rec *report.Record) error {
	fmt.Fprintf(w, "%s\n  %s, %d pages\n", f.Path, f.Format, f.Pages)
	for i, h := range f.Series {
		fmt.Fprintf(w, "  series %d: %s %s, %s\n", i+1, h.Axes, strings.Trim(fmt.Sprint(h.Shape), "[]"), h.Type)
	}
	if f.ScoringErr != nil {
		fmt.Fprintf(w, "  the reference reader cannot read it: %v\n", f.ScoringErr)
	}
	if c := f.Calibration; c.X > 0 {
		fmt.Fprintf(w, "  pixel %.4g x %.4g µm", c.Y, c.X)
		if c.Z > 0 {
			fmt.Fprintf(w, ", z step %.4g µm", c.Z)
		}
		if c.T > 0 {
			fmt.Fprintf(w, ", %.4g s per frame", c.T)
		}
		fmt.Fprintf(w, " (%s)\n", c.Source)
	}
	for _, n := range channelNames(f.Channels) {
		fmt.Fprintf(w, "  channel %s\n", n)
	}
	for _, n := range f.Notes {
		fmt.Fprintf(w, "  note: %s\n", n)
	}
	if sum, ok := rec.Get("sha256").(string); ok {
		fmt.Fprintf(w, "  sha256 %s\n", sum)
	}
	return nil
}
