package signal

import (
	"errors"
	"fmt"
	"strings"
)

// roles are the places of z, c, y and x among the axes of an array, -1 for z or c that it lacks.
type roles struct{ z, c, y, x int }

// rolesOf finds them by the letters (spec/scorers-signals.md 4.4): Z; the first of C and S; Y and X, or the last two axes
// where either is missing. Other axes take the places that are still open, channels first.
func rolesOf(letters string) (roles, error) {
	if len(letters) < 2 {
		return roles{}, fmt.Errorf("an array with axes '%s' is no image", letters)
	}
	r := roles{z: strings.IndexByte(letters, 'Z'), c: strings.IndexAny(letters, "CS"), y: strings.IndexByte(letters, 'Y'), x: strings.IndexByte(letters, 'X')}
	if r.y < 0 || r.x < 0 {
		r.y, r.x = len(letters)-2, len(letters)-1
	}
	for _, k := range []*int{&r.z, &r.c} {
		if *k == r.y || *k == r.x {
			*k = -1
		}
	}
	var open []int
	for i := range letters {
		if i != r.z && i != r.c && i != r.y && i != r.x {
			open = append(open, i)
		}
	}
	switch {
	case len(open) == 0:
	case r.z < 0 && r.c < 0 && len(open) == 1, r.z >= 0 && r.c < 0:
		r.c = open[0]
	case r.z < 0 && r.c < 0:
		r.z, r.c = open[0], open[1]
	case r.z < 0:
		r.z = open[0]
	}
	return r, nil
}

// geometry is the size of a stack: planes, channels, rows and columns.
type geometry struct{ z, c, y, x int }

func geometryOf(letters string, shape []int) (geometry, error) {
	r, err := rolesOf(letters)
	if err != nil {
		return geometry{}, err
	}
	size := func(k int) int {
		if k < 0 {
			return 1
		}
		return shape[k]
	}
	return geometry{size(r.z), size(r.c), size(r.y), size(r.x)}, nil
}

// bandRows are the rows of the band in the middle of an image of ny rows: from y0 to y1-1. There are none where y1 <= y0.
func bandRows(ny, height int) (y0, y1 int) {
	half := height >> 1 // rounds down, also below 0
	y0 = max(0, ny/2-half)
	return y0, min(ny, y0+height)
}

// channelOf is the place along the axis c of the page with a number, pages running along the leading axes in row-major
// order.
func channelOf(page int, lead []int, c int) (int, error) {
	total, inner := 1, 1
	for i, n := range lead {
		total *= n
		if i > c {
			inner *= n
		}
	}
	if page >= total {
		return 0, errors.New("there are more pages than the axes have places")
	}
	return page / inner % lead[c], nil
}
