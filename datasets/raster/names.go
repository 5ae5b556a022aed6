package raster

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Natural compares names the way people count: "IMG_2.tif" before "IMG_10.tif", without regard to case.
func Natural(a, b string) int {
	x, y := strings.ToLower(a), strings.ToLower(b)
	for x != "" && y != "" {
		p, q := digits(x), digits(y)
		if p > 0 && q > 0 {
			m, n := strings.TrimLeft(x[:p], "0"), strings.TrimLeft(y[:q], "0")
			if c := cmp.Or(cmp.Compare(len(m), len(n)), cmp.Compare(m, n)); c != 0 {
				return c
			}
			x, y = x[p:], y[q:]
			continue
		}
		if x[0] != y[0] {
			return cmp.Compare(x[0], y[0])
		}
		x, y = x[1:], y[1:]
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(a, b))
}

// digits is the length of the number that a text begins with.
func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// planeName is what a file name says of the place of its plane: numbers behind t or time, z or slice, c, ch or channel,
// and the rest of the name, which planes of one image share.
type planeName struct {
	at  map[byte]int // by axis T, Z, C
	key string
}

var planeWords = map[string]byte{"t": 'T', "time": 'T', "z": 'Z', "slice": 'Z', "c": 'C', "ch": 'C', "channel": 'C'}

// readPlaneName finds words that stand before numbers: "T00001C01Z001", "img_t3_ch1", "Channel 1-01-A-01-00". A number
// that runs into another word ("T47D") is none.
func readPlaneName(name string) planeName {
	out := planeName{at: map[byte]int{}}
	for rest := strings.TrimSuffix(name, filepath.Ext(name)); rest != ""; {
		word := letters(rest)
		gap := 0
		if word > 1 && word < len(rest) && strings.IndexByte(" _-", rest[word]) >= 0 {
			gap = 1
		}
		n := digits(rest[word+gap:])
		end := word + gap + n
		axis, known := planeWords[strings.ToLower(rest[:word])]
		_, taken := out.at[axis]
		next := strings.ToLower(rest[end:][:letters(rest[end:])])
		if v, err := strconv.Atoi(rest[word+gap : end]); known && !taken && err == nil && (next == "" || planeWords[next] != 0) {
			out.at[axis] = v
			out.key += rest[:word] + "#"
			rest = rest[end:]
			continue
		}
		step := max(word, 1)
		if word == 0 {
			step = max(n, 1)
		}
		out.key += rest[:step]
		rest = rest[step:]
	}
	return out
}

// letters is the length of the word that a text begins with.
func letters(s string) int {
	n := 0
	for n < len(s) && (s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z') {
		n++
	}
	return n
}

// grid is the places of a set of files: for each place, slowest axis first, the number of a file, -1 for none.
type grid struct {
	axes  string // of P T Z C
	shape []int
	file  []int
}

// gridOf orders files by what their names say of T, Z and C. Where the rest of the names differs, the files are of several
// positions, P. ok is false when the names say nothing, two files claim one place, or most places stay empty.
func gridOf(names []string) (g grid, ok bool) {
	planes := make([]planeName, len(names))
	values := map[byte][]int{}
	for _, l := range []byte("TZC") {
		for i, n := range names {
			if planes[i].at == nil {
				planes[i] = readPlaneName(n)
			}
			v, said := planes[i].at[l]
			if !said {
				values[l] = nil
				break
			}
			values[l] = append(values[l], v)
		}
		slices.Sort(values[l])
		values[l] = slices.Compact(values[l])
	}
	var keys []string
	for i := range planes {
		for _, l := range []byte("TZC") {
			if v, said := planes[i].at[l]; said && values[l] == nil { // not all names say it, so it is part of the name
				planes[i].key += string(l) + strconv.Itoa(v)
			}
		}
		keys = append(keys, planes[i].key)
	}
	slices.SortFunc(keys, Natural)
	keys = slices.Compact(keys)
	total := 1
	add := func(l byte, n int) {
		if n > 1 {
			g.axes, g.shape = g.axes+string(l), append(g.shape, n)
			total *= n
		}
	}
	add('P', len(keys))
	for _, l := range []byte("TZC") {
		add(l, len(values[l]))
	}
	if strings.Trim(g.axes, "P") == "" || total > 4*len(names) {
		return g, false
	}
	g.file = slices.Repeat([]int{-1}, total)
	for i, p := range planes {
		at, _ := slices.BinarySearchFunc(keys, p.key, Natural)
		for _, l := range []byte("TZC") {
			if n := len(values[l]); n > 1 {
				k, _ := slices.BinarySearch(values[l], p.at[l])
				at = at*n + k
			}
		}
		if g.file[at] >= 0 {
			return g, false
		}
		g.file[at] = i
	}
	return g, true
}

// PairedChannels gives the files among names that show the same field in the channels of an image, by their names alone:
// "Channel 1-01-A-01-00.Bmp" and "Channel 2-01-A-01-00.Bmp". It gives nil when there is no other channel.
func PairedChannels(name string, names []string) (out []string) {
	own := readPlaneName(name)
	if _, ok := own.at['C']; !ok {
		return nil
	}
	for _, n := range names {
		p := readPlaneName(n)
		if _, ok := p.at['C']; ok && strings.EqualFold(p.key, own.key) && p.at['T'] == own.at['T'] && p.at['Z'] == own.at['Z'] &&
			strings.EqualFold(filepath.Ext(n), filepath.Ext(name)) {
			out = append(out, n)
		}
	}
	if len(out) < 2 {
		return nil
	}
	slices.SortFunc(out, Natural)
	return out
}
