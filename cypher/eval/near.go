package eval

import (
	"maps"
	"slices"
	"strings"
)

// nearest returns the name of the function that is most like one that is not there; ""
// when none is like it.
func nearest(name string) string {
	name = strings.ToLower(name)
	best, least := "", len(name)/3+2
	for _, key := range slices.Sorted(maps.Keys(byName)) {
		if d := distance(name, key); d < least {
			best, least = byName[key].name, d
		}
	}
	for _, key := range slices.Sorted(maps.Keys(aggregates)) {
		if d := distance(name, key); d < least {
			best, least = aggregates[key].name, d
		}
	}
	return best
}

// distance is how many letters must be put in, taken out or replaced to make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := corner
			if a[i] != b[j] {
				replaced++
			}
			corner = row[j+1]
			row[j+1] = min(replaced, row[j]+1, corner+1)
		}
	}
	return row[len(b)]
}
