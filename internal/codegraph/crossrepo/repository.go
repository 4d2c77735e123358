package crossrepo

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/index"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
)

// repository is an open repository of a federation.
type repository struct {
	RepositoryConfig
	place     int               // index in the federation
	prefix    string            // its folder in the joint project
	project   *project.Project  // nil for one of a shared store, see link.go
	texts     map[string][]byte // the manifests and contracts of one of a shared store, by path
	trace     trace             // of one of a shared store
	store     store.Store
	stored    store.Graph
	listing   *project.Listing
	parser    *source.Parser
	files     []store.File
	ids       map[string]store.FileID
	nodes     map[string][]store.Node // by file; cached
	structure []store.Node            // the nodes of the project, its folders and files
	manifests *manifest.Manifests
	contracts []Contract
	services  services // services of its generated code
	used      hashes   // cached
	summary   *index.Summary
	warnings  []string
}

// open indexes a repository and opens its graph.
func open(ctx context.Context, s store.Store, c RepositoryConfig, place int, opts index.Options) (r *repository, err error) {
	r = &repository{RepositoryConfig: c, place: place, prefix: strconv.Itoa(place), store: s, ids: map[string]store.FileID{}, nodes: map[string][]store.Node{}}
	defer func() {
		if err != nil {
			err = errors.Join(message.Errorf("repository %s: %w", c.Name, err), r.close())
		}
	}()
	if r.project, err = project.Open(c.Path); err != nil {
		return r, err
	}
	if r.summary, err = index.Run(ctx, r.project, s, opts); err != nil {
		return r, err
	}
	if r.stored, err = s.Open(ctx, r.project.Root()); err != nil {
		return r, err
	}
	if r.listing, err = r.project.List(ctx, "."); err != nil {
		return r, err
	}
	r.parser = source.NewParser(r.project, r.listing)
	if r.files, err = r.stored.Files(ctx); err != nil {
		return r, err
	}
	for _, f := range r.files {
		r.ids[f.Path] = f.ID
	}
	if len(r.files) > 0 { // otherwise the warning is that there is no code, which contracts do not need
		r.warnings = append(r.warnings, r.summary.Warnings...)
	}
	if r.structure, err = r.stored.NodesOf(ctx, 0); err != nil {
		return r, err
	}
	if r.manifests, err = manifest.Read(r.manifestPaths(), r.project.ReadFile); err != nil {
		r.warnings = append(r.warnings, message.Render(message.From(ctx), err))
	}
	return r, nil
}

func (r *repository) close() error {
	var err error
	if r.stored != nil {
		err = r.stored.Close()
	}
	if r.project != nil {
		err = errors.Join(err, r.project.Close())
	}
	return err
}

// manifestPaths returns the manifests of the project's own packages.
func (r *repository) manifestPaths() []string {
	return r.listed(manifest.IsManifest)
}

// listed returns the project's own files that fit; of one in a shared store, its manifests and contracts.
func (r *repository) listed(fits func(file string) bool) []string {
	if r.project == nil {
		return slices.DeleteFunc(slices.Sorted(maps.Keys(r.texts)), func(file string) bool { return !fits(file) })
	}
	var out []string
	for _, f := range r.listing.Files {
		if fits(f.Path) && !r.parser.Vendored(f.Path) {
			out = append(out, f.Path)
		}
	}
	return out
}

// readFile returns the content of a file; of a repository in a shared store, of a manifest or contract.
func (r *repository) readFile(name string) ([]byte, error) {
	if r.project != nil {
		return r.project.ReadFile(name)
	}
	if text, ok := r.texts[name]; ok {
		return text, nil
	}
	return nil, fs.ErrNotExist
}

// root returns the folder of the repository; "" for one of a shared store.
func (r *repository) root() string {
	if r.project == nil {
		return ""
	}
	return r.project.Root()
}

// heads returns the heads of the files' facts.
func (r *repository) heads(ctx context.Context) ([]*code.File, error) {
	var heads []*code.File
	err := r.stored.Facts(ctx, nil, func(_ store.FileID, facts []byte) error {
		head, err := code.DecodeHead(facts)
		heads = append(heads, head)
		return err
	})
	return heads, err
}

// nodesOf returns the nodes of a file, sorted by ordinal.
func (r *repository) nodesOf(ctx context.Context, file string) ([]store.Node, error) {
	if nodes, known := r.nodes[file]; known {
		return nodes, nil
	}
	id, there := r.ids[file]
	if !there {
		return nil, nil
	}
	nodes, err := r.stored.NodesOf(ctx, id)
	if err == nil {
		r.nodes[file] = nodes
	}
	return nodes, err
}

// folderNode returns the node of a folder; for ".", of the project.
func (r *repository) folderNode(dir string) (codegraph.Node, bool) {
	for _, n := range r.structure {
		switch n.Label {
		case codegraph.LabelProject:
			if dir == "." {
				return n.Node, true
			}
		case codegraph.LabelFolder, codegraph.LabelPackage:
			if n.Path == dir {
				return n.Node, true
			}
		default:
		}
	}
	return codegraph.Node{}, false
}

// fileNode returns the node of a file.
func (r *repository) fileNode(file string) (codegraph.Node, bool) {
	i := slices.IndexFunc(r.structure, func(n store.Node) bool { return n.Label == codegraph.LabelFile && n.Path == file })
	if i < 0 {
		return codegraph.Node{}, false
	}
	return r.structure[i].Node, true
}

// depends reports whether a manifest of the repository requires a package that the other one publishes.
func (r *repository) depends(other *repository) bool {
	theirs := map[string]bool{}
	for _, p := range other.manifests.Packages() {
		if name := normalizeName(cmp.Or(p.ImportPath, p.Name)); name != "" {
			theirs[ecosystem(p.Manifest)+" "+name] = true
		}
	}
	for _, p := range r.manifests.Packages() {
		for _, d := range p.Dependencies {
			if theirs[ecosystem(p.Manifest)+" "+normalizeName(d.Name)] {
				return true
			}
		}
	}
	return false
}

// ecosystem returns where the packages of a manifest are from: two of one name may be of two.
func ecosystem(file string) string {
	base := path.Base(file)
	switch {
	case base == "pyproject.toml", base == "setup.py", base == "setup.cfg", base == "Pipfile", strings.HasSuffix(base, ".txt"):
		return "python"
	case base == "pom.xml", strings.Contains(base, ".gradle"):
		return "java"
	case strings.HasSuffix(base, "proj"), strings.HasSuffix(base, ".props"):
		return "dotnet"
	}
	return base
}

// published returns the names by which other repositories import this one, from its manifests.
func (r *repository) published() []string {
	var out []string
	for _, p := range r.manifests.Packages() {
		if name := cmp.Or(p.ImportPath, p.Name); name != "" {
			out = append(out, path.Base(p.Manifest)+" "+name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
