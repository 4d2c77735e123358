package codegraph

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
)

// phpResolver implements the rules of PHP: use names a class, function or constant of a namespace, declared in some
// file; include and require name a file.
type phpResolver struct {
	tree    *tree
	names   map[string][]string // lower-case `Namespace\Name`, as PHP ignores case -> files
	folders map[string]bool     // declared namespaces, in lower case
	mapped  []manifest.PHPPrefix
}

func newPHPResolver(t *tree, m *manifest.Manifests) *phpResolver {
	r := &phpResolver{tree: t, names: map[string][]string{}, folders: map[string]bool{}}
	for _, f := range t.files {
		if f.Language != "php" {
			continue
		}
		if f.Package != "" {
			r.folders[strings.ToLower(f.Package)] = true
		}
		for _, s := range f.Symbols {
			full := s.Name
			if !strings.Contains(full, `\`) && f.Package != "" {
				full = f.Package + `\` + full
			}
			full = strings.ToLower(full)
			r.names[full] = append(r.names[full], f.Path)
		}
	}
	for _, x := range m.Composer {
		r.mapped = append(r.mapped, x.Autoload...)
	}
	slices.SortStableFunc(r.mapped, func(a, b manifest.PHPPrefix) int { return len(b.Namespace) - len(a.Namespace) })
	return r
}

func (r *phpResolver) resolve(f *code.File, imp *code.Import) Target {
	if imp.Kind == code.RequireImport {
		return r.file(f, imp)
	}
	name := strings.TrimPrefix(imp.Module, `\`)
	if files := r.names[strings.ToLower(name)]; len(files) > 0 {
		return manyFiles(slices.Clone(files))
	}
	for _, p := range r.mapped {
		if rest, ok := strings.CutPrefix(name, p.Namespace); ok {
			if file := path.Join(p.Dir, strings.ReplaceAll(rest, `\`, "/")+".php"); r.tree.has(file) {
				return oneFile(file)
			}
			return Target{Origin: Missing}
		}
	}
	namespace, _, nested := cutLast(name, `\`)
	switch {
	case !nested: // without a namespace: built in, unless a file here declares it
		return Target{Origin: Standard, Package: name}
	case r.folders[strings.ToLower(name)]: // a namespace, as a prefix for names
		return Target{Origin: Unknown}
	case r.folders[strings.ToLower(namespace)]:
		return Target{Origin: Missing}
	}
	vendor := firstN(strings.Split(name, `\`), 2)
	return Target{Origin: External, Package: strings.Join(vendor, `\`)}
}

// file resolves include or require: a path relative to the file's folder or to the project's, which is often on the
// include path.
func (r *phpResolver) file(f *code.File, imp *code.Import) Target {
	if file, ok := r.tree.first(path.Join(path.Dir(f.Path), imp.Module), path.Clean(imp.Module)); ok {
		return oneFile(file)
	}
	return Target{Origin: Missing}
}

// cutLast cuts s around the last instance of sep.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
