package service

import "math"

// maxReads limits how often the outcomes of a function of a recursion are read.
const maxReads = 8

// memo keeps the outcomes of functions, by node or body. Inside a recursion, those of the functions around are missing, so what is read
// there is kept only when the recursion is left.
type memo struct {
	known map[any][]outcome
	reads map[any]int
	open  map[any]int // functions that are being read, by depth
	least int         // least depth of an open function that was asked for
}

func newMemo() *memo {
	return &memo{known: map[any][]outcome{}, reads: map[any]int{}, open: map[any]int{}, least: math.MaxInt}
}

// of returns the outcomes of a function, which are read if they are not known.
func (m *memo) of(function any, read func() []outcome) []outcome {
	if list, known := m.known[function]; known {
		return list
	}
	if depth, open := m.open[function]; open {
		m.least = min(m.least, depth)
		return nil
	}
	depth, around := len(m.open), m.least
	m.open[function], m.least = depth, math.MaxInt
	list := read()
	delete(m.open, function)
	m.reads[function]++
	if m.least >= depth || m.reads[function] == maxReads {
		m.known[function], m.least = list, around
	}
	m.least = min(m.least, around)
	return list
}
