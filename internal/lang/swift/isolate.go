package swift

import (
	"bytes"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/swift/repair"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// One statement with a syntax error can corrupt the tree of all declarations around it.
// In that case the text is split into statements, and those that do not parse alone are
// blanked for the parser.

// isolate parses the text again without the statements that do not parse.
func (s *symbolReader) isolate() {
	if !s.Root().HasError() {
		return
	}
	p := splitter{
		SourceText: s.text, reader: s.Reader, rewritten: bytes.Clone(s.Rewritten), budget: core.ParseBudget * len(s.Rewritten),
		steps: core.RepairLimit(len(s.Rewritten)),
	}
	p.isolate(0, len(p.Tokens), -1, 0)
	if len(p.cuts) == 0 {
		return
	}
	tree, err := s.Lang.Grammar.Parse(p.rewritten)
	if err != nil || tree.Root().HasError() && syntax.UnreadBytes(tree.Root()) >= syntax.UnreadBytes(s.Root()) {
		return
	}
	for _, c := range p.cuts {
		c.Name = "unexpected " + srctext.QuoteShort(string(s.Source[c.Start:c.End]))
		s.Unread = append(s.Unread, c)
	}
	s.SetTree(s.Source, tree)
}

// splitter is the state of splitting one text into statements.
type splitter struct {
	*repair.SourceText
	reader    *core.Reader
	rewritten []byte // with the cuts blanked
	cuts      []core.Span
	budget    int   // remaining number of bytes to parse
	steps     int64 // remaining number of parser steps
}

// isolate blanks what does not parse among the statements in the tokens [from, to).
// frame is the token of the enclosing bracket.
func (p *splitter) isolate(from, to, frame, depth int) {
	pieces := p.split(from, to, frame)
	for _, piece := range pieces {
		whole := p.Tokens[piece.End-1].End()-p.Tokens[piece.Start].Start() > len(p.rewritten)/2 // it has an error as a whole
		if !whole && len(pieces) > 1 && p.readable(piece, frame) {
			continue
		}
		if depth < core.MaxPieces {
			for _, open := range p.blocks(piece, frame) {
				inner := core.Span{Start: open + 1, End: p.Match(open)}
				if inner.End > inner.Start && !p.readable(inner, open) {
					p.isolate(inner.Start, inner.End, open, depth+1)
				}
			}
		}
		if whole && depth < core.MaxPieces && len(p.blocks(piece, frame)) > 0 || p.readable(piece, frame) {
			continue
		}
		if !p.empty(piece, frame) {
			p.hide(piece)
		}
	}
}

// split divides the tokens [from, to) into statements. Attributes and modifiers on
// lines of their own belong to the next statement.
func (p *splitter) split(from, to, frame int) []core.Span {
	var out []core.Span
	prefix := false // only attributes and modifiers so far
	lost := true    // there is no previous token, or it is an unmatched bracket
	for i := from; i < to; i++ {
		if p.strays(i) {
			out = append(out, core.Span{Start: i, End: i + 1})
			lost = true
			continue
		}
		if lost || p.Frame(i) == frame && !prefix && p.starts(i) {
			out = append(out, core.Span{Start: i, End: i})
			lost, prefix = false, true
		}
		if p.Mark(i) == '@' {
			i = min(p.AttributeEnd(i), to-1)
		} else if !slices.Contains(repair.Modifiers, p.Word(i)) {
			prefix = false
		}
		if p.Match(i) > i && p.Match(i) < to {
			i = p.Match(i)
		}
		out[len(out)-1].End = i + 1
	}
	return out
}

// strays reports whether token i is an unmatched closing bracket.
func (p *splitter) strays(i int) bool {
	mark := p.Mark(i)
	return p.Match(i) < 0 && (mark == '}' || mark == ')' || mark == ']')
}

// starts reports whether token i begins a statement.
func (p *splitter) starts(i int) bool {
	return (p.Tokens[i].Newline || p.Mark(i-1) == ';') && p.Begins(i)
}

// blocks returns the opening braces of a statement.
func (p *splitter) blocks(piece core.Span, frame int) []int {
	var out []int
	for i := piece.Start; i < piece.End; i++ {
		if p.Mark(i) == '{' && p.Frame(i) == frame && p.Match(i) > i {
			out = append(out, i)
			i = p.Match(i)
		}
	}
	return out
}

// statementWraps are the text in which a statement is parsed alone, by the role of the
// enclosing bracket.
var statementWraps = map[repair.Role]string{
	repair.Code: "func f() {", repair.Body: "enum E {", repair.Protocol: "protocol P {", repair.Accessors: "var x: T {",
}

// readable reports whether a piece parses. frame is the token of the enclosing bracket.
func (p *splitter) readable(piece core.Span, frame int) bool {
	from, to := p.Tokens[piece.Start].Start(), p.Tokens[piece.End-1].End()
	p.budget -= to - from
	if p.budget < 0 || p.steps < 0 {
		return true // budget spent: leave the text unchanged
	}
	text := p.rewritten[from:to]
	if len(bytes.TrimSpace(text)) == 0 {
		return true
	}
	if frame >= 0 {
		text = slices.Concat([]byte(statementWraps[p.Role(frame)]+"\n"), text, []byte("\n}\n"))
	}
	tree, err := p.reader.Lang.Grammar.Parse(text)
	if err != nil {
		p.steps = -1
		return false
	}
	p.steps -= tree.Steps
	return !tree.Root().HasError()
}

// empty blanks the blocks of a statement. It reports false and undoes the change if the
// rest does not parse.
func (p *splitter) empty(piece core.Span, frame int) bool {
	blocks := p.blocks(piece, frame)
	if len(blocks) == 0 {
		return false
	}
	p.reader.Meter().Add(len(p.cuts))
	before, cuts := bytes.Clone(p.rewritten[p.Tokens[piece.Start].Start():p.Tokens[piece.End-1].End()]), slices.Clone(p.cuts)
	for _, open := range blocks {
		p.hide(core.Span{Start: open + 1, End: p.Match(open)})
	}
	if p.readable(piece, frame) {
		return true
	}
	copy(p.rewritten[p.Tokens[piece.Start].Start():], before)
	p.cuts = cuts
	return false
}

// hide blanks a piece. Cuts inside it are the last ones and are replaced.
func (p *splitter) hide(piece core.Span) {
	if piece.End <= piece.Start {
		return
	}
	from, to := p.Tokens[piece.Start].Start(), p.Tokens[piece.End-1].End()
	for len(p.cuts) > 0 && p.cuts[len(p.cuts)-1].Start >= from && p.cuts[len(p.cuts)-1].End <= to {
		p.cuts = p.cuts[:len(p.cuts)-1]
	}
	srctext.Blank(p.rewritten[from:to])
	p.cuts = append(p.cuts, core.Span{Start: from, End: to})
}

// settle drops the records of rewritten text that makes no difference to hashes: the
// tokens are those of the file, or insignificant punctuation.
func (s *symbolReader) settle() {
	if len(s.Patched) == 0 {
		return
	}
	var kept []core.Span
	next := 0
	for n := range s.Root().Descendants() {
		if next >= len(s.Patched) {
			break
		}
		if !n.Leaf() || syntax.IsComment(n.Kind()) {
			continue
		}
		for next < len(s.Patched) && s.Patched[next].Start < n.Start() {
			kept = append(kept, s.Patched[next])
			next++
		}
		for next < len(s.Patched) && s.Patched[next].End <= n.End() {
			next++
		}
	}
	kept = append(kept, s.Patched[next:]...)
	s.Patched = s.Patched[:0]
	for _, m := range kept {
		switch text := strings.TrimSpace(string(s.Source[m.Start:m.End])); text {
		case ",":
			s.File.Digest.Commas++
		case "", ";":
		default:
			s.Patched = append(s.Patched, m)
		}
	}
}
