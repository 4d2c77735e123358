package python

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// Modes of parameters that can be passed in one way only.
const (
	byPosition = "positional"
	byKeyword  = "keyword"
)

// paramsOf reads a parameter list. The first parameter of a method (self or cls) is
// omitted, because callers do not pass it.
func paramsOf(list syntax.Node, method bool) []code.Param {
	var out []code.Param
	mode := ""
	for n := range list.NamedSeq() {
		switch n.Kind() {
		case "positional_separator":
			for i := range out {
				out[i].Mode = byPosition
			}
			continue
		case "keyword_separator":
			mode = byKeyword
			continue
		case "ERROR", "line_continuation":
			continue
		}
		q := param(n)
		switch {
		case q.Name == "", n.HasError() && strings.Contains(n.Text(), "\n"): // an unclosed bracket absorbs the following lines
			continue
		case q.Variadic:
			mode = byKeyword
		default:
			q.Mode = mode
		}
		out = append(out, q)
	}
	if method && len(out) > 0 && !out[0].Variadic && out[0].Mode != byKeyword {
		out = out[1:]
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// param reads one parameter. *args collects positional arguments, **kwargs
// keyword arguments.
func param(n syntax.Node) code.Param {
	q := code.Param{Type: annotated(n), Default: inOneLine(n.Field("value"))}
	q.Optional = q.Default != ""
	name := n
	switch n.Kind() {
	case "default_parameter", "typed_default_parameter":
		name = n.Field("name")
	case "typed_parameter":
		name = n.First()
	}
	switch name.Kind() {
	case "list_splat_pattern":
		q.Variadic, q.Mode, name = true, byPosition, name.First()
	case "dictionary_splat_pattern":
		q.Variadic, q.Mode, name = true, byKeyword, name.First()
	}
	q.Name = srctext.OneLine(name.Text())
	return q
}

// inOneLine returns the text of a type or value without the line breaks inside its
// brackets. Text with comments or triple-quoted strings is unchanged.
func inOneLine(n syntax.Node) string {
	text := n.Text()
	if !strings.Contains(text, "\n") || strings.Contains(text, "#") || strings.Contains(text, `"""`) || strings.Contains(text, "'''") {
		return text
	}
	var rows []string
	for row := range strings.Lines(text) {
		rows = append(rows, strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(row), `\`)))
	}
	return strings.Join(rows, " ")
}

// annotated returns the written type of a parameter or assignment. If the type has a
// syntax error, it is the text after the colon.
func annotated(n syntax.Node) string {
	if !n.HasError() {
		return inOneLine(n.Field("type"))
	}
	from, to := n.Child(":"), n.End()-n.Start()
	if !from.Ok() {
		return ""
	}
	if equals := n.Child("="); equals.Ok() {
		to = equals.Start() - n.Start()
	}
	return strings.TrimSpace(n.Text()[min(from.End()-n.Start(), to):to])
}

// typeParametersOf returns each type parameter as written, with its bound and default.
func typeParametersOf(list syntax.Node) []string {
	var out []string
	text, from := list.Text(), -1
	for c := range list.Children() {
		switch {
		case syntax.IsComment(c.Kind()), c.Kind() == "[":
		case c.Is(",", "]"):
			if from >= 0 {
				out = append(out, srctext.OneLine(text[from:c.Start()-list.Start()]))
			}
			from = -1
		case from < 0:
			from = c.Start() - list.Start()
		}
	}
	return out
}
