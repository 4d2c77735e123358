package lang

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

var ecmaBodies = &bodyRules{
	functions: setOf("function_declaration", "function_expression", "function", "arrow_function", "method_definition",
		"generator_function", "generator_function_declaration"),
	throws:   setOf("throw_statement"),
	ifs:      setOf("if_statement"),
	handlers: setOf("catch_clause"),
	branches: setOf("if_statement", "for_statement", "for_in_statement", "while_statement", "do_statement", "switch_case",
		"catch_clause", "ternary_expression"),
	texts:      setOf("string", "template_string"),
	calls:      setOf("call_expression", "new_expression"),
	choices:    map[string]choiceRule{"switch_statement": {"value", "switch_case", "value"}},
	groups:     setOf("switch_case", "switch_default"),
	tries:      setOf("try_statement"),
	catchesAll: func(string) bool { return true },
	lookup:     ecmaLookup,
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

var pythonBodies = &bodyRules{
	functions: setOf("function_definition", "lambda", "class_definition"),
	throws:    setOf("raise_statement"),
	ifs:       setOf("if_statement", "elif_clause"),
	handlers:  setOf("except_clause"),
	branches: setOf("if_statement", "elif_clause", "for_statement", "while_statement", "except_clause",
		"conditional_expression", "case_clause", "boolean_operator"),
	texts:   setOf("string"),
	calls:   setOf("call"),
	choices: map[string]choiceRule{"match_statement": {"subject", "case_clause", "case_pattern"}},
	groups:  setOf("case_clause"),
	tries:   setOf("try_statement"),
	lookup: func(n syntax.Node) (of string, names []syntax.Node) {
		of = n.Field("value").Short()
		if n.Is("subscript") && slices.Contains(pythonSettings, of) {
			return of, []syntax.Node{n.Field("subscript")}
		}
		return "", nil
	},
}

// pythonSettings are the maps that hold the environment and settings.
var pythonSettings = []string{"os.environ", "environ", "app.config", "current_app.config", "self.app.config"}

var javaBodies = &bodyRules{
	functions: setOf("method_declaration", "constructor_declaration", "compact_constructor_declaration", "lambda_expression"),
	throws:    setOf("throw_statement"),
	ifs:       setOf("if_statement"),
	handlers:  setOf("catch_clause"),
	branches: setOf("if_statement", "for_statement", "enhanced_for_statement", "while_statement", "do_statement",
		"catch_clause", "ternary_expression", "switch_label"),
	texts:   setOf("string_literal"),
	calls:   setOf("method_invocation", "object_creation_expression"),
	choices: map[string]choiceRule{"switch_expression": {"condition", "switch_label", ""}},
	groups:  setOf("switch_block_statement_group", "switch_rule"),
	tries:   setOf("try_statement", "try_with_resources_statement"),
	takes:   map[string]string{"synchronized_statement": "lock"},
	refusal: javaRefusal,
}

var csharpBodies = &bodyRules{
	functions: setOf("method_declaration", "constructor_declaration", "local_function_statement", "lambda_expression",
		"accessor_declaration", "anonymous_method_expression"),
	throws:   setOf("throw_statement", "throw_expression"),
	ifs:      setOf("if_statement"),
	handlers: setOf("catch_clause"),
	branches: setOf("if_statement", "for_statement", "foreach_statement", "while_statement", "do_statement", "catch_clause",
		"conditional_expression", "switch_section", "switch_expression_arm"),
	texts:   setOf("string_literal", "interpolated_string_expression", "verbatim_string_literal"),
	calls:   setOf("invocation_expression", "object_creation_expression"),
	choices: map[string]choiceRule{"switch_statement": {"value", "switch_section", "constant_pattern"}},
	groups:  setOf("switch_section"),
	tries:   setOf("try_statement"),
	takes:   map[string]string{"lock_statement": "lock"},
	around:  coalesced,
}
