package lang

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

var swiftBodies = &bodyRules{
	functions: setOf("function_declaration", "init_declaration", "deinit_declaration", "lambda_literal", "computed_property",
		"subscript_declaration"),
	tries:    setOf("do_statement"),
	handlers: setOf("catch_block"),
	branches: setOf("if_statement", "guard_statement", "for_statement", "while_statement", "repeat_while_statement",
		"switch_entry", "catch_block", "ternary_expression"),
	texts:   setOf("line_string_literal"),
	calls:   setOf("call_expression"),
	choices: map[string]choiceRule{"switch_statement": {"expr", "switch_entry", "switch_pattern"}},
	groups:  setOf("switch_entry"),
	around:  swiftAround,
	refusal: swiftRefusal,
	lookup: func(n syntax.Node) (of string, names []syntax.Node) {
		args := n.Child("call_suffix").Child("value_arguments")
		if !n.Is("call_expression") || !args.Has("[") || !n.First().Ends("processInfo.environment") {
			return "", nil
		}
		return n.First().Text(), []syntax.Node{args.First().Child("line_string_literal")}
	},
	catchesAll: func(head string) bool {
		return !strings.Contains(head, " as ") && !strings.Contains(head, " is ") && !strings.Contains(head, ".")
	},
}

// swiftAround tells the conditions of if and guard, of which there may be several.
func swiftAround(_ *bodyReader, p, n syntax.Node) string {
	if !p.Is("if_statement", "guard_statement") || !n.Is("statements", "if_statement") {
		return ""
	}
	end := p.Child("{", "statements", "else")
	from := p.Field("condition")
	if !from.Ok() || !end.Ok() || end.Start() < from.Start() {
		return ""
	}
	text := p.Text()[from.Start()-p.Start() : end.Start()-p.Start()]
	word := p.Child("else")
	if word.Ok() && word.Start() < n.Start() { // guard's as well
		return negated(text)
	}
	return unparenthesised(words(text))
}

func swiftRefusal(n syntax.Node) givesUp {
	if n.Is("control_transfer_statement") && n.Has("throw_keyword") {
		parts := inner(n)
		return givesUp{kind: code.Throws, given: parts[len(parts)-1]}
	}
	if !n.Is("call_expression") || !n.First().Is("simple_identifier") {
		return givesUp{}
	}
	args := inner(n.Child("call_suffix").Child("value_arguments"))
	switch name := n.First().Text(); {
	case name == "fatalError" || name == "preconditionFailure":
		return givesUp{kind: code.Panics, given: n}
	case name == "precondition" && len(args) > 1:
		return givesUp{kind: code.Panics, given: args[1], err: name, when: negated(args[0].Text())}
	}
	return givesUp{}
}

var scalaBodies = &bodyRules{
	functions: setOf("function_definition"),
	throws:    setOf("throw_expression"),
	ifs:       setOf("if_expression"),
	branches:  setOf("if_expression", "for_expression", "while_expression", "do_while_expression", "case_clause"),
	texts:     setOf("string", "interpolated_string_expression"),
	calls:     setOf("call_expression", "instance_expression"),
	choices:   map[string]choiceRule{"match_expression": {"value", "case_clause", "pattern"}},
	groups:    setOf("case_clause"),
	around: func(_ *bodyReader, p, _ syntax.Node) string {
		if p.Is("case_clause") && p.Parent().Parent().Is("catch_clause") {
			return "catch " + words(p.Field("pattern").Text())
		}
		return ""
	},
	refusal: scalaRefusal,
}

func scalaRefusal(n syntax.Node) givesUp {
	if !n.Is("call_expression") {
		return givesUp{}
	}
	args := inner(n.Field("arguments"))
	switch n.Field("function").Short() {
	case "require":
		if len(args) == 2 {
			return givesUp{kind: code.Throws, given: args[1], err: "IllegalArgumentException", by: "require", when: negated(args[0].Text())}
		}
	case "sys.error":
		return givesUp{kind: code.Throws, given: n.Field("arguments"), err: "RuntimeException", by: "error"}
	}
	return givesUp{}
}

var cBodies = &bodyRules{
	functions: setOf("function_definition", "lambda_expression"),
	throws:    setOf("throw_statement"),
	ifs:       setOf("if_statement"),
	tries:     setOf("try_statement"),
	handlers:  setOf("catch_clause"),
	branches: setOf("if_statement", "for_statement", "for_range_loop", "while_statement", "do_statement", "case_statement",
		"catch_clause", "conditional_expression"),
	texts:   setOf("string_literal"),
	calls:   setOf("call_expression"),
	choices: map[string]choiceRule{"switch_statement": {"condition", "case_statement", "value"}},
	groups:  setOf("case_statement"),
	refusal: cRefusal,
	scope:   "::",
	catchesAll: func(head string) bool {
		return strings.Contains(head, "...")
	},
}

// cErrorWords are the words in the names of results that are errors.
var cErrorWords = []string{"ERR", "ERROR", "FAIL", "FAILED", "FAILURE", "INVALID", "MISUSE", "NOMEM", "CORRUPT", "OVERFLOW"}

// cRefusal tells results that are errors by the habits of C: -EINVAL, and names in
// capitals that say so.
func cRefusal(n syntax.Node) givesUp {
	if !n.Is("return_statement") {
		return givesUp{}
	}
	given := n.First()
	for given.Is("parenthesized_expression") {
		given = given.First()
	}
	name, isNumber := strings.CutPrefix(given.Head(maxBodyText), "-")
	if !given.Is("identifier") && !isNumber || len(name) < 3 || name != strings.ToUpper(name) || strings.ContainsAny(name, " ()?") {
		return givesUp{}
	}
	parts := strings.Split(name, "_")
	isError := slices.ContainsFunc(parts, func(p string) bool { return slices.Contains(cErrorWords, p) })
	if isNumber && name[0] == 'E' || !isNumber && isError {
		return givesUp{kind: code.Fails, given: given, err: given.Text()}
	}
	return givesUp{}
}

// rustRefusal tells panics and results that are errors.
func rustRefusal(n syntax.Node) givesUp {
	switch n.Kind() {
	case "macro_invocation":
		switch strings.TrimPrefix(n.Field("macro").Text(), "anyhow::") {
		case "panic", "unimplemented", "unreachable", "todo":
			return givesUp{kind: code.Panics, given: n}
		case "bail":
			return givesUp{kind: code.Fails, given: n}
		case "ensure":
			return rustCheck(n, code.Fails)
		case "assert":
			return rustCheck(n, code.Panics)
		}
	case "call_expression":
		if n.Field("function").Says("Err") {
			return givesUp{kind: code.Fails, given: n.Field("arguments").First()}
		}
	}
	return givesUp{}
}

// rustCheck tells a macro that gives up unless its first argument is so; only with a
// message that says so.
func rustCheck(n syntax.Node, kind code.GuardKind) givesUp {
	tokens := n.Child("token_tree")
	from := tokens.Start() + 1
	for c := range tokens.Children() {
		if next := c.Next(); c.Says(",") && next.Is("string_literal") {
			when := tokens.Text()[from-tokens.Start() : c.Start()-tokens.Start()]
			return givesUp{kind: kind, given: next, err: n.Field("macro").Text() + "!", when: negated(when)}
		}
	}
	return givesUp{}
}
