package resolve

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// rustLanguage implements Rust: a file is a module in the module tree of its crate, and paths lead through this
// tree. Members of a type are declared in impl blocks anywhere.
func rustLanguage() *language {
	return &language{
		variants: true,
		visible:  rustVisible, imported: rustImported, modules: true, wildcard: rustWildcard, exported: rustExported, outer: rustOuter, choose: rustChoose,
		member: rustMember, result: rustResult, passed: rustPassed, element: rustElement, generic: rustGeneric,
	}
}

// rustMacros is the space of the macros of all files.
const rustMacros = "!"

// rustVisible makes macros visible everywhere; all else is found by paths. A macro inside a module is local to it.
func rustVisible(_ *unit, _ string, scope int32, d *decl) (string, bool) {
	return rustMacros, scope == 0 && strings.HasSuffix(d.def.Name, rustMacros)
}

// rustOuter looks up path keywords, macros, and names of the standard prelude.
func rustOuter(l *Linker, u *unit, scope int32, name string) values {
	switch name {
	case "crate":
		return values{{kind: module, unit: l.rustRoot(u)}}
	case "self":
		return values{rustModule(u, u.around(scope, code.SpaceScope))}
	case "super":
		return l.rustSuper(u, scope)
	}
	if strings.HasSuffix(name, rustMacros) {
		return l.rustMacro(u, name)
	}
	if root := l.rustTree().crates[name]; root != nil {
		return values{{kind: module, unit: root}}
	}
	if rustPrelude[name] {
		return values{externalOf(name)}
	}
	return nil
}

// rustModule returns the module of a scope in a file, or the file's.
func rustModule(u *unit, scope int32) value {
	if scope > 0 && u.opened[scope] != nil {
		return value{kind: space, decl: u.opened[scope]}
	}
	return value{kind: module, unit: u}
}

func (l *Linker) rustSuper(u *unit, scope int32) values {
	if s := u.around(scope, code.SpaceScope); s > 0 {
		return values{rustModule(u, u.around(u.facts.Scopes[s].Parent, code.SpaceScope))}
	}
	if up := l.rustTree().parents[u.file]; up != nil {
		return values{{kind: module, unit: up}}
	}
	return nil
}

// rustMacro returns the macro of a name with "!": one of the crate, else the only one.
func (l *Linker) rustMacro(u *unit, name string) values {
	all := l.project.spaces[spaceKey{u.language.family, rustMacros}].of(name)
	root := l.rustRoot(u)
	var own []*decl
	for _, d := range all {
		if l.rustRoot(d.unit).file == root.file {
			own = append(own, d)
		}
	}
	if len(own) == 0 {
		own = all
	}
	if len(own) != 1 {
		return append(values{}, externalOf(name))
	}
	return values{declared(own[0])}.by(Imported)
}

// rustTree is the module tree of the crates.
type rustTree struct {
	parents map[*code.File]*unit // the unit of the file with the mod item
	crates  map[string]*unit     // the root files, by the crates' external names
}

// rustTree returns the module tree.
func (l *Linker) rustTree() *rustTree {
	if l.rust != nil {
		return l.rust
	}
	t := &rustTree{parents: map[*code.File]*unit{}, crates: map[string]*unit{}}
	l.rust = t
	for _, u := range l.project.units {
		if u.file.Language == "rust" {
			t.enter(l, u)
		}
	}
	for _, u := range l.project.units {
		if u.file.Language == "rust" {
			t.enterCrates(l, u)
		}
	}
	return t
}

func (t *rustTree) enter(l *Linker, u *unit) {
	for i := range u.file.Imports {
		imp := &u.file.Imports[i]
		if len(imp.Named) > 0 || !strings.HasPrefix(imp.Module, "self::") {
			continue
		}
		for _, file := range u.target(i).Files {
			if m := l.project.units[file]; m != nil && m.file != u.file && (t.parents[m.file] == nil || u.file.Path < t.parents[m.file].file.Path) {
				t.parents[m.file] = u
			}
		}
	}
}

// enterCrates records the crates to which a file's imports lead.
func (t *rustTree) enterCrates(l *Linker, u *unit) {
	for i := range u.file.Imports {
		name, _, _ := strings.Cut(u.file.Imports[i].Module, "::")
		if name == "" || name == "crate" || name == "self" || name == "super" {
			continue
		}
		for _, file := range u.target(i).Files {
			m := l.project.units[file]
			if m == nil {
				continue
			}
			root := t.root(m)
			if root.file != t.root(u).file && (t.crates[name] == nil || root.file.Path < t.crates[name].file.Path) {
				t.crates[name] = root
			}
		}
	}
}

func (t *rustTree) root(u *unit) *unit {
	for range maxBases {
		up := t.parents[u.file]
		if up == nil {
			break
		}
		u = up
	}
	return u
}

func (l *Linker) rustRoot(u *unit) *unit { return l.rustTree().root(u) }

// rustImported resolves the path of a use declaration.
func rustImported(l *Linker, u *unit, b binding) values {
	parts := strings.Split(u.file.Imports[b.index].Module, "::")
	if b.name != "" && b.name != "self" {
		parts = append(parts, b.name)
	}
	if found := l.rustPath(u, b.index, parts); len(found) > 0 {
		return found
	}
	t := u.target(b.index)
	if len(t.Files) == 0 && !rustKeyword(parts[0]) {
		return values{externalOf(strings.Join(parts, "."))}
	}
	var out values
	for _, file := range t.Files {
		m := l.project.units[file]
		switch {
		case m == nil || m.file == u.file:
		case b.name == "":
			out = out.add(value{kind: module, unit: m})
		default:
			out = out.add(l.exported(m, b.name)...)
		}
	}
	return out
}

// rustWildcard returns what the module, or the type, to which the path of a wildcard leads has under a name.
func rustWildcard(l *Linker, u *unit, i int, name string) values {
	parts := strings.Split(u.file.Imports[i].Module, "::")
	if found := l.rustPath(u, i, append(parts, name)); len(found) > 0 {
		return found
	}
	if len(l.rustPath(u, i, parts)) > 0 {
		return nil
	}
	return l.wildcardOfFiles(u, i, name)
}

// rustKeyword reports whether a path that begins with a name is one of the crate itself.
func rustKeyword(name string) bool { return name == "crate" || name == "self" || name == "super" }

// rustPath follows the path of the i-th import, if it is one of the crate or of another one of the project.
func (l *Linker) rustPath(u *unit, i int, parts []string) values {
	if rustKeyword(parts[0]) { // relative to the file's module, as the reader writes them
		return l.rustWalk(rustOuter(l, u, 0, parts[0]), parts[1:])
	}
	if len(u.target(i).Files) == 0 {
		return nil
	}
	if root := l.rustTree().crates[parts[0]]; root != nil {
		if found := l.rustWalk(values{{kind: module, unit: root}}, parts[1:]); len(found) > 0 {
			return found
		}
	}
	if len(parts) > 1 { // a name alone would be that of the import itself
		if found := l.rustWalk(values{rustModule(u, u.importScopes[i])}, parts); len(found) > 0 {
			return found
		}
	}
	return l.rustWalk(values{{kind: module, unit: l.rustRoot(u)}}, parts) // before the edition of 2018
}

// rustImports returns what the imports of a module, that of a scope of a file, bind to a name.
func (l *Linker) rustImports(u *unit, scope int32, name string) values {
	return l.ask(question{unit: u, ref: code.Ref(scope), name: name, what: askStar}, func() values {
		var out values
		for _, b := range u.imports[name] {
			if u.importScopes[b.index] == scope {
				out = out.add(rustImported(l, u, b)...)
			}
		}
		for _, i := range u.stars {
			if len(out) > 0 {
				break
			}
			if u.importScopes[i] == scope {
				out = rustWildcard(l, u, i, name)
			}
		}
		return out
	})
}

// rustWalk follows the names of a path.
func (l *Linker) rustWalk(from values, parts []string) values {
	for i, name := range parts {
		if name == "self" {
			continue
		}
		if name == "super" && len(from) == 1 && from[0].kind == module {
			from = l.rustSuper(from[0].unit, 0)
			continue
		}
		from = l.members(from, name)
		if i < len(parts)-1 {
			from = l.open(from, nil)
		}
	}
	return from
}

// rustExported returns what a module has under a name: a declaration, a submodule, an import.
func rustExported(l *Linker, u *unit, name string) values {
	if strings.HasSuffix(name, rustMacros) {
		return l.rustMacro(u, name)
	}
	if found := u.inScope(0, name); len(found) > 0 {
		return found
	}
	return l.rustImports(u, 0, name)
}

// rustChoose selects among methods of one name: those of the type itself, else those that accept the arguments.
func rustChoose(l *Linker, c *callSite, goals values) values {
	var own values
	for _, g := range goals {
		if g.decl != nil && len(g.decl.unit.facts.Scopes[g.decl.scope].Bases) == 0 {
			own = append(own, g)
		}
	}
	if len(own) > 0 && len(own) < len(goals) {
		goals = own
	}
	if len(goals) == 1 || oneUnit(goals) && sameScopes(goals) {
		return goals
	}
	var fit values
	for _, g := range goals {
		if g.decl != nil && l.rustTakes(c, g.decl) {
			fit = append(fit, g)
		}
	}
	if len(fit) == 1 {
		return fit
	}
	return nil
}

func oneUnit(goals values) bool {
	for _, g := range goals {
		if g.decl == nil || goals[0].decl == nil || g.decl.unit.file != goals[0].decl.unit.file {
			return false
		}
	}
	return true
}

// sameScopes reports whether functions are branches of a conditional compilation.
func sameScopes(goals values) bool {
	for _, g := range goals {
		if g.decl.scope != goals[0].decl.scope {
			return false
		}
	}
	return true
}

// rustTakes reports whether the first argument of a call has the type of a function's first parameter.
func (l *Linker) rustTakes(c *callSite, d *decl) bool {
	args, params := c.expr().Args, d.params()
	if len(args) == 0 || len(params) == 0 {
		return false
	}
	for _, p := range l.typ(d.unit, params[0].def.Type, nil) {
		for _, a := range l.value(c.unit, args[0], c.env) {
			if a.kind == p.kind && a.decl == p.decl && a.name == p.name {
				return true
			}
		}
	}
	return false
}

// rustPrelude are the names of the prelude.
var rustPrelude = wordSet(`Option Some None Result Ok Err Vec String Box Iterator IntoIterator DoubleEndedIterator ExactSizeIterator Extend Default Clone
	Copy Debug PartialEq Eq PartialOrd Ord Hash Send Sync Sized Drop Fn FnMut FnOnce From Into TryFrom TryInto AsRef AsMut ToString ToOwned FromIterator
	std core alloc u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 bool char str drop Unpin`)
