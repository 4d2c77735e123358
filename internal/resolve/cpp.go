package resolve

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// cppLanguage implements C++: C with classes and namespaces. Any file may add to a namespace, and members of a
// class may be defined anywhere.
func cppLanguage() *language {
	l := cLanguage()
	l.implicitThis, l.namedConstructors, l.classNames, l.extends = true, true, true, true
	l.visible, l.opened, l.outer, l.defined, l.choose = cppVisible, cppOpened, cppOuter, cppDefined, cppChoose
	l.within = (*Linker).cppIn
	l.member, l.result, l.generic, l.element, l.item = cppMember, cppResult, cppGeneric, nil, cppItem
	return l
}

// cppVisible makes the contents of namespaces visible to all files. A function defined outside its namespace is
// visible in it.
func cppVisible(u *unit, _ string, scope int32, d *decl) (string, bool) {
	for s := scope; s >= 0; s = u.facts.Scopes[s].Parent {
		if k := u.facts.Scopes[s].Kind; k != code.FileScope && k != code.SpaceScope || k == code.SpaceScope && u.opened[s] == nil {
			return "", false
		}
	}
	name := cppOpened(u, scope)
	if owner := d.open(); owner != nil && owner.Owner != 0 {
		name = cppJoin(name, u.pathOf(owner.Owner))
	}
	return name, d.def.Kind != code.DefVar || !d.def.Hidden
}

// cppOpened returns the qualified name of the namespace of a scope.
func cppOpened(u *unit, scope int32) string {
	name := ""
	for s := scope; s > 0; s = u.facts.Scopes[s].Parent {
		if x := &u.facts.Scopes[s]; x.Kind == code.SpaceScope && u.opened[s] != nil {
			name = cppJoin(x.Name, name)
		}
	}
	return name
}

func cppJoin(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "::" + b
}

// pathOf returns the text of a qualified name such as a::b::C; "" for other expressions.
func (u *unit) pathOf(r code.Ref) string {
	switch x := u.expr(r); x.Op {
	case code.OpName:
		return x.Name
	case code.OpSelect:
		if before := u.pathOf(x.X); before != "" {
			return before + "::" + x.Name
		}
	case code.OpApply:
		return u.pathOf(x.X)
	default:
	}
	return ""
}

// cppOuter looks up a name in the enclosing namespaces, and in namespaces made visible by using directives and
// aliases.
func cppOuter(l *Linker, u *unit, scope int32, name string) values {
	around := cppOpened(u, scope)
	for space := around; ; space = outerSpace(space) {
		if found := l.cppIn(u, space, name); len(found) > 0 {
			return found
		}
		if space == "" {
			break
		}
	}
	for s := scope; s >= 0; s = u.facts.Scopes[s].Parent {
		for d := range u.named(s, "*") {
			used := u.pathOf(d.def.Type)
			for space := around; ; space = outerSpace(space) {
				if found := l.cppIn(u, cppJoin(space, used), name); len(found) > 0 {
					return found
				}
				if space == "" {
					break
				}
			}
		}
	}
	if name == "std" || cOutside(u) {
		return values{externalOf(name)}
	}
	return nil
}

// cppIn returns what a namespace declares under a name, or the nested namespace.
func (l *Linker) cppIn(u *unit, in, name string) values {
	found := l.cSeen(u, l.project.spaces[spaceKey{cFamily, in}].of(name))
	for i, v := range found {
		if v.kind == space {
			found[i] = value{kind: space, unit: u, name: cppJoin(in, name)}
			return found[i : i+1]
		}
	}
	return found
}

func outerSpace(space string) string {
	i := strings.LastIndex(space, "::")
	return space[:max(i, 0)]
}

// cppDefined returns the definitions of a function that is only declared: for a member those qualified with its
// class, for others those in its namespace.
func cppDefined(l *Linker, d *decl) []*decl {
	l.look(d.def.Name)
	owner := d.owner()
	if owner == nil && d.unit.ownerRef(d) == 0 {
		return sameParams(d, l.cDefinitions(d, l.project.spaces[spaceKey{cFamily, cppOpened(d.unit, d.scope)}].of(d.def.Name)))
	}
	if owner == nil {
		return nil
	}
	var out []*decl
	for _, o := range l.project.outside[owner.def.Name] {
		if o.decl != nil && o.decl.def.Kind == code.DefFunc && o.decl.def.Name == d.def.Name && !o.decl.isPrototype() && l.belongs(o, owner) {
			out = append(out, o.decl)
		}
	}
	return sameParams(d, out)
}

// sameParams returns the definitions whose parameters are written like those of the declaration; else those with as
// many parameters; else all.
func sameParams(d *decl, list []*decl) []*decl {
	for _, alike := range []func(a, b *decl) bool{sameTypes, sameCount} {
		if len(list) < 2 {
			break
		}
		if out := slices.DeleteFunc(slices.Clone(list), func(x *decl) bool { return !alike(d, x) }); len(out) > 0 {
			list = out
		}
	}
	return list
}

func sameCount(a, b *decl) bool { return len(a.params()) == len(b.params()) }

func sameTypes(a, b *decl) bool {
	mine, theirs := a.params(), b.params()
	if len(mine) != len(theirs) {
		return false
	}
	for i := range mine {
		if mine[i].plainOrLastName() != theirs[i].plainOrLastName() {
			return false
		}
	}
	return true
}

// plainOrLastName returns the built-in type of a parameter, or the last name of another type.
func (d *decl) plainOrLastName() string {
	if x := d.unit.expr(d.def.Type); x.Op == code.OpLit {
		return x.Name
	}
	return d.unit.lastName(d.def.Type)
}
