package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"coverslip/datasets"
	"coverslip/datasets/fault"
	"coverslip/datasets/raster"
	"coverslip/scoring/report"
)

func (p Program) info() *cobra.Command {
	var asJSON, hash bool
	c := &cobra.Command{
		Use:   "info PATH...",
		Short: "Say what files and folders are: images, tables, tasks, runs",
		Long: "Of images it says format, axes, type, calibration, pages and notes; shape, axes and type are those of the first series,\n" +
			"which is what a scorer sees. Of tables it says how they are written and what a strict reader makes of them.\n" +
			"With --json, prints one object per line and path.",
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

// infoOf describes one path. With JSON what is refused gets an object too, with its error.
func infoOf(ctx context.Context, w io.Writer, path string, asJSON, hash bool) error {
	kind, err := datasets.Recognise(path)
	rec := new(report.Record).Set("file", path).Set("kind", kind.String())
	if err == nil {
		switch kind {
		case datasets.Task:
			err = describeTask(rec, path)
		case datasets.TaskRoot:
			err = describeRoot(rec, path)
		case datasets.Run, datasets.Submission:
			err = describeRun(ctx, rec, path)
		case datasets.SubmissionZip:
			err = describeZip(ctx, rec, path)
		case datasets.Table:
			err = describeTable(rec, path)
		default:
			err = describeImage(ctx, rec, path, hash)
		}
	}
	if err != nil {
		rec.Set("error", err.Error()).Set("error_kind", kindName(err))
	}
	if asJSON {
		return errors.Join(writeJSONLine(w, rec), err)
	}
	if err == nil {
		writeFacts(w, rec, "")
	}
	return err
}

func kindName(err error) string {
	if k := fault.KindOf(err); k != nil {
		return k.Error()
	}
	return ""
}

// describeImage adds what an image file is. A file that can be opened but not read in full keeps what is known of it.
func describeImage(ctx context.Context, rec *report.Record, path string, hash bool) error {
	f, err := raster.Open(ctx, path)
	if err != nil {
		return err
	}
	defer f.Close()
	rec.Set("format", f.Format).Set("pages", f.Pages)
	if len(f.Series) > 0 {
		h := f.Series[0]
		rec.Set("axes", h.Axes).Set("shape", append([]int{}, h.Shape...)).Set("dtype", h.Type.String())
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
	metadata := new(report.Record)
	for _, fact := range f.Facts() {
		metadata.Set(fact.Name, fact.Value+" ("+fact.Source+")")
	}
	if len(metadata.Keys()) > 0 {
		rec.Set("metadata", metadata)
	}
	notes := slices.Clone(f.Notes)
	var sum string
	if hash {
		var more []string // what only reading the pixels brings to light
		sum, more, err = raster.HashNotes(ctx, f)
		notes = append(notes, more...)
	}
	if len(notes) > 0 {
		rec.Set("notes", notes)
	}
	if hash && err == nil {
		rec.Set("sha256", sum)
	}
	return err
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

// writeFacts prints a record as indented lines, one field each.
func writeFacts(w io.Writer, rec *report.Record, indent string) {
	for _, key := range rec.Keys() {
		name := strings.ReplaceAll(key, "_", " ")
		switch v := rec.Get(key).(type) {
		case *report.Record:
			fmt.Fprintf(w, "%s%s\n", indent, name)
			writeFacts(w, v, indent+"  ")
		case []*report.Record:
			for _, r := range v {
				fmt.Fprintf(w, "%s%s\n", indent, name)
				writeFacts(w, r, indent+"  ")
			}
		case []string:
			for _, line := range v {
				fmt.Fprintf(w, "%s%s: %s\n", indent, name, line)
			}
		case []int:
			fmt.Fprintf(w, "%s%s: %s\n", indent, name, strings.Trim(fmt.Sprint(v), "[]"))
		default:
			if key == "file" {
				fmt.Fprintf(w, "%v\n", v)
				indent = "  "
				continue
			}
			fmt.Fprintf(w, "%s%s: %v\n", indent, name, v)
		}
	}
}
