package resolve

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// jvmChoose selects the overload whose parameters best fit the arguments; of equal ones, as far as types are known,
// the first.
func jvmChoose(l *Linker, c *callSite, goals values) values {
	args := make([]values, len(c.expr().Args))
	for i, a := range c.expr().Args {
		args[i] = l.erased(c, l.value(c.unit, a, c.env))
	}
	best := fittest(goals, func(g value) (int, bool) { return l.suits(c, g, args) })
	if len(best) == 0 {
		return goals
	}
	return best[:1]
}

// The distance of an argument from a parameter; for a base type it grows with the number of steps.
const (
	misfit  = -1
	boxed   = 1 // boxing or unboxing
	loose   = 4 // a parameter that accepts anything
	unknown = 8
	related = 24
	exact   = 32
)

// Overloads that need boxing come after others, and variadic ones last (JLS 15.12.2).
const (
	needsBoxes = 1 << 12
	needsList  = 1 << 13
)

// suits returns the distance of the arguments from a function's parameters; false if one does not fit.
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

// erased replaces values of the type parameters around a call in Java by their bounds: of others, as those of a receiver
// whose arguments are unknown, nothing is known.
func (l *Linker) erased(c *callSite, vs values) values {
	if c.unit.file.Language != "java" || !slices.ContainsFunc(vs, func(v value) bool { return v.kind == typeParam }) {
		return vs
	}
	var out values
	for _, v := range vs {
		if v.kind != typeParam || v.decl.unit.file != c.unit.file || !c.unit.encloses(v.decl.scope, c.scope()) {
			out = out.add(v)
			continue
		}
		bounds := l.bound(v)
		if len(bounds) == 0 {
			bounds = values{externalOf(jvmTypes["Object"])}
		}
		out = out.add(bounds...)
	}
	return out
}

// scope returns the scope of the called name.
func (c *callSite) scope() int32 {
	x := c.expr()
	for x.Op == code.OpCall || x.Op == code.OpNew || x.Op == code.OpApply || x.Op == code.OpSelect {
		x = c.unit.expr(x.X)
	}
	return x.Scope
}

// encloses reports whether a scope is, or is around, another.
func (u *unit) encloses(outer, inner int32) bool {
	for ; inner > 0 && inner != outer; inner = u.facts.Scopes[inner].Parent {
	}
	return inner == outer
}

func isList(vs values) bool { return len(vs) == 1 && vs[0].kind == builtin && vs[0].name == "list" }

// fit returns the distance of one argument from a parameter.
func (l *Linker) fit(c *callSite, p *decl, arg values, ref code.Ref) int {
	types := l.typ(p.unit, p.def.Type, nil)
	if how, known := l.fitFunction(types, arg); known {
		return how
	}
	if len(types) == 1 && types[0].kind == typeParam {
		types = l.bound(types[0])
	} else if p.generic() {
		types = nil
	}
	if len(types) == 0 {
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

// fitFunction returns the distance of a value of a function type from another one, by the number of their parameters.
func (l *Linker) fitFunction(types, arg values) (int, bool) {
	if len(types) != 1 || len(arg) != 1 || types[0].kind != funcType || arg[0].kind != funcType {
		return 0, false
	}
	want, _ := l.takesAndGives(types[0])
	have, _ := l.takesAndGives(arg[0])
	switch {
	case want == anyNumber || have == anyNumber:
		return 0, false
	case want != have:
		return misfit, true
	}
	return related, true
}

// fitUnknown returns the distance of an argument of unknown type, which most likely fits a parameter that accepts
// anything.
func fitUnknown(name string) int {
	switch {
	case name == "Object" || name == "Any":
		return unknown + 1
	case jvmNumbers[name] > 0:
		return loose
	}
	return unknown
}

// fitOne returns the distance of a value from a type.
func (l *Linker) fitOne(t, a value) int {
	tn, an := jvmTypeName(t), jvmTypeName(a)
	switch {
	case a.kind == external && an == "", a.kind == typeParam:
		return fitUnknown(tn)
	case tn == "Object" || tn == "Any":
		return fitAnything(a, an)
	case t.kind == typeParam || a.kind == typeValue || a.kind == function:
		return unknown
	case isObjectOnly(a):
		return misfit
	case tn == "list" && an == "list":
		return l.fitElements(t, a)
	case tn != "" && tn == an:
		return fitSame(t, a, tn)
	case jvmNumbers[tn] > 0 && jvmNumbers[an] > 0:
		return fitNumber(t, a, jvmNumbers[tn]-jvmNumbers[an])
	}
	return l.fitTypes(t, a, tn, an)
}

// isObjectOnly reports whether nothing is known of a value but that it is an Object.
func isObjectOnly(v value) bool { return v.kind == external && v.name == jvmTypes["Object"] }

// isOfJava reports whether a value is of a type of Java's own library, which extends none of the project's.
func isOfJava(v value) bool { return v.kind == external && strings.HasPrefix(v.name, "java.") }

// fitAnything returns the distance of a value from a type that all values but primitives have.
func fitAnything(a value, name string) int {
	if a.kind == builtin && jvmNumbers[name] > 0 {
		return boxed
	}
	return loose
}

// fitSame returns the distance of a value from a type of the same name: a primitive and its box have the same name.
func fitSame(t, a value, name string) int {
	if t.kind != a.kind && name != "String" {
		return boxed
	}
	return exact
}

// fitNumber returns the distance of a primitive from another that is so many steps wider.
func fitNumber(t, a value, steps int) int {
	switch {
	case steps <= 0 || t.kind != builtin:
		return misfit
	case a.kind != builtin:
		return boxed
	}
	return related - min(steps, related-unknown-1)
}

// fitTypes returns the distance of a value from a type other than its own.
func (l *Linker) fitTypes(t, a value, tn, an string) int {
	switch {
	case t.kind == instance && a.kind == object:
		return l.fitObject(t, a)
	case t.kind == instance && a.kind == instance:
		return fitAbove(l.isA(a, t.decl, 0))
	case t.kind == external && jvmTree[tn] != "" || jvmFinal[tn] || jvmFinal[an]:
		how := l.fitLibrary(tn, a)
		if how != misfit && a.kind == builtin && jvmNumbers[an] > 0 {
			return boxed // a Number takes the box of an int
		}
		return how
	case isList(values{a}) != isList(values{t}) && t.kind != external, t.kind == instance && isOfJava(a):
		return misfit
	}
	return unknown
}

// fitAbove returns the distance from a type so many steps above; -1 if it is not a base.
func fitAbove(steps int) int {
	if steps < 0 {
		return misfit
	}
	return related - min(steps, related-unknown-1)
}

// fitLibrary returns the distance of a value from a library type, by name.
func (l *Linker) fitLibrary(name string, a value) int {
	if a.kind == instance { // by its external bases
		best := misfit
		for _, b := range l.bases(a) {
			if b.decl != a.decl {
				best = max(best, l.fitLibrary(name, b.value)-1)
			}
		}
		return max(best, misfit)
	}
	an := jvmTypeName(a)
	if jvmAbove(an) == "" && an != "String" && !jvmFinal[an] && !jvmFinal[name] {
		return unknown
	}
	next := []string{an}
	for steps := 0; len(next) > 0 && steps < maxBases; steps++ {
		var above []string
		for _, n := range next {
			if n == name {
				return fitAbove(steps)
			}
			above = append(above, strings.Fields(jvmAbove(n))...)
		}
		next = above
	}
	return misfit
}

// jvmAbove returns the base types of a library type. One that is not known has the base that its name ends with, as
// BufferedInputStream has InputStream.
func jvmAbove(name string) string {
	if above := jvmTree[name]; above != "" {
		return above
	}
	for i := 1; i < len(name); i++ {
		if base := name[i:]; isUpper(base) && jvmTree[base] != "" && !jvmFinal[base] {
			return base
		}
	}
	return ""
}

// fitObject returns the distance of an object of an anonymous class.
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

// fitElements returns the distance between array types; arrays of primitives are distinct types.
func (l *Linker) fitElements(t, a value) int {
	if len(t.arg(0)) == 0 || len(a.arg(0)) == 0 {
		return unknown
	}
	te, ae := t.arg(0)[0], a.arg(0)[0]
	if te.kind != ae.kind && jvmTypeName(te) != "String" && (te.kind == builtin || ae.kind == builtin) {
		return misfit
	}
	how := l.fitOne(te, ae)
	switch {
	case how != misfit && te.kind == ae.kind && jvmTypeName(te) == jvmTypeName(ae):
		return exact
	case how == loose:
		return unknown // an array of anything says more than anything
	}
	return how
}

// fitClosure returns the distance of a closure from a function type: it must have as many parameters, and return a
// value if the type does.
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

// anyNumber is the number of parameters of an unknown function type.
const anyNumber = 1 << 8

// takesAndGives returns the number of parameters of a function type, and whether it returns a value; misfit for
// other types.
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

// fitResult returns the distance of a closure from functions that do or do not return a value.
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

// empty reports whether a call is of functions known to return nothing.
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

// givesNothing reports whether a function declares no result, or void.
func (d *decl) givesNothing() bool {
	s := d.open()
	if s.Result == 0 {
		return len(s.Returns) == 0
	}
	return d.unit.expr(s.Result).Name == voidName
}

// voidName is the name of the empty result type, in languages that have one.
const voidName = "void"

// jvmTypeName returns the last name of a value's type, with primitives and boxes under one name; "" if unknown.
func jvmTypeName(v value) string {
	name := ""
	switch v.kind {
	case instance:
		return v.decl.def.Name
	case builtin:
		name = v.name
	case external:
		if name = lastPart(v.name); !isUpper(name) || isConstant(name) || strings.HasSuffix(name, called) {
			return "" // function results and variables are not evaluated here
		}
	default:
	}
	if box, ok := jvmBoxes[name]; ok {
		return box
	}
	return name
}

var (
	jvmBoxes = map[string]string{
		"string": "String", "int": "Int", "Integer": "Int", "long": "Long", "short": "Short", "byte": "Byte", "char": "Char", "Character": "Char",
		"boolean": "Boolean", "double": "Double", "float": "Float",
	}
	// jvmNumbers are the primitive numbers; each converts to those above it.
	jvmNumbers = map[string]int{"Byte": 1, "Short": 2, "Char": 3, "Int": 4, "Long": 5, "Float": 6, "Double": 7, "Boolean": 100}
	// jvmFinal are final library types.
	jvmFinal = map[string]bool{
		"String": true, "Byte": true, "Short": true, "Char": true, "Int": true, "Long": true, "Float": true, "Double": true, "Boolean": true,
		"list": true, "Class": true, "KClass": true,
	}
	// jvmTree maps library types to their base types.
	jvmTree = map[string]string{
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
		"StringBuffer": "CharSequence Appendable Object", "Appendable": "Object", "Date": "Comparable Object", "Calendar": "Comparable Object",
		"Buffer": "Object", "CharBuffer": "Buffer CharSequence Comparable Readable Appendable", "Channel": "Closeable", "Random": "Object", "Locale": "Object",
		"Readable": "Object", "RandomAccessFile": "Closeable DataOutput DataInput", "Pattern": "Object", "Throwable": "Object", "Exception": "Throwable", "RuntimeException": "Exception", "Error": "Throwable",
		"InputStream": "Closeable", "OutputStream": "Closeable", "Reader": "Readable Closeable", "Writer": "Appendable Closeable",
		"Closeable": "AutoCloseable", "AutoCloseable": "Object", "MutableList": "List MutableCollection", "MutableSet": "Set MutableCollection",
		"MutableCollection": "Collection", "MutableMap": "Map", "Sequence": "Object", "Duration": "Comparable Object", "Charset": "Comparable Object",
	}
)
