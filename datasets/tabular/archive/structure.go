package archive

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
	"unicode/utf8"

	"coverslip/datasets/fault"
)

// Some packers write a name twice: in an old encoding, and as UTF-8 in an extra field that names the first by its
// checksum (APPNOTE.TXT 4.6.9).
const unicodePath = 0x7075

// endSize is the size of the record at the end of a ZIP, without its comment.
const endSize = 22

// nameOf is a member's name; the one in the extra field counts if it belongs to the other.
func nameOf(f *zip.File) string {
	name := f.Name
	_ = eachExtra(f.Extra, func(id uint16, b []byte) {
		if id != unicodePath || len(b) < 6 || b[0] != 1 {
			return
		}
		if text := b[5:]; binary.LittleEndian.Uint32(b[1:]) == crc32.ChecksumIEEE([]byte(f.Name)) && utf8.Valid(text) {
			name = string(text)
		}
	})
	return name
}

// eachExtra calls do for each extra field of a member; the error tells of a field that is longer than the rest of them.
func eachExtra(b []byte, do func(id uint16, body []byte)) error {
	for len(b) >= 4 {
		id, size := binary.LittleEndian.Uint16(b), int(binary.LittleEndian.Uint16(b[2:]))
		if b = b[4:]; size > len(b) {
			return fmt.Errorf("an extra field of %d bytes where %d are left", size, len(b))
		}
		do(id, b[:size])
		b = b[size:]
	}
	return nil
}

// whole refuses an archive that is one of several volumes, or that has bytes behind its end.
func (a *Archive) whole() error {
	tail := make([]byte, min(a.size, endSize+1<<16))
	if _, err := a.reader.ReadAt(tail, a.size-int64(len(tail))); err != nil {
		return unreadable(a.Path, err)
	}
	at := bytes.LastIndex(tail, []byte("PK\x05\x06"))
	if at < 0 || at+endSize > len(tail) {
		return a.refuse(fault.Malformed, "", "no record at its end", "a whole ZIP")
	}
	end := tail[at:]
	if disk := binary.LittleEndian.Uint16(end[4:]); disk != 0 && disk != 0xffff {
		return a.refuse(fault.Unsupported, "", fmt.Sprintf("volume %d of a ZIP in several files", int(disk)+1), "a ZIP in one file")
	}
	if surplus := len(end) - endSize - int(binary.LittleEndian.Uint16(end[20:])); surplus != 0 {
		return a.refuse(fault.Malformed, "", fmt.Sprintf("%d bytes too many or too few behind its end", surplus), "a whole ZIP")
	}
	return nil
}

// sound refuses a member that does not lie where the list of members says, or that cannot be unpacked here.
func (a *Archive) sound(m *Member) error {
	if err := eachExtra(m.file.Extra, func(uint16, []byte) {}); err != nil {
		return a.refuse(fault.Malformed, m.Name, err.Error(), "extra fields that fit")
	}
	if strings.HasSuffix(m.Name, "/") {
		return nil
	}
	if m.file.Method != zip.Store && m.file.Method != zip.Deflate {
		return a.refuse(fault.Unsupported, m.Name, fmt.Sprintf("compression method %d", m.file.Method), "stored or deflated members")
	}
	if _, err := m.file.DataOffset(); errors.Is(err, zip.ErrFormat) {
		return a.refuse(fault.Malformed, m.Name, "no member where the list of members says", "the member's own header")
	} else if err != nil {
		return a.damaged(m, err)
	}
	return nil
}
