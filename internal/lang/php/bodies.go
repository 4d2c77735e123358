package php

import (
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

var bodyRules = &core.BodyRules{
	Flow: map[string]core.Construct{
		"function_definition": core.FlowFunction, "method_declaration": core.FlowFunction,
		"anonymous_function_creation_expression": core.FlowFunction, "anonymous_function": core.FlowFunction,
		"arrow_function": core.FlowFunction,
		"if_statement":   core.FlowIf, "else_if_clause": core.FlowIf, "conditional_expression": core.FlowIf,
		"for_statement": core.FlowFor, "foreach_statement": core.FlowFor,
		"while_statement":  core.FlowWhile,
		"do_statement":     core.FlowDo,
		"switch_statement": core.FlowSwitch, "match_expression": core.FlowSwitch,
		"try_statement":    core.FlowTry,
		"return_statement": core.FlowReturn,
		"throw_expression": core.FlowThrow, "throw_statement": core.FlowThrow,
		"break_statement":       core.FlowBreak,
		"continue_statement":    core.FlowNext,
		"assignment_expression": core.FlowAssign, "augmented_assignment_expression": core.FlowAssign,
		"update_expression":    core.FlowAssign,
		"expression_statement": core.FlowStatement,
		"binary_expression":    core.FlowOperator,
	},
	Switches: map[string]core.SwitchRule{
		"switch_statement": {
			On: "condition", Arms: core.SetOf("case_statement", "default_statement"), Label: "value",
			Falls: core.SetOf("case_statement", "default_statement"),
		},
		"match_expression": {On: "condition", Arms: core.SetOf("match_conditional_expression", "match_default_expression"), Label: "conditional_expressions"},
	},
	Handlers: core.SetOf("catch_clause"),
	Branches: core.SetOf("if_statement", "else_if_clause", "for_statement", "foreach_statement", "while_statement", "do_statement",
		"case_statement", "catch_clause", "conditional_expression", "match_conditional_expression"),
	Texts: core.SetOf("string", "encapsed_string"),
	Calls: core.SetOf("function_call_expression", "member_call_expression", "nullsafe_member_call_expression",
		"scoped_call_expression", "object_creation_expression"),
	Scope: `\`,
	Lookup: func(n syntax.Node) (of string, names []syntax.Node) {
		if parts := syntax.NamedChildren(n); n.Is("subscript_expression") && len(parts) == 2 && parts[0].TextIs("$_ENV") {
			return "$_ENV", parts[1:]
		}
		return "", nil
	},
}

var steps = &core.StepRule{Kinds: core.SetOf("expression_statement", "return_statement"), Blocks: core.SetOf("compound_statement")}
