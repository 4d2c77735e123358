package lang

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

var ecmaBodies = &BodyRules{
	Functions: SetOf("function_declaration", "function_expression", "function", "arrow_function", "method_definition",
		"generator_function", "generator_function_declaration"),
	Throws:   SetOf("throw_statement"),
	Ifs:      SetOf("if_statement"),
	Handlers: SetOf("catch_clause"),
	Branches: SetOf("if_statement", "for_statement", "for_in_statement", "while_statement", "do_statement", "switch_case",
		"catch_clause", "ternary_expression"),
	Texts:      SetOf("string", "template_string"),
	Calls:      SetOf("call_expression", "new_expression"),
	Choices:    map[string]ChoiceRule{"switch_statement": {On: "value", Arm: "switch_case", Label: "value"}},
	Groups:     SetOf("switch_case", "switch_default"),
	Tries:      SetOf("try_statement"),
	CatchesAll: func(string) bool { return true },
	Lookup:     ecmaLookup,
}

// ecmaEnvironments are the objects that hold the environment.
var ecmaEnvironments = []string{"process.env", "import.meta.env", "Bun.env"}

// ecmaLookup tells process.env.HOME, process.env["HOME"], and what const { HOME } =
// process.env takes.
func ecmaLookup(n syntax.Node) (of string, names []syntax.Node) {
	switch n.Kind() {
	case "member_expression":
		of, names = n.Field("object").Short(), []syntax.Node{n.Field("property")}
	case "subscript_expression":
		if index := n.Field("index"); index.Is("string") {
			of, names = n.Field("object").Short(), []syntax.Node{index}
		}
	case "object_pattern":
		of = n.Parent().Field("value").Short()
		for c := range n.Inner() {
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
	if !slices.Contains(ecmaEnvironments, of) {
		return "", nil
	}
	return of, names
}

var pythonBodies = &BodyRules{
	Functions: SetOf("function_definition", "lambda", "class_definition"),
	Throws:    SetOf("raise_statement"),
	Ifs:       SetOf("if_statement", "elif_clause"),
	Handlers:  SetOf("except_clause"),
	Branches: SetOf("if_statement", "elif_clause", "for_statement", "while_statement", "except_clause",
		"conditional_expression", "case_clause", "boolean_operator"),
	Texts:   SetOf("string"),
	Calls:   SetOf("call"),
	Choices: map[string]ChoiceRule{"match_statement": {On: "subject", Arm: "case_clause", Label: "case_pattern"}},
	Groups:  SetOf("case_clause"),
	Tries:   SetOf("try_statement"),
	Lookup: func(n syntax.Node) (of string, names []syntax.Node) {
		of = n.Field("value").Short()
		if n.Is("subscript") && slices.Contains(pythonSettings, of) {
			return of, []syntax.Node{n.Field("subscript")}
		}
		return "", nil
	},
}

// pythonSettings are the maps that hold the environment and settings.
var pythonSettings = []string{"os.environ", "environ", "app.config", "current_app.config", "self.app.config"}

var javaBodies = &BodyRules{
	Functions: SetOf("method_declaration", "constructor_declaration", "compact_constructor_declaration", "lambda_expression"),
	Throws:    SetOf("throw_statement"),
	Ifs:       SetOf("if_statement"),
	Handlers:  SetOf("catch_clause"),
	Branches: SetOf("if_statement", "for_statement", "enhanced_for_statement", "while_statement", "do_statement",
		"catch_clause", "ternary_expression", "switch_label"),
	Texts:   SetOf("string_literal"),
	Calls:   SetOf("method_invocation", "object_creation_expression"),
	Choices: map[string]ChoiceRule{"switch_expression": {On: "condition", Arm: "switch_label", Label: ""}},
	Groups:  SetOf("switch_block_statement_group", "switch_rule"),
	Tries:   SetOf("try_statement", "try_with_resources_statement"),
	Takes:   map[string]string{"synchronized_statement": "lock"},
	Refusal: javaRefusal,
}

var csharpBodies = &BodyRules{
	Functions: SetOf("method_declaration", "constructor_declaration", "local_function_statement", "lambda_expression",
		"accessor_declaration", "anonymous_method_expression"),
	Throws:   SetOf("throw_statement", "throw_expression"),
	Ifs:      SetOf("if_statement"),
	Handlers: SetOf("catch_clause"),
	Branches: SetOf("if_statement", "for_statement", "foreach_statement", "while_statement", "do_statement", "catch_clause",
		"conditional_expression", "switch_section", "switch_expression_arm"),
	Texts:   SetOf("string_literal", "interpolated_string_expression", "verbatim_string_literal"),
	Calls:   SetOf("invocation_expression", "object_creation_expression"),
	Choices: map[string]ChoiceRule{"switch_statement": {On: "value", Arm: "switch_section", Label: "constant_pattern"}},
	Groups:  SetOf("switch_section"),
	Tries:   SetOf("try_statement"),
	Takes:   map[string]string{"lock_statement": "lock"},
	Around:  coalesced,
}
