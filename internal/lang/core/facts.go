package core

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
	"github.com/reverse-spec/reverse-spec/internal/x/reuse"
)

// TypeName adds an identifier used where only a type can be; args is the number of its type
// arguments.
func (b *FactBuilder) TypeName(name string, pos, args int) code.Ref {
	ref := b.Name(name, pos)
	if ref != 0 {
		b.Exprs[ref].N = int32(1 + args)
	}
	return ref
}

// FactRules describe how to read [code.Facts] from a language's tree.
type FactRules struct {
	// Visit handles a node in the walk: it opens scopes, binds names, passes expressions to
	// [FactBuilder.Value] and continues with [FactBuilder.WalkChildren] or [FactBuilder.Walk].
	// It returns false if it did not handle n; the walk then continues with the children.
	Visit func(b *FactBuilder, n syntax.Node) bool
	// Value returns the expression of a node, and walks the parts that the expression does not
	// contain.
	Value func(b *FactBuilder, n syntax.Node) code.Ref
	// Type returns the type that a node denotes.
	Type func(b *FactBuilder, n syntax.Node) code.Ref
	// Begin initialises FactBuilder.Own; it may be nil.
	Begin func(b *FactBuilder)
}

// FactBuilder builds the scopes and expressions of a file.
type FactBuilder struct {
	*code.Facts
	*Reader
	Rules *FactRules
	Scope int32 // the current scope
	Known Refs  // the expressions of nodes, so that each node is read once
	Types Refs  // the same for types
	Depth int
	Own   any // state of the language's rules
}

// readFacts fills File.Facts.
func (r *Reader) readFacts() {
	if r.Lang.Facts == nil || r.Parts&Facts == 0 {
		return
	}
	b := NewFactBuilder(r)
	b.Rules = r.Lang.Facts
	if b.Rules.Begin != nil {
		b.Rules.Begin(b)
	}
	b.WalkChildren(r.Root())
	b.End()
}

// exprBytes is about the length of text that gives an expression, in bytes.
const exprBytes = 16

// NewFactBuilder returns a builder with expression 0 (none) and scope 0 (the file). [FactBuilder.End] ends it.
func NewFactBuilder(r *Reader) *FactBuilder {
	r.File.Facts = code.NewFacts(r.File.LOC, 64+r.Length/exprBytes)
	return &FactBuilder{Facts: r.File.Facts, Reader: r, Known: refs.Get(r.Len()), Types: refs.Get(r.Len())}
}

// refs are the references of builders that ended.
var refs reuse.Pool[code.Ref]

// End puts the head first, and gives up the builder's memory.
func (b *FactBuilder) End() {
	b.HeadFirst()
	refs.Put(b.Known)
	refs.Put(b.Types)
	b.Known, b.Types = nil, nil
}

// Refs are the expressions of the nodes of a tree, by index, plus one; 0 for nodes without one.
type Refs []code.Ref

// Of returns the expression of a node, if it has one.
func (r Refs) Of(n syntax.Node) (ref code.Ref, known bool) {
	if ref = r[n.Index()]; ref == 0 {
		return 0, false
	}
	return ref - 1, true
}

// Set sets the expression of a node.
func (r Refs) Set(n syntax.Node, ref code.Ref) { r[n.Index()] = ref + 1 }

// MaxFactDepth is the maximum nesting depth of expressions and blocks that are read.
const MaxFactDepth = 400

// MaxCondition is the longest condition that is searched for type tests, in bytes. Each part
// of a condition is itself searched, so that more would be quadratic.
const MaxCondition = 4096

// Walk reads a node and its descendants.
func (b *FactBuilder) Walk(n syntax.Node) {
	if !n.Ok() || b.Depth > MaxFactDepth {
		return
	}
	b.Depth++
	defer func() { b.Depth-- }()
	if !b.Rules.Visit(b, n) {
		b.WalkChildren(n)
	}
}

// WalkChildren walks the named children of n.
func (b *FactBuilder) WalkChildren(n syntax.Node) {
	for c := range n.NamedSeq() {
		b.Walk(c)
	}
}

// Value returns the expression of a node; 0 for none.
func (b *FactBuilder) Value(n syntax.Node) code.Ref {
	return b.once(b.Known, n, b.Rules.Value)
}

// Values returns the expressions of several nodes, one per node.
func (b *FactBuilder) Values(nodes []syntax.Node) []code.Ref {
	out := make([]code.Ref, len(nodes))
	for i, n := range nodes {
		out[i] = b.Value(n)
	}
	return out
}

// Type returns the type that a node denotes; 0 for none.
func (b *FactBuilder) Type(n syntax.Node) code.Ref {
	return b.once(b.Types, n, b.Rules.Type)
}

func (b *FactBuilder) once(known Refs, n syntax.Node, read func(b *FactBuilder, n syntax.Node) code.Ref) code.Ref {
	if !n.Ok() || b.Depth > MaxFactDepth {
		return 0
	}
	if ref, ok := known.Of(n); ok {
		return ref
	}
	b.Depth++
	defer func() { b.Depth-- }()
	ref := read(b, n)
	known.Set(n, ref)
	return ref
}

// Add appends an expression and returns its reference.
func (b *FactBuilder) Add(e code.Expr) code.Ref {
	b.Exprs = append(b.Exprs, e)
	return code.Ref(len(b.Exprs) - 1)
}

// Name adds an identifier used at the offset pos.
func (b *FactBuilder) Name(name string, pos int) code.Ref {
	if name == "" {
		return 0
	}
	return b.Add(code.Expr{Op: code.OpName, Name: name, Scope: b.Scope, Pos: int32(pos), Line: int32(b.Line(pos))})
}

// Select adds the member of x called name; pos is the offset of the name.
func (b *FactBuilder) Select(x code.Ref, name string, pos int) code.Ref {
	if name == "" {
		return 0
	}
	return b.Add(code.Expr{Op: code.OpSelect, X: x, Name: name, Scope: b.Scope, Pos: int32(pos), Line: int32(b.Line(pos))})
}

// Call adds a call of an expression: OpCall or OpNew. pos is the offset of the called name. A
// closure among the arguments records the call that it is passed to.
func (b *FactBuilder) Call(op code.Op, callee code.Ref, args []code.Ref, pos int) code.Ref {
	if op == code.OpCall {
		b.markCalled(callee)
	}
	ref := b.Add(code.Expr{Op: op, X: callee, Args: args, Scope: b.Scope, Pos: int32(pos), Line: int32(b.Line(pos))})
	for i, a := range args {
		if e := b.Exprs[a]; e.Op == code.OpFunc {
			b.Scopes[e.N].Call, b.Scopes[e.N].Arg = ref, int32(i)
		}
	}
	return ref
}

// markCalled marks the name that callee refers to as called.
func (b *FactBuilder) markCalled(callee code.Ref) {
	e := &b.Exprs[callee]
	for e.Op == code.OpApply {
		e = &b.Exprs[e.X]
	}
	if e.Op == code.OpName || e.Op == code.OpSelect {
		e.Called = true
	}
}

// Apply applies an operation to an expression; it returns 0 if x is 0.
func (b *FactBuilder) Apply(op code.Op, x code.Ref) code.Ref {
	if x == 0 {
		return 0
	}
	return b.Add(code.Expr{Op: op, X: x, Scope: b.Scope})
}

// Part adds the i-th element of x.
func (b *FactBuilder) Part(x code.Ref, i int) code.Ref {
	if x == 0 {
		return 0
	}
	return b.Add(code.Expr{Op: code.OpNth, X: x, N: int32(i)})
}

// Either adds a choice of several expressions, leaving out zero references.
func (b *FactBuilder) Either(refs ...code.Ref) code.Ref {
	refs = slices.DeleteFunc(slices.Clone(refs), func(r code.Ref) bool { return r == 0 })
	switch len(refs) {
	case 0:
		return 0
	case 1:
		return refs[0]
	}
	return b.Add(code.Expr{Op: code.OpEither, Args: refs})
}

// Group adds a list, tuple or other expression with several parts.
func (b *FactBuilder) Group(op code.Op, x code.Ref, args []code.Ref) code.Ref {
	return b.Add(code.Expr{Op: op, X: x, Args: args, Scope: b.Scope})
}

// Literal adds a value of a built-in type.
func (b *FactBuilder) Literal(name string) code.Ref {
	return b.Add(code.Expr{Op: code.OpLit, Name: name})
}

// ScopeExpr adds an expression that is a scope: OpFunc or OpObject.
func (b *FactBuilder) ScopeExpr(op code.Op, scope int32) code.Ref {
	return b.Add(code.Expr{Op: op, N: scope, Scope: b.Scope})
}

// Mention adds a use of a name, unless it is local to the enclosing function: local names are
// not visible elsewhere.
func (b *FactBuilder) Mention(name string, pos int) {
	for s := b.Scope; s > 0; s = b.Scopes[s].Parent {
		if k := b.Scopes[s].Kind; k != code.FuncScope && k != code.BlockScope {
			continue
		}
		for i := range b.Scopes[s].Defs {
			if b.Scopes[s].Defs[i].Name == name {
				return
			}
		}
	}
	b.Name(name, pos)
}

// OpenScope opens a scope between two offsets and returns its index. It is current until
// [FactBuilder.CloseScope]. Its Symbol is set with [FactBuilder.Symbol].
func (b *FactBuilder) OpenScope(kind code.ScopeKind, name string, from, to int) int32 {
	s := code.Scope{Kind: kind, Parent: b.Scope, Name: name, Line: int32(b.Line(from)), End: int32(b.Line(max(from, to-1)))}
	b.Scopes = append(b.Scopes, s)
	b.Scope = int32(len(b.Scopes) - 1)
	return b.Scope
}

// CloseScope closes the current scope.
func (b *FactBuilder) CloseScope() { b.Scope = b.Scopes[b.Scope].Parent }

// Symbol links a scope to the symbol whose declaration contains the offset, if their names
// agree and no enclosing scope is linked to it.
func (b *FactBuilder) Symbol(scope int32, offset int) {
	s := &b.Scopes[scope]
	name := b.Enclosing(offset)
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

// Define binds a name in the current scope. The result is valid until the next binding in that
// scope.
func (b *FactBuilder) Define(d code.Def) *code.Def { return b.DefineIn(b.Scope, d) }

// DefineIn binds a name in a scope; see [FactBuilder.Define].
func (b *FactBuilder) DefineIn(scope int32, d code.Def) *code.Def {
	list := &b.Scopes[scope].Defs
	*list = append(*list, d)
	return &(*list)[len(*list)-1]
}

// Function returns the scope of the enclosing function or file.
func (b *FactBuilder) Function() int32 {
	s := b.Scope
	for b.Scopes[s].Kind == code.BlockScope {
		s = b.Scopes[s].Parent
	}
	return s
}

// Returns records a value that the enclosing function returns.
func (b *FactBuilder) Returns(ref code.Ref) {
	if s := &b.Scopes[b.Function()]; ref != 0 && s.Kind == code.FuncScope {
		s.Returns = append(s.Returns, ref)
	}
}

// ThisAt adds the current object, "this".
func (b *FactBuilder) ThisAt(n syntax.Node) code.Ref {
	return b.Add(code.Expr{Op: code.OpThis, Scope: b.Scope, Pos: int32(n.Start()), Line: int32(n.Line())})
}

// SuperAt adds the current object seen as its base class, "super".
func (b *FactBuilder) SuperAt(n syntax.Node) code.Ref {
	return b.Add(code.Expr{Op: code.OpSuper, Scope: b.Scope, Pos: int32(n.Start()), Line: int32(n.Line())})
}
