package repair

import (
	"bytes"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// swiftQuote is a string literal that is open while its text is read.
type swiftQuote struct {
	pounds int  // how many # stand before it
	many   bool // it is one of """
	depth  int  // brackets that are open in its interpolation; 0 outside of one
}

// StringEnd returns where the string literal at from ends: at the quote that
// closes it, past the interpolations and the literals in those. A literal of one
// line that is not closed ends with the line.
func StringEnd(text []byte, from int) int {
	end, _ := readSwiftString(text, from)
	return end
}

// swiftInterpolations returns where the interpolations of the literal at from
// stand, those of literals in them left out.
func swiftInterpolations(text []byte, from int) []core.Span {
	_, inside := readSwiftString(text, from)
	return inside
}

func readSwiftString(text []byte, from int) (end int, inside []core.Span) {
	r := swiftStringReader{text: text}
	open, at := openQuote(text, from)
	r.quotes = []swiftQuote{open}
	for at < len(text) && len(r.quotes) > 0 && at >= 0 {
		end = at
		if r.quotes[len(r.quotes)-1].depth == 0 {
			at = r.content(at)
		} else {
			at = r.interpolation(at)
		}
	}
	if at >= 0 {
		end = min(at, len(text))
	}
	return end, closedSpans(r.inside)
}

// swiftStringReader reads a literal and those in its interpolations.
type swiftStringReader struct {
	text   []byte
	quotes []swiftQuote // those that are open
	inside []core.Span  // the interpolations of the first
}

// content reads the content of the innermost literal up to an interpolation or the
// literal's end, and returns where the text goes on; -1 for nowhere.
func (r *swiftStringReader) content(at int) int {
	q := &r.quotes[len(r.quotes)-1]
	end, what := q.next(r.text, at)
	switch what {
	case 'i':
		q.depth = 1
		if len(r.quotes) == 1 {
			r.inside = append(r.inside, core.Span{Start: end})
		}
	case 'e':
		r.quotes = r.quotes[:len(r.quotes)-1]
	case 'n': // a literal without an end
		r.quotes = nil
	}
	return end
}

// interpolation reads the next piece of an interpolation; -1 when the text ends
// with it.
func (r *swiftStringReader) interpolation(at int) int {
	q := &r.quotes[len(r.quotes)-1]
	switch c := r.text[at]; {
	case c == '(':
		q.depth++
	case c == ')':
		q.depth--
		if q.depth == 0 && len(r.quotes) == 1 {
			r.inside[len(r.inside)-1].End = at
		}
	case c == '"' || c == '#':
		return r.literal(at)
	case c == '/' && at+1 < len(r.text) && r.text[at+1] == '*':
		return CommentEnd(r.text, at)
	case c == '\n' && !q.many:
		return -1
	}
	return at + 1
}

// literal reads how a literal in an interpolation begins; or the # of something
// else.
func (r *swiftStringReader) literal(at int) int {
	end := at
	for end < len(r.text) && r.text[end] == '#' {
		end++
	}
	if end >= len(r.text) || r.text[end] != '"' {
		return end
	}
	inner, next := openQuote(r.text, at)
	r.quotes = append(r.quotes, inner)
	return next
}

// closedSpans returns the spans that have an end.
func closedSpans(list []core.Span) []core.Span {
	return slices.DeleteFunc(list, func(s core.Span) bool { return s.End <= s.Start })
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
			end := q.escape(text, at)
			if end < len(text) && text[end] == '(' && end > at {
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

// escape returns the character that the backslash at offset at escapes; at itself
// when it escapes none among so many #.
func (q *swiftQuote) escape(text []byte, at int) int {
	end := at + 1
	for end < len(text) && end-at-1 < q.pounds && text[end] == '#' {
		end++
	}
	if end-at-1 < q.pounds {
		return at
	}
	return end
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
