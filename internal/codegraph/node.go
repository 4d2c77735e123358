package codegraph

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
)

// nodeResolver implements the rules of TypeScript and JavaScript: paths with omitted or output extensions, the path
// mappings of tsconfig.json, and the packages of the project by name.
type nodeResolver struct {
	tree       *tree
	packages   []manifest.NodePackage
	workspaces []manifest.NodeWorkspace
	configs    []manifest.TSConfig // tsconfig.json and jsconfig.json
	others     map[string]*manifest.TSConfig
}

func newNodeResolver(t *tree, m *manifest.Manifests) *nodeResolver {
	r := &nodeResolver{tree: t, packages: m.NodePackages, workspaces: m.Workspaces, others: map[string]*manifest.TSConfig{}}
	for i, c := range m.Configs {
		r.others[c.Path] = &m.Configs[i]
		if base := path.Base(c.Path); base == "tsconfig.json" || base == "jsconfig.json" {
			r.configs = append(r.configs, c)
		}
	}
	// tsconfig.json takes precedence over jsconfig.json in the same folder.
	slices.SortStableFunc(r.configs, func(a, b manifest.TSConfig) int { return -strings.Compare(path.Base(a.Path), path.Base(b.Path)) })
	return r
}

// extensions are tried for a path without extension, in TypeScript's order.
var extensions = []string{".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mts", ".cts", ".d.mts", ".d.cts", ".mjs", ".cjs"}

// sources maps the extension of a compiled file to those of its sources and declarations, its own last.
var sources = []struct {
	compiled string
	from     []string
}{
	{".js", []string{".ts", ".tsx", ".d.ts", ".js", ".jsx"}},
	{".jsx", []string{".tsx", ".ts", ".d.ts", ".jsx", ".js"}},
	{".mjs", []string{".mts", ".d.mts", ".mjs"}},
	{".cjs", []string{".cts", ".d.cts", ".cjs"}},
}

func (r *nodeResolver) resolve(f *code.File, imp *code.Import) Target {
	spec, _, _ := strings.Cut(imp.Module, "?") // bundlers allow options after the name
	switch {
	case manifest.Local(spec):
		return r.path(path.Join(path.Dir(f.Path), spec), strings.HasSuffix(spec, "/") || spec == "." || strings.HasSuffix(spec, ".."))
	case spec == "" || strings.HasPrefix(spec, "/"):
		return Target{Origin: Missing}
	}
	if t, ok := r.mapped(f.Path, spec); ok {
		return t
	}
	if strings.HasPrefix(spec, "#") {
		return r.ownImport(f.Path, spec)
	}
	name := packageName(spec)
	if t, ok := r.project(f.Path, spec, name); ok {
		return t
	}
	bare := strings.TrimPrefix(spec, "node:")
	if first, _, _ := strings.Cut(bare, "/"); bare != spec || slices.Contains(nodeBuiltins, first) {
		return Target{Origin: Standard, Package: bare}
	}
	return Target{Origin: External, Package: name}
}

// packageName returns the "@scope/name" or "name" of a specifier.
func packageName(spec string) string {
	n := 1
	if strings.HasPrefix(spec, "@") {
		n = 2
	}
	return strings.Join(firstN(strings.Split(spec, "/"), n), "/")
}

// path resolves a path of the project.
func (r *nodeResolver) path(p string, folder bool) Target {
	if manifest.Outside(p) {
		return Target{Origin: Missing}
	}
	if !folder {
		if file, ok := r.file(p); ok {
			return oneFile(file)
		}
	}
	if file, ok := r.index(p); ok {
		return oneFile(file)
	}
	return Target{Origin: Missing}
}

// file finds the file of a path with or without its extension.
func (r *nodeResolver) file(p string) (string, bool) {
	for _, s := range sources {
		stem, ok := strings.CutSuffix(p, s.compiled)
		if !ok {
			continue
		}
		for _, ext := range s.from {
			if r.tree.has(stem + ext) {
				return stem + ext, true
			}
		}
	}
	if r.tree.has(p) {
		return p, true
	}
	for _, ext := range extensions {
		if r.tree.has(p + ext) {
			return p + ext, true
		}
	}
	return "", false
}

// index finds the entry file of a folder: by its package.json, or its index.
func (r *nodeResolver) index(dir string) (string, bool) {
	if !r.tree.below[dir] {
		return "", false
	}
	for i := range r.packages {
		if p := &r.packages[i]; p.Dir == dir {
			for _, entry := range p.Entries {
				if file, ok := r.file(path.Join(dir, entry)); ok {
					return file, true
				}
			}
		}
	}
	return r.file(path.Join(dir, "index"))
}

// mapped resolves a specifier by the path mappings and baseUrl of the file's configuration. If they lead to no file
// of the project, the later rules apply if a manifest requires such a package; else the target is missing.
func (r *nodeResolver) mapped(file, spec string) (Target, bool) {
	best := manifest.Deepest(r.configs, func(c manifest.TSConfig) string { return c.Dir }, file)
	if best < 0 {
		return Target{}, false
	}
	ours := false
	for _, c := range r.withReferences(&r.configs[best]) {
		paths, mapped := candidates(c, spec)
		ours = ours || mapped
		for _, p := range paths {
			if t := r.path(p, false); t.Origin == Internal {
				return t, true
			}
		}
	}
	return Target{Origin: Missing}, ours && !r.required(file, packageName(spec))
}

// required reports whether a package above the file depends on the named one.
func (r *nodeResolver) required(file, name string) bool {
	return slices.ContainsFunc(r.packages, func(p manifest.NodePackage) bool {
		return manifest.Within(file, p.Dir) && (p.Name == name || slices.ContainsFunc(p.Requires, func(q manifest.Requirement) bool { return q.Name == name }))
	})
}

// withReferences returns a configuration and, if it only references others of its folder (as project templates do),
// those.
func (r *nodeResolver) withReferences(c *manifest.TSConfig) []*manifest.TSConfig {
	out := []*manifest.TSConfig{c}
	for _, ref := range c.References {
		for _, name := range []string{ref, path.Join(ref, "tsconfig.json")} {
			if other := r.others[name]; other != nil && other.Dir == c.Dir && other != c {
				out = append(out, other)
			}
		}
	}
	return out
}

// candidates returns the possible paths of a specifier: those of the best matching mapping, then the one below
// baseUrl. Mapped reports whether a mapping other than "*" matches.
func candidates(c *manifest.TSConfig, spec string) (out []string, mapped bool) {
	best, star := -1, ""
	for i, m := range c.Paths {
		before, after, starred := strings.Cut(m.Pattern, "*")
		switch {
		case !starred && m.Pattern == spec:
			return append(slices.Clone(m.Targets), underBase(c, spec)...), true
		case !starred, len(spec) < len(before)+len(after), !strings.HasPrefix(spec, before), !strings.HasSuffix(spec, after):
		case best < 0 || len(before) > strings.Index(c.Paths[best].Pattern, "*"):
			best, star = i, spec[len(before):len(spec)-len(after)]
		}
	}
	if best >= 0 {
		for _, t := range c.Paths[best].Targets {
			out = append(out, path.Clean(strings.Replace(t, "*", star, 1)))
		}
	}
	return append(out, underBase(c, spec)...), best >= 0 && c.Paths[best].Pattern != "*"
}

func underBase(c *manifest.TSConfig, spec string) []string {
	if !c.HasBase {
		return nil
	}
	return []string{path.Join(c.BaseURL, spec)}
}

// ownImport resolves "#name" by the imports field of the file's package.
func (r *nodeResolver) ownImport(file, spec string) Target {
	i := manifest.Deepest(r.packages, manifest.NodePackage.Folder, file)
	if i < 0 {
		return Target{Origin: Missing}
	}
	p := &r.packages[i]
	entry, star, ok := manifest.Lookup(p.Imports, spec)
	if !ok {
		return Target{Origin: Missing}
	}
	for _, leaf := range manifest.Leaves(entry, star) {
		if !manifest.Local(leaf) {
			return Target{Origin: External, Package: packageName(leaf)}
		}
		if t := r.entries(p, []string{leaf}); t.Origin == Internal {
			return t
		}
	}
	return Target{Origin: Missing}
}

// project resolves a specifier that begins with the name of a package of the project: the file's own, one of its
// workspace, or a linked one.
func (r *nodeResolver) project(file, spec, name string) (Target, bool) {
	own := manifest.Deepest(r.packages, manifest.NodePackage.Folder, file)
	if own < 0 {
		return Target{}, false
	}
	for i := range r.packages {
		p := &r.packages[i]
		member := p.Member >= 0 && p.Member == r.packages[own].Member
		linked := r.packages[own].Linked[name] == p.Dir
		if p.Name == name && (i == own || member) || linked {
			return r.ofPackage(p, strings.TrimPrefix(spec, name)), true
		}
	}
	return Target{}, false
}

// ofPackage resolves the rest of a specifier after the package's name: "" or "/sub/path". If the entry of the
// package is unknown, the target is its folder without files.
func (r *nodeResolver) ofPackage(p *manifest.NodePackage, sub string) Target {
	if entry, star, ok := manifest.Lookup(p.Exports, "."+sub); ok {
		if t := r.entries(p, manifest.Leaves(entry, star)); t.Origin == Internal {
			return t
		}
	}
	if sub != "" {
		return r.entries(p, []string{"." + sub})
	}
	if t := r.entries(p, append(slices.Clone(p.Entries), "./index")); t.Origin == Internal {
		return t
	}
	return Target{Origin: Internal, Path: p.Dir}
}

// entries finds the file that an entry of a package.json names or, if none of them is in the project, is compiled
// from.
func (r *nodeResolver) entries(p *manifest.NodePackage, leaves []string) Target {
	for _, leaf := range leaves {
		if t := r.path(path.Join(p.Dir, leaf), false); t.Origin == Internal {
			return t
		}
	}
	for _, leaf := range leaves {
		if t := r.sourceOf(p, path.Join(p.Dir, leaf)); t.Origin == Internal {
			return t
		}
	}
	return Target{Origin: Missing}
}

// outputs are common names of build output folders.
var outputs = strings.Fields("dist lib build out output es esm cjs mjs umd types typings module commonjs legacy modern")

// sourceOf finds the source of a compiled file: by TypeScript's outDir and rootDir, else by the same path below src
// or the package's folder, without leading output folders.
func (r *nodeResolver) sourceOf(p *manifest.NodePackage, file string) Target {
	for _, ext := range []string{".d.ts", ".d.mts", ".d.cts", ".js", ".mjs", ".cjs"} {
		if stem, ok := strings.CutSuffix(file, ext); ok {
			file = stem
			break
		}
	}
	if i := manifest.Deepest(r.configs, func(c manifest.TSConfig) string { return c.Dir }, p.Path); i >= 0 {
		if c := r.configs[i]; c.OutDir != "" && c.RootDir != "" && manifest.Within(file, c.OutDir) {
			if t := r.path(path.Join(c.RootDir, manifest.RelativeTo(file, c.OutDir)), false); t.Origin == Internal {
				return t
			}
		}
	}
	rest := strings.Split(manifest.RelativeTo(file, p.Dir), "/")
	for {
		for _, dir := range []string{"src", "."} {
			if t := r.path(path.Join(p.Dir, dir, path.Join(rest...)), false); t.Origin == Internal {
				return t
			}
		}
		if len(rest) < 2 || !slices.Contains(outputs, rest[0]) {
			return Target{Origin: Missing}
		}
		rest = rest[1:]
	}
}

// nodeBuiltins are the modules of Node.js that need no "node:" (version 24, module.builtinModules). Those of Deno
// and Bun have a scheme.
var nodeBuiltins = strings.Fields(`assert async_hooks buffer child_process cluster console constants crypto
	dgram diagnostics_channel dns domain events fs http http2 https inspector module net os path perf_hooks
	process punycode querystring readline repl stream string_decoder sys timers tls trace_events tty url util
	v8 vm wasi worker_threads zlib`)
