package resolve

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// uses adds the edges of the unit's expressions: calls first, then other uses.
func (l *Linker) uses() {
	u := l.unit
	called := make([]bool, len(u.facts.Exprs)) // callees that have an edge
	for i := range u.facts.Exprs {
		x := &u.facts.Exprs[i]
		l.at = code.Ref(i)
		if (x.Op == code.OpCall || x.Op == code.OpNew) && !l.oracleSite(code.Ref(i), called) {
			l.allow(stepsPerUse)
			l.site(code.Ref(i), called)
		}
	}
	for i := range u.facts.Exprs {
		x := &u.facts.Exprs[i]
		l.at = code.Ref(i)
		if (x.Op == code.OpName || x.Op == code.OpSelect) && !called[code.Ref(i)] && x.Line > 0 && !l.oracleReference(x) {
			l.allow(stepsPerUse)
			l.reference(code.Ref(i), x)
		}
	}
}

// targets returns what a called or used expression names, not opened: declarations rather than their values.
func (l *Linker) targets(u *unit, r code.Ref, e *env) values {
	x := u.expr(r)
	switch x.Op {
	case code.OpName:
		return l.nameOf(u, x)
	case code.OpSelect:
		return u.values(l.memberOf(u, x, e))
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

// delegated returns the type whose constructor is called by this(…) or super(…): for super the base class, which
// comes first.
func (l *Linker) delegated(u *unit, x *code.Expr) values {
	self := l.self(u, x.Scope)
	if x.Op == code.OpThis {
		return typesOf(self)
	}
	if len(self) == 0 {
		return nil
	}
	bases := l.bases(self[0])
	if len(bases) == 0 || bases[0].base.Implements || bases[0].kind == instance && isInterface(bases[0].decl) {
		return nil
	}
	return typesOf(values{bases[0].value})
}

// site adds the edges of one call, or counts the reason why there is none.
func (l *Linker) site(r code.Ref, called []bool) {
	u := l.unit
	x := u.expr(r)
	if u.expr(x.X).Op == code.OpFunc {
		return // calls in a closure that is invoked in place belong to this function
	}
	found := l.targets(u, x.X, nil)
	if len(found) == 0 && u.language.byUse != nil {
		found = u.language.byUse(l, u.expr(x.X))
	}
	goals, sure := l.goals(&callSite{u, r, nil, -1}, found)
	if why := l.undecided(sure); why != "" {
		u.markCalled(x.X, called)
		l.unresolved[why]++
		return
	}
	made := 0
	for _, g := range goals {
		switch {
		case g.decl == nil:
		case g.how == Held:
			l.edge(codegraph.References, x.Scope, g.decl, x.Line, Held, 1)
		case l.edge(codegraph.Calls, x.Scope, g.decl, x.Line, g.how, 1):
			made++
			l.implementations(g, x)
			l.constructorEdge(g, x)
			l.appliedArguments(g, x, called)
		}
	}
	if made > 0 {
		u.markCalled(x.X, called)
		return
	}
	l.callOutside(found, x)
	if u.language.structural && l.viaExternalInterface(x) || l.curried(u, x, found) {
		return
	}
	if x.Op == code.OpNew && allFields(found) {
		return // a C++ member initializer
	}
	l.unresolved[l.reason(u, x, found)]++
}

// undecided returns why none of a call's targets is taken; "" if they are. Sure is false if several fit equally.
func (l *Linker) undecided(sure bool) Reason {
	switch {
	case l.cut:
		return Intricate
	case !sure:
		return Ambiguous
	}
	return ""
}

// markCalled records a called expression and, for a generic one, the expression without type arguments.
func (u *unit) markCalled(r code.Ref, called []bool) {
	for ; r != 0; r = u.expr(r).X {
		called[r] = true
		if op := u.expr(r).Op; op != code.OpApply && op != code.OpIndex {
			return
		}
	}
}

// goals returns the targets of calling values, given the arguments; sure is false if several fit equally.
func (l *Linker) goals(c *callSite, found values) (goals values, sure bool) {
	goals = l.callTargets(found)
	lang, x := c.unit.language, c.expr()
	if op := c.unit.expr(x.X).Op; lang.holds && x.Op == code.OpCall && !lang.delegates && op != code.OpName && op != code.OpSelect && op != code.OpApply {
		goals = goals.by(Held)
	}
	if x.Op == code.OpCall && x.N == 1 {
		goals = goals.by(Rendered)
	}
	goals = l.defined(l.fitting(c, withoutPrototypes(goals)))
	if len(goals) > 1 && lang.choose != nil {
		goals = lang.choose(l, c, goals)
		return goals, len(goals) > 0
	}
	return goals, true
}

// callTargets returns the targets of calling values; functions are their own.
func (l *Linker) callTargets(found values) (goals values) {
	if !slices.ContainsFunc(found, func(v value) bool { return v.kind != function }) {
		return found
	}
	for _, v := range found {
		goals = goals.add(l.callTarget(v)...)
	}
	return goals
}

// callTarget is goal for languages in which calling a type is a call of the type.
func (l *Linker) callTarget(v value) values {
	if v.kind == typeValue && v.decl.unit.language.callsTypes {
		return values{v}
	}
	return l.goal(v)
}

// constructorEdge adds the edge to the constructor of a type that is the call's target.
func (l *Linker) constructorEdge(g value, x *code.Expr) {
	if g.kind != typeValue || !g.decl.unit.language.callsTypes {
		return
	}
	for _, f := range l.constructors(g) {
		if f.kind == function {
			l.edge(codegraph.References, x.Scope, f.decl, x.Line, f.how, 1)
		}
	}
}

// goal returns the target of calling a value: a function, the constructor of a type, the value of a variable, or
// the variable itself if it holds its own function.
func (l *Linker) goal(v value) values {
	switch v.kind {
	case function, external, builtin:
		return values{v}
	case typeValue:
		if v.decl.unit.language.converts {
			return nil
		}
		return l.constructionTargets(v)
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

// constructionTargets returns the targets of constructing a type: its constructors, or the type.
func (l *Linker) constructionTargets(t value) values {
	found := l.constructors(t)
	if t.isObject() {
		return found
	}
	if t.decl.unit.language.ownConstructors {
		found = found.only(func(f *value) bool { return f.kind != function || l.isPart(t.decl, f.decl.owner()) })
	}
	if len(found) == 0 {
		return values{t}
	}
	return found
}

// namedGoal is goal for a variable, field or alias.
func (l *Linker) namedGoal(v value) values {
	d := v.decl
	if d.unit.language.declaredOnly && d.def.Kind != code.DefAlias && (d.isTop() || d.unit.expr(d.def.Value).Op != code.OpFunc) {
		return nil
	}
	if d.unit.language.holds {
		return l.heldGoal(v)
	}
	if _, ok := d.isSymbol(); ok && d.def.Kind != code.DefAlias {
		return values{v} // a declared function, or a variable that others can call
	}
	if d.def.Kind == code.DefParam {
		return nil
	}
	var out values
	for _, held := range l.open(values{v}, nil) {
		if held.kind != named {
			out = out.add(l.goal(held)...)
		}
	}
	return out
}

// heldGoal is namedGoal for languages in which variables are not functions: the target is the variable's value,
// with full confidence only for an imported name.
func (l *Linker) heldGoal(v value) values {
	set := v.decl.unit.expr(v.decl.def.Value).Op
	if v.decl.known() && set == code.OpFunc {
		return values{v}
	}
	var out values
	for _, held := range l.open(values{v}, nil) {
		if held.kind != named {
			out = out.add(l.callTarget(held)...)
		}
	}
	if set == code.OpImport {
		return out
	}
	return out.by(Held)
}

// implementations adds, to the places of edges, those to the possible implementations of an abstract member. The edges of
// an index do without; see dispatch.go.
func (l *Linker) implementations(g value, x *code.Expr) {
	if g.decl == nil || !g.decl.def.Abstract || g.decl.def.Kind != code.DefFunc {
		return
	}
	l.calledOn(x, g.decl.owner(), "")
	if !l.sitesOnly {
		return
	}
	on := g.decl.owner()
	if types, _ := l.narrower(x, on); len(types) == 1 && len(l.implementing(types[0])) > 0 {
		on = types[0]
	}
	if on == nil {
		return
	}
	q := question{unit: g.decl.unit, decl: g.decl, ref: code.Ref(on.id), what: askImplementers}
	found := l.ask(q, func() values {
		var out values
		for _, d := range l.implementers(g.decl, on) {
			out = append(out, declared(d))
		}
		return out
	})
	for _, v := range found {
		l.edge(codegraph.Calls, x.Scope, v.decl, x.Line, weakest(g.how, Implementation), spread(len(found)))
	}
}

// spread returns the confidence of one of n candidates.
func spread(n int) float32 {
	if n < 2 {
		return 1
	}
	return 2 / float32(n+1)
}

// maxImplementers bounds the candidates of one call in the places of edges, from which specs are made: what runs one of very
// many methods says nothing of a module.
const maxImplementers = 40

// implementers returns the methods that implement an abstract one for a type that has it.
func (l *Linker) implementers(m, on *decl) []*decl {
	var out []*decl
	l.look(m.name)
	for _, t := range l.implementing(on) {
		v := instanceOf(t)
		for _, f := range l.typeMember(v, m.name, 0) {
			if f.kind == function && f.decl != nil && f.decl != m && !f.decl.def.Abstract && f.decl.mayOverride(m) && !slices.Contains(out, f.decl) {
				out = append(out, f.decl)
			}
		}
		if len(out) > maxImplementers {
			return nil
		}
	}
	return out
}

// reference adds the edge of a name used other than in a call.
func (l *Linker) reference(r code.Ref, x *code.Expr) {
	for _, v := range l.targets(l.unit, r, nil) {
		if v.decl == nil || l.cut {
			continue
		}
		switch v.kind {
		case function, typeValue, named:
			if v.kind == named && (v.decl.def.Kind == code.DefParam || v.decl.def.Kind == code.DefField) && !v.decl.known() {
				continue
			}
			typ := codegraph.References
			if v.decl.isBare(l.unit) || v.decl.isPlainMacro() {
				typ = codegraph.Calls // called without parentheses
			}
			l.edge(typ, x.Scope, v.decl, x.Line, v.how, 1)
		default:
		}
	}
}

// known reports whether a declaration is a symbol.
func (d *decl) known() bool {
	_, ok := d.isSymbol()
	return ok
}

// reason returns why a call has no edge.
func (l *Linker) reason(u *unit, x *code.Expr, found values) Reason {
	for _, v := range found {
		switch v.kind {
		case external:
			return External
		case builtin:
			return BuiltIn
		case function:
			if v.decl != nil && v.decl.isPrototype() {
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

// reasonOf returns why a member of values was not found.
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
