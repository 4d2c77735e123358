package manifest

import (
	"maps"
	"slices"
)

// Package is a package as described by its manifest.
type Package struct {
	Name string
	// ImportPath is the name by which others refer to it, if not Name: the path of a Go module, Maven's
	// "group:artifact".
	ImportPath   string
	Version      string // its own version; "" if unknown
	Manifest     string
	Dependencies []Dependency
}

// Dependency is a package required by another.
type Dependency struct {
	Name    string
	Version string // version constraint, as written
	Dev     bool   // development only
}

// Packages returns the packages described by the manifests.
func (m *Manifests) Packages() []Package {
	byPath := map[string]Package{}
	for _, f := range m.all() {
		p := Package{Name: f.Title, ImportPath: f.Module, Version: f.release, Manifest: f.Path}
		for _, q := range f.Requires {
			p.Dependencies = append(p.Dependencies, Dependency(q))
		}
		byPath[f.Path] = p
	}
	var out []Package
	for _, path := range slices.Sorted(maps.Keys(byPath)) {
		out = append(out, byPath[path])
	}
	return out
}
