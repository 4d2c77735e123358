package ecma

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

var bodyRules = &core.BodyRules{
	Flow: map[string]core.Construct{
		"function_declaration": core.FlowFunction, "function_expression": core.FlowFunction, "function": core.FlowFunction,
		"arrow_function": core.FlowFunction, "method_definition": core.FlowFunction, "generator_function": core.FlowFunction,
		"generator_function_declaration": core.FlowFunction,
		"if_statement":                   core.FlowIf, "ternary_expression": core.FlowIf,
		"for_statement": core.FlowFor, "for_in_statement": core.FlowFor,
		"while_statement":     core.FlowWhile,
		"do_statement":        core.FlowDo,
		"switch_statement":    core.FlowSwitch,
		"try_statement":       core.FlowTry,
		"return_statement":    core.FlowReturn,
		"throw_statement":     core.FlowThrow,
		"break_statement":     core.FlowBreak,
		"continue_statement":  core.FlowNext,
		"variable_declarator": core.FlowAssign, "assignment_expression": core.FlowAssign,
		"augmented_assignment_expression": core.FlowAssign, "update_expression": core.FlowAssign,
		"expression_statement": core.FlowStatement,
		"binary_expression":    core.FlowOperator,
	},
	Switches: map[string]core.SwitchRule{
		"switch_statement": {On: "value", Arms: core.SetOf("switch_case", "switch_default"), Label: "value", Falls: core.SetOf("switch_case", "switch_default")},
	},
	Handlers: core.SetOf("catch_clause"),
	Branches: core.SetOf("if_statement", "for_statement", "for_in_statement", "while_statement", "do_statement", "switch_case",
		"catch_clause", "ternary_expression"),
	Texts:      core.SetOf("string", "template_string"),
	Calls:      core.SetOf("call_expression", "new_expression"),
	CatchesAll: func(string) bool { return true },
	Lookup:     lookup,
	Fallbacks: map[string]core.Set{
		"binary_expression":               core.SetOf("||", "??"),
		"augmented_assignment_expression": core.SetOf("||=", "??="),
	},
	Literal: literal,
	Shapes:  shapes,
	Answers: answers, AnswerMembers: core.SetOf("body"),
}

// environments are the expressions for the environment variables.
var environments = []string{"process.env", "import.meta.env", "Bun.env"}

// lookup recognises process.env.HOME, process.env["HOME"], and const { HOME } =
// process.env.
func lookup(n syntax.Node) (of string, names []syntax.Node) {
	switch n.Kind() {
	case "member_expression":
		of, names = n.Field("object").Short(), []syntax.Node{n.Field("property")}
	case "subscript_expression":
		if index := n.Field("index"); index.Is("string") {
			of, names = n.Field("object").Short(), []syntax.Node{index}
		}
	case "object_pattern":
		of = n.Parent().Field("value").Short()
		for c := range n.NamedSeq() {
			switch c.Kind() {
			case "shorthand_property_identifier_pattern":
				names = append(names, c)
			case "object_assignment_pattern":
				names = append(names, c.Field("left"))
			case "pair_pattern":
				names = append(names, c.Field("key"))
			}
		}
	}
	if !slices.Contains(environments, of) {
		return "", nil
	}
	return of, names
}

var steps = &core.StepRule{
	Kinds:  core.SetOf("expression_statement", "lexical_declaration", "variable_declaration", "return_statement"),
	Blocks: core.SetOf("statement_block"),
}
