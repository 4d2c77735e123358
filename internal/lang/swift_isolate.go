package lang

import (
	"bytes"
	"slices"
	"strings"
	"time"
)

// One unreadable statement can spoil all that is declared around it. Then the
// text is taken to pieces, statement by statement, and what cannot be read alone
// is not shown to the parser.

// isolate parses the text again without the statements that cannot be read.
func (s *swiftReader) isolate() {
	if !s.Root().HasError() {
		return
	}
	p := swiftPieces{
		swiftText: s.text, reader: s.reader, shown: bytes.Clone(s.shown), budget: parseBudget * len(s.shown),
		time: repairLimit(s.shown),
	}
	p.isolate(0, len(p.tokens), -1, 0)
	if len(p.cuts) == 0 {
		return
	}
	tree, err := s.lang.grammar.Parse(p.shown)
	if err != nil || tree.Root().HasError() && unreadBytes(tree.Root()) >= unreadBytes(s.Root()) {
		return
	}
	for _, c := range p.cuts {
		c.name = "unexpected " + quoteShort(string(s.Source[c.start:c.end]))
		s.unread = append(s.unread, c)
	}
	s.adopt(s.Source, tree)
}

// swiftPieces is a text being taken to pieces.
type swiftPieces struct {
	*swiftText
	reader *reader
	shown  []byte // with the cuts overwritten
	cuts   []span
	budget int           // bytes that may still be parsed
	time   time.Duration // of the processor, that parses may still take
}

// isolate overwrites what cannot be read among the statements from one token to
// the one before another, which stand in the bracket at token frame.
func (p *swiftPieces) isolate(from, to, frame, depth int) {
	pieces := p.split(from, to, frame)
	for _, piece := range pieces {
		whole := p.tokens[piece.end-1].end()-p.tokens[piece.start].start() > len(p.shown)/2 // that cannot be read as it is
		if !whole && len(pieces) > 1 && p.readable(piece, frame) {
			continue
		}
		if depth < maxPieces {
			for _, open := range p.blocks(piece, frame) {
				inner := span{start: open + 1, end: p.match(open)}
				if inner.end > inner.start && !p.readable(inner, open) {
					p.isolate(inner.start, inner.end, open, depth+1)
				}
			}
		}
		if whole && depth < maxPieces && len(p.blocks(piece, frame)) > 0 || p.readable(piece, frame) {
			continue
		}
		if !p.empty(piece, frame) {
			p.hide(piece)
		}
	}
}

// split divides the tokens between two of them into statements. Attributes and
// modifiers on lines of their own belong to what follows.
func (p *swiftPieces) split(from, to, frame int) []span {
	var out []span
	prefix := false // so far only what stands before a declaration
	lost := true    // the token before closes nothing, or there is none
	for i := from; i < to; i++ {
		if p.strays(i) {
			out = append(out, span{start: i, end: i + 1})
			lost = true
			continue
		}
		if lost || p.frame(i) == frame && !prefix && p.starts(i) {
			out = append(out, span{start: i, end: i})
			lost, prefix = false, true
		}
		if p.mark(i) == '@' {
			i = min(p.attributeEnd(i), to-1)
		} else if !slices.Contains(swiftModifiers, p.word(i)) {
			prefix = false
		}
		if p.match(i) > i && p.match(i) < to {
			i = p.match(i)
		}
		out[len(out)-1].end = i + 1
	}
	return out
}

// strays tells a bracket that closes none.
func (p *swiftPieces) strays(i int) bool {
	mark := p.mark(i)
	return p.match(i) < 0 && (mark == '}' || mark == ')' || mark == ']')
}

// starts tells whether token i begins a statement.
func (p *swiftPieces) starts(i int) bool {
	return (p.tokens[i].newline || p.mark(i-1) == ';') && p.begins(i)
}

// blocks returns the braces of a statement.
func (p *swiftPieces) blocks(piece span, frame int) []int {
	var out []int
	for i := piece.start; i < piece.end; i++ {
		if p.mark(i) == '{' && p.frame(i) == frame && p.match(i) > i {
			out = append(out, i)
			i = p.match(i)
		}
	}
	return out
}

// swiftWraps are what statements stand in that are parsed alone.
var swiftWraps = map[swiftRole]string{
	swiftCode: "func f() {", swiftBody: "enum E {", swiftProtocol: "protocol P {", swiftAccessors: "var x: T {",
}

// readable tells whether a part of the text that stands in the bracket at token
// frame can be read.
func (p *swiftPieces) readable(piece span, frame int) bool {
	from, to := p.tokens[piece.start].start(), p.tokens[piece.end-1].end()
	p.budget -= to - from
	if p.budget < 0 || p.time < 0 {
		return true // left as it is
	}
	text := p.shown[from:to]
	if len(bytes.TrimSpace(text)) == 0 {
		return true
	}
	if frame >= 0 {
		text = slices.Concat([]byte(swiftWraps[p.role(frame)]+"\n"), text, []byte("\n}\n"))
	}
	tree, err := p.reader.lang.grammar.Parse(text)
	if err != nil {
		p.time = -1
		return false
	}
	p.time -= tree.Cost
	return !tree.Root().HasError()
}

// empty hides what stands in the blocks of a statement, if it can be read then.
func (p *swiftPieces) empty(piece span, frame int) bool {
	blocks := p.blocks(piece, frame)
	if len(blocks) == 0 {
		return false
	}
	p.reader.Meter().Add(len(p.cuts))
	before, cuts := bytes.Clone(p.shown[p.tokens[piece.start].start():p.tokens[piece.end-1].end()]), slices.Clone(p.cuts)
	for _, open := range blocks {
		p.hide(span{start: open + 1, end: p.match(open)})
	}
	if p.readable(piece, frame) {
		return true
	}
	copy(p.shown[p.tokens[piece.start].start():], before)
	p.cuts = cuts
	return false
}

// hide overwrites a part of the text. Those that were hidden in it are the last ones.
func (p *swiftPieces) hide(piece span) {
	if piece.end <= piece.start {
		return
	}
	from, to := p.tokens[piece.start].start(), p.tokens[piece.end-1].end()
	for len(p.cuts) > 0 && p.cuts[len(p.cuts)-1].start >= from && p.cuts[len(p.cuts)-1].end <= to {
		p.cuts = p.cuts[:len(p.cuts)-1]
	}
	blank(p.shown[from:to])
	p.cuts = append(p.cuts, span{start: from, end: to})
}

// settle forgets the places that the parser was shown in another form where that
// makes no difference: the tokens there are the file's own, or they are
// punctuation that says nothing.
func (s *swiftReader) settle() {
	if len(s.mended) == 0 {
		return
	}
	var kept []span
	next := 0
	for n := range s.Root().Within() {
		if next >= len(s.mended) {
			break
		}
		if !n.Leaf() || isComment(n.Kind()) {
			continue
		}
		for next < len(s.mended) && s.mended[next].start < n.Start() {
			kept = append(kept, s.mended[next])
			next++
		}
		for next < len(s.mended) && s.mended[next].end <= n.End() {
			next++
		}
	}
	kept = append(kept, s.mended[next:]...)
	s.mended = s.mended[:0]
	for _, m := range kept {
		switch text := strings.TrimSpace(string(s.Source[m.start:m.end])); text {
		case ",":
			s.file.Digest.Commas++
		case "", ";":
		default:
			s.mended = append(s.mended, m)
		}
	}
}
