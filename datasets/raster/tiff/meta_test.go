package tiff

import (
	"encoding/binary"
	"testing"
)

// TestLookupTables keeps the whole table of each channel, of one that ends in black too.
func TestLookupTables(t *testing.T) {
	f, m := &File{order: binary.BigEndian}, &Meta{}
	const luts = 'l'<<24 | 'u'<<16 | 't'<<8 | 's'
	inverted, fire := make([]byte, 768), make([]byte, 768)
	for i := range 256 {
		inverted[i], inverted[256+i], inverted[512+i] = byte(255-i), byte(255-i), byte(255-i)
		fire[i], fire[256+i], fire[512+i] = byte(i), byte(i/2), byte(i*i/255)
	}
	f.imageJBlock(m, luts, inverted)
	f.imageJBlock(m, luts, fire)
	f.imageJBlock(m, luts, fire[:767])
	if len(m.Channels) != 2 || m.Channels[0].LUT == nil || m.Channels[1].LUT == nil {
		t.Fatalf("%d channels: %+v", len(m.Channels), m.Channels)
	}
	for i := range 256 {
		if got := m.Channels[0].LUT[i]; got != [3]uint8{uint8(255 - i), uint8(255 - i), uint8(255 - i)} {
			t.Errorf("first table, entry %d: %v", i, got)
		}
		if got := m.Channels[1].LUT[i]; got != [3]uint8{uint8(i), uint8(i / 2), uint8(i * i / 255)} {
			t.Errorf("second table, entry %d: %v", i, got)
		}
	}
	if m.Channels[0].Colour != [3]uint8{} || m.Channels[1].Colour != [3]uint8{255, 127, 255} {
		t.Errorf("colours %v and %v", m.Channels[0].Colour, m.Channels[1].Colour)
	}
}
