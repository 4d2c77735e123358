package codegraph

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// jvmResolver implements the rules of Java, Kotlin and Scala, which share packages: an import names a package and
// something in it, a class or, except in Java, a function or value, declared in a file of that package.
type jvmResolver struct {
	packages map[string][]*code.File
	names    map[string][]*code.File // "package.Type"
	modules  map[string]string       // name -> its module-info.java
}

func newJVMResolver(t *tree) *jvmResolver {
	r := &jvmResolver{packages: map[string][]*code.File{}, names: map[string][]*code.File{}, modules: map[string]string{}}
	for _, list := range t.folders {
		for _, f := range list {
			switch {
			case !slices.Contains([]string{"java", "kotlin", "scala"}, f.Language):
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

// moduleInfo is the name of a Java module declaration.
const moduleInfo = "module-info.java"

func (r *jvmResolver) add(f *code.File) {
	r.packages[f.Package] = append(r.packages[f.Package], f)
	var names []string
	if f.Language == "java" {
		names = append(names, strings.TrimSuffix(path.Base(f.Path), ".java"))
	}
	for _, s := range f.Symbols {
		name := s.Name[strings.LastIndexByte(s.Name, '.')+1:] // of an extension, without its receiver
		if inJava := f.Language == "java"; (!inJava || s.Kind != code.Function && s.Kind != code.Method) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, n := range names {
		r.names[f.Package+"."+n] = append(r.names[f.Package+"."+n], f)
	}
}

func (r *jvmResolver) resolve(f *code.File, imp *code.Import) Target {
	if path.Base(f.Path) == moduleInfo {
		if file := r.modules[imp.Module]; file != "" {
			return oneFile(file)
		}
		return jvmOutside(imp.Module)
	}
	if f.Language == "scala" {
		return r.scala(f, imp)
	}
	return r.named(f, imp.Module, slices.Contains(imp.Named, "*"))
}

// named resolves a full name, or all members of a package or class.
func (r *jvmResolver) named(f *code.File, name string, all bool) Target {
	if t, ok := r.class(f, name); ok {
		return t
	}
	switch files := r.packages[name]; {
	case all && len(files) > 0:
		return r.nearest(f, files)
	case all:
		return jvmOutside(name)
	}
	pkg := name[:max(strings.LastIndexByte(name, '.'), 0)]
	if len(r.packages[pkg]) > 0 {
		return Target{Origin: Missing} // generated code of one of our packages
	}
	return jvmOutside(pkg)
}

// scala resolves an import of several names, whose path may be relative to any of the enclosing packages.
func (r *jvmResolver) scala(f *code.File, imp *code.Import) Target {
	module, absolute := strings.CutPrefix(imp.Module, "_root_.")
	t := Target{Origin: Missing}
	var files []string
	for around := f.Package; ; around = around[:max(strings.LastIndexByte(around, '.'), 0)] {
		prefix := around + "."
		if around == "" || absolute {
			prefix, around = "", ""
		}
		for _, name := range imp.Named {
			full, all := prefix+module+"."+name, name == "*" || name == "given"
			if all {
				full = prefix + module
			}
			if found := r.named(f, full, all); found.Origin == Internal {
				files = append(files, found.Files...)
			} else if around == "" {
				t = found
			}
		}
		if len(files) > 0 {
			return manyFiles(files)
		}
		if around == "" {
			return t
		}
	}
}

// class finds the file of a class or nested class by its full name.
func (r *jvmResolver) class(f *code.File, name string) (Target, bool) {
	for name != "" {
		if files := r.names[name]; len(files) > 0 {
			return r.nearest(f, files), true
		}
		if len(r.packages[name]) > 0 {
			return Target{}, false // no known class is a prefix
		}
		i := strings.LastIndexByte(name, '.')
		name = name[:max(i, 0)]
	}
	return Target{}, false
}

// nearest returns the files that share the most folders with f: a project may declare a class in two of its
// modules, and the nearest is compiled with f. The files must be in one folder. Test files are returned only if
// there are no others.
func (r *jvmResolver) nearest(f *code.File, files []*code.File) Target {
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

// jvmOutside distinguishes the standard libraries from third-party packages.
func jvmOutside(name string) Target {
	if first, _, _ := strings.Cut(name, "."); slices.Contains([]string{"java", "jdk", "kotlin", "scala"}, first) {
		return Target{Origin: Standard, Package: name}
	}
	return Target{Origin: External, Package: name}
}
