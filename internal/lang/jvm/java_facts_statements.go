package jvm

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// javaStatementFacts reads statements that bind names or open a scope. It reports false
// for other nodes.
func javaStatementFacts(b *core.FactBuilder, n syntax.Node) bool {
	switch n.Kind() {
	case "block", "constructor_body", "for_statement", "switch_block", "switch_rule", "finally_clause", "static_initializer":
		javaBlock(b, n, nil)
	case "try_with_resources_statement":
		javaBlock(b, n, nil)
	case "resource":
		if !n.Field("name").Ok() {
			return false
		}
		javaBind(b, n.Field("name"), b.Type(n.Field("type")), b.Value(n.Field("value")), n.End())
	case "enhanced_for_statement":
		each := b.Apply(code.OpElem, b.Value(n.Field("value")))
		javaBlock(b, n, func() {
			javaBind(b, n.Field("name"), b.Type(n.Field("type")), each, 0)
			b.Walk(n.Field("body"))
		})
	case "catch_clause":
		javaBlock(b, n, func() {
			p := n.Child("catch_formal_parameter")
			var types []code.Ref
			for t := range p.Child("catch_type").NamedSeq() {
				types = append(types, b.Type(t))
			}
			javaBind(b, p.Field("name"), b.Either(types...), 0, 0)
			b.Walk(n.Field("body"))
		})
	case "instanceof_expression":
		javaInstanceof(b, n)
	case "type_pattern", "record_pattern":
		javaPattern(b, n)
	case "return_statement":
		ref := b.Value(n.First())
		jvmExpect(b, ref, b.Scopes[b.Function()].Result)
		b.Returns(ref)
	default:
		return false
	}
	return true
}

// javaBlock reads n in a scope of its own: by read, or its children if read is nil.
func javaBlock(b *core.FactBuilder, n syntax.Node, read func()) {
	b.OpenScope(code.BlockScope, "", n.Start(), n.End())
	defer b.CloseScope()
	if read == nil {
		b.WalkChildren(n)
		return
	}
	read()
}

// javaBind binds a local variable that is visible from offset pos on.
func javaBind(b *core.FactBuilder, name syntax.Node, typ, value code.Ref, pos int) {
	if name.Ok() {
		b.Define(code.Def{Name: name.Text(), Type: typ, Value: value, Line: int32(name.Line()), Pos: int32(pos)})
	}
}

// javaInstanceof reads a type test. The names in it are bound from there on, because
// the code after a failed test may be unreachable.
func javaInstanceof(b *core.FactBuilder, n syntax.Node) {
	b.Walk(n.Field("left"))
	if p := n.Field("pattern"); p.Ok() {
		javaPattern(b, p)
		return
	}
	javaBind(b, n.Field("name"), b.Type(n.Field("right")), 0, n.End())
}

// javaPattern binds the names of a pattern.
func javaPattern(b *core.FactBuilder, n syntax.Node) {
	switch n.Kind() {
	case "record_pattern":
		for c := range n.NamedSeq() {
			switch c.Kind() {
			case "record_pattern_body":
				for part := range c.NamedSeq() {
					javaPattern(b, part)
				}
			case "identifier":
				b.Type(c)
			default:
				javaPattern(b, c)
			}
		}
	case "type_pattern", "record_pattern_component":
		var typ code.Ref
		var name syntax.Node
		for c := range n.NamedSeq() {
			switch {
			case c.Is("identifier"):
				name = c
			case c.Is("modifiers"), isAnnotation(c):
			default:
				typ = b.Type(c)
			}
		}
		javaBind(b, name, typ, 0, n.End())
	}
}
