package rust

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// dialectMacros are macros whose arguments are a language of their own, or text.
var dialectMacros = core.SetOf("stringify", "concat", "include_str", "include_bytes", "include", "env", "option_env", "cfg", "compile_error", "macro_rules",
	"quote", "quote_spanned", "parse_quote", "html", "json", "sql", "asm", "global_asm", "bitflags", "lazy_static", "thread_local", "select", "format_ident")

// macroCallFacts reads a macro call. The meaning of the arguments depends on the macro;
// inside ( ) and [ ] they are assumed to be expressions.
func macroCallFacts(b *core.FactBuilder, n syntax.Node) code.Ref {
	m := n.Field("macro")
	name := m
	for name.Is("scoped_identifier") {
		name = name.Field("name")
	}
	text := name.Text()
	callee := code.Ref(0)
	if m.Is("scoped_identifier") && m.Field("path").Ok() {
		callee = b.Select(segmentRef(b, m.Field("path")), text+"!", name.Start())
	} else {
		callee = b.Name(text+"!", name.Start())
	}
	var args []code.Ref
	if tree := n.Child("token_tree"); !dialectMacros[text] && !tree.Has("{") {
		args = tokenRefs(b, tree)
	}
	if callee != 0 {
		b.Call(code.OpCall, callee, nil, name.Start())
	}
	if text == "vec" {
		return b.Group(code.OpList, 0, args)
	}
	return 0
}

// tokenRefs reads the expressions in a token tree. It returns one value per
// comma-separated part, 0 if the part is not a chain of names and calls.
func tokenRefs(b *core.FactBuilder, tree syntax.Node) []code.Ref {
	var out []code.Ref
	var last code.Ref
	parts := 0
	b.Depth++
	defer func() { b.Depth-- }()
	if b.Depth > core.MaxFactDepth {
		return nil
	}
	for c := tree.First(); c.Ok(); {
		switch {
		case c.Is(",", ";"):
			out = append(out, singleValue(last, parts))
			last, parts = 0, 0
			c = c.Next()
		case c.Is("identifier", "self", "crate", "super", "metavariable") && !c.Previous().Is("fn", "struct", "enum", "union", "."):
			last, c = chain(b, c)
			parts++
		case c.Is("token_tree"):
			tokenRefs(b, c)
			parts++
			c = c.Next()
		case c.Is("string_literal"):
			last = b.Literal("str")
			parts++
			c = c.Next()
		case c.Is("&", "mut", "*", ")", "]", "}", "(", "[", "{"):
			c = c.Next()
		default:
			parts += 2
			c = c.Next()
		}
	}
	return append(out, singleValue(last, parts))
}

// singleValue returns ref if the argument has exactly one part, else 0.
func singleValue(ref code.Ref, parts int) code.Ref {
	if parts != 1 {
		return 0
	}
	return ref
}

// chain reads a chain such as a::b(c)?.d from its first token. It returns the value
// and the token after the chain.
func chain(b *core.FactBuilder, c syntax.Node) (code.Ref, syntax.Node) {
	if c.Next().Is("!") && c.Next().Next().Is("token_tree") {
		return macroTokens(b, c)
	}
	ref, name := chainStartRef(b, c), c
	for at := c.Next(); ; {
		next := at.Next()
		switch {
		case at.Is("::") && next.Is("<"):
			at = afterTypes(next)
			continue
		case at.Is("::", ".") && next.Is("identifier", "super", "self", "integer_literal"):
			name = next
			ref = tokenPart(b, ref, at, next)
			at = next
		case at.Is(".") && next.Is("await"):
			ref = b.Apply(code.OpAwait, ref)
			at = next
		case at.Is("?"):
			ref = b.Apply(code.OpElem, ref)
		case at.Is("token_tree") && at.Has("("):
			ref = tokenCallRef(b, ref, name, at)
		case at.Is("token_tree") && at.Has("["):
			tokenRefs(b, at)
			ref = b.Apply(code.OpIndex, ref)
		default:
			return ref, at
		}
		at = at.Next()
	}
}

// chainStartRef returns the value of the first token of a chain.
func chainStartRef(b *core.FactBuilder, c syntax.Node) code.Ref {
	switch {
	case c.Is("self") && !c.Next().Is("::"):
		return b.Value(c)
	case c.Is("metavariable") && !c.TextIs("$crate"):
		return 0
	case c.Is("metavariable"):
		return b.Name("crate", c.Start())
	}
	return nameRef(b, c)
}

// tokenPart returns the member of x in a chain of tokens. mark is "." or "::".
func tokenPart(b *core.FactBuilder, x code.Ref, mark, name syntax.Node) code.Ref {
	switch next := name.Next(); {
	case x == 0 || name.Is("integer_literal"):
		return 0
	case mark.Is(".") && !next.Is("::") && (!next.Is("token_tree") || !next.Has("(")):
		return memberRef(b, x, name)
	}
	return b.Select(x, name.Text(), name.Start())
}

// tokenCallRef returns the call of callee with the arguments in tree.
func tokenCallRef(b *core.FactBuilder, callee code.Ref, name, tree syntax.Node) code.Ref {
	args := tokenRefs(b, tree)
	if !tree.First().Ok() {
		args = nil
	}
	switch {
	case callee == 0:
		return 0
	case wrappingConstructors[name.Text()]:
		return b.Group(code.OpList, 0, args)
	case isTypeName(name.Text()):
		return b.Apply(code.OpMake, callee)
	}
	return b.Call(code.OpCall, callee, args, name.Start())
}

// macroTokens reads a macro call among tokens.
func macroTokens(b *core.FactBuilder, c syntax.Node) (code.Ref, syntax.Node) {
	tree := c.Next().Next()
	if !dialectMacros[c.Text()] && !tree.Has("{") {
		tokenRefs(b, tree)
	}
	b.Call(code.OpCall, b.Name(c.Text()+"!", c.Start()), nil, c.Start())
	return 0, tree.Next()
}

// afterTypes returns the token after type arguments.
func afterTypes(open syntax.Node) syntax.Node {
	depth := 0
	for at := open; at.Ok(); at = at.Next() {
		switch at.Kind() {
		case "<":
			depth++
		case ">":
			depth--
		case ">>":
			depth -= 2
		}
		if depth <= 0 {
			return at.Next()
		}
	}
	return syntax.Node{}
}
