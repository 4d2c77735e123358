// Package codegraph links parsed files by what they import.
//
// [Resolve] says for every import which files it means, by the rules of its
// language and the project's manifests; nothing is guessed from a name that
// merely looks alike. [Modules] draws files together into modules (folders, when
// nothing else is asked) and puts these in order, dependencies first; modules
// that need each other stand together. [Exports] lists what the files of the
// ECMAScript family export, re-exports followed.
//
// The package reads no files. What it needs to know of manifests comes from
// [ReadManifests], which reads by a function of its caller's.
package codegraph

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// Origin is where the thing that an import names comes from.
type Origin string

// The origins.
const (
	Internal Origin = "internal" // files of the project
	External Origin = "external" // a package of others
	Standard Origin = "standard" // the language's own library
	Missing  Origin = "missing"  // of this project by its form, but no parsed file: an asset, generated code, an error
	Unknown  Origin = "unknown"  // a language without rules here
)

// Target is what one import means.
type Target struct {
	Origin Origin
	// Path is the file or folder meant, relative to the project; "" unless
	// internal. Where an import means several files it is the folder they share.
	Path string
	// Files are the files meant, sorted; none unless internal. The slice may be
	// shared between targets.
	Files []string
	// Package is the external package: "github.com/a/b", "@scope/name", "numpy",
	// "serde". For Java, which does not say, it is the package imported from.
	Package string
	// Contains is set when the import only says that the target is part of the
	// module (Rust's "mod x;") and nothing shows that the file uses it.
	Contains bool
}

// Resolution is what the imports of files mean.
type Resolution struct {
	// Targets has a target for each import of a file, in parallel to its Imports.
	Targets map[string][]Target
}

// Target returns what the i-th import of the file at path means; the zero
// Target when that was not resolved.
func (r *Resolution) Target(path string, i int) Target {
	if r == nil || i >= len(r.Targets[path]) {
		return Target{}
	}
	return r.Targets[path][i]
}

// Missing returns how many imports name something of the project that is no parsed
// file.
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

// resolver knows the rules of one family of languages.
type resolver interface {
	resolve(f *code.File, imp *code.Import) Target
}

// Resolve says what the imports of files mean. The files should be all of the
// project: what is not among them cannot be meant. It sets [code.Import.Resolved]
// of internal imports, so nobody else may read the files meanwhile.
func Resolve(files []*code.File, m *Manifests) *Resolution {
	if m == nil {
		m = &Manifests{}
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

// oneFile is the target that is a single file.
func oneFile(path string) Target {
	return Target{Origin: Internal, Path: path, Files: []string{path}}
}

// manyFiles is the target that is several files: their folder is its path.
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
