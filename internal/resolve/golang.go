package resolve

import (
	"go/ast"
	"path"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// goLanguage implements Go: files of one folder and package name form a package; interfaces are implemented
// implicitly; the shallowest of embedded members counts; only declared functions are call targets, and T(x) is a
// conversion.
func goLanguage() *language {
	return &language{
		space:      func(u *unit) string { return path.Dir(u.file.Path) + " " + u.file.Package },
		visible:    goVisible,
		bind:       goBind,
		imported:   goImported,
		exported:   goExported,
		outer:      goOuter,
		member:     goMember,
		result:     goResult,
		key:        goKey,
		generic:    goGeneric,
		structural: true, receiverFirst: true, qualified: true, nearest: true, converts: true, declaredOnly: true,
		builtins: goBuiltins(), library: goTypes(),
	}
}

// goVisible makes top-level declarations other than methods visible in the package.
func goVisible(_ *unit, space string, scope int32, d *decl) (string, bool) {
	return space, scope == 0 && !d.isMethod()
}

// isMethod reports whether a function declares its receiver.
func (d *decl) isMethod() bool {
	s := d.open()
	return s != nil && s.Owner != 0 && d.def.Kind == code.DefFunc
}

// goBind binds explicit import names. Other imports are named by the package clause of their target; see
// [goOuter].
func goBind(u *unit, i int) {
	switch name := u.file.Imports[i].Namespace; name {
	case "", "_":
	case ".":
		u.stars = append(u.stars, i)
	default:
		u.bindName(name, binding{i, ""})
	}
}

// goOuter finds the package of an import without an explicit name, and names from dot imports.
func goOuter(l *Linker, u *unit, _ int32, name string) values {
	if i, known := l.goImports(u)[name]; known {
		return goImported(l, u, binding{i, ""}).by(Imported)
	}
	if !ast.IsExported(name) {
		return nil
	}
	for _, i := range u.stars { // external: nothing else can be meant
		if len(u.target(i).Files) == 0 {
			return values{externalOf(u.file.Imports[i].Module + "." + name)}
		}
	}
	return nil
}

// goImports returns the first import for each name that one without an explicit name may have.
func (l *Linker) goImports(u *unit) map[string]int {
	if known := l.goNames[u.file]; known != nil {
		return known
	}
	out := map[string]int{}
	add := func(i int, name string) {
		if _, known := out[name]; !known {
			out[name] = i
		}
	}
	for i := range u.file.Imports {
		if u.file.Imports[i].Namespace != "" {
			continue
		}
		t := u.target(i)
		if len(t.Files) == 0 {
			eachGoName(u.file.Imports[i].Module, func(name string) { add(i, name) })
		} else if m := l.project.units[t.Files[0]]; m != nil {
			add(i, m.file.Package)
		}
	}
	l.goNames[u.file] = out
	return out
}

// eachGoName yields the names that the external package at an import path may have: the path's last element, without a version
// and common affixes.
func eachGoName(module string, yield func(name string)) {
	base := path.Base(module)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" {
		base = path.Base(path.Dir(module))
	}
	base, _, _ = strings.Cut(base, ".v") // gopkg.in/yaml.v3
	plain := func(base string) {
		yield(base)
		yield(strings.TrimPrefix(base, "go"))
		yield(strings.TrimSuffix(base, "go"))
	}
	plain(base)
	if !strings.ContainsAny(base, "-._") {
		return
	}
	words := strings.FieldsFunc(base, func(r rune) bool { return r == '-' || r == '.' || r == '_' })
	for _, word := range words {
		yield(word)
	}
	plain(strings.Join(words, ""))
}

// goImported returns the package of an import, as the package of its first file.
func goImported(l *Linker, u *unit, b binding) values {
	t := u.target(b.index)
	if len(t.Files) == 0 {
		return values{externalOf(u.file.Imports[b.index].Module)}
	}
	m := l.project.units[t.Files[0]]
	if m == nil {
		return nil
	}
	return values{{kind: space, unit: m, name: m.space}}
}

// goExported returns what a file declares, for dot imports.
func goExported(_ *Linker, u *unit, name string) values {
	var out values
	for _, d := range u.decls[0] {
		if d.def.Name == name && d.def.Exported && !d.isMethod() {
			out = out.add(declared(d))
		}
	}
	return out
}

// goKey returns the first loop variable of a range over something other than a map: the elements of a channel or
// iterator.
func goKey(l *Linker, v value) values {
	switch v.kind {
	case builtin:
		if v.name == "chan" {
			return v.arg(0)
		}
	case funcType: // func(yield func(K, V) bool)
		if x := v.unit.expr(v.ref); len(x.Args) == 1 {
			return l.parameterOf(l.typ(v.unit, x.Args[0], v.env), 0)
		}
	default:
	}
	return nil
}

// goGeneric models the standard library's iterators.
func goGeneric(_ *Linker, name string, args []values) (value, bool) {
	switch {
	case name == "iter.Seq" && len(args) == 1:
		return value{kind: builtin, name: "chan"}.withArgs(args...), true
	case name == "iter.Seq2" && len(args) == 2:
		return mapOf(args[0], args[1]), true
	}
	return value{}, false
}

// goMember returns the members of the standard library's generic types that return stored values, and knows which
// members types of the library lack.
func goMember(_ *Linker, v value, name string) (values, bool) {
	if v.kind != external && v.kind != builtin {
		return nil, false
	}
	if v.kind == external {
		if _, has := goTypes().method(v.name + "." + name); !has && len(goTypes().types[v.name]) > 0 {
			return nil, true
		}
	}
	if _, has := goTypes().method(v.name + "." + name); has && v.kind == builtin { // of error
		return values{builtinOf(v.name + "." + name)}, true
	}
	if v.kind == external && len(v.args) == 1 && v.name == "sync/atomic.Pointer" && (name == "Load" || name == "Swap") {
		return values{externalOf(v.name + "." + name).withArgs(v.args[0])}, true
	}
	return nil, false
}

// goResult returns the results of built-in and library functions that return their arguments.
func goResult(l *Linker, c *callSite, callee value) (values, bool) {
	if c == nil {
		return nil, false
	}
	args := c.expr().Args
	first := func() values {
		if len(args) == 0 {
			return nil
		}
		return l.value(c.unit, args[0], c.env)
	}
	switch callee.kind {
	case builtin:
		if callee.name == "min" || callee.name == "max" {
			return first(), true
		}
	case external:
		switch callee.name {
		case "slices.Clone", "slices.Insert", "slices.Delete", "slices.DeleteFunc", "slices.Compact", "slices.CompactFunc",
			"slices.Concat", "slices.Grow", "slices.Clip", "maps.Clone", "slices.Replace":
			return first(), true
		case "slices.Values", "slices.Collect", "slices.Sorted", "slices.SortedFunc", "slices.SortedStableFunc",
			"maps.Values", "slices.Backward", "slices.All":
			return goSequence(callee.name, l.elements(first()), l.keys(first())), true
		case "sync/atomic.Pointer.Load", "sync/atomic.Pointer.Swap":
			return callee.arg(0), true
		case "maps.Keys":
			return values{value{kind: builtin, name: "chan"}.withArgs(l.keys(first()))}, true
		case "slices.Max", "slices.Min", "slices.MaxFunc", "slices.MinFunc":
			return l.elements(first()), true
		}
	default:
	}
	return nil, false
}

// goSequence returns the result of a function of package slices or maps, given its elements.
func goSequence(function string, elements, keys values) values {
	switch function {
	case "slices.Values", "maps.Values":
		return values{value{kind: builtin, name: "chan"}.withArgs(elements)}
	case "slices.All", "slices.Backward":
		return values{mapOf(nil, elements)}
	default:
		if len(elements) == 0 {
			elements = keys
		}
		return values{listOf(elements)}
	}
}

// goBuiltins returns the predeclared identifiers.
func goBuiltins() map[string]bool {
	out := map[string]bool{}
	for name := range strings.FieldsSeq(`any bool byte comparable complex64 complex128 error float32 float64 int int8 int16
		int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr append cap clear close complex copy delete imag
		len make max min new panic print println real recover true false nil iota`) {
		out[name] = true
	}
	return out
}
