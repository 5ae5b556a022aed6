package biabench

import (
	"archive/zip"
	"context"
	"io"
	"os"
	"path/filepath"

	"coverslip/datasets/atomic"
)

// WriteZip writes a submission folder as a zip, its names relative to the folder and in path order, so that the same folder
// gives the same bytes.
func WriteZip(ctx context.Context, dir, path string) error {
	files, err := ListFiles(dir)
	if err != nil {
		return err
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return unreadableFolder(dir, err)
	}
	return atomic.Write(path, func(w io.Writer) error {
		z := zip.NewWriter(w)
		for _, f := range files {
			if err := addToZip(ctx, z, abs, f); err != nil {
				return err
			}
		}
		return z.Close()
	})
}

func addToZip(ctx context.Context, z *zip.Writer, dir, path string) error {
	in, err := os.Open(path)
	if err != nil {
		return unreadableFolder(path, err)
	}
	defer in.Close()
	member, err := z.CreateHeader(&zip.FileHeader{Name: nameBelow(dir, path), Method: zip.Deflate})
	if err != nil {
		return err
	}
	_, err = io.Copy(member, contextReader{ctx, in})
	return err
}
