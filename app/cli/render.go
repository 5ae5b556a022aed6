package cli

import (
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"iter"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"coverslip/app/session"
	"coverslip/datasets/fault"
	"coverslip/viewer"
	"coverslip/viewer/animation"
)

func (p Program) render() *cobra.Command {
	var text string
	var to rendering
	c := &cobra.Command{
		Use:   "render TASK_DIR|IMAGE [RUN_DIR [OTHER_RUN_DIR]]",
		Short: "Draw the picture the workbench would show, as PNG, or a series of them",
		Long: "Draws a view of a task's image, with the answer of a run and the errors over it. The view is text, like\n" +
			"  image=human_kidney_01 zoom=2 at=256,256 errors=on bar=on size=1000x750\n" +
			"as the workbench copies it. Without --view it draws what the workbench shows first. Layouts and projections are part of the view:\n" +
			"  layout=ortho z=30 cross=120,100    layout=side truth=outline    project=max:z\n" +
			"A second run is there to be compared with: layout=side other=NAME, where NAME is the name of its folder.\n" +
			"For print, N times the size, the zoom and the density give the same picture N times finer:\n" +
			"  size=4000x3000 zoom=8 at=256,256 density=4 errors=on bar=on\n" +
			"With --series it draws every frame or slice: -o NAME.gif is a film, -o NAME.png one file each, NAME_0000.png and so on.",
		Args: between(1, 3),
		RunE: func(cmd *cobra.Command, args []string) error {
			var asked *viewer.View
			if text != "" {
				v, err := viewer.Parse(text)
				if err != nil {
					return usageError{err}
				}
				asked = &v
			}
			if err := to.check(cmd.Flags().Changed("fps")); err != nil {
				return usageError{err}
			}
			return p.draw(cmd.Context(), args, asked, to)
		},
	}
	c.Flags().StringVar(&text, "view", "", "the view as text")
	c.Flags().StringVarP(&to.out, "output", "o", "", "PNG file to write; - or none writes to stdout")
	c.Flags().StringVar(&to.series, "series", "", "draw all frames, t, or all slices, z")
	c.Flags().Float64Var(&to.fps, "fps", 10, "frames a second of a film, 0.1 to 50")
	return c
}

// rendering is what becomes of the drawn pictures.
type rendering struct {
	out    string // file, "" and "-" stdout
	series string // "" one picture; t or z
	fps    float64
}

// check says what does not go together.
func (r rendering) check(fpsGiven bool) error {
	suffix := strings.ToLower(filepath.Ext(r.out))
	switch {
	case r.series == "" && suffix == ".gif":
		return fmt.Errorf("-o %s: a film needs --series t or --series z; one picture is a PNG, so its name ends in .png", r.out)
	case r.series == "" && suffix != "" && suffix != ".png":
		return fmt.Errorf("-o %s: the picture is a PNG, so its name ends in .png", r.out)
	case r.series != "" && r.series != "t" && r.series != "z":
		return fmt.Errorf("--series %s: the series is t, all frames, or z, all slices", r.series)
	case r.series != "" && suffix != ".gif" && suffix != ".png":
		return fmt.Errorf("--series needs -o NAME.gif for a film, or -o NAME.png for one file each")
	case fpsGiven && (r.series == "" || suffix != ".gif"):
		return fmt.Errorf("--fps is the speed of a film: --series with -o NAME.gif")
	case !(r.fps >= 0.1 && r.fps <= 50):
		return fmt.Errorf("--fps %v: a film has 0.1 to 50 frames a second", r.fps)
	}
	return nil
}

// draw draws a view of what the paths hold: a task, a run and its task, or an image. It uses a session as the window does, so
// that both give the same bytes. Without a view it draws what the window shows first. It says all that the picture was drawn with. What
// did not work but left a picture to draw is its error in the end.
func (p Program) draw(ctx context.Context, paths []string, asked *viewer.View, to rendering) error {
	q := session.NewQueue()
	s := session.New(session.Options{Post: q.Post})
	defer s.Close()
	s.Open(paths...)
	err := settle(ctx, q, s)
	if err == nil && asked != nil {
		s.SetPictureSize(asked.Size.X, asked.Size.Y, asked.LinePixel())
		if err = s.SetView(*asked); err == nil {
			err = settle(ctx, q, s)
		}
	}
	if err != nil {
		return err
	}
	if to.series != "" {
		err = p.drawSeries(ctx, q, s, paths, to)
	} else {
		var picture *image.RGBA
		if picture, err = s.CopyImage(); err == nil {
			err = p.write(to.out, paths, func(w io.Writer) error { return png.Encode(w, picture) })
		}
	}
	p.tell(s)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.Err, "%s\n", s.Shown())
	return s.Failure()
}

// drawSeries draws all frames or slices and says how far it is, a line for every picture.
func (p Program) drawSeries(ctx context.Context, q *session.Queue, s *session.Session, paths []string, to rendering) error {
	series := session.Series{Time: to.series == "t", To: s.Shape().Z - 1}
	if series.Time {
		series.To = s.Shape().T - 1
	}
	write := func(path string, fill func(io.Writer) error) error { return p.write(path, paths, fill) }
	save := func(pictures iter.Seq2[*image.RGBA, error]) error {
		pictures = p.counted(pictures, series.Len())
		if strings.EqualFold(filepath.Ext(to.out), ".gif") {
			delay := time.Duration(float64(time.Second) / to.fps)
			return write(to.out, func(w io.Writer) error { return animation.Film(w, delay, pictures) })
		}
		return animation.Frames(strings.TrimSuffix(to.out, filepath.Ext(to.out)), pictures, write)
	}
	var result error
	over := false
	if err := s.DrawSeries(series, 1, save, func(err error) { result, over = err, true }); err != nil {
		return err
	}
	if !q.WaitContext(ctx, func() bool { return over }) {
		for _, job := range s.JobList() {
			s.CancelJob(job.ID)
		}
		q.WaitContext(context.WithoutCancel(ctx), func() bool { return over }) // the picture being written is finished or taken back
		return ctx.Err()
	}
	return result
}

// counted says for every picture that it is being drawn.
func (p Program) counted(pictures iter.Seq2[*image.RGBA, error], total int) iter.Seq2[*image.RGBA, error] {
	return func(yield func(*image.RGBA, error) bool) {
		n := 0
		for im, err := range pictures {
			if n++; err == nil {
				fmt.Fprintf(p.Err, "%d/%d\n", n, total)
			}
			if !yield(im, err) {
				return
			}
		}
	}
}

// tell says on stderr what the window would show as messages, but for the errors, which end the command.
func (p Program) tell(s *session.Session) {
	for _, m := range s.MessageList() {
		if m.Level == "warning" {
			fmt.Fprintf(p.Err, "coverslip: %s\n", m.Text)
		}
	}
}

// settle waits until nothing is under way, and gives the first error that was said, if there is no picture because of it.
func settle(ctx context.Context, q *session.Queue, s *session.Session) error {
	q.WaitContext(ctx, func() bool { return len(s.JobList()) == 0 && !s.Loading() })
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.Scene() != nil {
		return nil
	}
	if err := s.Failure(); err != nil {
		return err
	}
	return &fault.Error{Kind: fault.Missing, Found: "no image to draw"}
}
