package jvm

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

var javaBodies = &core.BodyRules{
	Flow: map[string]core.Construct{
		"method_declaration": core.FlowFunction, "constructor_declaration": core.FlowFunction,
		"compact_constructor_declaration": core.FlowFunction, "lambda_expression": core.FlowFunction,
		"if_statement": core.FlowIf, "ternary_expression": core.FlowIf,
		"for_statement": core.FlowFor, "enhanced_for_statement": core.FlowFor,
		"while_statement":   core.FlowWhile,
		"do_statement":      core.FlowDo,
		"switch_expression": core.FlowSwitch,
		"try_statement":     core.FlowTry, "try_with_resources_statement": core.FlowTry,
		"return_statement": core.FlowReturn,
		"throw_statement":  core.FlowThrow,
		"break_statement":  core.FlowBreak, "yield_statement": core.FlowBreak,
		"continue_statement":  core.FlowNext,
		"variable_declarator": core.FlowAssign, "assignment_expression": core.FlowAssign, "update_expression": core.FlowAssign,
		"expression_statement": core.FlowStatement,
		"binary_expression":    core.FlowOperator,
	},
	Switches: map[string]core.SwitchRule{
		"switch_expression": {
			On: "condition", Arms: core.SetOf("switch_block_statement_group", "switch_rule"), Label: "switch_label",
			Falls: core.SetOf("switch_block_statement_group"),
		},
	},
	Bare:     true,
	Handlers: core.SetOf("catch_clause"),
	Branches: core.SetOf("if_statement", "for_statement", "enhanced_for_statement", "while_statement", "do_statement",
		"catch_clause", "ternary_expression", "switch_label"),
	Texts:   core.SetOf("string_literal"),
	Calls:   core.SetOf("method_invocation", "object_creation_expression", "explicit_constructor_invocation"),
	Marks:   core.SetOf("annotation", "marker_annotation"),
	Takes:   map[string]string{"synchronized_statement": "lock"},
	Refusal: javaRefusal,
}

// javaChecks maps methods that throw if a condition on their arguments is false to the
// thrown type.
var javaChecks = map[string]string{
	"checkArgument": "IllegalArgumentException", "checkState": "IllegalStateException",
	"checkNotNull": "NullPointerException", "requireNonNull": "NullPointerException",
}

func javaRefusal(n syntax.Node) core.EarlyExit {
	if !n.Is("method_invocation") {
		return core.EarlyExit{}
	}
	name, args := n.Field("name").Text(), syntax.NamedChildren(n.Field("arguments"))
	if name == "orElseThrow" && n.Field("object").Ok() {
		return javaAbsent(n, args)
	}
	err := javaChecks[name]
	if err == "" || len(args) == 0 {
		return core.EarlyExit{}
	}
	g := core.EarlyExit{Kind: code.Throws, Given: n.Field("name"), Err: err, By: name, When: &core.Check{On: args[0], Null: err == "NullPointerException"}}
	if len(args) > 1 {
		g.Given = args[1]
	}
	return g
}

// javaAbsent reads optional.orElseThrow(…) with a supplier of the error, or none.
func javaAbsent(n syntax.Node, args []syntax.Node) core.EarlyExit {
	g := core.EarlyExit{Kind: code.Throws, Given: n.Field("name"), By: "orElseThrow", When: &core.Check{Text: n.Field("object").Text() + ".isPresent()"}}
	switch {
	case len(args) == 0:
		g.Err = "NoSuchElementException"
	case args[0].Is("method_reference") && args[0].Ends("new"):
		g.Err = args[0].First().Text()
	case args[0].Is("lambda_expression") && args[0].Field("body").Is("object_creation_expression"):
		g.Given, g.By = args[0].Field("body"), ""
	default:
		return core.EarlyExit{}
	}
	return g
}

var javaSteps = &core.StepRule{
	Kinds:  core.SetOf("expression_statement", "local_variable_declaration", "assert_statement", "return_statement"),
	Blocks: core.SetOf("block"),
}
