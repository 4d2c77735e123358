package csharp

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// csharpShape makes what CSharpier and dotnet format may change invisible.
var csharpShape = &core.Shape{
	Transparent: core.SetOf("parenthesized_expression"),
	Drop:        core.SetOf("using_directive", "extern_alias_directive"),
	Strings:     core.SetOf("string_literal", "verbatim_string_literal", "character_literal"),
	Numbers:     core.SetOf("integer_literal", "real_literal"),
	Alias:       csharpShort,
	Through:     csharpThrough,
	Special:     csharpSpecial,
}

// csharpShort are short names of the most frequent kinds: what is hashed is as long
// as the text, not longer.
var csharpShort = map[string]string{
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

// csharpThrough tells the parts of a lambda's only parameter: (x) => is x =>.
func csharpThrough(n syntax.Node) bool {
	list := n
	if n.Is("parameter") {
		list = n.Parent()
	}
	if !list.Is("parameter_list") || !list.Parent().Is("lambda_expression") {
		return false
	}
	all := core.NamedChildren(list)
	return len(all) == 1 && all[0].Is("parameter") && len(core.NamedChildren(all[0])) == 1 && !all[0].Has("=")
}

func csharpSpecial(n syntax.Node) (drop bool, as string) {
	switch n.Kind() {
	case "modifier":
		if !n.Parent().Is("parameter") {
			return csharpKeywords(n)
		}
	case ",": // int[,] is not int[], D<,> is not D<>
		if n.Parent().Is("array_rank_specifier", "implicit_array_creation_expression") ||
			n.Parent().Is("type_argument_list") && len(core.NamedChildren(n.Parent())) == 0 {
			return false, ","
		}
	case ";": // for (x;;) is not for (;;x)
		if n.Parent().Is("for_statement") {
			return false, ";"
		}
	case "integer_literal": // an empty collection, see showEmpty
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

// csharpKeywords hashes modifiers in the order of the alphabet: all of them in
// the place of the first.
func csharpKeywords(n syntax.Node) (drop bool, as string) {
	for p := n.Previous(); p.Ok(); p = p.Previous() {
		if p.Is("modifier") {
			return true, ""
		}
	}
	all := csharpModifiers(n.Parent())
	slices.Sort(all)
	return false, strings.Join(all, " ")
}

// rawString is the content of a raw string literal without the blanks that its
// closing line begins with (C# 11).
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

// outdent frees rows of the indentation.
func outdent(rows []string, indent string) []string {
	for i, row := range rows {
		rows[i] = strings.TrimPrefix(row, indent)
	}
	return rows
}

// maxInterpolated is how long the interpolated strings are whose indentation is
// looked at, in bytes.
const maxInterpolated = 1 << 14

// interpolatedText is a part of an interpolated string; of a raw one without the
// blanks that its closing line begins with.
func interpolatedText(n syntax.Node) string {
	text := n.Text()
	if !strings.Contains(text, "\n") {
		return text
	}
	around := n.Around("interpolated_string_expression")
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
