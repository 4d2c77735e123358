package core

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// leastLookup is the number of rows from which a literal is a table.
const leastLookup = 2

// The kinds of nodes that are tables, in all grammars.
var (
	listNodes = SetOf("array", "list", "set", "tuple", "array_expression", "array_creation_expression", "array_initializer", "initializer_list",
		"array_literal", "collection_literal", "initializer_expression", "collection_expression", "string_array", "symbol_array")
	mapNodes     = SetOf("object", "dictionary", "hash", "dictionary_literal")
	pairNodes    = SetOf("pair", "array_element_initializer", "dictionary_element")
	patternNodes = SetOf("regex", "regex_literal")
	// listCalls are functions that make a list or a map of their arguments.
	listCalls = SetOf("of", "listOf", "setOf", "arrayOf", "asList", "mutableSetOf", "hashSetOf", "ofEntries", "List", "Set", "Seq", "Array", "frozenset")
	mapCalls  = SetOf("mapOf", "Map", "hashMapOf", "dict", "OrderedDict", "fromEntries")
	// patternCalls are functions that compile a pattern, by their last two names.
	patternCalls = SetOf("re.compile", "Pattern.compile", "Regex.new", "RegExp", "Regex", "NSRegularExpression", "Regexp.new")
)

// lookup records the table or the pattern that a node is.
func (b *BodyReader) lookup(n syntax.Node) {
	kind := n.Kind()
	if !n.Named() || n.Start() < b.known {
		return
	}
	switch {
	case listNodes[kind], mapNodes[kind]:
		b.table(n, n)
	case b.Rules.Calls[kind] && !kindHolds(kind, "macro"):
		b.made(n)
	case patternNodes[kind]:
		b.addLookup(n, code.LookupPattern, []code.LookupRow{{Value: oneRow(n)}})
	}
}

func kindHolds(kind, part string) bool { return strings.Contains(kind, part) }

// made records the table or the pattern that a call makes.
func (b *BodyReader) made(n syntax.Node) {
	c, ok := b.Lang.Call(n)
	if !ok {
		return
	}
	args := argumentsOf(n)
	if !args.Ok() {
		return
	}
	switch name := srctext.Join(c.Receiver, c.Name); {
	case patternCalls[name] || patternCalls[c.Name]:
		for a := range args.NamedSeq() {
			if value := argumentValue(a); b.Rules.Texts[value.Kind()] {
				b.addLookup(n, code.LookupPattern, []code.LookupRow{{Value: oneRow(value)}})
			}
			return
		}
	case mapCalls[c.Name], c.Name == "of" && strings.HasSuffix(c.Receiver, "Map"):
		b.pairsOf(n, pairsIn(args), c.Name == "of")
	case listCalls[c.Name]:
		b.table(n, args)
	}
}

// argumentValue returns the expression of an argument.
func argumentValue(a syntax.Node) syntax.Node {
	if a.Is("argument", "value_argument") {
		_, value := labelled(a)
		return value
	}
	return a
}

// table records the elements of a node if all are data; list is the node that holds them.
func (b *BodyReader) table(n, list syntax.Node) {
	kind := code.LookupList
	var rows []code.LookupRow
	if list.Child(";").Ok() { // [0; 8]
		return
	}
	for e := range list.NamedSeq() {
		if syntax.IsComment(e.Kind()) || e.Is("type", "primitive_type", "type_identifier", "integral_type") {
			continue
		}
		if e.Is("array_initializer", "initializer_list", "initializer_expression") && list == n && n.Is("array_creation_expression") {
			b.table(n, e)
			return
		}
		row, ok := b.tableRow(argumentValue(e))
		if !ok || len(rows) == code.MaxLookupRows {
			return
		}
		if len(row.Keys) > 0 {
			kind = code.LookupMap
		}
		rows = append(rows, row)
	}
	b.addLookup(n, kind, rows)
}

// tableRow reads one element; false if it is not data.
func (b *BodyReader) tableRow(e syntax.Node) (code.LookupRow, bool) {
	if pairNodes[e.Kind()] {
		parts := syntax.NamedChildren(e)
		switch {
		case len(parts) == 2 && b.isData(parts[1]):
			return code.LookupRow{Keys: []string{oneRow(parts[0])}, Value: oneRow(parts[1])}, true
		case len(parts) == 1 && b.isData(parts[0]):
			return code.LookupRow{Value: oneRow(parts[0])}, true
		}
		return code.LookupRow{}, false
	}
	return code.LookupRow{Value: oneRow(e)}, b.isData(e)
}

// pairsIn returns the node with the pairs among arguments: the only argument, if that is a list, as in dict([(key, value), …]).
func pairsIn(args syntax.Node) syntax.Node {
	if only := syntax.NamedChildren(args); len(only) == 1 && listNodes[argumentValue(only[0]).Kind()] {
		return argumentValue(only[0])
	}
	return args
}

// pairsOf records a map that is made of pairs, or, if flat, of keys and values in turn.
func (b *BodyReader) pairsOf(n, args syntax.Node, flat bool) {
	var rows []code.LookupRow
	var last *syntax.Node
	for a := range args.NamedSeq() {
		e := argumentValue(a)
		if syntax.IsComment(e.Kind()) {
			continue
		}
		parts := syntax.NamedChildren(e)
		switch {
		case flat && last == nil && b.isData(e):
			last = &e
		case flat && last != nil && b.isData(e):
			rows = append(rows, code.LookupRow{Keys: []string{oneRow(*last)}, Value: oneRow(e)})
			last = nil
		case !flat && len(parts) >= 2 && b.isData(parts[0]) && b.isData(parts[len(parts)-1]):
			rows = append(rows, code.LookupRow{Keys: []string{oneRow(parts[0])}, Value: oneRow(parts[len(parts)-1])})
		default:
			return
		}
	}
	b.addLookup(n, code.LookupMap, rows)
}

// addLookup records a table, with the variable that holds it.
func (b *BodyReader) addLookup(n syntax.Node, kind code.LookupKind, rows []code.LookupRow) {
	if kind != code.LookupPattern && len(rows) < leastLookup {
		return
	}
	name := holder(n)
	if kind == code.LookupMap && name == "" { // the arguments of a call
		return
	}
	b.known = n.End()
	b.out.Lookups = append(b.out.Lookups, code.Lookup{Kind: kind, In: b.Enclosing(n.Start()), Name: name, Rows: rows, Line: n.Line()})
}

// holder returns the variable that a value is assigned to, also inside a call: new Set([…]).
func holder(n syntax.Node) string {
	for range 6 {
		if name := assigned(n); name != "" {
			return name
		}
		if n = n.Parent(); !n.Ok() || strings.Contains(n.Kind(), "statement") || strings.Contains(n.Kind(), "block") {
			return ""
		}
	}
	return ""
}

// mostNested limits the lists within lists of a row: deeper ones are no tables, and each would be read again for its outer ones.
const mostNested = 4

// isData reports whether an expression says something by itself: a literal, a name, a list or a map of such.
func (b *BodyReader) isData(n syntax.Node) bool { return b.isDataWithin(n, mostNested) }

func (b *BodyReader) isDataWithin(n syntax.Node, deep int) bool {
	kind := n.Kind()
	switch {
	case b.Rules.Texts[kind], literalNodes[kind], patternNodes[kind]:
		return true
	case strings.HasSuffix(kind, "identifier"), nameNodes[kind]:
		return !n.TextIs("undefined")
	case arithmeticNodes[kind]:
		return isConstant(n, 2*mostNested)
	case deep > 0 && (listNodes[kind] || mapNodes[kind] || wrapNodes[kind]):
		some := false
		for e := range n.NamedSeq() {
			if syntax.IsComment(e.Kind()) {
				continue
			}
			if pairNodes[e.Kind()] {
				parts := syntax.NamedChildren(e)
				if len(parts) == 0 || !b.isDataWithin(parts[len(parts)-1], deep-1) {
					return false
				}
			} else if !b.isDataWithin(e, deep-1) {
				return false
			}
			some = true
		}
		return some
	}
	return false
}

// isConstant reports whether an expression is calculated from literals, and from names in capitals: 60 * MINUTES.
func isConstant(n syntax.Node, deep int) bool {
	switch kind := n.Kind(); {
	case literalNodes[kind]:
		return true
	case strings.HasSuffix(kind, "identifier"), kind == "constant", kind == "name":
		return n.Text() == strings.ToUpper(n.Text())
	case deep > 0 && (arithmeticNodes[kind] || kind == "parenthesized_expression"):
		for e := range n.NamedSeq() {
			if !isConstant(e, deep-1) {
				return false
			}
		}
		return true
	}
	return false
}

// arithmeticNodes are calculations with two operands.
var arithmeticNodes = SetOf("binary_operator", "binary_expression", "binary", "additive_expression", "multiplicative_expression", "infix_expression")

// The kinds of nodes that are values by themselves, names, and values in another node.
var (
	literalNodes = SetOf("number", "integer", "float", "string", "true", "false", "null", "none", "boolean", "boolean_literal", "integer_literal", "real_literal",
		"decimal_integer_literal", "hex_integer_literal", "decimal_floating_point_literal", "character_literal", "char_literal", "float_literal", "string_literal",
		"number_literal", "line_string_literal", "encapsed_string", "simple_symbol", "bare_string", "bare_symbol", "nil", "null_literal", "hash_key_symbol", "byte_literal", "byte_string_literal", "raw_string_literal", "template_string", "interpreted_string_literal", "concatenated_string")
	nameNodes = SetOf("member_expression", "field_access", "attribute", "scope_resolution", "scoped_identifier", "member_access_expression", "constant", "class_constant_access_expression", "navigation_expression", "name", "qualified_name")
	wrapNodes = SetOf("unary_expression", "unary_operator", "parenthesized_expression", "tuple_expression", "prefix_expression", "reference_expression", "argument", "string_content")
)

// oneRow returns the source of a node on one line.
func oneRow(n syntax.Node) string {
	var lines []string
	for line := range strings.Lines(strings.ToValidUTF8(n.Head(code.MaxLookupText+1), "")) {
		if line = code.Squeezed(line); line != "" {
			lines = append(lines, line)
		}
	}
	text := strings.Join(lines, " ")
	if len(text) > code.MaxLookupText {
		text = strings.ToValidUTF8(text[:code.MaxLookupText], "") + "…"
	}
	return text
}
