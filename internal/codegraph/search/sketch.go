package search

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// A sketch of a vector is a bit for each of its numbers: whether it is more than the
// mean. Vectors that lie close together have few bits that differ.

// sketchSize is how many words a sketch takes.
func sketchSize(dimensions int) int { return (dimensions + 63) / 64 }

// sketch appends the sketch of a vector to others.
func sketch(out []uint64, vector, mean []float32) []uint64 {
	for from := 0; from < len(vector); from += 64 {
		word := uint64(0)
		for i := from; i < min(from+64, len(vector)); i++ {
			if vector[i] > mean[i] {
				word |= 1 << (i - from)
			}
		}
		out = append(out, word)
	}
	return out
}

// nearest returns the places, in their order, of at least limit sketches of which the
// fewest bits differ from those of one; all where there are not so many.
func nearest(sketches, of []uint64, limit int) (places []int) {
	size := len(of)
	if size == 0 {
		return nil
	}
	differ := make([]uint16, len(sketches)/size)
	counts := make([]int, 64*size+1)
	for i := range differ {
		n := 0
		for k, word := range sketches[i*size : (i+1)*size] {
			n += bits.OnesCount64(word ^ of[k])
		}
		differ[i] = uint16(min(n, math.MaxUint16))
		counts[n]++
	}
	most, sum := 0, 0
	for ; most < len(counts)-1; most++ {
		if sum += counts[most]; sum >= limit {
			break
		}
	}
	for i, n := range differ {
		if int(n) <= most {
			places = append(places, i)
		}
	}
	return places
}

// unit makes the length of a vector 1, in place. It is false for one that has no
// length, or is none at all.
func unit(v []float32) bool {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if !(sum > 0) || math.IsInf(sum, 0) {
		return false
	}
	length := float32(math.Sqrt(sum))
	for i := range v {
		v[i] /= length
	}
	return true
}

// product is the cosine of the angle between two vectors of length 1.
func product(a, b []float32) float64 {
	sum := float32(0)
	for i, x := range a {
		sum += x * b[i]
	}
	return float64(sum)
}

// scored is a place with its score.
type scored struct {
	place int
	score float64
}

// bestOf sorts places by their scores and returns the best.
func bestOf(list []scored, limit int) []scored {
	slices.SortFunc(list, func(a, b scored) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.place, b.place)) })
	return list[:min(limit, len(list))]
}
