package cli

import (
	"context"
	"fmt"
	"image"
	"image/png"
	"io"

	"github.com/spf13/cobra"

	"coverslip/app/session"
	"coverslip/datasets/atomic"
	"coverslip/datasets/fault"
	"coverslip/viewer"
)

func (p Program) render() *cobra.Command {
	var text, out string
	c := &cobra.Command{
		Use:   "render TASK_DIR|IMAGE [RUN_DIR]",
		Short: "Draw the picture the workbench would show, as PNG",
		Long: "Draws a view of a task's image, with the answer of a run and the errors over it. The view is text, like\n" +
			"  image=human_kidney_01 zoom=2 at=256,256 errors=on bar=on size=1000x750\n" +
			"as the workbench copies it. Without --view it draws what the workbench shows first.",
		Args: between(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			var asked *viewer.View
			if text != "" {
				v, err := viewer.Parse(text)
				if err != nil {
					return usageError{err}
				}
				asked = &v
			}
			picture, v, err := Picture(cmd.Context(), args, asked)
			if err != nil {
				return err
			}
			if err := writePNG(p.Out, out, picture); err != nil {
				return err
			}
			fmt.Fprintf(p.Err, "%s\n", v)
			return nil
		},
	}
	c.Flags().StringVar(&text, "view", "", "the view as text")
	c.Flags().StringVarP(&out, "output", "o", "", "PNG file to write; - or none writes to stdout")
	return c
}

// Picture draws a view of what the paths hold: a task, a run and its task, or an image. It uses a session as the window does, so
// that both give the same bytes. Without a view it draws what the window shows first. The view that comes back has all that the
// picture was drawn with.
func Picture(ctx context.Context, paths []string, asked *viewer.View) (*image.RGBA, viewer.View, error) {
	q := session.NewQueue()
	s := session.New(session.Options{Post: q.Post})
	defer s.Close()
	s.Open(paths...)
	if err := settle(ctx, q, s); err != nil {
		return nil, viewer.View{}, err
	}
	if asked != nil {
		s.SetPictureSize(asked.Size.X, asked.Size.Y)
		if err := s.SetView(*asked); err != nil {
			return nil, *asked, err
		}
		if err := settle(ctx, q, s); err != nil {
			return nil, *asked, err
		}
	}
	v := s.Shown()
	picture, err := s.CopyImage()
	return picture, v, err
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

func writePNG(stdout io.Writer, path string, picture image.Image) error {
	if path == "" || path == "-" {
		return png.Encode(stdout, picture)
	}
	return atomic.Write(path, func(w io.Writer) error { return png.Encode(w, picture) })
}
