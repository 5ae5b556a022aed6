package tiff

import (
	"bytes"
	"errors"
	"io"
	"math/bits"
	"sync"

	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/image/ccitt"

	"coverslip/datasets/raster/inflate"
	"coverslip/datasets/raster/pixel"
)

// codecNames name the schemes that files may use, whether they can be read or not.
var codecNames = map[int]string{
	codecNone: "no compression", codecCCITT: "CCITT RLE", codecCCITT3: "CCITT Group 3 fax", codecCCITT4: "CCITT Group 4 fax",
	codecLZW: "LZW", codecOldJPEG: "old-style JPEG", codecJPEG: "JPEG", codecDeflate: "Deflate", codecOldDeflate: "Deflate",
	codecPackBits: "PackBits", codecLZMA: "LZMA", codecZSTD: "Zstandard", codecOldZSTD: "Zstandard",
	9: "JBIG", 10: "JBIG", 32766: "NeXT RLE", 32771: "CCITT RLE", 32809: "ThunderScan", 32895: "IT8", 32908: "Pixar film", 32909: "Pixar log",
	33003: "JPEG 2000 (Aperio)", 33004: "JPEG 2000", 33005: "JPEG 2000 (Aperio)", 34661: "JBIG", 34676: "SGI LogLuv", 34677: "SGI LogLuv 24",
	34712: "JPEG 2000", 34887: "LERC", 34892: "lossy JPEG", codecOldWebP: "WebP", 34933: "PNG", 34934: "JPEG XR", codecWebP: "WebP", 50002: "JPEG XL", 52546: "JPEG XL",
}

// CodecName is the name of a compression scheme, "scheme 1234 (unknown)" for others.
func CodecName(compression int) string {
	if n, ok := codecNames[compression]; ok {
		return n
	}
	return "scheme " + itoa(compression) + " (unknown)"
}

// checkCodec refuses compression schemes and predictors that cannot be read, by their names.
func (f *File) checkCodec(l *Layout, where string) error {
	switch l.Compression {
	case codecNone, codecLZW, codecDeflate, codecOldDeflate, codecPackBits, codecZSTD, codecOldZSTD, codecLZMA:
	case codecWebP, codecOldWebP:
		if l.Type != pixel.Uint8 || l.Bits != 8 || l.lanes() != 3 && l.lanes() != 4 {
			return f.unsupported(where, "WebP compression of "+itoa(l.Samples)+" samples of "+itoa(l.Bits)+" bits is not supported", "Save the image without compression")
		}
	case codecCCITT3, codecCCITT4:
		if l.Bits != 1 || l.Samples != 1 {
			return f.unsupported(where, "fax compression of "+itoa(l.Bits)+"-bit samples is not supported", "Save the image without compression")
		}
		if l.Compression == codecCCITT3 && l.Fax&(1|4) != 0 {
			return f.unsupported(where, "two-dimensional or byte-filled CCITT Group 3 fax compression is not supported", "Save the image without compression")
		}
	case codecJPEG:
		if l.Bits != 8 || l.Samples > 4 {
			return f.unsupported(where, "JPEG compression of "+itoa(l.Bits)+"-bit samples is not supported", "Save the image without compression")
		}
	default:
		return f.unsupported(where, "compression "+CodecName(l.Compression)+" is not supported", "Save the image without compression, with LZW or with Deflate")
	}
	switch {
	case l.Predictor == 2 && l.Bits >= 8, l.Predictor == 3 && l.Type.IsFloat(), l.Predictor <= 1:
	case l.Compression == codecNone || l.Compression == codecPackBits || l.Compression == codecJPEG || l.Compression == codecWebP || l.Compression == codecOldWebP: // it does not apply
	default:
		return f.unsupported(where, "predictor "+itoa(l.Predictor)+" with "+itoa(l.Bits)+"-bit samples is not supported", "Save the image without a predictor")
	}
	return nil
}

// predicts tells whether samples are stored as differences. The predictor tag means nothing to the other schemes.
func (l *Layout) predicts() bool {
	switch l.Compression {
	case codecLZW, codecDeflate, codecOldDeflate, codecZSTD, codecOldZSTD, codecLZMA:
		return l.Predictor > 1
	}
	return false
}

// NeedsCodecs tells whether the reference's reader needs its optional codec package for such pages
// (spec/formats.md 1.6, 13.8).
func (l *Layout) NeedsCodecs() bool {
	switch l.Compression {
	case codecLZW, codecJPEG, codecZSTD, codecOldZSTD, codecWebP, codecOldWebP, codecCCITT3, codecCCITT4:
		return true
	}
	return l.Bits == 2 || l.Bits == 4 || l.predicts() && l.Predictor == 3
}

// errSurplus says that dst is full and src holds far more.
var errSurplus = errors.New("far more data than needed")

// unpack inflates src into dst and gives the bytes that it filled. Data beyond dst are ignored: the caller has sized
// it. io.ErrUnexpectedEOF says that src ended too early.
func unpack(l *Layout, src, dst []byte) (int, error) {
	switch l.Compression {
	case codecPackBits:
		return packBits(src, dst)
	case codecLZW:
		return unpackLZW(src, dst)
	case codecZSTD, codecOldZSTD:
		return unpackZSTD(src, dst)
	case codecLZMA:
		return unpackXZ(src, dst)
	case codecCCITT3, codecCCITT4:
		return unpackFax(l, src, dst)
	}
	return unzip(src, dst)
}

// inflaters are kept: a fresh one costs more than a small strip.
var inflaters sync.Pool

// unzip unpacks a zlib stream. The quick way takes whole streams of the right size; the patient one those that end early,
// hold more, or lack their checksum.
func unzip(src, dst []byte) (int, error) {
	if inflate.Zlib(src, dst) {
		return len(dst), nil
	}
	var z io.ReadCloser
	var err error
	if kept, ok := inflaters.Get().(io.ReadCloser); ok {
		z = kept
		err = z.(zlib.Resetter).Reset(bytes.NewReader(src), nil)
	} else {
		z, err = zlib.NewReader(bytes.NewReader(src))
	}
	if err != nil {
		return 0, err
	}
	defer inflaters.Put(z)
	n, err := io.ReadFull(z, dst)
	if err != nil {
		return n, err
	}
	return n, checksum(z)
}

// surplusLimit is how much is inflated beyond what a page needs, to reach the checksum.
const surplusLimit = 1 << 16

// checksum reads on to the end of the stream, where a wrong checksum shows. Streams with much more data are left alone.
func checksum(r io.Reader) error {
	_, err := io.CopyN(io.Discard, r, surplusLimit)
	switch {
	case errors.Is(err, zlib.ErrChecksum):
		return err
	case err == nil:
		return errSurplus
	}
	return nil // a tail that is missing or broken behind pixels that are whole
}

func unpackZSTD(src, dst []byte) (int, error) {
	z, err := zstd.NewReader(bytes.NewReader(src), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(1<<27), zstd.WithDecoderLowmem(true))
	if err != nil {
		return 0, err
	}
	defer z.Close()
	return io.ReadFull(z, dst)
}

// unpackFax reads CCITT Group 3 (one-dimensional) and Group 4. Black is 1, as stored, whatever the photometric tag says.
func unpackFax(l *Layout, src, dst []byte) (int, error) {
	group := ccitt.Group4
	if l.Compression == codecCCITT3 {
		group = ccitt.Group3
	}
	rows := len(dst) / l.rowBytes()
	return io.ReadFull(ccitt.NewReader(bytes.NewReader(src), ccitt.MSB, group, l.SegW, rows, &ccitt.Options{Invert: true}), dst)
}

// errPackBits is a run that is longer than its data.
var errPackBits = errors.New("a run that is longer than the data")

// packBits expands runs; they may cross rows, and byte 128 does nothing.
func packBits(src, dst []byte) (int, error) {
	n := 0
	for len(src) > 0 && n < len(dst) {
		c := int(int8(src[0]))
		src = src[1:]
		switch {
		case c >= 0:
			k := min(c+1, len(dst)-n)
			if len(src) < k {
				return n + copy(dst[n:], src), errPackBits
			}
			n += copy(dst[n:n+k], src)
			src = src[min(c+1, len(src)):]
		case c != -128:
			if len(src) == 0 {
				return n, errPackBits
			}
			k := min(1-c, len(dst)-n)
			for i := range k {
				dst[n+i] = src[0]
			}
			n += k
			src = src[1:]
		}
	}
	switch {
	case n < len(dst):
		return n, io.ErrUnexpectedEOF
	case len(src) > 2*len(dst): // even literal runs take less
		return n, errSurplus
	}
	return n, nil
}

// reverseBits turns around the bits of each byte, for FillOrder 2.
func reverseBits(b []byte) {
	for i, c := range b {
		b[i] = bits.Reverse8(c)
	}
}
