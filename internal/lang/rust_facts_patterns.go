package lang

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// rustInnerPattern returns the pattern in one that only says how it binds.
func rustInnerPattern(n syntax.Node) syntax.Node {
	for c := range n.Inner() {
		if !c.Is("mutable_specifier") {
			return c
		}
	}
	return syntax.Node{}
}

// rustBind binds the names in a pattern to the parts of a value. They are known from
// an offset on; 0 for the whole scope.
func (b *facts) rustBind(p syntax.Node, value code.Ref, from int) {
	if b.depth > maxFactDepth {
		return
	}
	b.depth++
	defer func() { b.depth-- }()
	switch p.Kind() {
	case "identifier":
		b.rustBindName(p, value, from)
	case "mut_pattern", "ref_pattern", "reference_pattern", "match_pattern":
		b.rustBind(rustInnerPattern(p), value, from)
	case "captured_pattern":
		b.rustBind(p.First(), value, from)
		b.rustBind(lastInner(p), value, from)
	case "or_pattern":
		b.rustBind(p.First(), value, from)
	case "tuple_pattern":
		b.rustBindParts(p, value, from)
	case "slice_pattern":
		for c := range p.Inner() {
			b.rustBind(c, b.of(code.OpElem, value), from)
		}
	case "tuple_struct_pattern":
		b.rustBindTuple(p, value, from)
	case "struct_pattern":
		b.rustBindStruct(p, from)
	case "scoped_identifier":
		b.value(p)
	case "macro_invocation":
		b.walk(p)
	}
}

// rustBindName binds a name, unless it is that of a constant or a variant.
func (b *facts) rustBindName(p syntax.Node, value code.Ref, from int) {
	name := p.Text()
	if isRustTypeName(name) {
		b.name(name, p.Start())
		return
	}
	b.def(code.Def{Name: name, Kind: code.DefVar, Value: value, Line: int32(p.Line()), Pos: int32(from)})
}

// rustBindParts takes (x, y) apart.
func (b *facts) rustBindParts(p syntax.Node, value code.Ref, from int) {
	i := 0
	for c := range p.Children() {
		if c.Named() && !isComment(c.Kind()) || c.Is("_") {
			b.rustBind(c, b.nth(value, i), from)
			i++
		}
	}
}

// rustBindTuple takes Some(x), Variant(x, y) and Tuple(x, y) apart.
func (b *facts) rustBindTuple(p syntax.Node, value code.Ref, from int) {
	t := p.Field("type")
	var typ code.Ref
	holds := rustHolders[words(t.Text())]
	fails := t.Says("Err")
	if !holds && !fails {
		typ = b.of(code.OpAs, b.typ(t))
	}
	i := 0
	for c := range p.Children() {
		if c.FieldName() == "type" || !c.Is("_") && (!c.Named() || isComment(c.Kind())) {
			continue
		}
		var part code.Ref
		switch {
		case holds:
			part = b.of(code.OpElem, value)
		case fails:
			part = b.of(code.OpKey, value)
		case typ != 0 && i < len(rustNumbers)-1:
			part = b.selected(typ, rustNumbers[i], c.Start())
			b.Exprs[part].Line = 0
		}
		b.rustBind(c, part, from)
		i++
	}
}

// rustBindStruct takes T { a, b: c } apart.
func (b *facts) rustBindStruct(p syntax.Node, from int) {
	typ := b.of(code.OpAs, b.typ(p.Field("type")))
	for f := range p.Inner() {
		if !f.Is("field_pattern") {
			continue
		}
		name := f.Field("name")
		part := b.rustPart(typ, name)
		if pattern := f.Field("pattern"); pattern.Ok() {
			b.rustBind(pattern, part, from)
			continue
		}
		b.def(code.Def{Name: name.Text(), Kind: code.DefVar, Value: part, Line: int32(name.Line()), Pos: int32(from)})
	}
}
