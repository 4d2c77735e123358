package resolve

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// jvmFamily is the family of Java, Kotlin and Scala, which share packages.
const jvmFamily = "jvm"

// jvmLanguage is the common part of these languages.
func jvmLanguage() *language {
	return &language{
		family: jvmFamily, space: jvmSpace, near: jvmNearest, imported: jvmImported, outer: jvmOuter, member: jvmMember,
		result: jvmResult, passed: jvmPassed, element: jvmElement, generic: jvmGeneric, choose: jvmChoose,
		implicitThis: true, holds: true, functionsApart: true, delegates: true, overloads: true, common: jvmCommon, has: jvmHas, anyMethod: true,
		constructors: []string{constructorName + called}, ownConstructors: true,
	}
}

// jvmSpace returns the declared package of a file; a file without one sees those of its folder.
func jvmSpace(u *unit) string {
	if u.file.Package != "" {
		return u.file.Package
	}
	return "/" + strings.Replace(path.Dir(u.file.Path), "src/test/", "src/main/", 1) // the tests of the unnamed package see it
}

// jvmNearest selects among types that a package declares repeatedly, in separate modules: those that share the most
// folders with a file, then those in the folder with the most files.
func jvmNearest(l *Linker, u *unit, found values) values {
	rank := func(v value) int {
		file := v.decl.unit.file.Path
		return nearness(u.file.Path, file)<<16 + min(l.project.folders[path.Dir(file)], 1<<16-1)
	}
	best := -1
	for _, v := range found {
		if v.kind == typeValue {
			best = max(best, rank(v))
		}
	}
	return slices.DeleteFunc(slices.Clone(found), func(v value) bool { return v.kind == typeValue && rank(v) < best })
}

// jvmImported returns the meaning of an import's full name.
func jvmImported(l *Linker, u *unit, b binding) values {
	if found := jvmPath(l, u, b.name); len(found) > 0 {
		return found
	}
	return values{externalOf(strings.TrimSuffix(b.name, called))}
}

// jvmPath returns the meaning of a full name: a member of a package, or of a type in it. The longest existing
// package is used.
func jvmPath(l *Linker, u *unit, name string) values {
	if l.project.packages[name] {
		return values{{kind: space, unit: u, name: name}}
	}
	for pkg := name; ; {
		i := strings.LastIndexByte(pkg, '.')
		if i < 0 {
			return nil
		}
		pkg = pkg[:i]
		if l.project.spaces[spaceKey{jvmFamily, pkg}] == nil {
			continue
		}
		parts := strings.Split(name[i+1:], ".")
		found := jvmNearest(l, u, l.spaceMember(jvmFamily, pkg, parts[0]))
		for _, part := range parts[1:] {
			found = l.members(found, part)
		}
		return found
	}
}

// jvmOuter looks up a name in star imports, as the first part of a package's name, and among names visible
// everywhere.
func jvmOuter(l *Linker, u *unit, _ int32, name string) values {
	var out values
	outside := ""
	for i := range u.file.Imports {
		imp := &u.file.Imports[i]
		if !slices.Contains(imp.Named, "*") {
			continue
		}
		module := imp.Module
		if found := jvmPath(l, u, module+"."+name); len(found) > 0 {
			out = out.add(found.by(Star)...)
		} else if !jvmKnown(l, module) {
			outside = module
		}
	}
	switch {
	case len(out) > 0:
		return out
	case jvmRoots[name]:
		return values{{kind: space, unit: u, name: name}}
	case l.project.packages[name]:
		return values{{kind: space, unit: u, name: name}}
	case name == "getClass"+called:
		return values{externalOf("java.lang.Object." + name)}
	case jvmTypes[name] != "":
		return values{externalOf(jvmTypes[name])}
	case outside != "" && !strings.HasSuffix(name, called) && isUpper(name):
		return values{externalOf(outside + "." + name)}
	}
	return nil
}

// jvmKnown reports whether the project has a package or type of the name.
func jvmKnown(l *Linker, name string) bool {
	for name != "" {
		if l.project.spaces[spaceKey{jvmFamily, name}] != nil {
			return true
		}
		name = name[:max(strings.LastIndexByte(name, '.'), 0)]
	}
	return false
}

// isUpper reports whether a name begins with an upper-case letter, as types do.
func isUpper(name string) bool { return name != "" && name[0] >= 'A' && name[0] <= 'Z' }

// jvmRoots are the first parts of external packages' names.
var jvmRoots = map[string]bool{
	"java": true, "javax": true, "jakarta": true, "jdk": true, "kotlin": true, "kotlinx": true, "scala": true, "android": true, "androidx": true,
	"org": true, "com": true, "net": true, "io": true,
}

// jvmMember returns a member of an external type, a member that every type has, or the contents of a package.
func jvmMember(l *Linker, v value, name string) (values, bool) {
	switch v.kind {
	case space:
		full := v.name + "." + name
		if l.project.packages[full] {
			return values{{kind: space, unit: v.unit, name: full}}, true
		}
		first, _, _ := strings.Cut(v.name, ".")
		if jvmRoots[first] && !jvmKnown(l, v.name) {
			if isUpper(name) {
				return values{externalOf(full)}, true
			}
			return values{{kind: space, unit: v.unit, name: full}}, true
		}
		return nil, true
	case external, builtin:
		if known := jvmConstant(v, name); known != "" {
			return values{builtinOf(known)}, true
		}
		on := v
		return values{{kind: external, name: v.name + "." + name, on: &on}}, true
	case typeValue:
		return jvmEnum(v, name)
	default:
		return nil, false
	}
}

// jvmConstant returns the built-in type of a constant of a library type: the length of an array, members of a boxed
// primitive.
func jvmConstant(v value, name string) string {
	if v.kind == builtin && v.name == "list" && name == "length" {
		return "int"
	}
	if box := jvmBoxes[lastPart(v.name)]; v.kind == external && (box != "" || jvmNumbers[lastPart(v.name)] > 0) && isConstant(name) {
		for primitive, b := range jvmBoxes {
			if (b == box || b == lastPart(v.name)) && primitive == strings.ToLower(b) {
				return primitive
			}
		}
	}
	return ""
}

// isConstant reports whether a name is written in upper case, as constants are.
func isConstant(name string) bool {
	return len(name) > 1 && strings.ToUpper(name) == name || name == "NaN"
}

// jvmEnum returns the members that every enum has.
func jvmEnum(v value, name string) (values, bool) {
	if v.decl.def.Kind == code.DefType && (name == "values()" || name == "valueOf()") {
		on := v
		return values{{kind: external, name: "Enum." + name, on: &on}}, true
	}
	return nil, false
}

// jvmCommon are the methods that every object has.
var jvmCommon = map[string]bool{"equals()": true, "hashCode()": true, "toString()": true}

// jvmHas reports whether a container has a method.
func jvmHas(v value, name string) bool {
	name, ok := strings.CutSuffix(name, called)
	if !ok || v.kind != external {
		return false
	}
	if len(v.args) == 2 {
		return jvmMapMethods[name] != nothing || jvmOfContainers[name]
	}
	return len(v.args) == 1 && (jvmElementMethods[name] != nothing || jvmOfContainers[name])
}

// jvmOfContainers are methods of containers that do not return elements.
var jvmOfContainers = map[string]bool{
	"size": true, "isEmpty": true, "contains": true, "containsKey": true, "containsValue": true, "clear": true, "add": true, "addAll": true,
	"removeAll": true, "retainAll": true, "putAll": true, "forEach": true, "removeIf": true, "containsAll": true,
}
