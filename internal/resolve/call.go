package resolve

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// callSite is a call being evaluated.
type callSite struct {
	unit *unit
	ref  code.Ref
	env  *env
	// without is the index of the argument to ignore when inferring type arguments, because it is the one that
	// depends on them; -1 for none.
	without int
}

func (c *callSite) expr() *code.Expr { return c.unit.expr(c.ref) }

// called returns the result of a call.
func (l *Linker) called(u *unit, r code.Ref, e *env) values {
	c := &callSite{u, r, e, -1}
	var out values
	for _, callee := range l.fitting(c, l.value(u, c.expr().X, e)) {
		out = out.add(l.result(callee, c).by(callee.how)...)
	}
	return out
}

// result returns the result of calling a value. Without a call site (for a getter) there are no arguments to infer
// from.
func (l *Linker) result(callee value, c *callSite) values {
	switch callee.kind {
	case typeValue:
		return l.constructed(callee, c)
	case function:
		return l.functionResult(callee, c)
	case funcType:
		return l.typ(callee.unit, callee.unit.expr(callee.ref).X, callee.env).by(Returned)
	case instance:
		if f := l.calling(callee); f != nil {
			return l.result(*f, c)
		}
	case typeParam:
		var out values
		for _, b := range l.bound(callee) {
			out = out.add(l.result(b, c)...)
		}
		return out
	case builtin:
		if callee.name == functionName {
			return callee.arg(0).by(Returned)
		}
	default:
	}
	if c != nil && c.unit.language.result != nil {
		if found, ok := c.unit.language.result(l, c, callee); ok {
			return found
		}
	}
	if callee.kind == external {
		return values{externalOf(callee.name + "()")}
	}
	return nil
}

// calling returns the function that is called by calling a value of a project type; nil if there is none.
func (l *Linker) calling(v value) *value {
	for _, name := range v.decl.unit.language.callables {
		if found := l.member(v, name); len(found) > 0 {
			return &found[0]
		}
	}
	if made := l.underlying(v); len(made) > 0 {
		return &made[0]
	}
	return l.onlyMethod(v)
}

// functionResult returns the declared result of a function, or what its body returns.
func (l *Linker) functionResult(f value, c *callSite) values {
	u, scope, e := f.unit, f.scope, f.env
	if f.decl != nil {
		if f.decl.def.Scope == 0 {
			return nil
		}
		u, scope, e = f.decl.unit, f.decl.def.Scope, l.envOn(f)
		if c != nil {
			e = l.inferred(c, f)
		}
	}
	s := &u.facts.Scopes[scope]
	if s.Result != 0 {
		found := l.typ(u, s.Result, e)
		if len(found) > 0 && c != nil {
			found = l.asSelf(found, f, u, s.Result)
		}
		return found.by(Returned)
	}
	var out values
	for _, r := range s.Returns {
		found := l.value(u, r, e)
		if f.on != nil && f.decl != nil && u.language.linear && u.givesSelf(r) {
			found = l.receiverOf(f, found)
		}
		out = out.add(found...)
	}
	if out = out.by(Inferred); len(out) > 0 && s.Async {
		return values{promiseOf(out)}
	}
	return out
}

// asSelf replaces a result declared as "this" by the receiver of the call, which may be of a derived type.
func (l *Linker) asSelf(found values, f value, u *unit, result code.Ref) values {
	if f.on == nil || u.expr(result).Op != code.OpThis {
		return found
	}
	return l.receiverOf(f, found)
}

// receiverOf returns the receiver of a method call, or an instance if the method is static; found if it is unknown.
func (l *Linker) receiverOf(f value, found values) values {
	if f.on.kind != instance && f.on.kind != typeValue {
		return found
	}
	v := *f.on
	v.kind, v.how = instance, 0
	return values{v}
}

// givesSelf reports whether an expression is the receiver, by a parameter of the method, or a new instance of its
// type: self, cls().
func (u *unit) givesSelf(r code.Ref) bool {
	x := u.expr(r)
	made := x.Op == code.OpCall
	if made {
		x = u.expr(x.X)
	}
	if x.Op != code.OpName {
		return false
	}
	found := u.bound(x.Scope, x.Name, x.Pos, true)
	if len(found) != 1 || found[0].def.Kind != code.DefParam {
		return false
	}
	v := u.expr(found[0].def.Value)
	return !made && v.Op == code.OpThis || made && v.Op == code.OpTypeOf && u.expr(v.X).Op == code.OpThis
}

// inferred returns the type arguments of a call: from the receiver, from explicit arguments, and inferred from the
// call's arguments.
func (l *Linker) inferred(c *callSite, f value) *env {
	e := l.envOn(f)
	if f.decl == nil || f.decl.def.Scope == 0 {
		return e
	}
	params := f.decl.typeParams()
	owner := f.decl.owner()
	if owner != nil && f.on != nil && len(f.on.args) == 0 {
		params = append(params, owner.typeParams()...)
	}
	if len(params) == 0 {
		return e
	}
	if len(f.args) > 0 {
		return l.bindParams(e, f.decl.typeParams(), f.args)
	}
	found := &env{}
	x := c.expr()
	list := f.decl.params()
	for i, a := range x.Args {
		p := c.place(list, i)
		if i == c.without || p >= len(list) || list[p].def.Type == 0 {
			continue
		}
		l.unify(found, params, f.decl.unit, list[p].def.Type, c, a)
	}
	return l.envOf(found, e)
}

// place returns the index of the parameter for an argument; len(params) or more if there is none.
func (c *callSite) place(params []*decl, arg int) int {
	args := c.expr().Args
	last := len(params) - 1
	switch {
	case last < 0:
		return arg
	case c.unit.language.trailing && arg == len(args)-1 && arg < last && c.unit.expr(args[arg]).Op == code.OpFunc:
		return last
	case arg > last && params[last].def.Variadic:
		return last
	}
	return arg
}

// unify infers type parameters in a parameter's type from an argument.
func (l *Linker) unify(found *env, params []*decl, u *unit, typ code.Ref, c *callSite, arg code.Ref) {
	x := u.expr(typ)
	if x.Op == code.OpFuncType { // the result of a closure
		if res := u.expr(x.X); res.Op != code.OpNone {
			l.match(found, params, u, x.X, l.closureResult(c, arg), 0)
		}
		return
	}
	l.match(found, params, u, typ, l.value(c.unit, arg, c.env), 0)
}

// closureResult returns the result of a function passed as an argument.
func (l *Linker) closureResult(c *callSite, arg code.Ref) values {
	var out values
	for _, v := range l.value(c.unit, arg, c.env) {
		switch v.kind {
		case function:
			out = out.add(l.functionResult(v, nil)...)
		case typeValue: // a class is a factory
			v.kind = instance
			out = out.add(v)
		default:
		}
	}
	return out
}

// match binds the type parameters in a type from values of it.
func (l *Linker) match(found *env, params []*decl, u *unit, typ code.Ref, vs values, depth int) {
	x := u.expr(typ)
	if len(vs) == 0 || depth > maxArgs {
		return
	}
	switch x.Op {
	case code.OpName:
		for _, v := range l.meant(u, x, x.Name) {
			if _, known := found.lookup(v.decl); v.kind == typeParam && slices.Contains(params, v.decl) && !known {
				found.params, found.args = append(found.params, v.decl), append(found.args, vs)
			}
		}
	case code.OpList:
		l.match(found, params, u, x.X, l.elements(vs), depth+1)
	case code.OpMap:
		if len(x.Args) > 0 {
			l.match(found, params, u, x.Args[0], l.keys(vs), depth+1)
		}
		l.match(found, params, u, x.X, l.elements(vs), depth+1)
	case code.OpEither:
		for _, a := range x.Args {
			l.match(found, params, u, a, vs, depth+1)
		}
	case code.OpApply, code.OpIndex:
		for i, a := range x.Args {
			l.match(found, params, u, a, l.argumentsOf(u, typ, vs, i), depth+1)
		}
	default:
	}
}

// argumentsOf returns the i-th type arguments of values, as instances of the generic type.
func (l *Linker) argumentsOf(u *unit, typ code.Ref, vs values, i int) values {
	var out values
	for _, v := range vs {
		switch v.kind {
		case builtin, external:
			out = out.add(v.arg(i)...)
		case instance:
			for _, t := range l.typ(u, u.expr(typ).X, nil) {
				if t.decl == v.decl {
					out = out.add(v.arg(i)...)
				}
			}
		default:
		}
	}
	return out
}

// fitting returns the functions that accept the number of arguments of the call, or all if none does, without implementations that have
// overload signatures: the signatures say how to call them.
func (l *Linker) fitting(c *callSite, callees values) values {
	signature := signatures(callees)
	callable := func(v *value) bool { return v.kind == function && v.decl != nil && signature(v) }
	strict := func() bool {
		return callees.have(1, func(v *value) bool { return callable(v) && l.overloads(v.decl) })
	}
	if !callees.have(2, callable) && !strict() {
		return callees.only(signature)
	}
	out := callees.only(func(v *value) bool {
		return signature(v) && (v.kind != function || v.decl == nil || v.decl.takes(len(c.expr().Args)-l.ahead(c, v.decl)) && v.appliedTo(c))
	})
	switch {
	case len(out) == 0 && !strict():
		return callees.only(signature)
	case len(out) > 1:
		return out.by(Overload)
	}
	return out
}

// appliedTo reports whether a function has as many type parameters as the call has explicit type arguments.
func (v value) appliedTo(c *callSite) bool {
	x := c.unit.expr(c.expr().X)
	return x.Op != code.OpApply || c.expr().Op != code.OpCall || !c.unit.language.overloads || len(v.decl.typeParams()) == len(x.Args)
}

// signatures returns what reports whether a callee is no implementation that has overload signatures among the others.
func signatures(callees values) func(v *value) bool {
	all := func(*value) bool { return true }
	if len(callees) < 2 || callees[0].decl != nil && callees[0].decl.unit.language.prototypes { // of C++'s overloads some may be declared only
		return all
	}
	var stated []*decl
	for i := range callees {
		if d := callees[i].decl; callees[i].hasScope() && !d.open().Body && !d.def.Abstract {
			stated = append(stated, d)
		}
	}
	if len(stated) == 0 {
		return all
	}
	return func(v *value) bool {
		return !v.hasScope() || !v.decl.open().Body || !slices.ContainsFunc(stated, func(d *decl) bool {
			return d.unit == v.decl.unit && d.scope == v.decl.scope && d.def.Name == v.decl.def.Name
		})
	}
}

// hasScope reports whether a value is a function whose declaration opens a scope.
func (v *value) hasScope() bool { return v.kind == function && v.decl != nil && v.decl.open() != nil }

// takes reports whether a function can be called with n arguments.
func (d *decl) takes(n int) bool {
	if d.def.Scope == 0 {
		return true
	}
	least, most := 0, 0
	for p := range d.unit.eachParam(d.def.Scope) {
		most++
		if p.def.Variadic {
			most = n + 1
			continue
		}
		if !p.def.Optional {
			least++
		}
	}
	return n >= least && n <= most
}
