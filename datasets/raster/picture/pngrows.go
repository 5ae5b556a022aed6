package picture

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/zlib"

	"coverslip/datasets/raster/pixel"
)

// pngPass is where the pixels of one pass of an interlaced picture lie: the first one, and the steps between them.
type pngPass struct{ x, y, dx, dy int }

// adam7 are the seven passes of an interlaced picture (PNG specification 8.2).
var adam7 = []pngPass{{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}

// readPNG decodes the pixels row by row.
func (p *Picture) readPNG(h *pngHeader, dst any, split bool) (note string, err error) {
	src := &pngData{from: io.NewSectionReader(p.r, h.pixels, p.size-h.pixels)}
	z, err := zlib.NewReader(src)
	if err != nil {
		return "", p.broken(err)
	}
	defer z.Close()
	passes := []pngPass{{0, 0, 1, 1}}
	if h.interlaced {
		passes = adam7
	}
	for _, pass := range passes {
		if p.Type == pixel.Uint16 {
			err = pngRows(h, z, pass, canvasOf(p, dst.([]uint16), split), h.wide)
		} else {
			err = pngRows(h, z, pass, canvasOf(p, dst.([]uint8), split), func(to []uint8, row []byte) {
				if h.narrow(to, row) {
					note = "some indices lie outside the palette and are black"
				}
			})
		}
		if err != nil {
			return "", p.broken(err)
		}
	}
	// Reading on compares the checksum of the pixels.
	if n, err := io.ReadFull(z, make([]byte, 1)); n > 0 || !errors.Is(err, io.EOF) {
		return "", p.broken(fmt.Errorf("more pixels than the header says, or a wrong checksum (%v)", err))
	}
	return note, nil
}

// pngRows unpacks the rows of one pass; take turns the bytes of a row into samples.
func pngRows[E uint8 | uint16](h *pngHeader, z io.Reader, pass pngPass, to canvas[E], take func(to []E, row []byte)) error {
	n := (to.w - pass.x + pass.dx - 1) / pass.dx
	if n <= 0 || pass.y >= to.h {
		return nil
	}
	bits := map[uint8]int{pngGrey: 1, pngRGB: 3, pngPalette: 1, pngGreyAlpha: 2, pngRGBA: 4}[h.kind] * int(h.depth)
	size, back := (n*bits+7)/8, (bits+7)/8
	row, above := make([]byte, 1+size), make([]byte, 1+size)
	samples := make([]E, n*to.samples)
	for y := pass.y; y < to.h; y += pass.dy {
		if _, err := io.ReadFull(z, row); err != nil {
			return fmt.Errorf("row %d of %d: %w", y+1, to.h, err)
		}
		if err := unfilter(row[0], row[1:], above[1:], back); err != nil {
			return err
		}
		take(samples, row[1:])
		to.put(y, pass.x, pass.dx, samples)
		row, above = above, row
	}
	return nil
}

// unfilter turns differences back into bytes; back is how far the same byte of the pixel to the left lies behind (PNG
// specification 9.2).
func unfilter(filter byte, row, above []byte, back int) error {
	above = above[:len(row)]
	switch filter {
	case 0:
	case 1:
		for i := back; i < len(row); i++ {
			row[i] += row[i-back]
		}
	case 2:
		for i, a := range above {
			row[i] += a
		}
	case 3:
		for i, a := range above {
			left := 0
			if i >= back {
				left = int(row[i-back])
			}
			row[i] += uint8((left + int(a)) / 2)
		}
	case 4:
		for i := range min(back, len(row)) {
			row[i] += above[i]
		}
		for i := back; i < len(row); i++ {
			row[i] += paeth(row[i-back], above[i], above[i-back])
		}
	default:
		return fmt.Errorf("filter %d", filter)
	}
	return nil
}

// paeth is the neighbour that is nearest to left + above - corner.
func paeth(left, above, corner uint8) uint8 {
	dl, da := int(above)-int(corner), int(left)-int(corner)
	dc := abs(dl + da)
	dl, da = abs(dl), abs(da)
	switch {
	case dl <= da && dl <= dc:
		return left
	case da <= dc:
		return above
	}
	return corner
}

func abs(x int) int {
	if x < 0 {
		return -x
	}
	return x
}

// wide takes 16-bit samples, which are stored high byte first.
func (h *pngHeader) wide(to []uint16, row []byte) {
	for i := range to {
		to[i] = binary.BigEndian.Uint16(row[2*i:])
	}
}

// narrow takes samples of up to 8 bits: greys of fewer bits are stretched, but those of one stay 0 and 1; indices become
// colours. outside tells of indices that the palette does not have.
func (h *pngHeader) narrow(to []uint8, row []byte) (outside bool) {
	if h.depth == 8 && h.kind != pngPalette {
		copy(to, row)
		return false
	}
	mask, depth, n := byte(1<<h.depth-1), int(h.depth), len(to)
	stretch := map[uint8]uint8{1: 1, 2: 85, 4: 17}[h.depth]
	samples := 1
	if h.kind == pngPalette {
		samples = 3
		if h.transparent {
			samples = 4
		}
		n /= samples
	}
	for i := range n {
		at := i * depth
		v := row[at/8] >> (8 - depth - at%8) & mask
		if h.kind != pngPalette {
			to[i] = v * stretch
			continue
		}
		outside = outside || int(v) >= h.palette
		copy(to[i*samples:(i+1)*samples], h.colours[v][:])
	}
	return outside
}

// pngData is the content of the chunks of pixels, one behind the other. A wrong checksum is an error.
type pngData struct {
	from io.Reader
	left int
	sum  hash.Hash32
}

func (d *pngData) Read(b []byte) (int, error) {
	for d.left == 0 {
		if err := d.next(); err != nil {
			return 0, err
		}
	}
	n, err := d.from.Read(b[:min(len(b), d.left)])
	d.left -= n
	d.sum.Write(b[:n])
	if err == io.EOF && n == 0 {
		err = io.ErrUnexpectedEOF
	} else if n > 0 {
		err = nil
	}
	return n, err
}

// next compares the checksum of the chunk that ends here and goes on to the one behind it.
func (d *pngData) next() error {
	var b [8]byte
	if d.sum != nil {
		if _, err := io.ReadFull(d.from, b[:4]); err != nil {
			return io.ErrUnexpectedEOF
		}
		if binary.BigEndian.Uint32(b[:]) != d.sum.Sum32() {
			return errors.New("a wrong checksum in chunk IDAT")
		}
	}
	if _, err := io.ReadFull(d.from, b[:]); err != nil {
		return io.ErrUnexpectedEOF
	}
	if string(b[4:]) != "IDAT" {
		return io.EOF
	}
	d.left, d.sum = int(binary.BigEndian.Uint32(b[:])), crc32.NewIEEE()
	d.sum.Write(b[4:])
	return nil
}
