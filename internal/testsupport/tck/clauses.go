package tck

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clause is a writing clause, or a sequence of reading clauses.
type Clause struct {
	Keyword string // in upper case
	Text    string // including the keyword
}

// keywords begin the clauses.
var keywords = map[string]bool{ // value: whether it writes
	"MATCH": false, "OPTIONAL": false, "UNWIND": false, "WITH": false, "RETURN": false, "UNION": false,
	"CREATE": true, "MERGE": true, "SET": true, "DELETE": true, "DETACH": true, "REMOVE": true, "CALL": true,
}

// Clauses splits a statement into clauses. It does not parse the grammar, but finds keywords outside brackets,
// strings and comments. Adjacent reading clauses are joined. Keywords within a writing clause (ON CREATE SET in a
// MERGE, DETACH DELETE) begin clauses of their own.
func Clauses(statement string) []Clause {
	var all []Clause
	from := -1 // start of the current clause
	reading := false
	var keyword string
	words(statement, func(word string, at int) {
		writes, ok := keywords[word]
		if !ok || from >= 0 && reading && !writes {
			return
		}
		if from >= 0 {
			all = append(all, Clause{keyword, statement[from:at]})
		}
		from, reading, keyword = at, !writes, word
	})
	if from >= 0 {
		all = append(all, Clause{keyword, strings.TrimRight(statement[from:], " \n;")})
	}
	return all
}

// Writes returns the keywords of the writing clauses, and CALL.
func Writes(query string) []string {
	var all []string
	for _, clause := range Clauses(query) {
		if keywords[clause.Keyword] && !slices.Contains(all, clause.Keyword) {
			all = append(all, clause.Keyword)
		}
	}
	return all
}

// words calls f for each word outside brackets, strings and comments, in upper case.
func words(text string, f func(word string, at int)) {
	depth := 0
	for i := 0; i < len(text); {
		rest := text[i:]
		switch c := rest[0]; {
		case strings.HasPrefix(rest, "//"):
			i += span(rest, "\n")
			continue
		case strings.HasPrefix(rest, "/*"):
			i += span(rest, "*/")
			continue
		case c == '\'' || c == '"' || c == '`':
			i += quoted(rest)
			continue
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		}
		n := wordLength(rest)
		if n > 0 && depth == 0 && (i == 0 || strings.IndexByte(".:$", text[i-1]) < 0) {
			f(strings.ToUpper(rest[:n]), i)
		}
		i += max(n, 1)
	}
}

// span returns the length of the text up to and including end.
func span(text, end string) int {
	if at := strings.Index(text, end); at >= 0 {
		return at + len(end)
	}
	return len(text)
}

// quoted returns the length of a quoted text.
func quoted(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[0]:
			return i + 1
		}
	}
	return len(text)
}

// wordLength returns the length of the leading word.
func wordLength(text string) int {
	n := 0
	for n < len(text) {
		r, size := utf8.DecodeRuneInString(text[n:])
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		n += size
	}
	return n
}
