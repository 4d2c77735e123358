package link

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/code"
	"github.com/reverse-spec/reverse-spec/graph"
)

// sites makes the edges of the unit's expressions: calls first, then what is used
// without a call.
func (l *Linker) sites() {
	u := l.unit
	called := map[code.Ref]bool{} // expressions whose target has an edge
	for i := range u.facts.Exprs {
		if op := u.facts.Exprs[i].Op; (op == code.OpCall || op == code.OpNew) && !l.toldSite(code.Ref(i), called) {
			l.site(code.Ref(i), called)
		}
	}
	for i := range u.facts.Exprs {
		x := &u.facts.Exprs[i]
		if (x.Op == code.OpName || x.Op == code.OpSelect) && !called[code.Ref(i)] && x.Line > 0 && !l.toldReference(x) {
			l.reference(code.Ref(i), x)
		}
	}
}

// targets returns what an expression that is called or used names, not opened:
// declarations rather than what they hold.
func (l *Linker) targets(u *unit, r code.Ref, e *env) values {
	x := u.expr(r)
	switch x.Op {
	case code.OpName:
		return l.nameOf(u, x)
	case code.OpSelect:
		return l.memberOf(u, x, e)
	case code.OpThis, code.OpSuper:
		if u.language.delegates {
			return l.delegated(u, x)
		}
	case code.OpApply, code.OpIndex:
		if found := l.targets(u, x.X, e); len(found) > 0 && (x.Op == code.OpApply || found[0].kind == function || found[0].kind == typeValue) {
			return found
		}
	default:
	}
	return l.value(u, r, e)
}

// delegated returns the type whose constructor this(…) or super(…) calls: of the bases
// the class, which stands first.
func (l *Linker) delegated(u *unit, x *code.Expr) values {
	self := l.self(u, x.Scope)
	if x.Op == code.OpThis {
		return typesOf(self)
	}
	for _, v := range self {
		for _, b := range l.bases(v) {
			if b.base.Implements || b.kind == instance && isInterface(b.decl) {
				return nil
			}
			return typesOf(values{b.value})
		}
	}
	return nil
}

// site makes the edges of one call, or counts why there is none.
func (l *Linker) site(r code.Ref, called map[code.Ref]bool) {
	u := l.unit
	x := u.expr(r)
	if u.expr(x.X).Op == code.OpFunc {
		return // what a closure does that is called where it stands is done here
	}
	c := &callSite{u, r, nil, -1}
	found := l.targets(u, x.X, nil)
	var goals values
	for _, v := range found {
		goals = goals.add(l.goal(v)...)
	}
	if op := u.expr(x.X).Op; u.language.holds && op != code.OpName && op != code.OpSelect && op != code.OpApply {
		goals = goals.by(Held)
	}
	goals = l.fitting(c, goals)
	if len(goals) > 1 && u.language.choose != nil {
		if goals = u.language.choose(l, c, goals); len(goals) == 0 {
			l.unresolved[Ambiguous]++
			return
		}
	}
	weight := float32(1)
	made := 0
	for _, g := range goals {
		if x.Op == code.OpCall && x.N == 1 {
			g.how = weakest(g.how, Rendered)
		}
		if g.decl != nil && l.edge(graph.Calls, x.Scope, g.decl, x.Line, g.how, weight) {
			made++
			l.implementations(g, x)
		}
	}
	if made > 0 {
		for f := x.X; f != 0; f = u.expr(f).X {
			called[f] = true
			if op := u.expr(f).Op; op != code.OpApply && op != code.OpIndex {
				break
			}
		}
		return
	}
	if u.language.structural && l.throughOutside(x) {
		return
	}
	l.unresolved[l.reason(u, x, found)]++
}

// goal returns what calling a value reaches: the function, the constructor of a
// type, what a variable holds, or the variable itself where that is a function of
// its own.
func (l *Linker) goal(v value) values {
	switch v.kind {
	case function:
		return l.kept(v)
	case external, builtin:
		return values{v}
	case typeValue:
		if v.decl.unit.language.converts {
			return nil
		}
		var out values
		for _, f := range l.makers(v) {
			out = out.add(l.kept(f)...)
		}
		return out
	case instance:
		for _, name := range v.decl.unit.language.callables {
			if found := l.member(v, name); len(found) > 0 {
				return found.by(v.how)
			}
		}
	case named:
		return l.namedGoal(v)
	default:
	}
	return nil
}

// makers returns what making a value of a type calls: its constructors, or the type.
func (l *Linker) makers(t value) values {
	found := l.constructors(t)
	if t.decl.unit.language.ownConstructors {
		found = slices.DeleteFunc(found, func(f value) bool { return f.kind == function && !l.isPart(t.decl, f.decl.owner()) })
	}
	if len(found) == 0 {
		return values{t}
	}
	return found
}

// kept returns the definitions of a function that is only promised, and what is
// none as it is.
func (l *Linker) kept(f value) values {
	if f.kind != function || f.decl == nil || !f.decl.promised() {
		return values{f}
	}
	var out values
	for _, d := range f.decl.unit.language.defined(l, f.decl) {
		v := f
		v.decl = d
		out = out.add(v)
	}
	if len(out) == 0 {
		return values{f}
	}
	return out
}

// promised tells a function without a body in a language where another has it.
func (d *decl) promised() bool {
	if d.unit.language.defined == nil || d.def.Kind != code.DefFunc || d.def.Abstract {
		return false
	}
	s := d.open()
	return s != nil && !s.Body
}

// namedGoal is goal for a variable, field or alias.
func (l *Linker) namedGoal(v value) values {
	d := v.decl
	if d.unit.language.declaredOnly && d.def.Kind != code.DefAlias && (d.isTop() || d.unit.expr(d.def.Value).Op != code.OpFunc) {
		return nil
	}
	if _, ok := d.unit.ordinals[d]; ok && d.def.Kind != code.DefAlias {
		return values{v} // a function by that name, or a variable that others can call
	}
	if d.def.Kind == code.DefParam {
		return nil
	}
	var out values
	for _, held := range l.open(values{v}, nil) {
		if held.kind != named && held.kind != instance {
			out = out.add(l.goal(held)...)
		}
	}
	if d.unit.language.holds && d.unit.expr(d.def.Value).Op != code.OpImport {
		return out.by(Held)
	}
	return out
}

// implementations adds edges to what an abstract member that is called may be.
func (l *Linker) implementations(g value, x *code.Expr) {
	if g.decl == nil || !g.decl.def.Abstract || g.decl.def.Kind != code.DefFunc {
		return
	}
	found := l.implementers(g.decl)
	for _, d := range found {
		l.edge(graph.Calls, x.Scope, d, x.Line, weakest(g.how, Implementation), spread(len(found)))
	}
}

// spread is how sure one of n candidates is.
func spread(n int) float32 {
	if n < 2 {
		return 1
	}
	return 2 / float32(n+1)
}

// maxImplementers bounds the candidates of one call: a method of very many types
// says nothing about which is meant.
const maxImplementers = 40

// implementers returns the methods that implement an abstract one.
func (l *Linker) implementers(m *decl) []*decl {
	owner := m.owner()
	if owner == nil {
		return nil
	}
	var out []*decl
	l.look(m.name)
	for _, t := range l.implementing(owner) {
		v := instanceOf(t)
		for _, f := range l.typeMember(v, m.name, 0) {
			if f.kind == function && f.decl != nil && f.decl != m && !f.decl.def.Abstract && !contains(out, f.decl) {
				out = append(out, f.decl)
			}
		}
		if len(out) > maxImplementers {
			return nil
		}
	}
	return out
}

func contains(list []*decl, d *decl) bool {
	for _, x := range list {
		if x == d {
			return true
		}
	}
	return false
}

// reference makes the edge of a name that is used without being called.
func (l *Linker) reference(r code.Ref, x *code.Expr) {
	for _, v := range l.targets(l.unit, r, nil) {
		if v.decl == nil {
			continue
		}
		switch v.kind {
		case function, typeValue, named:
			if v.kind == named && (v.decl.def.Kind == code.DefParam || v.decl.def.Kind == code.DefField) && !v.decl.known() {
				continue
			}
			l.edge(graph.References, x.Scope, v.decl, x.Line, v.how, 1)
		default:
		}
	}
}

// known tells a declaration that is a symbol.
func (d *decl) known() bool {
	_, ok := d.unit.ordinals[d]
	return ok
}

// reason says why a call has no edge.
func (l *Linker) reason(u *unit, x *code.Expr, found values) Reason {
	for _, v := range found {
		switch v.kind {
		case external:
			return External
		case builtin:
			return BuiltIn
		case function:
			if v.decl != nil && v.decl.promised() {
				return External
			}
		case typeValue:
			if u.language.converts {
				return BuiltIn
			}
		default:
		}
	}
	callee := u.expr(x.X)
	if len(found) > 0 {
		for _, v := range l.open(found, nil) {
			if v.kind == external {
				return External
			}
		}
		return Dynamic
	}
	switch callee.Op {
	case code.OpName:
		if u.language.builtins[callee.Name] {
			return BuiltIn
		}
		return UnknownName
	case code.OpSelect:
		return l.reasonOf(l.value(u, callee.X, nil))
	default:
		return Dynamic
	}
}

// reasonOf says why a member of values was not found.
func (l *Linker) reasonOf(receiver values) Reason {
	if len(receiver) == 0 {
		return UnknownReceiver
	}
	for _, v := range receiver {
		switch v.kind {
		case external:
			return External
		case builtin, funcType, function:
			return BuiltIn
		case typeParam:
			return UnknownReceiver
		case instance, typeValue:
			for _, b := range l.bases(v) {
				if b.kind == external {
					return External
				}
			}
		default:
		}
	}
	return UnknownMember
}
