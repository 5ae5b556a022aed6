package pixel

import (
	"fmt"
	"math/bits"
	"unsafe"
)

// New makes room for n samples of a type, all zero: a []E, E the Element that the type is held in.
func New(t Type, n int) any {
	switch t {
	case Bool, Uint8:
		return make([]uint8, n)
	case Int8:
		return make([]int8, n)
	case Uint16:
		return make([]uint16, n)
	case Int16:
		return make([]int16, n)
	case Uint32:
		return make([]uint32, n)
	case Int32:
		return make([]int32, n)
	case Uint64:
		return make([]uint64, n)
	case Int64:
		return make([]int64, n)
	case Float16, Float32:
		return make([]float32, n)
	default:
		return make([]float64, n)
	}
}

// Len is the number of samples in values, a []E; -1 when values is something else.
func Len(values any) int {
	switch v := values.(type) {
	case []uint8:
		return len(v)
	case []int8:
		return len(v)
	case []uint16:
		return len(v)
	case []int16:
		return len(v)
	case []uint32:
		return len(v)
	case []int32:
		return len(v)
	case []uint64:
		return len(v)
	case []int64:
		return len(v)
	case []float32:
		return len(v)
	case []float64:
		return len(v)
	}
	return -1
}

// Slice is values[lo:hi] of a []E; it shares memory with values.
func Slice(values any, lo, hi int) any {
	switch v := values.(type) {
	case []uint8:
		return v[lo:hi]
	case []int8:
		return v[lo:hi]
	case []uint16:
		return v[lo:hi]
	case []int16:
		return v[lo:hi]
	case []uint32:
		return v[lo:hi]
	case []int32:
		return v[lo:hi]
	case []uint64:
		return v[lo:hi]
	case []int64:
		return v[lo:hi]
	case []float32:
		return v[lo:hi]
	case []float64:
		return v[lo:hi]
	}
	return nil
}

// Memory is the bytes of a []E as they lie in memory, in the machine's byte order; writing to them writes to values.
func Memory(values any) []byte {
	switch v := values.(type) {
	case []uint8:
		return v
	case []int8:
		return view(v)
	case []uint16:
		return view(v)
	case []int16:
		return view(v)
	case []uint32:
		return view(v)
	case []int32:
		return view(v)
	case []uint64:
		return view(v)
	case []int64:
		return view(v)
	case []float32:
		return view(v)
	case []float64:
		return view(v)
	}
	return nil
}

func view[E Element](v []E) []byte {
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), len(v)*int(unsafe.Sizeof(v[0])))
}

// HostIsLittle tells whether this machine keeps the low byte first.
var HostIsLittle = func() bool {
	one := uint16(1)
	return *(*byte)(unsafe.Pointer(&one)) == 1
}()

// Held is the number of bytes that one sample takes in memory; it differs from Size for Float16 alone.
func (t Type) Held() int { return heldSize(t) }

// Check tells what is wrong with an array whose parts do not fit together, or nil.
func (a Array) Check() error {
	n := 1
	for _, d := range a.Shape {
		if d < 0 {
			return fmt.Errorf("negative extent in shape %v", a.Shape)
		}
		n *= d
	}
	if a.Axes != "" && len(a.Axes) != len(a.Shape) {
		return fmt.Errorf("axes %s do not fit shape %v", a.Axes, a.Shape)
	}
	if got := Len(a.Values); got != n {
		return fmt.Errorf("%d values do not fill shape %v", got, a.Shape)
	}
	if want := New(a.Type, 0); fmt.Sprintf("%T", want) != fmt.Sprintf("%T", a.Values) {
		return fmt.Errorf("values are %T, type %s is held as %T", a.Values, a.Type, want)
	}
	return nil
}

// View is bytes seen as elements in the machine's byte order; len(b) must be a multiple of the element's size and b
// must begin where a []E of that memory could.
func View[E Element](b []byte) []E {
	if len(b) == 0 {
		return nil
	}
	var e E
	return unsafe.Slice((*E)(unsafe.Pointer(&b[0])), len(b)/int(unsafe.Sizeof(e)))
}

// Aligned makes n zero bytes that any element type may be viewed in.
func Aligned(n int) []byte { return Memory(make([]uint64, (n+7)/8))[:n:n] }

// Swap turns the byte order of elements of size bytes around, in place.
func Swap(b []byte, size int) {
	switch size {
	case 2:
		v := View[uint16](b)
		for i, x := range v {
			v[i] = bits.ReverseBytes16(x)
		}
	case 4:
		v := View[uint32](b)
		for i, x := range v {
			v[i] = bits.ReverseBytes32(x)
		}
	case 8:
		v := View[uint64](b)
		for i, x := range v {
			v[i] = bits.ReverseBytes64(x)
		}
	}
}

// Every picks samples k, k+step, k+2 step, ... of a []E into a new []E.
func Every(values any, k, step int) any {
	switch v := values.(type) {
	case []uint8:
		return every(v, k, step)
	case []int8:
		return every(v, k, step)
	case []uint16:
		return every(v, k, step)
	case []int16:
		return every(v, k, step)
	case []uint32:
		return every(v, k, step)
	case []int32:
		return every(v, k, step)
	case []uint64:
		return every(v, k, step)
	case []int64:
		return every(v, k, step)
	case []float32:
		return every(v, k, step)
	case []float64:
		return every(v, k, step)
	}
	return nil
}

func every[E Element](v []E, k, step int) []E {
	out := make([]E, len(v)/step)
	for i := range out {
		out[i] = v[i*step+k]
	}
	return out
}
