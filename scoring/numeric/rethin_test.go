package numeric

import (
	"context"
	"math/rand/v2"
	"reflect"
	"testing"
)

// flips are voxels to change: scattered ones, or a box of one kind.
func flips(r *rand.Rand, g grid) (list []Voxel) {
	scattered := r.IntN(3) == 0
	want := r.IntN(2) == 0
	z0, y0, x0 := r.IntN(g.z), r.IntN(g.y), r.IntN(g.x)
	dz, dy, dx := 1+r.IntN(3), 1+r.IntN(6), 1+r.IntN(12)
	for i, set := range g.set {
		z, y, x := i/g.x/g.y, i/g.x%g.y, i%g.x
		switch {
		case scattered && r.IntN(len(g.set)) < 8, !scattered && set == want && z >= z0 && z < z0+dz && y >= y0 && y < y0+dy && x >= x0 && x < x0+dx:
			list = append(list, Voxel{z, y, x})
		}
	}
	return list
}

// rethin holds what a Rethinner says against thinning the changed mask as a whole.
func rethin(t *testing.T, trace *Trace, one *Rethinner, list []Voxel) {
	t.Helper()
	appear, vanish, err := one.Flip(t.Context(), list)
	if err != nil {
		t.Fatal(err)
	}
	wantAppear, wantVanish, err := trace.Rethinner().whole(t.Context(), list)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(appear, wantAppear) || !reflect.DeepEqual(vanish, wantVanish) {
		t.Fatalf("%d voxels flipped: appear %v, want %v; vanish %v, want %v", len(list), appear, wantAppear, vanish, wantVanish)
	}
	for _, set := range [][]uint64{one.differs, one.alive, one.fresh, one.listed} {
		for _, w := range set {
			if w != 0 {
				t.Fatal("bits are left from a call")
			}
		}
	}
}

func TestRethinningAgainstTheWhole(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 3))
	for i := range 60 {
		noise := []float64{0, 0.02, 0.2, 0.5}[i%4]
		g := blobs(r, 1, 3+r.IntN(40), 3+r.IntN(140), noise)
		traced := Trace2D
		if i%2 == 1 {
			g, traced = blobs(r, 1+r.IntN(9), 3+r.IntN(12), 3+r.IntN(70), noise), Trace3D
		}
		trace, err := traced(t.Context(), g.mask())
		if err != nil {
			t.Fatal(err)
		}
		one := trace.Rethinner()
		for range 12 {
			rethin(t, trace, one, flips(r, g))
		}
	}
}

// In a thick block small holes lie unchanged for many steps until the thinning comes to them.
func TestRethinningDeepInside(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 5))
	for i := range 8 {
		g := grid{z: 1, y: 25 + r.IntN(20), x: 40 + r.IntN(60)}
		traced := Trace2D
		if i%2 == 1 {
			g, traced = grid{z: 9 + r.IntN(5), y: 14, x: 20 + r.IntN(60)}, Trace3D
		}
		g.set = make([]bool, g.z*g.y*g.x)
		for k := range g.set {
			g.set[k] = true
		}
		trace, err := traced(t.Context(), g.mask())
		if err != nil {
			t.Fatal(err)
		}
		one := trace.Rethinner()
		for range 12 {
			rethin(t, trace, one, []Voxel{{r.IntN(g.z), r.IntN(g.y), r.IntN(g.x)}})
		}
	}
}

func TestTraceIsTheThinning(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 4))
	for range 10 {
		flat, solid := blobs(r, 1, 30, 90, 0.1), blobs(r, 7, 12, 40, 0.1)
		plane, err := Trace2D(t.Context(), flat.mask())
		if err != nil {
			t.Fatal(err)
		}
		volume, err := Trace3D(t.Context(), solid.mask())
		if err != nil {
			t.Fatal(err)
		}
		sameMask(t, "plane", plane.Lines, flat.thin2D())
		sameMask(t, "volume", volume.Lines, solid.thin3D())
	}
}

func TestRethinningEndsWithItsContext(t *testing.T) {
	trace, err := Trace3D(t.Context(), blobs(rand.New(rand.NewPCG(1, 1)), 4, 9, 9, 0.1).mask())
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	one := trace.Rethinner()
	if _, _, err := one.Flip(ctx, []Voxel{{0, 0, 0}}); err == nil {
		t.Error("no error")
	}
	rethin(t, trace, one, []Voxel{{1, 2, 3}})
}

func FuzzRethin(f *testing.F) {
	f.Add(uint8(3), uint8(4), []byte("\xff\x18\x00\xff"), []byte("\x01\x02\x07"))
	f.Add(uint8(1), uint8(70), []byte("\xff\xff\x00\xff\xaa"), []byte("\x00\x50"))
	f.Fuzz(func(t *testing.T, z, x uint8, content, places []byte) {
		g := grid{1 + int(z)%5, 5, 1 + int(x)%80, nil}
		g.set = make([]bool, g.z*g.y*g.x)
		for i := range g.set {
			g.set[i] = len(content) > 0 && content[i/8%len(content)]>>(i%8)&1 != 0
		}
		at := func() (list []Voxel) {
			seen := map[int]bool{}
			for k, p := range places {
				if i := (int(p) + 256*k) % len(g.set); !seen[i] {
					seen[i] = true
					list = append(list, Voxel{i / g.x / g.y, i / g.x % g.y, i % g.x})
				}
			}
			return list
		}
		trace, err := Trace3D(t.Context(), g.mask())
		if err != nil {
			t.Fatal(err)
		}
		rethin(t, trace, trace.Rethinner(), at())
		g.z, g.set = 1, g.set[:g.y*g.x]
		if trace, err = Trace2D(t.Context(), g.mask()); err != nil {
			t.Fatal(err)
		}
		rethin(t, trace, trace.Rethinner(), at())
	})
}
