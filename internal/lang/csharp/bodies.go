package csharp

import (
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

var bodyRules = &core.BodyRules{
	Flow: map[string]core.Construct{
		"method_declaration": core.FlowFunction, "constructor_declaration": core.FlowFunction,
		"local_function_statement": core.FlowFunction, "lambda_expression": core.FlowFunction,
		"accessor_declaration": core.FlowFunction, "anonymous_method_expression": core.FlowFunction,
		"operator_declaration": core.FlowFunction,
		"if_statement":         core.FlowIf, "conditional_expression": core.FlowIf,
		"for_statement": core.FlowFor, "foreach_statement": core.FlowFor,
		"while_statement":  core.FlowWhile,
		"do_statement":     core.FlowDo,
		"switch_statement": core.FlowSwitch, "switch_expression": core.FlowSwitch,
		"try_statement":    core.FlowTry,
		"return_statement": core.FlowReturn,
		"throw_statement":  core.FlowThrow, "throw_expression": core.FlowThrow,
		"break_statement":     core.FlowBreak,
		"continue_statement":  core.FlowNext,
		"variable_declarator": core.FlowAssign, "assignment_expression": core.FlowAssign,
		"expression_statement": core.FlowStatement,
		"binary_expression":    core.FlowOperator,
	},
	Switches: map[string]core.SwitchRule{
		"switch_statement":  {On: "value", Arms: core.SetOf("switch_section"), Label: "_pattern", Guard: "when_clause", Falls: core.SetOf("switch_section")},
		"switch_expression": {First: true, Arms: core.SetOf("switch_expression_arm"), Label: "_pattern", Guard: "when_clause"},
	},
	Bare:     true,
	Result:   resultOf,
	Handlers: core.SetOf("catch_clause"),
	Branches: core.SetOf("if_statement", "for_statement", "foreach_statement", "while_statement", "do_statement", "catch_clause",
		"conditional_expression", "switch_section", "switch_expression_arm"),
	Texts: core.SetOf("string_literal", "interpolated_string_expression", "verbatim_string_literal"),
	Calls: core.SetOf("invocation_expression", "object_creation_expression", "constructor_initializer"),
	Marks: core.SetOf("attribute"),
	Takes: map[string]string{"lock_statement": "lock"},
}

// resultOf returns the expression after the arrow of a method or lambda.
func resultOf(n syntax.Node) syntax.Node {
	body := n.Field("body")
	if body.Is("arrow_expression_clause") {
		body = body.First()
	} else if n.Is("method_declaration", "local_function_statement") {
		body = n.Child("arrow_expression_clause").First()
	}
	if body.Is("block") {
		return syntax.Node{}
	}
	return body
}

var steps = &core.StepRule{
	Kinds:  core.SetOf("expression_statement", "local_declaration_statement", "return_statement"),
	Blocks: core.SetOf("block"),
}
