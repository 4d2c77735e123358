package ruby

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/ruby/repair"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// newShape ignores the differences that rubocop's layout and its safe style rules
// make: quotes, parentheses around arguments and parameters, do and braces, hash
// rockets, %w and %i, then and semicolons.
func newShape() *core.Shape {
	s := &core.Shape{
		Transparent: core.SetOf("body_statement", "block_body", "then", "do", "pattern"),
		Drop:        core.SetOf("empty_statement", "do", "end", "then"),
		Alias: map[string]string{
			"do_block": "block", "string_array": "array", "symbol_array": "array", "character": "string",
		},
		Through: onlyGroups,
	}
	s.Special = func(n syntax.Node) (drop bool, as string) { return special(s, n) }
	return s
}

// onlyGroups reports whether n only groups: parentheses around one expression, or a
// call that is only a name.
func onlyGroups(n syntax.Node) bool {
	switch n.Kind() {
	case "parenthesized_statements":
		count := 0
		for c := range n.NamedSeq() {
			if !c.Is("empty_statement") {
				count++
			}
		}
		return count == 1
	case "call": // foo() is foo
		return n.Field("method").Is("identifier") && !n.Field("receiver").Ok() && !n.Field("block").Ok() && !n.Field("arguments").First().Ok()
	}
	return false
}

// special normalizes literals and drops optional syntax.
func special(s *core.Shape, n syntax.Node) (drop bool, as string) {
	if !n.Named() {
		return token(n)
	}
	switch n.Kind() {
	case "argument_list": // x.foo() is x.foo; super() is not super
		if n.First().Ok() || n.Parent().Is("ERROR") { // which may have any number of children
			return false, ""
		}
		method := n.Parent().Field("method")
		return method.Ok() && !method.Is("super"), ""
	case "method_parameters", "lambda_parameters", "block_parameters":
		return !n.First().Ok(), ""
	case "string", "bare_string", "character":
		if text, ok := stringValue(n); ok {
			return false, "'" + text
		}
	case "bare_symbol", "delimited_symbol":
		if text, ok := plainString(n); ok {
			return false, ":" + text
		}
	case "heredoc_body":
		return false, heredoc(s, n)
	}
	return false, leaf(n)
}

// leaf returns the canonical form of a node without children, or "" to use its
// text.
func leaf(n syntax.Node) string {
	switch n.Kind() {
	case "simple_symbol":
		return n.Text()
	case "hash_key_symbol":
		return ":" + n.Text()
	case "string_content", "escape_sequence", "heredoc_content":
		return "'" + n.Text()
	case "integer", "float", "rational", "complex":
		return number(n.Text())
	case "heredoc_beginning":
		return heredocKind(n.Text())
	case "setter":
		return srctext.OneLine(n.Text())
	}
	return ""
}

// tokens maps keywords to operators with the same meaning.
var tokens = map[string]string{"and": "&&", "or": "||", "not": "!"}

// token returns the hash rules of single tokens.
func token(n syntax.Node) (drop bool, as string) {
	p := n.Parent()
	switch n.Kind() {
	case "do", "end", "then", "%w(", "%i(":
		return true, ""
	case "=": // def x = y is def x; y; end
		return p.Is("method", "singleton_method"), ""
	case "=>":
		return p.Is("pair"), ""
	case ":": // "a": 1 differs from "a" => 1
		return p.Is("pair", "keyword_pattern") && !p.Field("key").Is("string"), ""
	case "::":
		if p.Is("call") {
			return false, "."
		}
	case ",", ";":
		return false, meantMark(n, p)
	case `"`, "'", "/", "`": // of strings, symbols and regular expressions, in any notation
		if p.Is("regex") { // keep the flags
			flags := strings.TrimLeft(n.Text(), "/%r{}()[]<>|!")
			return flags == "", flags
		}
		return p.Is("string", "delimited_symbol", "string_array", "symbol_array"), ""
	}
	return false, tokens[n.Kind()]
}

// meantMark returns a mark that is significant: a, = b differs from a = b, and |a; b|
// from |a, b|.
func meantMark(n, list syntax.Node) string {
	last := n.After() == list.After() || n.Next().TextIs("|")
	switch {
	case n.Kind() == ",":
		if last && list.Is("left_assignment_list", "block_parameters") {
			return ","
		}
	case list.Is("block_parameters", "lambda_parameters"):
		return ";"
	}
	return ""
}

// stringValue returns the value of a string without interpolation, independent of its
// quotes.
func stringValue(n syntax.Node) (text string, ok bool) {
	if n.Is("character") {
		source := n.Text()
		return strings.TrimPrefix(source, "?"), !strings.HasPrefix(source, `?\`)
	}
	list := n
	if n.Is("bare_string") {
		list = n.Parent()
	}
	quote := beginning(list)
	raw := strings.HasPrefix(quote, "'") || strings.HasPrefix(quote, "%q") || strings.HasPrefix(quote, "%w")
	var b strings.Builder
	for c := range n.NamedSeq() {
		switch {
		case c.Is("interpolation"):
			return "", false
		case raw:
			b.WriteString(strings.NewReplacer(`\\`, `\`, `\'`, `'`).Replace(c.Text()))
		case c.Is("escape_sequence"):
			b.WriteString(unescaped(c.Text()))
		default:
			b.WriteString(c.Text())
		}
	}
	return b.String(), true
}

// beginning returns the first token of a literal.
func beginning(n syntax.Node) string {
	for c := range n.Children() {
		return c.Text()
	}
	return ""
}

// unescaped returns the value of an escape in a double-quoted string. Rare escapes are
// unchanged.
func unescaped(text string) string {
	switch text {
	case `\n`:
		return "\n"
	case `\t`:
		return "\t"
	case `\"`, `\'`, `\\`, `\#`:
		return text[1:]
	}
	return "\x01" + text
}

// number returns the canonical spelling of a number literal.
func number(text string) string {
	text = strings.ToLower(strings.ReplaceAll(text, "_", ""))
	if digits, ok := strings.CutPrefix(text, "0o"); ok {
		return "0" + digits
	}
	return text
}

// heredocKind returns how the text of a heredoc is read: verbatim, or with escapes and
// interpolation.
func heredocKind(beginning string) string {
	if strings.Contains(beginning, "'") {
		return "<<'"
	}
	if strings.Contains(beginning, "`") {
		return "<<`"
	}
	return "<<"
}

// heredoc returns the text of a heredoc without the indentation that <<~ removes,
// and the canonical form of the interpolated code.
func heredoc(s *core.Shape, n syntax.Node) string {
	indent := 0
	if isSquiggly(n) {
		indent = leastIndent(n)
	}
	var out []byte
	for c := range n.NamedSeq() {
		switch {
		case c.Is("heredoc_content"):
			rows := strings.Split(c.Text(), "\n")
			for i, row := range rows[1:] {
				rows[i+1] = row[min(indent, len(row)-len(strings.TrimLeft(row, " \t"))):]
			}
			out = append(out, strings.TrimRight(strings.Join(rows, "\n"), " \t")...)
		case c.Is("heredoc_end"):
		default:
			out = s.Append(append(out, 0), c, nil)
		}
	}
	return "<<" + string(out)
}

// isSquiggly reports whether the heredoc with the text n begins with <<~. It looks for
// the last heredoc of that name before n.
func isSquiggly(n syntax.Node) bool {
	name := strings.TrimSpace(n.Child("heredoc_end").Text())
	p := n
	for range repair.MaxBefore {
		if p = p.Before(); !p.Ok() {
			return false
		}
		if p.Is("heredoc_beginning") && strings.Trim(p.Text(), "<~-'\"`") == name {
			return p.Begins("<<~")
		}
	}
	return false
}

// leastIndent returns the common indentation of the lines of a heredoc.
func leastIndent(n syntax.Node) int {
	least := -1
	text := strings.TrimSuffix(n.Text(), n.Child("heredoc_end").Text())
	first := true
	for row := range strings.Lines(text) {
		body := strings.TrimLeft(row, " \t")
		if !first && strings.TrimSpace(body) != "" && (least < 0 || len(row)-len(body) < least) {
			least = len(row) - len(body)
		}
		first = false
	}
	return max(least, 0)
}
