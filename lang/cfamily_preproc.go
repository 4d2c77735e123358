package lang

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/code"
	"github.com/reverse-spec/reverse-spec/lang/syntax"
)

// includes reads the files that a text includes, wherever it does so.
func (c *cReader) includes() {
	for n := range c.Root().Within() {
		if !n.Is("preproc_include") {
			continue
		}
		path := n.Field("path")
		if !path.Is("string_literal", "system_lib_string") { // a macro
			continue
		}
		c.file.Imports = append(c.file.Imports, code.Import{
			Module: strings.Trim(path.Text(), `<>"`), Relative: path.Is("string_literal"), Kind: code.StaticImport, Line: n.Line(),
		})
	}
}

// macro reads #define. Macros know no scopes: they are of the file.
func (c *cReader) macro(n syntax.Node) {
	name, value := n.Field("name"), n.Field("value")
	if !value.Ok() && isGuard(n, name.Text()) {
		return
	}
	s := &cScope{}
	d := c.begin(n, n, name.Text(), code.Macro, s)
	if note := n.Child("comment"); d.Doc == "" && note.Ok() {
		d.Doc = strings.TrimSpace(commentWords(note.Text()))
	}
	end := name.End()
	if list := n.Field("parameters"); list.Ok() {
		end = list.End()
		for p := range list.Inner() {
			d.Params = append(d.Params, code.Param{Name: p.Text()})
		}
		if list.Has("...") {
			d.Params = append(d.Params, code.Param{Name: "...", Variadic: true})
		}
	}
	c.place(d, n, s)
	d.EndLine = max(d.StartLine, c.Line(max(n.Start(), n.Start()+len(strings.TrimRight(n.Text(), "\r\n"))-1)))
	d.SignatureHash = shortHash([]byte(words(string(c.Source[n.Start():end]))))
	if text, length := macroText(value.Text()); text != "" {
		d.BodyHash = shortHash([]byte(text))
		if !n.Is("preproc_function_def") && len(text) <= longValue {
			d.Value, end = text, value.Start()+length
		}
	}
	d.Signature = c.reader.head(n.Start(), end, "")
	c.globals = append(c.globals, d)
}

// macroText returns the tokens of a macro's value, one blank apart where any
// stands between them, and how much of the text they take.
func macroText(value string) (text string, length int) {
	var b strings.Builder
	for _, t := range cTokens([]byte(value), true) {
		if length > 0 && t.start > length {
			b.WriteByte(' ')
		}
		b.WriteString(words(value[t.start:t.end]))
		length = t.end
	}
	return b.String(), length
}

// isGuard tells the macro that keeps a header from being read twice: the
// condition around the file asks for it.
func isGuard(n syntax.Node, name string) bool {
	around := n.Parent()
	if !around.Is("preproc_ifdef", "preproc_if") {
		return false
	}
	condition := around.Field("name").Text() + around.Field("condition").Text()
	return strings.HasPrefix(strings.TrimSpace(around.Text()), "#") && (condition == name || strings.Contains(condition, "defined") && strings.Contains(condition, name))
}
