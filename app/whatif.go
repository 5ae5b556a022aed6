package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// whatIfInvitation stands below a score that may be higher.
const whatIfInvitation = "What did slips of format cost? Click here, or press U."

// whatIf is the part of the score panel below the official lines: what the run would score after obvious remedies.
func (p *scorePanel) whatIf() (lines []fyne.CanvasObject) {
	text, wanted := p.model.WhatIf()
	for _, l := range text {
		lines = append(lines, p.line(l.Head, l.Text))
	}
	if wanted {
		prose := newProse(colourQuiet)
		prose.SetText(whatIfInvitation)
		row := container.New(headed{headWidth}, newText("What if", colourHeading, sizeSmall), dense(prose))
		lines = append(lines, newTapBox(row, p.model.TryRemedies))
	}
	return lines
}
