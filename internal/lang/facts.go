package lang

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// factRules say how a language's tree is read for [code.Facts].
type factRules struct {
	// visit takes a node in the walk: it opens scopes, binds names, hands
	// expressions to [facts.value], and goes on below by [facts.below] or
	// [facts.walk]. It tells whether it did; if not, the walk goes on below.
	visit func(b *facts, n syntax.Node) bool
	// value returns the expression that a node is, and walks what it does not keep.
	value func(b *facts, n syntax.Node) code.Ref
	// typ returns the type that a node is.
	typ func(b *facts, n syntax.Node) code.Ref
	// begin makes ready what the rules keep between nodes, in facts.own; it may be nil.
	begin func(b *facts)
}

// facts builds the facts of a file.
type facts struct {
	*code.Facts
	*reader
	rules *factRules
	scope int32            // where the walk is
	known map[int]code.Ref // index of a node -> its expression, so that each is read once
	types map[int]code.Ref // the same of types
	depth int
	own   any // what the language's rules keep between nodes
}

// readFacts fills file.Facts where they are asked for and the language has rules.
func (r *reader) readFacts() {
	if r.file.Facts == nil {
		return
	}
	if r.lang.facts == nil {
		r.file.Facts = nil
		return
	}
	b := newFacts(r)
	b.rules = r.lang.facts
	if b.rules.begin != nil {
		b.rules.begin(b)
	}
	b.below(r.Root())
}

// newFacts begins facts: expression 0 is none, scope 0 the file.
func newFacts(r *reader) *facts {
	f := r.file.Facts
	f.Exprs = make([]code.Expr, 1, 64)
	f.Scopes = []code.Scope{{Kind: code.FileScope, Parent: -1, Line: 1, End: int32(max(r.file.LOC, 1)), Body: true}}
	return &facts{Facts: f, reader: r, known: map[int]code.Ref{}, types: map[int]code.Ref{}}
}

// maxFactDepth is how deep expressions and blocks are followed.
const maxFactDepth = 400

// maxCondition is the longest condition that says what variables are, in bytes: each
// part of a condition is one, and is looked at from the start.
const maxCondition = 4096

// walk reads a node and all below it.
func (b *facts) walk(n syntax.Node) {
	if !n.Ok() || b.depth > maxFactDepth {
		return
	}
	b.depth++
	defer func() { b.depth-- }()
	if !b.rules.visit(b, n) {
		b.below(n)
	}
}

// below walks the named children of n.
func (b *facts) below(n syntax.Node) {
	for c := range n.Inner() {
		b.walk(c)
	}
}

// value returns the expression that a node is; 0 for none.
func (b *facts) value(n syntax.Node) code.Ref {
	return b.once(b.known, n, b.rules.value)
}

// values returns the expressions of several nodes, in parallel to them.
func (b *facts) values(nodes []syntax.Node) []code.Ref {
	out := make([]code.Ref, len(nodes))
	for i, n := range nodes {
		out[i] = b.value(n)
	}
	return out
}

// typ returns the type that a node is; 0 for none.
func (b *facts) typ(n syntax.Node) code.Ref {
	return b.once(b.types, n, b.rules.typ)
}

func (b *facts) once(known map[int]code.Ref, n syntax.Node, read func(b *facts, n syntax.Node) code.Ref) code.Ref {
	if !n.Ok() || b.depth > maxFactDepth {
		return 0
	}
	if ref, ok := known[n.Index()]; ok {
		return ref
	}
	b.depth++
	defer func() { b.depth-- }()
	ref := read(b, n)
	known[n.Index()] = ref
	return ref
}

// add adds an expression as it is.
func (b *facts) add(e code.Expr) code.Ref {
	b.Exprs = append(b.Exprs, e)
	return code.Ref(len(b.Exprs) - 1)
}

// name is an identifier used at an offset of the text.
func (b *facts) name(name string, pos int) code.Ref {
	if name == "" {
		return 0
	}
	return b.add(code.Expr{Op: code.OpName, Name: name, Scope: b.scope, Pos: int32(pos), Line: int32(b.Line(pos))})
}

// selected is the member of x called name, which stands at an offset.
func (b *facts) selected(x code.Ref, name string, pos int) code.Ref {
	if name == "" {
		return 0
	}
	return b.add(code.Expr{Op: code.OpSelect, X: x, Name: name, Scope: b.scope, Pos: int32(pos), Line: int32(b.Line(pos))})
}

// call is a call of an expression: OpCall or OpNew. pos is the offset of the
// called name. A closure among the arguments learns what it is passed to.
func (b *facts) call(op code.Op, callee code.Ref, args []code.Ref, pos int) code.Ref {
	if op == code.OpCall {
		b.markCalled(callee)
	}
	ref := b.add(code.Expr{Op: op, X: callee, Args: args, Scope: b.scope, Pos: int32(pos), Line: int32(b.Line(pos))})
	for i, a := range args {
		if e := b.Exprs[a]; e.Op == code.OpFunc {
			b.Scopes[e.N].Call, b.Scopes[e.N].Arg = ref, int32(i)
		}
	}
	return ref
}

// markCalled notes that a name is called.
func (b *facts) markCalled(callee code.Ref) {
	e := &b.Exprs[callee]
	for e.Op == code.OpApply {
		e = &b.Exprs[e.X]
	}
	if e.Op == code.OpName || e.Op == code.OpSelect {
		e.Called = true
	}
}

// of applies an operation to an expression; nothing of nothing.
func (b *facts) of(op code.Op, x code.Ref) code.Ref {
	if x == 0 {
		return 0
	}
	return b.add(code.Expr{Op: op, X: x, Scope: b.scope})
}

// nth is the i-th part of x.
func (b *facts) nth(x code.Ref, i int) code.Ref {
	if x == 0 {
		return 0
	}
	return b.add(code.Expr{Op: code.OpNth, X: x, N: int32(i)})
}

// either is one of several; those of which nothing is known do not count.
func (b *facts) either(refs ...code.Ref) code.Ref {
	refs = slices.DeleteFunc(slices.Clone(refs), func(r code.Ref) bool { return r == 0 })
	switch len(refs) {
	case 0:
		return 0
	case 1:
		return refs[0]
	}
	return b.add(code.Expr{Op: code.OpEither, Args: refs})
}

// group is a list, tuple or other expression of parts.
func (b *facts) group(op code.Op, x code.Ref, args []code.Ref) code.Ref {
	return b.add(code.Expr{Op: op, X: x, Args: args, Scope: b.scope})
}

// literal is a value of a built-in type.
func (b *facts) literal(name string) code.Ref {
	return b.add(code.Expr{Op: code.OpLit, Name: name})
}

// scoped is an expression that is a scope: OpFunc or OpObject.
func (b *facts) scoped(op code.Op, scope int32) code.Ref {
	return b.add(code.Expr{Op: op, N: scope, Scope: b.scope})
}

// mention notes that a name is used, unless it is bound within the function
// around: that is nothing others can see.
func (b *facts) mention(name string, pos int) {
	for s := b.scope; s > 0; s = b.Scopes[s].Parent {
		if k := b.Scopes[s].Kind; k != code.FuncScope && k != code.BlockScope {
			continue
		}
		for i := range b.Scopes[s].Defs {
			if b.Scopes[s].Defs[i].Name == name {
				return
			}
		}
	}
	b.name(name, pos)
}

// open begins a scope from one offset of the text to another and returns its index; it
// lasts until [facts.shut]. What stands at an offset inside and is a symbol of that name
// gives it its Symbol.
func (b *facts) open(kind code.ScopeKind, name string, from, to int) int32 {
	s := code.Scope{Kind: kind, Parent: b.scope, Name: name, Line: int32(b.Line(from)), End: int32(b.Line(max(from, to-1)))}
	b.Scopes = append(b.Scopes, s)
	b.scope = int32(len(b.Scopes) - 1)
	return b.scope
}

// shut ends the scope that was opened last.
func (b *facts) shut() { b.scope = b.Scopes[b.scope].Parent }

// symbol gives a scope the symbol whose declaration holds the offset, where it is
// of that name and no scope around has it.
func (b *facts) symbol(scope int32, offset int) {
	s := &b.Scopes[scope]
	name := b.enclosing(offset)
	if name != s.Name && !strings.HasSuffix(name, "."+s.Name) {
		return
	}
	for p := s.Parent; p >= 0; p = b.Scopes[p].Parent {
		if b.Scopes[p].Symbol == name {
			return
		}
	}
	s.Symbol = name
}

// def binds a name in the scope where the walk is. The def may be changed until
// the next one is made.
func (b *facts) def(d code.Def) *code.Def { return b.defIn(b.scope, d) }

// defIn binds a name in a scope.
func (b *facts) defIn(scope int32, d code.Def) *code.Def {
	list := &b.Scopes[scope].Defs
	*list = append(*list, d)
	return &(*list)[len(*list)-1]
}

// function returns the scope of the function or file that the walk is in.
func (b *facts) function() int32 {
	s := b.scope
	for b.Scopes[s].Kind == code.BlockScope {
		s = b.Scopes[s].Parent
	}
	return s
}

// returns notes what the function around returns.
func (b *facts) returns(ref code.Ref) {
	if s := &b.Scopes[b.function()]; ref != 0 && s.Kind == code.FuncScope {
		s.Returns = append(s.Returns, ref)
	}
}
