package resolve

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// chooseByTypes selects the overloads whose parameters accept the known types of the arguments.
func chooseByTypes(l *Linker, c *callSite, goals values) values {
	others := slices.DeleteFunc(slices.Clone(goals), func(g value) bool {
		return isDeclared(g) || g.kind == typeValue && isInterface(g.decl) && len(goals) > 1 // base(…) refers to a class
	})
	best := append(others, fittest(goals, func(g value) (int, bool) {
		n := l.agreement(c, g)
		return n, n >= 0
	})...)
	if len(best) == 0 {
		return goals
	}
	return best
}

// fittest returns the declared functions with the best score; none if none suits.
func fittest(goals values, suits func(g value) (score int, ok bool)) values {
	var best values
	most := 0
	for _, g := range goals {
		if !isDeclared(g) {
			continue
		}
		switch score, ok := suits(g); {
		case !ok:
		case len(best) == 0 || score > most:
			best, most = values{g}, score
		case score == most:
			best = append(best, g)
		}
	}
	return best
}

// isDeclared reports whether a value is a declared function, whose parameters are known.
func isDeclared(v value) bool {
	return v.kind == function && v.decl != nil && v.decl.def.Scope != 0
}

// agreement returns the number of arguments known to have the type of their parameter; -1 if one is known to have
// another type.
func (l *Linker) agreement(c *callSite, g value) int {
	n := 0
	params := g.decl.params()
	args := c.expr().Args
	if l.ahead(c, g.decl) > 0 {
		if l.accepts(l.typ(g.decl.unit, g.decl.unit.ownerRef(g.decl), nil), l.value(c.unit, args[0], c.env), false) == yes {
			n++
		}
		args = args[1:]
	}
	for i, a := range args {
		if len(params) == 0 {
			break
		}
		p := params[min(i, len(params)-1)]
		if p.def.Type == 0 {
			continue
		}
		want := l.typ(p.unit, p.def.Type, l.envOn(g))
		switch l.accepts(want, l.value(c.unit, a, c.env), c.unit.expr(a).Op == code.OpFunc) {
		case yes:
			n++
		case no:
			return -1
		case maybe:
		}
	}
	return n
}

// fit says whether a value fits a type.
type fit uint8

const (
	maybe fit = iota
	yes
	no
)

// accepts reports whether a parameter with some types accepts values.
func (l *Linker) accepts(want, have values, closure bool) fit {
	if len(want) != 1 || len(have) == 0 {
		return maybe
	}
	answer := no
	for _, h := range have {
		switch l.acceptsOne(want[0], h, closure) {
		case yes:
			return yes
		case maybe:
			answer = maybe
		case no:
		}
	}
	return answer
}

// acceptsOne is accepts for one type and one value.
func (l *Linker) acceptsOne(w, h value, closure bool) fit {
	switch {
	case h.kind == typeParam:
		return l.takesParam(w, h)
	case w.kind == typeParam, h.kind == named:
		return maybe
	case closure && isFunctions(w):
		return takesClosure(w, h)
	case isDelegate(w) && isDelegate(h) && !sameShape(w, h):
		return no
	case w.kind == h.kind && (w.decl == h.decl && w.name == h.name || w.kind == instance && l.isA(h, w.decl, 0) >= 0):
		return yes
	case isNumber(w) && isNumber(h), isOutside(w), isOutside(h):
		return maybe
	}
	return no
}

// takesParam reports whether a parameter accepts a value of a type parameter.
func (l *Linker) takesParam(w, h value) fit {
	switch {
	case w.kind == typeParam:
		return yes
	case len(l.bound(h)) > 0 || isOutside(w):
		return maybe
	}
	return no
}

// numbers are the built-in number types, which convert to each other.
var numbers = wordSet(`byte sbyte short ushort int uint long ulong nint nuint float double decimal char Int UInt Int32 UInt32
	Int64 UInt64 Float Double CGFloat`)

func isNumber(v value) bool { return (v.kind == builtin || v.kind == external) && numbers[v.name] }

// isFunctions reports whether a type is, or for an external one may be, a function type.
func isFunctions(w value) bool {
	return w.kind == funcType || w.kind == external || w.kind == builtin && w.name == functionName
}

// takesClosure reports whether a function type accepts a closure: one of a library requires the same number of
// parameters.
func takesClosure(w, h value) fit {
	if w.kind == builtin && h.unit != nil && len(h.unit.params(h.scope)) != len(w.args)-1 {
		return no
	}
	return yes
}

// isDelegate reports whether a value is of a library's function type, whose result and parameters are known.
func isDelegate(v value) bool { return v.kind == builtin && v.name == functionName && len(v.args) > 0 }

// sameShape reports whether two function types have as many parameters, and both a result or none.
func sameShape(a, b value) bool {
	return len(a.args) == len(b.args) && isVoid(a.arg(0)) == isVoid(b.arg(0))
}

func isVoid(vs values) bool {
	return slices.ContainsFunc(vs, func(v value) bool { return v.kind == builtin && v.name == voidName })
}

// isOutside reports whether a value's type is external, so that it may derive from any type.
func isOutside(v value) bool { return v.kind == external && v.name != "String" }

// isA returns the number of steps from a value's type up to t; -1 if t is not a base.
func (l *Linker) isA(v value, t *decl, depth int) int {
	if v.decl == t {
		return 0
	}
	if depth > maxBases {
		return -1
	}
	best := -1
	for _, b := range l.bases(v) {
		if b.kind != instance || b.decl == v.decl {
			continue
		}
		if n := l.isA(b.value, t, depth+1); n >= 0 && (best < 0 || n+1 < best) {
			best = n + 1
		}
	}
	return best
}
