package eval

import (
	"maps"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
)

// nearest returns the most similar name of a function; "" if none is similar.
func nearest(name string) string {
	var names []string
	for _, key := range slices.Sorted(maps.Keys(byName)) {
		names = append(names, byName[key].name)
	}
	for _, key := range slices.Sorted(maps.Keys(aggregates)) {
		names = append(names, aggregates[key].name)
	}
	return suggest.Nearest(name, names)
}
