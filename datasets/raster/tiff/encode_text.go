package tiff

import (
	"fmt"
	"strconv"
	"strings"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster/pixel"
)

// shapeText is the description that keeps an array's shape, as JSON (spec/formats.md 1.7 item 1). Axes are noted when
// each letter names an axis of its own.
func shapeText(a pixel.Array, o EncodeOptions) string {
	var b strings.Builder
	b.WriteString(`{"shape": [`)
	for i, d := range a.Shape {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Itoa(d))
	}
	b.WriteString("]")
	if namesAxes(a.Axes) {
		fmt.Fprintf(&b, `, "axes": %q`, a.Axes)
	}
	if o.StepUM > 0 {
		fmt.Fprintf(&b, `, "spacing": %s, "unit": "um"`, number(o.StepUM))
	}
	b.WriteString("}")
	return b.String()
}

func namesAxes(axes string) bool {
	for i, r := range axes {
		if !strings.ContainsRune("TZCYXSPM", r) || strings.ContainsRune(axes[:i], r) {
			return false
		}
	}
	return axes != ""
}

// imagejText is ImageJ's description (spec/formats.md 1.8.1). The array's axes must follow T Z C Y X (S), in that order.
func imagejText(a pixel.Array, l pageLayout, o EncodeOptions) (string, error) {
	switch {
	case a.Type != pixel.Uint8 && a.Type != pixel.Uint16 && a.Type != pixel.Float32, l.samples > 1 && a.Type != pixel.Uint8:
		return "", &fault.Error{Kind: fault.Inconsistent, Found: a.Type.String() + " samples",
			Expected: "uint8, uint16 or float32 for an ImageJ file"}
	case l.samples != 1 && l.samples != 3:
		return "", &fault.Error{Kind: fault.Inconsistent, Found: fmt.Sprintf("%d samples per pixel", l.samples), Expected: "1 or 3 for an ImageJ file"}
	}
	extent := map[byte]int{'T': 1, 'Z': 1, 'C': 1}
	last := -1
	for i, d := range a.Shape {
		at := -1
		if len(a.Axes) == len(a.Shape) {
			at = strings.IndexByte("TZCYXS", a.Axes[i])
		}
		if at <= last {
			return "", &fault.Error{Kind: fault.Inconsistent, Found: fmt.Sprintf("axes %q", a.Axes), Expected: "axes in the order TZCYX for an ImageJ file"}
		}
		last = at
		extent["TZCYXS"[at]] = d
	}
	var b strings.Builder
	fmt.Fprintf(&b, "ImageJ=1.11a\nimages=%d\n", l.pages)
	for _, k := range []struct {
		axis byte
		key  string
	}{{'C', "channels"}, {'Z', "slices"}, {'T', "frames"}} {
		if extent[k.axis] > 1 {
			fmt.Fprintf(&b, "%s=%d\n", k.key, extent[k.axis])
		}
	}
	if l.pages > 1 {
		b.WriteString("hyperstack=true\n")
	}
	mode := "grayscale"
	if extent['C'] > 1 {
		mode = "composite"
	}
	if l.samples == 1 {
		fmt.Fprintf(&b, "mode=%s\n", mode)
	}
	if o.PixelUM > 0 || o.StepUM > 0 {
		b.WriteString("unit=um\n")
	}
	if o.StepUM > 0 {
		fmt.Fprintf(&b, "spacing=%s\n", number(o.StepUM))
	}
	b.WriteString("loop=false\n")
	return b.String(), nil
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
