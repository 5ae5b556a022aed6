package render

import "coverslip/datasets/raster/pixel"

// Histogram of the plane between its minimum and maximum in n bins of equal width; the maximum falls into the last.
// Samples that are not finite are not counted. n < 1 gives nil.
func (c Channel) Histogram(n int) []int {
	if n < 1 {
		return nil
	}
	bins := make([]int, n)
	if c.data == nil {
		return bins
	}
	lo, hi := c.Range()
	switch v := c.Plane.Values.(type) {
	case []uint8:
		histogramOf(bins, v, lo, hi)
	case []int8:
		histogramOf(bins, v, lo, hi)
	case []uint16:
		histogramOf(bins, v, lo, hi)
	case []int16:
		histogramOf(bins, v, lo, hi)
	case []uint32:
		histogramOf(bins, v, lo, hi)
	case []int32:
		histogramOf(bins, v, lo, hi)
	case []uint64:
		histogramOf(bins, v, lo, hi)
	case []int64:
		histogramOf(bins, v, lo, hi)
	case []float32:
		histogramOf(bins, v, lo, hi)
	case []float64:
		histogramOf(bins, v, lo, hi)
	}
	return bins
}

func histogramOf[E pixel.Element](bins []int, values []E, lo, hi float64) {
	last, width := len(bins)-1, hi-lo
	for _, e := range values {
		x := float64(e)
		if !(x >= lo && x <= hi) {
			continue
		}
		i := 0
		if width > 0 {
			i = min(int((x-lo)/width*float64(len(bins))), last)
		}
		bins[i]++
	}
}
