package python

import (
	"maps"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// fact states that an expression has a type. key is the text of the expression.
type fact struct {
	key string
	typ code.Ref
}

// maxNarrowed and maxJoined bound the work on generated code: the number of narrowed
// expressions at a time, and of variables that one statement binds.
const (
	maxNarrowed = 128
	maxJoined   = 256
)

// under applies facts until the returned function is called.
func (f *flow) under(facts []fact) (restore func()) {
	before := f.narrowed
	if len(facts) == 0 {
		return func() {}
	}
	f.narrowed = maps.Clone(before)
	for _, x := range facts {
		f.narrowed[x.key] = x.typ
	}
	return func() { f.narrowed = before }
}

// forget drops what is known about an expression and its attributes, because it was
// assigned.
func (f *flow) forget(key string) {
	for k := range f.narrowed {
		if k == key || strings.HasPrefix(k, key) && len(k) > len(key) && (k[len(key)] == '.' || k[len(key)] == '[') {
			f.narrowed = maps.Clone(f.narrowed)
			break
		}
	}
	maps.DeleteFunc(f.narrowed, func(k string, _ code.Ref) bool {
		return k == key || strings.HasPrefix(k, key) && len(k) > len(key) && (k[len(key)] == '.' || k[len(key)] == '[')
	})
}

// narrowing returns the facts that follow if condition n evaluates to holds.
func narrowing(b *core.FactBuilder, n syntax.Node, holds bool) []fact {
	if n.End()-n.Start() > core.MaxCondition {
		return nil
	}
	switch n.Kind() {
	case "parenthesized_expression":
		return narrowing(b, n.First(), holds)
	case "not_operator":
		return narrowing(b, n.Field("argument"), !holds)
	case "boolean_operator":
		if n.Has("and") == holds {
			return append(narrowing(b, n.Field("left"), holds), narrowing(b, n.Field("right"), holds)...)
		}
		if isNone(n.Field("left")) { // for example: x is None or isinstance(x, T)
			return narrowing(b, n.Field("right"), holds)
		}
	case "call":
		if subject, typ := isinstance(n); subject.Ok() && holds {
			if subject.Is("named_expression") {
				subject = subject.Field("name")
			}
			if t := tested(b, typ); t != 0 {
				return []fact{{subject.Text(), t}}
			}
		}
	}
	return nil
}

// isNone reports whether n compares with None.
func isNone(n syntax.Node) bool {
	return n.Is("comparison_operator") && n.Has("none")
}

// tested returns a value of the type that isinstance tests for.
func tested(b *core.FactBuilder, typ syntax.Node) code.Ref {
	if !typ.Is("tuple") {
		return b.Apply(code.OpAs, b.Type(typ))
	}
	var all []code.Ref
	for c := range typ.NamedSeq() {
		all = append(all, b.Type(c))
	}
	return b.Apply(code.OpAs, b.Either(all...))
}

// branch is the range of definitions that one path through a statement adds to the
// variable scope.
type branch struct {
	from, to int  // indexes in the scope's Defs
	ends     bool // control does not reach the following statement
}

// branching reads statements with blocks. It reports false for other nodes.
func branching(b *core.FactBuilder, n syntax.Node) bool {
	switch n.Kind() {
	case "if_statement":
		ifFacts(b, n)
	case "while_statement":
		b.Walk(n.Field("condition"))
		restore := flowOf(b).under(narrowing(b, n.Field("condition"), true))
		alternatives(b, func() []branch { return looped(b, n) })
		restore()
	case "for_statement":
		b.Value(n.Field("right"))
		alternatives(b, func() []branch {
			loopTarget(b, n, false)
			return looped(b, n)
		})
	case "try_statement":
		try(b, n)
	case "with_statement":
		with(b, n)
	case "match_statement":
		match(b, n)
	case "assert_statement":
		b.WalkChildren(n)
		flowOf(b).under(narrowing(b, n.First(), true))
	default:
		return false
	}
	return true
}

// blockFacts reads a block as one branch, in which the given facts hold.
func blockFacts(b *core.FactBuilder, n syntax.Node, given []fact) branch {
	scope := variables(b)
	br := branch{from: len(b.Scopes[scope].Defs)}
	restore := flowOf(b).under(given)
	if len(given) == 0 {
		flowOf(b).narrowed = maps.Clone(flowOf(b).narrowed)
	}
	b.WalkChildren(n)
	restore()
	br.to, br.ends = len(b.Scopes[scope].Defs), leaves(n)
	return br
}

// leaves reports whether a block ends with a statement that leaves the enclosing
// block.
func leaves(block syntax.Node) bool {
	var last syntax.Node
	for c := range block.NamedSeq() {
		last = c
	}
	switch last.Kind() {
	case "return_statement", "raise_statement", "continue_statement", "break_statement":
		return true
	case "if_statement":
		alternatives := otherwise(last)
		if !leaves(last.Field("consequence")) || len(alternatives) == 0 || !alternatives[len(alternatives)-1].Is("else_clause") {
			return false
		}
		for _, a := range alternatives {
			if !leaves(a.Child("block")) {
				return false
			}
		}
		return true
	}
	return false
}

// otherwise returns the elif and else clauses of an if.
func otherwise(n syntax.Node) []syntax.Node {
	var out []syntax.Node
	for c := range n.NamedSeq() {
		if c.Is("elif_clause", "else_clause") {
			out = append(out, c)
		}
	}
	return out
}

// alternatives reads the branches of a statement. After it, a variable may have the
// value from any branch that reaches the end. Narrowed types hold inside the branches
// only.
func alternatives(b *core.FactBuilder, read func() []branch) {
	f := flowOf(b)
	before := f.narrowed
	scope := variables(b)
	from := len(b.Scopes[scope].Defs)
	branches := read()
	f.narrowed = maps.Clone(before)
	changed := map[string]bool{}
	for _, d := range b.Scopes[scope].Defs[from:] {
		f.forget(d.Name)
		if d.Kind == code.DefVar {
			changed[d.Name] = true
		}
	}
	if b.Scopes[scope].Kind == code.FuncScope && len(changed) <= maxJoined {
		for _, name := range slices.Sorted(maps.Keys(changed)) {
			joined(b, scope, name, from, branches)
		}
	}
}

// joined binds a variable after a statement to the union of its values in the branches.
func joined(b *core.FactBuilder, scope int32, name string, from int, branches []branch) {
	defs := b.Scopes[scope].Defs
	last := func(from, to int) *code.Def {
		for i := to - 1; i >= from; i-- {
			if defs[i].Name == name && (defs[i].Kind == code.DefVar || defs[i].Kind == code.DefParam) {
				return &defs[i]
			}
		}
		return nil
	}
	outer := last(0, from)
	var all []code.Ref
	var found *code.Def
	for _, br := range branches {
		if br.ends {
			continue
		}
		d := last(br.from, br.to)
		if d == nil {
			d = outer
		}
		if d == nil {
			continue
		}
		found = d
		if ref := holds(b, d); !slices.Contains(all, ref) {
			all = append(all, ref)
		}
	}
	if found == nil {
		return
	}
	d := *found
	d.Kind, d.Type, d.Value, d.Pos = code.DefVar, flowOf(b).typed[name], b.Either(all...), int32(flowOf(b).here)
	b.DefineIn(scope, d)
}

// holds returns the value of a binding as one expression.
func holds(b *core.FactBuilder, d *code.Def) code.Ref {
	if d.Type != 0 && d.Value == 0 {
		return b.Apply(code.OpAs, d.Type)
	}
	return d.Value
}
