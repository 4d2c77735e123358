package resolve

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// members returns the members of values with a name, not opened.
func (l *Linker) members(vs values, name string) values {
	var out values
	for _, v := range vs {
		out = out.add(l.member(v, name).by(v.how)...)
	}
	if len(vs) > 1 && len(out) > 1 {
		return out.by(OneOf)
	}
	return out
}

// member returns the members of one value.
func (l *Linker) member(v value, name string) values {
	var found values
	switch v.kind {
	case instance, typeValue:
		found = l.typeMember(v, name, 0)
	case module:
		found = l.exported(v.unit, name)
	case object:
		found = l.inObject(v, name)
	case space:
		found = l.inSpace(v, name)
	case typeParam:
		return l.members(l.bound(v), name)
	default:
	}
	if len(found) > 0 {
		return found
	}
	if lang := l.languageOf(v); lang != nil && lang.member != nil {
		if found, ok := lang.member(l, v, name); ok {
			return found
		}
	}
	if v.kind == external {
		return values{externalOf(v.name + "." + name)}
	}
	return nil
}

// bound returns the bound of a type parameter's value.
func (l *Linker) bound(v value) values {
	out := values{v}
	for range maxBases {
		var next values
		more := false
		for _, b := range out {
			if b.kind != typeParam {
				next = next.add(b)
				continue
			}
			found := l.typ(b.decl.unit, b.decl.def.Type, nil)
			if p := l.ownerParam(b.decl); b.decl.def.Type == 0 && p != nil {
				found = values{{kind: typeParam, decl: p}}
			}
			more = more || slices.ContainsFunc(found, func(f value) bool { return f.kind == typeParam })
			next = next.add(found...)
		}
		if out = next; !more {
			return out.by(Declared)
		}
	}
	return nil // cyclic bounds
}

// inSpace returns the contents of a namespace with a name.
func (l *Linker) inSpace(v value, name string) values {
	l.look(name)
	if v.decl == nil && v.unit.language.within != nil {
		return v.unit.language.within(l, v.unit, v.name, name)
	}
	if v.decl == nil {
		return inBuild(nil, l.spaceMember(v.unit.language.family, v.name, name))
	}
	if lang := v.decl.unit.language; lang.within != nil {
		return lang.within(l, v.decl.unit, lang.opened(v.decl.unit, v.decl.def.Scope), name)
	} else if lang.opened != nil {
		return l.firstParts(l.spaceMember(lang.family, lang.opened(v.decl.unit, v.decl.def.Scope), name))
	}
	return v.decl.unit.inScope(v.decl.def.Scope, name)
}

// inScope returns the bindings of a name in a scope.
func (u *unit) inScope(scope int32, name string) values {
	var out values
	for d := range u.named(scope, name) {
		if d.def.Kind != code.DefTypeParam {
			out = out.add(declared(d))
		}
	}
	return out
}

// inObject returns a member of an object literal or inline type. Objects may refer to themselves: x = {...x}.
func (l *Linker) inObject(v value, name string) values {
	l.look(name)
	q := question{unit: v.unit, ref: code.Ref(v.scope), env: v.env, name: name, what: askObject}
	return l.ask(q, func() values { return l.ownOfObject(v, name) })
}

func (l *Linker) ownOfObject(v value, name string) values {
	found := v.unit.inScope(v.scope, name)
	for i := range found {
		if v.env != nil {
			on := value{kind: object, unit: v.unit, scope: v.scope, env: v.env}
			found[i].on = &on
		}
	}
	if len(found) > 0 {
		return found
	}
	var out values
	for _, b := range v.unit.facts.Scopes[v.scope].Bases {
		out = out.add(l.members(l.typ(v.unit, b.Type, v.env), name)...)
	}
	return out
}

// maxBases bounds the number of levels of bases.
const maxBases = 24

// typeMember returns a member of a type: its own, one declared for it elsewhere, or one of its bases, nearest
// first.
func (l *Linker) typeMember(v value, name string, depth int) values {
	if depth > 0 || v.name == superMark {
		return l.findMember(v, name, depth)
	}
	q := question{unit: v.decl.unit, decl: v.decl, name: name, what: askMember, env: l.bindParams(nil, v.decl.typeParams(), v.args)}
	if v.kind == typeValue {
		q.what = askStaticMember
	}
	v.how, v.on = 0, nil
	return l.ask(q, func() values { return l.findMember(v, name, 0) })
}

// findMember is typeMember without the cache.
func (l *Linker) findMember(v value, name string, depth int) values {
	lang := v.decl.unit.language
	if lang.linear {
		return l.linearMember(v, name)
	}
	l.look(name)
	if lang.typeMember != nil {
		return lang.typeMember(l, v, name)
	}
	out := l.ownMember(v, name)
	switch {
	case len(out) > 0 && (!lang.overloads || out[0].kind != function), depth >= maxBases:
		return out
	case lang.nearest:
		return l.nearest(v, name)
	}
	return l.inherited(out, v, name, depth)
}

// inherited adds the members of a name from the bases to a type's own.
func (l *Linker) inherited(out values, v value, name string, depth int) values {
	for _, b := range l.bases(v) {
		if b.decl != nil && b.decl == v.decl { // it names itself: broken text, or an external type
			continue
		}
		if b.decl != nil && (b.kind == instance || b.kind == typeValue) {
			b.kind = v.kind
			found := l.typeMember(b.value, name, depth+1)
			if len(found) > 0 && !l.overloads(v.decl) {
				return found.by(Inherited)
			}
			out = withOverloads(out, found.by(Inherited))
			continue
		}
		if found := l.member(b.value, name); len(found) > 0 && (len(out) == 0 || !l.overloads(v.decl)) {
			out = out.add(found.by(Inherited)...)
		}
	}
	return out
}

// ownMember returns what a type declares under a name, or what is declared for it elsewhere.
func (l *Linker) ownMember(v value, name string) values {
	var out values
	for _, part := range l.parts(v.decl) {
		if found := l.own(part, v, name); len(found) > 0 {
			out = out.add(found...)
			if found[0].kind != function {
				return out
			}
		}
	}
	if len(out) > 0 {
		return out
	}
	if found := l.elsewhere(v, name); len(found) > 0 {
		return found
	}
	return l.underlyingMember(v, name)
}

// own returns what the declaration of a type has under a name.
func (l *Linker) own(d *decl, v value, name string) values {
	if d.def.Scope == 0 {
		if d.def.Kind == code.DefAlias || d.def.Type != 0 { // a type defined as another
			return l.members(l.typ(d.unit, d.def.Type, l.envOn(value{on: &v})), name)
		}
		return nil
	}
	found := d.unit.inScope(d.def.Scope, name)
	if len(found) > 1 && (v.kind != instance || !d.unit.language.staticsToo) { // one of the type and one of its instances
		found = found.some(func(f value) bool { return f.decl == nil || f.decl.def.Static == (v.kind == typeValue) })
	}
	for i := range found {
		on := v
		found[i].on = &on
	}
	return found
}

// parts returns all declarations of a type: in most languages, one.
func (l *Linker) parts(d *decl) []*decl {
	if !d.unit.language.merges || !d.isTop() {
		return []*decl{d}
	}
	out, known := l.partsOf[d]
	if !known {
		out = l.findParts(d)
		l.partsOf[d] = out
	}
	return out
}

func (l *Linker) findParts(d *decl) []*decl {
	lang := d.unit.language
	out := []*decl{d}
	name, ok := lang.visible(d.unit, d.unit.space, d.scope, d)
	if !ok {
		return out
	}
	for _, other := range l.project.spaces[spaceKey{lang.family, name}].of(d.def.Name) {
		if other != d && other.def.Kind == code.DefType && (lang.sameType == nil || lang.sameType(d, other)) {
			out = append(out, other)
		}
	}
	return out
}

// elsewhere returns what is declared for a type outside it: methods with an owner, and members of extensions.
func (l *Linker) elsewhere(v value, name string) values {
	var out values
	for _, o := range l.project.outsiders(v.decl.def.Name) {
		if o.decl != nil && o.decl.def.Kind == code.DefFunc {
			if o.decl.name == name && l.belongs(o, v.decl) {
				f := declared(o.decl)
				on := v
				f.on = &on
				out = out.add(f)
			}
			continue
		}
		found := o.unit.inScope(o.scope, name)
		if len(found) == 0 || !l.belongs(o, v.decl) {
			continue
		}
		for i := range found {
			on := v
			found[i].on = &on
		}
		out = out.add(found...)
	}
	return inBuild(nil, out)
}

// belongs reports whether a declaration outside a type belongs to type d.
func (l *Linker) belongs(o outsider, d *decl) bool {
	for _, v := range l.typ(o.unit, o.unit.facts.Scopes[o.scope].Owner, nil) {
		if v.decl == d && v.kind == instance {
			return true
		}
		if v.decl != nil && v.kind == instance && v.decl.def.Name == d.def.Name && l.isPart(v.decl, d) {
			return true
		}
	}
	return false
}

func (l *Linker) isPart(a, b *decl) bool {
	return slices.Contains(l.parts(a), b)
}

// baseOf is a base of a type, with its type arguments.
type baseOf struct {
	value
	base *code.Base
	in   *unit // declares it
}

// bases returns the bases of a value's type in the order of the text, those from extensions last.
func (l *Linker) bases(v value) []baseOf {
	if v.decl == nil || v.kind != instance && v.kind != typeValue {
		return nil
	}
	l.look("^" + v.decl.def.Name)
	var out []baseOf
	for _, part := range l.parts(v.decl) {
		if part.def.Scope != 0 {
			out = l.basesIn(out, part.unit, part.def.Scope, l.envOn(value{on: &v}))
		}
	}
	for _, o := range l.project.outsiders(v.decl.def.Name) {
		if (o.decl == nil || o.decl.def.Kind != code.DefFunc) && len(o.unit.facts.Scopes[o.scope].Bases) > 0 && l.belongs(o, v.decl) {
			out = l.basesIn(out, o.unit, o.scope, nil)
		}
	}
	return out
}

func (l *Linker) basesIn(out []baseOf, u *unit, scope int32, e *env) []baseOf {
	bases := u.facts.Scopes[scope].Bases
	for i := range bases {
		for _, b := range l.metatypeInstances(l.typ(u, bases[i].Type, e)) {
			out = append(out, baseOf{b, &bases[i], u})
		}
	}
	return out
}

// metatypeInstances returns what types denote as bases: for a metatype, its instances.
func (l *Linker) metatypeInstances(types values) values {
	var out values
	for _, v := range types {
		switch {
		case v.kind == funcType:
			out = out.add(l.typ(v.unit, v.unit.expr(v.ref).X, v.env)...)
		case v.kind == typeParam && v.decl.unit.language.typesApart:
			out = out.add(l.metatypeInstances(l.bound(v))...)
		default:
			out = out.add(v)
		}
	}
	return out
}

// envOn returns the type arguments for a member of receiver v.
func (l *Linker) envOn(v value) *env {
	if v.on == nil {
		return v.env
	}
	if v.on.decl == nil {
		return v.on.env
	}
	params := v.on.decl.typeParams()
	e := l.bindParams(v.env, params, v.on.args)
	if v.decl == nil || v.decl.unit.ownerRef(v.decl) == 0 {
		return e
	}
	return l.ownerEnv(v.decl, v.on.args, e)
}

// ownerEnv binds the type parameters of a method or extension outside its type, func (l *List[T]) …, to the type's
// arguments, by position.
func (l *Linker) ownerEnv(d *decl, args []values, e *env) *env {
	u := d.unit
	x := u.expr(u.ownerRef(d))
	if x.Op != code.OpApply && x.Op != code.OpIndex {
		return e
	}
	var params []*decl
	var bound []values
	for i, a := range x.Args {
		name := u.expr(a)
		if name.Op != code.OpName || i >= len(args) {
			continue
		}
		for _, p := range u.bound(name.Scope, name.Name, name.Pos, true) {
			if p.def.Kind == code.DefTypeParam {
				params, bound = append(params, p), append(bound, args[i])
			}
		}
	}
	return l.bindParams(e, params, bound)
}
