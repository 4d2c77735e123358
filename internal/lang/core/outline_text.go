package core

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// isCompound reports whether a node has statements of its own: it is a function, a branch, a loop, a choice or a handler, or
// holds a block outside those.
func (o *outliner) isCompound(n syntax.Node) bool {
	if !n.Ok() || n.Leaf() {
		return false
	}
	switch o.Rules.Flow[n.Kind()] {
	case FlowFunction:
		return o.hasStatements(n)
	case FlowIfModifier, FlowUnlessModifier, FlowFor, FlowWhile, FlowUntil, FlowDo, FlowForever, FlowSwitch, FlowTry:
		return true
	case FlowIf, FlowUnless:
		return !conditionals[n.Kind()]
	case FlowVariant:
		return true
	default:
	}
	for c := range n.NamedSeq() {
		if containers[c.Kind()] {
			return true
		}
	}
	return false
}

// hasStatements reports whether a function does more than to return an expression.
func (o *outliner) hasStatements(n syntax.Node) bool {
	body := n.Field("body")
	for c := range n.NamedSeq() {
		if !body.Ok() && containers[c.Kind()] {
			body = c
		}
	}
	return containers[body.Kind()] || o.isCompound(body)
}

// parts returns the outermost compound nodes inside a node.
func (o *outliner) parts(n syntax.Node) []syntax.Node {
	var out []syntax.Node
	for c := range n.NamedSeq() {
		if o.isCompound(c) || containers[c.Kind()] {
			out = append(out, c)
			continue
		}
		out = append(out, o.parts(c)...)
	}
	return out
}

// text returns a node as written, on one line, without comments and with "…" for parts of it.
func (o *outliner) text(n syntax.Node, parts []syntax.Node) string {
	var b strings.Builder
	at := n.Start()
	source := n.Text()
	cut := func(c syntax.Node, mark string) {
		if c.Start() >= at {
			b.WriteString(source[at-n.Start() : c.Start()-n.Start()])
			b.WriteString(mark)
			at = c.End()
		}
	}
	next := 0
	for c := range n.Descendants() {
		switch {
		case c.Start() < at:
		case next < len(parts) && c == parts[next]:
			next++
			cut(c, "…")
		case syntax.IsComment(c.Kind()):
			cut(c, "")
		case o.Rules.Texts[c.Kind()] && strings.Contains(ownText(c), "\n"):
			o.failed = true // its lines matter
		}
	}
	b.WriteString(source[at-n.Start():])
	out := JoinedLines(b.String())
	if len(out) > maxOutlineText {
		o.failed = true
	}
	return strings.TrimRight(strings.TrimSpace(out), ";")
}

// ownText returns a text literal without the expressions in it.
func ownText(n syntax.Node) string {
	var b strings.Builder
	at := n.Start()
	for c := range n.NamedSeq() {
		if !c.Leaf() && c.Start() >= at {
			b.WriteString(n.Text()[at-n.Start() : c.Start()-n.Start()])
			at = c.End()
		}
	}
	return b.String() + n.Text()[at-n.Start():]
}

// JoinedLines joins the lines of code, and keeps the spaces in them.
func JoinedLines(text string) string {
	if !strings.Contains(text, "\n") {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if before := b.String(); line != "" && before != "" && !strings.HasSuffix(before, "(") && !strings.HasSuffix(before, "[") && (strings.HasPrefix(line, "...") || !strings.ContainsAny(line[:1], ")].,")) {
			b.WriteByte(' ')
		}
		b.WriteString(line)
	}
	return b.String()
}
