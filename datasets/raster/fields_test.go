package raster

import (
	"context"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/image/bmp"
)

// TestFieldsOfNames groups by names and by the presence of a list of frames.
func TestFieldsOfNames(t *testing.T) {
	dir := t.TempDir()
	movie := filepath.Join(dir, "Replicate 1")
	if err := os.MkdirAll(movie, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(movie, "filelist.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	in := func(names ...string) (paths []string) {
		for _, n := range names {
			paths = append(paths, filepath.Join(dir, n))
		}
		return paths
	}
	for _, c := range []struct{ files, want []string }{
		{in("human_kidney_01.png", "human_kidney_02.png"), []string{"human_kidney_01", "human_kidney_02"}},
		{in("Channel 1-01-A-01-00.Bmp", "Channel 1-02-A-02-00.Bmp", "Channel 2-01-A-01-00.Bmp", "Channel 2-02-A-02-00.Bmp"), []string{"01-A-01-00", "02-A-02-00"}},
		{in("Replicate 1/IMG_20x_0.tif", "Replicate 1/IMG_20x_2.tif", "Replicate 1/IMG_20x_10.tif"), []string{"Replicate 1"}},
		{in("a_c1.tif", "a_c2.tif", "b.tif"), []string{"a", "b"}},
		{in("T47D_1.tif", "T47D_2.tif"), []string{"T47D_1", "T47D_2"}},
		{in("24h_3_6.tif", "24h_3_7.tif"), []string{"24h_3_6", "24h_3_7"}},
		{in("Figure2b_siControl.tif/T00001C01Z001.tif", "Figure2b_siControl.tif/T00002C01Z001.tif"), []string{"Figure2b_siControl"}},
		{in("ch1.tif", "ch2.tif"), []string{"ch1"}},
	} {
		var got []string
		for _, f := range Fields(c.files) {
			got = append(got, f.Name)
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%v: %q, expected %q", c.files, got, c.want)
		}
	}
}

func TestOpenFieldOpensItsChannels(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"Channel 1-45-D-09-00.Bmp", "Channel 2-45-D-09-00.Bmp", "Channel 1-46-D-10-00.Bmp", "alone.bmp"} {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := bmp.Encode(f, image.NewGray(image.Rect(0, 0, 6, 4))); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	for name, channels := range map[string]int{"Channel 1-45-D-09-00.Bmp": 2, "Channel 2-45-D-09-00.Bmp": 2, "Channel 1-46-D-10-00.Bmp": 1, "alone.bmp": 1} {
		f, err := OpenField(context.Background(), filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		s, err := f.Stack(NewCache(1<<20), Layout{})
		if err != nil {
			t.Fatal(err)
		}
		if s.Shape.C != channels || s.Shape.Y != 4 || s.Shape.X != 6 {
			t.Errorf("%s: %+v, expected %d channels", name, s.Shape, channels)
		}
		f.Close()
	}
	if _, err := OpenField(context.Background(), filepath.Join(dir, "missing.bmp")); err == nil {
		t.Error("a file that is not there was opened")
	}
}
