package demo

import "math"

// lattice hashes an integer place; one multiplication round per axis keeps it cheap enough for every voxel.
func lattice(seed uint64, z, y, x int) uint64 {
	h := seed ^ uint64(int64(x))*0x9e3779b97f4a7c15
	h = (h ^ h>>29 ^ uint64(int64(y))*0xbf58476d1ce4e5b9) * 0x94d049bb133111eb
	h = (h ^ h>>32 ^ uint64(int64(z))*0xd6e8feb86659fd93) * 0xd6e8feb86659fd93
	return h ^ h>>32
}

// grain is white noise over [-1, 1): the sum of four uniform bytes, so that it is nearly bell shaped.
func grain(seed uint64, z, y, x int) float64 {
	h := lattice(seed, z, y, x)
	return float64(int(h&255)+int(h>>8&255)+int(h>>16&255)+int(h>>24&255)-510) / 510
}

// fade is Perlin's quintic.
func fade(t float64) float64 {
	t3 := float64(float64(t*t) * t)
	return float64(t3 * (float64(t*(float64(t*6)-15)) + 10))
}

// noise2 is gradient noise (Perlin 2002) with features of about the given size in pixels, in about [-1, 1].
func noise2(seed uint64, y, x, size float64) float64 {
	y, x = y/size, x/size
	fy, fx := math.Floor(y), math.Floor(x)
	iy, ix := int(fy), int(fx)
	dy, dx := y-fy, x-fx
	u, v := fade(dx), fade(dy)
	top := lerp(slope2(lattice(seed, 0, iy, ix), dy, dx), slope2(lattice(seed, 0, iy, ix+1), dy, dx-1), u)
	low := lerp(slope2(lattice(seed, 0, iy+1, ix), dy-1, dx), slope2(lattice(seed, 0, iy+1, ix+1), dy-1, dx-1), u)
	return 1.3 * lerp(top, low, v)
}

// slope2 is the dot product with one of eight gradients.
func slope2(h uint64, y, x float64) float64 {
	switch h & 7 {
	case 0:
		return y + x
	case 1:
		return y - x
	case 2:
		return x - y
	case 3:
		return -y - x
	case 4:
		return 1.4 * y
	case 5:
		return 1.4 * x
	case 6:
		return -1.4 * y
	}
	return -1.4 * x
}

// cloud2 sums three octaves of noise2, in about [-1, 1].
func cloud2(seed uint64, y, x, size float64) float64 {
	return float64(0.57*noise2(seed, y, x, size)) + float64(0.28*noise2(seed+1, y, x, size/2)) + float64(0.15*noise2(seed+2, y, x, size/4))
}

// noise3 is gradient noise in space, in about [-1, 1].
func noise3(seed uint64, z, y, x, size float64) float64 {
	z, y, x = z/size, y/size, x/size
	fz, fy, fx := math.Floor(z), math.Floor(y), math.Floor(x)
	iz, iy, ix := int(fz), int(fy), int(fx)
	dz, dy, dx := z-fz, y-fy, x-fx
	u, v, w := fade(dx), fade(dy), fade(dz)
	var face [2]float64
	for k := range face {
		gz := dz - float64(k)
		top := lerp(slope3(lattice(seed, iz+k, iy, ix), gz, dy, dx), slope3(lattice(seed, iz+k, iy, ix+1), gz, dy, dx-1), u)
		low := lerp(slope3(lattice(seed, iz+k, iy+1, ix), gz, dy-1, dx), slope3(lattice(seed, iz+k, iy+1, ix+1), gz, dy-1, dx-1), u)
		face[k] = lerp(top, low, v)
	}
	return lerp(face[0], face[1], w)
}

// slope3 is the dot product with one of the twelve edge directions of a cube; four of them come twice.
func slope3(h uint64, z, y, x float64) float64 {
	a, b := x, y
	switch h >> 2 & 3 {
	case 1:
		b = z
	case 2:
		a = z
	}
	if h&1 != 0 {
		a = -a
	}
	if h&2 != 0 {
		b = -b
	}
	return a + b
}
