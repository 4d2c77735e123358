package csharp

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// shape makes hashes independent of changes that CSharpier and dotnet format make.
var shape = &core.Shape{
	Transparent: core.SetOf("parenthesized_expression"),
	Drop:        core.SetOf("using_directive", "extern_alias_directive"),
	Strings:     core.SetOf("string_literal", "verbatim_string_literal", "character_literal"),
	Numbers:     core.SetOf("integer_literal", "real_literal"),
	Alias:       shortKinds,
	Through:     through,
	Special:     special,
}

// shortKinds maps the most frequent kinds to short names, so that the hashed text is not
// longer than the source.
var shortKinds = map[string]string{
	"argument":                    "a",
	"argument_list":               "args",
	"assignment_expression":       "set",
	"binary_expression":           "op",
	"expression_statement":        "do",
	"invocation_expression":       "call",
	"local_declaration_statement": "local",
	"member_access_expression":    "dot",
	"object_creation_expression":  "new",
	"variable_declaration":        "vars",
	"variable_declarator":         "var",
}

// through reports whether n belongs to a lambda's only parameter: (x) => is equivalent
// to x =>.
func through(n syntax.Node) bool {
	list := n
	if n.Is("parameter") {
		list = n.Parent()
	}
	if !list.Is("parameter_list") || !list.Parent().Is("lambda_expression") {
		return false
	}
	all := syntax.NamedChildren(list)
	return len(all) == 1 && all[0].Is("parameter") && len(syntax.NamedChildren(all[0])) == 1 && !all[0].Has("=")
}

func special(n syntax.Node) (drop bool, as string) {
	switch n.Kind() {
	case "modifier":
		if !n.Parent().Is("parameter") {
			return keywords(n)
		}
	case ",": // int[,] differs from int[], D<,> from D<>
		if n.Parent().Is("array_rank_specifier", "implicit_array_creation_expression") ||
			n.Parent().Is("type_argument_list") && len(syntax.NamedChildren(n.Parent())) == 0 {
			return false, ","
		}
	case ";": // for (x;;) differs from for (;;x)
		if n.Parent().Is("for_statement") {
			return false, ";"
		}
	case "integer_literal": // an empty collection, see repair's showEmpty
		if n.Begins("[") {
			return false, "[]"
		}
	case "raw_string_literal":
		return false, rawString(n.Text())
	case "string_content", "interpolation_format_clause":
		return false, "'" + interpolatedText(n)
	}
	return false, ""
}

// keywords hashes modifiers in alphabetical order, all of them in place of the first.
func keywords(n syntax.Node) (drop bool, as string) {
	for p := n.Previous(); p.Ok(); p = p.Previous() {
		if p.Is("modifier") {
			return true, ""
		}
	}
	all := modifiers(n.Parent())
	slices.Sort(all)
	return false, strings.Join(all, " ")
}

// rawString returns the content of a raw string literal without the indentation of its closing
// line (C# 11).
func rawString(text string) string {
	quotes := len(text) - len(strings.TrimLeft(text, `"`))
	body, suffix := strings.Trim(text, `"`), ""
	if i := strings.LastIndexByte(text, '"'); i >= 0 && i+1 < len(text) { // u8
		body, suffix = strings.Trim(text[:i+1], `"`), text[i+1:]
	}
	rows := strings.Split(strings.ReplaceAll(body, "\r\n", "\n"), "\n")
	if len(rows) == 1 || quotes < 3 {
		return `"""` + body + suffix
	}
	return `"""` + strings.Join(outdent(rows[1:len(rows)-1], rows[len(rows)-1]), "\n") + suffix
}

// outdent removes the indentation from rows.
func outdent(rows []string, indent string) []string {
	for i, row := range rows {
		rows[i] = strings.TrimPrefix(row, indent)
	}
	return rows
}

// maxInterpolated is the maximum length of an interpolated string whose indentation is
// removed, in bytes.
const maxInterpolated = 1 << 14

// interpolatedText returns the text of a part of an interpolated string; in a raw one, without
// the indentation of the closing line.
func interpolatedText(n syntax.Node) string {
	text := n.Text()
	if !strings.Contains(text, "\n") {
		return text
	}
	around := n.Ancestor("interpolated_string_expression")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if around.End()-around.Start() > maxInterpolated {
		return text
	}
	whole := around.Text()
	if !strings.HasSuffix(whole, `"""`) {
		return text
	}
	last := whole[strings.LastIndexByte(whole, '\n')+1:]
	indent := last[:len(last)-len(strings.TrimLeft(last, " \t"))]
	rows := strings.Split(text, "\n")
	return rows[0] + "\n" + strings.Join(outdent(rows[1:], indent), "\n")
}
