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
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// joint is the code of all repositories, linked as if it were one project: each
// repository is a folder of it. What a file's own repository does not know, such as
// the package of another that it imports, may be known there.
type joint struct {
	repos   []*repository
	project *resolve.Project
	linker  *resolve.Linker
	heads   map[string]*code.File
	// crosses tells which repositories a file imports, and reaches which one its
	// whole repository does.
	crosses map[string]map[int]bool
	reaches map[int]map[int]bool
	// declares holds the names that a repository's own code, not generated, binds at
	// the top of its files.
	declares map[int]map[string]bool
	known    map[string][]resolve.Symbol // of files, as they were asked for
}

// join resolves the imports of all repositories and makes their code ready.
func join(ctx context.Context, repos []*repository) (*joint, error) {
	j := &joint{
		repos: repos, heads: map[string]*code.File{}, crosses: map[string]map[int]bool{}, reaches: map[int]map[int]bool{},
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
	j.cross(own, codegraph.Resolve(all, j.manifests()))
	j.project = resolve.New(all, own)
	j.linker = j.project.Linker()
	return j, nil
}

// declared returns the names of types and functions at the top of files that are not
// generated.
func declared(heads []*code.File) map[string]bool {
	out := map[string]bool{}
	for _, h := range heads {
		if h.Generated || h.Facts == nil || len(h.Facts.Scopes) == 0 {
			continue
		}
		for _, d := range h.Facts.Scopes[0].Defs {
			if d.Kind == code.DefType || d.Kind == code.DefFunc {
				out[d.Name] = true
			}
		}
	}
	return out
}

// below returns targets with their paths below a folder.
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

// workspaceFile makes one workspace of all packages of Node.js, so that they find
// each other by name. It is read after the manifests of the repositories, whose
// folders are numbers, and counts for that.
const workspaceFile = "pnpm-workspace.yaml"

// manifests reads the manifests of all repositories as those of one project. What
// cannot be read was told of when the repository was opened.
func (j *joint) manifests() *codegraph.Manifests {
	paths := []string{workspaceFile}
	for _, r := range j.repos {
		for _, file := range r.manifestPaths() {
			paths = append(paths, path.Join(r.prefix, file))
		}
	}
	m, _ := codegraph.ReadManifests(paths, func(name string) ([]byte, error) {
		if name == workspaceFile {
			return []byte("packages: ['**']"), nil
		}
		r, file := j.split(name)
		if r == nil {
			return nil, fs.ErrNotExist
		}
		return r.project.ReadFile(file)
	})
	return m
}

// split returns the repository of a path of the joint project, and the path in it.
func (j *joint) split(name string) (*repository, string) {
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

// cross puts into own what the joint project knows of imports that the file's own
// repository takes for another's.
func (j *joint) cross(own, all *codegraph.Resolution) {
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
			if j.crosses[file] == nil {
				j.crosses[file] = map[int]bool{}
			}
			if j.reaches[from.place] == nil {
				j.reaches[from.place] = map[int]bool{}
			}
			j.crosses[file][to.place], j.reaches[from.place][to.place] = true, true
		}
	}
}

// single returns the file of a Python distribution that is one module: no package
// shows where its code begins, but that the module stands beside its manifest, or in
// src there. It must be the only one of that name.
func (j *joint) single(module string) codegraph.Target {
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

// owner returns the one repository that a target is in.
func (j *joint) owner(t codegraph.Target) *repository {
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

// link links one file of a repository by its whole facts.
func (j *joint) link(r *repository, file string, facts *code.Facts) *resolve.Result {
	return j.linker.File(path.Join(r.prefix, file), facts)
}

// symbols returns the symbols of a file, by ordinals.
func (j *joint) symbols(file string) []resolve.Symbol {
	list, known := j.known[file]
	if !known {
		list = j.project.Symbols(file)
		j.known[file] = list
	}
	return list
}

// target returns what an edge leads to: the repository and the node there.
func (j *joint) target(ctx context.Context, e *resolve.Edge) (*repository, codegraph.Node, error) {
	r, at := j.split(e.Path)
	if r == nil || e.To == resolve.Package {
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
