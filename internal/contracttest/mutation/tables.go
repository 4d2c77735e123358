package mutation

import (
	"slices"
	"strings"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// table says how the mistakes of a language are written.
type table struct {
	compiled bool // tests are built before any of them runs
	strict   bool // a whole number cannot be added to one with a fraction

	functions []string // the kinds of nodes that are functions
	choices   []string // statements and expressions with a condition
	binaries  []string // expressions with two sides
	numbers   []string
	texts     []string
	truths    []string
	returns   []string
	exits     []string // statements that end a function with an error
	removable []string // expressions that may be a statement of their own, which can be removed
	skipped   []string // what no mistake is put into

	not, never, always string // before a condition in parentheses
	nothing            string // the empty statement
	empties            []string
	// zeros returns the values that may be returned instead of the value at an index of some.
	zeros func(function syntax.Node, index, of int) []string
}

// tables returns the tables by the name of their language.
var tables = sync.OnceValue(func() map[string]*table {
	ecma := ecmaTable()
	return map[string]*table{"go": goTable(), "typescript": ecma, "javascript": ecma, "python": pythonTable(), "java": javaTable(), "rust": rustTable()}
})

func goTable() *table {
	return &table{
		compiled:  true,
		functions: []string{"function_declaration", "method_declaration", "func_literal"},
		choices:   []string{"if_statement"},
		binaries:  []string{"binary_expression"},
		numbers:   []string{"int_literal", "float_literal"},
		texts:     []string{"interpreted_string_literal", "raw_string_literal"},
		truths:    []string{"true", "false"},
		returns:   []string{"return_statement"},
		removable: []string{"call_expression"},
		skipped:   []string{"import_declaration", "field_declaration", "parameter_list", "type_declaration", "array_type", "type_arguments"},
		not:       "!", never: "false && ", always: "true || ",
		empties: []string{"nil", "0", `""`, "false"},
		zeros: func(function syntax.Node, index, of int) []string {
			types := goResults(function.Field("result"))
			if index >= len(types) || len(types) != of {
				return nil
			}
			switch types[index] {
			case "error":
				return []string{"nil"}
			case "bool":
				return []string{"false", "true"}
			case "string":
				return []string{`""`}
			}
			return []string{"*new(" + types[index] + ")"}
		},
	}
}

// goResults returns the types of the results of a function, one for each.
func goResults(result syntax.Node) []string {
	if !result.Is("parameter_list") {
		if result.Ok() {
			return []string{result.Text()}
		}
		return nil
	}
	var out []string
	for _, p := range syntax.ChildrenOf(result, "parameter_declaration") {
		names := 0
		for c := range p.Children() {
			if c.FieldName() == "name" {
				names++
			}
		}
		for range max(names, 1) {
			out = append(out, p.Field("type").Text())
		}
	}
	return out
}

func ecmaTable() *table {
	return &table{
		functions: []string{"function_declaration", "function_expression", "function", "arrow_function", "method_definition", "generator_function", "generator_function_declaration"},
		choices:   []string{"if_statement", "ternary_expression"},
		binaries:  []string{"binary_expression"},
		numbers:   []string{"number"},
		texts:     []string{"string", "template_string"},
		truths:    []string{"true", "false"},
		returns:   []string{"return_statement"},
		exits:     []string{"throw_statement"},
		removable: []string{"call_expression", "await_expression"},
		skipped: []string{
			"import_statement", "type_annotation", "type_arguments", "type_parameters", "type_alias_declaration", "interface_declaration",
			"ambient_declaration", "decorator", "enum_declaration", "literal_type", "abstract_method_signature", "function_signature",
			"asserts", "type_predicate_annotation",
		},
		not: "!", never: "false && ", always: "true || ", nothing: ";",
		empties: []string{"null", "undefined"},
		zeros:   func(syntax.Node, int, int) []string { return []string{"null"} },
	}
}

func pythonTable() *table {
	return &table{
		functions: []string{"function_definition", "lambda"},
		choices:   []string{"if_statement", "elif_clause", "conditional_expression"},
		binaries:  []string{"comparison_operator", "boolean_operator", "binary_operator"},
		numbers:   []string{"integer", "float"},
		texts:     []string{"string"},
		truths:    []string{"true", "false"},
		returns:   []string{"return_statement"},
		exits:     []string{"raise_statement"},
		removable: []string{"call", "await"},
		skipped:   []string{"import_statement", "import_from_statement", "future_import_statement", "type", "decorator", "comment"},
		not:       "not ", never: "False and ", always: "True or ", nothing: "pass",
		empties: []string{"None"},
		zeros:   func(syntax.Node, int, int) []string { return []string{"None"} },
	}
}

func javaTable() *table {
	return &table{
		compiled:  true,
		functions: []string{"method_declaration", "constructor_declaration", "compact_constructor_declaration", "lambda_expression"},
		choices:   []string{"if_statement", "ternary_expression"},
		binaries:  []string{"binary_expression"},
		numbers:   []string{"decimal_integer_literal", "hex_integer_literal", "decimal_floating_point_literal"},
		texts:     []string{"string_literal"},
		truths:    []string{"true", "false"},
		returns:   []string{"return_statement"},
		exits:     []string{"throw_statement"},
		removable: []string{"method_invocation"},
		skipped:   []string{"import_declaration", "package_declaration", "annotation", "marker_annotation", "modifiers"},
		not:       "!", never: "false && ", always: "true || ", nothing: ";",
		empties: []string{"null", "0", "false"},
		zeros: func(function syntax.Node, _, _ int) []string {
			switch of := function.Field("type"); {
			case !function.Is("method_declaration"):
				return nil
			case of.Is("integral_type", "floating_point_type"):
				return []string{"0"}
			case of.Is("boolean_type"):
				return []string{"false", "true"}
			case of.Is("void_type"):
				return nil
			}
			return []string{"null"}
		},
	}
}

func rustTable() *table {
	return &table{
		compiled: true, strict: true,
		functions: []string{"function_item", "closure_expression"},
		choices:   []string{"if_expression"},
		binaries:  []string{"binary_expression"},
		numbers:   []string{"integer_literal", "float_literal"},
		texts:     []string{"string_literal"},
		truths:    []string{"boolean_literal"},
		returns:   []string{"return_expression"},
		removable: []string{"call_expression", "macro_invocation", "return_expression", "try_expression"},
		skipped:   []string{"use_declaration", "attribute_item", "inner_attribute_item", "array_type", "type_arguments", "parameters", "extern_crate_declaration", "match_pattern", "token_tree"},
		not:       "!", never: "false && ", always: "true || ",
		empties: []string{"None", "()", "0", "false"},
		zeros: func(function syntax.Node, _, _ int) []string {
			switch of := function.Field("return_type").Text(); {
			case !function.Is("function_item"), of == "", strings.HasPrefix(of, "Result<"), strings.HasPrefix(of, "impl "), strings.HasPrefix(of, "&") && !slices.Contains([]string{"&str", "&'static str"}, of):
				return nil
			case of == "bool":
				return []string{"false", "true"}
			}
			return []string{"Default::default()"}
		},
	}
}
