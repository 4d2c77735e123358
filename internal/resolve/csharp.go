package resolve

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// csharpFamily is the family of C#.
const csharpFamily = "csharp"

// csharpLanguage implements C#: namespaces are visible to all files; a using directive imports a namespace or the
// members of a type; partial types have several parts.
func csharpLanguage() *language {
	return &language{
		family: csharpFamily, visible: csharpVisible, bind: csharpBind, imported: csharpImported, outer: csharpOuter,
		opened:       func(u *unit, scope int32) string { return u.facts.Scopes[scope].Name },
		implicitThis: true, overloads: true, holds: true, staticExtensions: true, namedConstructors: true, ownConstructors: true, merges: true, sameType: sameArity,
		choose: csharpChoose, member: csharpLibraryMember, result: csharpLibraryResult, passed: listPassed,
		generic: csharpGeneric, element: csharpElement, builtins: csharpBuiltins,
	}
}

// csharpBuiltins are the types with a keyword.
var csharpBuiltins = wordSet("bool byte char decimal double dynamic float int long nint nuint object sbyte short string uint ulong ushort void")

// globalSpace is the global namespace.
const globalSpace = "."

// csharpVisible makes types and namespaces visible in the enclosing namespace or type.
func csharpVisible(u *unit, _ string, scope int32, d *decl) (string, bool) {
	switch d.def.Kind {
	case code.DefType, code.DefAlias, code.DefSpace:
		if d.def.Hidden {
			return "", false
		}
	case code.DefField: // a global using
		return globalSpace, scope == 0
	default:
		return "", false
	}
	return csharpPath(u, scope)
}

// csharpPath returns the full name of a namespace or type.
func csharpPath(u *unit, scope int32) (string, bool) {
	s := &u.facts.Scopes[scope]
	switch {
	case scope == 0:
		return globalSpace, true
	case s.Kind == code.SpaceScope && s.Name != "":
		return s.Name, true
	case s.Kind == code.TypeScope && s.Name != "":
		outer, ok := csharpPath(u, s.Parent)
		if outer == globalSpace {
			return s.Name, ok
		}
		return outer + "." + s.Name, ok
	}
	return "", false
}

// csharpBind binds aliases. Namespaces imported by using are searched last.
func csharpBind(u *unit, i int) {
	if imp := &u.file.Imports[i]; imp.Namespace != "" {
		u.bindName(imp.Namespace, binding{i, ""})
	}
}

// csharpImported returns the meaning of an alias.
func csharpImported(l *Linker, u *unit, b binding) values {
	module := u.file.Imports[b.index].Module
	if found := l.dotted(u, module); len(found) > 0 {
		return found
	}
	return values{externalOf(module)}
}

// dotted returns the meaning of a full name.
func (l *Linker) dotted(u *unit, name string) values {
	space, last := globalSpace, name
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		space, last = name[:i], name[i+1:]
	}
	return l.typesIn(u, space, last)
}

// typesIn returns what a namespace or type declares under a name; of the parts of a type, the nearest.
func (l *Linker) typesIn(u *unit, space, name string) values {
	found := l.spaceMember(u.language.family, space, name)
	if len(found) < 2 {
		return found
	}
	var out values
	for _, v := range found {
		at := slices.IndexFunc(out, func(w value) bool { return v.kind == w.kind && sameArity(v.decl, w.decl) })
		switch {
		case at < 0:
			out = append(out, v)
		case nearness(u.file.Path, v.decl.unit.file.Path) > nearness(u.file.Path, out[at].decl.unit.file.Path):
			out[at] = v
		}
	}
	return out
}

// sameArity reports whether two types have the same number of type parameters.
func sameArity(a, b *decl) bool { return len(a.typeParams()) == len(b.typeParams()) }

// csharpOuter looks up a name in the enclosing namespaces, innermost first, and in imported ones. An undeclared
// name that looks like a type is external.
func csharpOuter(l *Linker, u *unit, scope int32, name string) values {
	around := u.around(scope, code.SpaceScope, code.FileScope)
	if found := l.csharpInSight(u, around, name); len(found) > 0 {
		return found
	}
	if name != "" && name[0] >= 'A' && name[0] <= 'Z' {
		return values{externalOf(name)}
	}
	return nil
}

// csharpInSight is like [csharpOuter], but only for declarations of the project.
func (l *Linker) csharpInSight(u *unit, around int32, name string) values {
	if !l.project.known[name] && l.project.inside[name] == 0 {
		return nil
	}
	for s := around; s >= 0; s = u.facts.Scopes[s].Parent {
		path, ok := csharpPath(u, s)
		if !ok {
			continue
		}
		if found := l.typesIn(u, path, name); len(found) > 0 {
			return found.by(SamePackage)
		}
	}
	return l.used(u, around, name)
}

// used returns what the using directives of a file, and the global ones, import under a name.
func (l *Linker) used(u *unit, around int32, name string) values {
	modules := make([]string, 0, len(u.file.Imports))
	for i := range u.file.Imports {
		if imp := &u.file.Imports[i]; imp.Namespace == "" {
			modules = append(modules, imp.Module)
		}
	}
	for _, v := range l.spaceMember(u.language.family, globalSpace, "using") {
		modules = append(modules, v.decl.unit.path(v.decl.def.Value))
	}
	var out values
	for _, module := range modules {
		for _, space := range append(csharpAround(u, around, module), module) {
			if found := l.typesIn(u, space, name); len(found) > 0 {
				out = out.add(found.by(Star)...)
				break
			}
			found := l.staticUsing(u, space, name)
			out = out.add(found.by(Star)...)
		}
	}
	return out
}

// csharpAround returns a name prefixed by each of the namespaces around a scope: a using directive in a namespace
// may be relative to it.
func csharpAround(u *unit, scope int32, module string) []string {
	var out []string
	for s := scope; s > 0; s = u.facts.Scopes[s].Parent {
		out = append(out, u.facts.Scopes[s].Name+"."+module)
	}
	return out
}

// staticUsing returns a member of the type named by a using static directive.
func (l *Linker) staticUsing(u *unit, module, name string) values {
	var out values
	for _, v := range l.dotted(u, module) {
		if v.kind == typeValue {
			out = out.add(l.member(v, name)...)
		}
	}
	return out
}

// path returns the text of a dotted name.
func (u *unit) path(r code.Ref) string {
	x := u.expr(r)
	switch x.Op {
	case code.OpName:
		return x.Name
	case code.OpSelect:
		return u.path(x.X) + "." + x.Name
	default:
		return ""
	}
}
