package npy

import (
	"archive/zip"
	"fmt"
	"io"
	"path"
	"strings"

	"coverslip/datasets/fault"
)

const (
	maxMembers   = 10000
	maxDirectory = 1 << 24 // bytes of an archive's table of members
	packedRatio  = 1040    // what one byte of Deflate can become at most
)

// OpenZip reads the headers of the arrays of an NPZ archive. ok is false for other formats and for archives without
// arrays whose name does not say NPZ. Members that cannot be read are named in notes; if there is no other, the reason is
// the error.
func OpenZip(r io.ReaderAt, size int64, file string) (arrays []*Array, notes []string, ok bool, err error) {
	var head [4]byte
	if n, _ := r.ReadAt(head[:], 0); n < 4 || string(head[:2]) != "PK" || head[2] != 3 && head[2] != 5 {
		return nil, nil, false, nil
	}
	named := strings.EqualFold(path.Ext(file), ".npz")
	guard := &bounded{r: r, left: maxDirectory}
	z, err := zip.NewReader(guard, size)
	if guard.over {
		err = &fault.Error{Kind: fault.TooLarge, File: file, Found: "an archive with a very long table of members", Expected: "at most 16 MiB"}
	} else if err != nil {
		err = &fault.Error{Kind: fault.Malformed, File: file, Found: "a zip archive that cannot be read", Err: err, Fix: "Copy or write the file again, it may be damaged"}
	}
	if err != nil {
		return nil, nil, named, err
	}
	guard.open = true
	if len(z.File) > maxMembers {
		return nil, nil, named, &fault.Error{Kind: fault.TooLarge, File: file, Found: fmt.Sprintf("an archive of %d members", len(z.File)), Expected: "at most 10,000"}
	}
	for _, m := range z.File {
		if !strings.EqualFold(path.Ext(m.Name), ".npy") {
			continue
		}
		a, refused := member(m, r, size, file)
		if refused != nil {
			notes = append(notes, fmt.Sprintf("member %s is not read: %s", m.Name, reason(refused)))
			err = refused
			continue
		}
		arrays = append(arrays, a)
	}
	switch {
	case len(arrays) > 0:
		return arrays, notes, true, nil
	case err == nil && !named:
		return nil, nil, false, nil
	case err == nil:
		err = &fault.Error{Kind: fault.Malformed, File: file, Found: "an archive without arrays", Expected: "members named .npy"}
	}
	return nil, notes, true, err
}

func reason(err error) string {
	if f, ok := err.(*fault.Error); ok {
		return f.Reason()
	}
	return err.Error()
}

// member opens one array. Stored members are read in place, packed ones whole when their elements are asked for.
func member(m *zip.File, r io.ReaderAt, size int64, file string) (*Array, error) {
	a := &Array{file: file, Name: strings.TrimSuffix(m.Name, path.Ext(m.Name))}
	if m.Flags&1 != 0 {
		return nil, &fault.Error{Kind: fault.Unsupported, File: a.place(), Found: "an encrypted member"}
	}
	if m.Method != zip.Store && m.Method != zip.Deflate {
		return nil, &fault.Error{Kind: fault.Unsupported, File: a.place(), Found: fmt.Sprintf("packing method %d", m.Method), Fix: "Save it with numpy.savez"}
	}
	length := int64(min(m.UncompressedSize64, 1<<62))
	if m.Method == zip.Store {
		at, err := m.DataOffset()
		if err != nil || at > size || length > size-at {
			return nil, a.malformed("a member that reaches beyond the end of the archive", "a whole archive")
		}
		a.r = io.NewSectionReader(r, at, length)
		return a, a.open(io.NewSectionReader(r, at, length), length)
	}
	if length > MaxLoaded {
		return nil, &fault.Error{Kind: fault.TooLarge, File: a.place(), Found: fmt.Sprintf("a packed array of %d bytes", length), Expected: "at most 512 MiB",
			Fix: "Save it with numpy.savez, which does not pack"}
	}
	if length > 1<<20 && uint64(length)/packedRatio > m.CompressedSize64+1<<10 || m.CompressedSize64 > uint64(size) {
		return nil, &fault.Error{Kind: fault.TooLarge, File: a.place(), Found: fmt.Sprintf("%d bytes that claim to unpack to %d", m.CompressedSize64, length)}
	}
	a.stream = m.Open
	s, err := m.Open()
	if err != nil {
		return nil, a.malformed("a member that cannot be read: "+err.Error(), "a whole archive")
	}
	defer s.Close()
	return a, a.open(s, length)
}

// bounded stops reading after so many bytes until it is opened.
type bounded struct {
	r          io.ReaderAt
	left       int64
	over, open bool
}

func (b *bounded) ReadAt(p []byte, at int64) (int, error) {
	if b.open {
		return b.r.ReadAt(p, at)
	}
	if b.left -= int64(len(p)); b.left < 0 {
		b.over = true
		return 0, io.ErrUnexpectedEOF
	}
	return b.r.ReadAt(p, at)
}
