package spec

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// maxNeighbours is how many files of a project are parsed to find out what the imports of
// one of them mean, in languages where the path of a file does not say it.
const maxNeighbours = 400

// maxParsed is how much source is parsed for the interfaces of modules without a spec, in
// bytes: a tenth of a second. The others are named.
const maxParsed = 512 << 10

// neighbour is a module of the project that the target imports.
type neighbour struct {
	path  string // a file or a folder
	files []string
	uses  int // imports of it
	size  int // bytes
}

// dependencyInterfaces are the interfaces of the project's own modules that the target
// imports, most imported first: as their specs have them, else as parsed. Neither holds
// source text but signatures.
func (m *material) dependencyInterfaces(ctx context.Context, outputDir string) ([]item, error) {
	list, err := m.importedModules(ctx)
	if err != nil {
		return nil, err
	}
	quiet := progress.With(ctx, func(progress.Event) {})
	var out []item
	seen := map[string]bool{}
	parsed := 0
	for _, d := range list {
		it, key := fromSpec(m.project, message.From(ctx), outputDir, d.path)
		switch {
		case seen[key]:
			continue
		case key != "":
			seen[key] = true
		case parsed+d.size <= maxParsed:
			parsed += d.size
			it = m.asParsed(quiet, d)
		default:
			it.full = "### " + d.path + " (no spec of it says what its interface is)"
		}
		out = append(out, it)
	}
	return out, ctx.Err()
}

// importedModules are the files and folders of the project that the target's imports
// mean and that are not in it.
func (m *material) importedModules(ctx context.Context) ([]*neighbour, error) {
	own := map[string]bool{}
	var files []*code.File
	imports := 0
	for _, f := range m.tree.Files {
		own[f.Path] = true
		copied := *f // Resolve writes into the imports
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

// neighbours are the project's other files, as far as the target can mean them, and its
// manifests.
type neighbours struct {
	files     []*code.File
	size      map[string]int // bytes, by path
	manifests *codegraph.Manifests
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

// neighbours are those in the target's languages. Where paths say what imports mean the
// files are paths alone.
func (m *material) neighbours(ctx context.Context, own map[string]bool) (*neighbours, error) {
	languages := m.extensions()
	listing, _, err := m.project.Nearby(ctx, m.tree.Target, func(name string) bool {
		return languages[path.Ext(name)] != "" || codegraph.IsManifest(name) || source.IsVendorConfig(name)
	})
	if err != nil {
		return nil, message.Errorf("dependencies: %w", err)
	}
	n := &neighbours{size: map[string]int{}}
	var manifests []string
	for _, e := range listing.Files {
		if codegraph.IsManifest(e.Path) {
			manifests = append(manifests, e.Path)
		}
		if language := languages[path.Ext(e.Path)]; language != "" && !own[e.Path] {
			n.files = append(n.files, &code.File{Path: e.Path, Language: language})
			n.size[e.Path] = int(e.Size)
		}
	}
	n.manifests, _ = codegraph.ReadManifests(manifests, m.project.ReadFile) // what cannot be read names nothing
	if m.byPackage() && len(n.files) <= maxNeighbours {
		if tree, err := source.ReadListed(progress.With(ctx, func(progress.Event) {}), m.project, listing, source.Options{Scope: source.Everything}); err == nil {
			n.files = slices.DeleteFunc(tree.Files, func(f *code.File) bool { return own[f.Path] })
		}
	}
	return n, nil
}

// extensions are those of files that the target's imports may mean, with their language.
func (m *material) extensions() map[string]string {
	out := map[string]string{}
	for _, f := range m.tree.Files {
		out[path.Ext(f.Path)] = f.Language
		if f.Language == "typescript" || f.Language == "javascript" {
			for _, ext := range []string{".ts", ".tsx", ".js", ".jsx", ".mjs"} { // these import each other
				out[ext] = or(out[ext], f.Language)
			}
		}
	}
	return out
}

// byPackage tells whether imports name packages that only the text of a file tells.
func (m *material) byPackage() bool {
	switch m.merged.Language {
	case "java", "kotlin", "scala", "csharp", "php":
		return true
	}
	return false
}

// fromSpec is the interface that the spec of a module, or of the folder it is in, has
// for it; key is the spec's path, "" when there is none.
func fromSpec(p *project.Project, lang message.Lang, outputDir, target string) (it item, key string) {
	for _, t := range []string{target, path.Dir(target)} {
		file := PathFor(outputDir, t)
		s, err := Load(p, file)
		if err != nil || t == "." && target != "." {
			continue
		}
		_, parts := blocks(s.Interface, 3)
		for _, part := range parts {
			if strings.HasPrefix(part.title, "3.1") && part.text != "" {
				head := "### " + message.New("%s, by its spec %s", t, file).In(lang)
				return item{head + "\n\n" + part.text, head}, file
			}
		}
	}
	return item{}, ""
}

// asParsed is the interface of a module without a spec: the signatures of what it exports.
// A file that cannot be read has none.
func (m *material) asParsed(ctx context.Context, d *neighbour) item {
	tree := &source.Tree{Target: d.path, Scope: source.Folder}
	for _, file := range d.files {
		if t, err := source.Read(ctx, m.project, file, source.Options{}); err == nil {
			tree.Files = append(tree.Files, t.Files...)
		}
	}
	of := newMaterial(m.project, tree, "en", m.now)
	var rows []string
	for i := range of.merged.Exports {
		rows = append(rows, declaration(&of.merged.Exports[i], of.merged.Language))
	}
	head := "### " + message.Sprintf(ctx, "%s, as parsed", d.path)
	if len(rows) == 0 {
		return item{full: message.Sprintf(ctx, "%s: it exports nothing", head)}
	}
	return item{head + "\n\n" + markdown.Fenced(of.merged.Language, strings.Join(rows, "\n")), head}
}
