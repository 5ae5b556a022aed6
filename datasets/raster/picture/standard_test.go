package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"testing"

	"coverslip/datasets/raster/pixel"
)

// TestPNGAsStandard compares pictures of soft structure and noise, for which the standard encoder chooses all filters,
// with what the standard decoder makes of them.
func TestPNGAsStandard(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	palette := make(color.Palette, 200)
	for i := range palette {
		palette[i] = color.NRGBA{uint8(i), uint8(255 - i), uint8(i * 7), 255}
	}
	for round := range 40 {
		r := image.Rect(0, 0, 1+rng.IntN(70), 1+rng.IntN(40))
		pictures := []interface {
			image.Image
			Set(x, y int, c color.Color)
		}{image.NewGray(r), image.NewGray16(r), image.NewNRGBA(r), image.NewRGBA(r), image.NewNRGBA64(r), image.NewRGBA64(r), image.NewPaletted(r, palette)}
		m := pictures[round%len(pictures)]
		for y := range r.Dy() {
			for x := range r.Dx() {
				v := uint16(x*900+y*400) + uint16(rng.IntN(1+round*50))
				m.Set(x, y, color.NRGBA64{v, v * 3, 65535 - v, 65535 - uint16(x)})
			}
		}
		var b bytes.Buffer
		if err := png.Encode(&b, m); err != nil {
			t.Fatal(err)
		}
		want, err := png.Decode(bytes.NewReader(b.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		p, _, err := Open(bytes.NewReader(b.Bytes()), int64(b.Len()), "test.png")
		if err != nil {
			t.Fatal(err)
		}
		values, _, err := p.all()
		if err != nil || fmt.Sprint(values) != fmt.Sprint(stored(want, p)) {
			t.Errorf("round %d, %T of %v: other numbers, %v", round, m, r, err)
		}
	}
}

// stored is the samples of a decoded picture as this package gives them.
func stored(m image.Image, p *Picture) any {
	var narrow []uint8
	var wide []uint16
	for y := range m.Bounds().Dy() {
		for x := range m.Bounds().Dx() {
			c := color.NRGBA64Model.Convert(m.At(x, y)).(color.NRGBA64)
			if v, ok := m.(*image.NRGBA64); ok {
				c = v.NRGBA64At(x, y)
			}
			n := color.NRGBAModel.Convert(m.At(x, y)).(color.NRGBA)
			if v, ok := m.(*image.NRGBA); ok {
				n = v.NRGBAAt(x, y)
			}
			narrow = append(narrow, []uint8{n.R, n.G, n.B, n.A}[:p.samples()]...)
			wide = append(wide, []uint16{c.R, c.G, c.B, c.A}[:p.samples()]...)
		}
	}
	if p.Type == pixel.Uint16 {
		return wide
	}
	return narrow
}
