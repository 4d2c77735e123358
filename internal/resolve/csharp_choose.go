package resolve

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// csharpChoose decides between overloads by the types of the arguments. Of those that
// these say nothing of, the first of the rules counts that tells some from others (C#
// standard, 12.6.4.3). What then still fits alike is not chosen from.
func csharpChoose(l *Linker, c *callSite, goals values) values {
	goals = chooseByTypes(l, c, goals)
	for _, better := range []func(l *Linker, c *callSite, f *decl) bool{csharpGives, csharpPlain, csharpAkin, csharpWhole, csharpOrdinary} {
		if len(goals) < 2 {
			break
		}
		goals = goals.some(func(g value) bool {
			return isDeclared(g) && better(l, c, g.decl)
		})
	}
	for _, g := range goals { // one that is written twice, for two platforms, is no choice
		if len(goals) > 1 && (g.decl == nil || goals[0].decl == nil || !g.decl.repeats(goals[0].decl)) {
			return nil
		}
	}
	return goals
}

// repeats reports whether a function has the parameters of another of its scope.
func (d *decl) repeats(other *decl) bool {
	mine, theirs := d.params(), other.params()
	return d.unit == other.unit && d.scope == other.scope && len(d.typeParams()) == len(other.typeParams()) &&
		slices.EqualFunc(mine, theirs, func(a, b *decl) bool { return d.unit.sameText(a.def.Type, b.def.Type) })
}

// sameText reports whether two expressions of a file say the same.
func (u *unit) sameText(a, b code.Ref) bool {
	x, y := u.expr(a), u.expr(b)
	if x == y {
		return true
	}
	return x.Op == y.Op && x.Name == y.Name && u.sameText(x.X, y.X) && slices.EqualFunc(x.Args, y.Args, u.sameText)
}

// csharpGives tells that closures that are passed give what is asked of them.
func csharpGives(l *Linker, c *callSite, f *decl) bool {
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

// wanted returns the types of the parameter that takes an argument.
func (l *Linker) wanted(c *callSite, f *decl, arg int) values {
	params := f.params()
	i := c.place(params, arg)
	if i >= len(params) {
		return nil
	}
	return l.typ(params[i].unit, params[i].def.Type, nil)
}

// givesAs reports whether a closure can give what functions of a type do.
func (l *Linker) givesAs(u *unit, scope int32, want values) bool {
	s := &u.facts.Scopes[scope]
	nothing := len(s.Returns) == 0 || len(s.Returns) == 1 && l.empty(u, s.Returns[0])
	void := slices.ContainsFunc(want, func(w value) bool { return w.kind == builtin && w.name == voidName })
	task := slices.ContainsFunc(want, func(w value) bool { return w.kind == external && lastPart(w.name) == "Task" })
	switch {
	case s.Async && nothing:
		return task
	case s.Async:
		return !void && !task
	}
	return nothing == void
}

// csharpPlain tells that no parameter of a type of functions takes an argument that is
// not known to be one.
func csharpPlain(l *Linker, c *callSite, f *decl) bool {
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

// isFunction tells a function, or a value of a type of functions.
func isFunction(v value) bool {
	return v.kind == function || v.kind == funcType || v.kind == builtin && v.name == functionName
}

// csharpAkin tells that what is taken from a type of outside goes to parameters of that
// type: TimeSpan.Zero, TimeSpan.FromSeconds(1).
func csharpAkin(l *Linker, c *callSite, f *decl) bool {
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

// csharpWhole tells that all parameters get an argument, and none several.
func csharpWhole(_ *Linker, c *callSite, f *decl) bool {
	params := f.params()
	return len(params) == len(c.expr().Args) && (len(params) == 0 || !params[len(params)-1].def.Variadic)
}

// csharpOrdinary tells a function without type parameters.
func csharpOrdinary(_ *Linker, _ *callSite, f *decl) bool { return len(f.typeParams()) == 0 }
