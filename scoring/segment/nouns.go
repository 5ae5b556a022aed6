package segment

import (
	"fmt"
	"math"
	"strconv"
)

// Noun is what the objects of an image are called, and its pixels.
type Noun struct{ One, Many, Pixel, Pixels string }

// nounFor names the objects of a task's compartment ("" where there is one).
func nounFor(taskID, compartment string, threeD bool) Noun {
	n := Noun{"object", "objects", "pixel", "pixels"}
	if threeD {
		n.Pixel, n.Pixels = "voxel", "voxels"
	}
	switch {
	case compartment == "nuclei" || taskID == "he-nuinsseg-nuclear-segmentation":
		n.One, n.Many = "nucleus", "nuclei"
	case compartment == "cytoplasm":
		n.One, n.Many = "cell body", "cell bodies"
	case taskID == "3d-fluo-cell-segmentation-lateral-line-idr0079":
		n.One, n.Many = "cell", "cells"
	}
	return n
}

// pixels reads "1 pixel", "214 pixels".
func (n Noun) pixels(count int) string { return quantity(count, n.Pixel, n.Pixels) }

func (n Noun) objects(count int) string { return quantity(count, n.One, n.Many) }

func quantity(n int, one, many string) string { return strconv.Itoa(n) + " " + plural(n, one, many) }

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// iouText cuts to two decimals: rounding would show a pair just below a threshold as reaching it.
func iouText(v float64) string {
	if v > 0 && v < 0.01 {
		return "IoU below 0.01"
	}
	return fmt.Sprintf("IoU %.2f", math.Floor(v*100+1e-9)/100)
}
