package crossrepo

import (
	"context"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// linkedWorkspace is the code of all repositories linked as one project, with a folder for each repository. Imports that do
// not resolve within a file's own repository may resolve there.
type linkedWorkspace struct {
	repos   []*repository
	project *resolve.Project
	linker  *resolve.Linker
	heads   map[string]*code.File
	// fileImports holds the repositories that each file imports, reaches those that any file of a repository imports.
	fileImports map[string]map[int]bool
	repoImports map[int]map[int]bool
	// declares holds the top-level names in a repository's own, not generated, code.
	declares map[int]map[string]bool
	known    map[string][]resolve.Symbol // by file; cached
}

// linkRepositories resolves the imports of all repositories and prepares linking.
func linkRepositories(ctx context.Context, repos []*repository) (*linkedWorkspace, error) {
	j := &linkedWorkspace{
		repos: repos, heads: map[string]*code.File{}, fileImports: map[string]map[int]bool{}, repoImports: map[int]map[int]bool{},
		declares: map[int]map[string]bool{}, known: map[string][]resolve.Symbol{},
	}
	all, own := []*code.File{}, &codegraph.Resolution{Targets: map[string][]codegraph.Target{}}
	for _, r := range repos {
		heads, err := r.heads(ctx)
		if err != nil {
			return nil, err
		}
		for file, targets := range codegraph.Resolve(heads, r.manifests).Targets {
			own.Targets[path.Join(r.prefix, file)] = below(r.prefix, targets)
		}
		for _, h := range heads {
			h.Path = path.Join(r.prefix, h.Path)
			j.heads[h.Path] = h
		}
		j.declares[r.place] = declared(heads)
		all = append(all, heads...)
	}
	j.resolveAcross(own, codegraph.Resolve(all, j.manifests()))
	j.project = resolve.New(all, own)
	j.linker = j.project.Linker()
	return j, nil
}

// declared returns the names of types and functions in files that are not generated, of those at the top level and in namespaces.
func declared(heads []*code.File) map[string]bool {
	out := map[string]bool{}
	for _, h := range heads {
		if h.Generated || h.Facts == nil || len(h.Facts.Scopes) == 0 {
			continue
		}
		for i := range h.Facts.Scopes {
			if s := &h.Facts.Scopes[i]; s.Kind == code.FileScope || s.Kind == code.SpaceScope {
				for _, d := range named(s, "", code.DefType, code.DefFunc) {
					out[d.Name] = true
				}
			}
		}
	}
	return out
}

// below returns targets with their paths prefixed by dir.
func below(dir string, targets []codegraph.Target) []codegraph.Target {
	out := slices.Clone(targets)
	for i := range out {
		t := &out[i]
		if t.Origin != codegraph.Internal {
			continue
		}
		t.Path = path.Join(dir, t.Path)
		files := make([]string, len(t.Files))
		for k, f := range t.Files {
			files[k] = path.Join(dir, f)
		}
		t.Files = files
	}
	return out
}

// workspaceFile is the name of a virtual file that puts all Node.js packages in one workspace, so that they resolve
// each other by name. The repositories' folders are numbers, and their manifests are read first.
const workspaceFile = "pnpm-workspace.yaml"

// manifests reads the manifests of all repositories as those of one project. Read errors were reported when the
// repository was opened.
func (j *linkedWorkspace) manifests() *manifest.Manifests {
	paths := []string{workspaceFile}
	for _, r := range j.repos {
		for _, file := range r.manifestPaths() {
			paths = append(paths, path.Join(r.prefix, file))
		}
	}
	m, _ := manifest.Read(paths, func(name string) ([]byte, error) {
		if name == workspaceFile {
			return []byte("packages: ['**']"), nil
		}
		r, file := j.split(name)
		if r == nil {
			return nil, fs.ErrNotExist
		}
		return r.readFile(file)
	})
	return m
}

// split splits a path of the joint project into the repository and the path in it.
func (j *linkedWorkspace) split(name string) (*repository, string) {
	first, rest, _ := strings.Cut(name, "/")
	i, err := strconv.Atoi(first)
	if err != nil || i < 0 || i >= len(j.repos) {
		return nil, ""
	}
	if rest == "" {
		rest = "."
	}
	return j.repos[i], rest
}

// resolveAcross adds to own the targets in all of imports that are external to the file's own repository.
func (j *linkedWorkspace) resolveAcross(own, all *codegraph.Resolution) {
	for file, targets := range own.Targets {
		from, _ := j.split(file)
		for i := range targets {
			if targets[i].Origin != codegraph.External {
				continue
			}
			t := all.Target(file, i)
			if t.Origin != codegraph.Internal && j.heads[file].Language == "python" {
				t = j.single(targets[i].Package)
			}
			to := j.owner(t)
			if to == nil || to == from {
				continue
			}
			targets[i] = t
			if j.fileImports[file] == nil {
				j.fileImports[file] = map[int]bool{}
			}
			if j.repoImports[from.place] == nil {
				j.repoImports[from.place] = map[int]bool{}
			}
			j.fileImports[file][to.place], j.repoImports[from.place][to.place] = true, true
		}
	}
}

// single returns the file of a Python distribution with a single module, next to its manifest or in src there. The
// module's name must be unique.
func (j *linkedWorkspace) single(module string) codegraph.Target {
	var found []string
	for _, r := range j.repos {
		for _, p := range r.manifests.Packages() {
			for _, dir := range []string{path.Dir(p.Manifest), path.Join(path.Dir(p.Manifest), "src")} {
				file := path.Join(r.prefix, dir, module+".py")
				if j.heads[file] != nil && !slices.Contains(found, file) {
					found = append(found, file)
				}
			}
		}
	}
	if len(found) != 1 {
		return codegraph.Target{}
	}
	return codegraph.Target{Origin: codegraph.Internal, Path: found[0], Files: found}
}

// owner returns the repository that contains all files of a target, if there is only one.
func (j *linkedWorkspace) owner(t codegraph.Target) *repository {
	if t.Origin != codegraph.Internal {
		return nil
	}
	r, _ := j.split(t.Path)
	for _, f := range t.Files {
		if other, _ := j.split(f); other != r {
			return nil
		}
	}
	return r
}

// link links one file of a repository, given its complete facts.
func (j *linkedWorkspace) link(r *repository, file string, facts *code.Facts) *resolve.Result {
	return j.linker.File(path.Join(r.prefix, file), facts)
}

// symbols returns the symbols of a file, by ordinal.
func (j *linkedWorkspace) symbols(file string) []resolve.Symbol {
	list, known := j.known[file]
	if !known {
		list = j.project.Symbols(file)
		j.known[file] = list
	}
	return list
}

// target returns the repository and the node of an edge's target.
func (j *linkedWorkspace) target(ctx context.Context, e *resolve.Edge) (*repository, codegraph.Node, error) {
	r, at := j.split(e.Path)
	if r == nil || e.To == resolve.Package || e.To == resolve.ExternalType || e.To == resolve.ExternalMethod {
		return nil, codegraph.Node{}, nil
	}
	if e.To == resolve.Folder {
		n, ok := r.folderNode(at)
		if !ok {
			return nil, codegraph.Node{}, nil
		}
		return r, n, nil
	}
	nodes, err := r.nodesOf(ctx, at)
	if err != nil {
		return nil, codegraph.Node{}, err
	}
	if e.To >= len(nodes) {
		return nil, codegraph.Node{}, message.Errorf("%s of %s has no symbol %d", at, r.Name, e.To)
	}
	return r, nodes[e.To].Node, nil
}
