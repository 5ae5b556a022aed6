package numeric

import "math/bits"

const (
	mtWords  = 624
	mtMiddle = 397
)

// Random is the stream of CPython's random.Random: the Mersenne Twister MT19937 (Matsumoto and Nishimura 1998), seeded by
// its init_by_array (spec/contract.md 5).
type Random struct {
	state [mtWords]uint32
	next  int
}

// NewRandom seeds the stream as random.Random(seed) does for a whole number: its absolute value in 32-bit words, the
// least significant first.
func NewRandom(seed int64) *Random {
	size := uint64(seed)
	if seed < 0 {
		size = -size
	}
	key := []uint32{uint32(size)}
	if high := uint32(size >> 32); high > 0 {
		key = append(key, high)
	}
	r := &Random{next: mtWords}
	r.seed(19650218)
	i, j := 1, 0
	for range max(mtWords, len(key)) {
		r.state[i] = (r.state[i] ^ (r.state[i-1]^r.state[i-1]>>30)*1664525) + key[j] + uint32(j)
		if i++; i == mtWords {
			r.state[0], i = r.state[mtWords-1], 1
		}
		j = (j + 1) % len(key)
	}
	for range mtWords - 1 {
		r.state[i] = (r.state[i] ^ (r.state[i-1]^r.state[i-1]>>30)*1566083941) - uint32(i)
		if i++; i == mtWords {
			r.state[0], i = r.state[mtWords-1], 1
		}
	}
	r.state[0] = 1 << 31
	return r
}

func (r *Random) seed(s uint32) {
	r.state[0] = s
	for i := 1; i < mtWords; i++ {
		r.state[i] = 1812433253*(r.state[i-1]^r.state[i-1]>>30) + uint32(i)
	}
}

// Uint32 is the next 32-bit output, getrandbits(32).
func (r *Random) Uint32() uint32 {
	if r.next == mtWords {
		r.twist()
	}
	y := r.state[r.next]
	r.next++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

func (r *Random) twist() {
	for i := range mtWords {
		y := r.state[i]&(1<<31) | r.state[(i+1)%mtWords]&(1<<31-1)
		r.state[i] = r.state[(i+mtMiddle)%mtWords] ^ y>>1 ^ -(y&1)&0x9908b0df
	}
	r.next = 0
}

// Below is a whole number from 0 to n-1, n from 1 to 2^32-1. The bits drawn are those of n itself, not of n-1.
func (r *Random) Below(n int) int {
	shift := 32 - bits.Len32(uint32(n))
	for {
		if v := int(r.Uint32() >> shift); v < n {
			return v
		}
	}
}
