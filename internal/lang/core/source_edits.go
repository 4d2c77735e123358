package core

import (
	"slices"
	"sort"

	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// SourceEdits rewrites a source before it is parsed: it removes, inserts and replaces tokens.
// Unlike the patches of [PatchTokens], edits may change the length of the text; the nodes of
// the tree are then moved to the offsets of the source. Inserted text has an offset but no
// text there.
type SourceEdits struct {
	Source []byte
	Edits  []Edit
}

// Edit replaces source[Start:End] by Text.
type Edit struct {
	Start, End int
	Text       string
}

// piece is a range of the rewritten text and the range of the source that it comes from.
type piece struct {
	rewritten, start, end int
	edited                bool
}

// Parse parses the edited text. The tree's source and offsets are those of the unedited
// source.
func (w *SourceEdits) Parse(g *syntax.Grammar) (*syntax.Tree, error) {
	slices.SortStableFunc(w.Edits, func(a, b Edit) int { return a.Start - b.Start })
	text := make([]byte, 0, len(w.Source)+len(w.Source)/8)
	var pieces []piece
	at := 0
	for _, e := range w.Edits {
		if e.Start < at {
			continue
		}
		pieces = append(pieces, piece{len(text), at, e.Start, false})
		text = append(text, w.Source[at:e.Start]...)
		pieces = append(pieces, piece{len(text), e.Start, e.End, true})
		text = append(text, e.Text...)
		at = e.End
	}
	pieces = append(pieces, piece{len(text), at, len(w.Source), false})
	text = append(text, w.Source[at:]...)
	tree, err := g.Parse(text)
	if err != nil {
		return nil, err
	}
	size := len(text)
	return tree.Moved(w.Source, func(offset int, end bool) int { return origin(pieces, size, offset, end) }), nil
}

// origin returns the offset in the source of an offset in the rewritten text. An offset
// between two pieces belongs to the first one if it is the end of a node.
func origin(pieces []piece, size, offset int, end bool) int {
	i := sort.Search(len(pieces), func(i int) bool {
		return pieces[i].rewritten > offset || end && pieces[i].rewritten == offset
	}) - 1
	i = max(i, 0)
	p := pieces[i]
	length := size - p.rewritten
	if i+1 < len(pieces) {
		length = pieces[i+1].rewritten - p.rewritten
	}
	switch {
	case !p.edited:
		return min(p.start+offset-p.rewritten, p.end)
	case end && offset-p.rewritten >= length:
		return p.end
	case end && length > 0 && offset > p.rewritten && p.end > p.start:
		return min(p.start+offset-p.rewritten, p.end)
	}
	return p.start
}
