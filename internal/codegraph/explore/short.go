package explore

import (
	"path"
	"strings"
)

// Short returns the name of a symbol without that of the project and the path of its file, which is shown beside it.
func Short(name, file string) string {
	_, rest, found := strings.Cut(name, ".")
	if !found {
		return name
	}
	for part := range strings.SplitSeq(strings.TrimSuffix(file, path.Ext(file)), "/") {
		inner, ok := strings.CutPrefix(rest, part+".")
		if !ok {
			break
		}
		rest = inner
	}
	return rest
}
