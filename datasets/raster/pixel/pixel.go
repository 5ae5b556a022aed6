// Package pixel holds samples in memory: element types, planes and arrays. It lies below every decoder; package raster
// re-exports it under its own name.
package pixel

import "math"

// Type is the element type of stored samples. Names are numpy's.
type Type uint8

const (
	Bool Type = iota // held as uint8 0 or 1
	Uint8
	Int8
	Uint16
	Int16
	Uint32
	Int32
	Uint64
	Int64
	Float16 // held as float32, which is exact
	Float32
	Float64
)

var typeNames = [...]string{"bool", "uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", "float16", "float32", "float64"}
var typeSizes = [...]int{1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8}

// String is numpy's name: "uint16".
func (t Type) String() string { return typeNames[t] }

// Size is the number of bytes of one stored sample.
func (t Type) Size() int { return typeSizes[t] }

// IsFloat tells floating point of any width.
func (t Type) IsFloat() bool { return t >= Float16 }

// Element lists the Go types that samples are held in.
type Element interface {
	uint8 | int8 | uint16 | int16 | uint32 | int32 | uint64 | int64 | float32 | float64
}

// Plane is one Y X plane in its own element type, row by row. Planes are shared and must not be written to.
type Plane struct {
	H, W   int
	Type   Type
	Values any // []E of length H*W, E an Element
}

// Array is a whole series in memory, C order, with the axes of the reference's reader.
// Axes letters: T Z C Y X, S samples, I pages, Q unnamed, P positions, M mosaic tiles. len(Axes) == len(Shape).
type Array struct {
	Shape  []int
	Axes   string
	Type   Type
	Values any // []E, E an Element
}

// Header describes a series that has not been read.
type Header struct {
	Shape []int
	Axes  string
	Type  Type
}

// Len is the number of elements of the series.
func (h Header) Len() int {
	n := 1
	for _, d := range h.Shape {
		n *= d
	}
	return n
}

// Bytes is the memory that the plane's samples take.
func (p Plane) Bytes() int { return p.H * p.W * heldSize(p.Type) }

func heldSize(t Type) int {
	if t == Float16 {
		return 4
	}
	return t.Size()
}

// At is the sample at row y, column x as a float64 (integers beyond 2^53 lose digits; Text does not).
// Outside the plane it is NaN.
func (p Plane) At(y, x int) float64 {
	if y < 0 || x < 0 || y >= p.H || x >= p.W {
		return math.NaN()
	}
	i := y*p.W + x
	switch v := p.Values.(type) {
	case []uint8:
		return float64(v[i])
	case []int8:
		return float64(v[i])
	case []uint16:
		return float64(v[i])
	case []int16:
		return float64(v[i])
	case []uint32:
		return float64(v[i])
	case []int32:
		return float64(v[i])
	case []uint64:
		return float64(v[i])
	case []int64:
		return float64(v[i])
	case []float32:
		return float64(v[i])
	case []float64:
		return v[i]
	}
	return math.NaN()
}
