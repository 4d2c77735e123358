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

// ShortFrom returns the name of a symbol as it is said in another file: with its package in Go, else with its module, unless its type
// is called so; as [Short] in the file itself.
func ShortFrom(name, file, from string) string {
	short := Short(name, file)
	if file == from || file == "" || short == name {
		return short
	}
	dir, base := path.Split(file)
	module := strings.TrimSuffix(base, path.Ext(base))
	switch {
	case path.Ext(base) == ".go" && dir == path.Dir(from)+"/":
		return short
	case path.Ext(base) == ".go", module == "index", module == "mod", module == "__init__":
		module = path.Base(dir)
	}
	if first, _, _ := strings.Cut(short, "."); module == "." || module == "/" || strings.EqualFold(first, strings.ReplaceAll(module, "_", "")) {
		return short
	}
	return module + "." + short
}
