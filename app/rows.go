package app

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"coverslip/datasets/tabular"
)

// ordering says which rows of a sheet are shown, and in which order. Rows are named by index: no cell is copied.
type ordering struct {
	column  int // to sort by; -1 keeps the order of the file
	falling bool
	search  string // rows with this text in any cell, letter case aside; "" takes all
}

// next is the ordering after a column was tapped: rising, then falling, then as in the file.
func (o ordering) next(column int) ordering {
	switch {
	case o.column != column:
		o.column, o.falling = column, false
	case !o.falling:
		o.falling = true
	default:
		o.column, o.falling = -1, false
	}
	return o
}

// askEvery is after how many rows a cancelled listing is noticed.
const askEvery = 4096

// rows lists the rows of a sheet; nil if it was cancelled. Numbers are sorted by value and come before texts; what is not there
// comes last, whichever way the rest runs.
func (o ordering) rows(ctx context.Context, s *tabular.Sheet) []int32 {
	rows := make([]int32, 0, s.Rows())
	search := strings.ToLower(o.search)
	for r := range s.Rows() {
		if r%askEvery == 0 && ctx.Err() != nil {
			return nil
		}
		if search == "" || holdsText(s, r, search) {
			rows = append(rows, int32(r))
		}
	}
	if o.column < 0 || o.column >= s.Columns() {
		return rows
	}
	keys := make([]sortKey, s.Rows())
	for _, r := range rows {
		keys[r] = keyOf(s, int(r), o.column)
	}
	slices.SortStableFunc(rows, func(a, b int32) int { return keys[a].compare(keys[b], o.falling) })
	if ctx.Err() != nil {
		return nil
	}
	return rows
}

func holdsText(s *tabular.Sheet, row int, lower string) bool {
	for c := range s.Columns() {
		if text, _ := s.Cell(row, c); strings.Contains(strings.ToLower(text), lower) {
			return true
		}
	}
	return false
}

// sortKey is what a cell is sorted by.
type sortKey struct {
	rank   int8 // 0 a number, 1 NaN, 2 a text, 3 nothing
	number float64
	text   string
}

func keyOf(s *tabular.Sheet, row, column int) sortKey {
	if n, ok := s.Number(row, column); ok {
		if math.IsNaN(n) {
			return sortKey{rank: 1}
		}
		return sortKey{number: n}
	}
	text, _ := s.Cell(row, column)
	if text == "" {
		return sortKey{rank: 3}
	}
	return sortKey{rank: 2, text: text}
}

func (k sortKey) compare(other sortKey, falling bool) int {
	if k.rank != other.rank {
		return cmp.Compare(k.rank, other.rank)
	}
	order := cmp.Or(cmp.Compare(k.number, other.number), strings.Compare(k.text, other.text))
	if falling {
		return -order
	}
	return order
}
