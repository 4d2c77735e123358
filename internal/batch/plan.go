package batch

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/spec"
)

// plan is what a run has to do.
type plan struct {
	modules      []*module // what a module needs comes before it
	graph        *codegraph.DependencyGraph
	technologies []codegraph.Technology
	packages     []codegraph.Package
	title        string // of the project, as its manifests have it
	purpose      string
	skipped      project.Skipped
	missing      int // imports of what is no parsed file
	leftOut      LeftOut
}

// module is a folder of the project, what is known of it, and what became of it.
type module struct {
	path     string
	specPath string
	level    int
	files    []*code.File // nil when done

	hash    string // of its files' content
	doc     string
	exports int
	loc     int

	outcome    outcome
	failure    Failed
	confidence spec.Confidence
	tokens     int
	warnings   []string
	hasSpec    bool // a spec stands at specPath
	degraded   bool // the writer failed
}

// outcome is what became of a module.
type outcome int

const (
	pending outcome = iota
	written
	skipped
	failed
)

// makePlan reads the project once, groups its files and puts the modules in
// order.
func (b *run) makePlan(ctx context.Context) (*plan, error) {
	tree, err := source.Read(ctx, b.project, ".", source.Options{Scope: source.Everything})
	if err != nil {
		return nil, err
	}
	b.warn(tree.Warnings...)
	manifests, err := b.manifests(ctx)
	if err != nil {
		return nil, err
	}
	resolved := codegraph.Resolve(tree.Files, manifests)
	b.tests = source.NewTests(tree.Files, resolved)
	folders := codegraph.Folders(tree.Files)
	group := func(f *code.File) string {
		if codegraph.IsTestData(path.Dir(f.Path)) {
			return ""
		}
		return folders(f)
	}
	p := &plan{
		graph:        codegraph.Modules(tree.Files, resolved, codegraph.Options{ProjectRoot: ".", Group: group, Now: b.opts.Now}),
		technologies: codegraph.Technologies(tree.Files, resolved, manifests),
		packages:     manifests.Packages(),
		skipped:      tree.Skipped,
		missing:      resolved.Missing(),
	}
	p.title, p.purpose = manifests.Project()
	files := map[string][]*code.File{}
	for _, f := range tree.Files {
		// A spec is the same whoever asks for it, and one of a single module is
		// written without a look at the others.
		for i := range f.Imports {
			f.Imports[i].Resolved = ""
		}
		if name := group(f); name != "" {
			files[name] = append(files[name], f)
		}
	}
	p.count(tree.Files, files)
	level := map[string]int{}
	for _, n := range p.graph.Modules {
		level[n.Source] = n.Level
	}
	for _, name := range p.graph.TopologicalOrder {
		p.modules = append(p.modules, &module{
			path: name, specPath: spec.PathFor(b.opts.OutputDir, name), level: level[name], files: files[name],
		})
	}
	return p, nil
}

// manifests reads the project's build files. Those that cannot be read are a
// warning: the modules they name are then not found by name.
func (b *run) manifests(ctx context.Context) (*codegraph.Manifests, error) {
	listing, err := b.project.List(ctx, ".")
	if err != nil {
		return nil, message.Errorf("list the manifests: %w", err)
	}
	var paths []string
	for _, f := range listing.Files {
		if codegraph.IsManifest(f.Path) {
			paths = append(paths, f.Path)
		}
	}
	m, err := codegraph.ReadManifests(paths, b.project.ReadFile)
	if err != nil {
		for line := range strings.Lines(message.Render(b.lang, err)) {
			b.warn(message.New("a manifest cannot be read: %s", strings.TrimSpace(line)).In(b.lang))
		}
	}
	return m, nil
}

// count counts the folders with source files that are no modules.
func (p *plan) count(all []*code.File, modules map[string][]*code.File) {
	type kind struct{ vendored, generated bool }
	folders := map[string]kind{}
	for _, f := range all {
		dir := path.Dir(f.Path)
		if modules[dir] == nil {
			k := folders[dir]
			folders[dir] = kind{k.vendored || f.Vendored, k.generated || f.Generated}
		}
	}
	for dir, k := range folders {
		switch {
		case codegraph.IsTestData(dir):
			p.leftOut.TestData++
		case k.vendored:
			p.leftOut.Vendored++
		case k.generated:
			p.leftOut.Generated++
		default:
			p.leftOut.TestOnly++
		}
	}
}

// look takes from a module's files what the run needs to know of it.
func (m *module) look(b *run) {
	merged := code.Merge(m.path, m.files, b.begin)
	m.hash, m.doc, m.exports, m.loc = merged.Hash, merged.Doc, len(merged.Exports), merged.LOC
}

// hasBelow tells whether there are modules in folders below that of m.
func (p *plan) hasBelow(m *module) bool {
	return slices.ContainsFunc(p.modules, func(other *module) bool {
		return other != m && (m.path == "." || strings.HasPrefix(other.path, m.path+"/"))
	})
}

// warn adds warnings, each once.
func (b *run) warn(list ...string) {
	for _, w := range list {
		if !slices.Contains(b.result.Warnings, w) {
			b.result.Warnings = append(b.result.Warnings, w)
		}
	}
}
