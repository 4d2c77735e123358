package python

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// statementDoc returns the text of a string that is a statement of its own: the docstring
// of the enclosing definition, or of the preceding assignment. Elsewhere such a string
// has no effect in Python, so it is treated as a comment.
func statementDoc(n syntax.Node) (text string, ok bool) {
	if !n.Is("expression_statement") {
		return "", false
	}
	s := n.First()
	for s.Is("parenthesized_expression") {
		s = s.First()
	}
	if !s.Is("string", "concatenated_string") || n.Has(",") || !plainText(s) {
		return "", false
	}
	if s.Is("string") {
		_, text = splitString(s)
		return text, true
	}
	return s.Text(), true
}

// plainText reports whether n is a string literal, possibly concatenated, without a
// bytes, format or template part.
func plainText(n syntax.Node) bool {
	if n.Is("string") {
		prefix, _ := splitString(n)
		return !strings.ContainsAny(prefix, "bft")
	}
	for part := range n.NamedSeq() {
		if part.Is("string") && !plainText(part) {
			return false
		}
	}
	return true
}

// splitString returns the prefix of a literal in lower case and the text between its
// quotes.
func splitString(n syntax.Node) (prefix, text string) {
	start := n.Child("string_start").Text()
	quote := strings.TrimLeft(start, "rRbBuUfFtT")
	prefix = strings.ToLower(start[:len(start)-len(quote)])
	return prefix, strings.TrimSuffix(strings.TrimPrefix(n.Text(), start), quote)
}

// stringValue returns the value of a plain string literal.
func stringValue(n syntax.Node) string {
	if n.Is("string") {
		prefix, text := splitString(n)
		return unescape(text, prefix)
	}
	var b strings.Builder
	for part := range n.NamedSeq() {
		if part.Is("string") {
			b.WriteString(stringValue(part))
		}
	}
	return b.String()
}

// template builds the canonical form of a literal. Adjacent strings become one,
// independent of quotes, prefixes and escapes.
type template struct {
	shape *core.Shape
	text  strings.Builder
	out   []byte
}

// maxTemplates is the maximum nesting of templates.
const maxTemplates = 16

// canonicalString returns the canonical form of a string or of adjacent strings.
func canonicalString(s *core.Shape, n syntax.Node) string {
	if templatesAround(n) > maxTemplates {
		return n.Text()
	}
	t := &template{shape: s}
	kind := ""
	if n.Is("string") {
		kind = t.literal(n)
	}
	for part := range n.NamedSeq() {
		if part.Is("string") {
			kind = t.literal(part)
		}
	}
	t.flush()
	return "'" + kind + string(t.out)
}

// maxAround is the maximum number of parents searched for templates, because text can
// nest to any depth.
const maxAround = 200

func templatesAround(n syntax.Node) int {
	depth := 0
	p := n.Parent()
	for i := 0; i < maxAround && p.Ok(); i++ {
		if p.Is("interpolation", "format_expression") {
			depth++
		}
		p = p.Parent()
	}
	return depth
}

// literal adds one literal and returns its kind: "b" for bytes, "t" for a template
// string, else "".
func (t *template) literal(n syntax.Node) string {
	prefix, text := splitString(n)
	base := n.Child("string_start").End()
	at := 0
	for c := range n.Children() {
		if c.Is("interpolation") && c.End()-base <= len(text) { // an unclosed string may end inside it
			t.text.WriteString(unescape(text[at:c.Start()-base], prefix))
			t.interpolation(c)
			at = c.End() - base
		}
	}
	t.text.WriteString(unescape(text[at:], prefix))
	return strings.Trim(prefix, "rfu")
}

// flush writes the pending text to out.
func (t *template) flush() {
	t.out = strconv.AppendQuote(t.out, t.text.String())
	t.text.Reset()
}

// interpolation adds {expression=!conversion:format}.
func (t *template) interpolation(n syntax.Node) {
	conversion := n.Child("type_conversion").Text()
	format := n.Child("format_specifier")
	if n.Has("=") { // {x=} is x={x!r}
		end := n.End() - 1
		for c := range n.Children() {
			if c.Is("type_conversion", "format_specifier") {
				end = min(end, c.Start())
			}
		}
		t.text.WriteString(n.Text()[1 : end-n.Start()])
		if conversion == "" && !format.Ok() {
			conversion = "!r"
		}
	}
	t.flush()
	t.out = append(t.out, "(interpolation\x00"...)
	for c := range n.NamedSeq() {
		if !c.Is("type_conversion", "format_specifier", "line_continuation") {
			t.out = t.shape.Append(t.out, c, nil)
		}
	}
	t.out = append(t.out, conversion...)
	if format.Ok() {
		t.format(format)
	}
	t.out = append(t.out, ')')
}

// format adds the format after the colon: text with interpolations.
func (t *template) format(n syntax.Node) {
	t.out = append(t.out, ':')
	inside := &template{shape: t.shape}
	text, at := n.Text(), n.Start()+1
	for c := range n.Children() {
		if c.Is("format_expression", "interpolation") {
			inside.text.WriteString(text[at-n.Start() : c.Start()-n.Start()])
			inside.interpolation(c)
			at = c.End()
		}
	}
	inside.text.WriteString(text[at-n.Start():])
	inside.flush()
	t.out = append(t.out, inside.out...)
}

// simpleEscapes are the one-character escapes, simpleValues their values in the same
// order.
const (
	simpleEscapes = `\'"abfnrtv`
	simpleValues  = "\\'\"\a\b\f\n\r\t\v"
)

// unescape returns the value of the text of a literal. Character names and escapes that
// a Go string cannot represent are kept as written.
func unescape(text, prefix string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if strings.ContainsAny(prefix, "ft") {
		text = strings.NewReplacer("{{", "{", "}}", "}").Replace(text)
	}
	if strings.Contains(prefix, "r") || !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for text != "" {
		i := strings.IndexByte(text, '\\')
		if i < 0 || i+1 == len(text) {
			break
		}
		b.WriteString(text[:i])
		value, size := escape(text[i:], strings.Contains(prefix, "b"))
		b.WriteString(value)
		text = text[i+size:]
	}
	b.WriteString(text)
	return b.String()
}

// escape returns the value and the length of the escape at the start of text.
func escape(text string, bytes bool) (value string, size int) {
	c := text[1]
	if i := strings.IndexByte(simpleEscapes, c); i >= 0 {
		return simpleValues[i : i+1], 2
	}
	switch {
	case c == '\n':
		return "", 2
	case c >= '0' && c <= '7':
		size = 2
		for size < min(4, len(text)) && text[size] >= '0' && text[size] <= '7' {
			size++
		}
		return codePoint(text[1:size], 8, bytes), size
	case c == 'x', !bytes && (c == 'u' || c == 'U'):
		size = 2 + map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
		if size > len(text) {
			return text[:2], 2
		}
		if v := codePoint(text[2:size], 16, bytes); v != "" {
			return v, size
		}
		return strings.ToLower(text[:size]), size
	}
	return text[:2], 2
}

// codePoint returns the character or, if bytes is set, the byte with a code. It returns
// "" if the code is invalid.
func codePoint(digits string, base int, bytes bool) string {
	v, err := strconv.ParseUint(digits, base, 32)
	switch {
	case err != nil:
		return ""
	case bytes:
		return string([]byte{byte(v)})
	case !utf8.ValidRune(rune(v)):
		return ""
	}
	return string(rune(v))
}

// docstring returns the docstring of a body, cleaned as by inspect.cleandoc.
func docstring(body syntax.Node) string {
	for n := range body.NamedSeq() {
		if n.Is("line_continuation") {
			continue
		}
		return docOf(n)
	}
	return ""
}

// docOf returns the docstring that statement n is, or "".
func docOf(n syntax.Node) string {
	if _, ok := statementDoc(n); !ok {
		return ""
	}
	s := n.First()
	for s.Is("parenthesized_expression") {
		s = s.First()
	}
	return cleanDoc(stringValue(s))
}

// tabStop is the tab size of inspect.cleandoc.
const tabStop = 8

// cleanDoc removes the common indentation of the second and later lines, and the blank
// lines at both ends.
func cleanDoc(text string) string {
	rows := strings.Split(expandTabs(text), "\n")
	least := -1
	for _, row := range rows[1:] {
		if body := strings.TrimLeft(row, space); body != "" && (least < 0 || len(row)-len(body) < least) {
			least = len(row) - len(body)
		}
	}
	rows[0] = strings.TrimLeft(rows[0], space)
	for i, row := range rows[1:] {
		rows[i+1] = row[min(max(least, 0), len(row)):]
	}
	blank := func(row string) bool { return row == "" }
	first := slices.IndexFunc(rows, func(row string) bool { return !blank(row) })
	if first < 0 {
		return ""
	}
	last := len(rows)
	for blank(rows[last-1]) {
		last--
	}
	return strings.Join(rows[first:last], "\n")
}

// space is the ASCII white space that str.strip removes.
const space = " \t\n\r\f\v"

func expandTabs(text string) string {
	if !strings.Contains(text, "\t") {
		return text
	}
	var b strings.Builder
	column := 0
	for _, c := range text {
		switch c {
		case '\t':
			fill := tabStop - column%tabStop
			b.WriteString(strings.Repeat(" ", fill))
			column += fill
			continue
		case '\n', '\r':
			column = -1
		}
		b.WriteRune(c)
		column++
	}
	return b.String()
}
