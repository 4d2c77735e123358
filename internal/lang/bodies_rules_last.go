package lang

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

var swiftBodies = &BodyRules{
	Functions: SetOf("function_declaration", "init_declaration", "deinit_declaration", "lambda_literal", "computed_property",
		"subscript_declaration"),
	Tries:    SetOf("do_statement"),
	Handlers: SetOf("catch_block"),
	Branches: SetOf("if_statement", "guard_statement", "for_statement", "while_statement", "repeat_while_statement",
		"switch_entry", "catch_block", "ternary_expression"),
	Texts:   SetOf("line_string_literal"),
	Calls:   SetOf("call_expression"),
	Choices: map[string]ChoiceRule{"switch_statement": {On: "expr", Arm: "switch_entry", Label: "switch_pattern"}},
	Groups:  SetOf("switch_entry"),
	Around:  swiftAround,
	Refusal: swiftRefusal,
	Lookup: func(n syntax.Node) (of string, names []syntax.Node) {
		args := n.Child("call_suffix").Child("value_arguments")
		if !n.Is("call_expression") || !args.Has("[") || !n.First().Ends("processInfo.environment") {
			return "", nil
		}
		return n.First().Text(), []syntax.Node{args.First().Child("line_string_literal")}
	},
	CatchesAll: func(head string) bool {
		return !strings.Contains(head, " as ") && !strings.Contains(head, " is ") && !strings.Contains(head, ".")
	},
}

// swiftAround tells the conditions of if and guard, of which there may be several.
func swiftAround(_ *BodyReader, p, n syntax.Node) string {
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
		return Negated(text)
	}
	return Unparenthesised(OneLine(text))
}

func swiftRefusal(n syntax.Node) EarlyExit {
	if n.Is("control_transfer_statement") && n.Has("throw_keyword") {
		parts := NamedChildren(n)
		return EarlyExit{Kind: code.Throws, Given: parts[len(parts)-1]}
	}
	if !n.Is("call_expression") || !n.First().Is("simple_identifier") {
		return EarlyExit{}
	}
	args := NamedChildren(n.Child("call_suffix").Child("value_arguments"))
	switch name := n.First().Text(); {
	case name == "fatalError" || name == "preconditionFailure":
		return EarlyExit{Kind: code.Panics, Given: n}
	case name == "precondition" && len(args) > 1:
		return EarlyExit{Kind: code.Panics, Given: args[1], Err: name, When: Negated(args[0].Text())}
	}
	return EarlyExit{}
}

var scalaBodies = &BodyRules{
	Functions: SetOf("function_definition"),
	Throws:    SetOf("throw_expression"),
	Ifs:       SetOf("if_expression"),
	Branches:  SetOf("if_expression", "for_expression", "while_expression", "do_while_expression", "case_clause"),
	Texts:     SetOf("string", "interpolated_string_expression"),
	Calls:     SetOf("call_expression", "instance_expression"),
	Choices:   map[string]ChoiceRule{"match_expression": {On: "value", Arm: "case_clause", Label: "pattern"}},
	Groups:    SetOf("case_clause"),
	Around: func(_ *BodyReader, p, _ syntax.Node) string {
		if p.Is("case_clause") && p.Parent().Parent().Is("catch_clause") {
			return "catch " + OneLine(p.Field("pattern").Text())
		}
		return ""
	},
	Refusal: scalaRefusal,
}

func scalaRefusal(n syntax.Node) EarlyExit {
	if !n.Is("call_expression") {
		return EarlyExit{}
	}
	args := NamedChildren(n.Field("arguments"))
	switch n.Field("function").Short() {
	case "require":
		if len(args) == 2 {
			return EarlyExit{Kind: code.Throws, Given: args[1], Err: "IllegalArgumentException", By: "require", When: Negated(args[0].Text())}
		}
	case "sys.error":
		return EarlyExit{Kind: code.Throws, Given: n.Field("arguments"), Err: "RuntimeException", By: "error"}
	}
	return EarlyExit{}
}

var cBodies = &BodyRules{
	Functions: SetOf("function_definition", "lambda_expression"),
	Throws:    SetOf("throw_statement"),
	Ifs:       SetOf("if_statement"),
	Tries:     SetOf("try_statement"),
	Handlers:  SetOf("catch_clause"),
	Branches: SetOf("if_statement", "for_statement", "for_range_loop", "while_statement", "do_statement", "case_statement",
		"catch_clause", "conditional_expression"),
	Texts:   SetOf("string_literal"),
	Calls:   SetOf("call_expression"),
	Choices: map[string]ChoiceRule{"switch_statement": {On: "condition", Arm: "case_statement", Label: "value"}},
	Groups:  SetOf("case_statement"),
	Refusal: cRefusal,
	Scope:   "::",
	CatchesAll: func(head string) bool {
		return strings.Contains(head, "...")
	},
}

// cErrorWords are the words in the names of results that are errors.
var cErrorWords = []string{"ERR", "ERROR", "FAIL", "FAILED", "FAILURE", "INVALID", "MISUSE", "NOMEM", "CORRUPT", "OVERFLOW"}

// cRefusal tells results that are errors by the habits of C: -EINVAL, and names in
// capitals that say so.
func cRefusal(n syntax.Node) EarlyExit {
	if !n.Is("return_statement") {
		return EarlyExit{}
	}
	given := n.First()
	for given.Is("parenthesized_expression") {
		given = given.First()
	}
	name, isNumber := strings.CutPrefix(given.Head(MaxBodyText), "-")
	if !given.Is("identifier") && !isNumber || len(name) < 3 || name != strings.ToUpper(name) || strings.ContainsAny(name, " ()?") {
		return EarlyExit{}
	}
	parts := strings.Split(name, "_")
	isError := slices.ContainsFunc(parts, func(p string) bool { return slices.Contains(cErrorWords, p) })
	if isNumber && name[0] == 'E' || !isNumber && isError {
		return EarlyExit{Kind: code.Fails, Given: given, Err: given.Text()}
	}
	return EarlyExit{}
}

// rustRefusal tells panics and results that are errors.
func rustRefusal(n syntax.Node) EarlyExit {
	switch n.Kind() {
	case "macro_invocation":
		switch strings.TrimPrefix(n.Field("macro").Text(), "anyhow::") {
		case "panic", "unimplemented", "unreachable", "todo":
			return EarlyExit{Kind: code.Panics, Given: n}
		case "bail":
			return EarlyExit{Kind: code.Fails, Given: n}
		case "ensure":
			return rustCheck(n, code.Fails)
		case "assert":
			return rustCheck(n, code.Panics)
		}
	case "call_expression":
		if n.Field("function").Says("Err") {
			return EarlyExit{Kind: code.Fails, Given: n.Field("arguments").First()}
		}
	}
	return EarlyExit{}
}

// rustCheck tells a macro that gives up unless its first argument is so; only with a
// message that says so.
func rustCheck(n syntax.Node, kind code.RefusalKind) EarlyExit {
	tokens := n.Child("token_tree")
	from := tokens.Start() + 1
	for c := range tokens.Children() {
		if next := c.Next(); c.Says(",") && next.Is("string_literal") {
			when := tokens.Text()[from-tokens.Start() : c.Start()-tokens.Start()]
			return EarlyExit{Kind: kind, Given: next, Err: n.Field("macro").Text() + "!", When: Negated(when)}
		}
	}
	return EarlyExit{}
}
