package source

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"path"
	"runtime"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// forTests is what is read of tests: nothing compares two versions of them.
const forTests = lang.Facts | lang.Bodies

// The limits of [Tree.ReadTests].
const (
	maxTestsRead   = 3000     // number of files whose text is examined
	maxTestsParsed = 1000     // number of files parsed
	maxGuests      = 80       // number of those related only by imports
	maxVisitors    = 24       // number of those that are tests of something else
	maxTestBytes   = 16 << 20 // total size of parsed files in bytes
)

// ReadRelated finds and parses what a tree is related to in the rest of the project, and sets t.Tests, see [Tests.Of],
// and t.Links. It examines paths, then texts, and parses the candidates. If a limit leaves out tests, it adds a warning
// to the tree. Errors are those of [project.Project.List] and of the context.
func (t *Tree) ReadRelated(ctx context.Context, p *project.Project) error {
	s, err := newSearch(ctx, p, t)
	if err != nil {
		return err
	}
	if s.unread != "" {
		t.Warnings = append(t.Warnings, message.Sprintf(ctx, "tests far from the target may be missing: %s has so many files other than code that not all of it was read; a .reverse-specignore with its name leaves it out", s.unread))
	}
	quiet := progress.With(ctx, func(progress.Event) {})
	if err := s.services().Find(quiet, t); err != nil {
		return err
	}
	if err := s.choose(quiet); err != nil {
		return err
	}
	if s.choosePaths(t.senders()); len(s.chosen) > 0 {
		if err := s.parse(quiet, s.withReexporters(), forTests); err != nil {
			return err
		}
		t.Tests, t.Visitors = NewTests(s.files, codegraph.Resolve(s.files, s.manifests)).Of(t)
	}
	if s.left > 0 {
		t.Warnings = append(t.Warnings, message.Count(s.left, "%d test file elsewhere was not read: there are too many", "%d test files elsewhere were not read: there are too many").In(message.From(ctx)))
	}
	return s.related(quiet, t, s.services())
}

// ReadImported is [Tree.ReadRelated] without tests and their requests: it sets t.Links.
func (t *Tree) ReadImported(ctx context.Context, p *project.Project) error {
	s, err := newSearch(ctx, p, t)
	if err != nil {
		return err
	}
	create := func() *Services {
		services := s.services()
		services.tests = nil
		return services
	}
	ctx = progress.With(ctx, func(progress.Event) {})
	if m := memoryOf(ctx); m != nil && s.unread == "" {
		return s.related(ctx, t, m.servicesOf(p, s.of.families, create))
	}
	return s.related(ctx, t, create())
}

// search is the search for what is related to a tree.
type search struct {
	project   *project.Project
	of        *subject
	parser    *Parser
	files     []*code.File // all files of the project; only those of the tree and the chosen ones are parsed
	at        map[string]int
	parsed    map[string]bool
	sizes     map[string]int64
	manifests *manifest.Manifests
	chosen    []project.Entry
	taken     map[string]bool // the paths of the chosen ones, except those of choosePaths
	taking    int64           // their size
	guests    int             // number of those related only by imports
	left      int             // number of files left out by the limits
	unread    string          // the folder of which not all was listed; "" for none
}

// newSearch lists the project.
func newSearch(ctx context.Context, p *project.Project, t *Tree) (*search, error) {
	of := newSubject(t)
	l, left, err := p.Nearby(ctx, t.Target, func(name string) bool {
		language, ok := lang.ByPath(name)
		return ok && of.families[familyOf(language.Name)+" "] || manifest.IsManifest(name) || name == attributesFile
	})
	if err != nil {
		return nil, message.Errorf("list tests: %w", err)
	}
	s := &search{project: p, of: of, parser: &Parser{project: p, parse: lang.Parse, parts: forTests, vendored: newVendored(p, l)}, unread: left}
	s.list(t, l)
	return s, nil
}

// list sets the files: those of the tree with copies of their imports or none, because Resolve modifies these.
func (s *search) list(t *Tree, l *project.Listing) {
	s.sizes, s.at, s.parsed, s.taken = map[string]int64{}, map[string]int{}, map[string]bool{}, map[string]bool{}
	var manifests []string
	for _, f := range t.Files {
		known := *f
		known.Imports = nil
		if f.Test { // a test may call tests that another file declares
			known.Imports = slices.Clone(f.Imports)
		}
		s.sizes[f.Path], s.parsed[f.Path] = int64(f.Size), true
		s.at[f.Path] = len(s.files)
		s.files = append(s.files, &known)
	}
	for _, e := range l.Files {
		if manifest.IsManifest(e.Path) {
			manifests = append(manifests, e.Path)
		}
		if language, ok := lang.ByPath(e.Path); ok && !s.of.files[e.Path] && s.of.families[familyOf(language.Name)+" "] {
			s.sizes[e.Path], s.at[e.Path] = e.Size, len(s.files)
			s.files = append(s.files, pathOnly(e.Path, language.Name, s.parser.Vendored(e.Path)))
		}
	}
	s.manifests, _ = manifest.Read(manifests, s.project.ReadFile) // unreadable manifests are ignored
}

// choose examines the texts of tests, closest to the target first.
func (s *search) choose(ctx context.Context) error {
	paths := newSite(s.files)
	of := map[string]kin{}
	tests := slices.DeleteFunc(paths.tests, func(test spot) bool {
		of[test.Path] = paths.kin(&test, s.of)
		return of[test.Path] == stranger
	})
	slices.SortStableFunc(tests, func(a, b spot) int {
		return cmp.Or(cmp.Compare(of[b.Path], of[a.Path]), strings.Compare(a.Path, b.Path))
	})
	s.pick(tests, of, func(test *spot, text []byte) bool {
		return mentions(text, s.of.members) && (of[test.Path] > guest || imports(test.Language, text, s.of.words))
	})
	return s.helping(ctx, tests, of)
}

// pick adds the tests to the chosen ones whose text is accepted, within the limits.
func (s *search) pick(tests []spot, of map[string]kin, accept func(test *spot, text []byte) bool) {
	s.left = 0
	for i := range tests {
		test := &tests[i]
		is := of[test.Path]
		if s.taken[test.Path] {
			continue
		}
		if i >= maxTestsRead || len(s.chosen) >= maxTestsParsed || s.taking+s.sizes[test.Path] > maxTestBytes || is <= guest && s.guests >= maxGuests {
			s.left++
			continue
		}
		text, err := s.project.ReadFile(test.Path)
		if err != nil || !accept(test, text) {
			continue
		}
		s.taken[test.Path] = true
		s.taking += s.sizes[test.Path]
		s.chosen = append(s.chosen, project.Entry{Path: test.Path, Size: s.sizes[test.Path]})
		if is <= guest {
			s.guests++
		}
	}
}

// choosePaths adds the files at paths to the chosen ones.
func (s *search) choosePaths(paths map[string]bool) {
	for _, file := range slices.Sorted(maps.Keys(paths)) {
		known := s.of.files[file] || slices.ContainsFunc(s.chosen, func(e project.Entry) bool { return e.Path == file })
		if _, ok := s.at[file]; ok && !known {
			s.chosen = append(s.chosen, project.Entry{Path: file, Size: s.sizes[file]})
		}
	}
}

// withReexporters returns the chosen files with those that re-export the target's declarations.
func (s *search) withReexporters() []project.Entry {
	list := s.chosen
	for _, file := range s.of.reexporters() {
		if _, ok := s.at[file]; ok && !s.of.files[file] {
			list = append(list, project.Entry{Path: file})
		}
	}
	return list
}

// importLines are the texts of import statements, in languages whose imports contain the name of the package or
// module. A script may import "..", and the name of a crate is in its manifest.
var importLines = map[string][]string{
	"go": {`"`}, "python": {"import ", "from "}, "java": {"import "}, "kotlin": {"import "}, "scala": {"import "},
}

// imports reports whether a text has a line that may import what the words name.
func imports(language string, text []byte, words map[string]bool) bool {
	marks := importLines[language]
	if marks == nil {
		return true
	}
	for line := range bytes.Lines(text) {
		if slices.ContainsFunc(marks, func(mark string) bool { return bytes.Contains(line, []byte(mark)) }) && mentions(line, words) {
			return true
		}
	}
	return false
}

// mentions reports whether a text contains one of the words.
func mentions(text []byte, words map[string]bool) bool {
	for i := 0; i < len(text); i++ {
		from := i
		for i < len(text) && isWordByte(text[i]) {
			i++
		}
		if from < i && words[string(text[from:i])] {
			return true
		}
	}
	return false
}

func isWordByte(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// parse parses some of the files.
func (s *search) parse(ctx context.Context, list []project.Entry, parts lang.Parts) error {
	parser := *s.parser
	parser.parts = parts
	r := &reader{Parser: &parser, files: list, results: make([]result, len(list))}
	if err := r.run(ctx, runtime.GOMAXPROCS(0)); err != nil {
		return err
	}
	for _, res := range r.results {
		if res.file != nil {
			s.files[s.at[res.file.Path]] = res.file
			s.parsed[res.file.Path] = true
		}
	}
	return nil
}

// link parses the files that the tree and its tests import, and links them.
func (s *search) link(ctx context.Context, t *Tree) error {
	var paths []string
	for _, f := range s.files {
		paths = append(paths, f.Path)
	}
	x := newImporter(paths, func(file string) int64 { return s.sizes[file] }, s.parser.Vendored, s.manifests)
	x.know(slices.Concat(t.Files, t.Tests))
	imported, err := x.imported(t, func(paths []string) ([]*code.File, error) { return s.read(ctx, paths) })
	if err != nil {
		return err
	}
	own := slices.Concat(t.Files, t.Tests)
	for _, f := range slices.Concat(own, imported) {
		known := *f
		known.Imports = slices.Clone(f.Imports) // Resolve modifies them
		s.files[s.at[f.Path]] = &known
	}
	t.Helpers = helpers(imported)
	t.Links = resolve.Module(own, imported, codegraph.Resolve(s.files, s.manifests))
	return nil
}

// read returns the parsed files at paths.
func (s *search) read(ctx context.Context, paths []string) ([]*code.File, error) {
	var list []project.Entry
	for _, file := range paths {
		if !s.parsed[file] {
			list = append(list, project.Entry{Path: file, Size: s.sizes[file]})
		}
	}
	if err := s.parse(ctx, list, lang.Facts); err != nil {
		return nil, err
	}
	var out []*code.File
	for _, file := range paths {
		if s.parsed[file] {
			out = append(out, s.files[s.at[file]])
		}
	}
	return out, nil
}

// Tests are the test files of a project with their imports.
type Tests struct {
	site     *site
	resolved *codegraph.Resolution
	closest  map[string][]int // tests by package and by name; with the family
	imported map[string][]int // tests by imported file
	at       map[string]int   // tests by path
}

// NewTests finds the tests among a project's files; resolved holds their imports.
func NewTests(files []*code.File, resolved *codegraph.Resolution) *Tests {
	t := &Tests{site: newSite(files), resolved: resolved, closest: map[string][]int{}, imported: map[string][]int{}, at: map[string]int{}}
	for i := range t.site.tests {
		test := &t.site.tests[i]
		t.at[test.Path] = i
		if test.home != "" {
			t.closest[test.home] = append(t.closest[test.home], i)
		}
		t.closest[test.family+test.stem] = append(t.closest[test.family+test.stem], i)
		for _, target := range resolved.Targets[test.Path] {
			for _, file := range target.Files {
				t.imported[file] = append(t.imported[file], i)
			}
		}
	}
	return t
}

// Of returns the tests of a tree that are outside it, sorted by path: those of its package, those that send requests to its
// endpoints, and those that import it; of those that are tests of something else, only the nearest. They are copies in which only imports of the tree have
// Resolved set. Visitors are the paths of the tests of something else.
func (t *Tests) Of(tree *Tree) (tests []*code.File, visitors map[string]bool) {
	of := newSubject(tree)
	t.findFacades(of)
	seen := map[int]bool{}
	out := t.suites(tree)
	for _, f := range out {
		seen[t.at[f.Path]] = true
	}
	for _, f := range tree.Files {
		if i, test := t.at[f.Path]; test {
			seen[i] = true
		}
	}
	for file := range tree.senders() {
		if i, ok := t.at[file]; ok && !seen[i] {
			seen[i] = true
			out = append(out, t.site.tests[i].unresolved())
		}
	}
	var visiting []*code.File
	visitors = map[string]bool{}
	lent := t.lent(of)
	for _, list := range t.candidates(of, lent) {
		for _, i := range list {
			if seen[i] {
				continue
			}
			seen[i] = true
			f, is := t.used(&t.site.tests[i], of, lent)
			switch {
			case f == nil:
			case is == visitor:
				visiting = append(visiting, f)
			default:
				out = append(out, f)
			}
		}
	}
	far := func(f *code.File) int { return distance(path.Dir(f.Path), path.Dir(of.target)) }
	slices.SortFunc(visiting, func(a, b *code.File) int {
		return cmp.Or(cmp.Compare(far(a), far(b)), strings.Compare(a.Path, b.Path))
	})
	for _, f := range visiting[:min(len(visiting), maxVisitors)] {
		out = append(out, f)
		visitors[f.Path] = true
	}
	slices.SortFunc(out, func(a, b *code.File) int { return strings.Compare(a.Path, b.Path) })
	return out, visitors
}

// suites returns the files outside a tree that declare tests in functions which the tests of the tree import.
func (t *Tests) suites(tree *Tree) []*code.File {
	var out []*code.File
	seen := map[string]bool{}
	for _, f := range tree.Files {
		seen[f.Path] = true
	}
	for _, f := range tree.Files {
		if !f.Test {
			continue
		}
		for _, target := range t.resolved.Targets[f.Path] {
			for _, file := range target.Files {
				if i, test := t.at[file]; test && !seen[file] && len(t.site.tests[i].Tests) > 0 && path.Base(file) != "__init__.py" {
					seen[file] = true
					out = append(out, t.site.tests[i].unresolved())
				}
			}
		}
	}
	return out
}

// unresolved returns a copy of a test without the targets of its imports.
func (s *spot) unresolved() *code.File {
	f := *s.File
	f.Imports = slices.Clone(f.Imports)
	for i := range f.Imports {
		f.Imports[i].Resolved = ""
	}
	return &f
}

func (t *Tests) candidates(of *subject, lent lent) [][]int {
	var out [][]int
	for _, keys := range []map[string]bool{of.homes, of.stems} {
		for key := range keys {
			out = append(out, t.closest[key])
		}
	}
	for file := range of.sources {
		out = append(out, t.imported[file])
	}
	for _, file := range of.reexporters() {
		out = append(out, t.imported[file])
	}
	for file := range lent {
		out = append(out, []int{t.at[file]})
	}
	return out
}

// hasImplicitImports reports whether files of a language may use each other without an import that names the file.
func hasImplicitImports(language string) bool {
	return slices.Contains([]string{"ruby", "php", "csharp", "swift", "c", "cpp"}, language)
}

// mayInherit reports whether a test file without tests of its own may have some by a class that extends one of another file.
func mayInherit(f *code.File) bool {
	return f.Language == "python" && slices.ContainsFunc(f.Symbols, func(s code.Symbol) bool { return strings.HasPrefix(s.Name, "Test") && len(s.Bases) > 0 })
}

// maxTestTargets is the maximum number of parts of a project that a test imports if it is to count as a test of each.
const maxTestTargets = 3

// used returns a copy of a test if it may test the target, else nil, with its relation to it.
func (t *Tests) used(test *spot, of *subject, lent lent) (*code.File, kin) {
	is := t.site.kin(test, of)
	if is == stranger || len(test.Tests) == 0 && !mayInherit(test.File) {
		return nil, is
	}
	f := test.unresolved()
	leads, entered, others := t.lead(f, of)
	if through := lent[f.Path]; through != nil {
		leads, others = max(leads, 1), through
	}
	led := leads > 0 || entered && of.file
	switch {
	case is == sibling, is == namesake && (leads > 0 || entered || hasImplicitImports(f.Language)):
		return f, is
	case is == guest && led && len(others) < maxTestTargets:
		return f, is
	case led:
		return f, visitor
	}
	return nil, is
}

// lead sets Resolved of the imports of a test that lead to the target, and counts them and the other parts of the project
// that the test imports; entered says that one of these is a package around the target.
func (t *Tests) lead(f *code.File, of *subject) (leads int, entered bool, others map[string]bool) {
	others = map[string]bool{}
	for i := range f.Imports {
		target := t.resolved.Target(f.Path, i)
		switch {
		case target.Origin != codegraph.Internal:
		case of.leads(f, i, target):
			f.Imports[i].Resolved = target.Path
			leads++
		case !isTest(target.Path):
			others[target.Path] = true
			entered = entered || f.Language == "python" && of.enters(target)
		}
	}
	return leads, entered, others
}

// enters reports whether an import leads to a package around the target.
func (s *subject) enters(t codegraph.Target) bool {
	entrances := s.reexporters()
	return slices.ContainsFunc(t.Files, func(file string) bool { return slices.Contains(entrances, file) })
}

// leads reports whether an import of a file leads to the target, directly or by a file that re-exports it.
func (s *subject) leads(f *code.File, i int, t codegraph.Target) bool {
	if slices.ContainsFunc(t.Files, func(file string) bool { return s.sources[file] }) {
		return true
	}
	entrances := s.reexporters()
	if !slices.ContainsFunc(t.Files, func(file string) bool { return slices.Contains(entrances, file) }) {
		return false
	}
	if slices.ContainsFunc(t.Files, func(file string) bool { return s.facades[file] }) {
		return true
	}
	imp := &f.Imports[i]
	if slices.ContainsFunc(imp.Named, func(name string) bool { return s.names[name] }) {
		return true
	}
	for _, name := range []string{imp.Namespace, imp.Default, imp.Module} {
		if name != "" && slices.ContainsFunc(f.Calls, func(c code.Call) bool { return c.Receiver == name && s.names[c.Name] }) {
			return true
		}
	}
	return s.names[imp.Default]
}

// findFacades finds the files around a target whose only imports of the project are of the target, so that who imports them
// means the target: `module.exports = require('./lib/express')`.
func (t *Tests) findFacades(of *subject) {
	for _, file := range of.reexporters() {
		within, all := 0, 0
		for _, target := range t.resolved.Targets[file] {
			if target.Origin != codegraph.Internal {
				continue
			}
			all++
			if slices.ContainsFunc(target.Files, func(file string) bool { return of.sources[file] }) {
				within++
			}
		}
		of.facades[file] = within > 0 && within == all
	}
}

// reexporters returns the files around the target that may re-export its declarations.
func (s *subject) reexporters() []string {
	var out []string
	for dir := s.target; dir != "."; {
		dir = path.Dir(dir)
		for family := range s.families {
			for _, name := range indexFiles[strings.TrimSpace(family)] {
				out = append(out, path.Join(dir, name))
			}
		}
	}
	return out
}

// indexFiles are the index files of a folder, by language.
var indexFiles = map[string][]string{
	"python": {"__init__.py"},
	"rust":   {"lib.rs", "mod.rs"},
	"ecma":   {"index.ts", "index.js", "index.mjs", "index.tsx", "index.cjs"},
}
