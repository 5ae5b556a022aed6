package remedy

import (
	"encoding/binary"
	"fmt"
	"testing"

	"coverslip/datasets/raster"
)

// appended is a movie as a TIFF of one page a frame, each of which says that it is a series of its own.
func appended(t *testing.T, a raster.Array) []byte {
	t.Helper()
	class, value := classes(a)
	frames, h, w := a.Shape[0], a.Shape[1], a.Shape[2]
	out := []byte("II*\x00\x08\x00\x00\x00")
	for f := range frames {
		text := fmt.Sprintf("{\"shape\": [%d, %d]}\x00", h, w)
		const tags = 9
		at := len(out)
		textAt := at + 2 + 12*tags + 4
		dataAt := (textAt + len(text) + 1) &^ 1
		next := dataAt + 2*h*w
		if f == frames-1 {
			next = 0
		}
		out = binary.LittleEndian.AppendUint16(out, tags)
		for _, e := range [][4]int{{256, 4, 1, w}, {257, 4, 1, h}, {258, 3, 1, 16}, {259, 3, 1, 1}, {262, 3, 1, 1},
			{270, 2, len(text), textAt}, {273, 4, 1, dataAt}, {278, 4, 1, h}, {279, 4, 1, 2 * h * w}} {
			out = binary.LittleEndian.AppendUint16(out, uint16(e[0]))
			out = binary.LittleEndian.AppendUint16(out, uint16(e[1]))
			out = binary.LittleEndian.AppendUint32(out, uint32(e[2]))
			out = binary.LittleEndian.AppendUint32(out, uint32(e[3]))
		}
		out = binary.LittleEndian.AppendUint32(out, uint32(next))
		out = append(out, text...)
		out = append(out, make([]byte, dataAt-len(out))...)
		for _, v := range class[f*h*w : (f+1)*h*w] {
			out = binary.LittleEndian.AppendUint16(out, uint16(value[v]))
		}
	}
	return out
}
