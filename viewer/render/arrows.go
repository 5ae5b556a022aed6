package render

import (
	"math"
	"slices"

	"coverslip/viewer"
)

// Arrows is a vector field of one side at one time, ready to draw. It does not change and is safe for use by several goroutines.
type Arrows struct {
	Truth bool

	h, w         int
	stepY, stepX float64 // image pixels per element
	dy, dx       []float32
	usual        float64 // 95th percentile of the lengths, 0 where there are none
}

// NewArrows readies a field of h x w vectors: element (i, j) belongs to image point ((i+0.5)*stepY, (j+0.5)*stepX), with
// the parts dy and dx, row by row, in any unit. Slices that are too short and steps that are not positive make an empty field.
func NewArrows(truth bool, h, w int, stepY, stepX float64, dy, dx []float32) *Arrows {
	a := &Arrows{Truth: truth}
	if h <= 0 || w <= 0 || len(dy)/h < w || len(dx)/h < w || !(stepY > 0 && stepX > 0) {
		return a
	}
	a.h, a.w, a.stepY, a.stepX, a.dy, a.dx = h, w, stepY, stepX, dy[:h*w], dx[:h*w]
	every := max(h*w/(1<<16), 1) // so many are enough for a percentile
	lengths := make([]float64, 0, h*w/every+1)
	for i := 0; i < h*w; i += every {
		if l := length(float64(dy[i]), float64(dx[i])); !math.IsNaN(l) && !math.IsInf(l, 0) {
			lengths = append(lengths, l)
		}
	}
	if len(lengths) > 0 {
		slices.Sort(lengths)
		a.usual = lengths[(len(lengths)-1)*95/100]
	}
	return a
}

func length(y, x float64) float64 { return math.Sqrt(float64(y*y) + float64(x*x)) }

// at is the vector at an image point; ok is false outside the field and where it has no number.
func (a *Arrows) at(y, x float64) (dy, dx float64, ok bool) {
	i, j := int(math.Floor(y/a.stepY)), int(math.Floor(x/a.stepX))
	if i < 0 || j < 0 || i >= a.h || j >= a.w {
		return 0, 0, false
	}
	dy, dx = float64(a.dy[i*a.w+j]), float64(a.dx[i*a.w+j])
	return dy, dx, isNumber(dy) && isNumber(dx)
}

// At is the vector at an image point, for read-out.
func (a *Arrows) At(y, x float64) (dy, dx float64, ok bool) {
	if a == nil || a.h == 0 {
		return 0, 0, false
	}
	return a.at(y, x)
}

func isNumber(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// longestArrow is how many times the usual length an arrow is drawn at most.
const longestArrow = 2.0

// usualShare is the length of the 95th percentile as a part of the distance between arrows.
const usualShare = 0.9

// ArrowScale is the line pixels per unit of the fields, the same for both sides, for a legend; 0 where there are no arrows.
func (s *Scene) ArrowScale(v viewer.View) float64 {
	usual := 0.0
	for _, a := range s.Arrows {
		if a != nil {
			usual = math.Max(usual, a.usual)
		}
	}
	if usual == 0 {
		return 0
	}
	return usualShare * float64(v.ArrowStep()) / usual
}

// arrowLayer is one field as one picture shows it.
type arrowLayer struct {
	set    *Arrows
	truth  *Arrows // not nil: colours are angles to it
	colour uint32
	ky, kx int     // every so many elements have an arrow
	unit   float64 // line pixels per unit
	most   float64 // line pixels
}

func (f *frame) setupArrows(s *Scene, v viewer.View) {
	f.arrows = f.arrows[:0]
	var truth *Arrows
	for _, a := range s.Arrows {
		if a != nil && a.Truth && a.h > 0 {
			truth = a
		}
	}
	unit := s.ArrowScale(v)
	for pass := range 2 {
		for _, a := range s.Arrows {
			if a == nil || a.h == 0 || a.Truth != (pass == 0) {
				continue
			}
			side, _, _ := sideOf(v, a.Truth)
			if side.Style == viewer.Hidden && !(v.Errors && !a.Truth) {
				continue
			}
			l := arrowLayer{set: a, colour: sideColour(a.Truth), unit: unit, most: longestArrow * float64(v.ArrowStep())}
			if !a.Truth && (v.Errors || v.Colour == viewer.ByValue) {
				l.truth = truth
			}
			sy, sx := f.sy, f.sx
			step := float64(v.ArrowStep())
			l.ky = max(int(clampFloat(math.Ceil(step/(sy*a.stepY)-1e-9), 1, 1<<30)), 1)
			l.kx = max(int(clampFloat(math.Ceil(step/(sx*a.stepX)-1e-9), 1, 1<<30)), 1)
			f.arrows = append(f.arrows, l)
		}
	}
}

// drawArrows draws what of a field touches an area.
func (f *frame) drawArrows(a *area, l *arrowLayer) {
	low := f.pen.ToImage(a.top-l.most-8, a.left-l.most-8)
	high := f.pen.ToImage(a.bottom+l.most+8, a.right+l.most+8)
	i0, i1 := elements(low.Y, high.Y, l.set.stepY, l.ky, l.set.h)
	j0, j1 := elements(low.X, high.X, l.set.stepX, l.kx, l.set.w)
	for i := i0; i < i1; i += l.ky {
		for j := j0; j < j1; j += l.kx {
			f.drawArrow(a, l, i, j)
		}
	}
}

// elements is the first element with an arrow at or after a place, and the end.
func elements(low, high, step float64, every, n int) (first, end int) {
	first = int(clampFloat(math.Floor(low/step), 0, float64(n)))
	first -= (first - every/2) % every
	if first < every/2 {
		first = every / 2
	}
	if every/2 >= n { // a small field has one arrow in its middle
		first = n / 2
	}
	return first, int(clampFloat(math.Ceil(high/step)+1, 0, float64(n)))
}

func (f *frame) drawArrow(a *area, l *arrowLayer, i, j int) {
	iy, ix := (float64(i)+0.5)*l.set.stepY, (float64(j)+0.5)*l.set.stepX
	y, x, ok := f.place(iy, ix)
	if !ok {
		return
	}
	dy, dx, ok := l.set.at(iy, ix)
	if !ok {
		a.cross(y, x, 2.2, 0.5, tint{unknownColour, 170, 80})
		return
	}
	colour := l.colour
	if l.truth != nil {
		colour = unknownColour
		if ty, tx, ok := l.truth.at(iy, ix); ok {
			colour = angleColour(dy, dx, ty, tx)
		}
	}
	a.arrow(y, x, dy*l.unit, dx*l.unit, l.most, colour)
}

// angleColour is by the angle from (ty, tx) to (dy, dx); a vector of no length has no direction.
func angleColour(dy, dx, ty, tx float64) uint32 {
	along, across := float64(dy*ty)+float64(dx*tx), float64(dy*tx)-float64(dx*ty)
	if along == 0 && across == 0 {
		return unknownColour
	}
	part := 0.5 + math.Atan2(across, along)/(2*math.Pi)
	return diverging[int(clampFloat(part*255+0.5, 0, 255))]
}

// arrow draws an arrow from (y, x) by (dy, dx), in line pixels and at most so long.
func (a *area) arrow(y, x, dy, dx, most float64, colour uint32) {
	long := length(dy, dx)
	if long > most {
		dy, dx, long = dy*most/long, dx*most/long, most
	}
	if long < 1.5 {
		a.disc(y, x, 0.9, tint{colour, 240, 120}, false)
		return
	}
	uy, ux := dy/long, dx/long
	ty, tx := y+snap(dy), x+snap(dx)
	barb := clampFloat(0.35*long, 2.5, 7)
	const back, aside = 0.88, 0.47 // of a barb, 28 degrees
	for pass := range 2 {          // a dark line below shows it on bright images
		c, half := tint{colour, 256, 0}, 0.65
		if pass == 0 {
			c, half = tint{blackColour, 120, 0}, 1.5
		}
		a.line(stretch{y, x, ty, tx, half, solid}, c)
		for _, side := range [2]float64{-aside, aside} {
			by := ty - snap(barb*(float64(back*uy)+float64(side*ux)))
			bx := tx - snap(barb*(float64(back*ux)-float64(side*uy)))
			a.line(stretch{ty, tx, by, bx, half, solid}, c)
		}
	}
}
