package lang

var ecmaSteps = &StepRule{
	Kinds:  SetOf("expression_statement", "lexical_declaration", "variable_declaration", "return_statement"),
	Blocks: SetOf("statement_block"),
}

var pythonSteps = &StepRule{
	Kinds:  SetOf("expression_statement", "assert_statement", "return_statement", "with_statement"),
	Blocks: SetOf("block"),
}

var javaSteps = &StepRule{
	Kinds:  SetOf("expression_statement", "local_variable_declaration", "assert_statement", "return_statement"),
	Blocks: SetOf("block"),
}

var csharpSteps = &StepRule{
	Kinds:  SetOf("expression_statement", "local_declaration_statement", "return_statement"),
	Blocks: SetOf("block"),
}

var rustSteps = &StepRule{
	Kinds:  SetOf("expression_statement", "let_declaration"),
	Blocks: SetOf("block"),
}

var phpSteps = &StepRule{Kinds: SetOf("expression_statement", "return_statement"), Blocks: SetOf("compound_statement")}

var cSteps = &StepRule{Kinds: SetOf("expression_statement", "declaration", "return_statement"), Blocks: SetOf("compound_statement")}

var rubySteps = &StepRule{
	Blocks: SetOf("body_statement", "block_body", "then", "else"),
	Others: SetOf("method", "class", "module", "if", "unless", "while", "until", "case", "begin", "for"),
}

var kotlinSteps = &StepRule{
	Blocks: SetOf("statements"),
	Others: SetOf("function_declaration", "class_declaration", "if_expression", "for_statement", "while_statement", "when_expression", "try_expression"),
}

var swiftSteps = &StepRule{
	Blocks: SetOf("statements"),
	Others: SetOf("function_declaration", "class_declaration", "if_statement", "for_statement", "while_statement", "guard_statement", "do_statement", "switch_statement"),
}

var scalaSteps = &StepRule{
	Blocks: SetOf("block", "indented_block"),
	Others: SetOf("function_definition", "class_definition", "object_definition", "import_declaration", "if_expression", "for_expression", "while_expression", "match_expression", "try_expression", "case_clause"),
}
