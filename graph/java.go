package graph

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/code"
)

// javaResolver knows Java's rules: an import names a package and a class, which
// is in a file of that package.
type javaResolver struct {
	packages map[string][]*code.File
	types    map[string][]*code.File // "package.Type"
	modules  map[string]string       // name -> its module-info.java
}

func newJavaResolver(t *tree) *javaResolver {
	r := &javaResolver{packages: map[string][]*code.File{}, types: map[string][]*code.File{}, modules: map[string]string{}}
	for _, list := range t.folders {
		for _, f := range list {
			switch {
			case f.Language != "java":
			case path.Base(f.Path) == moduleInfo:
				for _, s := range f.Symbols {
					r.modules[s.Name] = f.Path
				}
			case f.Package != "":
				r.add(f)
			}
		}
	}
	return r
}

// moduleInfo is the file that declares a module and what it requires.
const moduleInfo = "module-info.java"

func (r *javaResolver) add(f *code.File) {
	r.packages[f.Package] = append(r.packages[f.Package], f)
	names := []string{strings.TrimSuffix(path.Base(f.Path), ".java")}
	for _, s := range f.Symbols {
		if s.Kind != code.Function && s.Kind != code.Method && !slices.Contains(names, s.Name) {
			names = append(names, s.Name)
		}
	}
	for _, n := range names {
		r.types[f.Package+"."+n] = append(r.types[f.Package+"."+n], f)
	}
}

func (r *javaResolver) resolve(f *code.File, imp *code.Import) Target {
	if path.Base(f.Path) == moduleInfo {
		if file := r.modules[imp.Module]; file != "" {
			return oneFile(file)
		}
		return javaOutside(imp.Module)
	}
	name, all := imp.Module, slices.Contains(imp.Named, "*")
	if t, ok := r.class(f, name); ok {
		return t
	}
	switch files := r.packages[name]; {
	case all && len(files) > 0:
		return r.nearest(f, files)
	case all:
		return javaOutside(name)
	}
	pkg := name[:max(strings.LastIndexByte(name, '.'), 0)]
	if len(r.packages[pkg]) > 0 {
		return Target{Origin: Missing} // of one of our packages, but generated
	}
	return javaOutside(pkg)
}

// class finds the file of a class, by its full name or that of a class in it.
func (r *javaResolver) class(f *code.File, name string) (Target, bool) {
	for name != "" {
		if files := r.types[name]; len(files) > 0 {
			return r.nearest(f, files), true
		}
		if len(r.packages[name]) > 0 {
			return Target{}, false // what came after it is no class that we have
		}
		i := strings.LastIndexByte(name, '.')
		name = name[:max(i, 0)]
	}
	return Target{}, false
}

// nearest returns the files that share the most folders with f: a project may
// hold a class in two of its modules, and the nearest is the one that is compiled
// with f. They must be in one folder. Tests are meant only where nothing else is.
func (r *javaResolver) nearest(f *code.File, files []*code.File) Target {
	if slices.ContainsFunc(files, func(x *code.File) bool { return !x.Test }) {
		files = slices.DeleteFunc(slices.Clone(files), func(x *code.File) bool { return x.Test })
	}
	best := -1
	var near []string
	for _, x := range files {
		switch n := nearness(f.Path, x.Path); {
		case n > best:
			best, near = n, []string{x.Path}
		case n == best:
			near = append(near, x.Path)
		}
	}
	for _, p := range near {
		if path.Dir(p) != path.Dir(near[0]) {
			return Target{Origin: Missing}
		}
	}
	return manyFiles(near)
}

// javaOutside tells the packages and modules of the JDK from others'.
func javaOutside(name string) Target {
	if first, _, _ := strings.Cut(name, "."); first == "java" || first == "jdk" {
		return Target{Origin: Standard, Package: name}
	}
	return Target{Origin: External, Package: name}
}
