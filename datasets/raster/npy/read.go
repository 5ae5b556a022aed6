package npy

import (
	"context"
	"io"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster/pixel"
)

// Read fills dst, a []E of the array's type, with elements in C order from index from on.
func (a *Array) Read(ctx context.Context, from int, dst any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if a.stream == nil && !a.transposed() {
		r := io.NewSectionReader(a.r, a.at+int64(from)*int64(a.Type.Size()), int64(pixel.Len(dst))*int64(a.Type.Size()))
		return a.fill(ctx, r, dst)
	}
	a.once.Do(func() { a.loaded, a.err = a.load() })
	if a.err != nil {
		return a.err
	}
	copy(pixel.Memory(dst), pixel.Memory(pixel.Slice(a.loaded, from, from+pixel.Len(dst))))
	return nil
}

// transposed tells whether the order of the file is not C order.
func (a *Array) transposed() bool { return a.Fortran && len(a.Shape) > 1 }

// load reads all elements into memory, in C order. Open has bounded them.
func (a *Array) load() (any, error) {
	ctx := context.Background() // all who ask later share the result
	values := pixel.New(a.Type, a.Len())
	r := io.Reader(nil)
	if a.stream != nil {
		s, err := a.stream()
		if err != nil {
			return nil, a.broken(err)
		}
		defer s.Close()
		if _, err := io.CopyN(io.Discard, s, a.at); err != nil {
			return nil, a.broken(err)
		}
		r = s
	} else {
		r = io.NewSectionReader(a.r, a.at, int64(a.Len())*int64(a.Type.Size()))
	}
	if err := a.fill(ctx, r, values); err != nil {
		return nil, err
	}
	if a.stream != nil { // reading to the end compares the checksum
		if _, err := io.CopyN(io.Discard, r, 1<<16); err != nil && err != io.EOF {
			return nil, a.broken(err)
		}
	}
	if a.transposed() {
		values = transpose(values, a.Type, a.Shape)
	}
	return values, nil
}

// fill reads stored elements one after the other.
func (a *Array) fill(ctx context.Context, r io.Reader, dst any) error {
	if a.Type == pixel.Float16 {
		return a.fillHalf(r, dst.([]float32))
	}
	const chunk = 4 << 20
	for mem := pixel.Memory(dst); len(mem) > 0; mem = mem[min(chunk, len(mem)):] {
		b := mem[:min(chunk, len(mem))]
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := io.ReadFull(r, b); err != nil {
			return a.broken(err)
		}
		if size := a.Type.Size(); size > 1 && a.big == pixel.HostIsLittle {
			pixel.Swap(b, size)
		}
		if a.Type == pixel.Bool {
			for i, v := range b {
				b[i] = min(v, 1)
			}
		}
	}
	return nil
}

// fillHalf widens 16-bit floats.
func (a *Array) fillHalf(r io.Reader, dst []float32) error {
	b := make([]byte, min(2*len(dst), 1<<20))
	for len(dst) > 0 {
		part := b[:min(len(b), 2*len(dst))]
		if _, err := io.ReadFull(r, part); err != nil {
			return a.broken(err)
		}
		for i := range len(part) / 2 {
			h := uint16(part[2*i]) | uint16(part[2*i+1])<<8
			if a.big {
				h = h>>8 | h<<8
			}
			dst[i] = pixel.FromHalf(h)
		}
		dst = dst[len(part)/2:]
	}
	return nil
}

func (a *Array) broken(err error) error {
	return &fault.Error{Kind: fault.Malformed, File: a.place(), Found: "an array that cannot be read", Err: err, Fix: "Copy or write the file again, it may be damaged"}
}

// transpose turns Fortran order into C order.
func transpose(values any, t pixel.Type, shape []int) any {
	out := pixel.New(t, pixel.Len(values))
	switch v := values.(type) {
	case []uint8:
		reorder(out.([]uint8), v, shape)
	case []int8:
		reorder(out.([]int8), v, shape)
	case []uint16:
		reorder(out.([]uint16), v, shape)
	case []int16:
		reorder(out.([]int16), v, shape)
	case []uint32:
		reorder(out.([]uint32), v, shape)
	case []int32:
		reorder(out.([]int32), v, shape)
	case []uint64:
		reorder(out.([]uint64), v, shape)
	case []int64:
		reorder(out.([]int64), v, shape)
	case []float32:
		reorder(out.([]float32), v, shape)
	case []float64:
		reorder(out.([]float64), v, shape)
	}
	return out
}

// reorder walks the output in C order and keeps the place in the input, whose first axis varies fastest.
func reorder[E pixel.Element](dst, src []E, shape []int) {
	strides := make([]int, len(shape))
	step := 1
	for i, d := range shape {
		strides[i] = step
		step *= d
	}
	last := len(shape) - 1
	at := make([]int, len(shape))
	from := 0
	for i := 0; i < len(dst); i += shape[last] {
		for x := range shape[last] {
			dst[i+x] = src[from+x*strides[last]]
		}
		for k := last - 1; k >= 0; k-- {
			at[k]++
			from += strides[k]
			if at[k] < shape[k] {
				break
			}
			from -= at[k] * strides[k]
			at[k] = 0
		}
	}
}
