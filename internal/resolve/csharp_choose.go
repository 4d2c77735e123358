package resolve

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// csharpChoose selects among overloads by the types of the arguments, then by the first rule that distinguishes
// them (C# standard, 12.6.4.3). Among equal ones there is no choice.
func csharpChoose(l *Linker, c *callSite, goals values) values {
	goals = chooseByTypes(l, c, goals)
	for _, better := range []func(l *Linker, c *callSite, f *decl) bool{csharpClosureParams, csharpClosureResults, csharpNoFunctionParam, csharpSameExternal, csharpExact, csharpNonGeneric} {
		if len(goals) < 2 {
			break
		}
		goals = goals.some(func(g value) bool {
			return isDeclared(g) && better(l, c, g.decl)
		})
	}
	for _, g := range goals { // a declaration repeated for two platforms is not ambiguous
		if len(goals) > 1 && (g.decl == nil || goals[0].decl == nil || !g.decl.repeats(goals[0].decl)) {
			return nil
		}
	}
	return goals
}

// repeats reports whether a function has the same parameters as another one of its scope.
func (d *decl) repeats(other *decl) bool {
	mine, theirs := d.params(), other.params()
	return d.unit == other.unit && d.scope == other.scope && len(d.typeParams()) == len(other.typeParams()) &&
		slices.EqualFunc(mine, theirs, func(a, b *decl) bool { return d.unit.sameText(a.def.Type, b.def.Type) })
}

// sameText reports whether two expressions of a file are equal.
func (u *unit) sameText(a, b code.Ref) bool {
	x, y := u.expr(a), u.expr(b)
	if x == y {
		return true
	}
	return x.Op == y.Op && x.Name == y.Name && u.sameText(x.X, y.X) && slices.EqualFunc(x.Args, y.Args, u.sameText)
}

// csharpClosureParams reports whether parameters of function types get the closures among the arguments.
func csharpClosureParams(l *Linker, c *callSite, f *decl) bool {
	for i, a := range c.expr().Args {
		if x := c.unit.expr(a); x.Op == code.OpFunc && !slices.ContainsFunc(l.wanted(c, f, i), isDelegate) {
			return false
		}
	}
	return true
}

// csharpClosureResults reports whether the closures among the arguments return what the parameters require.
func csharpClosureResults(l *Linker, c *callSite, f *decl) bool {
	for i, a := range c.expr().Args {
		if x := c.unit.expr(a); x.Op == code.OpFunc {
			for _, w := range l.wanted(c, f, i) {
				if w.kind == builtin && w.name == functionName && !l.givesAs(c.unit, x.N, w.arg(0)) {
					return false
				}
			}
		}
	}
	return true
}

// wanted returns the types of the parameter for an argument.
func (l *Linker) wanted(c *callSite, f *decl, arg int) values {
	params := f.params()
	i := c.place(params, arg-l.ahead(c, f))
	if i < 0 || i >= len(params) {
		return nil
	}
	return l.typ(params[i].unit, params[i].def.Type, nil)
}

// givesAs reports whether a closure returns a value if functions of a type do.
func (l *Linker) givesAs(u *unit, scope int32, want values) bool {
	s := &u.facts.Scopes[scope]
	nothing := len(s.Returns) == 0 || len(s.Returns) == 1 && l.empty(u, s.Returns[0])
	void := isVoid(want)
	task := slices.ContainsFunc(want, func(w value) bool { return w.kind == external && lastPart(w.name) == "Task" })
	switch {
	case s.Async && nothing:
		return task
	case s.Async:
		return !void && !task
	}
	return nothing == void
}

// csharpNoFunctionParam reports whether no parameter of a function type gets an argument that is not known to be a function.
func csharpNoFunctionParam(l *Linker, c *callSite, f *decl) bool {
	for i, a := range c.expr().Args {
		if slices.ContainsFunc(l.value(c.unit, a, c.env), isFunction) {
			continue
		}
		if slices.ContainsFunc(l.wanted(c, f, i), isFunction) {
			return false
		}
	}
	return true
}

// isFunction reports whether a value is a function or has a function type.
func isFunction(v value) bool {
	return v.kind == function || v.kind == funcType || v.kind == builtin && v.name == functionName
}

// csharpSameExternal reports whether members of an external type are passed to parameters of that type: TimeSpan.Zero,
// TimeSpan.FromSeconds(1).
func csharpSameExternal(l *Linker, c *callSite, f *decl) bool {
	for i, a := range c.expr().Args {
		for _, v := range l.value(c.unit, a, c.env) {
			typ, _, member := strings.Cut(v.name, ".")
			if v.kind != external || !member {
				continue
			}
			if w := l.wanted(c, f, i); len(w) != 1 || w[0].name != typ {
				return false
			}
		}
	}
	return true
}

// csharpExact reports whether every parameter gets exactly one argument.
func csharpExact(l *Linker, c *callSite, f *decl) bool {
	params := f.params()
	return len(params) == len(c.expr().Args)-l.ahead(c, f) && (len(params) == 0 || !params[len(params)-1].def.Variadic)
}

// ahead returns the number of arguments of a call before those for a function's parameters: one, the receiver, where an
// extension method is called as the static method that it is.
func (l *Linker) ahead(c *callSite, f *decl) int {
	if !c.unit.language.staticExtensions || len(c.expr().Args) == 0 || f.unit.ownerRef(f) == 0 {
		return 0
	}
	x := c.unit.expr(c.expr().X)
	if x.Op == code.OpApply {
		x = c.unit.expr(x.X)
	}
	if x.Op == code.OpName {
		return 1
	}
	if on := l.value(c.unit, x.X, c.env); x.Op == code.OpSelect && len(on) == 1 && on[0].kind == typeValue {
		return 1
	}
	return 0
}

// csharpNonGeneric reports whether a function has no type parameters.
func csharpNonGeneric(_ *Linker, _ *callSite, f *decl) bool { return len(f.typeParams()) == 0 }
