package resolve

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// cppChoose selects among overloads by the known types of the arguments. If the remaining ones are in several
// files, there is no choice.
func cppChoose(l *Linker, c *callSite, goals values) values {
	others := slices.DeleteFunc(slices.Clone(goals), isDeclared)
	args := make([]values, len(c.expr().Args))
	for i, a := range c.expr().Args {
		args[i] = l.value(c.unit, a, c.env)
	}
	best := append(others, fittest(goals, func(g value) (int, bool) { return l.cppSuits(c, g, args) })...)
	if len(best) > 0 {
		goals = best
	}
	if len(goals) < 2 {
		return goals
	}
	var near []*decl
	for _, g := range goals {
		if g.decl == nil {
			return nil
		}
		near = append(near, g.decl)
	}
	near = cNearest(c.unit, near)
	return cChoose(l, c, slices.DeleteFunc(slices.Clone(goals), func(g value) bool { return !slices.Contains(near, g.decl) }))
}

// The ranks of conversions from an argument to a parameter, highest first.
const (
	cppExact     = 32
	cppDeduced   = 31 // by a template
	cppPromoted  = 24
	cppConverted = 16 // a standard conversion, to a base among them
	cppUnknown   = 8
	cppByClass   = 4 // by a constructor or conversion operator
	cppUnfit     = -1
)

// cppSuits returns how well the arguments fit a function's parameters; false if one does not fit.
func (l *Linker) cppSuits(c *callSite, g value, args []values) (int, bool) {
	params := g.decl.params()
	score := 0
	for i, a := range args {
		if len(params) == 0 {
			break
		}
		p := params[min(i, len(params)-1)]
		want := l.typ(p.unit, p.def.Type, l.envOn(g))
		how := cppUnknown
		switch {
		case c.unit.expr(c.expr().Args[i]).Op == code.OpFunc:
			how = l.cppTakesClosure(want, a)
		case len(want) == 1 && len(a) > 0:
			how = cppUnfit
			for _, v := range a {
				how = max(how, l.cppFit(want[0], v))
			}
		}
		if how == cppUnfit {
			return 0, false
		}
		score += how
	}
	return score, true
}

// cppTakesClosure returns how well a lambda fits a parameter.
func (l *Linker) cppTakesClosure(want, closure values) int {
	switch l.accepts(want, closure, true) {
	case yes:
		return cppExact
	case no:
		return cppUnfit
	default:
		return cppUnknown
	}
}

// cppFit returns how well a value fits a type.
func (l *Linker) cppFit(t, a value) int {
	switch {
	case t.kind == typeParam:
		return cppDeduced
	case a.kind == typeParam, a.kind == named, t.kind == named:
		return cppUnknown
	case t.kind == a.kind && t.decl == a.decl && t.name == a.name:
		return cppExact
	case isPlain(t) && isPlain(a):
		return cppFitPlain(t.name, a.name)
	case t.kind == instance && a.kind == instance:
		return l.cppFitBase(t, a)
	case a.kind == external || t.kind == external && a.kind != builtin:
		return cppUnknown
	case t.kind == builtin && !isPlain(t):
		return cppUnfit // a container
	}
	return cppByClass
}

// cppFitBase returns how well an object fits another type of the project: it does if that is a base.
func (l *Linker) cppFitBase(t, a value) int {
	if steps := l.isA(a, t.decl, 0); steps > 0 {
		return max(cppConverted-steps, cppUnknown+1)
	}
	return cppUnfit
}

// isPlain reports whether a value is of a built-in type, or a pointer to one.
func isPlain(v value) bool {
	return v.kind == builtin && len(v.args) == 0 && (cppRank[strings.TrimPrefix(v.name, "unsigned ")] > 0 || strings.HasSuffix(v.name, "*"))
}

// cppRank orders the number types of C++.
var cppRank = map[string]int{
	"bool": 1, "char": 2, "signed char": 2, "char8_t": 2, "short": 3, "wchar_t": 3, "char16_t": 3, "char32_t": 3, "int": 4, "long": 5, "long long": 6,
	"float": 7, "double": 8, "long double": 9,
}

// cppFitPlain returns how well a built-in type converts to another.
func cppFitPlain(to, from string) int {
	rank := func(name string) int { return cppRank[strings.TrimPrefix(name, "unsigned ")] }
	pointer := func(name string) bool { return strings.HasSuffix(name, "*") }
	switch {
	case pointer(from) && to == "bool":
		return cppConverted
	case pointer(from) || pointer(to):
		return cppUnfit
	case to == "int" && rank(from) < rank("int"), to == "double" && from == "float":
		return cppPromoted
	}
	return cppConverted
}
