package link

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/code"
)

// parameterOf returns what the n-th parameter of functions of the types gets.
func (l *Linker) parameterOf(types values, n int) values {
	var out values
	for _, v := range types {
		switch v.kind {
		case funcType:
			if x := v.unit.expr(v.ref); n < len(x.Args) {
				out = out.add(l.typ(v.unit, x.Args[n], v.env)...)
			}
		case function:
			if v.decl != nil && v.decl.def.Scope != 0 {
				if params := v.decl.params(); n < len(params) {
					out = out.add(l.variable(params[n], l.envOn(v))...)
				}
			}
		case instance: // an interface with one method
			if m := l.onlyMethod(v); m != nil {
				if params := m.decl.params(); n < len(params) {
					out = out.add(l.variable(params[n], l.envOn(*m))...)
				}
			}
		case typeParam:
			out = out.add(l.parameterOf(l.bound(v), n)...)
		default:
		}
	}
	return out
}

// onlyMethod returns the one abstract method of an interface, as called on v.
func (l *Linker) onlyMethod(v value) *value {
	var only *decl
	if v.decl.def.Scope == 0 {
		return nil
	}
	list := v.decl.unit.decls[v.decl.def.Scope]
	for i := range list {
		if d := list[i]; d.def.Kind == code.DefFunc && d.def.Abstract && d.callable() {
			if only != nil {
				return nil
			}
			only = d
		}
	}
	if only == nil {
		return nil
	}
	return &value{kind: function, decl: only, on: &v}
}

// callable tells a member that calling a value can mean: one by any name, or by those
// that the language has for it.
func (d *decl) callable() bool {
	names := d.unit.language.callables
	return len(names) == 0 || slices.Contains(names, d.def.Name)
}

// passedBy returns what the n-th parameter of a closure gets that a call passes as
// its arg-th argument.
func (l *Linker) passedBy(u *unit, call code.Ref, arg, n int, e *env) values {
	c := &callSite{unit: u, ref: call, env: e, without: arg}
	var callees, out values
	for _, v := range l.value(u, c.expr().X, e) {
		callees = callees.add(l.callees(v)...)
	}
	for _, callee := range l.fitting(c, callees) {
		switch {
		case callee.kind == function && callee.decl != nil && callee.decl.def.Scope != 0:
			out = out.add(l.parameterOf(l.parameter(c, callee, arg), n)...)
		case callee.kind == funcType:
			if x := callee.unit.expr(callee.ref); arg < len(x.Args) {
				out = out.add(l.parameterOf(l.typ(callee.unit, x.Args[arg], callee.env), n)...)
			}
		case u.language.passed != nil:
			out = out.add(u.language.passed(l, callee, arg, n)...)
		}
	}
	return out
}

// callees returns the functions that calling a value may call.
func (l *Linker) callees(v value) values {
	switch v.kind {
	case typeValue:
		return values{l.constructor(v)}
	case instance:
		var out values
		for _, name := range v.decl.unit.language.callables {
			out = out.add(l.member(v, name)...)
		}
		return out
	default:
		return values{v}
	}
}

// parameter returns what the type of the parameter says that takes the arg-th
// argument of a call of a function.
func (l *Linker) parameter(c *callSite, f value, arg int) values {
	params := f.decl.params()
	i := arg
	if i >= len(params) && len(params) > 0 && params[len(params)-1].def.Variadic {
		i = len(params) - 1
	}
	if i >= len(params) || params[i].def.Type == 0 {
		return nil
	}
	return l.typ(params[i].unit, params[i].def.Type, l.inferred(c, f))
}
