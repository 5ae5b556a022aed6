package raster

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"coverslip/datasets/raster/pixel"
)

// Hash is the SHA-256, in hex, of the first series' array as far as it can be read: C order, low byte first, booleans as
// one byte 0 or 1, no element widened (a 16-bit float is 2 bytes). Frames are hashed one after the other, so that memory
// stays small.
func Hash(ctx context.Context, f *File) (string, error) {
	h, _, err := HashNotes(ctx, f)
	return h, err
}

// HashNotes is Hash, with what came to light while reading, beside the notes of the file: "page 4 is cut off".
func HashNotes(ctx context.Context, f *File) (hash string, notes []string, err error) {
	s := f.scored
	sum := sha256.New()
	if s.elements() > MaxArrayBytes/s.Type.Held() {
		return "", nil, tooLargeFrame(f.Path, s)
	}
	values := pixel.New(s.Type, s.elements())
	finds := make([]found, s.frames)
	for i := range s.frames {
		if i > 0 {
			clear(pixel.Memory(values))
		}
		if finds[i], err = s.read(ctx, i, request{sample: -1}, values); err != nil {
			return "", nil, err
		}
		sum.Write(storedLittle(values, s.Type))
	}
	return hex.EncodeToString(sum.Sum(nil)), summary(finds), nil
}

// HashArray is the same for an array in memory.
func HashArray(a Array) string {
	sum := sha256.Sum256(storedLittle(a.Values, a.Type))
	return hex.EncodeToString(sum[:])
}

// storedLittle is samples as bytes, low byte first.
func storedLittle(values any, t Type) []byte {
	if t == Float16 {
		v := values.([]float32)
		out := make([]byte, 0, 2*len(v))
		for _, x := range v {
			out = binary.LittleEndian.AppendUint16(out, pixel.ToHalf(x))
		}
		return out
	}
	b := pixel.Memory(values)
	if !pixel.HostIsLittle && t.Size() > 1 {
		b = bytes.Clone(b)
		pixel.Swap(b, t.Size())
	}
	return b
}
