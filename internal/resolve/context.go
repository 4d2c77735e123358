package resolve

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// withReceiver is the name of the type of functions whose first argument is the implicit receiver of names in them.
const withReceiver = "this"

// parameterOf returns the values passed as the n-th parameter to functions of the types.
func (l *Linker) parameterOf(types values, n int) values {
	var out values
	for _, v := range types {
		switch v.kind {
		case funcType:
			out = out.add(l.ofFuncType(v, n)...)
		case function:
			out = out.add(l.ofDeclared(&v, n)...)
		case builtin:
			out = out.add(ofBuiltin(v, n)...)
		case instance: // an interface with one method
			out = out.add(l.ofDeclared(l.onlyMethod(v), n)...)
		case typeParam:
			out = out.add(l.parameterOf(l.bound(v), n)...)
		default:
		}
	}
	return out
}

// ofFuncType returns the n-th parameter of a function type.
func (l *Linker) ofFuncType(v value, n int) values {
	x := v.unit.expr(v.ref)
	if x.Name == withReceiver {
		n++
	}
	if n >= len(x.Args) {
		return nil
	}
	return l.typ(v.unit, x.Args[n], v.env)
}

// ofDeclared returns the n-th parameter of a project function; f may be nil.
func (l *Linker) ofDeclared(f *value, n int) values {
	if f == nil || f.decl == nil || f.decl.def.Scope == 0 {
		return nil
	}
	params := f.decl.params()
	if n >= len(params) {
		return nil
	}
	return l.variable(params[n], l.envOn(*f))
}

// ofBuiltin returns the n-th parameter of an external function type, whose arguments are the result followed by the
// parameters.
func ofBuiltin(v value, n int) values {
	if v.name != functionName {
		return nil
	}
	return v.arg(n + 1)
}

// onlyMethod returns the single abstract method of an interface, with receiver v.
func (l *Linker) onlyMethod(v value) *value { return l.onlyMethodIn(v, 0) }

func (l *Linker) onlyMethodIn(v value, depth int) *value {
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
		return l.inheritedMethod(v, depth)
	}
	return &value{kind: function, decl: only, on: &v}
}

// inheritedMethod returns the single abstract method that an interface inherits from its only base.
func (l *Linker) inheritedMethod(v value, depth int) *value {
	bases := l.bases(v)
	if depth >= maxBases || !v.decl.unit.language.anyMethod || len(bases) != 1 || bases[0].kind != instance || bases[0].decl == v.decl {
		return nil
	}
	return l.onlyMethodIn(bases[0].value, depth+1)
}

// callable reports whether calling a value may call the member: any member, or one with the names that the language
// defines.
func (d *decl) callable() bool {
	lang := d.unit.language
	if lang.anyMethod {
		return !lang.common[d.name]
	}
	return len(lang.callables) == 0 || slices.Contains(lang.callables, d.name)
}

// passedBy returns the n-th parameter of a closure that is the arg-th argument of a call.
func (l *Linker) passedBy(u *unit, call code.Ref, arg, n int, e *env) values {
	c := &callSite{unit: u, ref: call, env: e, without: arg}
	var out values
	for _, callee := range l.calledBy(c) {
		if expected, ok := l.expected(c, callee, arg); ok {
			out = out.add(l.parameterOf(expected, n)...)
		} else if u.language.passed != nil {
			out = out.add(u.language.passed(l, callee, arg, n)...)
		}
	}
	return out
}

// expectedBy returns the type that a call expects for its arg-th argument.
func (l *Linker) expectedBy(u *unit, call code.Ref, arg int, e *env) values {
	c := &callSite{unit: u, ref: call, env: e, without: arg}
	var out values
	for _, callee := range l.calledBy(c) {
		expected, _ := l.expected(c, callee, arg)
		out = out.add(expected...)
	}
	return out
}

// calledBy returns the functions that a call may call.
func (l *Linker) calledBy(c *callSite) values {
	var callees values
	for _, v := range l.value(c.unit, c.expr().X, c.env) {
		callees = callees.add(l.callees(v)...)
	}
	return l.fitting(c, callees)
}

// expected returns the type that a project function expects for its arg-th argument; ok is false for other values.
func (l *Linker) expected(c *callSite, callee value, arg int) (found values, ok bool) {
	switch {
	case callee.kind == function && callee.decl != nil && callee.decl.def.Scope != 0:
		return l.parameter(c, callee, arg), true
	case callee.kind == funcType:
		if x := callee.unit.expr(callee.ref); arg < len(x.Args) {
			found = l.typ(callee.unit, x.Args[arg], callee.env)
		}
		return found, true
	case callee.kind == builtin && callee.name == functionName:
		return callee.arg(arg + 1), true
	}
	return nil, false
}

// callees returns the functions that calling a value may call.
func (l *Linker) callees(v value) values {
	switch v.kind {
	case typeValue:
		return l.constructors(v)
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

// parameter returns the declared type of the parameter for the arg-th argument of a call.
func (l *Linker) parameter(c *callSite, f value, arg int) values {
	params := f.decl.params()
	i := c.place(params, arg)
	if i >= len(params) || params[i].def.Type == 0 {
		return nil
	}
	return l.typ(params[i].unit, params[i].def.Type, l.inferred(c, f))
}
