package resolve

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// kotlinLanguage implements Kotlin: like Java, with top-level functions, construction by calling a type, and
// extension functions.
func kotlinLanguage() *language {
	l := jvmLanguage()
	l.bind = bindKotlin
	l.visible = visibleInKotlin
	l.member = kotlinMember
	l.result = kotlinResult
	l.passed = kotlinPassed
	l.outer = kotlinOuter
	l.generic = kotlinGeneric
	l.fallback, l.extends, l.trailing = true, true, true
	l.builtins = kotlinFunctions
	l.implied, l.receiver = "it", kotlinReceiver
	l.callables = []string{"invoke" + called}
	return l
}

// bindKotlin binds the type, function or property of an import, under its alias if it has one.
func bindKotlin(u *unit, i int) {
	imp := &u.file.Imports[i]
	for k, name := range imp.Named {
		if name == "*" { // see jvmOuter
			continue
		}
		if k < len(imp.Aliases) && imp.Aliases[k] != "" {
			name = imp.Aliases[k]
		}
		u.bindName(name, binding{i, imp.Module})
		u.bindName(name+called, binding{i, imp.Module + called})
	}
}

// visibleInKotlin makes top-level declarations visible in the package, except extensions, which are members of
// their receiver type.
func visibleInKotlin(u *unit, space string, scope int32, d *decl) (string, bool) {
	if s := d.open(); s != nil && s.Owner != 0 {
		return "", false
	}
	return visibleAtTop(u, space, scope, d)
}

// kotlinOuter is like [jvmOuter], and also finds extensions for any receiver.
func kotlinOuter(l *Linker, u *unit, scope int32, name string) values {
	if found := jvmOuter(l, u, scope, name); len(found) > 0 {
		return found
	}
	if kotlinTypes[name] {
		return values{externalOf("kotlin." + name)}
	}
	if bare, ok := strings.CutSuffix(name, called); ok && (kotlinScopes[bare] || jvmStatic[bare] != nothing) {
		return values{externalOf("kotlin." + name)}
	}
	return nil
}

// kotlinMember returns members of a type's companion, and extensions for external types and for any type.
func kotlinMember(l *Linker, v value, name string) (values, bool) {
	if v.kind == instance || v.kind == typeValue {
		if found := l.companion(v, name); len(found) > 0 {
			return found, true
		}
	}
	if found := l.kotlinExtensions(v, name); len(found) > 0 {
		return found, true
	}
	if found := kotlinOfLibrary(l, v, name); len(found) > 0 {
		return found, true
	}
	if found := l.ofGetter(v, name); len(found) > 0 {
		return found, true
	}
	if found, ok := kotlinData(l, v, name); ok {
		return found, true
	}
	return jvmMember(l, v, name)
}

// kotlinOfLibrary returns a property of a library container, or a scope function.
func kotlinOfLibrary(l *Linker, v value, name string) values {
	bare, function := strings.CutSuffix(name, called)
	switch {
	case function && kotlinScopes[bare] && v.kind != space:
		on := v
		return values{{kind: external, name: "kotlin." + name, on: &on}}
	case !function && (v.kind == external || v.kind == builtin):
		return jvmGiven(l, v, name, func() values { return nil }).by(Returned)
	}
	return nil
}

// ofGetter returns the result of a Java getter used as a property.
func (l *Linker) ofGetter(v value, name string) values {
	if v.kind != instance || v.decl.unit.file.Language != "java" || strings.HasSuffix(name, called) {
		return nil
	}
	for _, prefix := range []string{"get", "is"} {
		if found := l.typeMember(v, prefix+strings.ToUpper(name[:1])+name[1:]+called, 0); len(found) > 0 {
			return l.result(found[0], nil)
		}
	}
	return nil
}

// companion returns a member of the companion of a type or of its bases.
func (l *Linker) companion(v value, name string) values {
	if v.decl.def.Scope == 0 {
		return nil
	}
	for _, d := range v.decl.unit.decls[v.decl.def.Scope] {
		if d.def.Kind == code.DefType && d.def.Default {
			if found := l.typeMember(typeOf(d), name, 0); len(found) > 0 {
				return found
			}
		}
	}
	return nil
}

// kotlinExtensions returns the extension functions of a name for an external type, or for any type.
func (l *Linker) kotlinExtensions(v value, name string) values {
	var out values
	keys := []string{jvmTypeName(v)}
	if v.kind == external || v.kind == builtin {
		keys = append(keys, strings.Fields(jvmTree[keys[0]])...)
		if v.kind == builtin && v.name == "list" {
			keys = append(keys, "Array")
		}
	} else if v.kind != instance {
		return nil
	}
	keys = append(keys, "Any")
	for _, key := range keys {
		if key == "" {
			continue
		}
		if key == "String" && v.kind == builtin {
			key = "String"
		}
		for _, o := range l.project.outsiders(key) {
			if o.decl == nil || o.decl.name != name || !l.isOutside(o) {
				continue
			}
			on := v
			f := declared(o.decl)
			f.on = &on
			out = out.add(f)
		}
	}
	if len(out) > 0 {
		return out
	}
	return l.anyone(v, name)
}

// isOutside reports whether the receiver type of an extension is external.
func (l *Linker) isOutside(o outsider) bool {
	return outside(l.typ(o.unit, o.unit.facts.Scopes[o.scope].Owner, nil))
}

// anyone returns the extension functions of a name whose receiver is a type parameter.
func (l *Linker) anyone(v value, name string) values {
	var out values
	for _, m := range l.project.methods[name] {
		r := m.unit.ownerRef(m)
		if m.unit.language.family != jvmFamily || r == 0 {
			continue
		}
		x := m.unit.expr(r)
		if x.Op != code.OpName {
			continue
		}
		for _, p := range m.unit.typeParams(m.def.Scope) {
			if p.def.Name == x.Name && p.def.Type == 0 {
				on := v
				f := declared(m)
				f.on = &on
				out = out.add(f)
			}
		}
	}
	return out
}

// kotlinData returns the generated members of data classes: copy and components.
func kotlinData(_ *Linker, v value, name string) (values, bool) {
	if v.kind == instance && name == "copy"+called {
		on := v
		return values{{kind: external, name: "kotlin." + name, on: &on}}, true
	}
	return nil, false
}

// kotlinScopes are the library's scope functions.
var kotlinScopes = map[string]bool{
	"let": true, "also": true, "run": true, "apply": true, "with": true, "takeIf": true, "takeUnless": true, "use": true,
}

// kotlinResult returns the results of scope functions.
func kotlinResult(l *Linker, c *callSite, callee value) (values, bool) {
	if callee.kind != external {
		return nil, false
	}
	name := strings.TrimSuffix(lastPart(callee.name), called)
	args := c.expr().Args
	on := values{}
	if callee.on != nil {
		on = values{*callee.on}
	}
	switch name {
	case "let", "run", "use":
		if len(args) > 0 {
			return l.closureResult(c, args[len(args)-1]), true
		}
	case "with":
		if len(args) > 1 {
			return l.closureResult(c, args[1]), true
		}
	case "also", "apply", "takeIf", "takeUnless", "copy":
		if callee.on != nil {
			return on, true
		}
	}
	return jvmResult(l, c, callee)
}

// kotlinPassed returns the parameter of a closure passed to a library function.
func kotlinPassed(l *Linker, callee value, arg, n int) values {
	switch strings.TrimSuffix(lastPart(callee.name), called) {
	case "let", "also", "takeIf", "takeUnless", "use":
		if callee.on != nil && n == 0 {
			return values{*callee.on}
		}
	case "run", "apply", "with":
		return nil
	}
	return jvmPassed(l, callee, arg, n)
}

// kotlinReceiver returns the implicit receiver in a closure, by the expected function type or the library function.
func kotlinReceiver(l *Linker, u *unit, scope int32) values {
	s := &u.facts.Scopes[scope]
	if s.Expect != 0 {
		return l.receiversOf(l.typ(u, s.Expect, nil))
	}
	if s.Call == 0 {
		return nil
	}
	return l.ask(question{unit: u, ref: code.Ref(scope), what: askReceiver}, func() values { return l.receiverOfClosure(u, s) })
}

// receiverOfClosure returns the receiver of a closure, by the function that it is passed to.
func (l *Linker) receiverOfClosure(u *unit, s *code.Scope) values {
	var out values
	call := u.expr(s.Call)
	c := &callSite{unit: u, ref: s.Call, without: int(s.Arg)}
	for _, f := range l.fitting(c, l.value(u, call.X, nil)) {
		switch {
		case f.kind == external && f.on != nil && (strings.HasSuffix(f.name, ".run"+called) || strings.HasSuffix(f.name, ".apply"+called)):
			out = out.add(*f.on)
		case f.kind == external && f.name == "kotlin.with"+called && len(call.Args) > 1:
			out = out.add(l.value(u, call.Args[0], nil)...)
		case f.kind == function && f.decl != nil && f.decl.def.Scope != 0:
			params := f.decl.params()
			if i := c.place(params, int(s.Arg)); i < len(params) && params[i].def.Type != 0 {
				out = out.add(l.receiversOf(l.typ(params[i].unit, params[i].def.Type, l.inferred(c, f)))...)
			}
		}
	}
	return out
}

// receiversOf returns the receivers of function types.
func (l *Linker) receiversOf(types values) values {
	var out values
	for _, t := range types {
		if t.kind != funcType {
			continue
		}
		if x := t.unit.expr(t.ref); x.Name == withReceiver && len(x.Args) > 0 {
			out = out.add(l.typ(t.unit, x.Args[0], t.env)...)
		}
	}
	return out
}

// kotlinGeneric converts the library's function types to functions.
func kotlinGeneric(l *Linker, name string, args []values) (value, bool) {
	if lastPart(name) == "Array" && len(args) == 1 {
		return listOf(args[0]), true
	}
	return jvmGeneric(l, name, args)
}

// kotlinFunctions are the functions that need no import.
var kotlinFunctions = func() map[string]bool {
	out := map[string]bool{}
	for name := range strings.FieldsSeq(`error lazy require check assert emptyArray emptyMap emptySequence mapOf mutableMapOf hashMapOf linkedMapOf
		sortedMapOf println print synchronized repeat TODO lazyOf runCatching buildString buildList buildMap buildSet intArrayOf longArrayOf
		floatArrayOf doubleArrayOf booleanArrayOf byteArrayOf charArrayOf arrayOfNulls sequence iterator generateSequence maxOf minOf compareBy
		compareValues compareValuesBy enumValues enumValueOf suspendCoroutine coroutineScope withContext launch async delay runBlocking
		IllegalStateException IllegalArgumentException UnsupportedOperationException AssertionError NullPointerException
		IndexOutOfBoundsException RuntimeException Exception Error NoSuchElementException ArrayList HashMap HashSet LinkedHashMap LinkedHashSet
		StringBuilder IntArray LongArray FloatArray DoubleArray BooleanArray ByteArray CharArray Array Pair Triple Regex Thread Any`) {
		out[name+called] = true
	}
	return out
}()

// kotlinTypes are the types that need no import.
var kotlinTypes = func() map[string]bool {
	out := map[string]bool{}
	for name := range strings.FieldsSeq(`Any Unit Nothing Int Long Short Byte Char Boolean Double Float UInt ULong Array IntArray LongArray ByteArray
		CharArray BooleanArray DoubleArray FloatArray List Set Map Collection Iterable Iterator MutableList MutableSet MutableMap
		MutableCollection MutableIterator Sequence Pair Triple Lazy Result Comparator ArrayList HashMap HashSet LinkedHashMap LinkedHashSet
		IntRange LongRange CharRange Regex KClass Annotation Function TODO`) {
		out[name] = true
	}
	return out
}()
