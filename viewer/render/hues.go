package render

import "math"

// Colours of points, tracks and arrows.
var (
	answerColour  = rgb(0xffe14d)
	truthColour   = rgb(0x9fd8ff)
	unknownColour = rgb(0xc8c8c8) // of what has no class, no value
)

// sideColour is the colour of what has no verdict.
func sideColour(truth bool) uint32 {
	if truth {
		return truthColour
	}
	return answerColour
}

// classColours can be told apart by the colour-blind (after Okabe and Ito 2008, with a blue that shows on black).
var classColours = [...]uint32{
	rgb(0xe69f00), rgb(0x56b4e9), rgb(0x009e73), rgb(0xf0e442), rgb(0x2f66ff), rgb(0xd55e00), rgb(0xcc79a7), rgb(0xffffff),
}

func classColour(class int) uint32 {
	if class < 0 {
		return unknownColour
	}
	return classColours[class%len(classColours)]
}

// ClassColour is the colour R G B of a class of points, for legends; below 0 that of points without one.
func ClassColour(class int) [3]uint8 { return unpack(classColour(class)) }

// SideColour is the colour R G B of points and arrows of a side that have no verdict, for legends.
func SideColour(truth bool) [3]uint8 { return unpack(sideColour(truth)) }

// StyleColour is the colour R G B of a verdict, for legends.
func StyleColour(s Style) [3]uint8 {
	if s >= styleCount {
		return [3]uint8{}
	}
	return unpack(styleColours[s])
}

// TrackColour is the colour R G B of a track by its id where no labels are shown; of a lineage by its root's. Where the labels of
// its side are shown it is Labels.Colour.
func TrackColour(id int64) [3]uint8 { return unpack(trackColour(id)) }

func unpack(c uint32) [3]uint8 { return [3]uint8{uint8(c), uint8(c >> 8), uint8(c >> 16)} }

// trackColours are all hues, light enough for a dark ground.
var trackColours = makeTrackColours()

func makeTrackColours() (t [1 << 10]uint32) {
	for i := range t {
		part := float64(i) / float64(len(t)) * 6
		channel := func(shift float64) float64 {
			k := math.Mod(part+shift, 6)
			return clampFloat(math.Min(k, 4-k), 0, 1)
		}
		r, g, b := 1-channel(5), 1-channel(3), 1-channel(1)
		light := float64(0.3*r) + float64(0.59*g) + float64(0.11*b)
		white := clampFloat((0.55-light)/(1-light), 0.12, 1) // dark hues are mixed with white
		level := func(c float64) uint8 { return uint8(255*(c+float64((1-c)*white)) + 0.5) }
		t[i] = pack(level(r), level(g), level(b))
	}
	return t
}

// trackColour goes around the hues by the golden ratio, so that ids that follow one another differ clearly.
func trackColour(id int64) uint32 {
	const golden = 0x9e3779b97f4a7c15
	return trackColours[uint64(id)*golden>>54]
}

// along is a colour of a table, at 0 to 1.
func along(t *lut, part float64) uint32 { return t[int(float64(part*255)+0.5)] }

// viridis without its dark end, which does not show on dark images.
var viridis = ramp([]uint32{0x31688e, 0x26828e, 0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b, 0xfde725})

// ScaleColours are the colours of points and tracks by value, by frame and by depth of a projection, as R, G, B triples.
func ScaleColours() (colours [256][3]uint8) {
	for i, c := range viridis {
		colours[i] = unpack(c)
	}
	return colours
}

// diverging runs from blue over white to red, which the colour-blind can tell apart as well.
var diverging = ramp([]uint32{0x2f7fff, 0x8fbcff, 0xffffff, 0xff9f80, 0xff3b20})

// depthColour is by place in a projection, else by the distance to the slice: blue before it, red behind.
func depthColour(r *reach, part float64) uint32 {
	if r.deep {
		return along(viridis, part)
	}
	return along(diverging, part)
}

// paler is halfway from a colour to white.
func paler(c uint32) uint32 { return c>>1&0x7f7f7f + 0x808080 | opaque }

// AngleColours are the colours of an answer's arrows by their angle to the truth's, as R, G, B triples from -180 to 180 degrees:
// blue is turned anticlockwise in the picture, white agrees, red is turned clockwise.
func AngleColours() (colours [256][3]uint8) {
	for i, c := range diverging {
		colours[i] = unpack(c)
	}
	return colours
}
