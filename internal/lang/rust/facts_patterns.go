package rust

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// innerPattern returns the pattern inside mut, ref or &.
func innerPattern(n syntax.Node) syntax.Node {
	for c := range n.NamedSeq() {
		if !c.Is("mutable_specifier") {
			return c
		}
	}
	return syntax.Node{}
}

// bind binds the names in a pattern to the parts of value. They are visible from
// offset from on; 0 means the whole scope.
func bind(b *core.FactBuilder, p syntax.Node, value code.Ref, from int) {
	if b.Depth > core.MaxFactDepth {
		return
	}
	b.Depth++
	defer func() { b.Depth-- }()
	switch p.Kind() {
	case "identifier":
		bindName(b, p, value, from)
	case "mut_pattern", "ref_pattern", "reference_pattern", "match_pattern":
		bind(b, innerPattern(p), value, from)
	case "captured_pattern":
		bind(b, p.First(), value, from)
		bind(b, syntax.LastNamedChild(p), value, from)
	case "or_pattern":
		bind(b, p.First(), value, from)
	case "tuple_pattern":
		bindParts(b, p, value, from)
	case "slice_pattern":
		for c := range p.NamedSeq() {
			bind(b, c, b.Apply(code.OpElem, value), from)
		}
	case "tuple_struct_pattern":
		bindTuple(b, p, value, from)
	case "struct_pattern":
		bindStruct(b, p, from)
	case "scoped_identifier":
		b.Value(p)
	case "macro_invocation":
		b.Walk(p)
	}
}

// bindName binds a name, unless it is the name of a constant or variant.
func bindName(b *core.FactBuilder, p syntax.Node, value code.Ref, from int) {
	name := p.Text()
	if isTypeName(name) {
		b.Name(name, p.Start())
		return
	}
	b.Define(code.Def{Name: name, Kind: code.DefVar, Value: value, Line: int32(p.Line()), Pos: int32(from)})
}

// bindParts binds the elements of (x, y).
func bindParts(b *core.FactBuilder, p syntax.Node, value code.Ref, from int) {
	i := 0
	for c := range p.Children() {
		if c.Named() && !syntax.IsComment(c.Kind()) || c.Is("_") {
			bind(b, c, b.Part(value, i), from)
			i++
		}
	}
}

// bindTuple binds the fields in Some(x), Variant(x, y) and Tuple(x, y).
func bindTuple(b *core.FactBuilder, p syntax.Node, value code.Ref, from int) {
	t := p.Field("type")
	var typ code.Ref
	holds := wrappingConstructors[srctext.OneLine(t.Text())]
	fails := t.TextIs("Err")
	if !holds && !fails {
		typ = b.Apply(code.OpAs, b.Type(t))
	}
	i := 0
	for c := range p.Children() {
		if c.FieldName() == "type" || !c.Is("_") && (!c.Named() || syntax.IsComment(c.Kind())) {
			continue
		}
		var part code.Ref
		switch {
		case holds:
			part = b.Apply(code.OpElem, value)
		case fails:
			part = b.Apply(code.OpKey, value)
		case typ != 0 && i < len(tupleFieldNames)-1:
			part = b.Select(typ, tupleFieldNames[i], c.Start())
			b.Exprs[part].Line = 0
		}
		bind(b, c, part, from)
		i++
	}
}

// bindStruct binds the fields in T { a, b: c }.
func bindStruct(b *core.FactBuilder, p syntax.Node, from int) {
	typ := b.Apply(code.OpAs, b.Type(p.Field("type")))
	for f := range p.NamedSeq() {
		if !f.Is("field_pattern") {
			continue
		}
		name := f.Field("name")
		part := memberRef(b, typ, name)
		if pattern := f.Field("pattern"); pattern.Ok() {
			bind(b, pattern, part, from)
			continue
		}
		b.Define(code.Def{Name: name.Text(), Kind: code.DefVar, Value: part, Line: int32(name.Line()), Pos: int32(from)})
	}
}
