package php

import (
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

var bodyRules = &core.BodyRules{
	Functions: core.SetOf("function_definition", "method_declaration", "anonymous_function_creation_expression", "arrow_function"),
	Throws:    core.SetOf("throw_expression", "throw_statement"),
	Ifs:       core.SetOf("if_statement", "else_if_clause"),
	Tries:     core.SetOf("try_statement"),
	Handlers:  core.SetOf("catch_clause"),
	Branches: core.SetOf("if_statement", "else_if_clause", "for_statement", "foreach_statement", "while_statement", "do_statement",
		"case_statement", "catch_clause", "conditional_expression", "match_conditional_expression"),
	Texts: core.SetOf("string", "encapsed_string"),
	Calls: core.SetOf("function_call_expression", "member_call_expression", "nullsafe_member_call_expression",
		"scoped_call_expression", "object_creation_expression"),
	Choices: map[string]core.ChoiceRule{
		"switch_statement": {On: "condition", Arm: "case_statement", Label: "value"},
		"match_expression": {On: "condition", Arm: "match_conditional_expression", Label: "conditional_expressions"},
	},
	Groups: core.SetOf("case_statement", "default_statement", "match_conditional_expression", "match_default_expression"),
	Around: core.Coalesced,
	Scope:  `\`,
	Lookup: func(n syntax.Node) (of string, names []syntax.Node) {
		if parts := syntax.NamedChildren(n); n.Is("subscript_expression") && len(parts) == 2 && parts[0].TextIs("$_ENV") {
			return "$_ENV", parts[1:]
		}
		return "", nil
	},
}

var steps = &core.StepRule{Kinds: core.SetOf("expression_statement", "return_statement"), Blocks: core.SetOf("compound_statement")}
