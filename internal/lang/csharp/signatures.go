package csharp

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/csharp/repair"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// signature sets the text and hash of n without its body and attributes.
func (c *reader) signature(sym *code.Symbol, n, body syntax.Node) {
	end := n.End()
	if body.Ok() {
		end = body.Start()
	}
	sym.Signature = c.headText(n, end)
	sym.SignatureHash = c.headHash(n, append(attributeLists(n), body)...)
	if n.Is("method_declaration", "operator_declaration", "conversion_operator_declaration", "destructor_declaration", "constructor_declaration") {
		sym.BodyHash = c.BodyHash(body)
	}
	sym.StartLine = c.Line(c.start(n))
}

// headHash is like [core.Reader.Hash] for a small node without the nodes in skip.
func (c *reader) headHash(n syntax.Node, skip ...syntax.Node) string {
	out := c.Lang.Shape.Append(make([]byte, 0, smallHead), n, skip)
	return srctext.ShortHash(append(out, c.Hidden(n, skip...)...))
}

// smallHead is the size of a buffer sufficient for most heads, in bytes.
const smallHead = 1024

// start returns the offset of a declaration after its attributes.
func (c *reader) start(n syntax.Node) int {
	for child := range n.Children() {
		if !child.Is("attribute_list") && !syntax.IsComment(child.Kind()) {
			return child.Start()
		}
	}
	return n.Start()
}

// headText returns the text of a declaration from after its attributes up to end.
func (c *reader) headText(n syntax.Node, end int) string {
	at := c.start(n)
	if end = min(end, c.Length); at >= end {
		return ""
	}
	text := withoutRemark(strings.TrimSpace(c.compiled(at, end)))
	for _, mark := range []string{";", "{", "=>", "="} {
		text = strings.TrimSpace(strings.TrimSuffix(text, mark))
	}
	return c.Dedent(text, at)
}

// withoutRemark removes trailing comments from a head.
func withoutRemark(head string) string {
	if !strings.Contains(head, "//") && !strings.Contains(head, "/*") {
		return head
	}
	tokens := repair.Tokens([]byte(head))
	if len(tokens) == 0 {
		return head
	}
	return head[:tokens[len(tokens)-1].End()]
}

// compiled returns the text between two offsets without the lines hidden from the parser:
// directives and inactive sections.
func (c *reader) compiled(from, to int) string {
	text, parsed := string(c.Source[from:to]), string(c.Rewritten[from:to])
	if !strings.Contains(text, "#") {
		return text
	}
	var b strings.Builder
	for row := range strings.Lines(text) {
		visible := strings.TrimSpace(parsed[:len(row)]) != "" || strings.TrimSpace(row) == ""
		parsed = parsed[len(row):]
		if visible {
			b.WriteString(row)
		}
	}
	return b.String()
}

// value is like [core.PlainValue] for source without inactive sections.
func (c *reader) value(n syntax.Node) string {
	if !n.Ok() || c.compiled(n.Start(), n.End()) != n.Text() {
		return ""
	}
	return core.PlainValue(n)
}

func attributeLists(n syntax.Node) []syntax.Node { return syntax.ChildrenOf(n, "attribute_list") }

// attributes returns the text of each attribute of a declaration in brackets, with its
// target: "[return: NotNull]".
func attributes(n syntax.Node) []string {
	var out []string
	for _, list := range attributeLists(n) {
		target := srctext.OneLine(list.Child("attribute_target_specifier").Text())
		if target != "" {
			target += " "
		}
		for _, a := range syntax.ChildrenOf(list, "attribute") {
			out = append(out, "["+target+a.Text()+"]")
		}
	}
	return out
}
