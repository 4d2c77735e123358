package source

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// The limits of the imported files that are read for a target: their total size is at most that of the files that import
// them, or leastImported.
const (
	leastImported = 512 << 10 // bytes
	maxReexports  = 2         // how many re-exports in a row are followed
)

// importer finds the files that a target imports. It knows the other files by their paths alone, so that a target is
// linked with the same files whether the project was parsed or not.
type importer struct {
	manifests *manifest.Manifests
	files     []*code.File // all files of the project, by path alone
	at        map[string]int
	size      func(file string) int64
	resolved  *codegraph.Resolution
	named     map[string][]string // files of languages whose imports name no file, by their names, which are those of types
}

func newImporter(paths []string, size func(file string) int64, vendored func(file string) bool, m *manifest.Manifests) *importer {
	x := &importer{manifests: m, at: make(map[string]int, len(paths)), size: size, named: map[string][]string{}}
	for _, file := range paths {
		l, ok := lang.ByPath(file)
		if !ok {
			continue
		}
		f := pathOnly(file, l.Name, vendored(file))
		x.at[file] = len(x.files)
		x.files = append(x.files, f)
		if wholeNamespaces(f.Language) && !f.Vendored && !f.Test {
			name, _, _ := strings.Cut(path.Base(file), ".")
			x.named[name] = append(x.named[name], file)
		}
	}
	return x
}

// pathOnly returns what the path of a file shows.
func pathOnly(file, language string, vendored bool) *code.File {
	f := &code.File{Path: file, Language: language, Test: isTest(file), Vendored: vendored}
	if familyOf(language) == jvm {
		f.Package = strings.ReplaceAll(homeOf(f), "/", ".")
		f.Symbols = []code.Symbol{{Name: plainName(file)}}
	}
	return f
}

// plainName returns the base name of a file without its extension.
func plainName(file string) string {
	base := path.Base(file)
	return strings.TrimSuffix(base, path.Ext(base))
}

// know adds the imports of parsed files, and resolves all.
func (x *importer) know(parsed []*code.File) {
	for _, f := range parsed {
		i, ok := x.at[f.Path]
		if !ok {
			continue
		}
		known := *x.files[i]
		known.Imports = slices.Clone(f.Imports) // Resolve modifies them
		if f.Language == "rust" {               // inline modules are in the paths of imports
			known.Symbols = f.Symbols
		}
		x.files[i] = &known
	}
	x.resolved = codegraph.Resolve(x.files, x.manifests)
}

// learn returns the number of files whose imports are followed, after resolving the imports of those that are new.
func (x *importer) learn(files []*code.File) int {
	n, unknown := 0, []*code.File{}
	for _, f := range files {
		if !slices.ContainsFunc(f.Imports, func(imp code.Import) bool { return reexports(f, &imp) }) {
			continue
		}
		n++
		if x.resolved.Targets[f.Path] == nil {
			unknown = append(unknown, f)
		}
	}
	if len(unknown) > 0 {
		x.know(unknown)
	}
	return n
}

// reexports reports whether an import of a file matters to the files that import that one: it is visible to them, or they are
// tests that the file helps.
func reexports(f *code.File, imp *code.Import) bool {
	return imp.Reexport || path.Base(f.Path) == "__init__.py" || f.Test
}

// wholeNamespaces reports whether an import of a language names no file, but a namespace of many.
func wholeNamespaces(language string) bool { return language == "csharp" || language == "swift" }

// next returns the files that some files import, or only those that matter to their importers, and that are not yet among known, which it
// extends; of each import all files or none, within a budget of bytes.
func (x *importer) next(files []*code.File, known map[string]bool, budget *int64, all bool) []string {
	var out []string
	for _, f := range files {
		for i := range f.Imports {
			if wholeNamespaces(f.Language) || !all && !reexports(f, &f.Imports[i]) {
				continue
			}
			var more []string
			size := int64(0)
			for _, file := range x.resolved.Target(f.Path, i).Files {
				if !known[file] && !x.files[x.at[file]].Vendored {
					more = append(more, file)
					size += x.size(file)
				}
			}
			if size > *budget {
				continue
			}
			*budget -= size
			for _, file := range more {
				known[file] = true
			}
			out = append(out, more...)
		}
	}
	return out
}

// types returns the files that declare types which some files name, in languages whose imports name namespaces: those
// that are called like the type. They are within a budget of bytes, and are added to known.
func (x *importer) types(files []*code.File, known map[string]bool, budget *int64) []string {
	var out []string
	for _, f := range files {
		if !wholeNamespaces(f.Language) {
			continue
		}
		facts := f.WholeFacts()
		if facts == nil {
			continue
		}
		for i := range facts.Exprs {
			e := &facts.Exprs[i]
			if e.Op != code.OpName && e.Op != code.OpSelect {
				continue
			}
			for _, file := range x.named[e.Name] {
				if size := x.size(file); !known[file] && size <= *budget && x.files[x.at[file]].Language == f.Language {
					known[file] = true
					*budget -= size
					out = append(out, file)
				}
			}
		}
	}
	return out
}

// beside returns the other files in the packages of some tests, which these use without an import, within a budget of bytes.
func (x *importer) beside(tests []*code.File, known map[string]bool, budget *int64) []string {
	homes := map[string]bool{}
	for _, f := range tests {
		if at := spotOf(f); at.home != "" {
			homes[at.home] = true
		}
	}
	var out []string
	for _, f := range x.files {
		if at := spotOf(f); !f.Vendored && !known[f.Path] && homes[at.home] && x.size(f.Path) <= *budget {
			*budget -= x.size(f.Path)
			known[f.Path] = true
			out = append(out, f.Path)
		}
	}
	return out
}

// fixtures returns the files with fixtures that pytest gives to tests without an import.
func (x *importer) fixtures(files []*code.File, known map[string]bool) []string {
	var out []string
	for _, f := range files {
		if f.Language != "python" || !f.Test {
			continue
		}
		for dir := path.Dir(f.Path); ; dir = path.Dir(dir) {
			file := path.Join(dir, "conftest.py")
			if _, exists := x.at[file]; exists && !known[file] {
				known[file] = true
				out = append(out, file)
			}
			if dir == "." {
				break
			}
		}
	}
	return out
}

// imported returns the files that a target's files and tests import, directly or by files that re-export others. What
// the files import does not depend on the tests. Read returns the files at paths.
func (x *importer) imported(t *Tree, read func(paths []string) ([]*code.File, error)) ([]*code.File, error) {
	known := map[string]bool{}
	for _, f := range slices.Concat(t.Files, t.Tests) {
		known[f.Path] = true
	}
	var out []*code.File
	for i, from := range [][]*code.File{t.Files, t.Tests} {
		budget := int64(0)
		for _, f := range from {
			budget += int64(f.Size)
		}
		budget = max(budget, leastImported)
		for round := range maxReexports + 1 {
			if round > 0 && x.learn(from) == 0 {
				break
			}
			paths := x.next(from, known, &budget, round == 0)
			if round == 0 {
				paths = slices.Concat(paths, x.fixtures(from, known), x.types(from, known, &budget))
			}
			if round == 0 && i == 1 {
				paths = append(paths, x.beside(from, known, &budget)...)
			}
			if len(paths) == 0 {
				break
			}
			files, err := read(paths)
			if err != nil {
				return nil, err
			}
			out, from = append(out, files...), files
		}
	}
	slices.SortFunc(out, func(a, b *code.File) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// Linker links targets of a project whose files are all parsed. It is safe for concurrent use.
type Linker struct {
	importer *importer
	project  *resolve.Project
	files    map[string]*code.File
}

// NewLinker returns a linker for a project; resolved are the imports of its files, whose facts may be packed.
func NewLinker(files []*code.File, resolved *codegraph.Resolution, m *manifest.Manifests) *Linker {
	l := &Linker{files: make(map[string]*code.File, len(files)), project: resolve.New(files, resolved)}
	var paths []string
	for _, f := range files {
		l.files[f.Path] = f
		paths = append(paths, f.Path)
	}
	size := func(file string) int64 { return int64(l.files[file].Size) }
	l.importer = newImporter(paths, size, func(file string) bool { return l.files[file].Vendored }, m)
	l.importer.know(files)
	return l
}

// Link sets the links of a tree with its tests.
func (l *Linker) Link(t *Tree) {
	imported, _ := l.importer.imported(t, func(paths []string) ([]*code.File, error) { // it does not fail
		var out []*code.File
		for _, file := range paths {
			out = append(out, l.files[file])
		}
		return out, nil
	})
	var paths []string
	for _, f := range slices.Concat(t.Files, t.Tests, imported) {
		paths = append(paths, f.Path)
	}
	t.Helpers = helpers(imported)
	t.Links = l.project.Part(paths).Links(l.facts)
}

// Whole returns the links of the project's files. A file is linked when it is first asked for.
func (l *Linker) Whole() *resolve.Links { return l.project.Links(l.facts) }

// facts returns the complete facts of a file; nil for an unknown one.
func (l *Linker) facts(file string) *code.Facts {
	if f := l.files[file]; f != nil {
		return f.WholeFacts()
	}
	return nil
}
