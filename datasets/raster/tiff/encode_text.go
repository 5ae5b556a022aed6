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
	extent, err := hyperstack(a, "an ImageJ file")
	if err != nil {
		return "", err
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
	if o.IntervalMin > 0 {
		fmt.Fprintf(&b, "finterval=%s\ntunit=min\n", number(o.IntervalMin))
	}
	b.WriteString("loop=false\n")
	return b.String(), nil
}

// hyperstack gives the lengths of the axes T Z C Y X S, 1 for those that the array lacks. It wants them in that order.
func hyperstack(a pixel.Array, what string) (map[byte]int, error) {
	extent := map[byte]int{'T': 1, 'Z': 1, 'C': 1, 'Y': 1, 'X': 1, 'S': 1}
	last := -1
	for i, d := range a.Shape {
		at := -1
		if len(a.Axes) == len(a.Shape) {
			at = strings.IndexByte("TZCYXS", a.Axes[i])
		}
		if at <= last {
			return nil, &fault.Error{Kind: fault.Inconsistent, Found: fmt.Sprintf("axes %q", a.Axes), Expected: "axes in the order TZCYX for " + what}
		}
		last = at
		extent["TZCYXS"[at]] = d
	}
	return extent, nil
}

// omeDescription is an OME-XML description (spec/formats.md 1.8.2) of one image whose planes follow each other, C fastest, then Z,
// then T. The array's axes must follow T Z C Y X, in that order.
func omeDescription(a pixel.Array, l pageLayout, o EncodeOptions) (string, error) {
	extent, err := hyperstack(a, "an OME file")
	if err != nil {
		return "", err
	}
	if l.samples != 1 {
		return "", &fault.Error{Kind: fault.Inconsistent, Found: fmt.Sprintf("%d samples per pixel", l.samples), Expected: "1 for an OME file"}
	}
	kind, ok := omeTypes[a.Type]
	if !ok {
		return "", &fault.Error{Kind: fault.Inconsistent, Found: a.Type.String() + " samples", Expected: "a type that OME files know"}
	}
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06"><Image ID="Image:0">`)
	fmt.Fprintf(&b, `<Pixels ID="Pixels:0" DimensionOrder="XYCZT" Type="%s" SizeX="%d" SizeY="%d" SizeC="%d" SizeZ="%d" SizeT="%d"`,
		kind, extent['X'], extent['Y'], extent['C'], extent['Z'], extent['T'])
	if o.PixelUM > 0 {
		fmt.Fprintf(&b, ` PhysicalSizeX="%s" PhysicalSizeY="%[1]s"`, number(o.PixelUM))
	}
	if o.StepUM > 0 {
		fmt.Fprintf(&b, ` PhysicalSizeZ="%s"`, number(o.StepUM))
	}
	if o.IntervalMin > 0 {
		fmt.Fprintf(&b, ` TimeIncrement="%s" TimeIncrementUnit="min"`, number(o.IntervalMin))
	}
	b.WriteString(">")
	for c := range extent['C'] {
		fmt.Fprintf(&b, `<Channel ID="Channel:0:%d" SamplesPerPixel="1"/>`, c)
	}
	fmt.Fprintf(&b, `<TiffData IFD="0" PlaneCount="%d"/></Pixels></Image></OME>`, l.pages)
	return b.String(), nil
}

// omeTypes are the element types of OME files by their names there.
var omeTypes = map[pixel.Type]string{pixel.Int8: "int8", pixel.Int16: "int16", pixel.Int32: "int32", pixel.Uint8: "uint8", pixel.Uint16: "uint16",
	pixel.Uint32: "uint32", pixel.Float32: "float", pixel.Float64: "double"}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
