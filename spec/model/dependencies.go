package model

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
	"github.com/reverse-spec/reverse-spec/spec/api"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// maxNeighbours limits the files that are parsed to resolve imports in languages where the
// path of a file does not determine its package.
const maxNeighbours = 400

// maxParsed limits the source, in bytes, that is parsed for interfaces of modules; it takes a tenth of a second. Other modules are
// only named.
const maxParsed = 512 << 10

// neighbour is another module of the project that the target imports.
type neighbour struct {
	path  string // a file or a folder
	files []string
	uses  int // number of imports
	size  int // bytes
}

// dependencyInterfaces returns the declarations that the target names of the project's modules that it imports, most imported
// first. They have signatures but no bodies.
func (m *Module) dependencyInterfaces(ctx context.Context) ([]item, error) {
	list, err := m.importedModules(ctx)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	names, err := m.names()
	if err != nil {
		return nil, err
	}
	quiet := progress.With(ctx, func(progress.Event) {})
	var out []item
	parsed := 0
	for _, d := range list {
		it := item{full: "### " + d.path}
		if parsed+d.size <= maxParsed {
			parsed += d.size
			it = m.asParsed(quiet, d, names)
		}
		if it.full != "" {
			out = append(out, it)
		}
	}
	return out, ctx.Err()
}

// identifier matches names in code.
var identifier = lazyregexp.New(`[\pL_$][\pL\pN_$]*`)

// names returns the identifiers in the code of the module.
func (m *Module) names() (map[string]bool, error) {
	out := map[string]bool{}
	for _, f := range m.Tree.Files {
		if f.Test {
			continue
		}
		text, err := m.Project.ReadFile(f.Path)
		if err != nil {
			return nil, message.Errorf("read %s: %w", f.Path, err)
		}
		for _, name := range identifier.FindAllString(string(text), -1) {
			out[name] = true
		}
	}
	return out, nil
}

// namedOf returns the symbols whose names are used, with the members whose names are.
func namedOf(list []code.Symbol, names map[string]bool) []code.Symbol {
	var out []code.Symbol
	for i := range list {
		s := list[i]
		if !names[s.Name] && !names[strings.TrimPrefix(s.Name, "#")] {
			continue
		}
		s.Members = slices.DeleteFunc(slices.Clone(s.Members), func(m code.Symbol) bool { return !names[m.Name] && m.Kind != code.Constructor })
		out = append(out, s)
	}
	return out
}

// importedModules returns the files and folders of the project outside the target that its
// imports resolve to.
func (m *Module) importedModules(ctx context.Context) ([]*neighbour, error) {
	own := map[string]bool{}
	var files []*code.File
	imports := 0
	for _, f := range m.Tree.Files {
		own[f.Path] = true
		copied := *f // Resolve modifies the imports
		copied.Imports = slices.Clone(f.Imports)
		files = append(files, &copied)
		imports += len(f.Imports)
	}
	if imports == 0 {
		return nil, nil
	}
	n, err := m.neighbours(ctx, own)
	if err != nil {
		return nil, err
	}
	resolved := codegraph.Resolve(append(slices.Clone(files), n.files...), n.manifests)
	found := map[string]*neighbour{}
	var order []*neighbour
	for _, f := range files {
		for i := range f.Imports {
			t := resolved.Target(f.Path, i)
			if f.Test || t.Origin != codegraph.Internal || t.Contains || slices.ContainsFunc(t.Files, func(file string) bool { return own[file] }) {
				continue
			}
			if found[t.Path] == nil {
				found[t.Path] = n.module(t)
				order = append(order, found[t.Path])
			}
			found[t.Path].uses++
		}
	}
	slices.SortStableFunc(order, func(a, b *neighbour) int { return b.uses - a.uses })
	return order, nil
}

// neighbours are the project's other files that the target may import, and its manifests.
type neighbours struct {
	files     []*code.File
	size      map[string]int // bytes, by path
	manifests *manifest.Manifests
}

func (n *neighbours) module(t codegraph.Target) *neighbour {
	d := &neighbour{path: t.Path}
	for _, file := range t.Files {
		if !strings.HasSuffix(file, "_test.go") {
			d.files = append(d.files, file)
			d.size += n.size[file]
		}
	}
	return d
}

// neighbours lists the files in the target's languages. If paths alone resolve imports, the
// files are not parsed.
func (m *Module) neighbours(ctx context.Context, own map[string]bool) (*neighbours, error) {
	languages := m.extensions()
	listing, _, err := m.Project.Nearby(ctx, m.Tree.Target, func(name string) bool {
		return languages[path.Ext(name)] != "" || manifest.IsManifest(name) || source.IsVendorConfig(name)
	})
	if err != nil {
		return nil, message.Errorf("dependencies: %w", err)
	}
	n := &neighbours{size: map[string]int{}}
	var manifests []string
	for _, e := range listing.Files {
		if manifest.IsManifest(e.Path) {
			manifests = append(manifests, e.Path)
		}
		if language := languages[path.Ext(e.Path)]; language != "" && !own[e.Path] {
			n.files = append(n.files, &code.File{Path: e.Path, Language: language})
			n.size[e.Path] = int(e.Size)
		}
	}
	n.manifests, _ = manifest.Read(manifests, m.Project.ReadFile) // an unreadable manifest resolves nothing
	if m.byPackage() && len(n.files) <= maxNeighbours {
		if tree, err := source.ReadListed(progress.With(ctx, func(progress.Event) {}), m.Project, listing, source.Options{Scope: source.Everything}); err == nil {
			n.files = slices.DeleteFunc(tree.Files, func(f *code.File) bool { return own[f.Path] })
		}
	}
	return n, nil
}

// extensions maps the extensions of files that the target may import to their language.
func (m *Module) extensions() map[string]string {
	out := map[string]string{}
	for _, f := range m.Tree.Files {
		out[path.Ext(f.Path)] = f.Language
		if f.Language == "typescript" || f.Language == "javascript" {
			for _, ext := range []string{".ts", ".tsx", ".js", ".jsx", ".mjs"} { // these import each other
				out[ext] = cmp.Or(out[ext], f.Language)
			}
		}
	}
	return out
}

// byPackage reports whether imports name packages that are declared in the text of files.
func (m *Module) byPackage() bool {
	switch m.Merged.Language {
	case "java", "kotlin", "scala", "csharp", "php":
		return true
	}
	return false
}

// asParsed returns the signatures of the symbols of a module that are named, nothing if there are none. A file that cannot be
// read is skipped.
func (m *Module) asParsed(ctx context.Context, d *neighbour, names map[string]bool) item {
	tree := &source.Tree{Target: d.path, Scope: source.Folder}
	for _, file := range d.files {
		if t, err := source.Read(ctx, m.Project, file, source.Options{}); err == nil {
			tree.Files = append(tree.Files, t.Files...)
		}
	}
	merged := code.Merge(tree.Target, tree.Files, time.Time{})
	var rows []string
	used := namedOf(merged.Exports, names)
	for i := range used {
		rows = append(rows, api.Declaration(&used[i], merged.Language))
	}
	head := "### " + message.Sprintf(ctx, "%s: what is named of it", d.path)
	if len(rows) == 0 {
		return item{} // it only extends what others declare
	}
	return item{head + "\n\n" + markdown.Fenced(merged.Language, strings.Join(rows, "\n")), head}
}
