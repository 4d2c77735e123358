package csharp

import "github.com/reverse-spec/reverse-spec/internal/lang/core"

var bodyRules = &core.BodyRules{
	Functions: core.SetOf("method_declaration", "constructor_declaration", "local_function_statement", "lambda_expression",
		"accessor_declaration", "anonymous_method_expression"),
	Throws:   core.SetOf("throw_statement", "throw_expression"),
	Ifs:      core.SetOf("if_statement"),
	Handlers: core.SetOf("catch_clause"),
	Branches: core.SetOf("if_statement", "for_statement", "foreach_statement", "while_statement", "do_statement", "catch_clause",
		"conditional_expression", "switch_section", "switch_expression_arm"),
	Texts:   core.SetOf("string_literal", "interpolated_string_expression", "verbatim_string_literal"),
	Calls:   core.SetOf("invocation_expression", "object_creation_expression"),
	Choices: map[string]core.ChoiceRule{"switch_statement": {On: "value", Arm: "switch_section", Label: "constant_pattern"}},
	Groups:  core.SetOf("switch_section"),
	Tries:   core.SetOf("try_statement"),
	Takes:   map[string]string{"lock_statement": "lock"},
	Around:  core.Coalesced,
}

var steps = &core.StepRule{
	Kinds:  core.SetOf("expression_statement", "local_declaration_statement", "return_statement"),
	Blocks: core.SetOf("block"),
}
