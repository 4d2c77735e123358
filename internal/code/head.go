package code

// HeadFirst moves the head, that is what other files can refer to, before the rest: declarations, their types, and
// the bodies from which a result or the type of a field must be inferred. [Facts.Head] returns the head alone; its
// indexes of expressions, scopes and bindings are those of the whole. It copies expressions and scopes: pointers to them no longer hold.
func (f *Facts) HeadFirst() {
	m := &marker{f: f, exprs: make([]bool, len(f.Exprs)), heads: make([]bool, len(f.Scopes)), whole: make([]bool, len(f.Scopes))}
	m.exprs[0] = true
	m.all(0)
	for i := range f.Scopes { // members of a type declared elsewhere
		if f.Scopes[i].Kind == TypeScope && f.Scopes[i].Owner != 0 {
			m.all(int32(i))
		}
	}
	exprs, nExprs := order(m.exprs)
	scopes, nScopes := order(m.heads)
	f.HeadExprs, f.HeadScopes = nExprs, nScopes
	f.rearrange(exprs, scopes)
	for i := range f.Scopes {
		s := &f.Scopes[i]
		s.HeadDefs = len(s.Defs)
		if i < nScopes && s.Kind == FuncScope && !m.whole[scopes[i]] {
			s.HeadDefs = s.params()
		}
		if i >= nScopes {
			s.HeadDefs = 0
		}
	}
}

// Head returns the head alone. It shares memory with f.
func (f *Facts) Head() *Facts {
	h := &Facts{Exprs: f.Exprs[:f.HeadExprs:f.HeadExprs], HeadExprs: f.HeadExprs, HeadScopes: f.HeadScopes}
	h.Scopes = make([]Scope, f.HeadScopes)
	for i := range h.Scopes {
		s := f.Scopes[i]
		s.Defs = s.Defs[:s.HeadDefs:s.HeadDefs]
		if s.Result != 0 {
			s.Returns = nil
		}
		h.Scopes[i] = s
	}
	return h
}

// params returns the number of leading bindings of a function's scope that are its parameters.
func (s *Scope) params() int {
	for i := range s.Defs {
		if k := s.Defs[i].Kind; k != DefParam && k != DefTypeParam {
			return i
		}
	}
	return len(s.Defs)
}

// marker marks the parts that belong to the head.
type marker struct {
	f     *Facts
	exprs []bool
	heads []bool // scopes needed at least up to their signature
	whole []bool // scopes needed as a whole
}

// all marks a scope with all its bindings: a file's, a type's, or that of a function whose body is needed.
func (m *marker) all(scope int32) {
	if m.whole[scope] {
		return
	}
	m.whole[scope] = true
	m.head(scope)
	for i := range m.f.Scopes[scope].Defs {
		m.def(&m.f.Scopes[scope].Defs[i])
	}
}

// head marks the scope of a function with its parameters and result.
func (m *marker) head(scope int32) {
	if m.heads[scope] {
		return
	}
	m.heads[scope] = true
	s := &m.f.Scopes[scope]
	if s.Parent >= 0 {
		m.head(s.Parent)
	}
	for _, b := range s.Bases {
		m.expr(b.Type)
	}
	m.expr(s.Owner)
	m.expr(s.Result)
	m.expr(s.Expect)
	if s.Kind != FuncScope {
		m.all(scope)
		return
	}
	for i := range s.params() {
		m.def(&s.Defs[i])
	}
	if s.Result == 0 && len(s.Returns) > 0 {
		for _, r := range s.Returns {
			m.expr(r)
		}
	}
}

func (m *marker) def(d *Def) {
	m.expr(d.Type)
	m.expr(d.Value)
	if d.Scope == 0 {
		return
	}
	m.head(d.Scope)
}

// expr marks an expression and its dependencies: the scopes in which its names are looked up, with all their
// bindings.
func (m *marker) expr(r Ref) {
	if r <= 0 || m.exprs[r] {
		return
	}
	m.exprs[r] = true
	e := &m.f.Exprs[r]
	m.expr(e.X)
	for _, a := range e.Args {
		m.expr(a)
	}
	switch e.Op {
	case OpName, OpThis, OpSuper:
		m.chain(e.Scope, e.Pos)
	case OpFunc:
		m.head(e.N)
		m.expr(m.f.Scopes[e.N].Call)
	case OpObject:
		m.all(e.N)
	default: // its position is not needed outside the file
	}
}

// chain marks the enclosing function and block scopes, innermost first, that bind a name visible at pos. The type
// of a parameter does not see variables of the body.
func (m *marker) chain(scope, pos int32) {
	for s := scope; s >= 0; s = m.f.Scopes[s].Parent {
		switch m.f.Scopes[s].Kind {
		case FuncScope:
			if m.f.Scopes[s].sees(pos) {
				m.all(s)
			}
			m.head(s)
			m.expr(m.f.Scopes[s].Call)
		case BlockScope:
			m.all(s)
		default:
			m.head(s)
		}
	}
}

// sees reports whether one of the variables in the scope of a function is visible at pos.
func (s *Scope) sees(pos int32) bool {
	for i := s.params(); i < len(s.Defs); i++ {
		if s.Defs[i].Pos <= pos {
			return true
		}
	}
	return false
}

// order returns the permutation that moves the marked entries first, as old indexes by new index, and the number of
// marked entries.
func order(marked []bool) (places []int32, n int) {
	places = make([]int32, 0, len(marked))
	for _, want := range []bool{true, false} {
		for i, m := range marked {
			if m == want {
				places = append(places, int32(i))
			}
		}
		if want {
			n = len(places)
		}
	}
	return places, n
}

// rearrange permutes expressions and scopes and updates all references to them.
func (f *Facts) rearrange(exprs, scopes []int32) {
	toExpr, toScope := inverse(exprs), inverse(scopes)
	ref := func(r *Ref) { *r = Ref(toExpr[*r]) }
	newExprs, newScopes := make([]Expr, len(exprs)), make([]Scope, len(scopes))
	pool := make([]Ref, 0, len(exprs))
	for i, old := range exprs {
		e := f.Exprs[old]
		ref(&e.X)
		from := len(pool)
		for _, a := range e.Args {
			pool = append(pool, Ref(toExpr[a]))
		}
		e.Args = nil
		if len(pool) > from {
			e.Args = pool[from:len(pool):len(pool)]
		}
		if e.Op == OpFunc || e.Op == OpObject {
			e.N = toScope[e.N]
		}
		e.Scope = toScope[e.Scope]
		newExprs[i] = e
	}
	for i, old := range scopes {
		s := f.Scopes[old]
		if s.Parent >= 0 {
			s.Parent = toScope[s.Parent]
		}
		for _, r := range []*Ref{&s.Owner, &s.Result, &s.Call, &s.Expect} {
			ref(r)
		}
		for k := range s.Returns {
			ref(&s.Returns[k])
		}
		for k := range s.Bases {
			ref(&s.Bases[k].Type)
		}
		for k := range s.Defs {
			ref(&s.Defs[k].Type)
			ref(&s.Defs[k].Value)
			s.Defs[k].Scope = toScope[s.Defs[k].Scope]
		}
		newScopes[i] = s
	}
	f.Drop()
	f.Exprs, f.Scopes = newExprs, newScopes
}

func inverse(places []int32) []int32 {
	out := make([]int32, len(places))
	for i, old := range places {
		out[old] = int32(i)
	}
	return out
}
