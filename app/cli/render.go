package cli

import (
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"coverslip/app/session"
	"coverslip/datasets/fault"
	"coverslip/viewer"
)

func (p Program) render() *cobra.Command {
	var text, out string
	c := &cobra.Command{
		Use:   "render TASK_DIR|IMAGE [RUN_DIR [OTHER_RUN_DIR]]",
		Short: "Draw the picture the workbench would show, as PNG",
		Long: "Draws a view of a task's image, with the answer of a run and the errors over it. The view is text, like\n" +
			"  image=human_kidney_01 zoom=2 at=256,256 errors=on bar=on size=1000x750\n" +
			"as the workbench copies it. Without --view it draws what the workbench shows first. Layouts and projections are part of the view:\n" +
			"  layout=ortho z=30 cross=120,100    layout=side truth=outline    project=max:z\n" +
			"A second run is there to be compared with: layout=side other=NAME, where NAME is the name of its folder.",
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
			if suffix := filepath.Ext(out); suffix != "" && !strings.EqualFold(suffix, ".png") {
				return usageError{fmt.Errorf("-o %s: the picture is a PNG, so its name ends in .png", out)}
			}
			picture, v, trouble, err := p.picture(cmd.Context(), args, asked)
			if err != nil {
				return err
			}
			err = p.write(out, args, func(w io.Writer) error { return png.Encode(w, picture) })
			if err != nil {
				return err
			}
			fmt.Fprintf(p.Err, "%s\n", v)
			return trouble
		},
	}
	c.Flags().StringVar(&text, "view", "", "the view as text")
	c.Flags().StringVarP(&out, "output", "o", "", "PNG file to write; - or none writes to stdout")
	return c
}

// picture draws a view of what the paths hold: a task, a run and its task, or an image. It uses a session as the window does, so
// that both give the same bytes. Without a view it draws what the window shows first. The view that comes back has all that the
// picture was drawn with. What did not work but left a picture to draw is trouble.
func (p Program) picture(ctx context.Context, paths []string, asked *viewer.View) (drawn *image.RGBA, v viewer.View, trouble, err error) {
	q := session.NewQueue()
	s := session.New(session.Options{Post: q.Post})
	defer s.Close()
	s.Open(paths...)
	if err = settle(ctx, q, s); err != nil {
		return nil, v, nil, err
	}
	if asked != nil {
		s.SetPictureSize(asked.Size.X, asked.Size.Y)
		if err = s.SetView(*asked); err == nil {
			err = settle(ctx, q, s)
		}
		if err != nil {
			return nil, *asked, nil, err
		}
	}
	v = s.Shown()
	drawn, err = s.CopyImage()
	p.tell(s)
	return drawn, v, s.Failure(), err
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
