package numeric

import (
	"context"
	"math/rand/v2"
	"testing"
)

// grid is a mask written out, for the plain algorithms below.
type grid struct {
	z, y, x int
	set     []bool
}

func (g grid) at(z, y, x int) bool {
	return z >= 0 && y >= 0 && x >= 0 && z < g.z && y < g.y && x < g.x && g.set[(z*g.y+y)*g.x+x]
}

func (g grid) mask() *Mask {
	m := NewMask(g.z, g.y, g.x)
	for i, s := range g.set {
		if s {
			m.Set(i/g.x/g.y, i/g.x%g.y, i%g.x)
		}
	}
	return m
}

func (g grid) copy() grid {
	g.set = append([]bool(nil), g.set...)
	return g
}

// thin2D is 7.1 as it is written.
func (g grid) thin2D() grid {
	g = g.copy()
	for changed := true; changed; {
		changed = false
		for pass := byte(1); pass <= 2; pass++ {
			before := g.copy()
			for y := range g.y {
				for x := range g.x {
					n := 0
					for k, d := range [][2]int{{-1, -1}, {-1, 0}, {-1, 1}, {0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}} {
						if before.at(0, y+d[0], x+d[1]) {
							n |= 1 << k
						}
					}
					if before.at(0, y, x) && (thinTable[n]-'0')&pass != 0 {
						g.set[y*g.x+x] = false
						changed = true
					}
				}
			}
		}
	}
	return g
}

// euler counts vertices, edges, faces and cubes of the union of closed unit cubes around a voxel.
func (g grid) euler(z, y, x int) int {
	cells := map[[3]int]bool{} // in doubled coordinates: odd is inside
	for dz := -1; dz <= 1; dz++ {
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				if !g.at(z+dz, y+dy, x+dx) {
					continue
				}
				for a := -1; a <= 1; a++ {
					for b := -1; b <= 1; b++ {
						for c := -1; c <= 1; c++ {
							cells[[3]int{2*dz + a, 2*dy + b, 2*dx + c}] = true
						}
					}
				}
			}
		}
	}
	sum := 0
	for cell := range cells {
		sign := 1
		for _, v := range cell {
			if v%2 == 0 { // the coordinate runs along the cube
				sign = -sign
			}
		}
		sum += sign
	}
	return sum
}

func (g grid) groups(z, y, x int) (neighbours, groups int) {
	var list [][3]int
	for dz := -1; dz <= 1; dz++ {
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				if (dz != 0 || dy != 0 || dx != 0) && g.at(z+dz, y+dy, x+dx) {
					list = append(list, [3]int{dz, dy, dx})
				}
			}
		}
	}
	seen := make([]bool, len(list))
	var visit func(i int)
	visit = func(i int) {
		seen[i] = true
		for j := range list {
			near := true
			for k := range 3 {
				d := list[i][k] - list[j][k]
				near = near && d >= -1 && d <= 1
			}
			if near && !seen[j] {
				visit(j)
			}
		}
	}
	for i := range list {
		if !seen[i] {
			groups++
			visit(i)
		}
	}
	return len(list), groups
}

// thin3D is 7.2 as it is written.
func (g grid) thin3D() grid {
	g = g.copy()
	directions := [][3]int{{0, -1, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}, {1, 0, 0}, {-1, 0, 0}}
	if g.z == 1 {
		directions = directions[:4]
	}
	for changed := true; changed; {
		changed = false
		for _, d := range directions {
			var list []int
			for i := range g.set {
				z, y, x := i/g.x/g.y, i/g.x%g.y, i%g.x
				if !g.set[i] || g.at(z+d[0], y+d[1], x+d[2]) {
					continue
				}
				n, groups := g.groups(z, y, x)
				with := g.euler(z, y, x)
				g.set[i] = false
				without := g.euler(z, y, x)
				g.set[i] = true
				if n != 1 && groups <= 1 && with == without {
					list = append(list, i)
				}
			}
			for _, i := range list {
				if _, groups := g.groups(i/g.x/g.y, i/g.x%g.y, i%g.x); groups <= 1 {
					g.set[i] = false
					changed = true
				}
			}
		}
	}
	return g
}

// blobs is a random mask of boxes and noise.
func blobs(r *rand.Rand, z, y, x int, noise float64) grid {
	g := grid{z, y, x, make([]bool, z*y*x)}
	for range 4 {
		z0, y0, x0 := r.IntN(z), r.IntN(y), r.IntN(x)
		dz, dy, dx := 1+r.IntN(4), 1+r.IntN(6), 1+r.IntN(x/2+1)
		for i := range g.set {
			if a, b, c := i/x/y, i/x%y, i%x; a >= z0 && a < z0+dz && b >= y0 && b < y0+dy && c >= x0 && c < x0+dx {
				g.set[i] = true
			}
		}
	}
	for i := range g.set {
		if r.Float64() < noise {
			g.set[i] = !g.set[i]
		}
	}
	return g
}

func sameMask(t *testing.T, name string, got *Mask, want grid) {
	t.Helper()
	for i, s := range want.set {
		z, y, x := i/want.x/want.y, i/want.x%want.y, i%want.x
		if got.At(z, y, x) != s {
			t.Fatalf("%s: voxel %d %d %d is %v", name, z, y, x, !s)
		}
	}
}

func TestThinningAgainstThePlainAlgorithm(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for i := range 60 {
		noise := []float64{0, 0.05, 0.3, 0.5}[i%4]
		flat := blobs(r, 1, 3+r.IntN(20), 3+r.IntN(140), noise)
		thin, err := Thin2D(context.Background(), flat.mask())
		if err != nil {
			t.Fatal(err)
		}
		sameMask(t, "plane", thin, flat.thin2D())
		solid := blobs(r, 1+r.IntN(8), 3+r.IntN(9), 3+r.IntN(12), noise)
		if i%10 == 0 {
			solid = blobs(r, 2, 4, 130, noise)
		}
		if thin, err = Thin3D(context.Background(), solid.mask()); err != nil {
			t.Fatal(err)
		}
		sameMask(t, "volume", thin, solid.thin3D())
	}
}

func TestThinningEndsWithItsContext(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	m := blobs(rand.New(rand.NewPCG(1, 1)), 4, 9, 9, 0.1).mask()
	if _, err := Thin2D(ctx, m); err == nil {
		t.Error("planes: no error")
	}
	if _, err := Thin3D(ctx, m); err == nil {
		t.Error("volumes: no error")
	}
}

func FuzzThin(f *testing.F) {
	f.Add(uint8(3), uint8(4), []byte("\xff\x18\x00\xff"))
	f.Add(uint8(1), uint8(70), []byte("\xff\xff\x00\xff\xaa"))
	f.Fuzz(func(t *testing.T, z, x uint8, content []byte) {
		g := grid{1 + int(z)%5, 5, 1 + int(x)%80, nil}
		g.set = make([]bool, g.z*g.y*g.x)
		for i := range g.set {
			g.set[i] = len(content) > 0 && content[i/8%len(content)]>>(i%8)&1 != 0
		}
		thin, err := Thin3D(context.Background(), g.mask())
		if err != nil {
			t.Fatal(err)
		}
		sameMask(t, "volume", thin, g.thin3D())
		g.z, g.set = 1, g.set[:g.y*g.x]
		if thin, err = Thin2D(context.Background(), g.mask()); err != nil {
			t.Fatal(err)
		}
		sameMask(t, "plane", thin, g.thin2D())
	})
}
