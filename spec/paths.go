package spec

import (
	"path"
	"strings"
)

// Suffix ends the name of every spec.
const Suffix = ".spec.md"

// PathFor returns where the spec of a target goes: specs/src/auth.spec.md for a
// folder, specs/src/auth/login.ts.spec.md for a file, specs/_root.spec.md for
// the whole project. No two targets share a path.
func PathFor(outputDir, target string) string {
	target = path.Clean(target)
	if target == "." {
		target = "_root"
	} else if first, _, _ := strings.Cut(target, "/"); strings.HasPrefix(first, "_") && first == target {
		target = "_" + target // the folder is called _root or _index
	}
	return path.Join(outputDir, target+Suffix)
}

// IndexPath returns the path of the index.
func IndexPath(outputDir string) string { return path.Join(outputDir, "_index.spec.md") }
