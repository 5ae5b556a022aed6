package python

import (
	"math"
	"math/bits"
)

// Decimal reads the plain number that a text begins with: a sign, ASCII digits with an optional point, an optional exponent.
// It gives the number, correctly rounded, and the length of its text; what follows is not looked at, so that "1 2" begins
// with 1 and "1x" does too. The length is 0 where there is no such number, and also where it takes more than a step to
// round: more than 19 digits, or the last of them far from the point. Float reads those.
func Decimal(s string) (v float64, length int) {
	i := 0
	if s != "" && (s[0] == '-' || s[0] == '+') {
		i = 1
	}
	first := i
	whole := uint64(0)
	for ; i < len(s) && s[i]-'0' <= 9; i++ {
		whole = whole*10 + uint64(s[i]-'0')
	}
	count, behind := i-first, 0
	if i < len(s) && s[i] == '.' {
		point := i
		for i++; i < len(s) && s[i]-'0' <= 9; i++ {
			whole = whole*10 + uint64(s[i]-'0')
		}
		behind = i - point - 1
		count += behind
	}
	if count == 0 || count > maxQuickDigits {
		return 0, 0
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		n, length := exponent(s[i+1:])
		if length < 0 {
			return 0, 0
		}
		behind, i = behind-n, i+length
	}
	if v, ok := scaled(whole, behind); ok {
		if s[0] == '-' {
			v = -v
		}
		return v, i
	}
	return 0, 0
}

// maxQuickDigits are as many digits as always fit in 64 bits.
const maxQuickDigits = 19

// exponent reads a sign and up to three digits behind an e. The length counts the e too; it is -1 for what is no exponent.
func exponent(s string) (n, length int) {
	i := 0
	if s != "" && (s[0] == '-' || s[0] == '+') {
		i = 1
	}
	first := i
	for ; i < len(s) && s[i]-'0' <= 9 && i < first+4; i++ {
		n = n*10 + int(s[i]-'0')
	}
	if i == first || i > first+3 {
		return 0, -1
	}
	if s[0] == '-' {
		n = -n
	}
	return n, i + 1
}

// floatPowers are exact as float64.
var floatPowers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// wholePowers are all that fit in 64 bits.
var wholePowers = func() (p [20]uint64) {
	p[0] = 1
	for i := 1; i < len(p); i++ {
		p[i] = 10 * p[i-1]
	}
	return p
}()

// scaled is whole / 10^behind, correctly rounded; it declines powers beyond the tables. Where both sides are exact as
// float64, one operation on them rounds correctly.
func scaled(whole uint64, behind int) (float64, bool) {
	switch {
	case whole == 0:
		return 0, true
	case whole>>53 == 0 && behind >= 0 && behind < len(floatPowers):
		return float64(whole) / floatPowers[behind], true
	case whole>>53 == 0 && behind < 0 && -behind < len(floatPowers):
		return float64(whole) * floatPowers[-behind], true
	case behind >= 0 && behind < len(wholePowers):
		return quotient(whole, wholePowers[behind]), true
	}
	return 0, false
}

// quotient is a / b, rounded once, to the nearest float64 and to the even one of two; neither is 0. Both are shifted up to
// bit 63, so that a division of 128 by 64 bits gives all of 64 bits: 53 to keep and 11 to round by, with a remainder.
func quotient(a, b uint64) float64 {
	up, down := bits.LeadingZeros64(a), bits.LeadingZeros64(b)
	a, b = a<<up, b<<down
	high, low, exponent := a, uint64(0), down-up-64
	if a >= b {
		high, low, exponent = a>>1, a<<63, exponent+1
	}
	q, rest := bits.Div64(high, low, b)
	kept, cut := q>>11, q&(1<<11-1)
	if half := uint64(1 << 10); cut > half || cut == half && (rest > 0 || kept&1 == 1) {
		kept++
	}
	// kept is 2^52 to 2^53, so that its top bit adds one to the exponent's field: a carry there is right as well.
	return math.Float64frombits(uint64(exponent+11+1023+52-1)<<52 + kept)
}
