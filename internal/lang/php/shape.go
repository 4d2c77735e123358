package php

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// shape ignores the differences that php-cs-fixer and Pint make without changing the
// meaning.
var shape = &core.Shape{
	Transparent: core.SetOf("parenthesized_expression", "argument", "php_tag"),
	Drop:        core.SetOf("empty_statement", "php_tag"),
	Alias: map[string]string{
		"colon_block": "{}", "compound_statement": "{}", "object_creation_expression": "call",
		"array_creation_expression": "[]", "list_literal": "[]",
		"property_promotion_parameter": "simple_parameter",
		// The most frequent kinds have short names to save memory.
		"expression_statement": "do", "member_call_expression": "->", "member_access_expression": ".", "function_call_expression": "call",
		"array_element_initializer": "item", "assignment_expression": "set", "binary_expression": "op", "return_statement": "ret",
		"parenthesized_expression": "par", "arguments": "args", "scoped_call_expression": "::", "class_constant_access_expression": "const",
		"qualified_name": "name", "namespace_name_as_prefix": "in", "namespace_name": "ns", "method_declaration": "method",
		"formal_parameters": "params", "declaration_list": "list", "unary_op_expression": "un",
	},
	Through: through,
	Special: specialAs,
}

// through reports whether n only groups its child, depending on its parent.
func through(n syntax.Node) bool {
	switch n.Kind() {
	case "argument": // a named argument is more than its value
		return !n.Field("name").Ok()
	case "compound_statement", "colon_block": // braces around one statement
		return controls[n.Parent().Kind()] && len(syntax.NamedChildren(n)) == 1
	case "else_clause": // else if is elseif
		return n.Field("body").Is("if_statement")
	case "if_statement":
		return n.Parent().Is("else_clause")
	case "else_if_clause":
		return true
	case "error_suppression_expression": // new A()->b() is (new A())->b()
		return strings.EqualFold(strings.TrimSpace(textStart(n)), "new")
	}
	return false
}

// controls are the statements whose body needs no braces.
var controls = core.SetOf("if_statement", "else_clause", "else_if_clause", "for_statement", "foreach_statement", "while_statement", "do_statement")

// specials are the hash rules for nodes of particular kinds.
var specials = map[string]func(n syntax.Node) (drop bool, as string){
	"string":             literalAs,
	"encapsed_string":    literalAs,
	"nowdoc":             literalAs,
	"heredoc":            literalAs,
	"string_content":     exactly,
	"string_value":       exactly,
	"escape_sequence":    exactly,
	"text":               exactly,
	"integer":            number,
	"float":              number,
	"boolean":            keyword,
	"null":               keyword,
	"cast_type":          keyword,
	"primitive_type":     keyword,
	"relative_scope":     keyword,
	"bottom_type":        keyword,
	"named_type":         nameAs,
	"name":               nameAs,
	"qualified_name":     nameAs,
	"union_type":         sortedUnion,
	"variable_name":      oneVariable,
	"arguments":          noArguments,
	"text_interpolation": endOfPHP,
	// tokens
	"array":      listWord,
	"list":       listWord,
	"endif":      dropped,
	"endfor":     dropped,
	"endforeach": dropped,
	"endwhile":   dropped,
	"endswitch":  dropped,
	"?>":         endOfPHP,
	":":          colon,
	";":          semicolon,
	",":          comma,
	"else":       elseWord,
	"if":         ifWord,
	"<>":         func(syntax.Node) (bool, string) { return false, "!=" },
	"@":          func(n syntax.Node) (bool, string) { return !n.TextIs("@"), "" },
	"case":       caseWord,
	"function":   declaringWord,
	"const":      declaringWord,
}

func specialAs(n syntax.Node) (drop bool, as string) {
	kind := n.Kind()
	if special := specials[kind]; special != nil {
		if drop, as = special(n); drop || as != "" {
			return drop, as
		}
	}
	if strings.HasSuffix(kind, "_modifier") && modifiedKinds[n.Parent().Kind()] {
		return modifiersAs(n)
	}
	if n.Named() {
		return false, ""
	}
	if text := n.Text(); text != "" && text[0] >= 'A' && text[0] <= 'Z' {
		return false, strings.ToLower(text) // keywords are case-insensitive
	}
	return false, ""
}

func dropped(syntax.Node) (drop bool, as string) { return true, "" }

// exactly hashes text including its white space.
func exactly(n syntax.Node) (drop bool, as string) { return n.TextIs(""), n.Text() }

func oneVariable(n syntax.Node) (drop bool, as string) {
	if text := n.Text(); len(text) > 1 && srctext.NameByte(text[1]) {
		return false, text
	}
	return false, ""
}

// noArguments drops the empty parentheses of new A().
func noArguments(n syntax.Node) (drop bool, as string) {
	return len(syntax.NamedChildren(n)) == 0 && (n.Parent().Is("object_creation_expression") || isNewHead(n.Parent())), ""
}

// endOfPHP drops ?> at the end of a file.
func endOfPHP(n syntax.Node) (drop bool, as string) {
	if n.Is("?>") {
		return n.Parent().Is("text_interpolation") && !n.Parent().Has("text"), ""
	}
	return n.After() >= n.Parent().After() && n.Parent().Is("program") && !n.Has("text"), ""
}

// nameAs returns keywords that the grammar parses as names in lower case, and
// restores new before a name from which it was rewritten. It returns "" for other
// names.
func nameAs(n syntax.Node) (drop bool, as string) {
	text := strings.ToLower(n.Text())
	switch {
	case n.FieldName() == "function" && isNewHead(n.Parent()):
		return false, "new\x00" + srctext.OneLine(n.Text())
	case types[text] && (n.Is("named_type") || text == "self" || text == "parent" || text == "static"):
		return false, text
	}
	return false, ""
}

// types are the type names that the language reserves.
var types = core.SetOf("self", "parent", "static", "int", "float", "bool", "string", "array", "callable", "iterable", "object",
	"mixed", "void", "never", "null", "true", "false")

// listWord hashes array(1) as [1].
func listWord(n syntax.Node) (drop bool, as string) {
	return n.Parent().Is("array_creation_expression", "list_literal"), ""
}

func colon(n syntax.Node) (drop bool, as string) {
	return n.Parent().Is("colon_block", "switch_block", "for_statement", "case_statement", "default_statement"), ""
}

// semicolon keeps semicolons in the header of a for: for (x;;) differs from for (;;x).
func semicolon(n syntax.Node) (drop bool, as string) {
	if n.Parent().Is("for_statement") && !afterHeader(n) {
		return false, ";"
	}
	return false, ""
}

// comma keeps commas after omitted elements: [, $a] differs from [$a].
func comma(n syntax.Node) (drop bool, as string) {
	if n.Parent().Is("list_literal", "array_creation_expression") && n.Previous().Is("[", "(", ",") {
		return false, ","
	}
	return false, ""
}

// elseWord and ifWord hash else if as elseif.
func elseWord(n syntax.Node) (drop bool, as string) {
	return n.Parent().Is("else_clause") && n.Parent().Field("body").Is("if_statement"), ""
}

func ifWord(n syntax.Node) (drop bool, as string) {
	if n.Parent().Parent().Is("else_clause") {
		return false, "elseif"
	}
	return false, ""
}

// caseWord hashes a constant that was rewritten as a case as a constant.
func caseWord(n syntax.Node) (drop bool, as string) {
	if n.Parent().Is("enum_case") && !strings.EqualFold(n.Text(), "case") {
		return false, "const"
	}
	return false, ""
}

// declaringWord adds public to a member without modifiers.
func declaringWord(n syntax.Node) (drop bool, as string) {
	if hasModifiers(n.Parent()) {
		return false, ""
	}
	return modifiersAs(n)
}

// afterHeader reports whether token n follows the header of its for.
func afterHeader(n syntax.Node) bool {
	for c := n.Previous(); c.Ok(); c = c.Previous() {
		if c.Is(")", ":") {
			return true
		}
	}
	return false
}

// modifiedKinds are the declarations that take modifiers.
var modifiedKinds = core.SetOf("method_declaration", "const_declaration", "property_declaration", "class_declaration", "property_promotion_parameter")

func isModifier(n syntax.Node) bool {
	return strings.HasSuffix(n.Kind(), "_modifier") && !n.Is("reference_modifier")
}

func hasModifiers(n syntax.Node) bool {
	for c := range n.NamedSeq() {
		if isModifier(c) {
			return true
		}
	}
	return false
}

// modifiersAs hashes all modifiers in alphabetical order at the position of the first.
// The default for members is public. n is a modifier, or the keyword of a declaration
// without one.
func modifiersAs(n syntax.Node) (drop bool, as string) {
	if n.Is("reference_modifier") {
		return false, ""
	}
	parent := n.Parent()
	if parent.Is("property_promotion_parameter") {
		return promotedAs(n)
	}
	var all []string
	seen := false
	for c := range parent.NamedSeq() {
		if !isModifier(c) {
			continue
		}
		if len(all) == 0 && c != n {
			return true, ""
		}
		text := strings.ToLower(srctext.OneLine(c.Text()))
		if text == "var" {
			text = "public"
		}
		seen = seen || text == "public" || text == "protected" || text == "private"
		all = append(all, text)
	}
	if !seen && parent.Is("method_declaration", "const_declaration", "property_declaration") && !parent.Parent().Is("program", "compound_statement", "colon_block") {
		all = append(all, "public")
	}
	slices.Sort(all)
	if n.Is("function", "const") {
		all = append(all, n.Kind())
	}
	return false, strings.Join(all, "\x00")
}

// promotedAs hashes the modifiers of a promoted parameter as written in the source, not
// as rewritten.
func promotedAs(n syntax.Node) (drop bool, as string) {
	parent := n.Parent()
	for c := range parent.NamedSeq() {
		if isModifier(c) && c != n {
			return true, ""
		}
		if c == n {
			break
		}
	}
	end := parent.Field("type")
	if !end.Ok() {
		end = parent.Field("name")
	}
	text := parent.Text()[n.Start()-parent.Start():]
	if end.Start() > n.Start() {
		text = text[:end.Start()-n.Start()]
	}
	all := strings.Fields(strings.ToLower(text))
	if !slices.Contains(all, "public") && !slices.Contains(all, "protected") && !slices.Contains(all, "private") {
		all = append(all, "public")
	}
	slices.Sort(all)
	return false, strings.Join(all, "\x00")
}

// keyword returns the canonical spelling of a keyword.
func keyword(n syntax.Node) (drop bool, as string) {
	text := strings.ToLower(srctext.OneLine(n.Text()))
	if other := casts[text]; other != "" && n.Is("cast_type") {
		return false, other
	}
	return false, text
}

// casts maps alternative spellings of casts to the canonical one.
var casts = map[string]string{"boolean": "bool", "integer": "int", "double": "float", "real": "float", "binary": "string"}

// number returns the canonical spelling of a number, such as 1_000 and 0o17. 1.0
// differs from 1.
func number(n syntax.Node) (drop bool, as string) {
	text := strings.ReplaceAll(strings.ToLower(n.Text()), "_", "")
	if rest, ok := strings.CutPrefix(text, "0o"); ok {
		text = "0" + rest
	}
	if n.Is("float") {
		return false, "." + srctext.CanonicalNumber(text)
	}
	return false, srctext.CanonicalNumber(text)
}

// sortedUnion returns the types of A|B in alphabetical order.
func sortedUnion(n syntax.Node) (drop bool, as string) {
	parts := syntax.Texts(syntax.NamedChildren(n))
	for i, part := range parts {
		parts[i] = strings.Join(strings.Fields(part), "")
	}
	slices.Sort(parts)
	return false, strings.Join(parts, "|")
}
