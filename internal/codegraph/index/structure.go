package index

import (
	"path"
	"slices"
	"sort"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
)

// structure holds what belongs to no single file: the project, its folders and files, and external packages.
type structure struct {
	run      *run
	packages map[string]bool   // folders that are packages in their language
	versions map[string]string // external package -> required version
	folders  []string          // sorted; without "."
	modules  []string          // source files
}

func newStructure(r *run, files []*code.File, resolved *codegraph.Resolution, m *manifest.Manifests) *structure {
	s := &structure{run: r, packages: map[string]bool{}, versions: map[string]string{}}
	s.findFolders(files)
	for _, p := range m.Packages() {
		for _, d := range p.Dependencies {
			s.versions[d.Name] = d.Version
		}
	}
	for _, targets := range resolved.Targets {
		for _, t := range targets {
			if _, known := s.versions[t.Package]; t.Origin == codegraph.External && t.Package != "" && !known {
				s.versions[t.Package] = ""
			}
		}
	}
	return s
}

// findFolders finds the folders and which of them are packages in their language.
func (s *structure) findFolders(files []*code.File) {
	for _, f := range files {
		s.modules = append(s.modules, f.Path)
		l, _ := lang.ByPath(f.Path)
		if dir := path.Dir(f.Path); dir != "." && (path.Base(f.Path) == "__init__.py" || l != nil && l.FolderIsModule) {
			s.packages[dir] = true
		}
	}
	seen := map[string]bool{}
	for _, f := range s.run.listing.Files {
		for dir := path.Dir(f.Path); dir != "." && !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = true
			s.folders = append(s.folders, dir)
		}
	}
	sort.Strings(s.folders)
}

// nodes returns the nodes in a fixed order. The function known returns the id of an existing node; others get new
// ids.
func (s *structure) nodes(known func(key string) (codegraph.ID, bool), fresh *idAllocator) []store.Node {
	var out []store.Node
	add := func(n codegraph.Node) {
		id, ok := known(structureKey(n))
		if !ok {
			id = fresh.take(1)[0]
		}
		n.ID = id
		out = append(out, store.Node{Node: n, Ordinal: len(out)})
	}
	add(codegraph.Node{Label: codegraph.LabelProject, QualifiedName: s.run.name, Name: s.run.name})
	for _, dir := range s.folders {
		n := codegraph.Node{Label: codegraph.LabelFolder, QualifiedName: s.run.name + "/" + dir, Name: path.Base(dir), Path: dir}
		if s.packages[dir] {
			n.Label, n.QualifiedName = codegraph.LabelPackage, dotted(s.run.name, dir)
		}
		add(n)
	}
	for _, f := range s.run.listing.Files {
		n := codegraph.Node{Label: codegraph.LabelFile, QualifiedName: s.run.name + "/" + f.Path, Name: path.Base(f.Path), Path: f.Path}
		if l, ok := lang.ByPath(f.Path); ok {
			n.Language = l.Name
		}
		add(n)
	}
	for _, name := range s.external() {
		add(codegraph.Node{Label: codegraph.LabelExternalPackage, QualifiedName: "external:" + name, Name: name, Version: s.versions[name]})
	}
	return out
}

// structureKey returns the key by which a node of the structure keeps its id.
func structureKey(n codegraph.Node) string { return string(n.Label) + "\x00" + n.QualifiedName }

func (s *structure) external() []string {
	names := make([]string, 0, len(s.versions))
	for name := range s.versions {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// enter adds the nodes of the structure to places.
func (s *structure) enter(p *places, nodes []store.Node) {
	for _, n := range nodes {
		switch n.Label {
		case codegraph.LabelProject:
			p.folders["."] = n.ID
		case codegraph.LabelFolder, codegraph.LabelPackage:
			p.folders[n.Path] = n.ID
		case codegraph.LabelFile:
			p.listed[n.Path] = n.ID
		case codegraph.LabelExternalPackage:
			p.packages[n.Name] = n.ID
		default:
		}
	}
}

// edges returns the containment edges and the project's dependencies.
func (s *structure) edges(p *places) ([]store.Edge, error) {
	var out []store.Edge
	add := func(from codegraph.ID, t codegraph.Relationship, to codegraph.ID) {
		out = append(out, store.Edge{Edge: codegraph.Edge{From: from, To: to, Type: t, Count: 1, Rule: "file", Confidence: 1}})
	}
	for _, dir := range s.folders {
		t := codegraph.ContainsFolder
		if s.packages[dir] {
			t = codegraph.ContainsPackage
		}
		add(p.folders[path.Dir(dir)], t, p.folders[dir])
	}
	for _, f := range s.run.listing.Files {
		add(p.folders[path.Dir(f.Path)], codegraph.ContainsFile, p.listed[f.Path])
	}
	for _, file := range s.modules {
		id, err := p.symbol(file, 0)
		if err != nil {
			return nil, err
		}
		add(p.folders[path.Dir(file)], codegraph.ContainsModule, id)
	}
	for _, name := range s.external() {
		add(p.folders["."], codegraph.DependsOnExternal, p.packages[name])
	}
	return out, nil
}
