package viewer

import (
	"fmt"
	"image"
	"slices"
	"strconv"
	"strings"

	"coverslip/datasets/fault"
)

// maxText bounds what Parse looks at; the longest sensible View is far shorter.
const maxText = 64 << 10

// Parse reads the text form and gives the canonical View. Parse(v.String()) equals v.Normal(). A key that is unknown or
// written twice and a value out of bounds are errors (*fault.Error, malformed) that name the key.
func Parse(text string) (View, error) {
	var v View
	if len(text) > maxText {
		return v, &fault.Error{Kind: fault.Malformed, At: "view", Found: fmt.Sprintf("%d characters", len(text)),
			Expected: fmt.Sprintf("at most %d", maxText)}
	}
	seen := map[string]bool{}
	for _, field := range strings.Fields(text) {
		key, value, ok := strings.Cut(field, "=")
		if !ok {
			return View{}, &fault.Error{Kind: fault.Malformed, At: "view", Found: strconv.Quote(field), Expected: "key=value"}
		}
		if seen[key] {
			return View{}, malformed(key, value, "each key once")
		}
		seen[key] = true
		if err := v.set(key, value); err != nil {
			return View{}, err
		}
	}
	if v.Zoom > v.largestZoom() {
		return View{}, malformed("zoom", number(v.Zoom), zoomExpected)
	}
	return v.Normal(), nil
}

const zoomExpected = "a number from 1/64 (0.015625) to 64 times the density, or fit"

func malformed(key, value, expected string) error {
	return &fault.Error{Kind: fault.Malformed, At: "view, key " + key, Found: strconv.Quote(value), Expected: expected}
}

// set takes over one key=value pair.
func (v *View) set(key, value string) error {
	expected, ok := "", false
	switch key {
	case "image":
		v.Image, ok = unescape(value)
		expected = "a name, with two hex digits after each %"
	case "part":
		v.Part, ok = unescape(value)
		expected = "a name, with two hex digits after each %"
	case "t":
		v.T, ok = parseInt(value, MaxIndex)
		expected = "a frame number from 0"
	case "z":
		v.Z, ok = parseInt(value, MaxIndex)
		expected = "a slice number from 0"
	case "single":
		v.Single, ok = parseSwitch(value)
		expected = "on or off"
	case "channel":
		v.Channel, ok = parseInt(value, MaxChannels-1)
		expected = fmt.Sprintf("a channel number from 0 to %d", MaxChannels-1)
	case "off":
		ok = v.setOff(value)
		expected = fmt.Sprintf("channel numbers from 0 to %d, separated by commas", MaxChannels-1)
	case "answer":
		v.Answer, ok = parseLayer(value)
		expected = "hidden, outline or fill, and an opacity from 0.01 to 1 after a colon"
	case "truth":
		v.Truth, ok = parseLayer(value)
		expected = "hidden, outline or fill, and an opacity from 0.01 to 1 after a colon"
	case "errors":
		v.Errors, ok = parseSwitch(value)
		expected = "on or off"
	case "pixels":
		var on bool
		on, ok = parseSwitch(value)
		v.HideImage = !on
		expected = "on or off"
	case "bar":
		v.Bar, ok = parseSwitch(value)
		expected = "on or off"
	case "tiles":
		v.Tiles, ok = parseSwitch(value)
		expected = "on or off"
	case "focus":
		v.Focus, ok = parseFocus(value)
		expected = "aID, tID or aID,tID with ids that are not 0"
	default:
		return v.setCamera(key, value)
	}
	if !ok {
		return malformed(key, value, expected)
	}
	return nil
}

// setCamera takes over a pair that says what part of the image is drawn, and how large.
func (v *View) setCamera(key, value string) error {
	expected, ok := "", false
	switch key {
	case "size":
		v.Size, ok = parseSize(value)
		expected = fmt.Sprintf("WIDTHxHEIGHT, each 1 to %d, at most %d pixels in all", MaxSide, MaxArea)
	case "zoom":
		v.Zoom, ok = parseZoom(value)
		expected = zoomExpected
	case "density":
		v.Density, ok = parseInt(value, MaxDensity)
		ok = ok && v.Density > 0
		expected = fmt.Sprintf("a whole number of device pixels from 1 to %d", MaxDensity)
	case "at":
		v.At, ok = parsePoint(value)
		expected = "Y,X in image pixels"
	default:
		return v.setOverlay(key, value)
	}
	if !ok {
		return malformed(key, value, expected)
	}
	return nil
}

// setOverlay takes over a pair that says how points, tracks and fields are drawn.
func (v *View) setOverlay(key, value string) error {
	expected, ok := "", false
	switch key {
	case "mask":
		v.Mask, ok = parseSwitch(value)
		expected = "on or off"
	case "colour":
		var i int
		i, ok = parseName(value, colourNames)
		v.Colour, expected = Colour(i), oneOf(colourNames)
	case "tail":
		v.Tail, ok = parseTail(value)
		expected = "a number of frames from 1, or none"
	case "arrows":
		v.Arrows, ok = parseInt(value, MaxArrows)
		ok = ok && v.Arrows >= MinArrows
		expected = fmt.Sprintf("line pixels from %d to %d", MinArrows, MaxArrows)
	case "radius":
		var on bool
		on, ok = parseSwitch(value)
		v.HideRadius, expected = !on, "on or off"
	case "only":
		v.Only, ok = parseSwitch(value)
		expected = "on or off"
	default:
		return v.setLayout(key, value)
	}
	if !ok {
		return malformed(key, value, expected)
	}
	return nil
}

// setLayout takes over a pair that says which panes there are.
func (v *View) setLayout(key, value string) error {
	expected, ok := "", false
	switch key {
	case "layout":
		var i int
		i, ok = parseName(value, layoutNames)
		v.Layout, expected = Layout(i), oneOf(layoutNames)
	case "split":
		v.Split, ok = parseFloat(value)
		ok = ok && v.Split >= minSplit && v.Split <= 1-minSplit
		expected = "a part of the width from 0.01 to 0.99"
	case "cross":
		v.Cross, ok = parsePoint(value)
		expected = "Y,X in image pixels"
	case "other":
		v.Other, ok = unescape(value)
		expected = "a name, with two hex digits after each %"
	case "project":
		v.Project, ok = parseProjection(value)
		expected = "max, mean, sum or depth, then :z or :t, then optionally : and a number of planes from 1"
	case "line":
		v.Line, ok = parseSegment(value)
		expected = "Y,X,Y,X in image pixels"
	case "chart":
		v.Chart, ok = unescape(value)
		expected = "a name, with two hex digits after each %"
	default:
		return v.setTone(key, value)
	}
	if !ok {
		return malformed(key, value, expected)
	}
	return nil
}

func parseName(s string, names []string) (i int, ok bool) {
	i = slices.Index(names, s)
	return max(i, 0), i >= 0
}

func oneOf(names []string) string {
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

func parseTail(s string) (int, bool) {
	if s == "none" {
		return NoTail, true
	}
	n, ok := parseInt(s, MaxIndex)
	return n, ok && n > 0
}

func parseProjection(s string) (p Projection, ok bool) {
	if s == "none" {
		return p, true
	}
	parts := strings.Split(s, ":")
	if len(parts) < 2 || len(parts) > 3 || parts[1] != "z" && parts[1] != "t" {
		return p, false
	}
	kind, ok := parseName(parts[0], projectNames)
	p.Kind, p.Time = ProjectionKind(kind), parts[1] == "t"
	if len(parts) == 3 {
		n, okN := parseInt(parts[2], MaxIndex)
		p.Span, ok = n, ok && okN && n > 0
	}
	return p, ok && p.Kind != NoProjection
}

func parseInt(s string, limit int) (int, bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil && n >= 0 && n <= limit
}

func parseFloat(s string) (float64, bool) {
	x, err := strconv.ParseFloat(s, 64)
	return x, err == nil && finite(x)
}

func parseSwitch(s string) (on, ok bool) { return s == "on", s == "on" || s == "off" }

func parseSize(s string) (image.Point, bool) {
	ws, hs, ok := strings.Cut(s, "x")
	w, okW := parseInt(ws, MaxSide)
	h, okH := parseInt(hs, MaxSide)
	return image.Pt(w, h), ok && okW && okH && w > 0 && h > 0 && w*h <= MaxArea
}

func parseZoom(s string) (float64, bool) {
	if s == "fit" {
		return 0, true
	}
	z, ok := parseFloat(s)
	return z, ok && (z == 0 || z >= MinZoom && z <= MaxZoom*MaxDensity)
}

func parsePoint(s string) (Point, bool) {
	ys, xs, ok := strings.Cut(s, ",")
	y, okY := parseFloat(ys)
	x, okX := parseFloat(xs)
	return Point{y, x}, ok && okY && okX && max(y, -y) <= maxCoordinate && max(x, -x) <= maxCoordinate
}

func parseSegment(s string) (l Segment, ok bool) {
	parts := strings.Split(s, ",")
	if len(parts) != 4 {
		return l, false
	}
	from, okFrom := parsePoint(parts[0] + "," + parts[1])
	to, okTo := parsePoint(parts[2] + "," + parts[3])
	return Segment{from, to}, okFrom && okTo
}

func parseLayer(s string) (l LabelLayer, ok bool) {
	name, opacity, has := strings.Cut(s, ":")
	for i, n := range styleNames {
		if n == name {
			l.Style, ok = LabelStyle(i), true
		}
	}
	if has {
		a, okA := parseFloat(opacity)
		l.Opacity, ok = a, ok && okA && a >= minOpacity && a <= 1
	}
	return l, ok
}

func parseFocus(s string) (f Focus, ok bool) {
	for _, part := range strings.Split(s, ",") {
		if len(part) < 2 {
			return Focus{}, false
		}
		to := &f.Answer
		if part[0] == 't' {
			to = &f.Truth
		} else if part[0] != 'a' {
			return Focus{}, false
		}
		id, err := strconv.ParseInt(part[1:], 10, 64)
		if err != nil || id == 0 || *to != 0 {
			return Focus{}, false
		}
		*to = id
	}
	return f, true
}

func (v *View) setOff(s string) bool {
	for _, part := range strings.Split(s, ",") {
		i, ok := parseInt(part, MaxChannels-1)
		if !ok {
			return false
		}
		v.tone(i).Off = true
	}
	return true
}

// tone is channel i's tone in place, with the list grown as needed.
func (v *View) tone(i int) *Tone {
	for len(v.Tones) <= i {
		v.Tones = append(v.Tones, Tone{})
	}
	return &v.Tones[i]
}

func (v *View) setTone(key, value string) error {
	digits, found := strings.CutPrefix(key, "tone")
	i, ok := parseInt(digits, MaxChannels-1)
	if !found || !ok || digits != strconv.Itoa(i) {
		return &fault.Error{Kind: fault.Malformed, At: "view", Found: "unknown key " + strconv.Quote(key),
			Expected: "image, part, t, z, size, density, zoom, at, single, channel, off, tone0 to tone255, answer, truth, errors, pixels, bar, tiles, mask, colour, tail, arrows, radius, only, focus, layout, split, cross, other, project, line or chart"}
	}
	parts := strings.Split(value, ":")
	if len(parts) > 3 {
		return malformed(key, value, "LUT:LO..HI:GAMMA")
	}
	parts = append(parts, "", "")
	t := v.tone(i)
	if t.LUT = strings.ToLower(parts[0]); t.LUT != "" && !IsLUT(t.LUT) {
		return malformed(key, value, "a colour #rrggbb or one of "+strings.Join(LUTs, ", ")+" before the first colon")
	}
	if parts[1] != "" {
		lo, hi, cut := strings.Cut(parts[1], "..")
		var okLo, okHi bool
		t.Lo, okLo = parseFloat(lo)
		t.Hi, okHi = parseFloat(hi)
		if !cut || !okLo || !okHi || t.Lo >= t.Hi {
			return malformed(key, value, "LO..HI with LO < HI after the first colon")
		}
	}
	if parts[2] != "" {
		if t.Gamma, ok = parseFloat(parts[2]); !ok || t.Gamma < MinGamma || t.Gamma > MaxGamma {
			return malformed(key, value, "a gamma from 0.05 to 20 after the second colon")
		}
	}
	return nil
}

func unescape(s string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b.WriteByte(s[i])
			continue
		}
		if i+2 >= len(s) {
			return "", false
		}
		c, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
		if err != nil {
			return "", false
		}
		b.WriteByte(byte(c))
		i += 2
	}
	return b.String(), true
}
