package core

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// OpenUse is a call whose arguments, or the block after them, contain the current position.
type OpenUse struct {
	From, End, Number int
	Start, Within     int // where the call itself starts, and the number of the call it is nested in
}

// WithinUse returns the number of the innermost open call whose arguments contain the offset,
// 0 for none, and the list without the calls that end before it.
func WithinUse(open []OpenUse, at int) (left []OpenUse, number int) {
	for len(open) > 0 && open[len(open)-1].End <= at {
		open = open[:len(open)-1]
	}
	for _, u := range slices.Backward(open) {
		switch {
		case u.From <= at && at < u.End:
			return open, u.Number
		case u.Start == at: // the previous call of the same chain
			return open, u.Within
		}
	}
	return open, 0
}

// MaxArgs is the maximum number of arguments read of a call.
const MaxArgs = 12

// call records a call that has a string literal among its arguments.
func (b *BodyReader) call(n syntax.Node) {
	list := argumentsOf(n)
	args := b.arguments(list)
	c, ok := b.Lang.Call(n)
	if !ok || !HasPlain(args) && c.Name != "group" {
		return
	}
	u := code.TextUse{
		In: b.Enclosing(n.Start()), Of: srctext.Join(c.Receiver, c.Name), Args: args, To: assigned(n), Mark: n.Parent().Is("decorator"),
		Line: n.Line(),
	}
	b.add(u, n.Start(), list.Start(), b.blockEnd(n))
}

// blockEnd returns the end of a call and its trailing block, where the grammar makes the block
// a call of the result.
func (b *BodyReader) blockEnd(n syntax.Node) int {
	if p := n.Parent(); p.Is("call_expression") && p.First() == n {
		return p.End()
	}
	return n.End()
}

// HasPlain reports whether one of the arguments is a string literal.
func HasPlain(args []code.Argument) bool {
	for _, a := range args {
		if a.Plain {
			return true
		}
	}
	return false
}

// add records a use that starts at start, unless it is in a test in a file of code; uses between from and end are nested in it.
func (b *BodyReader) add(u code.TextUse, start, from, end int) {
	if b.inTest {
		return
	}
	b.open, u.Within = WithinUse(b.open, start)
	b.out.Texts = append(b.out.Texts, u)
	b.open = append(b.open, OpenUse{from, end, len(b.out.Texts), start, u.Within})
}

// lookups records look-ups by a string key.
func (b *BodyReader) lookups(n syntax.Node, of string, names []syntax.Node) {
	if n.FieldName() == "left" && n.Parent().Is("assignment", "assignment_expression") { // a write, not a look-up
		return
	}
	for _, name := range names {
		text := name.Text()
		if b.Rules.Texts[name.Kind()] {
			text = betweenQuotes(name)
		}
		if text != "" {
			args := []code.Argument{{Text: srctext.ClipBody(text), Plain: true, Line: name.Line()}}
			u := code.TextUse{In: b.Enclosing(n.Start()), Of: of, Args: args, To: assigned(n), Line: name.Line()}
			b.add(u, n.Start(), n.End(), n.End())
		}
	}
}

// assigned returns the variable that the value of n is assigned to; "" for none.
func assigned(n syntax.Node) string {
	for n.Parent().Is("await_expression", "try_expression", "parenthesized_expression") {
		n = n.Parent()
	}
	p := n.Parent()
	if !p.Is("variable_declarator", "assignment", "assignment_expression", "let_declaration", "val_definition", "init_declarator", "property_declaration") {
		return ""
	}
	if to := p.Child("variable_declaration"); to.Ok() { // Kotlin
		return to.First().Text()
	}
	for _, field := range []string{"name", "left", "pattern", "declarator"} {
		if to := p.Field(field); to.Ok() && to != n && !strings.ContainsAny(to.Text(), " ({[\n") {
			return to.Text()
		}
	}
	return ""
}

// argumentLists are the kinds of nodes that hold arguments, where there is no field for them.
var argumentLists = []string{"argument_list", "arguments", "value_arguments", "token_tree"}

// argumentsOf returns the node that holds the arguments of a call.
func argumentsOf(n syntax.Node) syntax.Node {
	list := n.Field("arguments")
	if !list.Ok() {
		list = n.Child(argumentLists...)
	}
	if suffix := n.Child("call_suffix"); suffix.Ok() {
		list = suffix.Child(argumentLists...)
	}
	return list
}

// arguments returns the first [MaxArgs] arguments of a list, named ones by name.
func (b *BodyReader) arguments(list syntax.Node) []code.Argument {
	var out []code.Argument
	for a := range list.NamedSeq() {
		out = b.argument(out, "", a)
		if len(out) >= MaxArgs {
			break
		}
	}
	return out
}

// argument appends an argument, or the named values of an object literal.
func (b *BodyReader) argument(out []code.Argument, name string, a syntax.Node) []code.Argument {
	switch a.Kind() {
	case "argument", "value_argument", "attribute_argument":
		label, value := labelled(a)
		return b.argument(out, label, value)
	case "pair", "keyword_argument", "assignment_expression", "element_value_pair":
		key, value := pairOf(a)
		return b.argument(out, key, value)
	case "object", "hash":
		if name == "" {
			for p := range a.NamedSeq() {
				if p.Is("pair") && len(out) < MaxArgs {
					out = b.argument(out, "", p)
				}
			}
			return out
		}
	case "comment", "line_comment", "block_comment":
		return out
	}
	arg := code.Argument{Name: name, Line: a.Line()}
	switch {
	case a.Is("simple_symbol"):
		arg.Text, arg.Plain = strings.TrimPrefix(a.Text(), ":"), true
	case b.Rules.Texts[a.Kind()]:
		arg.Text, arg.Plain = srctext.ClipBody(betweenQuotes(a)), true
	default:
		arg.Text = srctext.ClipBody(srctext.OneLine(strings.ToValidUTF8(a.Head(2*srctext.MaxBodyText), "")))
	}
	return append(out, arg)
}

// labelled splits an argument into its label and value; the label may be "".
func labelled(a syntax.Node) (label string, value syntax.Node) {
	value = a.Field("value")
	if !value.Ok() {
		for c := range a.NamedSeq() {
			value = c
		}
	}
	name := a.Field("name")
	if first := a.First(); !name.Ok() && first != value && first.Is("simple_identifier") {
		name = first
	}
	return strings.TrimRight(name.Text(), ": "), value
}

// pairOf splits a key-value pair.
func pairOf(n syntax.Node) (key string, value syntax.Node) {
	for _, fields := range [][2]string{{"key", "value"}, {"name", "value"}, {"field", "value"}, {"left", "right"}} {
		if k := n.Field(fields[0]); k.Ok() {
			return strings.Trim(k.Text(), "\"':"), n.Field(fields[1])
		}
	}
	return "", n.First()
}

// longTexts are the kinds of multi-line string literals.
var longTexts = SetOf("heredoc_body", "nowdoc_body", "multi_line_string_literal", "raw_string_literal", "verbatim_string_literal", "text_block")

// tables records the tables that SQL in a string literal creates. A literal that is a
// statement of its own is documentation and is skipped.
func (b *BodyReader) tables(n syntax.Node) {
	if p := n.Parent(); p.Is("expression_statement") && len(syntax.NamedChildren(p)) == 1 {
		return
	}
	b.out.Tables = append(b.out.Tables, SQLTables(n.Text(), b.Enclosing(n.Start()), n.Line())...)
}

// createTable is the start of the SQL statement that creates a table, in lower case.
const createTable = "create table"

// SQLTables returns the tables that the SQL in text creates. in is the enclosing symbol, line
// the line where text begins.
func SQLTables(text, in string, line int) []code.Table {
	if !strings.Contains(text, "TABLE") && !strings.Contains(text, "table") {
		return nil
	}
	var out []code.Table
	low := asciiLower(text)
	for at := 0; ; {
		i := strings.Index(low[at:], createTable)
		if i < 0 {
			return out
		}
		at += i + len(createTable)
		rest := strings.TrimLeft(low[at:], sqlSpace)
		rest = strings.TrimLeft(strings.TrimPrefix(rest, "if not exists"), sqlSpace)
		begin := len(low) - len(rest)
		after := strings.TrimLeft(rest, sqlName)
		name := strings.Trim(sqlQuotes.Replace(text[begin:len(text)-len(after)]), ".")
		after = strings.TrimLeft(after, sqlSpace)
		if begin > at && name != "" && (strings.HasPrefix(after, "(") || strings.HasPrefix(after, "as ")) {
			out = append(out, code.Table{In: in, Name: name, Line: line + strings.Count(text[:begin], "\n")})
		}
	}
}

// The characters that separate words in SQL, and those of names with their quotes.
const (
	sqlSpace = " \t\r\n"
	sqlName  = "abcdefghijklmnopqrstuvwxyz0123456789_.`\"[]\\"
)

var sqlQuotes = strings.NewReplacer("`", "", `"`, "", "[", "", "]", "", `\`, "")

// asciiLower lowers ASCII letters only, so that offsets stay the same.
func asciiLower(text string) string {
	return strings.Map(func(c rune) rune {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		return c
	}, text)
}
