package link

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/code"
)

// jvmChoose leaves of overloads the one whose parameters fit the arguments best; the
// first of those that fit alike, as far as is known.
func jvmChoose(l *Linker, c *callSite, goals values) values {
	var best values
	top := -1
	args := make([]values, len(c.expr().Args))
	for i, a := range c.expr().Args {
		args[i] = l.value(c.unit, a, c.env)
	}
	for _, g := range goals {
		if g.kind != function || g.decl == nil || g.decl.def.Scope == 0 {
			continue
		}
		score, ok := l.fits(c, g, args)
		switch {
		case !ok || score < top:
		case score > top:
			top, best = score, values{g}
		default:
			best = append(best, g)
		}
	}
	switch {
	case len(best) == 0:
		return goals
	case len(best) > 1:
		return best[:1]
	}
	return best
}

// How well an argument fits a parameter.
const (
	misfit  = -1
	loose   = 1 // a parameter of any type
	unknown = 2
	related = 3 // of a type built on the parameter's
	exact   = 4
)

// fits tells how well a function's parameters fit arguments; false where one cannot.
func (l *Linker) fits(c *callSite, g value, args []values) (int, bool) {
	params := g.decl.params()
	score := 0
	for i, a := range args {
		if len(params) == 0 {
			return 0, false
		}
		p := params[min(i, len(params)-1)]
		how := l.fit(c, p, a, c.expr().Args[i])
		if how == misfit && p.def.Variadic && i == len(params)-1 && len(args) == len(params) && isList(a) {
			how = related
		}
		if how == misfit {
			return 0, false
		}
		score += 4 * how
	}
	if len(params) > 0 && params[len(params)-1].def.Variadic {
		score--
	}
	return score, true
}

func isList(vs values) bool { return len(vs) == 1 && vs[0].kind == builtin && vs[0].name == "list" }

// fit tells how well one argument fits a parameter.
func (l *Linker) fit(c *callSite, p *decl, arg values, ref code.Ref) int {
	types := l.typ(p.unit, p.def.Type, nil)
	if len(types) == 0 || p.generic() {
		return loose
	}
	if c.unit.expr(ref).Op == code.OpFunc {
		return l.fitClosure(c.unit, types[0], c.unit.expr(ref).N)
	}
	if len(arg) == 0 {
		return fitUnknown(jvmTypeName(types[0]))
	}
	best := misfit
	for _, a := range arg {
		best = max(best, l.fitOne(types[0], a))
	}
	return best
}

// fitUnknown tells how well an argument of which nothing is known fits a type: it is
// most likely to fit one that everything does.
func fitUnknown(name string) int {
	switch {
	case name == "Object" || name == "Any":
		return related
	case jvmNumbers[name] > 0:
		return loose
	}
	return unknown
}

// fitOne tells how well a value fits a type.
func (l *Linker) fitOne(t, a value) int {
	tn, an := jvmTypeName(t), jvmTypeName(a)
	switch {
	case a.kind == external && an == "", a.kind == typeParam:
		return fitUnknown(tn)
	case tn == "Object" || tn == "Any":
		return loose
	case t.kind == typeParam || a.kind == typeParam || a.kind == typeValue || a.kind == function:
		return unknown
	case tn == "list" && an == "list":
		return l.fitElements(t, a)
	case tn != "" && tn == an:
		if t.kind != a.kind && tn != "String" { // a primitive and its box
			return related
		}
		return exact
	case jvmNumbers[tn] > 0 && jvmNumbers[an] > 0:
		if jvmNumbers[an] < jvmNumbers[tn] {
			return related
		}
		return misfit
	case jvmFinal[tn] || jvmFinal[an]:
		if jvmAbove[an+" "+tn] {
			return related
		}
		return misfit
	case t.kind == instance && a.kind == instance:
		if l.isA(a, t.decl, 0) {
			return related
		}
		return misfit
	case t.kind == instance && a.kind == object:
		for _, b := range a.unit.facts.Scopes[a.scope].Bases {
			for _, base := range l.value(a.unit, b.Type, a.env) {
				if base.decl == t.decl || base.kind == typeValue && l.isA(instanceOf(base.decl), t.decl, 0) {
					return related
				}
			}
		}
		return misfit
	case isList(values{a}) != isList(values{t}) && t.kind != external:
		return misfit
	}
	return unknown
}

// fitElements tells how well an array fits the type of another: those of primitives
// are one type each.
func (l *Linker) fitElements(t, a value) int {
	if len(t.arg(0)) == 0 || len(a.arg(0)) == 0 {
		return unknown
	}
	te, ae := t.arg(0)[0], a.arg(0)[0]
	if te.kind != ae.kind && (te.kind == builtin || ae.kind == builtin) {
		return misfit
	}
	return l.fitOne(te, ae)
}

// isA tells whether a value's type is built on a type, or may be.
func (l *Linker) isA(v value, t *decl, depth int) bool {
	if v.decl == t {
		return true
	}
	if depth > maxBases {
		return false
	}
	for _, b := range l.bases(v) {
		if b.kind == instance && b.decl != v.decl && l.isA(b.value, t, depth+1) {
			return true
		}
	}
	return false
}

// fitClosure tells how well a closure fits a type: that of functions with as many
// parameters.
func (l *Linker) fitClosure(u *unit, t value, scope int32) int {
	n := len(u.params(scope))
	if list := u.params(scope); n == 1 && list[0].def.Optional { // Kotlin's it
		n = -1
	}
	want := -1
	switch t.kind {
	case funcType:
		want = len(t.unit.expr(t.ref).Args)
		if n < 0 && want <= 1 {
			return exact
		}
	case instance:
		m := l.onlyMethod(t)
		if m == nil {
			return misfit
		}
		want = len(m.decl.params())
	case builtin:
		if t.name != functionName {
			return misfit
		}
		want = len(t.args) - 1
	case external:
		switch name := jvmTypeName(t); {
		case name == "Runnable":
			want = 0
		case jvmFinal[name] || jvmNumbers[name] > 0:
			return misfit
		default:
			return unknown
		}
	default:
		return unknown
	}
	if n < 0 || n == want {
		return exact
	}
	return misfit
}

// jvmTypeName is the last name of a value's type, that of a primitive for its box.
func jvmTypeName(v value) string {
	name := ""
	switch v.kind {
	case instance:
		name = v.decl.def.Name
	case builtin, external:
		if name = lastPart(v.name); strings.HasSuffix(name, called) { // what a function of outside gives
			return ""
		}
	default:
	}
	if box, ok := jvmBoxes[name]; ok && v.kind != instance {
		return box
	}
	return name
}

var (
	jvmBoxes = map[string]string{ //nolint:gochecknoglobals // a table
		"string": "String", "int": "Int", "Integer": "Int", "long": "Long", "short": "Short", "byte": "Byte", "char": "Char", "Character": "Char",
		"boolean": "Boolean", "double": "Double", "float": "Float",
	}
	// jvmNumbers are the primitive numbers; each can be used as those above it.
	jvmNumbers = map[string]int{"Byte": 1, "Short": 2, "Char": 3, "Int": 4, "Long": 5, "Float": 6, "Double": 7} //nolint:gochecknoglobals // a table
	// jvmFinal are library types that nothing is built on.
	jvmFinal = map[string]bool{ //nolint:gochecknoglobals // a table
		"String": true, "Byte": true, "Short": true, "Char": true, "Int": true, "Long": true, "Float": true, "Double": true, "Boolean": true,
		"list": true, "Class": true, "KClass": true,
	}
	// jvmAbove are the types above these.
	jvmAbove = map[string]bool{ //nolint:gochecknoglobals // a table
		"String CharSequence": true, "String Comparable": true, "String Serializable": true, "Int Number": true, "Long Number": true,
		"Double Number": true, "Float Number": true, "Short Number": true, "Byte Number": true, "Int Comparable": true, "Long Comparable": true,
		"Double Comparable": true, "Class Type": true, "Char Comparable": true, "Boolean Comparable": true, "Class AnnotatedElement": true,
		"Class GenericDeclaration": true,
	}
)
