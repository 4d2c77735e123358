package rust

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

func callOf(n syntax.Node) (code.Call, bool) {
	switch n.Kind() {
	case "call_expression":
		return targetOf(n.Field("function"))
	case "macro_invocation":
		call, ok := targetOf(n.Field("macro"))
		call.Name += "!"
		return call, ok
	case "token_tree":
		return tokenCall(n)
	}
	return code.Call{}, false
}

// targetOf splits a called expression into receiver and name.
func targetOf(f syntax.Node) (code.Call, bool) {
	for f.Is("generic_function") {
		f = f.Field("function")
	}
	name, before := f, syntax.Node{}
	switch f.Kind() {
	case "identifier", "self", "super":
	case "scoped_identifier":
		name, before = f.Field("name"), f.Field("path")
	case "field_expression":
		name, before = f.Field("field"), f.Field("value")
	default:
		return code.Call{}, false
	}
	return code.Call{Name: name.Text(), Receiver: core.Receiver(before), Line: name.Line()}, name.Ok()
}

// openMacros are macros of the standard library and of popular crates whose arguments
// are expressions, so that calls in them are calls.
var openMacros = []string{
	"anyhow", "assert", "assert_eq", "assert_ne", "bail", "dbg", "debug", "debug_assert", "debug_assert_eq",
	"debug_assert_ne", "ensure", "eprint", "eprintln", "error", "format", "format_args", "info", "join", "panic",
	"print", "println", "ready", "todo", "trace", "try", "try_join", "unimplemented", "unreachable", "vec", "warn",
	"write", "writeln",
}

// tokenCall finds a call in the arguments of a macro, which the grammar parses as
// tokens: a name directly before brackets. n is the bracketed tree.
func tokenCall(n syntax.Node) (code.Call, bool) {
	name := beforeTypes(n.Previous())
	macro := name.Is("!")
	if macro {
		name = name.Previous()
	}
	if !n.Parent().Is("token_tree") || !name.Is("identifier") || !macro && !n.Has("(") || !inOpenMacro(n) {
		return code.Call{}, false
	}
	call := code.Call{Name: name.Text(), Line: name.Line()}
	if macro {
		call.Name += "!"
	}
	from := chainStart(name)
	if from != name {
		around := n.Parent()
		text := around.Text()[from.Start()-around.Start() : name.Previous().Start()-around.Start()]
		call.Receiver = srctext.ClipReceiver(srctext.OneLine(text))
	}
	return call, !from.Previous().Is("fn", "struct", "enum", "union")
}

// inOpenMacro reports whether tokens are the arguments of one of openMacros.
func inOpenMacro(n syntax.Node) bool {
	around := n.Ancestor("macro_invocation", "macro_rule", "attribute")
	call, ok := targetOf(around.Field("macro"))
	return ok && slices.Contains(openMacros, call.Name)
}

// chainStart returns the first token of a chain such as a.b(c)?.d that ends with the
// token n.
func chainStart(n syntax.Node) syntax.Node {
	for n.Previous().Is(".", "::") {
		before := n.Previous().Previous()
		for before.Is("?", "token_tree") && before.Previous().Is("?", "token_tree", "identifier", ">", "!") {
			before = beforeTypes(before.Previous())
		}
		if before.Is("!") {
			before = before.Previous()
		}
		if !before.Named() && !before.Is("await", "self", "super", "crate") {
			return n
		}
		n = before
	}
	return n
}

// beforeTypes returns the token before the type arguments ::<T> that end with n, or n
// if there are none.
func beforeTypes(n syntax.Node) syntax.Node {
	if !n.Is(">") {
		return n
	}
	depth := 0
	for p := n; p.Ok(); p = p.Previous() {
		switch p.Kind() {
		case ">":
			depth++
		case "<":
			depth--
		}
		if depth == 0 {
			if p.Previous().Is("::") {
				return p.Previous().Previous()
			}
			return n
		}
	}
	return n
}
