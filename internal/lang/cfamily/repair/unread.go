package repair

import (
	"sort"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// Text that still fails to parse can absorb neighbouring declarations. Then the conditional
// directives there are hidden as well, and finally the bodies of functions: a character
// outside the grammar is an error at its place only.

// leastLost is the minimum length of an unread range that may contain declarations, in bytes.
const leastLost = 60

// unreadSpans returns the unread ranges outside functions.
func unreadSpans(root syntax.Node) []core.Span {
	var out []core.Span
	jump := 0
	for n := range root.Descendants() {
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

// overlaps reports whether one of the sorted spans overlaps a range.
func overlaps(spans []core.Span, start, end int) bool {
	i := sort.Search(len(spans), func(i int) bool { return spans[i].End > start })
	return i < len(spans) && spans[i].Start < end
}

// body rewrites the body of a function between two braces.
func (c *rewriting) body(open, end int) {
	if end > open {
		c.bodies = append(c.bodies, core.Span{Start: c.t[open].End, End: c.t[end].Start})
	}
	c.block(open+1, end)
}

// hideBodies replaces each body that overlaps one of the spans lost by a character outside the
// grammar. It reports whether there was one.
func (c *rewriting) hideBodies(lost []core.Span) bool {
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
		srctext.Blank(c.out[b.Start:b.End])
		c.out[at] = unreadable
		done = true
	}
	return done
}

// unreadable is a character that is not part of the grammars.
const unreadable = '@'
