package crossrepo

import (
	"slices"
	"strings"
)

// literal is a text between quotes in source code, without them.
type literal struct {
	text string
	line int // of its first character
}

// hashed are the languages whose comments begin with "#"; those of all others begin
// with "//" or stand between "/*" and "*/".
var hashed = []string{"python", "ruby"} //nolint:gochecknoglobals // a table

// literals returns the texts between quotes in source code. Facts do not keep them,
// so they are read off the text by its quotes and comments alone, which all languages
// have much in common: an apostrophe that opens nothing ends with its line.
func literals(src, language string) []literal {
	s := &literalScanner{src: src, line: 1, hash: slices.Contains(hashed, language)}
	for s.at < len(s.src) {
		switch rest := s.src[s.at:]; {
		case s.hash && rest[0] == '#', !s.hash && strings.HasPrefix(rest, "//"):
			s.skipTo("\n", 0)
		case !s.hash && strings.HasPrefix(rest, "/*"):
			s.skipTo("*/", 2)
		case strings.HasPrefix(rest, `"""`), strings.HasPrefix(rest, `'''`):
			s.long(rest[:3])
		case rest[0] == '`':
			s.long("`")
		case rest[0] == '"', rest[0] == '\'':
			s.short(rest[0])
		default:
			s.advance(1)
		}
	}
	return s.out
}

// literalScanner walks over source code.
type literalScanner struct {
	src  string
	at   int
	line int
	hash bool
	out  []literal
}

// advance goes on by n bytes.
func (s *literalScanner) advance(n int) {
	s.line += strings.Count(s.src[s.at:s.at+n], "\n")
	s.at += n
}

// skipTo goes on behind a mark of so many bytes; to the end where there is none.
func (s *literalScanner) skipTo(mark string, size int) {
	i := strings.Index(s.src[s.at:], mark)
	if i < 0 {
		s.at = len(s.src)
		return
	}
	s.advance(i + size)
}

// long takes a text that may go over several lines.
func (s *literalScanner) long(quote string) {
	s.advance(len(quote))
	end := strings.Index(s.src[s.at:], quote)
	if end < 0 {
		return
	}
	s.out = append(s.out, literal{s.src[s.at : s.at+end], s.line})
	s.advance(end + len(quote))
}

// short takes a text that ends on its line.
func (s *literalScanner) short(quote byte) {
	for i := s.at + 1; i < len(s.src) && s.src[i] != '\n'; i++ {
		switch s.src[i] {
		case '\\':
			i++
		case quote:
			s.out = append(s.out, literal{s.src[s.at+1 : i], s.line})
			s.at = i + 1
			return
		}
	}
	s.at++
}
