package resolve

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// jvmChoose leaves of overloads the one whose parameters fit the arguments best; the
// first of those that fit alike, as far as is known.
func jvmChoose(l *Linker, c *callSite, goals values) values {
	args := make([]values, len(c.expr().Args))
	for i, a := range c.expr().Args {
		args[i] = l.value(c.unit, a, c.env)
	}
	best := fittest(goals, func(g value) (int, bool) { return l.suits(c, g, args) })
	if len(best) == 0 {
		return goals
	}
	return best[:1]
}

// How well an argument fits a parameter: what is built on the parameter's type fits
// the worse the further up that is.
const (
	misfit  = -1
	boxed   = 1 // a primitive for its box, or the other way
	loose   = 4 // a parameter of any type
	unknown = 8
	related = 24
	exact   = 32
)

// A function that needs its arguments in a list comes after one that does not, and
// one that needs them boxed between (JLS 15.12.2).
const (
	needsBoxes = 1 << 12
	needsList  = 1 << 13
)

// suits tells how well a function's parameters fit arguments; false where one cannot.
func (l *Linker) suits(c *callSite, g value, args []values) (int, bool) {
	params := g.decl.params()
	score, boxes, listed := 0, 0, 0
	last := len(params) - 1
	if last >= 0 && params[last].def.Variadic {
		listed = needsList
	}
	for i, a := range args {
		if last < 0 {
			return 0, false
		}
		p := params[min(c.place(params, i), last)]
		how := l.fit(c, p, a, c.expr().Args[i])
		if p.def.Variadic && len(args) == len(params) && isList(a) && l.fitElements(listOf(l.typ(p.unit, p.def.Type, nil)), a[0]) != misfit {
			how, listed = exact, 0
		}
		if how == misfit {
			return 0, false
		}
		if how == boxed {
			boxes = needsBoxes
		}
		score += how
	}
	return score - boxes - listed, true
}

func isList(vs values) bool { return len(vs) == 1 && vs[0].kind == builtin && vs[0].name == "list" }

// fit tells how well one argument fits a parameter.
func (l *Linker) fit(c *callSite, p *decl, arg values, ref code.Ref) int {
	types := l.typ(p.unit, p.def.Type, nil)
	if len(types) == 0 || p.generic() {
		return loose
	}
	if c.unit.expr(ref).Op == code.OpFunc {
		return l.fitClosure(c, types[0], c.unit.expr(ref).N)
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
		return unknown + 1
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
		return fitAnything(a, an)
	case t.kind == typeParam || a.kind == typeValue || a.kind == function:
		return unknown
	case tn == "list" && an == "list":
		return l.fitElements(t, a)
	case tn != "" && tn == an:
		return fitSame(t, a, tn)
	case jvmNumbers[tn] > 0 && jvmNumbers[an] > 0:
		return fitNumber(t, a, jvmNumbers[tn]-jvmNumbers[an])
	}
	return l.fitTypes(t, a, tn, an)
}

// fitAnything tells how well a value fits a type that everything has but primitives.
func fitAnything(a value, name string) int {
	if a.kind == builtin && jvmNumbers[name] > 0 {
		return boxed
	}
	return loose
}

// fitSame tells how well a value fits a type of its own name: a primitive and its box
// have one.
func fitSame(t, a value, name string) int {
	if t.kind != a.kind && name != "String" {
		return boxed
	}
	return exact
}

// fitNumber tells how well a primitive fits another, which is so many steps wider.
func fitNumber(t, a value, steps int) int {
	switch {
	case steps <= 0 || t.kind != builtin:
		return misfit
	case a.kind != builtin:
		return boxed
	}
	return related - min(steps, related-unknown-1)
}

// fitTypes tells how well a value fits another type than its own.
func (l *Linker) fitTypes(t, a value, tn, an string) int {
	switch {
	case t.kind == instance && a.kind == object:
		return l.fitObject(t, a)
	case t.kind == instance && a.kind == instance:
		return fitAbove(l.isA(a, t.decl, 0))
	case t.kind == external && jvmTree[tn] != "" || jvmFinal[tn] || jvmFinal[an]:
		return l.fitLibrary(tn, a)
	case isList(values{a}) != isList(values{t}) && t.kind != external:
		return misfit
	}
	return unknown
}

// fitAbove tells how well a value fits a type that is so many steps above its own; -1
// where it is not.
func fitAbove(steps int) int {
	if steps < 0 {
		return misfit
	}
	return related - min(steps, related-unknown-1)
}

// fitLibrary tells how well a value fits a library's type, by its name.
func (l *Linker) fitLibrary(name string, a value) int {
	if a.kind == instance { // by the bases that it has outside
		best := misfit
		for _, b := range l.bases(a) {
			if b.decl != a.decl {
				best = max(best, l.fitLibrary(name, b.value)-1)
			}
		}
		return max(best, misfit)
	}
	an := jvmTypeName(a)
	if jvmTree[an] == "" && an != "String" && !jvmFinal[an] && !jvmFinal[name] {
		return unknown
	}
	next := []string{an}
	for steps := 0; len(next) > 0 && steps < maxBases; steps++ {
		var above []string
		for _, n := range next {
			if n == name {
				return fitAbove(steps)
			}
			above = append(above, strings.Fields(jvmTree[n])...)
		}
		next = above
	}
	return misfit
}

// fitObject tells how well an object of a class without a name fits a type.
func (l *Linker) fitObject(t, a value) int {
	best := misfit
	for _, b := range a.unit.facts.Scopes[a.scope].Bases {
		for _, base := range l.typ(a.unit, b.Type, a.env) {
			if base.kind == instance {
				best = max(best, fitAbove(l.isA(base, t.decl, 0)))
			}
		}
	}
	return best
}

// fitElements tells how well an array fits the type of another: those of primitives
// are one type each.
func (l *Linker) fitElements(t, a value) int {
	if len(t.arg(0)) == 0 || len(a.arg(0)) == 0 {
		return unknown
	}
	te, ae := t.arg(0)[0], a.arg(0)[0]
	if te.kind != ae.kind && jvmTypeName(te) != "String" && (te.kind == builtin || ae.kind == builtin) {
		return misfit
	}
	return l.fitOne(te, ae)
}

// fitClosure tells how well a closure fits a type: that of functions with as many
// parameters, which give something where it does.
func (l *Linker) fitClosure(c *callSite, t value, scope int32) int {
	u := c.unit
	n := len(u.params(scope))
	if list := u.params(scope); n == 1 && list[0].def.Optional { // Kotlin's it
		n = -1
	}
	want, gives := l.takesAndGives(t)
	switch {
	case want == misfit || n >= 0 && n != want && want != anyNumber || n < 0 && want > 1 && want != anyNumber:
		return misfit
	case want == anyNumber:
		return unknown
	}
	return l.fitResult(u, scope, gives)
}

// anyNumber is the number of parameters of functions of which nothing is known.
const anyNumber = 1 << 8

// takesAndGives tells how many parameters the functions of a type have, and whether
// they give something; misfit for a type of no functions.
func (l *Linker) takesAndGives(t value) (takes int, gives bool) {
	switch name := jvmTypeName(t); {
	case t.kind == funcType:
		x := t.unit.expr(t.ref)
		if x.Name == withReceiver {
			return len(x.Args) - 1, true
		}
		return len(x.Args), true
	case t.kind == instance:
		m := l.onlyMethod(t)
		if m == nil {
			return misfit, false
		}
		return len(m.decl.params()), m.decl.open().Result != 0
	case t.kind == builtin && t.name == functionName:
		return len(t.args) - 1, true
	case name == "Runnable":
		return 0, false
	case t.kind == builtin || jvmFinal[name] || jvmNumbers[name] > 0:
		return misfit, false
	}
	return anyNumber, true
}

// fitResult tells how well a closure fits functions that give something, or nothing.
func (l *Linker) fitResult(u *unit, scope int32, gives bool) int {
	returns := u.facts.Scopes[scope].Returns
	switch {
	case len(returns) == 0 && gives:
		return loose
	case len(returns) == 0 || !gives && u.expr(returns[0]).Op != code.OpCall:
		return exact
	case !gives:
		return exact - 1
	}
	if l.empty(u, returns[0]) {
		return misfit
	}
	return exact
}

// empty tells a call of functions that are known to give nothing.
func (l *Linker) empty(u *unit, r code.Ref) bool {
	if u.expr(r).Op != code.OpCall {
		return false
	}
	c := &callSite{u, r, nil, -1}
	list := l.fitting(c, l.targets(u, u.expr(r).X, nil))
	for _, f := range list {
		if f.kind != function || f.decl == nil || f.decl.open() == nil || !f.decl.givesNothing() {
			return false
		}
	}
	return len(list) > 0
}

// givesNothing tells a function that declares no result, or none by that name.
func (d *decl) givesNothing() bool {
	s := d.open()
	if s.Result == 0 {
		return len(s.Returns) == 0
	}
	return d.unit.expr(s.Result).Name == voidName
}

// voidName is the type of what gives nothing, where that has a name.
const voidName = "void"

// jvmTypeName is the last name of a value's type, that of a primitive for its box; ""
// where it is not known.
func jvmTypeName(v value) string {
	name := ""
	switch v.kind {
	case instance:
		return v.decl.def.Name
	case builtin:
		name = v.name
	case external:
		if name = lastPart(v.name); !isUpper(name) || isConstant(name) || strings.HasSuffix(name, called) {
			return "" // what a function gives, or a variable holds
		}
	default:
	}
	if box, ok := jvmBoxes[name]; ok {
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
	jvmNumbers = map[string]int{"Byte": 1, "Short": 2, "Char": 3, "Int": 4, "Long": 5, "Float": 6, "Double": 7, "Boolean": 100} //nolint:gochecknoglobals // a table
	// jvmFinal are library types that nothing is built on.
	jvmFinal = map[string]bool{ //nolint:gochecknoglobals // a table
		"String": true, "Byte": true, "Short": true, "Char": true, "Int": true, "Long": true, "Float": true, "Double": true, "Boolean": true,
		"list": true, "Class": true, "KClass": true,
	}
	// jvmTree is what library types are built on.
	jvmTree = map[string]string{ //nolint:gochecknoglobals // a table
		"String": "CharSequence Comparable Serializable Object", "StringBuilder": "CharSequence Appendable Object", "CharSequence": "Object",
		"Int": "Number Comparable Object", "Long": "Number Comparable Object", "Double": "Number Comparable Object", "Float": "Number Comparable Object",
		"Short": "Number Comparable Object", "Byte": "Number Comparable Object", "Char": "Comparable Object", "Boolean": "Comparable Object",
		"Class": "Type AnnotatedElement GenericDeclaration Object", "list": "Object", "Number": "Object", "Method": "Executable Member Object",
		"Constructor": "Executable Member Object", "Parameter": "AnnotatedElement Object", "Field": "Member AnnotatedElement Object", "Executable": "AnnotatedElement GenericDeclaration Object",
		"Iterable": "Object", "Iterator": "Object", "Collection": "Iterable", "List": "Collection", "Set": "Collection", "Queue": "Collection",
		"Deque": "Queue", "SortedSet": "Set", "NavigableSet": "SortedSet", "ArrayList": "List", "LinkedList": "List Deque", "HashSet": "Set",
		"LinkedHashSet": "HashSet", "TreeSet": "NavigableSet", "ArrayDeque": "Deque", "PriorityQueue": "Queue", "ListIterator": "Iterator",
		"AbstractList": "List AbstractCollection", "AbstractSet": "Set AbstractCollection", "AbstractCollection": "Collection",
		"EnumSet": "Set", "Vector": "List", "Stack": "Vector", "CopyOnWriteArrayList": "List", "BlockingQueue": "Queue", "BlockingDeque": "BlockingQueue Deque",
		"Map": "Object", "SortedMap": "Map", "NavigableMap": "SortedMap", "HashMap": "Map", "LinkedHashMap": "HashMap", "TreeMap": "NavigableMap",
		"ConcurrentMap": "Map", "ConcurrentHashMap": "ConcurrentMap", "EnumMap": "Map", "Properties": "Map", "AbstractMap": "Map",
		"Stream": "Object", "Optional": "Object", "Path": "Iterable Comparable", "File": "Comparable Object", "URI": "Comparable Object", "URL": "Object",
		"Pattern": "Object", "Throwable": "Object", "Exception": "Throwable", "RuntimeException": "Exception", "Error": "Throwable",
		"InputStream": "Closeable", "OutputStream": "Closeable", "Reader": "Readable Closeable", "Writer": "Appendable Closeable",
		"Closeable": "AutoCloseable", "AutoCloseable": "Object", "MutableList": "List MutableCollection", "MutableSet": "Set MutableCollection",
		"MutableCollection": "Collection", "MutableMap": "Map", "Sequence": "Object", "Duration": "Comparable Object", "Charset": "Comparable Object",
	}
)
