package eval

import (
	"maps"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
)

// nearest returns the name of the function that is most like one that is not there; ""
// when none is like it.
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
