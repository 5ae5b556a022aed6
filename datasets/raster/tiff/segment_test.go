package tiff

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"coverslip/datasets/fault"
	"coverslip/datasets/raster/pixel"
)

// TestTilesFarLargerThanTheirPageAreRefused: a few bytes must not make the reader take hundreds of megabytes for a page of 45 pixels.
func TestTilesFarLargerThanTheirPageAreRefused(t *testing.T) {
	for side, refused := range map[int]bool{16: false, 2048: false, 1 << 14: true} {
		v := variant{order: binary.LittleEndian, typ: pixel.Float32}
		b := v.directory(make([]byte, 64), []tagValues{{tagImageWidth, []int{5}}, {tagImageLength, []int{9}}, {tagBitsPerSample, []int{32}},
			{tagCompression, []int{codecDeflate}}, {tagPhotometric, []int{1}}, {tagSamplesPerPixel, []int{1}}, {tagPlanarConfig, []int{1}},
			{tagSampleFormat, []int{sampleFormat(v.typ)}}, {tagTileWidth, []int{side}}, {tagTileLength, []int{side}},
			{tagTileOffsets, []int{8}}, {tagTileByteCounts, []int{56}}})
		f, err := Open(bytes.NewReader(b), int64(len(b)), "test.tif")
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := f.Check(f.Pages[0]); errors.Is(err, fault.TooLarge) != refused {
			t.Errorf("tiles of %d: %v", side, err)
		}
	}
}
