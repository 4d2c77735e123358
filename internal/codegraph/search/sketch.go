package search

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// The sketch of a vector has one bit per dimension: whether the component is above the mean. Similar vectors have
// sketches with a small Hamming distance.

// sketchSize returns the number of words of a sketch.
func sketchSize(dimensions int) int { return (dimensions + 63) / 64 }

// sketch appends the sketch of a vector to out.
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

// nearest returns the indexes, sorted, of at least limit sketches with the smallest Hamming distance to of; all if
// there are fewer.
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

// unit scales a vector to length 1, in place. It returns false for a zero or invalid vector.
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

// product returns the dot product, which is the cosine for unit vectors.
func product(a, b []float32) float64 {
	sum := float32(0)
	for i, x := range a {
		sum += x * b[i]
	}
	return float64(sum)
}

// scored is an index with its score.
type scored struct {
	place int
	score float64
}

// bestOf sorts by score and returns the best.
func bestOf(list []scored, limit int) []scored {
	slices.SortFunc(list, func(a, b scored) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.place, b.place)) })
	return list[:min(limit, len(list))]
}
