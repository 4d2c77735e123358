package crossrepo

import (
	"slices"
	"strings"
)

// literal is the content of a string literal in source code.
type literal struct {
	text  string
	line  int  // line of its first character
	based bool // it is appended to what is called as an address
}

// hashed are the languages whose comments begin with "#"; others use "//" and "/* */".
var hashed = []string{"python", "ruby"}

// literals returns the string literals of source code. Facts do not contain them, so this scans for quotes and
// comments, which are similar in all languages. An unmatched apostrophe ends at the end of its line.
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

// literalScanner scans source code.
type literalScanner struct {
	src  string
	at   int
	line int
	hash bool
	out  []literal
}

// advance skips n bytes.
func (s *literalScanner) advance(n int) {
	s.line += strings.Count(s.src[s.at:s.at+n], "\n")
	s.at += n
}

// skipTo skips to the end of the next mark, size bytes long, or to the end of the text.
func (s *literalScanner) skipTo(mark string, size int) {
	i := strings.Index(s.src[s.at:], mark)
	if i < 0 {
		s.at = len(s.src)
		return
	}
	s.advance(i + size)
}

// long reads a literal that may span lines.
func (s *literalScanner) long(quote string) {
	s.advance(len(quote))
	end := strings.Index(s.src[s.at:], quote)
	if end < 0 {
		return
	}
	s.out = append(s.out, literal{s.src[s.at : s.at+end], s.line, isBased(s.src[:s.at-len(quote)])})
	s.advance(end + len(quote))
}

// short reads a literal that ends on its line.
func (s *literalScanner) short(quote byte) {
	for i := s.at + 1; i < len(s.src) && s.src[i] != '\n'; i++ {
		switch s.src[i] {
		case '\\':
			i++
		case quote:
			s.out = append(s.out, literal{s.src[s.at+1 : i], s.line, isBased(s.src[:s.at])})
			s.at = i + 1
			return
		}
	}
	s.at++
}

// addresses are parts of the names of what paths are appended to.
var addresses = []string{"url", "uri", "host", "endpoint", "base", "api"}

// isBased reports whether what follows some code is appended to what is called as an address: "API_URL + ".
func isBased(before string) bool {
	const most = 100
	before, plus := strings.CutSuffix(strings.TrimRight(before[max(0, len(before)-most):], " \t\r\n"), "+")
	if !plus {
		return false
	}
	before = strings.TrimRight(before, " \t\r\n")
	name := before[strings.LastIndexFunc(before, func(r rune) bool { return !dotted(r) })+1:]
	return has(lastPart(name), addresses)
}
