package resolve

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// jvmFamily is shared by Java, Kotlin and Scala, which share packages.
const jvmFamily = "jvm"

// jvmLanguage is what these languages have in common.
func jvmLanguage() *language {
	return &language{
		family: jvmFamily, space: jvmSpace, near: jvmNearest, imported: jvmImported, beyond: jvmBeyond, member: jvmMember,
		result: jvmResult, passed: jvmPassed, element: jvmElement, generic: jvmGeneric, choose: jvmChoose,
		implicitThis: true, holds: true, functionsApart: true, delegates: true, overloads: true, common: jvmCommon, has: jvmHas, anyMethod: true,
		constructors: []string{maker + called}, ownConstructors: true,
	}
}

// jvmSpace is the package that a file says it is in; files that say none see those
// of their folder.
func jvmSpace(u *unit) string {
	if u.file.Package != "" {
		return u.file.Package
	}
	return "/" + path.Dir(u.file.Path)
}

// jvmNearest leaves of types that a package has more than once, in modules of their own,
// those that share the most folders with a file; of those that share as many, those
// in the folder with the most files.
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

// jvmImported returns what the full name of a binding means.
func jvmImported(l *Linker, u *unit, b binding) values {
	if found := jvmPath(l, u, b.name); len(found) > 0 {
		return found
	}
	return values{externalOf(strings.TrimSuffix(b.name, called))}
}

// jvmPath returns what a full name means: a member of a package or, further in, of a
// type. The longest package that there is holds it.
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

// jvmBeyond looks up a name in what imports bring with a star, as the first part of a
// package's name, and among what every file sees.
func jvmBeyond(l *Linker, u *unit, _ int32, name string) values {
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

// jvmKnown reports whether a package or type of the project has the name.
func jvmKnown(l *Linker, name string) bool {
	for name != "" {
		if l.project.spaces[spaceKey{jvmFamily, name}] != nil {
			return true
		}
		name = name[:max(strings.LastIndexByte(name, '.'), 0)]
	}
	return false
}

// isUpper tells a name as types have.
func isUpper(name string) bool { return name != "" && name[0] >= 'A' && name[0] <= 'Z' }

// jvmRoots are the first parts of the names of others' packages.
var jvmRoots = map[string]bool{ //nolint:gochecknoglobals // a table
	"java": true, "javax": true, "jakarta": true, "jdk": true, "kotlin": true, "kotlinx": true, "scala": true, "android": true, "androidx": true,
	"org": true, "com": true, "net": true, "io": true,
}

// jvmMember returns what the type of a value of outside has under a name, and what
// every type has; for a package, what it holds.
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

// jvmConstant returns the built-in type of a value that stands in a library's type:
// the length of an array, what is known of a box's.
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

// isConstant tells a name as constants have.
func isConstant(name string) bool {
	return len(name) > 1 && strings.ToUpper(name) == name || name == "NaN"
}

// jvmEnum returns what every enum has.
func jvmEnum(v value, name string) (values, bool) {
	if v.decl.def.Kind == code.DefType && (name == "values()" || name == "valueOf()") {
		on := v
		return values{{kind: external, name: "Enum." + name, on: &on}}, true
	}
	return nil, false
}

// jvmCommon are the methods that every object has.
var jvmCommon = map[string]bool{"equals()": true, "hashCode()": true, "toString()": true} //nolint:gochecknoglobals // a table

// jvmHas tells the methods that containers have.
func jvmHas(v value, name string) bool {
	name, ok := strings.CutSuffix(name, called)
	if !ok || v.kind != external {
		return false
	}
	if len(v.args) == 2 {
		return jvmTwo[name] != nothing || jvmOfContainers[name]
	}
	return len(v.args) == 1 && (jvmOne[name] != nothing || jvmOfContainers[name])
}

// jvmOfContainers are methods that containers have and that give no part of them.
var jvmOfContainers = map[string]bool{ //nolint:gochecknoglobals // a table
	"size": true, "isEmpty": true, "contains": true, "containsKey": true, "containsValue": true, "clear": true, "add": true, "addAll": true,
	"removeAll": true, "retainAll": true, "putAll": true, "forEach": true, "removeIf": true, "containsAll": true,
}
