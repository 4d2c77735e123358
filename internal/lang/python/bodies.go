package python

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

var bodies = &core.BodyRules{
	Functions: core.SetOf("function_definition", "lambda", "class_definition"),
	Throws:    core.SetOf("raise_statement"),
	Ifs:       core.SetOf("if_statement", "elif_clause"),
	Handlers:  core.SetOf("except_clause"),
	Branches: core.SetOf("if_statement", "elif_clause", "for_statement", "while_statement", "except_clause",
		"conditional_expression", "case_clause", "boolean_operator"),
	Texts:   core.SetOf("string"),
	Calls:   core.SetOf("call"),
	Choices: map[string]core.ChoiceRule{"match_statement": {On: "subject", Arm: "case_clause", Label: "case_pattern"}},
	Groups:  core.SetOf("case_clause"),
	Tries:   core.SetOf("try_statement"),
	Lookup: func(n syntax.Node) (of string, names []syntax.Node) {
		of = n.Field("value").Short()
		if n.Is("subscript") && slices.Contains(settings, of) {
			return of, []syntax.Node{n.Field("subscript")}
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
