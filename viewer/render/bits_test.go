package render

import "testing"

// Setting ranges of bits sets these bits and no others, wherever words end.
func TestBitRow(t *testing.T) {
	const n = 300
	rnd := noise(5)
	var row bitRow
	for range 200 {
		row = row.sized(n)
		var want [n]bool
		for range 6 {
			from := int32(rnd.next() % n)
			to := min(from+int32(rnd.next()%150), n)
			row.set(from, to)
			for i := from; i < to; i++ {
				want[i] = true
			}
		}
		for i, w := range want {
			if got := row.at(i/8)>>(i%8)&1 != 0; got != w {
				t.Fatalf("bit %d is %v", i, got)
			}
		}
	}
}

func TestSpan(t *testing.T) {
	for lo := int32(-70); lo < 70; lo += 3 {
		for hi := int32(-70); hi < 140; hi++ {
			got := span(lo, hi)
			for i := range int32(64) {
				if got>>i&1 != 0 != (lo <= i && i < hi) {
					t.Fatalf("bit %d of %d..%d is %d", i, lo, hi, got>>i&1)
				}
			}
		}
	}
}
