package ecma

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

var bodyRules = &core.BodyRules{
	Functions: core.SetOf("function_declaration", "function_expression", "function", "arrow_function", "method_definition",
		"generator_function", "generator_function_declaration"),
	Throws:   core.SetOf("throw_statement"),
	Ifs:      core.SetOf("if_statement"),
	Handlers: core.SetOf("catch_clause"),
	Branches: core.SetOf("if_statement", "for_statement", "for_in_statement", "while_statement", "do_statement", "switch_case",
		"catch_clause", "ternary_expression"),
	Texts:      core.SetOf("string", "template_string"),
	Calls:      core.SetOf("call_expression", "new_expression"),
	Choices:    map[string]core.ChoiceRule{"switch_statement": {On: "value", Arm: "switch_case", Label: "value"}},
	Groups:     core.SetOf("switch_case", "switch_default"),
	Tries:      core.SetOf("try_statement"),
	CatchesAll: func(string) bool { return true },
	Lookup:     lookup,
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
