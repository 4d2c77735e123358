package swift

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// statement reads a statement that binds names or opens a scope. It reports false
// for other nodes.
func statement(b *core.FactBuilder, n syntax.Node) bool {
	switch n.Kind() {
	case "if_statement", "while_statement", "repeat_while_statement":
		ifFacts(b, n)
	case "guard_statement":
		conditions(b, n)
	case "for_statement":
		forFacts(b, n)
	case "switch_statement":
		switchFacts(b, n)
	case "do_statement":
		for c := range n.NamedSeq() {
			b.OpenScope(code.BlockScope, "", c.Start(), c.End())
			if c.Is("catch_block") {
				catch(b, c)
			} else {
				b.Walk(c)
			}
			b.CloseScope()
		}
	case "control_transfer_statement":
		if result := n.Field("result"); result.Ok() && (n.Has("return") || isReturn(n)) {
			b.Returns(expectedValue(b, result, b.Scopes[b.Function()].Result))
		} else {
			b.WalkChildren(n)
		}
	default:
		return false
	}
	return true
}

// isReturn reports whether a jump statement is a return rather than a throw, break or
// continue.
func isReturn(n syntax.Node) bool {
	return len(n.Text()) > len("return") && n.Text()[:len("return")] == "return"
}

// ifFacts reads if and while. Names bound in the conditions are visible in the block.
func ifFacts(b *core.FactBuilder, n syntax.Node) {
	around := b.Scope
	b.OpenScope(code.BlockScope, "", n.Start(), n.End())
	rest := conditions(b, n)
	b.Scope = around
	for _, c := range rest {
		b.OpenScope(code.BlockScope, "", c.Start(), c.End())
		b.Walk(c)
		b.CloseScope()
	}
}

// conditions reads conditions and the block after them. It returns the nodes after
// "else".
func conditions(b *core.FactBuilder, n syntax.Node) (otherwise []syntax.Node) {
	all := make([]syntax.Node, 0, 8)
	for c := range n.Children() {
		all = append(all, c)
	}
	for i := 0; i < len(all); i++ {
		c := all[i]
		switch {
		case c.Is("else") && !n.Is("guard_statement"):
			for _, r := range all[i+1:] {
				if r.Named() {
					otherwise = append(otherwise, r)
				}
			}
			return otherwise
		case c.Is("case"):
			i = caseCondition(b, all, i)
		case c.FieldName() == "bound_identifier":
			i = bindCondition(b, all, i)
		case c.Is("value_binding_pattern", "type_annotation"):
		case c.Named():
			b.Walk(c)
		}
	}
	return nil
}

// bindCondition reads x = value or x alone after let, and returns the index of its last
// node.
func bindCondition(b *core.FactBuilder, all []syntax.Node, i int) int {
	name := all[i]
	d := code.Def{Name: nameText(name), Kind: code.DefVar, Line: int32(name.Line()), Pos: int32(name.End())}
	last := i
	if i+1 < len(all) && all[i+1].Is("type_annotation") {
		d.Type = b.Type(all[i+1].Field("name"))
		last++
	}
	if last+2 < len(all) && all[last+1].Is("=") {
		d.Value = b.Value(all[last+2])
		d.Pos = int32(all[last+2].End())
		last += 2
	} else {
		d.Value = b.Name(d.Name, name.Start())
	}
	if d.Name != "self" {
		b.Define(d)
	}
	return last
}

// caseCondition reads case pattern = value and returns the index of its last node.
func caseCondition(b *core.FactBuilder, all []syntax.Node, i int) int {
	to := i
	for to < len(all) && !all[to].Is("=") {
		to++
	}
	if to+1 >= len(all) {
		return i
	}
	value := b.Value(all[to+1])
	member := ""
	for _, c := range all[i+1 : to] {
		switch {
		case c.Is("simple_identifier"):
			member = nameText(c)
			if value != 0 {
				b.Select(value, member, c.Start())
			}
		case c.Is("pattern"):
			patternFacts(b, c, associatedValue(b, value, member, 0))
		}
	}
	return to + 1
}

// associatedValue returns the i-th associated value of an enum case.
func associatedValue(b *core.FactBuilder, value code.Ref, member string, i int) code.Ref {
	if value == 0 || member == "" {
		return value
	}
	if member == "some" {
		return value
	}
	return b.Part(b.Select(value, member, 0), i)
}

// patternFacts reads a pattern that value is matched with, and binds its names.
func patternFacts(b *core.FactBuilder, n syntax.Node, value code.Ref) {
	for c := range n.NamedSeq() {
		if c.FieldName() == "name" {
			value = b.Apply(code.OpAs, b.Type(c))
		}
	}
	parts := len(syntax.NamedChildren(n))
	tuple := len(syntax.ChildrenOf(n, "pattern")) > 1
	member, i := "", 0
	for c := range n.NamedSeq() {
		switch {
		case c.FieldName() == "bound_identifier":
			bind(b, c, value)
		case c.Is("simple_identifier") && parts == 1 && n.Parent().Is("pattern", "for_statement"):
			bind(b, c, value)
		case c.Is("simple_identifier"):
			if member = nameText(c); value != 0 {
				b.Select(value, member, c.Start())
			}
		case c.Is("pattern"):
			inside := value
			if member != "" {
				inside = associatedValue(b, value, member, i)
			} else if tuple {
				inside = b.Part(value, i)
			}
			patternFacts(b, c, inside)
			i++
		case c.Is("value_binding_pattern"), c.FieldName() == "name":
		default:
			b.Walk(c)
		}
	}
}

func bind(b *core.FactBuilder, name syntax.Node, value code.Ref) {
	if text := nameText(name); text != "_" && text != "self" {
		b.Define(code.Def{Name: text, Kind: code.DefVar, Value: value, Pos: int32(name.End()), Line: int32(name.Line())})
	}
}

func forFacts(b *core.FactBuilder, n syntax.Node) {
	b.OpenScope(code.BlockScope, "", n.Start(), n.End())
	element := b.Apply(code.OpElem, b.Value(n.Field("collection")))
	item := n.Field("item")
	if item.Is("pattern") {
		patternFacts(b, item, element)
	} else {
		bind(b, item, element)
	}
	for c := range n.NamedSeq() {
		if c != item && c.FieldName() != "collection" {
			b.Walk(c)
		}
	}
	b.CloseScope()
}

func switchFacts(b *core.FactBuilder, n syntax.Node) {
	value := b.Value(n.Field("expr"))
	for _, entry := range syntax.ChildrenOf(n, "switch_entry") {
		b.OpenScope(code.BlockScope, "", entry.Start(), entry.End())
		for c := range entry.NamedSeq() {
			if c.Is("switch_pattern") {
				for p := range c.NamedSeq() {
					patternFacts(b, p, value)
				}
				continue
			}
			b.Walk(c)
		}
		b.CloseScope()
	}
}

// catch reads catch let e as T. Without a pattern the error is named error.
func catch(b *core.FactBuilder, n syntax.Node) {
	pattern := n.Field("error")
	if pattern.Ok() {
		patternFacts(b, pattern, 0)
	} else {
		b.Define(code.Def{Name: "error", Kind: code.DefVar, Line: int32(n.Line())})
	}
	for c := range n.NamedSeq() {
		if c != pattern {
			b.Walk(c)
		}
	}
}

// propertyFacts binds the variables of a type, file or function.
func propertyFacts(b *core.FactBuilder, n syntax.Node) {
	b.Walk(n.Child("modifiers"))
	around := b.Scope
	var name syntax.Node
	d := code.Def{Static: hasModifier(n, "static") || hasModifier(n, "class"), Exported: !hasModifier(n, "private") && !hasModifier(n, "fileprivate")}
	flush := func() {
		if name.Ok() {
			variable(b, n, name, d)
			name, d.Type, d.Value = syntax.Node{}, 0, 0
		}
	}
	for c := range n.NamedSeq() {
		switch {
		case c.FieldName() == "name":
			flush()
			name = c
		case c.Is("type_annotation"):
			d.Type = b.Type(c.Field("name"))
		case c.FieldName() == "value":
			d.Value = expectedValue(b, c, d.Type)
		case c.FieldName() == "computed_value":
			computed(b, name, c, d)
			name = syntax.Node{}
		case c.Is("willset_didset_block"):
			b.OpenScope(code.FuncScope, "", c.Start(), c.End())
			for w := range c.NamedSeq() {
				b.OpenScope(code.BlockScope, "", w.Start(), w.End())
				b.Define(code.Def{Name: "oldValue", Kind: code.DefVar, Type: d.Type, Value: d.Value, Line: int32(w.Line())})
				b.Define(code.Def{Name: "newValue", Kind: code.DefVar, Type: d.Type, Value: d.Value, Line: int32(w.Line())})
				bodyFacts(b, w)
				b.CloseScope()
			}
			b.Scope = around
		}
	}
	flush()
}

// variable binds a stored variable or the elements of a tuple.
func variable(b *core.FactBuilder, n, name syntax.Node, d code.Def) {
	id := name.Field("bound_identifier")
	switch b.Scopes[b.Scope].Kind {
	case code.TypeScope:
		d.Kind = code.DefField
	default:
		d.Kind = code.DefVar
	}
	if !id.Ok() {
		value := d.Value
		if d.Type != 0 {
			value = b.Apply(code.OpAs, d.Type)
		}
		patternFacts(b, name, value)
		return
	}
	d.Name, d.Line = nameText(id), int32(id.Line())
	if k := b.Scopes[b.Scope].Kind; k == code.FuncScope || k == code.BlockScope {
		d.Pos = int32(n.Start())
		if d.Value != 0 {
			d.Pos = int32(id.Start())
		}
	}
	d.Abstract = n.Is("protocol_property_declaration")
	b.Define(d)
}

// computed reads a computed property.
func computed(b *core.FactBuilder, name, body syntax.Node, d code.Def) {
	id := name.Field("bound_identifier")
	around := b.Scope
	scope := b.OpenScope(code.FuncScope, nameText(id), name.Start(), body.End())
	b.Symbol(scope, id.Start())
	b.Scopes[scope].Result, b.Scopes[scope].Body = d.Type, true
	accessorFacts(b, body, d.Type)
	b.Scope = around
	d.Name, d.Kind, d.Scope, d.Getter, d.Line = nameText(id), code.DefFunc, scope, true, int32(id.Line())
	d.Type, d.Value = 0, 0
	b.Define(d)
}

// accessorFacts reads the bodies of a computed property.
func accessorFacts(b *core.FactBuilder, n syntax.Node, typ code.Ref) {
	if n.Child("statements").Ok() {
		bodyFacts(b, n)
		return
	}
	for c := range n.NamedSeq() {
		b.OpenScope(code.BlockScope, "", c.Start(), c.End())
		if c.Is("computed_setter") {
			name := "newValue"
			if given := c.Child("simple_identifier"); given.Ok() {
				name = nameText(given)
			}
			b.Define(code.Def{Name: name, Kind: code.DefVar, Type: typ, Line: int32(c.Line())})
		}
		bodyFacts(b, c)
		b.CloseScope()
	}
}
