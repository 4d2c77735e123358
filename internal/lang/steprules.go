package lang

var ecmaSteps = &stepRule{
	kinds:  setOf("expression_statement", "lexical_declaration", "variable_declaration", "return_statement"),
	blocks: setOf("statement_block"),
}

var pythonSteps = &stepRule{
	kinds:  setOf("expression_statement", "assert_statement", "return_statement", "with_statement"),
	blocks: setOf("block"),
}

var javaSteps = &stepRule{
	kinds:  setOf("expression_statement", "local_variable_declaration", "assert_statement", "return_statement"),
	blocks: setOf("block"),
}

var csharpSteps = &stepRule{
	kinds:  setOf("expression_statement", "local_declaration_statement", "return_statement"),
	blocks: setOf("block"),
}

var rustSteps = &stepRule{
	kinds:  setOf("expression_statement", "let_declaration"),
	blocks: setOf("block"),
}

var phpSteps = &stepRule{kinds: setOf("expression_statement", "return_statement"), blocks: setOf("compound_statement")}

var cSteps = &stepRule{kinds: setOf("expression_statement", "declaration", "return_statement"), blocks: setOf("compound_statement")}

var rubySteps = &stepRule{
	blocks: setOf("body_statement", "block_body", "then", "else"),
	others: setOf("method", "class", "module", "if", "unless", "while", "until", "case", "begin", "for"),
}

var kotlinSteps = &stepRule{
	blocks: setOf("statements"),
	others: setOf("function_declaration", "class_declaration", "if_expression", "for_statement", "while_statement", "when_expression", "try_expression"),
}

var swiftSteps = &stepRule{
	blocks: setOf("statements"),
	others: setOf("function_declaration", "class_declaration", "if_statement", "for_statement", "while_statement", "guard_statement", "do_statement", "switch_statement"),
}

var scalaSteps = &stepRule{
	blocks: setOf("block", "indented_block"),
	others: setOf("function_definition", "class_definition", "object_definition", "import_declaration", "if_expression", "for_expression", "while_expression", "match_expression", "try_expression", "case_clause"),
}
