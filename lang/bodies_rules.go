package lang

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/code"
	"github.com/reverse-spec/reverse-spec/lang/syntax"
)

// bodyRulesOf returns how a language writes bodies; nil where that is not read.
func bodyRulesOf(language string) *bodyRules {
	switch language {
	case "typescript", "javascript":
		return ecmaBodies
	case "python":
		return pythonBodies
	case "java":
		return javaBodies
	case "csharp":
		return csharpBodies
	case "rust":
		return rustBodies
	}
	return nil
}

var ecmaBodies = &bodyRules{
	functions: setOf("function_declaration", "function_expression", "function", "arrow_function", "method_definition",
		"generator_function", "generator_function_declaration"),
	throws:   setOf("throw_statement"),
	ifs:      setOf("if_statement"),
	handlers: setOf("catch_clause"),
	branches: setOf("if_statement", "for_statement", "for_in_statement", "while_statement", "do_statement", "switch_case",
		"catch_clause", "ternary_expression"),
	texts:   setOf("string", "template_string"),
	calls:   setOf("call_expression", "new_expression"),
	choices: map[string]choiceRule{"switch_statement": {"value", "switch_case", "value"}},
	groups:  setOf("switch_case", "switch_default"),
	lookup: func(n syntax.Node) (of, text string) {
		switch n.Kind() {
		case "member_expression":
			text = n.Field("property").Text()
		case "subscript_expression":
			if index := n.Field("index"); index.Is("string") {
				text = betweenQuotes(index)
			}
		}
		if of = n.Field("object").Text(); of != "process.env" && of != "import.meta.env" && of != "Bun.env" {
			return "", ""
		}
		return of, text
	},
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
	lookup: func(n syntax.Node) (of, text string) {
		if n.Is("subscript") && n.Field("value").Is("attribute") && n.Field("value").Text() == "os.environ" {
			return "os.environ", betweenQuotes(n.Field("subscript"))
		}
		return "", ""
	},
}

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
}

var csharpBodies = &bodyRules{
	functions: setOf("method_declaration", "constructor_declaration", "local_function_statement", "lambda_expression",
		"accessor_declaration", "anonymous_method_expression"),
	throws:   setOf("throw_statement", "throw_expression"),
	ifs:      setOf("if_statement"),
	handlers: setOf("catch_clause"),
	branches: setOf("if_statement", "for_statement", "foreach_statement", "while_statement", "do_statement", "catch_clause",
		"conditional_expression", "switch_section", "switch_expression_arm"),
	texts: setOf("string_literal", "interpolated_string_expression", "verbatim_string_literal"),
	calls: setOf("invocation_expression", "object_creation_expression"),
}

var rustBodies = &bodyRules{
	functions: setOf("function_item", "closure_expression"),
	ifs:       setOf("if_expression"),
	branches:  setOf("if_expression", "for_expression", "while_expression", "loop_expression", "match_arm"),
	texts:     setOf("string_literal"),
	calls:     setOf("call_expression"),
	choices:   map[string]choiceRule{"match_expression": {"value", "match_arm", "pattern"}},
	groups:    setOf("match_arm"),
	refusal:   rustRefusal,
}

// rustRefusal tells panics and results that are errors.
func rustRefusal(n syntax.Node) (kind code.RefusalKind, given syntax.Node) {
	switch n.Kind() {
	case "macro_invocation":
		switch strings.TrimPrefix(n.Field("macro").Text(), "anyhow::") {
		case "panic", "unimplemented", "unreachable":
			return code.Panics, n
		case "bail", "ensure":
			return code.Fails, n
		}
	case "call_expression":
		if n.Field("function").Text() == "Err" {
			return code.Fails, n.Field("arguments").First()
		}
	}
	return "", n
}
