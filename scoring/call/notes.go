package call

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"coverslip/datasets/biabench"
	"coverslip/scoring/report"
)

// Say adds a line to "how this number is made".
func (c *Call) Say(head, text string) {
	c.Report.Method = append(c.Report.Method, report.Line{Head: head, Text: text})
}

// Warn adds a note that matters. fix may be empty.
func (c *Call) Warn(file, text, fix string) { c.note(report.Warning, file, text, fix) }

// Info adds a note that is good to know.
func (c *Call) Info(file, text string) { c.note(report.Info, file, text, "") }

func (c *Call) note(level report.Level, file, text, fix string) {
	c.Report.Notes = append(c.Report.Notes, report.Note{Level: level, File: file, Text: text, Fix: fix})
}

// deliverableNotes remark on files that were turned down or not looked at.
func (c *Call) deliverableNotes() {
	for _, f := range c.resolution.Rejected {
		fix := ""
		if f.Code == biabench.MissingColumns && startsWithMark(f.File) {
			fix = "Save the table as UTF-8 without a byte-order mark: the mark hides the first column's name"
		}
		c.Warn(c.Shown(f.File), "Not taken for "+f.Deliverable+": "+f.Reason, fix)
	}
	for _, d := range c.resolution.Deliverables {
		if d.Note != "" {
			c.Warn("", d.Note, "")
		}
		if len(d.Surplus) > 0 {
			c.Info(c.Shown(d.Surplus[0]), fmt.Sprintf("The deliverable %s takes one file, %s not scored",
				d.Deliverable.ID, Quantity(len(d.Surplus), "other file was", "other files were")))
		}
	}
}

// startsWithMark tells a file that begins with the byte-order mark of UTF-8.
func startsWithMark(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 3)
	_, err = io.ReadFull(f, head)
	return err == nil && bytes.Equal(head, []byte{0xEF, 0xBB, 0xBF})
}
