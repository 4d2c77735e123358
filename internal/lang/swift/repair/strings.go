package repair

import (
	"bytes"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// quote is an open string literal.
type quote struct {
	pounds int  // number of # before it
	many   bool // it is delimited by """
	depth  int  // open brackets in its interpolation; 0 outside of one
}

// StringEnd returns the end of the string literal at from, after its closing quote.
// Interpolations and the literals in them are skipped. An unclosed one-line literal
// ends with its line.
func StringEnd(text []byte, from int) int {
	end, _ := readString(text, from)
	return end
}

// interpolations returns the spans of the interpolations of the literal at from,
// without those of nested literals.
func interpolations(text []byte, from int) []core.Span {
	_, inside := readString(text, from)
	return inside
}

func readString(text []byte, from int) (end int, inside []core.Span) {
	r := stringReader{text: text}
	open, at := openQuote(text, from)
	r.quotes = []quote{open}
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

// stringReader reads a literal and the literals in its interpolations.
type stringReader struct {
	text   []byte
	quotes []quote     // open literals
	inside []core.Span // interpolations of the outermost literal
}

// content reads the content of the innermost literal up to an interpolation or the end
// of the literal. It returns the offset after it, or -1 at the end of the text.
func (r *stringReader) content(at int) int {
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
	case 'n': // an unclosed literal
		r.quotes = nil
	}
	return end
}

// interpolation reads the next part of an interpolation. It returns -1 at the end of
// the text.
func (r *stringReader) interpolation(at int) int {
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

// literal reads the beginning of a literal in an interpolation, or a # that begins
// something else.
func (r *stringReader) literal(at int) int {
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

// openQuote reads the beginning of a literal and returns the offset of its content.
func openQuote(text []byte, from int) (quote, int) {
	q := quote{}
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

// closedAtOnce reports whether the opening quotes are the one-line literal #"""#, not
// the start of a multi-line literal.
func (q *quote) closedAtOnce(rest []byte) bool {
	line, _, _ := bytes.Cut(rest[3:], []byte("\n"))
	return q.pounds > 0 && len(bytes.TrimSpace(line)) > 0
}

// next finds the end of the content at from: 'e' for the end of the literal, 'i' for an
// interpolation, 'n' for the end of the line in an unclosed literal. It returns the
// offset after it.
func (q *quote) next(text []byte, from int) (at int, what byte) {
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

// escape returns the offset of the character that the backslash at offset at escapes,
// or at if the number of # does not match.
func (q *quote) escape(text []byte, at int) int {
	end := at + 1
	for end < len(text) && end-at-1 < q.pounds && text[end] == '#' {
		end++
	}
	if end-at-1 < q.pounds {
		return at
	}
	return end
}

// closes reports whether the quote at offset at ends the literal.
func (q *quote) closes(text []byte, at int) bool {
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
