package pixel

import (
	"math"
	"testing"
)

// TestHalf widens and narrows every 16-bit float: all but the payload of a signalling NaN come back.
func TestHalf(t *testing.T) {
	for h := range 1 << 16 {
		f := FromHalf(uint16(h))
		if got := ToHalf(f); got != uint16(h) {
			t.Fatalf("%#04x became %g and %#04x", h, f, got)
		}
	}
	for _, c := range []struct {
		in  float32
		out uint16
	}{{1, 0x3c00}, {65504, 0x7bff}, {65520, 0x7c00}, {1e-8, 0}, {1 + 1.0/2048, 0x3c00}, {1 + 3.0/2048, 0x3c02}, {float32(math.Ldexp(1, -25)), 0},
		{float32(math.Ldexp(3, -26)), 1}, {-2, 0xc000}, {float32(math.Inf(-1)), 0xfc00}} {
		if got := ToHalf(c.in); got != c.out {
			t.Errorf("%g became %#04x, expected %#04x", c.in, got, c.out)
		}
	}
}

// TestMemory checks that views share memory, for each element type.
func TestMemory(t *testing.T) {
	for typ := Bool; typ <= Float64; typ++ {
		v := New(typ, 6)
		if Len(v) != 6 || len(Memory(v)) != 6*typ.Held() || Len(Slice(v, 1, 3)) != 2 || Len(Every(v, 1, 3)) != 2 {
			t.Errorf("%s: %d samples in %d bytes", typ, Len(v), len(Memory(v)))
		}
		b := Memory(v)
		for i := range b {
			b[i] = byte(i + 1)
		}
		p := Plane{H: 2, W: 3, Type: typ, Values: v}
		if p.At(1, 2) == 0 && typ != Float64 || !math.IsNaN(p.At(2, 0)) || !math.IsNaN(p.At(0, -1)) || p.Bytes() != len(b) {
			t.Errorf("%s: %g at the end", typ, p.At(1, 2))
		}
	}
	if Len("text") != -1 || Memory(nil) != nil || Slice(3, 0, 0) != nil || Every(3, 0, 1) != nil {
		t.Error("other values are taken for samples")
	}
}

// TestSwap turns bytes around for each size.
func TestSwap(t *testing.T) {
	for size, want := range map[int]byte{1: 0, 2: 1, 4: 3, 8: 7} {
		b := Aligned(16)
		for i := range b {
			b[i] = byte(i)
		}
		Swap(b, size)
		if b[0] != want || b[size-1] != 0 {
			t.Errorf("size %d: %v", size, b)
		}
	}
}

// TestCheck names what does not fit together.
func TestCheck(t *testing.T) {
	good := Array{Shape: []int{2, 3}, Axes: "YX", Type: Int16, Values: make([]int16, 6)}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
	for _, bad := range []Array{
		{Shape: []int{2, 3}, Axes: "YX", Type: Int16, Values: make([]int16, 5)},
		{Shape: []int{2, 3}, Axes: "ZYX", Type: Int16, Values: make([]int16, 6)},
		{Shape: []int{2, 3}, Axes: "YX", Type: Int16, Values: make([]uint16, 6)},
		{Shape: []int{-1}, Type: Int16, Values: []int16{}},
	} {
		if bad.Check() == nil {
			t.Errorf("%v passes", bad)
		}
	}
}
