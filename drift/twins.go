package drift

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// builds are folders that hold what another folder holds, for another system of modules.
var builds = []string{"cjs", "commonjs", "es", "esm", "lib", "module", "modules", "umd", "mjs"}

var declarationEnd = lazyregexp.New(`\.d\.[cm]?ts$`)

// twin returns a name that declarations of one module for several systems of modules have in common; "" for other files.
func twin(file string) string {
	if !declarationEnd.MatchString(file) {
		return ""
	}
	parts := strings.Split(declarationEnd.ReplaceAllString(file, ""), "/")
	last := len(parts) - 1
	dirs := slices.DeleteFunc(parts[:last:last], func(dir string) bool { return slices.Contains(builds, dir) })
	return path.Join(path.Join(dirs...), parts[len(parts)-1])
}

// withoutTwins removes items that say the same of the declarations for another system of modules, and removals from one of them while
// another one still has what is gone; kept reports whether a name is still in a file that is a twin of another one.
func withoutTwins(items []Item, kept func(file, name string) bool) []Item {
	seen := map[string]bool{}
	return slices.DeleteFunc(items, func(i Item) bool {
		file, _ := splitLocation(i.Location)
		name := twin(file)
		if name == "" {
			return false
		}
		if i.Rule == "export-removed" && kept(file, i.SymbolName) {
			return true
		}
		key := id(i.Rule, i.SymbolName, name, squeeze(i.OldValue), squeeze(i.NewValue), i.Description)
		was := seen[key]
		seen[key] = true
		return was
	})
}
