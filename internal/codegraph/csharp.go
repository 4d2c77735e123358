package codegraph

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
)

// csharpResolver implements the rules of C#: a using directive names a namespace, that is all files that declare
// something in it, or a type.
type csharpResolver struct {
	namespaces map[string][]string // namespace -> files
	types      map[string][]string // "Namespace.Type" -> files
	packages   []string            // required by the projects, longest names first
}

func newCsharpResolver(t *tree, m *manifest.Manifests) *csharpResolver {
	r := &csharpResolver{namespaces: map[string][]string{}, types: map[string][]string{}}
	for _, f := range t.files {
		if f.Language != "csharp" {
			continue
		}
		for _, s := range f.Symbols {
			full := s.Name
			if !strings.Contains(full, ".") && f.Package != "" {
				full = f.Package + "." + full
			}
			r.types[full] = append(r.types[full], f.Path)
			if i := strings.LastIndexByte(full, '.'); i > 0 && !slices.Contains(r.namespaces[full[:i]], f.Path) {
				r.namespaces[full[:i]] = append(r.namespaces[full[:i]], f.Path)
			}
		}
	}
	for _, x := range m.DotNet {
		for _, q := range x.Requires {
			r.packages = append(r.packages, q.Name)
		}
	}
	slices.SortFunc(r.packages, func(a, b string) int { return len(b) - len(a) })
	return r
}

func (r *csharpResolver) resolve(f *code.File, imp *code.Import) Target {
	name := strings.TrimPrefix(imp.Module, "global::")
	name, _, _ = strings.Cut(name, "<")
	around := f.Package
	for { // a name is relative to any of the enclosing namespaces
		full := strings.TrimPrefix(around+"."+name, ".")
		if files := r.types[full]; len(files) > 0 {
			return manyFiles(slices.Clone(files))
		}
		if files := r.namespaces[full]; len(files) > 0 {
			return manyFiles(slices.Clone(files))
		}
		if around == "" {
			return r.outside(name)
		}
		around = around[:max(strings.LastIndexByte(around, '.'), 0)]
	}
}

// outside tells .NET's own namespaces from those of packages, which mostly begin with the name of their package.
func (r *csharpResolver) outside(name string) Target {
	for _, p := range r.packages {
		if p != "" && manifest.Within(strings.ReplaceAll(name, ".", "/"), strings.ReplaceAll(p, ".", "/")) {
			return Target{Origin: External, Package: p}
		}
	}
	first, _, _ := strings.Cut(name, ".")
	if slices.Contains([]string{"System", "Microsoft", "Windows"}, first) {
		return Target{Origin: Standard, Package: name}
	}
	return Target{Origin: External, Package: name}
}
