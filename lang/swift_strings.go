package lang

import (
	"bytes"
	"slices"
)

// swiftQuote is a string literal that is open while its text is read.
type swiftQuote struct {
	pounds int  // how many # stand before it
	many   bool // it is one of """
	depth  int  // brackets that are open in its interpolation; 0 outside of one
}

// swiftStringEnd returns where the string literal at from ends: at the quote that
// closes it, past the interpolations and the literals in those. A literal of one
// line that is not closed ends with the line.
func swiftStringEnd(text []byte, from int) int {
	end, _ := readSwiftString(text, from)
	return end
}

// swiftInterpolations returns where the interpolations of the literal at from
// stand, those of literals in them left out.
func swiftInterpolations(text []byte, from int) []span {
	_, inside := readSwiftString(text, from)
	return inside
}

func readSwiftString(text []byte, from int) (end int, inside []span) {
	open, at := openQuote(text, from)
	quotes := []swiftQuote{open}
	for at < len(text) && len(quotes) > 0 {
		q := &quotes[len(quotes)-1]
		if q.depth == 0 {
			end, what := q.next(text, at)
			at = end
			switch what {
			case 'i':
				q.depth = 1
				if len(quotes) == 1 {
					inside = append(inside, span{start: end})
				}
			case 'e':
				quotes = quotes[:len(quotes)-1]
			case 'n':
				return at, closedSpans(inside) // a literal without an end
			}
			continue
		}
		switch c := text[at]; {
		case c == '(':
			q.depth++
		case c == ')':
			q.depth--
			if q.depth == 0 && len(quotes) == 1 {
				inside[len(inside)-1].end = at
			}
		case c == '"' || c == '#' && poundsQuote(text, at):
			inner, next := openQuote(text, at)
			quotes = append(quotes, inner)
			at = next
			continue
		case c == '/' && at+1 < len(text) && text[at+1] == '*':
			at = swiftCommentEnd(text, at)
			continue
		case c == '\n' && !q.many:
			return at, closedSpans(inside)
		}
		at++
	}
	return min(at, len(text)), closedSpans(inside)
}

// closedSpans returns the spans that have an end.
func closedSpans(list []span) []span {
	return slices.DeleteFunc(list, func(s span) bool { return s.end <= s.start })
}

// poundsQuote tells whether a string literal begins with the # at from.
func poundsQuote(text []byte, from int) bool {
	for from < len(text) && text[from] == '#' {
		from++
	}
	return from < len(text) && text[from] == '"'
}

// openQuote reads how a literal begins, and where its content does.
func openQuote(text []byte, from int) (swiftQuote, int) {
	q := swiftQuote{}
	for from < len(text) && text[from] == '#' {
		q.pounds++
		from++
	}
	rest := text[from:]
	if bytes.HasPrefix(rest, []byte(`"""`)) && !q.closedAtOnce(rest) {
		q.many = true
		return q, from + 3
	}
	return q, min(from+1, len(text))
}

// closedAtOnce tells #"""# apart from what opens many lines: it is one quote.
func (q *swiftQuote) closedAtOnce(rest []byte) bool {
	line, _, _ := bytes.Cut(rest[3:], []byte("\n"))
	return q.pounds > 0 && len(bytes.TrimSpace(line)) > 0
}

// next looks for what ends the piece of content at from: 'e' the end of the
// literal, 'i' an interpolation, 'n' a line's end without that of the literal. It
// returns the offset behind it.
func (q *swiftQuote) next(text []byte, from int) (at int, what byte) {
	for at = from; at < len(text); at++ {
		switch c := text[at]; {
		case c == '\\':
			end := at + 1
			for end < len(text) && end-at-1 < q.pounds && text[end] == '#' {
				end++
			}
			if end-at-1 < q.pounds {
				continue // no escape among so many #
			}
			if end < len(text) && text[end] == '(' {
				return end + 1, 'i'
			}
			if end < len(text) && text[end] != '\n' {
				at = end
			}
		case c == '"' && q.closes(text, at):
			width := 1
			if q.many {
				width = 3
			}
			return at + width + q.pounds, 'e'
		case c == '\n' && !q.many:
			return at, 'n'
		}
	}
	return len(text), 'n'
}

// closes tells whether the quote at offset at ends the literal.
func (q *swiftQuote) closes(text []byte, at int) bool {
	if q.many {
		if !bytes.HasPrefix(text[at:], []byte(`"""`)) {
			return false
		}
		at += 2
	}
	for i := range q.pounds {
		if at+1+i >= len(text) || text[at+1+i] != '#' {
			return false
		}
	}
	return true
}
