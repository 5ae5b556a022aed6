package raster

import (
	"encoding/binary"
	"os"
)

// writeSparse writes a BigTIFF of pages whose directories lie before their pixels; the pixels are left as holes, so that
// a file of any size takes no room on disk.
func writeSparse(o *os.File, pages, h, w int) error {
	le := binary.LittleEndian
	if _, err := o.Write([]byte{'I', 'I', 43, 0, 8, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0}); err != nil {
		return err
	}
	at := 16
	for p := range pages {
		tags := [][3]int{{256, 4, w}, {257, 4, h}, {258, 3, 8}, {259, 3, 1}, {262, 3, 1}, {273, 16, 0}, {277, 3, 1}, {278, 4, h}, {279, 16, h * w}}
		size := 8 + 20*len(tags) + 8
		next := at + size + h*w
		b := le.AppendUint64(nil, uint64(len(tags)))
		for _, t := range tags {
			if t[0] == 273 {
				t[2] = at + size
			}
			b = le.AppendUint16(b, uint16(t[0]))
			b = le.AppendUint16(b, uint16(t[1]))
			b = le.AppendUint64(b, 1)
			b = le.AppendUint64(b, uint64(t[2]))
		}
		if p == pages-1 {
			next = 0
		}
		b = le.AppendUint64(b, uint64(next))
		if _, err := o.WriteAt(b, int64(at)); err != nil {
			return err
		}
		at += size + h*w
	}
	return o.Truncate(int64(at))
}
