package lang

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// modern shows the grammar what it would misread without knowing: a text that it
// has no error in.
func (p *phpReader) modern() {
	if len(p.mended) > 0 || !bytes.Contains(p.Source, []byte("__halt_compiler")) && !misread(p.Root()) {
		return
	}
	m := modernPHP(p.Source)
	tree, err := p.lang.grammar.Parse(m.text)
	if err != nil {
		return
	}
	p.adopt(p.Source, tree)
}

// misread tells a tree in which new A()->b() was taken for new (A()->b)().
func misread(root syntax.Node) bool {
	for n := range root.Within() {
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

// recall finds out what the parser was shown in another form, so that its
// meaning counts in hashes, and reads hooks in a text of their own.
func (p *phpReader) recall() {
	if len(p.mended) == 0 {
		return
	}
	m := modernPHP(p.Source[:p.written])
	p.mended = nil // the bytes say less than the extras
	for _, e := range m.extras {
		p.mended = append(p.mended, span{e.at, e.at, e.text})
	}
	for _, u := range p.unread {
		if end := min(u.end, p.written); u.start < end {
			p.mended = append(p.mended, span{u.start, end, words(string(p.Source[u.start:end]))})
		}
	}
	slices.SortStableFunc(p.mended, func(a, b span) int { return a.start - b.start })
	p.marks = slices.Clone(p.mended)
	if len(m.hooks) == 0 {
		return
	}
	tree, err := p.lang.grammar.Parse(m.hooksText())
	if err != nil {
		return
	}
	tree.Source = m.source
	blocks := map[int]syntax.Node{}
	for n := range tree.Root().Inner() {
		blocks[n.Start()] = n
	}
	for i := range m.hooks {
		h := &m.hooks[i]
		h.block = blocks[h.open]
		h.hash = shortHash([]byte(h.heads + p.lang.shape.hash(h.block)))
		p.mended = append(p.mended, span{h.open, h.close + 1, h.hash})
	}
	slices.SortStableFunc(p.mended, func(a, b span) int { return a.start - b.start })
	p.hooks, p.bodies = m.hooks, tree
}

// hooked adds its hooks to a property (PHP 8.4): to its text when none of them
// has a body.
func (p *phpReader) hooked(sym *code.Symbol, name syntax.Node, head phpHead) {
	i, ok := slices.BinarySearchFunc(p.hooks, name.Start(), func(h phpHook, at int) int { return cmp.Compare(h.property, at) })
	if !ok {
		return
	}
	h := p.hooks[i]
	last := &p.spans[len(p.spans)-1]
	last.end = max(last.end, h.close+1)
	sym.EndLine = p.Line(h.close)
	if h.abstract {
		sym.Signature = p.head(head.start, h.close+1, "")
		sym.SignatureHash = shortHash([]byte(sym.SignatureHash + h.heads))
		return
	}
	sym.BodyHash = shortHash([]byte(sym.BodyHash + h.hash))
}

// withoutHooks returns a declaration's text without the hooks of the properties
// that its parameters declare.
func (p *phpReader) withoutHooks(from, to int) string {
	const cut = "; {"
	var b strings.Builder
	i, _ := slices.BinarySearchFunc(p.hooks, from, func(h phpHook, at int) int { return cmp.Compare(h.open, at) })
	at := from
	for _, h := range p.hooks[i:] {
		if h.close >= to {
			break
		}
		b.Write(bytes.TrimRight(p.Source[at:h.open], " \t\r\n"))
		at = h.close + 1
	}
	if at == from {
		return p.head(from, to, cut)
	}
	b.Write(p.Source[at:max(at, min(to, p.written))])
	return p.dedent(strings.TrimRight(b.String(), cut+"\t\r\n"), from)
}

// readHooks reads the calls, notes and errors in hooks, which the file's own tree
// does not show.
func (p *phpReader) readHooks() {
	if p.bodies == nil {
		return
	}
	p.sortSpans()
	var rest strings.Builder
	done := 0 // errors inside an error say nothing new
	for n := range p.bodies.Root().Within() {
		if call, ok := phpCall(n); ok && call.Name != "" {
			call.Line, call.In = cmp.Or(call.Line, n.Line()), p.enclosing(n.Start())
			p.file.Calls = append(p.file.Calls, call)
		}
		switch {
		case n.Missing() || n.Kind() == "ERROR" && n.Parent().Ok() && n.Start() >= done:
			p.parseError(n)
			done = n.End()
		case isComment(n.Kind()):
			p.comment(n.Text(), n.Line(), &rest)
		}
	}
}
