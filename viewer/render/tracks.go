package render

import (
	"math"
	"slices"
)

// Tracks is the tracks of one side, ready to draw. It does not change and is safe for use by several goroutines.
type Tracks struct {
	Truth bool

	count  int
	index  map[int64]int32 // of a track by its id
	ids    []int64         // of the tracks
	roots  []int64         // of the tracks' lineages
	links  []link          // by the frame where they end, then by row
	ends   frames          // of links
	tall   []float32       // by frame of ends, the greatest extent of a link along y
	nodes  []node          // by frame, then by row
	frames frames          // of nodes
}

// node is a track in one frame.
type node struct {
	z, y, x float64
	t       int
	track   int32
	style   Style
}

// link is the way of a track between two frames, or from a parent to a daughter.
type link struct {
	y0, x0, y1, x1 float32 // in the order that suits lines
	slope, secant  float32
	z              float32 // where it ends
	t              int32   // where it ends
	track          int32
	style          Style
	gap            bool // frames are missing between
	division       bool
	steep          bool
	backwards      bool // it begins at (y1, x1)
}

func (k *link) top() float32 { return min(k.y0, k.y1) }

// NewTracks readies tracks. Steps whose place is not finite are left out. Of several tracks with one id the first is the parent
// of others that name it.
func NewTracks(truth bool, tracks []Track) *Tracks {
	k := &Tracks{Truth: truth, index: make(map[int64]int32, len(tracks)), count: len(tracks)}
	ordered := make([][]Step, len(tracks))
	for i := range tracks {
		ordered[i] = ready(tracks[i].Steps)
		k.ids = append(k.ids, tracks[i].ID)
		if _, ok := k.index[tracks[i].ID]; !ok {
			k.index[tracks[i].ID] = int32(i)
		}
	}
	k.findRoots(tracks)
	for i := range tracks {
		k.addSteps(int32(i), ordered[i])
		if p, ok := k.index[tracks[i].Parent]; ok && tracks[i].Parent != 0 && p != int32(i) {
			k.addDivision(int32(i), ordered[p], ordered[i])
		}
	}
	slices.SortStableFunc(k.nodes, func(a, b node) int { return byPlace(a.t, b.t, a.y, b.y) })
	k.frames.index(len(k.nodes), func(i int) int { return k.nodes[i].t })
	slices.SortStableFunc(k.links, func(a, b link) int {
		return byPlace(int(a.t), int(b.t), float64(a.top()), float64(b.top()))
	})
	k.ends.index(len(k.links), func(i int) int { return int(k.links[i].t) })
	k.tall = make([]float32, len(k.ends.at))
	for f := range k.tall {
		for _, l := range k.links[k.ends.starts[f]:k.ends.starts[f+1]] {
			k.tall[f] = max(k.tall[f], max(l.y0, l.y1)-l.top())
		}
	}
	return k
}

// ready is the steps that can be drawn, by frame.
func ready(steps []Step) []Step {
	good := func(s Step) bool { return isPlace(s.Z, s.Y, s.X) && s.T > math.MinInt32 && s.T < math.MaxInt32 }
	out := make([]Step, 0, len(steps))
	for _, s := range steps {
		if good(s) {
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(a, b Step) int { return a.T - b.T })
	return out
}

func (k *Tracks) addSteps(track int32, steps []Step) {
	for i, s := range steps {
		k.nodes = append(k.nodes, node{s.Z, s.Y, s.X, s.T, track, s.Style})
		if i > 0 {
			k.addLink(track, steps[i-1], s, false)
		}
	}
}

func (k *Tracks) addLink(track int32, from, to Step, division bool) {
	s := stretch{y0: from.Y, x0: from.X, y1: to.Y, x1: to.X}
	way := s.ordered()
	k.links = append(k.links, link{y0: float32(s.y0), x0: float32(s.x0), y1: float32(s.y1), x1: float32(s.x1), z: float32(to.Z),
		slope: float32(way.slope), secant: float32(way.secant), steep: way.steep, backwards: s.y0 != from.Y || s.x0 != from.X,
		t: int32(to.T), track: track, style: from.Style, gap: to.T-from.T > 1, division: division})
}

func (k *Tracks) addDivision(track int32, parent, daughter []Step) {
	if len(parent) > 0 && len(daughter) > 0 {
		k.addLink(track, parent[len(parent)-1], daughter[0], true)
	}
}

// findRoots follows parents upwards. Where they go in a circle, which no lineage does, its smallest id is the root.
func (k *Tracks) findRoots(tracks []Track) {
	k.roots = make([]int64, len(tracks))
	state := make([]uint8, len(tracks)) // 1 on the way, 2 done
	var way []int32
	for i := range tracks {
		way = way[:0]
		at := int32(i)
		for state[at] == 0 {
			state[at] = 1
			way = append(way, at)
			p, ok := k.index[tracks[at].Parent]
			if !ok || tracks[at].Parent == 0 {
				break
			}
			at = p
		}
		root := k.ids[at]
		if state[at] == 2 {
			root = k.roots[at]
		} else if from := slices.Index(way, at); from >= 0 {
			for _, w := range way[from:] {
				root = min(root, k.ids[w])
			}
		}
		for _, w := range way {
			state[w], k.roots[w] = 2, root
		}
	}
}

// Root is the track that a track's lineage began with; the id itself where there is no such track.
func (k *Tracks) Root(id int64) int64 {
	if k == nil {
		return id
	}
	if i, ok := k.index[id]; ok {
		return k.roots[i]
	}
	return id
}

// Count is how many tracks there are.
func (k *Tracks) Count() int {
	if k == nil {
		return 0
	}
	return k.count
}

// Limits is the first and the last frame that has a step; ok is false where no frame has.
func (k *Tracks) Limits() (first, last int, ok bool) {
	if k == nil {
		return 0, 0, false
	}
	return k.frames.limits()
}

// At is where a track is in frame t.
func (k *Tracks) At(id int64, t int) (s Step, ok bool) {
	if k == nil {
		return s, false
	}
	a, b := k.frames.of(t)
	for _, n := range k.nodes[a:b] {
		if k.ids[n.track] == id {
			return Step{n.t, n.z, n.y, n.x, n.style}, true
		}
	}
	return s, false
}
