package resolve

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// typ returns instances of the type that an expression denotes.
func (l *Linker) typ(u *unit, r code.Ref, e *env) values {
	if r <= 0 || int(r) >= len(u.facts.Exprs) {
		return nil
	}
	return l.ask(question{unit: u, ref: r, env: e, what: askType}, func() values { return l.typeOf(u, r, e) })
}

func (l *Linker) typeOf(u *unit, r code.Ref, e *env) values {
	x := &u.facts.Exprs[r]
	switch x.Op {
	case code.OpName:
		return l.instances(u, l.open(classes(u.types(l.meant(u, x, x.Name))), e))
	case code.OpSelect:
		return l.instances(u, l.open(classes(u.types(l.members(l.value(u, x.X, e), x.Name))), e))
	case code.OpApply, code.OpIndex:
		return l.applied(u, x, e)
	case code.OpFuncType:
		return values{{kind: funcType, unit: u, ref: r, env: e}}
	case code.OpTypeOf:
		return l.value(u, x.X, e)
	case code.OpThis:
		return l.self(u, x.Scope)
	case code.OpLit:
		return values{builtinOf(x.Name)}
	case code.OpObject:
		return values{{kind: object, unit: u, scope: x.N, env: e}}
	case code.OpCall: // a call as a base class
		return l.instances(u, l.value(u, r, e))
	default:
		return l.composedType(u, x, e)
	}
}

// composedType returns instances of a composite type.
func (l *Linker) composedType(u *unit, x *code.Expr, e *env) values {
	switch x.Op {
	case code.OpList:
		return values{listOf(l.typ(u, x.X, e))}
	case code.OpMap:
		var key values
		if len(x.Args) > 0 {
			key = l.typ(u, x.Args[0], e)
		}
		return values{mapOf(key, l.typ(u, x.X, e))}
	case code.OpTuple:
		return values{tupleOf(l.typesFor(u, x.Args, e)...)}
	case code.OpEither:
		var out values
		for _, a := range x.Args {
			out = out.add(l.typ(u, a, e)...)
		}
		if x.Name == "doc" {
			return out.by(Documented)
		}
		return out
	case code.OpElem:
		return l.elements(l.typ(u, x.X, e))
	case code.OpAwait:
		return awaited(l.typ(u, x.X, e))
	default:
		return nil
	}
}

// types returns the types among the meanings of a name, if there are any and the namespaces are separate.
func (u *unit) types(vs values) values {
	if !u.language.typesApart || len(vs) < 2 {
		return vs
	}
	return vs.some(func(v value) bool {
		return v.kind == typeValue || v.kind == typeParam || v.kind == named && v.decl.def.Kind == code.DefAlias
	})
}

// values returns the meanings of a name other than types, if there are any.
func (u *unit) values(vs values) values {
	if !u.language.typesApart || len(vs) < 2 {
		return vs
	}
	return vs.some(func(v value) bool {
		return v.kind != typeParam && (v.kind != typeValue || !v.decl.def.Abstract) && (v.kind != named || v.decl.def.Kind != code.DefAlias)
	})
}

// some returns the values for which so is true; all if there are none.
func (vs values) some(so func(v value) bool) values {
	if out := vs.only(func(v *value) bool { return so(*v) }); len(out) > 0 {
		return out
	}
	return vs
}

// instances converts the meanings of a type's name to instances.
func (l *Linker) instances(u *unit, types values) values {
	var out values
	for _, v := range types {
		switch v.kind {
		case typeValue:
			v.kind = instance
			if !l.partOf(out, v) {
				out = out.add(v)
			}
		case external, builtin:
			if made, ok := l.genericOf(u, v.name, nil); ok {
				v = made
			}
			out = out.add(v)
		case typeParam, funcType, object, instance, function, module, space:
			out = out.add(v)
		default:
		}
	}
	return out
}

// partOf reports whether the type of an instance is also among vs.
func (l *Linker) partOf(vs values, v value) bool {
	return v.decl.unit.language.merges && slices.ContainsFunc(vs, func(w value) bool { return w.kind == instance && l.isPart(w.decl, v.decl) })
}

// applied evaluates a generic type with its arguments.
func (l *Linker) applied(u *unit, x *code.Expr, e *env) values {
	args := l.typesFor(u, x.Args, e)
	base := u.expr(x.X)
	if base.Op == code.OpName || base.Op == code.OpSelect {
		if alias := l.alias(u, x.X, e); alias != nil {
			return l.typ(alias.unit, alias.def.Type, l.bindParams(nil, alias.typeParams(), args))
		}
	}
	var out values
	for _, v := range l.typ(u, x.X, e) {
		if v.kind == external || v.kind == builtin {
			if made, ok := l.genericOf(u, v.name, args); ok {
				out = out.add(made)
				continue
			}
		}
		if v.kind == instance || v.kind == builtin || v.kind == external {
			v = v.withArgs(args...)
		}
		out = out.add(v)
	}
	return out
}

// alias returns the generic alias that an expression names; nil if there is none.
func (l *Linker) alias(u *unit, r code.Ref, e *env) *decl {
	for _, v := range l.targets(u, r, e) {
		if v.kind == named && v.decl.def.Kind == code.DefAlias && v.decl.def.Scope != 0 {
			return v.decl
		}
	}
	return nil
}

func (l *Linker) genericOf(u *unit, name string, args []values) (value, bool) {
	if u.language.generic == nil {
		return value{}, false
	}
	return u.language.generic(l, name, args)
}

// typeAsValue evaluates a type used as a value.
func (l *Linker) typeAsValue(u *unit, r code.Ref, e *env) values {
	x := u.expr(r)
	if x.Op == code.OpApply {
		var out values
		args := l.typesFor(u, x.Args, e)
		for _, v := range l.value(u, x.X, e) {
			out = out.add(v.withArgs(args...))
		}
		return out
	}
	return typesOf(l.typ(u, r, e))
}

// self returns the receiver in a scope: an instance of the enclosing type, or of the owner that the function
// declares.
func (l *Linker) self(u *unit, scope int32) values {
	for s := scope; s >= 0; s = u.facts.Scopes[s].Parent {
		x := &u.facts.Scopes[s]
		if u.language.receiver != nil && x.Kind == code.FuncScope && x.Name == "" {
			if found := u.language.receiver(l, u, s); len(found) > 0 {
				return found
			}
		}
		switch {
		case x.Owner != 0:
			return l.typ(u, x.Owner, nil)
		case x.Kind == code.TypeScope:
			if d := u.opened[s]; d != nil {
				v := instanceOf(d)
				for _, p := range d.typeParams() {
					v.args = append(v.args, values{{kind: typeParam, decl: p}})
				}
				return values{v}
			}
			return values{{kind: object, unit: u, scope: s}}
		case x.Kind == code.SpaceScope && u.opened[s] == nil:
			return values{{kind: object, unit: u, scope: s}}
		}
	}
	return nil
}

// super returns the receiver as its bases see it.
func (l *Linker) super(u *unit, scope int32) values {
	var out values
	for _, v := range l.self(u, scope) {
		if u.language.linear && v.kind == instance {
			v.name = superMark
			out = append(out, v)
			continue
		}
		if v.kind == object {
			for _, b := range v.unit.facts.Scopes[v.scope].Bases {
				out = out.add(l.typ(v.unit, b.Type, v.env)...)
			}
		}
		for _, b := range l.bases(v) {
			if !b.base.Implements {
				out = out.add(b.value)
			}
		}
	}
	return out
}
