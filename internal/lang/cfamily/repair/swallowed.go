package repair

import (
	"sort"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// What stays unread in spite of all may swallow the declarations around it. Then
// the grammar is spared the conditions there, and in the end the bodies of
// functions: a sign that no grammar knows is an error where it stands, and only
// there.

// leastLost is how long an unread piece is that may hold declarations.
const leastLost = 60

// swallowed returns the pieces outside of functions that were not read.
func swallowed(root syntax.Node) []core.Span {
	var out []core.Span
	jump := 0
	for n := range root.Within() {
		switch {
		case n.Index() < jump:
		case n.Kind() == "ERROR":
			if jump = n.After(); n.End()-n.Start() >= leastLost {
				out = append(out, core.Span{Start: n.Start(), End: n.End()})
			}
		case n.Is("compound_statement") && n.Parent().Is("function_definition"), !n.HasError():
			jump = n.After()
		}
	}
	return out
}

// overlaps reports whether one of the spans, in order, shares bytes with a part of
// the text.
func overlaps(spans []core.Span, start, end int) bool {
	i := sort.Search(len(spans), func(i int) bool { return spans[i].End > start })
	return i < len(spans) && spans[i].Start < end
}

// body rewrites the body of a function between two braces.
func (c *cText) body(open, end int) {
	if end > open {
		c.bodies = append(c.bodies, core.Span{Start: c.t[open].End, End: c.t[end].Start})
	}
	c.block(open+1, end)
}

// hideBodies shows a sign in the place of each body that overlaps what was lost; it
// reports whether there was one.
func (c *cText) hideBodies(lost []core.Span) bool {
	done := false
	for _, b := range c.bodies {
		if b.End-b.Start < 2 || !overlaps(lost, b.Start, b.End) {
			continue
		}
		at := b.Start
		for at < b.End-1 && (c.out[at] == '\n' || c.out[at] == '\r') {
			at++
		}
		if c.out[at] == unreadable {
			continue
		}
		core.Blank(c.out[b.Start:b.End])
		c.out[at] = unreadable
		done = true
	}
	return done
}

// unreadable is a sign of no grammar.
const unreadable = '@'
