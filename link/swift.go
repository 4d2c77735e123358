package link

import (
	"slices"
	"strings"
)

// swiftLanguage: the files of a target see each other; extensions add to types of any
// file; functions are told apart by the labels of their arguments.
func swiftLanguage() *language {
	return &language{
		space: swiftModule, bind: swiftBind, beyond: swiftBeyond, typeMember: swiftMember, member: swiftLibraryMember,
		result: swiftResult, passed: listPassed, generic: swiftGeneric, choose: swiftChoose, constructors: []string{"init"},
		callables: []string{"callAsFunction"}, implicitThis: true,
	}
}

// swiftModule is the target of a file: by the habits of packages the folder below
// Sources or Tests; the files of other projects are taken for one target.
func swiftModule(u *unit) string {
	parts := strings.Split(u.file.Path, "/")
	for i := len(parts) - 3; i >= 0; i-- {
		if parts[i] == "Sources" || parts[i] == "Tests" {
			return strings.Join(parts[:i+2], "/")
		}
	}
	return "."
}

// swiftBind: an import brings all that a module declares.
func swiftBind(u *unit, i int) { u.stars = append(u.stars, i) }

// swiftBeyond takes what nothing declares and looks like a type for one of outside.
func swiftBeyond(_ *Linker, _ *unit, _ int32, name string) values {
	if isUpper(name) {
		return values{externalOf(name)}
	}
	return nil
}

// swiftMember returns what a type has under a name: its own and what extensions add,
// then what is inherited; of a protocol what it gives by default before what it asks for.
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
		if b.kind == instance {
			b.value.kind = v.kind
			found = l.swiftMemberOf(b.value, name, true, depth+1)
		} else if b.kind == builtin {
			found = l.member(b.value, name)
		}
		if len(found) > 0 {
			return found.by(Inherited)
		}
	}
	return nil
}

// swiftChoose leaves of several functions those whose labels fit the call's, and of
// these those whose parameters fit.
func swiftChoose(l *Linker, c *callSite, goals values) values {
	var out values
	for _, g := range goals {
		if g.kind != function || g.decl == nil || g.decl.def.Scope == 0 || labelsFit(g.decl, c.expr().Name) {
			out = append(out, g)
		}
	}
	if len(out) == 0 {
		return goals
	}
	if len(out) > 1 {
		out = chooseByTypes(l, c, out)
	}
	return out
}

// labelsFit tells whether a call with labels, "_:with:|completion:", may be one of a
// function: in order, those left out optional or given behind the arguments.
func labelsFit(d *decl, call string) bool {
	name := d.open().Name
	i := strings.IndexByte(name, '(')
	if i < 0 {
		return true
	}
	wanted := splitLabels(strings.TrimSuffix(name[i+1:], ")"))
	params := d.params()
	if len(params) != len(wanted) {
		return true
	}
	given, trailing, _ := strings.Cut(call, "|")
	p, variadic := 0, false
	for _, label := range splitLabels(given) {
		for p < len(wanted) && wanted[p] != label && (params[p].def.Optional || params[p].def.Variadic) {
			p++
		}
		switch {
		case p < len(wanted) && wanted[p] == label:
			variadic = params[p].def.Variadic
			p++
		case variadic && label == "_":
		default:
			return false
		}
	}
	required := 0
	for _, left := range params[p:] {
		if !left.def.Optional && !left.def.Variadic {
			required++
		}
	}
	closures := len(splitLabels(trailing))
	return required <= closures && closures <= len(params)-p
}

func splitLabels(text string) []string {
	return slices.DeleteFunc(strings.Split(text, ":"), func(s string) bool { return s == "" })
}

// swiftLists are the types of Swift that hold elements.
var swiftLists = wordSet(`Array Set ArraySlice ContiguousArray AnyCollection AnySequence Sequence Collection LazySequence
	AsyncStream AsyncThrowingStream Published CurrentValueSubject PassthroughSubject`)

// swiftGeneric makes containers of what Swift calls so.
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

// swiftOver is what the methods of Sequence and Collection give.
var swiftOver = func() map[string]string { //nolint:gochecknoglobals // a table
	out := map[string]string{"map": "map", "compactMap": "map", "flatMap": "flat", "enumerated": "pairs", "first": "one", "last": "one"}
	for w := range wordSet("filter sorted reversed dropFirst dropLast prefix suffix shuffled lazy union subtracting intersection") {
		out[w] = "same"
	}
	for w := range wordSet("min max randomElement removeFirst removeLast popLast remove") {
		out[w] = "one"
	}
	for w := range wordSet("forEach contains allSatisfy firstIndex lastIndex reduce removeAll sort") {
		out[w] = "each"
	}
	return out
}()

// swiftNames are Swift's names of values that facts call otherwise.
var swiftNames = map[string]string{"list": "Array", "map": "Dictionary"} //nolint:gochecknoglobals // a table

// swiftLibraryMember returns the members of containers, and what extensions add to
// types of outside.
func swiftLibraryMember(l *Linker, v value, name string) (values, bool) {
	if v.kind != builtin && v.kind != external {
		return nil, false
	}
	class := v.name[strings.LastIndexByte(v.name, '.')+1:]
	if as := swiftNames[class]; as != "" {
		class = as
	}
	names := []string{class}
	if class == "Array" {
		names = append(names, "Sequence", "Collection")
	}
	for _, n := range names {
		if found := l.added(v, n, name); len(found) > 0 {
			return found.by(Declared), true
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
	case v.name == "list" && swiftOver[name] != "":
		return values{{kind: builtin, name: "list." + swiftOver[name], args: v.args}}, true
	}
	return nil, false
}

// added returns what the project's extensions of a type of outside have under a name.
func (l *Linker) added(v value, class, name string) values {
	var out values
	l.look(name)
	for _, o := range l.project.outside[class] {
		if o.decl != nil || o.unit.language.family != "swift" {
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

// swiftResult returns what the functions of [swiftLibraryMember] give.
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
