package tiff

import (
	"encoding/binary"

	"coverslip/datasets/raster/pixel"
)

// undoDifferences turns the differences of predictor 2 into samples, row by row, modulo 2^n in the sample's own width.
// The samples are in the machine's byte order; a row holds rowBytes bytes and lanes samples side by side.
func undoDifferences(b []byte, rowBytes, lanes, size int) {
	for len(b) >= rowBytes && rowBytes > 0 {
		row := b[:rowBytes]
		switch size {
		case 1:
			accumulate(row, lanes)
		case 2:
			accumulate(pixel.View[uint16](row), lanes)
		case 4:
			accumulate(pixel.View[uint32](row), lanes)
		case 8:
			accumulate(pixel.View[uint64](row), lanes)
		}
		b = b[rowBytes:]
	}
}

func accumulate[E uint8 | uint16 | uint32 | uint64](row []E, lanes int) {
	if lanes == 1 {
		var sum E
		for i, d := range row {
			sum += d
			row[i] = sum
		}
		return
	}
	for i := lanes; i < len(row); i++ {
		row[i] += row[i-lanes]
	}
}

// undoFloats turns the rows of predictor 3 into floating numbers in the machine's byte order: bytes are differences
// along the row, and the row holds all highest bytes first, then all second ones, down to the lowest.
func undoFloats(b []byte, rowBytes, lanes, size int) {
	plain := make([]byte, rowBytes)
	for len(b) >= rowBytes && rowBytes > 0 {
		row := b[:rowBytes]
		accumulate(row, lanes)
		copy(plain, row)
		n := rowBytes / size
		for k := range size { // k counts from the highest byte
			at := k
			if pixel.HostIsLittle {
				at = size - 1 - k
			}
			for i, c := range plain[k*n : (k+1)*n] {
				row[i*size+at] = c
			}
		}
		b = b[rowBytes:]
	}
}

// toHost brings stored samples into the machine's byte order and undoes the predictor.
func (f *File) toHost(l *Layout, b []byte) {
	size := l.Bits / 8
	if l.predicts() && l.Predictor == 3 {
		undoFloats(b, l.rowBytes(), l.lanes(), size)
		return
	}
	if size > 1 && f.littleFile() != pixel.HostIsLittle {
		pixel.Swap(b, size)
	}
	if l.predicts() {
		undoDifferences(b, l.rowBytes(), l.lanes(), size)
	}
}

func (f *File) littleFile() bool { return f.order == byteOrder(binary.LittleEndian) }
