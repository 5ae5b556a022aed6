package raster

import "strings"

// axisMap says how T Z C indices find a frame: each letter takes some of the leading axes, slowest first.
type axisMap map[byte][]axis

// axis is a leading axis: its extent, and how many frames a step along it passes.
type axis struct{ extent, stride int }

// mapAxes shares leading axes among T, Z and C. Named axes keep their letter. Of unnamed ones a lone one becomes unnamed
// (0: Z); of two, a short last one (up to four) becomes C; three are T Z C. What finds no free letter joins T, slowest
// first, so that every frame stays reachable. Stage positions and tiles, P and M, run along T.
func mapAxes(lead []int, letters string, unnamed byte) axisMap {
	m := axisMap{}
	strides := make([]int, len(lead))
	stride := 1
	for i := len(lead) - 1; i >= 0; i-- {
		strides[i] = stride
		stride *= lead[i]
	}
	taken, open := "", []int(nil)
	for i, l := range []byte(letters) {
		switch {
		case lead[i] == 1:
		case l == 'P' || l == 'M': // each position is a place of its own, like a point in time
			m['T'] = append(m['T'], axis{lead[i], strides[i]})
			if strings.IndexByte(letters, 'T') < 0 {
				taken += "T"
			}
		case strings.IndexByte("TZC", l) >= 0 && strings.IndexByte(taken, l) < 0:
			m[l] = append(m[l], axis{lead[i], strides[i]})
			taken += string(l)
		default:
			open = append(open, i)
		}
	}
	if unnamed != 'T' {
		unnamed = 'Z'
	}
	extents := make([]int, len(open))
	for k, i := range open {
		extents[k] = lead[i]
	}
	want := guess(extents, taken, unnamed)
	for k, i := range open {
		m[want[k]] = append(m[want[k]], axis{lead[i], strides[i]})
	}
	return m
}

// guess names unnamed axes, slowest first, with the letters that are free.
func guess(extents []int, taken string, unnamed byte) string {
	other := byte('Z' + 'T' - unnamed)
	var wish string
	switch n := len(extents); {
	case n == 0:
		return ""
	case n == 1:
		wish = string([]byte{unnamed, other, 'C'})
	case n == 2 && extents[1] <= 4:
		wish = string([]byte{unnamed, 'C', other})
	case n == 2:
		wish = "TZC"
	default:
		wish = strings.Repeat("T", n-3) + "TZC"
	}
	var free []byte
	for _, l := range []byte(wish) {
		if strings.IndexByte(taken, l) < 0 {
			free = append(free, l)
		}
	}
	for len(free) < len(extents) {
		free = append([]byte{'T'}, free...)
	}
	return string(free[:len(extents)])
}

// extent is the length of T, Z or C.
func (m axisMap) extent(letter byte) int {
	n := 1
	for _, a := range m[letter] {
		n *= a.extent
	}
	return n
}

// frame is the index of the frame at t, z, c.
func (m axisMap) frame(t, z, c int) int {
	n := 0
	for letter, i := range map[byte]int{'T': t, 'Z': z, 'C': c} {
		axes := m[letter]
		for k := len(axes) - 1; k >= 0; k-- {
			n += i % axes[k].extent * axes[k].stride
			i /= axes[k].extent
		}
	}
	return n
}
