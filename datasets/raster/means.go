package raster

import (
	"encoding/binary"
	"math"
	"math/bits"

	"coverslip/datasets/raster/pixel"
)

// reduce makes one sample of each block of step x step samples of rows of w samples: the first one, or the mean as Region has
// it. dst and src are []E of one type.
func reduce(dst, src any, w, step int, corners bool) {
	switch d := dst.(type) {
	case []uint8:
		reduceNarrow(d, src.([]uint8), w, step, corners, 0)
	case []int8:
		reduceNarrow(d, src.([]int8), w, step, corners, 0x80)
	case []uint16:
		reduceNarrow(d, src.([]uint16), w, step, corners, 0)
	case []int16:
		reduceNarrow(d, src.([]int16), w, step, corners, 0x8000)
	case []uint32:
		reduceWide(d, src.([]uint32), w, step, corners, 0, math.MaxUint32)
	case []int32:
		reduceWide(d, src.([]int32), w, step, corners, 1<<31, math.MaxUint32)
	case []uint64:
		reduceWide(d, src.([]uint64), w, step, corners, 0, math.MaxUint64)
	case []int64:
		reduceWide(d, src.([]int64), w, step, corners, 1<<63, math.MaxUint64)
	case []float32:
		reduceFloats(d, src.([]float32), w, step, corners)
	case []float64:
		reduceFloats(d, src.([]float64), w, step, corners)
	}
}

// pick copies the first sample of each block.
func pick[E pixel.Element](dst, src []E, w, step int) {
	i := 0
	for y := 0; y < len(src); y += w * step {
		row := src[y : y+w]
		for x := 0; x < w; x += step {
			dst[i] = row[x]
			i++
		}
	}
}

// blockRows visits the rows of blocks: rows of w samples each, and how many rows there are.
func blockRows[E pixel.Element](src []E, w, step int, visit func(row int, block []E, rows int)) {
	for i := 0; len(src) > 0; i++ {
		n := min(w*step, len(src))
		visit(i, src[:n], n/w)
		src = src[n:]
	}
}

// reduceNarrow sums samples of one or two bytes, several in a word. flip makes signed ones unsigned, in order.
func reduceNarrow[E uint8 | int8 | uint16 | int16](dst, src []E, w, step int, corners bool, flip uint64) {
	if corners {
		pick(dst, src, w, step)
		return
	}
	across := (w + step - 1) / step
	sums := make([]uint64, across)
	last := uint64(w - (across-1)*step)
	blockRows(src, w, step, func(row int, block []E, rows int) {
		sumNarrow(sums, block, w, rows, step, flip)
		out, n := dst[row*across:][:across], uint64(rows*step)
		for b, sum := range sums[:across-1] {
			out[b] = E(mean(sum, n) ^ flip)
		}
		out[across-1] = E(mean(sums[across-1], uint64(rows)*last) ^ flip)
		clear(sums)
	})
}

// mean rounds half up.
func mean(sum, n uint64) uint64 {
	if n&(n-1) == 0 {
		return (sum + n/2) >> (bits.TrailingZeros64(n) & 63)
	}
	return (sum + n/2) / n
}

// mostRows is how many rows of pairs of bytes fields of 16 bits can hold.
const mostRows = 128

// sumNarrow adds rows up: first down, in fields of a word that hold a pair of neighbours each, then along.
func sumNarrow[E uint8 | int8 | uint16 | int16](sums []uint64, block []E, w, rows, step int, flip uint64) {
	mem, shift := pixel.Memory(block), bits.TrailingZeros(uint(step))
	size := len(mem) / len(block)
	every := flip // in every sample of a word
	for k := size; k < 8; k *= 2 {
		every |= every << (8 * k)
	}
	words := w * size / 8
	if !pixel.HostIsLittle {
		words = 0
	}
	var acc [512]uint64
	for w0 := 0; w0 < words; w0 += len(acc) {
		part := acc[:min(len(acc), words-w0)]
		for y := 0; y < rows; y += mostRows {
			clear(part)
			for k := y; k < min(y+mostRows, rows); k++ {
				if row := mem[k*w*size+8*w0:][:8*len(part)]; size == 1 {
					addBytes(part, row, every)
				} else {
					addPairs(part, row, every)
				}
			}
			if size == 1 {
				spillBytes(sums, part, 8*w0, shift)
			} else {
				spillPairs(sums, part, 4*w0, shift)
			}
		}
	}
	for y := range rows {
		row := block[y*w:][:w]
		for x := words * 8 / size; x < w; x++ {
			sums[x>>shift] += (uint64(row[x]) ^ flip) & (1<<(8*size) - 1)
		}
	}
}

// addBytes adds pairs of neighbouring bytes in fields of 16 bits.
func addBytes(acc []uint64, row []byte, flip uint64) {
	const even = 0x00ff00ff00ff00ff
	for i := range acc {
		v := binary.LittleEndian.Uint64(row[8*i:8*i+8:8*i+8]) ^ flip
		acc[i] += v&even + v>>8&even
	}
}

// addPairs adds pairs of neighbouring samples of two bytes in fields of 32 bits.
func addPairs(acc []uint64, row []byte, flip uint64) {
	const even = 0x0000ffff0000ffff
	for i := range acc {
		v := binary.LittleEndian.Uint64(row[8*i:8*i+8:8*i+8]) ^ flip
		acc[i] += v&even + v>>16&even
	}
}

// spillBytes adds the four fields of each word, which belong to eight columns from x on, to the sums of blocks.
func spillBytes(sums, acc []uint64, x, shift int) {
	const field = 0xffff
	for i, v := range acc {
		switch at := x + 8*i; shift {
		case 1:
			s := sums[at>>1:][:4]
			s[0] += v & field
			s[1] += v >> 16 & field
			s[2] += v >> 32 & field
			s[3] += v >> 48
		case 2:
			s := sums[at>>2:][:2]
			s[0] += v&field + v>>16&field
			s[1] += v>>32&field + v>>48
		default:
			sums[at>>(shift&63)] += v&field + v>>16&field + v>>32&field + v>>48
		}
	}
}

// spillPairs does so for the two fields of each word, which belong to four columns.
func spillPairs(sums, acc []uint64, x, shift int) {
	const field = 0xffffffff
	for i, v := range acc {
		if at := x + 4*i; shift == 1 {
			sums[at>>1] += v & field
			sums[at>>1+1] += v >> 32
		} else {
			sums[at>>(shift&63)] += v&field + v>>32
		}
	}
}

// reduceWide sums samples of four or eight bytes in 128 bits. flip makes signed ones unsigned, in order; all is the bits of a sample.
func reduceWide[E uint32 | int32 | uint64 | int64](dst, src []E, w, step int, corners bool, flip, all uint64) {
	if corners {
		pick(dst, src, w, step)
		return
	}
	across := (w + step - 1) / step
	blockRows(src, w, step, func(row int, block []E, rows int) {
		for b := range across {
			from, to := b*step, min((b+1)*step, w)
			var high, low, carry uint64
			for y := range rows {
				for _, s := range block[y*w+from : y*w+to] {
					low, carry = bits.Add64(low, (uint64(s)^flip)&all, 0)
					high += carry
				}
			}
			n := uint64(rows * (to - from))
			low, carry = bits.Add64(low, n/2, 0)
			q, _ := bits.Div64(high+carry, low, n)
			dst[row*across+b] = E(q ^ flip)
		}
	})
}

// reduceFloats sums the numbers among samples in double precision, row by row.
func reduceFloats[E float32 | float64](dst, src []E, w, step int, corners bool) {
	if corners {
		pick(dst, src, w, step)
		return
	}
	across := (w + step - 1) / step
	blockRows(src, w, step, func(row int, block []E, rows int) {
		for b := range across {
			sum, n := 0.0, 0
			for y := range rows {
				for _, s := range block[y*w+b*step : y*w+min((b+1)*step, w)] {
					if s == s {
						sum += float64(s)
						n++
					}
				}
			}
			dst[row*across+b] = E(sum / float64(n)) // 0/0 is NaN
		}
	})
}
