package php

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/php/repair"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// repairMisread rewrites source that the grammar parses without an error but wrongly.
func (p *reader) repairMisread() {
	if len(p.Patched) > 0 || !bytes.Contains(p.Source, []byte("__halt_compiler")) && !misread(p.Root()) {
		return
	}
	m := repair.NewRewriter(p.Source)
	tree, err := p.Lang.Grammar.Parse(m.Text)
	if err != nil {
		return
	}
	p.SetTree(p.Source, tree)
}

// misread reports whether a tree has parsed new A()->b() as new (A()->b)().
func misread(root syntax.Node) bool {
	for n := range root.Descendants() {
		if !n.Is("object_creation_expression") {
			continue
		}
		callee := n.First()
		for callee.Is("member_access_expression", "nullsafe_member_access_expression", "scoped_property_access_expression", "subscript_expression") {
			callee = callee.First()
			if callee.Is("function_call_expression") {
				return true
			}
		}
	}
	return false
}

// recordRewrites records what was rewritten for the parser, so that the original
// meaning is part of the hashes. It also parses property hooks separately.
func (p *reader) recordRewrites() {
	if len(p.Patched) == 0 {
		return
	}
	m := repair.NewRewriter(p.Source[:p.Length])
	p.Patched = nil // replaced by the extras
	for _, e := range m.Extras {
		p.Patched = append(p.Patched, core.Span{Start: e.At, End: e.At, Name: e.Text})
	}
	for _, u := range p.Unread {
		if end := min(u.End, p.Length); u.Start < end {
			p.Patched = append(p.Patched, core.Span{Start: u.Start, End: end, Name: srctext.OneLine(string(p.Source[u.Start:end]))})
		}
	}
	slices.SortStableFunc(p.Patched, func(a, b core.Span) int { return a.Start - b.Start })
	p.marks = slices.Clone(p.Patched)
	if len(m.Hooks) == 0 {
		return
	}
	tree, err := p.Lang.Grammar.Parse(m.HooksText())
	if err != nil {
		return
	}
	tree.Source = m.Source
	blocks := map[int]syntax.Node{}
	for n := range tree.Root().NamedSeq() {
		blocks[n.Start()] = n
	}
	for i := range m.Hooks {
		h := &m.Hooks[i]
		h.Block = blocks[h.Open]
		h.Hash = srctext.ShortHash([]byte(h.Heads + p.Lang.Shape.Hash(h.Block)))
		p.Patched = append(p.Patched, core.Span{Start: h.Open, End: h.Close + 1, Name: h.Hash})
	}
	slices.SortStableFunc(p.Patched, func(a, b core.Span) int { return a.Start - b.Start })
	p.hooks, p.bodies = m.Hooks, tree
}

// hooked adds the hooks of a property (PHP 8.4). Their heads are part of its signature
// if none of them has a body.
func (p *reader) hooked(sym *code.Symbol, name syntax.Node, head declarationHead) {
	i, ok := slices.BinarySearchFunc(p.hooks, name.Start(), func(h repair.Hook, at int) int { return cmp.Compare(h.Property, at) })
	if !ok {
		return
	}
	h := p.hooks[i]
	last := &p.Spans[len(p.Spans)-1]
	last.End = max(last.End, h.Close+1)
	sym.EndLine = p.Line(h.Close)
	if h.Abstract {
		sym.Signature = p.Head(head.start, h.Close+1, "")
		sym.SignatureHash = srctext.ShortHash([]byte(sym.SignatureHash + h.Heads))
		return
	}
	sym.BodyHash = srctext.ShortHash([]byte(sym.BodyHash + h.Hash))
}

// withoutHooks returns the text of a declaration without the hooks of promoted
// properties in its parameters.
func (p *reader) withoutHooks(from, to int) string {
	const cut = "; {"
	var b strings.Builder
	i, _ := slices.BinarySearchFunc(p.hooks, from, func(h repair.Hook, at int) int { return cmp.Compare(h.Open, at) })
	at := from
	for _, h := range p.hooks[i:] {
		if h.Close >= to {
			break
		}
		b.Write(bytes.TrimRight(p.Source[at:h.Open], " \t\r\n"))
		at = h.Close + 1
	}
	if at == from {
		return p.Head(from, to, cut)
	}
	b.Write(p.Source[at:max(at, min(to, p.Length))])
	return p.Dedent(strings.TrimRight(b.String(), cut+"\t\r\n"), from)
}

// readHooks reads calls, comments and errors in hooks, which are not part of the file's
// own tree.
func (p *reader) readHooks() {
	if p.bodies == nil {
		return
	}
	p.SortSpans()
	var rest strings.Builder
	done := 0 // errors nested in an error are not reported again
	for n := range p.bodies.Root().Descendants() {
		if call, ok := callOf(n); ok && call.Name != "" {
			call.Line, call.In = cmp.Or(call.Line, n.Line()), p.Enclosing(n.Start())
			p.File.Calls = append(p.File.Calls, call)
		}
		switch {
		case n.Missing() || n.Kind() == "ERROR" && n.Parent().Ok() && n.Start() >= done:
			p.ParseError(n)
			done = n.End()
		case syntax.IsComment(n.Kind()):
			p.Comment(n.Text(), n.Line(), &rest)
		}
	}
}
