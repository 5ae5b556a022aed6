// Package assets holds what the program carries inside itself.
package assets

import _ "embed"

// Icon is the program's icon, a PNG of 512 x 512 pixels: a coverslip laid over a cell.
//
//go:embed icon.png
var Icon []byte
