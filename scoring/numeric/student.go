package numeric

import "math"

// StudentCDF is the distribution function of Student's t with df degrees of freedom, which need not be whole. Its
// relative error stays near 1e-14 down to the smallest numbers; below about 1e-308 it is 0.
func StudentCDF(t, df float64) float64 {
	switch {
	case math.IsNaN(t) || math.IsNaN(df) || df <= 0:
		return math.NaN()
	case math.IsInf(t, -1):
		return 0
	case math.IsInf(t, 1):
		return 1
	}
	tail := studentTail(math.Abs(t), df)
	if t > 0 {
		return 1 - tail
	}
	return tail
}

// studentTail is P(T > t) for t >= 0: half the regularised incomplete beta function I_x(df/2, 1/2) at x = df/(df+t^2).
func studentTail(t, df float64) float64 {
	if math.IsInf(df, 1) {
		return 0.5 * math.Erfc(t/math.Sqrt2)
	}
	a, b := df/2, 0.5
	ratio := t / df * t // y/x, where y = 1-x
	if math.IsInf(ratio, 1) {
		// x is below all numbers: I_x = x^a / (a B(a,1/2)) with ln x = ln df - 2 ln t.
		return 0.5 * math.Exp(a*(math.Log(df)-2*math.Log(t))) / a * inverseBetaHalf(a)
	}
	logX := -math.Log1p(ratio)
	x, y := 1/(1+ratio), ratio/(1+ratio)
	front := math.Exp(a*logX) * math.Sqrt(y) * inverseBetaHalf(a)
	if x < (a+1)/(a+b+2) {
		return 0.5 * front / a * betaFraction(a, b, x)
	}
	return 0.5 * (1 - front/b*betaFraction(b, a, y))
}

// betaFraction is the continued fraction of the incomplete beta function (DLMF 8.17.22) by Lentz's method; it converges
// fast for x < (a+1)/(a+b+2).
func betaFraction(a, b, x float64) float64 {
	const tiny, steps = 1e-300, 100000
	nonzero := func(v float64) float64 {
		if math.Abs(v) < tiny {
			return tiny
		}
		return v
	}
	c, d := 1.0, 1/nonzero(1-(a+b)*x/(a+1))
	h := d
	for m := 1.0; m < steps; m++ {
		even := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		d = 1 / nonzero(1+even*d)
		c = nonzero(1 + even/c)
		h *= d * c
		odd := -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		d = 1 / nonzero(1+odd*d)
		c = nonzero(1 + odd/c)
		step := d * c
		h *= step
		if math.Abs(step-1) < 1e-16 {
			break
		}
	}
	return h
}

// inverseBetaHalf is 1/B(a, 1/2) = Gamma(a+1/2) / (Gamma(a) sqrt(pi)). The logarithms of the two gammas would lose the
// digits that their difference is made of; their ratio has a series of its own (DLMF 5.11.13).
func inverseBetaHalf(a float64) float64 {
	scale := 1.0
	for a < 20 {
		scale *= a / (a + 0.5)
		a++
	}
	i := 1 / (a * a)
	series := (-1.0/8 + i*(1.0/192+i*(-1.0/640+i*(17.0/14336-i*31.0/18432)))) / a
	return scale * math.Sqrt(a/math.Pi) * math.Exp(series)
}
