package resolve

import (
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// scalaLanguage implements Scala: functions and values share a namespace; a class and an object may have one name,
// distinguished by context; packages are nested, and imports may be relative to any of them or to a value.
// Implicits are not resolved.
func scalaLanguage() *language {
	l := jvmLanguage()
	l.bind = bindScala
	l.visible = visibleInScala
	l.functionsApart, l.fallback = false, true
	l.constructors = []string{constructorName}
	l.callables = []string{"apply"}
	l.common = map[string]bool{"equals": true, "hashCode": true, "toString": true}
	l.extends = true
	l.outer, l.member, l.result, l.passed, l.element, l.bare = scalaOuter, scalaMember, scalaResult, scalaPassed, scalaElement, scalaBare
	l.generic = nil
	return l
}

// bindScala binds the name of an import, under its alias if it has one.
func bindScala(u *unit, i int) {
	imp := &u.file.Imports[i]
	if imp.Namespace != "" {
		u.bindName(imp.Namespace, binding{i, imp.Module})
	}
	for k, name := range imp.Named {
		local := name
		if k < len(imp.Aliases) && imp.Aliases[k] != "" {
			local = imp.Aliases[k]
		}
		if name == "*" || name == "given" || local == "_" { // see scalaOuter
			continue
		}
		u.bindName(local, binding{i, imp.Module + "." + name})
	}
}

// visibleInScala makes top-level declarations, and those of the package object, visible in a package.
func visibleInScala(u *unit, space string, scope int32, d *decl) (string, bool) {
	if s := d.open(); s != nil && s.Owner != 0 {
		return "", false
	}
	if o := u.opened[scope]; o != nil && o.def.Default && o.def.Single && o.def.Kind == code.DefType {
		return u.file.Package + "." + o.def.Name, u.file.Package != ""
	}
	return visibleAtTop(u, space, scope, d)
}

// scalaOuter looks up a name in the enclosing packages, in wildcard imports, and among names visible everywhere.
func scalaOuter(l *Linker, u *unit, scope int32, name string) values {
	for around := jvmSpace(u); ; {
		i := strings.LastIndexByte(around, '.')
		if i < 0 {
			break
		}
		around = around[:i]
		if found := l.spaceMember(jvmFamily, around, name); len(found) > 0 {
			return jvmNearest(l, u, found).by(SamePackage)
		}
	}
	q := question{unit: u, ref: code.Ref(scope), name: name, what: askStar}
	if found := l.ask(q, func() values { return l.starredInScala(u, scope, name) }); len(found) > 0 {
		return found.by(Star)
	}
	if found := l.spaceMember(jvmFamily, "scala", name); len(found) > 0 {
		return found.by(Star)
	}
	if found := jvmOuter(l, u, scope, name); len(found) > 0 {
		return found
	}
	if scalaTypes[name] {
		return values{externalOf("scala." + name)}
	}
	return nil
}

// starredInScala returns what wildcard imports, with a path relative to a value or an enclosing package, have under
// a name.
func (l *Linker) starredInScala(u *unit, scope int32, name string) values {
	for i := range u.file.Imports {
		imp := &u.file.Imports[i]
		first, rest, _ := strings.Cut(imp.Module, ".")
		if first == name || !slices.Contains(imp.Named, "*") || l.project.packages[imp.Module] {
			continue
		}
		if k := slices.Index(imp.Named, name); k >= 0 && k < len(imp.Aliases) && imp.Aliases[k] != "" {
			continue // imported under another name
		}
		at := l.open(l.meaning(u, scope, first, 1<<30), nil)
		for part := range strings.SplitSeq(rest, ".") {
			if part != "" {
				at = l.open(l.members(at, part), nil)
			}
		}
		if found := l.members(at, name); !outside(found) {
			return found
		}
	}
	return nil
}

// scalaMember returns the components of a case class or tuple, and extensions for external types.
func scalaMember(l *Linker, v value, name string) (values, bool) {
	if n, ok := strings.CutPrefix(name, "_"); ok {
		if i, err := strconv.Atoi(n); err == nil {
			return l.part(v, i-1), true
		}
	}
	if v.kind == instance || v.kind == typeValue {
		if !strings.HasSuffix(name, called) && v.decl.unit.language.functionsApart {
			if found := l.typeMember(v, name+called, 0); len(found) > 0 {
				return found, true
			}
		}
	}
	if found := l.extensions(v, name); len(found) > 0 {
		return found, true
	}
	if v.kind == external && v.on != nil || v.kind == builtin && v.name == "tuple" {
		return values{externalOf(v.name + "." + name)}, true
	}
	return jvmMember(l, v, name)
}

// part returns the i-th element of a tuple, or the i-th constructor parameter of a class.
func (l *Linker) part(v value, i int) values {
	switch {
	case v.kind == builtin && v.name == "tuple":
		return v.arg(i)
	case v.kind == external && len(v.args) == 2:
		return v.arg(i)
	case v.kind != instance:
		return nil
	}
	from := l.constructors(v)[0]
	if from.kind != function || from.decl == nil {
		return nil
	}
	if params := from.decl.params(); i >= 0 && i < len(params) {
		on := v
		from.on = &on
		return l.variable(params[i], l.envOn(from))
	}
	return nil
}

// scalaBare returns the result of a function named without arguments.
func scalaBare(l *Linker, v value) (values, bool) {
	switch {
	case v.kind == function && v.decl != nil && v.decl.def.Scope != 0 && len(v.decl.params()) == 0:
		return l.functionResult(v, nil), true
	case v.kind == external && v.on != nil && len(v.on.args) > 0:
		found := jvmGiven(l, *v.on, lastPart(v.name), func() values { return nil })
		return found.by(Returned), len(found) > 0
	}
	return nil, false
}

// scalaResult returns the result of calling a library function, method or container.
func scalaResult(l *Linker, c *callSite, callee value) (values, bool) {
	x := c.expr()
	name := strings.TrimSuffix(lastPart(callee.name), called)
	container := callee.kind == external && callee.on == nil && x.Op == code.OpCall
	switch {
	case callee.kind == builtin && callee.name == "list", container && len(callee.args) > 0 && len(callee.args) < 3:
		return callee.arg(len(callee.args) - 1), true
	case container && scalaContainers[name]:
		return values{l.filled(c, callee)}, true
	case callee.kind == external && callee.on != nil && len(callee.on.args) == 1 && strings.HasPrefix(name, "fold") && len(x.Args) == 1:
		zero, held := l.value(c.unit, x.Args[0], c.env), callee.on.arg(0)
		params := []values{zero, held}
		if name == "foldRight" {
			params = []values{held, zero}
		}
		f := builtinOf(functionName).withArgs(zero, params[0], params[1])
		return values{builtinOf(functionName).withArgs(zero, values{f})}, true
	}
	return jvmResult(l, c, callee)
}

// filled returns a container of the arguments of the call that creates it.
func (l *Linker) filled(c *callSite, of value) value {
	held := l.either(c.unit, c.expr().Args, c.env)
	if name := lastPart(of.name); strings.HasSuffix(name, "Map") {
		var keys, vals values
		for _, v := range held {
			keys, vals = keys.add(v.arg(0)...), vals.add(v.arg(1)...)
		}
		return of.withArgs(keys, vals)
	}
	return of.withArgs(held)
}

// scalaPassed returns the parameter of a closure passed to a library function; entries of a map are tuples.
func scalaPassed(l *Linker, callee value, arg, n int) values {
	if callee.kind == external && callee.on != nil && len(callee.on.args) == 2 {
		if n == 0 {
			return values{tupleOf(callee.on.args...)}
		}
		return nil
	}
	return jvmPassed(l, callee, arg, n)
}

// scalaElement returns the elements of a container.
func scalaElement(l *Linker, v value) values {
	if v.kind == external && len(v.args) == 2 {
		return values{tupleOf(v.args...)}
	}
	return jvmElement(l, v)
}

// scalaContainers are the library's containers.
var scalaContainers = map[string]bool{
	"List": true, "Seq": true, "Vector": true, "Set": true, "Array": true, "Some": true, "Option": true, "Iterator": true, "ListBuffer": true,
	"ArrayBuffer": true, "Stream": true, "IndexedSeq": true, "Iterable": true, "Traversable": true, "Future": true, "Try": true, "Success": true,
	"Map": true, "HashMap": true, "HashSet": true, "ListMap": true, "SortedMap": true, "LinkedHashMap": true, "Queue": true, "Right": true, "Left": true,
}

// scalaTypes are the types and objects that need no import.
var scalaTypes = func() map[string]bool {
	out := map[string]bool{}
	for name := range strings.FieldsSeq(`Any AnyRef AnyVal Unit Nothing Null Int Long Short Byte Char Boolean Double Float String Array List Seq Set Map
		Vector Option Some None Nil Either Left Right Iterator Iterable Traversable IndexedSeq Stream Range Function Function1 Function2
		PartialFunction Product Serializable StringContext BigInt BigDecimal Symbol Ordering Numeric Equiv Predef Console println print require
		assert assume identity implicitly locally sys math StringBuilder`) {
		out[name] = true
	}
	return out
}()
