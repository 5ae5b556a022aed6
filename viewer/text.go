package viewer

import (
	"fmt"
	"image"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"coverslip/datasets/fault"
)

// maxText bounds what Parse looks at; the longest sensible View is far shorter.
const maxText = 64 << 10

var styleNames = [...]string{"hidden", "outline", "fill"}

// String is the text form of the canonical View: only what differs from the zero View, as the package comment says.
func (v View) String() string {
	v = v.Normal()
	var w writer
	if v.Image != "" {
		w.put("image", escape(v.Image))
	}
	if v.Part != "" {
		w.put("part", escape(v.Part))
	}
	w.int("t", v.T)
	w.int("z", v.Z)
	if v.Size != (image.Point{}) {
		w.put("size", fmt.Sprintf("%dx%d", v.Size.X, v.Size.Y))
	}
	if v.Zoom != 0 {
		w.put("zoom", number(v.Zoom))
		w.put("at", number(v.At.Y)+","+number(v.At.X))
	}
	w.flag("single", v.Single, "on")
	w.int("channel", v.Channel)
	w.tones(v.Tones)
	w.layer("answer", v.Answer)
	w.layer("truth", v.Truth)
	w.flag("errors", v.Errors, "on")
	w.flag("pixels", v.HideImage, "off")
	w.flag("bar", v.Bar, "on")
	w.flag("tiles", v.Tiles, "on")
	w.focus(v.Focus)
	return w.String()
}

// writer collects key=value pairs.
type writer struct{ strings.Builder }

func (w *writer) put(key, value string) {
	if w.Len() > 0 {
		w.WriteByte(' ')
	}
	w.WriteString(key + "=" + value)
}

func (w *writer) int(key string, n int) {
	if n != 0 {
		w.put(key, strconv.Itoa(n))
	}
}

func (w *writer) flag(key string, set bool, value string) {
	if set {
		w.put(key, value)
	}
}

func (w *writer) tones(tones []Tone) {
	var off []string
	for i, t := range tones {
		if t.Off {
			off = append(off, strconv.Itoa(i))
		}
	}
	if off != nil {
		w.put("off", strings.Join(off, ","))
	}
	for i, t := range tones {
		limits, gamma := "", ""
		if t.Lo < t.Hi {
			limits = number(t.Lo) + ".." + number(t.Hi)
		}
		if t.Gamma != 0 {
			gamma = number(t.Gamma)
		}
		if text := strings.TrimRight(t.LUT+":"+limits+":"+gamma, ":"); text != "" {
			w.put("tone"+strconv.Itoa(i), text)
		}
	}
}

func (w *writer) layer(key string, l LabelLayer) {
	if l == (LabelLayer{}) {
		return
	}
	text := styleNames[l.Style]
	if l.Opacity != 0 {
		text += ":" + number(l.Opacity)
	}
	w.put(key, text)
}

func (w *writer) focus(f Focus) {
	var parts []string
	if f.Answer != 0 {
		parts = append(parts, "a"+strconv.FormatInt(f.Answer, 10))
	}
	if f.Truth != 0 {
		parts = append(parts, "t"+strconv.FormatInt(f.Truth, 10))
	}
	if parts != nil {
		w.put("focus", strings.Join(parts, ","))
	}
}

// number is the shortest decimal that reads back as x, with an exponent only where zeros would pile up.
func number(x float64) string {
	if s := strconv.FormatFloat(x, 'f', -1, 64); len(s) <= 24 {
		return s
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

func escape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		bad := r == utf8.RuneError && n == 1
		if bad || unicode.IsSpace(r) || !unicode.IsPrint(r) || strings.ContainsRune("%\"'`", r) {
			for _, c := range []byte(s[i : i+n]) {
				fmt.Fprintf(&b, "%%%02X", c)
			}
		} else {
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
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
	return v.Normal(), nil
}

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
	case "size":
		v.Size, ok = parseSize(value)
		expected = fmt.Sprintf("WIDTHxHEIGHT, each 1 to %d, at most %d pixels in all", MaxSide, MaxArea)
	case "zoom":
		v.Zoom, ok = parseZoom(value)
		expected = "a number from 1/64 (0.015625) to 64, or fit"
	case "at":
		v.At, ok = parsePoint(value)
		expected = "Y,X in image pixels"
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
		return v.setTone(key, value)
	}
	if !ok {
		return malformed(key, value, expected)
	}
	return nil
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
	return z, ok && (z == 0 || z >= MinZoom && z <= MaxZoom)
}

func parsePoint(s string) (Point, bool) {
	ys, xs, ok := strings.Cut(s, ",")
	y, okY := parseFloat(ys)
	x, okX := parseFloat(xs)
	return Point{y, x}, ok && okY && okX && max(y, -y) <= maxCoordinate && max(x, -x) <= maxCoordinate
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
			Expected: "image, part, t, z, size, zoom, at, single, channel, off, tone0 to tone255, answer, truth, errors, pixels, bar, tiles or focus"}
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
