package rust

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// refusal returns the early exit at n: a panic or an error result.
func refusal(n syntax.Node) core.EarlyExit {
	switch n.Kind() {
	case "macro_invocation":
		switch strings.TrimPrefix(n.Field("macro").Text(), "anyhow::") {
		case "panic", "unimplemented", "unreachable", "todo":
			return core.EarlyExit{Kind: code.Panics, Given: n}
		case "bail":
			return core.EarlyExit{Kind: code.Fails, Given: n}
		case "ensure":
			return check(n, code.Fails)
		case "assert":
			return check(n, code.Panics)
		}
	case "call_expression":
		if n.Field("function").TextIs("Err") && isResult(n) {
			return core.EarlyExit{Kind: code.Fails, Given: n.Field("arguments").First()}
		}
	case "try_expression":
		return absent(n.First())
	}
	return core.EarlyExit{}
}

// absent reads option.ok_or(error)? and option.ok_or_else(|| error)?, given what is before the question mark.
func absent(n syntax.Node) core.EarlyExit {
	of, given := n.Field("function"), n.Field("arguments").First()
	switch {
	case !n.Is("call_expression") || !of.Is("field_expression"):
		return core.EarlyExit{}
	case of.Field("field").TextIs("ok_or"):
	case of.Field("field").TextIs("ok_or_else") && given.Is("closure_expression") && !given.Field("body").Is("block"):
		given = given.Field("body")
	default:
		return core.EarlyExit{}
	}
	return core.EarlyExit{Kind: code.Fails, Given: given, When: &core.Check{Text: of.Field("value").Text() + ".is_some()"}}
}

// check returns the early exit of a macro that fails unless its first argument
// holds. The macro needs a message.
func check(n syntax.Node, kind code.ExitKind) core.EarlyExit {
	tokens := n.Child("token_tree")
	from := tokens.Start() + 1
	for c := range tokens.Children() {
		if next := c.Next(); c.TextIs(",") && next.Is("string_literal") {
			when := tokens.Text()[from-tokens.Start() : c.Start()-tokens.Start()]
			return core.EarlyExit{Kind: kind, Given: next, Err: n.Field("macro").Text() + "!", When: &core.Check{Text: when}}
		}
	}
	return core.EarlyExit{}
}

// isResult reports whether n is what its function returns.
func isResult(n syntax.Node) bool {
	for p := n.Parent(); p.Ok(); n, p = p, p.Parent() {
		switch p.Kind() {
		case "return_expression":
			return true
		case "function_item", "closure_expression":
			return n.FieldName() == "body"
		case "block":
			if syntax.LastNamedChild(p) != n {
				return false
			}
		case "expression_statement":
			if p.Ends(";") {
				return false
			}
		case "if_expression":
			if n.FieldName() == "condition" {
				return false
			}
		case "match_arm", "match_block", "else_clause", "parenthesized_expression", "unsafe_block":
		case "match_expression":
			if n.FieldName() == "value" {
				return false
			}
		default:
			return false
		}
	}
	return false
}

// isTail reports whether an expression is what its function returns, other than an error.
func isTail(n syntax.Node) bool {
	switch {
	case syntax.IsComment(n.Kind()), strings.HasSuffix(n.Kind(), "_item"), strings.HasSuffix(n.Kind(), "declaration"):
		return false
	case n.Is("block", "else_clause", "match_arm", "match_block", "match_pattern", "unsafe_block", "async_block", "expression_statement", "empty_statement", "macro_definition", "label"):
		return false
	}
	return !n.Parent().Is("closure_expression", "return_expression") && isResult(n)
}

// declaration reads a let, which may have an else.
func declaration(f *core.FlowReader, n syntax.Node) ([]code.Stmt, bool) {
	out := f.Jump(n, core.FlowAssign)
	other := n.Field("alternative")
	if !other.Ok() {
		return out, true
	}
	is := pattern(n)
	cond := core.Not(is)
	return append(out, code.Stmt{Op: code.StmtIf, Cond: &cond, Body: f.Inside(other), Line: n.Line()}), true
}

// pattern returns the condition that the value of n matches its pattern.
func pattern(n syntax.Node) code.Cond {
	return code.Cond{Op: code.CondIs, Of: core.Atom(n.Field("value").Text()).Text, Text: core.Atom(n.Field("pattern").Text()).Text}
}

// condition reads the patterns in a condition.
func condition(f *core.FlowReader, n syntax.Node) (code.Cond, bool) {
	switch n.Kind() {
	case "let_condition":
		return pattern(n), true
	case "let_chain":
		var list []code.Cond
		for c := range n.NamedSeq() {
			list = append(list, f.Cond(c))
		}
		return core.Joined(code.CondAnd, list...), true
	}
	return code.Cond{}, false
}

// disables reports whether an attribute keeps the next item out of the program: tests, and
// the variants for other systems than Unix.
func disables(n syntax.Node) bool {
	if !n.Is("attribute_item") {
		return false
	}
	if forTests(n) {
		return true
	}
	when, ok := strings.CutPrefix(strings.ReplaceAll(n.Short(), " ", ""), "#[cfg(")
	if !ok {
		return false
	}
	if when, ok = strings.CutPrefix(when, "not("); ok {
		return strings.Contains(when, "unix") || strings.Contains(when, "linux")
	}
	return strings.HasPrefix(when, "windows)")
}

// forTests reports whether an attribute restricts the next item to test builds.
func forTests(n syntax.Node) bool { return n.Is("attribute_item") && isTestOnly([]string{n.Text()}) }

// variant returns the cfg(...) of an attribute on a statement.
func variant(n syntax.Node) syntax.Node {
	if attribute := n.First(); n.Is("attribute_item") && attribute.First().TextIs("cfg") && n.Parent().Is("block") {
		return attribute
	}
	return syntax.Node{}
}

var bodyRules = &core.BodyRules{
	Tail: isTail,
	Flow: map[string]core.Construct{
		"function_item": core.FlowFunction, "closure_expression": core.FlowFunction,
		"if_expression":         core.FlowIf,
		"for_expression":        core.FlowFor,
		"while_expression":      core.FlowWhile,
		"loop_expression":       core.FlowForever,
		"match_expression":      core.FlowSwitch,
		"return_expression":     core.FlowReturn,
		"break_expression":      core.FlowBreak,
		"continue_expression":   core.FlowNext,
		"assignment_expression": core.FlowAssign, "compound_assignment_expr": core.FlowAssign,
		"let_declaration":      core.FlowSpecial,
		"expression_statement": core.FlowStatement,
		"binary_expression":    core.FlowOperator,
	},
	Switches: map[string]core.SwitchRule{"match_expression": {On: "value", Arms: core.SetOf("match_arm"), Label: "pattern", Guard: "condition"}},
	Branches: core.SetOf("if_expression", "for_expression", "while_expression", "loop_expression", "match_arm"),
	Texts:    core.SetOf("string_literal", "raw_string_literal"),
	Calls:    core.SetOf("call_expression"),
	Literal:  literal,
	Refusal:  refusal,
	Special:  declaration,
	Lines:    core.SetOf("block"),
	Values: core.SetOf("tuple_expression", "identifier", "scoped_identifier", "field_expression", "struct_expression", "macro_invocation", "array_expression",
		"string_literal", "integer_literal"),
	Cond:     condition,
	Disables: disables,
	ForTests: forTests,
	Variant:  variant,
	Scope:    "::",
	Lookup: func(n syntax.Node) (of string, names []syntax.Node) {
		if name := n.Field("macro").Text(); name == "env" || name == "option_env" {
			return name + "!", []syntax.Node{n.Child("token_tree").Child("string_literal")}
		}
		return "", nil
	},
}

var steps = &core.StepRule{
	Kinds:  core.SetOf("expression_statement", "let_declaration"),
	Blocks: core.SetOf("block"),
}
