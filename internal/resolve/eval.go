package resolve

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// value returns the possible values of an expression.
func (l *Linker) value(u *unit, r code.Ref, e *env) values {
	if r <= 0 || int(r) >= len(u.facts.Exprs) {
		return nil
	}
	switch x := &u.facts.Exprs[r]; x.Op {
	case code.OpLit:
		return values{builtinOf(x.Name)}
	case code.OpFunc:
		return values{{kind: function, unit: u, scope: x.N, env: e}}
	case code.OpObject:
		return values{{kind: object, unit: u, scope: x.N, env: e}}
	default:
		return l.ask(question{unit: u, ref: r, env: e, what: askValue}, func() values { return l.evaluate(u, r, e) })
	}
}

// evaluate is value without the cache.
func (l *Linker) evaluate(u *unit, r code.Ref, e *env) values {
	x := &u.facts.Exprs[r]
	switch x.Op {
	case code.OpName:
		return l.unbare(u, x, l.open(l.nameOf(u, x), e))
	case code.OpSelect:
		return l.unbare(u, x, l.open(u.values(l.memberOf(u, x, e)), e))
	case code.OpCall, code.OpNew:
		return l.called(u, r, e)
	case code.OpMake:
		return l.made(l.value(u, x.X, e))
	case code.OpAs:
		return l.typ(u, x.X, e).by(Declared)
	case code.OpThis:
		return l.self(u, x.Scope)
	case code.OpSuper:
		return l.super(u, x.Scope)
	case code.OpTypeOf:
		return typesOf(l.value(u, x.X, e))
	case code.OpImport:
		return l.open(l.importedMeaning(u, binding{int(x.N), x.Name}), e)
	case code.OpEither:
		return l.either(u, x.Args, e)
	case code.OpApply, code.OpFuncType:
		return l.typeAsValue(u, r, e)
	default:
		return l.contained(u, x, e)
	}
}

// contained evaluates expressions that build or access containers.
func (l *Linker) contained(u *unit, x *code.Expr, e *env) values {
	switch x.Op {
	case code.OpIndex:
		return l.indexed(u, x, e)
	case code.OpElem:
		if u.language.keyed {
			return l.iterated(l.value(u, x.X, e)).by(Element)
		}
		return l.elements(l.value(u, x.X, e)).by(Element)
	case code.OpKey:
		return l.keys(l.value(u, x.X, e)).by(Element)
	case code.OpNth:
		return l.nth(l.value(u, x.X, e), int(x.N))
	case code.OpAwait:
		return awaited(l.value(u, x.X, e))
	case code.OpExpected:
		return l.expectedBy(u, x.X, int(x.N), e).by(Context)
	case code.OpList:
		return values{listOf(l.either(u, x.Args, e))}
	case code.OpMap:
		return values{mapOf(l.either(u, x.Args, e), l.value(u, x.X, e))}
	case code.OpTuple:
		parts := make([]values, len(x.Args))
		for i, a := range x.Args {
			parts[i] = l.value(u, a, e)
		}
		return values{tupleOf(parts...)}
	default:
		return nil
	}
}

func (l *Linker) either(u *unit, refs []code.Ref, e *env) values {
	var out values
	for _, r := range refs {
		out = out.add(l.value(u, r, e)...)
	}
	return out
}

// made converts types to instances.
func (l *Linker) made(types values) values {
	var out values
	for _, v := range types {
		switch v.kind {
		case typeValue:
			v.kind, v.how = instance, weakest(v.how, Constructed)
			out = out.add(v)
		case external, instance, object:
			out = out.add(v)
		default:
		}
	}
	return out
}

// typesOf converts values to their types.
func typesOf(vs values) values {
	var out values
	for _, v := range vs {
		if v.kind == instance {
			v.kind = typeValue
		}
		out = out.add(v)
	}
	return out
}

// indexed evaluates x[i]: an element, or x with type arguments.
func (l *Linker) indexed(u *unit, x *code.Expr, e *env) values {
	var out values
	for _, v := range l.value(u, x.X, e) {
		switch {
		case v.kind == typeValue, v.kind == function && v.decl != nil && len(v.decl.typeParams()) > 0:
			out = out.add(v.withArgs(l.typesFor(u, x.Args, e)...))
		case v.kind == builtin && v.name == "tuple" && len(x.Args) == 1:
			out = out.add(l.elements(values{v})...)
		case v.kind == external:
			out = out.add(v)
		case u.language.item != nil:
			out = out.add(u.language.item(l, v, -1).by(Element)...)
		default:
			out = out.add(l.elements(values{v}).by(Element)...)
		}
	}
	return out
}

// iterated returns the values of an iteration in languages where that of a map yields its keys.
func (l *Linker) iterated(vs values) values {
	var out values
	for _, v := range vs {
		if v.kind == builtin && v.name == "map" {
			out = out.add(v.arg(0)...)
			continue
		}
		out = out.add(l.elements(values{v})...)
	}
	return out
}

// typesFor evaluates several types.
func (l *Linker) typesFor(u *unit, refs []code.Ref, e *env) []values {
	out := make([]values, len(refs))
	for i, r := range refs {
		out[i] = l.typ(u, r, e)
	}
	return out
}

// elements returns the elements of values; for a map, its values.
func (l *Linker) elements(vs values) values {
	var out values
	for _, v := range vs {
		lang := l.languageOf(v)
		if lang != nil && lang.element != nil {
			if found := lang.element(l, v); len(found) > 0 {
				out = out.add(found...)
				continue
			}
		}
		switch {
		case v.kind == builtin && v.name == "map":
			out = out.add(v.arg(1)...)
		case v.kind == builtin && v.name == "tuple":
			for _, a := range v.args {
				out = out.add(a...)
			}
		case v.kind == builtin && len(v.args) > 0 && v.name != "promise":
			out = out.add(v.arg(0)...)
		case v.kind == external && len(v.args) == 0:
			out = out.add(partOf(v))
		default:
			out = out.add(l.elements(l.underlying(v))...)
		}
	}
	return out
}

// partOf returns an element of an external value.
func partOf(v value) value {
	return externalOf(strings.TrimSuffix(v.name, "[]") + "[]")
}

func (l *Linker) keys(vs values) values {
	var out values
	for _, v := range vs {
		if v.kind == builtin && v.name == "map" {
			out = out.add(v.arg(0)...)
			continue
		}
		out = out.add(l.keys(l.underlying(v))...)
		if lang := l.languageOf(v); lang != nil && lang.key != nil {
			out = out.add(lang.key(l, v)...)
		}
	}
	return out
}

// nth returns the n-th element of tuples, and the elements of lists.
func (l *Linker) nth(vs values, n int) values {
	var out values
	for _, v := range vs {
		if v.kind == builtin && v.name == "tuple" {
			out = out.add(v.arg(n).by(v.how)...)
			continue
		}
		if lang := l.languageOf(v); v.kind == instance && lang.item != nil {
			out = out.add(lang.item(l, v, n)...)
			continue
		}
		out = out.add(l.elements(values{v})...)
	}
	return out
}

// awaited returns the results of promises, and other values unchanged.
func awaited(vs values) values {
	var out values
	for _, v := range vs {
		if v.kind == builtin && v.name == "promise" {
			out = out.add(v.arg(0)...)
			continue
		}
		out = out.add(v)
	}
	return out
}

// languageOf returns the language whose rules apply to a value.
func (l *Linker) languageOf(v value) *language {
	switch {
	case v.unit != nil:
		return v.unit.language
	case v.decl != nil:
		return v.decl.unit.language
	case l.unit != nil:
		return l.unit.language
	}
	return nil
}

// declared returns a declaration as a named value, not yet opened.
func declared(d *decl) value {
	switch d.def.Kind {
	case code.DefType:
		return typeOf(d)
	case code.DefFunc:
		if !d.def.Getter {
			return value{kind: function, decl: d}
		}
	case code.DefSpace:
		return value{kind: space, decl: d}
	case code.DefTypeParam:
		return value{kind: typeParam, decl: d}
	default:
	}
	return value{kind: named, decl: d}
}

// open replaces named values by what they denote: variables by their values, getters by their results, type
// parameters by their arguments.
func (l *Linker) open(vs values, e *env) values {
	if !slices.ContainsFunc(vs, func(v value) bool { return v.kind == named || v.kind == typeParam }) {
		return vs
	}
	var out values
	for _, v := range vs {
		switch v.kind {
		case named:
			out = out.add(l.held(v, e).by(v.how)...)
		case typeParam:
			if bound, ok := e.lookup(v.decl); ok {
				out = out.add(typesOf(bound)...)
				continue
			}
			out = out.add(v)
		default:
			out = out.add(v)
		}
	}
	return out
}

// held returns what a named value denotes.
func (l *Linker) held(v value, e *env) values {
	d := v.decl
	if v.on != nil {
		e = l.envOn(v)
	}
	switch d.def.Kind {
	case code.DefFunc: // a getter
		v.kind = function
		return l.result(v, nil).by(Returned)
	case code.DefMember:
		if o := d.owner(); o != nil {
			return values{instanceOf(o)}
		}
		return nil
	case code.DefAlias:
		if d.def.Value != 0 {
			return l.value(d.unit, d.def.Value, e)
		}
		return typesOf(l.typ(d.unit, d.def.Type, e))
	default:
		return l.variable(d, e)
	}
}

// variable returns the possible values of a variable, parameter or field.
func (l *Linker) variable(d *decl, e *env) values {
	u := d.unit
	if d.def.Type != 0 && d.def.Value != 0 && d.def.Kind == code.DefVar && u.language.narrows {
		if found := l.value(u, d.def.Value, e); found.plain() {
			return found
		}
	}
	if d.def.Type != 0 {
		if found := l.typ(u, d.def.Type, e); len(found) > 0 {
			if d.def.Kind == code.DefParam && d.def.Variadic {
				return values{listOf(found)}
			}
			return found.by(Declared)
		}
	}
	if d.def.Value != 0 {
		if found := l.value(u, d.def.Value, e); len(found) > 0 {
			return found
		}
	}
	if d.def.Kind == code.DefParam {
		return l.given(d, e).by(Context)
	}
	return nil
}

// given returns the values of a closure's parameter, from the declared type that the closure is assigned to, or
// from the parameter that it is passed for.
func (l *Linker) given(d *decl, e *env) values {
	u := d.unit
	scope := &u.facts.Scopes[d.scope]
	if scope.Name != "" && scope.Call == 0 && scope.Expect == 0 {
		if u.language.fixture == nil {
			return nil
		}
		return l.ask(question{unit: u, decl: d, env: e, what: askGiven}, func() values { return u.language.fixture(l, d) })
	}
	n := -1
	for i, p := range u.params(d.scope) {
		if p == d {
			n = i
		}
	}
	if n < 0 {
		return nil
	}
	if scope.Expect == 0 && scope.Call == 0 {
		return nil
	}
	return l.ask(question{unit: u, decl: d, env: e, what: askGiven}, func() values { // it may be passed to itself
		if scope.Expect != 0 {
			return l.parameterOf(l.typ(u, scope.Expect, e), n)
		}
		return l.passedBy(u, scope.Call, int(scope.Arg), n, e)
	})
}
