package codegraph

import (
	"maps"
	"slices"
)

// Package is what a manifest says of the code beside it.
type Package struct {
	Name string
	// ImportPath is what others ask for it by, where that is not the name: the path of
	// a Go module, the "group:artifact" of Maven.
	ImportPath   string
	Version      string // its own; "" when the manifest does not tell
	Manifest     string
	Dependencies []Dependency
}

// Dependency is a package that another one names.
type Dependency struct {
	Name    string
	Version string // as demanded
	Dev     bool   // not needed by users of the code
}

// Packages returns the packages that manifests describe, by manifest.
func (m *Manifests) Packages() []Package {
	byPath := map[string]Package{}
	for _, f := range m.all() {
		p := Package{Name: f.title, ImportPath: f.module, Version: f.release, Manifest: f.path}
		for _, q := range f.requires {
			p.Dependencies = append(p.Dependencies, Dependency{q.name, q.version, q.dev})
		}
		byPath[f.path] = p
	}
	var out []Package
	for _, path := range slices.Sorted(maps.Keys(byPath)) {
		out = append(out, byPath[path])
	}
	return out
}
