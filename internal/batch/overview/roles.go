package overview

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
	"github.com/reverse-spec/reverse-spec/spec"
)

// sides are the roles of folders outside the product, by the names of such folders.
var sides = []struct {
	role spec.Role
	name *lazyregexp.Regexp
}{
	{spec.BenchmarkRole, lazyregexp.New(`(?i)^(bench|benches|benchmark|benchmarks|benchsuite|perf|perf-.*|performance|.*-bench(mark)?s?)$`)},
	{spec.ExampleRole, lazyregexp.New(`(?i)^_?(examples?|samples?|demos?|tutorials?|playground)$`)},
	{spec.DocsRole, lazyregexp.New(`(?i)^(docs?|documentation|website)$`)},
	{spec.SupportRole, lazyregexp.New(`(?i)^(tests?|e2e|fixtures?|fuzz|mocks?|testsupport|testutils?|testing|test[-_].*|.*[-_]tests?|__tests__|integrationtests?|tests?-?shared|approvaltests)$`)},
	{spec.ToolingRole, lazyregexp.New(`(?i)^(scripts?|tools?|build|ci|hack|\.github|\.ci|buildsrc|build-logic|magefiles|releaser?)$`)},
}

// jvmRoot matches a source root of the JVM with the first three names of a package below it.
var jvmRoot = lazyregexp.New(`src/(main|commonMain|jvmMain)/[^/]+(/[^/]+){0,3}`)

// sideOf returns the role of a folder whose name says that it is outside the product. The first names of a package of the JVM are those
// of a company and a project ("com.example.demo") and say nothing.
func sideOf(dir string) (role spec.Role, ok bool) {
	dir = jvmRoot.ReplaceAllString(dir, "")
	for part := range strings.SplitSeq(dir, "/") {
		for _, s := range sides {
			if s.name.MatchString(strings.TrimSuffix(part, ".Tests")) {
				return s.role, true
			}
		}
	}
	return 0, false
}

// private are names of folders whose code is not for other projects.
var private = lazyregexp.New(`^(internal|_.+|private)$`)

// Published says what other projects can import.
type Published struct {
	node    map[string]bool          // folders that the exports of package.json files lead to
	inCrate func(module string) bool // the module is in a crate without a library
	python  bool                     // a manifest describes a package for others
}

// Inside reports whether the path of a file says that other projects do not import it: it is in an internal folder, or,
// except in Go, which has a rule for that, in one of tests, benchmarks, examples or documentation.
func Inside(file string) bool {
	dir := path.Dir(file)
	if slices.ContainsFunc(strings.Split(dir, "/"), private.MatchString) {
		return true
	}
	role, side := sideOf(dir)
	return side && role != spec.ToolingRole && path.Ext(file) != ".go"
}

// Aside reports whether the path of a file says that it is outside the product: in a folder of tests, benchmarks, examples
// or documentation.
func Aside(file string) bool {
	role, side := sideOf(path.Dir(file))
	return side && role != spec.ToolingRole
}

// Beside reports whether a module is beside the product: in a folder of examples, benchmarks, tests or documentation at the top of the
// project or of a package, whose folders are given. It is stricter than [Aside], which a name anywhere in the path is enough for. What
// others import is product, and so is a package of Go for tests, since any other can import it.
func (p Published) Beside(module string, packages []string, isGo bool) bool {
	if p.node[module] {
		return false
	}
	for _, folder := range append([]string{"."}, packages...) {
		below := module
		if folder != "." {
			var ok bool
			if below, ok = strings.CutPrefix(module, folder+"/"); !ok {
				continue
			}
		}
		top, _, _ := strings.Cut(below, "/")
		if role, side := sideOf(top); side && role != spec.ToolingRole && (role != spec.SupportRole || !isGo) {
			return true
		}
	}
	return false
}

// PublishedBy reads what the manifests say about what others can import. Files are all files of the project.
func PublishedBy(m *manifest.Manifests, files []*code.File) Published {
	known := map[string]bool{}
	p := Published{node: map[string]bool{}}
	for _, f := range files {
		known[f.Path] = true
	}
	for file := range codegraph.Exported(files, m) {
		p.node[path.Dir(file)] = true
	}
	p.inCrate = func(module string) bool {
		i := manifest.Deepest(m.Crates, manifest.Crate.Folder, module+"/x")
		return i >= 0 && !known[m.Crates[i].Lib]
	}
	p.python = slices.ContainsFunc(m.Packages(), func(x manifest.Package) bool {
		base := path.Base(x.Manifest)
		return x.Name != "" && base == "pyproject.toml" || base == "setup.cfg" || base == "setup.py"
	})
	return p
}

// has reports whether other projects can import a module.
func (p Published) has(m *Module) bool {
	if m.Exports == 0 || slices.ContainsFunc(strings.Split(m.Path, "/"), private.MatchString) {
		return false
	}
	switch m.Language {
	case "javascript", "typescript":
		return p.node[m.Path]
	case "rust":
		return !p.inCrate(m.Path)
	case "python":
		return p.python
	}
	return true
}

// definite are the languages of which a project says what others can import; in others a service offers nothing.
var definite = []string{"go", "javascript", "typescript", "rust"}

// role returns what a module is for. A package that others import is public, though a program starts there, too;
// service says that the project is a web service.
func (p Published) role(m *Module, page *page, service bool) spec.Role {
	public := p.has(m) && (!service || slices.Contains(definite, m.Language))
	if public && p.node[m.Path] {
		return spec.PublicRole
	}
	if role, ok := sideOf(m.Path); ok {
		return role
	}
	starts := slices.ContainsFunc(page.entries, func(e entry) bool { return e.Kind == spec.ProgramEntry })
	switch {
	case page.serves(), starts && (!public || m.Language == "go"):
		return spec.EntryRole
	case public:
		return spec.PublicRole
	}
	return spec.PrivateRole
}

// serves reports whether a module answers requests.
func (p *page) serves() bool {
	return slices.ContainsFunc(p.entries, func(e entry) bool { return e.Kind == spec.RouteEntry || e.Kind == spec.ServiceEntry })
}
