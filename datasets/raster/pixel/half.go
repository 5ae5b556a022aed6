package pixel

import "math"

// FromHalf widens IEEE 754 half precision, which float32 holds exactly. The sign and payload of a NaN are kept.
func FromHalf(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	exp := uint32(h >> 10 & 0x1f)
	frac := uint32(h & 0x3ff)
	switch {
	case exp == 0x1f:
		return math.Float32frombits(sign | 0x7f800000 | frac<<13)
	case exp != 0:
		return math.Float32frombits(sign | (exp+112)<<23 | frac<<13)
	case frac == 0:
		return math.Float32frombits(sign)
	}
	v := float32(frac) / (1 << 24) // subnormal: frac x 2^-24
	if sign != 0 {
		v = -v
	}
	return v
}

// ToHalf rounds to half precision, ties to even; too large values become infinite.
func ToHalf(f float32) uint16 {
	b := math.Float32bits(f)
	sign := uint16(b >> 16 & 0x8000)
	exp := int(b>>23&0xff) - 127
	frac := b & 0x7fffff
	switch {
	case exp == 128 && frac != 0: // NaN, quiet unless the payload survives
		p := uint16(frac >> 13)
		if p == 0 {
			p = 0x200
		}
		return sign | 0x7c00 | p
	case exp > 15:
		return sign | 0x7c00
	case exp >= -14:
		return sign | roundBits(uint32(exp+15)<<23|frac, 13)
	case exp >= -25:
		return sign | roundBits(frac|0x800000, uint(-1-exp))
	}
	return sign
}

// roundBits shifts right by n, rounding to nearest and ties to even; a carry moves into the exponent, as it should.
func roundBits(v uint32, n uint) uint16 {
	half := uint32(1) << (n - 1)
	rest := v & (1<<n - 1)
	v >>= n
	if rest > half || rest == half && v&1 == 1 {
		v++
	}
	return uint16(v)
}
