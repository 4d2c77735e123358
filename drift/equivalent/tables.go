package equivalent

import "strings"

// table is what differs between languages: kinds of nodes of their grammars.
type table struct {
	functions map[string]bool
	// binders are where locals get a name: the kind of a node and the field that has the name or pattern; "" for the node itself.
	binders [][2]string
	// declared are the declarations of one local: the node, and the fields of the name and the value. The statement is the
	// node, or its parent if that has no other named child.
	declared [][3]string
	// typed is the field of a declaration that makes it one that is never inlined, unless its text is in harmless.
	typed    string
	harmless func(text string) bool
	// assigned are where a variable that exists gets another value: the kind and the field.
	assigned [][2]string
	// notNames are identifiers that name no variable: the kind of the parent and the field.
	notNames [][2]string
	// opaque are kinds that this package does not follow.
	opaque map[string]bool
	self   []string // what a method calls its own object
	// global are variables that are none of the function.
	global map[string]bool
	// reflective are functions that know locals by their names.
	reflective map[string]bool
}

func kinds(list string) map[string]bool {
	out := map[string]bool{}
	for kind := range strings.FieldsSeq(list) {
		out[kind] = true
	}
	return out
}

func pairs(list string) [][2]string {
	var out [][2]string
	for p := range strings.FieldsSeq(list) {
		kind, field, _ := strings.Cut(p, ".")
		out = append(out, [2]string{kind, field})
	}
	return out
}

// tables returns the tables by the names of languages.
func tables() map[string]*table {
	ecma := &table{
		functions: kinds("function_declaration generator_function_declaration method_definition arrow_function function_expression lexical_declaration public_field_definition"),
		binders: pairs("variable_declarator.name required_parameter.pattern optional_parameter.pattern formal_parameters. arrow_function.parameter " +
			"catch_clause.parameter for_in_statement.left"),
		declared: [][3]string{{"variable_declarator", "name", "value"}},
		assigned: pairs("assignment_expression.left augmented_assignment_expression.left update_expression.argument for_in_statement.left"),
		opaque:   kinds("with_statement"),
		self:     []string{"this"},
	}
	return map[string]*table{
		"go": {
			functions: kinds("function_declaration method_declaration"),
			binders: pairs("short_var_declaration.left var_spec.name const_spec.name range_clause.left parameter_declaration.name " +
				"variadic_parameter_declaration.name receive_statement.left type_switch_statement.alias"),
			declared: [][3]string{{"short_var_declaration", "left", "right"}, {"var_spec", "name", "value"}},
			typed:    "type",
			assigned: pairs("assignment_statement.left inc_statement. dec_statement. range_clause.left receive_statement.left"),
			opaque:   kinds("goto_statement"),
		},
		"typescript": ecma, "javascript": ecma, "tsx": ecma,
		"python": {
			functions: kinds("function_definition"),
			binders: pairs("assignment.left for_statement.left parameters. default_parameter.name typed_parameter. typed_default_parameter.name " +
				"lambda_parameters. for_in_clause.left as_pattern_target. named_expression.name list_splat_pattern. dictionary_splat_pattern."),
			declared: [][3]string{{"assignment", "left", "right"}},
			assigned: pairs("augmented_assignment.left for_statement.left for_in_clause.left as_pattern_target. named_expression.name delete_statement."),
			notNames: pairs("keyword_argument.name attribute.attribute"),
			opaque:   kinds("global_statement nonlocal_statement"),
			self:     []string{"self"},
		},
		"java": {
			functions: kinds("method_declaration constructor_declaration compact_constructor_declaration"),
			binders: pairs("variable_declarator.name formal_parameter.name catch_formal_parameter.name enhanced_for_statement.name resource.name " +
				"inferred_parameters. lambda_expression.parameters"),
			declared: [][3]string{{"variable_declarator", "name", "value"}},
			typed:    "type",
			harmless: func(text string) bool {
				return !strings.Contains(" long short byte char float double Object ", " "+text+" ")
			},
			assigned: pairs("assignment_expression.left update_expression."),
			notNames: pairs("field_access.field method_invocation.name method_declaration.name method_reference. labeled_statement. break_statement. continue_statement."),
			self:     []string{"this"},
		},
		"csharp": csharp(),
		"rust": {
			functions: kinds("function_item"),
			binders:   pairs("let_declaration.pattern parameter.pattern closure_parameters. for_expression.pattern match_pattern. let_condition.pattern"),
			declared:  [][3]string{{"let_declaration", "pattern", "value"}},
			typed:     "type",
			assigned:  pairs("assignment_expression.left compound_assignment_expr.left reference_expression.value"),
			notNames:  pairs("shorthand_field_initializer. scoped_identifier."),
			self:      []string{"self"},
		},
		"php": php(),
	}
}

// php returns the table of PHP.
func php() *table {
	return &table{
		functions:  kinds("function_definition method_declaration"),
		binders:    pairs("variable_name."), // all variables of a function are its own
		notNames:   pairs("scoped_property_access_expression.name"),
		opaque:     kinds("dynamic_variable_name global_declaration function_static_declaration property_promotion_parameter include_expression include_once_expression require_expression require_once_expression"),
		global:     kinds("$this $GLOBALS $_SERVER $_GET $_POST $_FILES $_COOKIE $_SESSION $_REQUEST $_ENV"),
		reflective: kinds("compact extract get_defined_vars parse_str eval"),
	}
}

// csharp returns the table of C#. Locals are not inlined: properties that look like fields may act.
func csharp() *table {
	return &table{
		functions: kinds("method_declaration constructor_declaration local_function_statement operator_declaration"),
		binders: pairs("variable_declarator.name tuple_pattern.name parameter.name foreach_statement.left catch_declaration.name declaration_pattern.name " +
			"declaration_expression.name"),
		assigned: pairs("assignment_expression.left postfix_unary_expression. prefix_unary_expression."),
		notNames: pairs("member_access_expression.name member_binding_expression.name argument.name anonymous_object_creation_expression. method_declaration.name " +
			"local_function_statement.name subpattern."),
		opaque: kinds("goto_statement labeled_statement unsafe_statement"),
	}
}

// Kinds of nodes with the same meaning in all grammars.
var (
	// blocks hold statements in order.
	blocks = kinds("block statement_block constructor_body statement_list compound_statement")
	// wrappers are nodes around one other that mean nothing.
	wrappers = kinds("parenthesized_expression")
	// calm nodes give a value that depends on nothing but the values of names.
	calm = kinds("identifier binary_expression binary_operator boolean_operator comparison_operator not_operator unary_expression unary_operator " +
		"parenthesized_expression expression_list int_literal float_literal rune_literal interpreted_string_literal raw_string_literal " +
		"string_literal string string_fragment string_start string_content string_end escape_sequence integer float number integer_literal boolean_literal char_literal true false none null nil undefined " +
		"decimal_integer_literal hex_integer_literal decimal_floating_point_literal character_literal null_literal")
	// later are nodes whose parts may be evaluated more than once, later, or never.
	later = kinds("for_statement while_statement do_statement for_in_statement enhanced_for_statement for_expression while_expression loop_expression " +
		"arrow_function function_expression func_literal lambda lambda_expression closure_expression list_comprehension dictionary_comprehension set_comprehension generator_expression " +
		"function_definition function_declaration class_definition class_declaration try_statement with_statement defer_statement go_statement select_statement " +
		"switch_statement expression_switch_statement type_switch_statement switch_expression match_expression match_statement macro_invocation")
	// partial are nodes of which only the first part is always evaluated.
	partial = kinds("conditional_expression ternary_expression boolean_operator if_statement if_expression elif_clause else_clause")
	// acting nodes do something or depend on when they are evaluated.
	acting = kinds("call_expression call method_invocation object_creation_expression new_expression await await_expression yield yield_expression " +
		"assignment_expression augmented_assignment_expression augmented_assignment update_expression inc_statement dec_statement assignment_statement " +
		"compound_assignment_expr macro_invocation try_expression named_expression send_statement explicit_constructor_invocation delete_statement " +
		"raise_statement throw_statement assert_statement import_statement")
	// reading nodes give what others may change.
	reading = kinds("selector_expression index_expression slice_expression member_expression subscript_expression attribute subscript " +
		"field_access array_access field_expression unary_expression dereference_expression")
)
