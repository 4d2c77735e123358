// Package codegraph links parsed files by their imports and defines the schema of code graphs.
//
// [Resolve] finds the files that each import means, by the rules of its language and the project's manifests; it
// never guesses by similar names. [Modules] groups files into modules (by default, folders) and sorts these
// topologically; modules of an import cycle stay together. [ID], [Label], [Relationship], [Node] and [Edge] are the
// schema, and [Reader] reads a stored graph.
//
// The package reads no files: [manifest.Read] takes a function that does.
package codegraph

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
)

// Origin says where the target of an import comes from.
type Origin string

// The origins.
const (
	Internal Origin = "internal" // files of the project
	External Origin = "external" // a third-party package
	Standard Origin = "standard" // the standard library of the language
	Missing  Origin = "missing"  // part of this project by its form, but not a parsed file: an asset, generated code, a mistake
	Unknown  Origin = "unknown"  // a language without import rules here
)

// Target is the meaning of one import.
type Target struct {
	Origin Origin
	// Path is the imported file or folder, relative to the project; "" unless internal. For several files it is
	// their common folder.
	Path string
	// Files are the imported files, sorted; nil unless internal. Targets may share the slice.
	Files []string
	// Package is the external package: "github.com/a/b", "@scope/name", "numpy", "serde". For Java, whose imports
	// do not name it, it is the imported package.
	Package string
	// Contains is set if the import only declares that the target is part of the module (Rust's "mod x;") and the
	// file does not visibly use it.
	Contains bool
}

// Resolution holds the targets of the imports of all files.
type Resolution struct {
	// Targets holds a target for each import of a file, parallel to its Imports.
	Targets map[string][]Target
}

// Target returns the target of the i-th import of the file at path; the zero Target if it was not resolved.
func (r *Resolution) Target(path string, i int) Target {
	if r == nil || i >= len(r.Targets[path]) {
		return Target{}
	}
	return r.Targets[path][i]
}

// Missing returns the number of imports with origin Missing.
func (r *Resolution) Missing() int {
	n := 0
	for _, targets := range r.Targets {
		for _, t := range targets {
			if t.Origin == Missing {
				n++
			}
		}
	}
	return n
}

// resolver implements the import rules of a family of languages.
type resolver interface {
	resolve(f *code.File, imp *code.Import) Target
}

// Resolve resolves the imports of files, which should be all files of the project: an import can only mean one of
// them. It sets [code.Import.Resolved] of internal imports; the files must not be read concurrently.
func Resolve(files []*code.File, m *manifest.Manifests) *Resolution {
	if m == nil {
		m = &manifest.Manifests{}
	}
	t := newTree(files)
	node, jvm, c := newNodeResolver(t, m), newJVMResolver(t), newCResolver(t)
	resolvers := map[string]resolver{
		"go":         newGoResolver(t, m),
		"typescript": node,
		"javascript": node,
		"python":     newPythonResolver(t, m),
		"java":       jvm,
		"kotlin":     jvm,
		"scala":      jvm,
		"rust":       newRustResolver(t, m),
		"csharp":     newCsharpResolver(t, m),
		"php":        newPHPResolver(t, m),
		"ruby":       newRubyResolver(t, m),
		"swift":      newSwiftResolver(t, m),
		"c":          c,
		"cpp":        c,
	}
	r := &Resolution{Targets: make(map[string][]Target, len(files))}
	for _, f := range files {
		if len(f.Imports) == 0 {
			continue
		}
		rules, known := resolvers[f.Language]
		targets := make([]Target, len(f.Imports))
		for i := range f.Imports {
			targets[i].Origin = Unknown
			if known {
				targets[i] = rules.resolve(f, &f.Imports[i])
			}
			f.Imports[i].Resolved = targets[i].Path
		}
		r.Targets[f.Path] = targets
	}
	return r
}

// oneFile returns a target of a single file.
func oneFile(path string) Target {
	return Target{Origin: Internal, Path: path, Files: []string{path}}
}

// manyFiles returns a target of several files, whose path is their folder.
func manyFiles(files []string) Target {
	switch len(files) {
	case 0:
		return Target{Origin: Missing}
	case 1:
		return oneFile(files[0])
	}
	slices.Sort(files)
	files = slices.Compact(files)
	if len(files) == 1 {
		return oneFile(files[0])
	}
	return Target{Origin: Internal, Path: commonFolder(files), Files: files}
}
