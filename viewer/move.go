package viewer

import (
	"image"
	"math"
)

// In this file img is the size of the image in pixels and pic that of the picture in device pixels; X is the width.
// Every method gives a View whose camera fields are canonical.

// keepVisible is how many line pixels of the image a pan leaves in the picture.
const keepVisible = 32

// Scale is the device pixels per image pixel that the View amounts to: Zoom, or what fits the whole image.
func (v View) Scale(img, pic image.Point) float64 {
	if z := v.normalZoom(); z != 0 {
		return z
	}
	if img.X <= 0 || img.Y <= 0 || pic.X <= 0 || pic.Y <= 0 {
		return 1
	}
	fit := math.Min(float64(pic.X)/float64(img.X), float64(pic.Y)/float64(img.Y))
	return math.Min(fit, v.largestZoom())
}

// Middle is the image point at the centre of the picture.
func (v View) Middle(img image.Point) Point {
	if v.normalZoom() == 0 {
		return Point{float64(img.Y) / 2, float64(img.X) / 2}
	}
	return Point{normalCoordinate(v.At.Y), normalCoordinate(v.At.X)}
}

// Fit shows the whole image.
func (v View) Fit() View {
	v.Zoom, v.At = 0, Point{}
	return v
}

// ZoomAbout changes the zoom by a factor; what lies under the device point stays under it.
func (v View) ZoomAbout(device Point, factor float64, img, pic image.Point) View {
	if !finite(factor) || factor <= 0 || !finite(device.Y) || !finite(device.X) {
		return v
	}
	old, mid := v.Scale(img, pic), v.Middle(img)
	dy, dx := device.Y-float64(pic.Y)/2, device.X-float64(pic.X)/2
	v = v.zoomed(old * factor)
	v.At = Point{mid.Y + (dy/old - dy/v.Zoom), mid.X + (dx/old - dx/v.Zoom)}
	return v.held(img, pic, 0)
}

// ZoomTo sets the zoom and keeps the centre.
func (v View) ZoomTo(zoom float64, img, pic image.Point) View {
	centre := Point{float64(pic.Y) / 2, float64(pic.X) / 2}
	return v.ZoomAbout(centre, zoom/v.Scale(img, pic), img, pic)
}

// Pan moves the image by so many device pixels down and right. A part of it always stays in the picture.
func (v View) Pan(dy, dx float64, img, pic image.Point) View {
	if !finite(dy) || !finite(dx) {
		return v
	}
	scale, mid := v.Scale(img, pic), v.Middle(img)
	v = v.zoomed(scale)
	v.At = Point{mid.Y - dy/v.Zoom, mid.X - dx/v.Zoom}
	return v.held(img, pic, float64(keepVisible*v.LinePixel()))
}

// Centre brings an image point to the centre of the picture at the same zoom.
func (v View) Centre(p Point, img, pic image.Point) View {
	v = v.zoomed(v.Scale(img, pic))
	v.At = p
	return v.held(img, pic, float64(keepVisible*v.LinePixel()))
}

// Frame brings an object with the given bounding box to the centre of the picture. The zoom stays unless the object
// would then be hard to see (under a tenth of the picture's short side) or would not fit well (over half of it).
func (v View) Frame(box image.Rectangle, img, pic image.Point) View {
	extent := float64(max(box.Dx(), box.Dy(), 1))
	side := float64(max(min(pic.X, pic.Y), 1))
	zoom := clamp(v.Scale(img, pic), side/10/extent, side/2/extent)
	v = v.zoomed(zoom)
	v.At = Point{float64(box.Min.Y+box.Max.Y) / 2, float64(box.Min.X+box.Max.X) / 2}
	return v.held(img, pic, float64(keepVisible*v.LinePixel()))
}

// zoomed sets the zoom, within its bounds.
func (v View) zoomed(zoom float64) View {
	v.Zoom = clamp(zoom, MinZoom, v.largestZoom())
	v.Zoom = v.normalZoom()
	return v
}

// held keeps at least margin device pixels of the image in the picture, or all of the image if that is less.
func (v View) held(img, pic image.Point, margin float64) View {
	v.At.Y = holdAxis(v.At.Y, float64(img.Y), float64(pic.Y)/v.Zoom, margin/v.Zoom)
	v.At.X = holdAxis(v.At.X, float64(img.X), float64(pic.X)/v.Zoom, margin/v.Zoom)
	return v
}

func holdAxis(at, image, picture, margin float64) float64 {
	margin = math.Min(margin, math.Min(image, picture))
	return normalCoordinate(clamp(at, margin-picture/2, image-margin+picture/2))
}

// StepT goes by frames, stopping at the first and the last of count.
func (v View) StepT(by, count int) View {
	v.T = step(v.T, by, count)
	return v
}

// StepZ goes by slices, stopping at the first and the last of count.
func (v View) StepZ(by, count int) View {
	v.Z = step(v.Z, by, count)
	return v
}

func step(at, by, count int) int {
	last := max(count-1, 0)
	return clampInt(clampInt(at, 0, last)+clampInt(by, -last, last), 0, last)
}

// Tone is how channel i is shown.
func (v View) Tone(i int) Tone {
	if i < 0 || i >= len(v.Tones) {
		return Tone{}
	}
	return v.Tones[i]
}

// WithTone shows channel i in another way. The receiver's list is not touched.
func (v View) WithTone(i int, t Tone) View {
	if i < 0 || i >= MaxChannels {
		return v
	}
	v.Tones = append([]Tone(nil), v.Tones...)
	*v.tone(i) = t
	v.Tones = normalTones(v.Tones)
	return v
}

// ToggleChannel turns channel i of the composite on or off.
func (v View) ToggleChannel(i int) View {
	t := v.Tone(i)
	t.Off = !t.Off
	return v.WithTone(i, t)
}
