package batch

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/batch/overview"
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/spec"
)

// plan is the work of a run.
type plan struct {
	modules      []*module // dependencies first
	beside       []*module // those beside the product, which get no spec
	graph        *codegraph.DependencyGraph
	technologies []codegraph.Technology
	packages     []manifest.Package
	title        string // of the project, from its manifests
	purpose      string
	published    overview.Published
	skipped      project.Skipped
	missing      int // imports that resolve to no parsed file
	leftOut      LeftOut
}

// module is a folder of the project with the state of its spec.
type module struct {
	overview.Module
	files []*code.File // nil once done
	hash  string       // of its files' contents

	outcome  outcome
	failure  Failed
	tokens   int
	warnings []string
	hasSpec  bool // the file at SpecPath is a spec
	degraded bool // the writer failed
}

// outcome is the result for a module.
type outcome int

const (
	pending outcome = iota
	written
	skipped
	failed
)

// makePlan reads the project once, groups its files into modules and sorts them.
func (b *run) makePlan(ctx context.Context) (*plan, error) {
	tree, err := source.Read(ctx, b.project, ".", source.Options{Scope: source.Everything, Parts: source.ForBatch, Pack: true})
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
	b.linker = source.NewLinker(tree.Files, resolved, manifests)
	b.service = source.NewServices(b.project, tree.Files, manifests)
	folders := codegraph.Folders(tree.Files)
	lines := map[string]int{} // a folder whose files are all empty, such as a package of Python, needs no spec
	for _, f := range tree.Files {
		lines[folders(f)] += f.LOC
	}
	group := func(f *code.File) string {
		if codegraph.IsTestData(path.Dir(f.Path)) || lines[folders(f)] == 0 {
			return ""
		}
		return folders(f)
	}
	p := &plan{
		graph:        codegraph.Modules(tree.Files, resolved, codegraph.Options{ProjectRoot: ".", Group: group, Now: b.opts.Now}),
		technologies: codegraph.Technologies(tree.Files, resolved, manifests),
		packages:     manifests.Packages(),
		published:    overview.PublishedBy(manifests, tree.Files),
		skipped:      tree.Skipped,
		missing:      resolved.Missing(),
	}
	p.title, p.purpose = manifests.Project()
	files := map[string][]*code.File{}
	for _, f := range tree.Files {
		// A spec must not depend on whether it is generated alone or in a batch, and one of a
		// single module is written without the others.
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
		m := &module{Module: overview.Module{Path: name, SpecPath: spec.PathFor(b.opts.OutputDir, name), Level: level[name]}, files: files[name]}
		for _, f := range m.files {
			if !f.Test {
				m.Files = append(m.Files, f.Path)
			}
		}
		p.modules = append(p.modules, m)
	}
	if !b.opts.Everywhere {
		p.setBeside(b)
	}
	return p, nil
}

// isGo reports whether a module has sources of Go.
func (m *module) isGo() bool {
	return slices.ContainsFunc(m.files, func(f *code.File) bool { return f.Language == "go" && !f.Test })
}

// setBeside takes the modules beside the product out of the plan, unless they have a spec already or are all there is.
func (p *plan) setBeside(b *run) {
	var folders []string
	for i := range p.packages {
		folders = append(folders, path.Dir(p.packages[i].Manifest))
	}
	var product []*module
	for _, m := range p.modules {
		if p.published.Beside(m.Path, folders, m.isGo()) && b.project.ModTime(m.SpecPath).IsZero() {
			p.beside = append(p.beside, m)
		} else {
			product = append(product, m)
		}
	}
	if len(product) == 0 {
		p.beside = nil
		return
	}
	for _, m := range p.beside {
		m.look(b)
		m.files = nil
	}
	p.modules, p.leftOut.Beside = product, len(p.beside)
}

// manifests reads the project's manifests. An unreadable one is a warning; imports of its
// packages are then unresolved.
func (b *run) manifests(ctx context.Context) (*manifest.Manifests, error) {
	listing, err := b.project.List(ctx, ".")
	if err != nil {
		return nil, message.Errorf("list the manifests: %w", err)
	}
	var paths []string
	for _, f := range listing.Files {
		if manifest.IsManifest(f.Path) {
			paths = append(paths, f.Path)
		}
	}
	m, err := manifest.Read(paths, b.project.ReadFile)
	if err != nil {
		for line := range strings.Lines(message.Render(b.lang, err)) {
			b.warn(message.New("a manifest cannot be read: %s", strings.TrimSpace(line)).In(b.lang))
		}
	}
	return m, nil
}

// count counts the folders with source files that are not modules.
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

// look derives what the run needs from a module's files.
func (m *module) look(b *run) {
	merged := code.Merge(m.Path, m.files, b.begin)
	m.hash, m.Language, m.Exports, m.LOC, m.Entries = merged.Hash, merged.Language, len(merged.Exports), merged.LOC, merged.Entries
}

// hasBelow reports whether there are modules below the folder of m.
func (p *plan) hasBelow(m *module) bool {
	return slices.ContainsFunc(p.modules, func(other *module) bool {
		return other != m && (m.Path == "." || strings.HasPrefix(other.Path, m.Path+"/"))
	})
}

// warn adds warnings without duplicates.
func (b *run) warn(list ...string) {
	for _, w := range list {
		if !slices.Contains(b.result.Warnings, w) {
			b.result.Warnings = append(b.result.Warnings, w)
		}
	}
}
