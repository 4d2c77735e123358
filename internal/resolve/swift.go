package resolve

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// swiftLanguage implements Swift: files of a target see each other; extensions add to types anywhere; functions are
// distinguished by argument labels.
func swiftLanguage() *language {
	return &language{
		space: swiftModule, bind: swiftBind, outer: swiftOuter, typeMember: swiftMember, member: swiftLibraryMember,
		result: swiftResult, passed: listPassed, generic: swiftGeneric, choose: swiftChoose, constructors: []string{"init"},
		callables: []string{"callAsFunction"}, implicitThis: true,
	}
}

// swiftModule returns the target of a file: by convention the folder below Sources or Tests; files in other layouts
// form one target.
func swiftModule(u *unit) string {
	parts := strings.Split(u.file.Path, "/")
	for i := len(parts) - 3; i >= 0; i-- {
		if parts[i] == "Sources" || parts[i] == "Tests" {
			return strings.Join(parts[:i+2], "/")
		}
	}
	return "."
}

// swiftBind binds an import, which imports all declarations of a module.
func swiftBind(u *unit, i int) { u.stars = append(u.stars, i) }

// swiftOuter treats an undeclared name that looks like a type as external.
func swiftOuter(_ *Linker, _ *unit, _ int32, name string) values {
	if isUpper(name) {
		return values{externalOf(name)}
	}
	return nil
}

// swiftMember returns members of a type: its own, those of extensions, then inherited ones. For a protocol, default
// implementations come before requirements.
func swiftMember(l *Linker, v value, name string) values {
	return l.swiftMemberOf(v, name, false, 0)
}

func (l *Linker) swiftMemberOf(v value, name string, inherited bool, depth int) values {
	if depth > maxBases {
		return nil
	}
	own, more := l.own(v.decl, v, name), l.elsewhere(v, name)
	if inherited && len(more) > 0 && v.decl.def.Abstract {
		return more
	}
	if found := own.add(more...); len(found) > 0 {
		return found
	}
	for _, b := range l.bases(v) {
		if b.decl == v.decl && b.decl != nil {
			continue
		}
		var found values
		switch of := b.value; of.kind {
		case instance:
			of.kind = v.kind
			found = l.swiftMemberOf(of, name, true, depth+1)
		case builtin:
			found = l.member(of, name)
		default:
		}
		if len(found) > 0 {
			return found.by(Inherited)
		}
	}
	return nil
}

// swiftChoose selects the functions whose labels fit the call, and of these those whose parameters fit. If none of
// the project's fits, an external one is meant, if possible.
func swiftChoose(l *Linker, c *callSite, goals values) values {
	var out, outside values
	for _, g := range goals {
		switch {
		case g.decl == nil:
			outside = append(outside, g)
		case g.kind != function || g.decl.def.Scope == 0 || labelsFit(g.decl, c.expr().Name) && l.closuresFit(c, g):
			out = append(out, g)
		}
	}
	switch {
	case len(out) == 0 && len(outside) > 0:
		return outside
	case len(out) == 0:
		return goals
	case len(out) > 1:
		return chooseByTypes(l, c, out)
	}
	return out
}

// closuresFit reports whether trailing closures fit the last parameters of a function: functions with as many
// parameters.
func (l *Linker) closuresFit(c *callSite, g value) bool {
	_, trailing, _ := strings.Cut(c.expr().Name, "|")
	args, params := c.expr().Args, g.decl.params()
	n := len(splitLabels(trailing))
	if n > len(params) || n > len(args) {
		return true
	}
	for i := range n {
		p := params[len(params)-n+i]
		closure := c.unit.expr(args[len(args)-n+i])
		for _, want := range l.typ(p.unit, p.def.Type, l.envOn(g)) {
			switch want.kind {
			case instance, builtin:
				return false
			case external:
				return strings.HasSuffix(want.name, "Block") || strings.HasSuffix(want.name, "Handler")
			case funcType:
				if closure.Op == code.OpFunc && len(c.unit.params(closure.N)) != len(want.unit.expr(want.ref).Args) {
					return false
				}
			default:
			}
		}
	}
	return true
}

// labelsFit reports whether a call with labels, "_:with:|completion:", fits a function: in order, with omitted ones
// optional or given as trailing closures.
func labelsFit(d *decl, call string) bool {
	_, labels, ok := strings.Cut(strings.TrimSuffix(d.open().Name, ")"), "(")
	wanted, params := splitLabels(labels), d.params()
	if !ok || len(params) != len(wanted) {
		return true
	}
	given, trailing, _ := strings.Cut(call, "|")
	left, fits := labelsLeft(wanted, params, splitLabels(given))
	required := 0
	for _, p := range left {
		if !p.mayLack() {
			required++
		}
	}
	closures := len(splitLabels(trailing))
	return fits && required <= closures && closures <= len(left)
}

// labelsLeft returns the parameters after those of the given labels; false if a label does not fit.
func labelsLeft(wanted []string, params []*decl, given []string) (left []*decl, fits bool) {
	p, variadic := 0, false
	for _, label := range given {
		for p < len(wanted) && wanted[p] != label && params[p].mayLack() {
			p++
		}
		switch {
		case p < len(wanted) && wanted[p] == label:
			variadic = params[p].def.Variadic
			p++
		case variadic && label == "_":
		default:
			return nil, false
		}
	}
	return params[p:], true
}

// mayLack reports whether the argument for a parameter may be omitted.
func (d *decl) mayLack() bool { return d.def.Optional || d.def.Variadic }

func splitLabels(text string) []string {
	return slices.DeleteFunc(strings.Split(text, ":"), func(s string) bool { return s == "" })
}

// swiftLists are Swift's types with elements.
var swiftLists = wordSet(`Array Set ArraySlice ContiguousArray AnyCollection AnySequence Sequence Collection LazySequence
	AsyncStream AsyncThrowingStream Published CurrentValueSubject PassthroughSubject`)

// swiftGeneric converts Swift's collection types to containers.
func swiftGeneric(_ *Linker, name string, args []values) (value, bool) {
	switch {
	case len(args) == 1 && name == "Optional":
		if len(args[0]) == 1 {
			return args[0][0], true
		}
	case len(args) == 1 && swiftLists[name]:
		return listOf(args[0]), true
	case len(args) == 2 && name == "Dictionary":
		return mapOf(args[0], args[1]), true
	}
	return value{}, false
}

// swiftListMethods describes the results of methods of Sequence and Collection.
var swiftListMethods = tableOf(map[string]string{
	"map": "map compactMap", "flat": "flatMap", "pairs": "enumerated",
	"same": "filter sorted reversed dropFirst dropLast prefix suffix shuffled lazy union subtracting intersection",
	"one":  "min max randomElement removeFirst removeLast popLast remove",
	"each": "forEach contains allSatisfy firstIndex lastIndex reduce removeAll sort",
})

// swiftNames maps built-in types of the facts to Swift's types.
var swiftNames = map[string]string{"list": "Array", "map": "Dictionary"}

// swiftLibraryMember returns members of containers, and of extensions of external types.
func swiftLibraryMember(l *Linker, v value, name string) (values, bool) {
	if v.kind != builtin && v.kind != external {
		return nil, false
	}
	for _, class := range swiftClasses(v) {
		if found := l.added(v, class, name); len(found) > 0 {
			return found.by(Declared).add(externalOf(v.name + "." + name)), true // the external type may have it, too
		}
	}
	if v.kind != builtin {
		return nil, false
	}
	switch {
	case v.name == "map" && name == "values":
		return values{listOf(v.arg(1))}, true
	case v.name == "map" && name == "keys":
		return values{listOf(v.arg(0))}, true
	case v.name == "list" && (name == "first" || name == "last"):
		return v.arg(0).by(Element), true
	case v.name == "list" && swiftListMethods[name] != "":
		return values{{kind: builtin, name: "list." + swiftListMethods[name], args: v.args}}, true
	}
	return nil, false
}

// swiftClasses returns the names under which a value's type may be extended.
func swiftClasses(v value) []string {
	class := v.name[strings.LastIndexByte(v.name, '.')+1:]
	if as := swiftNames[class]; as != "" {
		class = as
	}
	if class == "Array" {
		return []string{class, "Sequence", "Collection"}
	}
	return []string{class}
}

// added returns what the project's extensions of an external type have under a name.
func (l *Linker) added(v value, class, name string) values {
	var out values
	l.look(name)
	for _, o := range l.project.outside[class] {
		if o.decl != nil || o.unit.language.family != "swift" || !l.elementsFit(o, v) {
			continue
		}
		for _, f := range o.unit.inScope(o.scope, name) {
			on := v
			f.on = &on
			out = out.add(f)
		}
	}
	return out
}

// elementsFit reports whether an extension applies to a value's type: its constraints on elements must hold.
func (l *Linker) elementsFit(o outsider, v value) bool {
	for _, of := range l.typ(o.unit, o.unit.facts.Scopes[o.scope].Owner, nil) {
		want, have := of.arg(0), v.arg(0)
		if len(want) == 1 && len(have) == 1 && want[0].kind == instance && have[0].kind == instance && l.isA(have[0], want[0].decl, 0) < 0 {
			return false
		}
		if len(want) == 1 && want[0].kind == instance && len(have) == 1 && have[0].kind != instance && have[0].kind != typeParam {
			return false
		}
	}
	return true
}

// swiftResult returns the results of the functions of [swiftLibraryMember].
func swiftResult(l *Linker, c *callSite, f value) (values, bool) {
	if f.kind != builtin {
		return nil, false
	}
	if f.name == "list.pairs" {
		return values{listOf(values{tupleOf(values{builtinOf("Int")}, f.arg(0))})}, true
	}
	if f.name == "list" || f.name == "map" { // first(where:), as first is read
		return values{f}, true
	}
	return listResult(l, c, f)
}
