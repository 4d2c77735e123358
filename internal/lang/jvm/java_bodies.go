package jvm

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

var javaBodies = &core.BodyRules{
	Functions: core.SetOf("method_declaration", "constructor_declaration", "compact_constructor_declaration", "lambda_expression"),
	Throws:    core.SetOf("throw_statement"),
	Ifs:       core.SetOf("if_statement"),
	Handlers:  core.SetOf("catch_clause"),
	Branches: core.SetOf("if_statement", "for_statement", "enhanced_for_statement", "while_statement", "do_statement",
		"catch_clause", "ternary_expression", "switch_label"),
	Texts:   core.SetOf("string_literal"),
	Calls:   core.SetOf("method_invocation", "object_creation_expression"),
	Choices: map[string]core.ChoiceRule{"switch_expression": {On: "condition", Arm: "switch_label", Label: ""}},
	Groups:  core.SetOf("switch_block_statement_group", "switch_rule"),
	Tries:   core.SetOf("try_statement", "try_with_resources_statement"),
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
	err := javaChecks[name]
	if err == "" || len(args) == 0 {
		return core.EarlyExit{}
	}
	g := core.EarlyExit{Kind: code.Throws, Given: n.Field("name"), Err: err, By: name, When: srctext.Negated(args[0].Text())}
	if err == "NullPointerException" {
		g.When = srctext.OneLine(args[0].Text()) + " == null"
	}
	if len(args) > 1 {
		g.Given = args[1]
	}
	return g
}

var javaSteps = &core.StepRule{
	Kinds:  core.SetOf("expression_statement", "local_variable_declaration", "assert_statement", "return_statement"),
	Blocks: core.SetOf("block"),
}
