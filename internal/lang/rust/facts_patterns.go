package rust

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// rustInnerPattern returns the pattern inside mut, ref or &.
func rustInnerPattern(n syntax.Node) syntax.Node {
	for c := range n.Inner() {
		if !c.Is("mutable_specifier") {
			return c
		}
	}
	return syntax.Node{}
}

// rustBind binds the names in a pattern to the parts of value. They are visible from
// offset from on; 0 means the whole scope.
func rustBind(b *core.FactBuilder, p syntax.Node, value code.Ref, from int) {
	if b.Depth > core.MaxFactDepth {
		return
	}
	b.Depth++
	defer func() { b.Depth-- }()
	switch p.Kind() {
	case "identifier":
		rustBindName(b, p, value, from)
	case "mut_pattern", "ref_pattern", "reference_pattern", "match_pattern":
		rustBind(b, rustInnerPattern(p), value, from)
	case "captured_pattern":
		rustBind(b, p.First(), value, from)
		rustBind(b, core.LastNamedChild(p), value, from)
	case "or_pattern":
		rustBind(b, p.First(), value, from)
	case "tuple_pattern":
		rustBindParts(b, p, value, from)
	case "slice_pattern":
		for c := range p.Inner() {
			rustBind(b, c, b.Apply(code.OpElem, value), from)
		}
	case "tuple_struct_pattern":
		rustBindTuple(b, p, value, from)
	case "struct_pattern":
		rustBindStruct(b, p, from)
	case "scoped_identifier":
		b.Value(p)
	case "macro_invocation":
		b.Walk(p)
	}
}

// rustBindName binds a name, unless it is the name of a constant or variant.
func rustBindName(b *core.FactBuilder, p syntax.Node, value code.Ref, from int) {
	name := p.Text()
	if isRustTypeName(name) {
		b.Name(name, p.Start())
		return
	}
	b.Define(code.Def{Name: name, Kind: code.DefVar, Value: value, Line: int32(p.Line()), Pos: int32(from)})
}

// rustBindParts binds the elements of (x, y).
func rustBindParts(b *core.FactBuilder, p syntax.Node, value code.Ref, from int) {
	i := 0
	for c := range p.Children() {
		if c.Named() && !core.IsComment(c.Kind()) || c.Is("_") {
			rustBind(b, c, b.Part(value, i), from)
			i++
		}
	}
}

// rustBindTuple binds the fields in Some(x), Variant(x, y) and Tuple(x, y).
func rustBindTuple(b *core.FactBuilder, p syntax.Node, value code.Ref, from int) {
	t := p.Field("type")
	var typ code.Ref
	holds := rustHolders[core.OneLine(t.Text())]
	fails := t.Says("Err")
	if !holds && !fails {
		typ = b.Apply(code.OpAs, b.Type(t))
	}
	i := 0
	for c := range p.Children() {
		if c.FieldName() == "type" || !c.Is("_") && (!c.Named() || core.IsComment(c.Kind())) {
			continue
		}
		var part code.Ref
		switch {
		case holds:
			part = b.Apply(code.OpElem, value)
		case fails:
			part = b.Apply(code.OpKey, value)
		case typ != 0 && i < len(rustNumbers)-1:
			part = b.Select(typ, rustNumbers[i], c.Start())
			b.Exprs[part].Line = 0
		}
		rustBind(b, c, part, from)
		i++
	}
}

// rustBindStruct binds the fields in T { a, b: c }.
func rustBindStruct(b *core.FactBuilder, p syntax.Node, from int) {
	typ := b.Apply(code.OpAs, b.Type(p.Field("type")))
	for f := range p.Inner() {
		if !f.Is("field_pattern") {
			continue
		}
		name := f.Field("name")
		part := rustPart(b, typ, name)
		if pattern := f.Field("pattern"); pattern.Ok() {
			rustBind(b, pattern, part, from)
			continue
		}
		b.Define(code.Def{Name: name.Text(), Kind: code.DefVar, Value: part, Line: int32(name.Line()), Pos: int32(from)})
	}
}
