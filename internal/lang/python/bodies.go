package python

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

var bodies = &core.BodyRules{
	Flow: map[string]core.Construct{
		"function_definition": core.FlowFunction, "lambda": core.FlowFunction,
		"if_statement": core.FlowIf, "elif_clause": core.FlowIf,
		"conditional_expression": core.FlowSpecial,
		"for_statement":          core.FlowFor,
		"while_statement":        core.FlowWhile,
		"match_statement":        core.FlowSwitch,
		"try_statement":          core.FlowTry,
		"return_statement":       core.FlowReturn,
		"raise_statement":        core.FlowThrow,
		"break_statement":        core.FlowBreak,
		"continue_statement":     core.FlowNext,
		"assignment":             core.FlowAssign, "augmented_assignment": core.FlowAssign, "named_expression": core.FlowAssign,
		"expression_statement": core.FlowStatement,
		"boolean_operator":     core.FlowOperator,
	},
	Switches: map[string]core.SwitchRule{
		"match_statement": {On: "subject", Arms: core.SetOf("case_clause"), Label: "case_pattern", Guard: "guard"},
	},
	Special: func(f *core.FlowReader, n syntax.Node) ([]code.Stmt, bool) {
		parts := syntax.NamedChildren(n) // then, condition, else
		if len(parts) != 3 {
			return nil, false
		}
		return f.Branch(n, parts[1], false, parts[0], parts[2:]), true
	},
	Handlers: core.SetOf("except_clause"),
	Branches: core.SetOf("if_statement", "elif_clause", "for_statement", "while_statement", "except_clause",
		"conditional_expression", "case_clause", "boolean_operator"),
	Texts: core.SetOf("string"),
	Calls: core.SetOf("call"),

	Comprehensions: core.SetOf("list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression"),
	Fallbacks:      map[string]core.Set{"boolean_operator": core.SetOf("or")},
	Lookup: func(n syntax.Node) (of string, names []syntax.Node) {
		of = n.Field("value").Short()
		if key := n.Field("subscript"); n.Is("subscript") && key.Is("string") && slices.Contains(settings, of) {
			return of, []syntax.Node{key}
		}
		return "", nil
	},
}

// settings are the expressions for maps of environment variables and settings.
var settings = []string{"os.environ", "environ", "app.config", "current_app.config", "self.app.config"}

var steps = &core.StepRule{
	Kinds:  core.SetOf("expression_statement", "assert_statement", "return_statement", "with_statement"),
	Blocks: core.SetOf("block"),
}
