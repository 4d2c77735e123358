package resolve

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// rubyLanguage implements Ruby: constants are global by path, classes and modules are open, and methods belong to
// instances or to the class itself.
func rubyLanguage() *language {
	return &language{
		visible: rubyVisible, outer: rubyOuter, typeMember: rubyMember, member: rubyCore, result: listResult,
		passed: rubyPassed, constructors: []string{"initialize"}, callables: []string{"call"}, merges: true,
		choose: rubyChoose, bind: func(*unit, int) {}, hoists: true, foreign: rubyForeign, only: rubyOnly, byUse: rubyByUse,
	}
}

// rubyTop is the path of top-level constants and methods.
const rubyTop = "::"

// rubyVisible makes classes, modules and constants visible under the enclosing path.
func rubyVisible(u *unit, _ string, scope int32, d *decl) (string, bool) {
	switch {
	case d.def.Kind == code.DefType:
		path := rubyPath(u, d.def.Scope)
		if i := strings.LastIndex(path, "::"); i > 0 {
			return path[:i], true
		}
		return rubyTop, path != ""
	case isUpper(d.def.Name) && (d.def.Kind == code.DefField || d.def.Kind == code.DefVar):
		return rubySpace(u, scope)
	case d.def.Kind == code.DefFunc && scope == 0:
		return rubyTop, true
	}
	return "", false
}

// path returns the full path of a class or module.
func (d *decl) path() string { return rubyPath(d.unit, d.def.Scope) }

// rubySpace returns the path of a scope that binds constants.
func rubySpace(u *unit, scope int32) (string, bool) {
	if scope == 0 {
		return rubyTop, true
	}
	path := rubyPath(u, scope)
	return path, path != ""
}

// rubyPath returns the full path of a class or module.
func rubyPath(u *unit, scope int32) string {
	s := &u.facts.Scopes[scope]
	switch {
	case s.Kind != code.TypeScope || s.Name == "":
		return ""
	case s.Symbol != "":
		return s.Symbol
	}
	outer := u.around(s.Parent, code.TypeScope)
	if outer < 0 {
		return s.Name
	}
	return rubyPath(u, outer) + "::" + s.Name
}

// rubyOuter looks up a constant in the enclosing modules, innermost first, in the ancestors of the innermost, and
// at top level. A method that no class has is a top-level one.
func rubyOuter(l *Linker, u *unit, scope int32, name string) values {
	if !isUpper(name) {
		found := l.nearTo(u, l.spaceMember(u.language.family, rubyTop, name))
		if len(found) > 1 {
			return nil
		}
		return found.by(SamePackage)
	}
	inner := u.around(scope, code.TypeScope)
	for s := inner; s > 0; s = u.around(u.facts.Scopes[s].Parent, code.TypeScope) {
		if found := l.rubyConstant(rubyPath(u, s), name); len(found) > 0 {
			return found.by(SamePackage)
		}
	}
	if inner > 0 && u.opened[inner] != nil {
		for _, a := range l.ancestors(u.opened[inner]) {
			if found := l.rubyConstant(a.decl.path(), name); len(found) > 0 {
				return found.by(Inherited)
			}
		}
	}
	if found := l.rubyConstant(rubyTop, name); len(found) > 0 {
		return found.by(SamePackage)
	}
	return values{externalOf(name)}
}

// rubyConstant returns a constant of a module; for a class, its first body.
func (l *Linker) rubyConstant(path, name string) values {
	found := l.spaceMember("ruby", path, name)
	for _, v := range found {
		if v.kind == typeValue {
			return values{v}
		}
	}
	return found
}

// ancestors returns the classes and modules that instances of a class get methods from, in lookup order.
func (l *Linker) ancestors(d *decl) values {
	return l.ask(question{unit: d.unit, ref: code.Ref(d.def.Scope), what: askAncestors}, func() values {
		return l.ancestorsOf(d, nil, 0)
	})
}

func (l *Linker) ancestorsOf(d *decl, out values, depth int) values {
	if slices.ContainsFunc(out, func(o value) bool { return o.decl == d || l.isPart(o.decl, d) }) || depth > maxBases {
		return out
	}
	out = append(out, typeOf(d))
	for _, b := range l.rubyBases(d) {
		if b.kind == instance && b.decl != nil {
			out = l.ancestorsOf(b.decl, out, depth+1)
		}
	}
	return out
}

// rubyBases returns the bases of all bodies of a class: modules before the superclass.
func (l *Linker) rubyBases(d *decl) []baseOf {
	all := l.bases(instanceOf(d))
	slices.SortStableFunc(all, func(a, b baseOf) int {
		switch {
		case a.base.Embeds == b.base.Embeds:
			return 0
		case a.base.Embeds:
			return -1
		}
		return 1
	})
	return all
}

// rubyMember returns a member of an instance or a class.
func rubyMember(l *Linker, v value, name string) values {
	if v.kind == typeValue && isUpper(name) {
		for _, a := range l.ancestors(v.decl) {
			if found := l.rubyConstant(a.decl.path(), name); len(found) > 0 {
				return found
			}
		}
	}
	if v.kind == typeValue {
		return l.rubyOfClass(v, name)
	}
	for i, a := range l.ancestors(v.decl) {
		if found := l.rubyOwn(a.decl, v, name, false); len(found) > 0 {
			if i > 0 {
				return found.by(Inherited)
			}
			return found
		}
	}
	return nil
}

// rubyOfClass returns a class method: its own, one of a module that extends it, or one of the superclass.
func (l *Linker) rubyOfClass(v value, name string) values {
	for i, a := range l.ancestors(v.decl) {
		found := l.rubyOwn(a.decl, v, name, true).add(l.elsewhere(a, name)...)
		if len(found) == 0 && i > 0 { // class methods of an ActiveSupport concern
			for _, c := range l.rubyConstant(a.decl.path(), "ClassMethods") {
				found = found.add(l.rubyOfModule(c, v, name)...)
			}
		}
		if len(found) == 0 {
			for _, b := range l.rubyBases(a.decl) {
				if b.kind == typeValue {
					found = found.add(l.rubyOfModule(b.value, v, name)...)
				}
			}
		}
		if len(found) > 0 {
			if i > 0 {
				return found.by(Inherited)
			}
			return found
		}
	}
	return nil
}

// rubyOfModule returns an instance method of a module that extends a class.
func (l *Linker) rubyOfModule(m, v value, name string) values {
	if m.decl == nil || m.kind != typeValue {
		return nil
	}
	for _, a := range l.ancestors(m.decl) {
		if found := l.rubyOwn(a.decl, v, name, false); len(found) > 0 {
			return found
		}
	}
	return nil
}

// rubyOwn returns what the bodies of a class bind to a name, for instances or for the class itself.
func (l *Linker) rubyOwn(d *decl, v value, name string, static bool) values {
	var out values
	for _, part := range l.parts(d) {
		for _, f := range part.unit.inScope(part.def.Scope, name) {
			if f.decl.def.Static != static && !strings.HasPrefix(name, "@@") {
				continue
			}
			on := v
			f.on = &on
			out = out.add(f)
		}
	}
	return out
}

// rubyClasses are built-in classes that programs extend.
var rubyClasses = wordSet(`Array BasicObject Class Comparable Complex Data Date DateTime Dir Enumerable Enumerator Exception FalseClass File
	Float Hash IO Integer Kernel Module Mutex NilClass Numeric Object Pathname Proc Random Range Rational Regexp Set
	StandardError String StringIO Struct Symbol Thread Time TrueClass URI`)

// rubyForeign reports whether calling new does not make an instance of a project class: for built-in classes and
// modules.
func rubyForeign(d *decl) bool {
	return rubyClasses[d.path()] || d.brief().kind == code.Module
}

// rubyChoose selects the first of the methods that super may mean, and of several definitions of a method those
// nearest to the caller.
func rubyChoose(l *Linker, c *callSite, goals values) values {
	callee := c.unit.expr(c.expr().X)
	x := c.unit.expr(callee.X)
	if x.Op == code.OpTypeOf {
		x = c.unit.expr(x.X)
	}
	if callee.Op == code.OpSelect && x.Op == code.OpSuper {
		return goals[:1]
	}
	return l.nearTo(c.unit, goals)
}

// rubyNames maps built-in types of the facts to Ruby's classes.
var rubyNames = map[string]string{"list": "Array", "map": "Hash", "tuple": "Array"}

// rubyCore returns members of built-in classes: the project's additions, and the methods of Enumerable.
func rubyCore(l *Linker, v value, name string) (values, bool) {
	if v.kind != builtin && v.kind != external {
		return nil, false
	}
	class := v.name
	if as := rubyNames[class]; as != "" {
		class = as
	}
	for _, t := range l.rubyConstant(rubyTop, class) {
		if t.kind != typeValue {
			continue
		}
		t.kind = instance
		if found := rubyMember(l, t, name); len(found) > 0 {
			return found.by(Declared), true
		}
	}
	if v.kind == builtin && v.name == "list" {
		if what := rubyListMethods[name]; what != "" {
			return values{{kind: builtin, name: "list." + what, args: v.args}}, true
		}
	}
	return nil, false
}

// rubyListMethods describes the results of methods of Array and Enumerable.
var rubyListMethods = tableOf(map[string]string{
	"map": "map collect filter_map", "flat": "flat_map",
	"same": `select filter reject sort sort_by uniq compact reverse take drop take_while drop_while to_a each_entry shuffle
		rotate flatten concat push append freeze`,
	"one": "find detect first last min max min_by max_by sample pop shift fetch at dig",
	"each": `each each_with_index reverse_each all? any? none? one? count sum each_with_object partition group_by index
		find_index delete_if reject! select! map! each_slice inject`,
})

// rubyPassed returns the parameter of a block passed to one of these methods.
func rubyPassed(_ *Linker, callee value, _, n int) values {
	if n == 0 && callee.kind == builtin && strings.HasPrefix(callee.name, "list.") {
		return callee.arg(0).by(Element)
	}
	return nil
}
