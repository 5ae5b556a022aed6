package numeric

import "math"

// Percentile is numpy's percentile of finite values by linear interpolation, percent from 0 to 100. It reorders values; NaN for none.
func Percentile(values []float64, percent float64) float64 {
	n := len(values)
	if n == 0 {
		return math.NaN()
	}
	at := float64(percent/100) * float64(n-1)
	k := min(int(at), n-1)
	part := at - float64(k)
	nth(values, k)
	a := values[k]
	if k == n-1 {
		return a
	}
	b := values[k+1]
	for _, v := range values[k+2:] {
		b = min(b, v)
	}
	if part >= 0.5 {
		return b - float64((b-a)*(1-part))
	}
	return a + float64((b-a)*part)
}

// nth brings the nth smallest value to place n, smaller ones before it, larger ones behind.
func nth(v []float64, n int) {
	lo, hi := 0, len(v)-1
	for lo < hi {
		pivot := medianOf3(v[lo], v[(lo+hi)/2], v[hi])
		i, j := lo, hi
		for i <= j {
			for v[i] < pivot {
				i++
			}
			for v[j] > pivot {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i++
				j--
			}
		}
		switch {
		case n <= j:
			hi = j
		case n >= i:
			lo = i
		default:
			return
		}
	}
}
