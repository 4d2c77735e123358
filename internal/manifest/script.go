package manifest

import (
	"slices"
	"strings"
)

// Some manifests are programs: Gemfile, build.gradle, Package.swift. Their calls with literal arguments are read
// from a token list; computed values are not known.

// word is a token.
type word struct {
	text    string
	literal bool // a string literal; text is its content
	line    int
}

// dialect describes the lexical syntax of a manifest language.
type dialect struct {
	comment string // starts a line comment
	block   bool   // has /* */
	quotes  string
	bracket bool // [x] quotes, as in M4
	loose   bool // words are anything but blanks and brackets, as in CMake
}

var (
	rubyDialect  = dialect{comment: "#", quotes: `"'`}
	cmakeDialect = dialect{comment: "#", quotes: `"`, loose: true}
	mesonDialect = dialect{comment: "#", quotes: `"'`}
	braceDialect = dialect{comment: "//", block: true, quotes: `"'`}
	m4Dialect    = dialect{comment: "dnl", quotes: `"`, bracket: true}
)

// wordsOf returns the tokens of a program: words, literals and operators.
func wordsOf(text string, d dialect) []word {
	var out []word
	line := 1
	for text != "" {
		size, token := d.next(text)
		if token.text != "" || token.literal {
			token.line = line
			out = append(out, token)
		}
		line += strings.Count(text[:size], "\n")
		text = text[size:]
	}
	return out
}

// next returns the first token of text and its length; the zero token for blanks and comments.
func (d dialect) next(text string) (int, word) {
	if size := d.blank(text); size > 0 {
		return size, word{}
	}
	switch c := text[0]; {
	case strings.IndexByte(d.quotes, c) >= 0:
		return quotedWord(text, c)
	case d.bracket && c == '[':
		size := upTo(text, "]")
		return size, word{text: strings.Trim(text[:size], "[]"), literal: true}
	case d.loose && c != '(' && c != ')':
		return cutWord(text, func(c byte) bool { return strings.IndexByte(" \t\r\n()#\"", c) < 0 })
	case isWordByte(c):
		number := startsDigit(text)
		return cutWord(text, func(c byte) bool { return isWordByte(c) || c == '-' || c == '.' && number })
	}
	return 1, word{text: text[:1]}
}

// blank returns the length of the white space or comment at the start of text.
func (d dialect) blank(text string) int {
	switch {
	case strings.HasPrefix(text, d.comment) && (d.comment != "dnl" || len(text) == len("dnl") || !isWordByte(text[len("dnl")])):
		return upTo(text, "\n")
	case d.block && strings.HasPrefix(text, "/*"):
		return upTo(text, "*/")
	case text[0] <= ' ':
		return 1
	}
	return 0
}

// cutWord returns the longest prefix of bytes for which of is true, at least one byte.
func cutWord(text string, of func(c byte) bool) (int, word) {
	size := 1
	for size < len(text) && of(text[size]) {
		size++
	}
	return size, word{text: text[:size]}
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

func startsDigit(text string) bool { return text[0] >= '0' && text[0] <= '9' }

// upTo returns the length of the text up to and including end.
func upTo(text, end string) int {
	if i := strings.Index(text, end); i >= 0 {
		return i + len(end)
	}
	return len(text)
}

// quotedWord reads a string literal, possibly triple-quoted. Escapes are kept as written.
func quotedWord(text string, quote byte) (int, word) {
	if three := strings.Repeat(string(quote), 3); strings.HasPrefix(text, three) {
		size := len(three) + upTo(text[len(three):], three)
		return size, word{text: strings.Trim(text[:size], string(quote)), literal: true}
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '\n':
			return i, word{text: text[1:i], literal: true}
		case quote:
			return i + 1, word{text: text[1:i], literal: true}
		}
	}
	return len(text), word{text: text[1:], literal: true}
}

// arguments returns the argument tokens of a call at list[i]: those in the following brackets, else the rest of the
// line.
func arguments(list []word, i int) []word {
	rest := list[i+1:]
	if len(rest) == 0 || rest[0].text != "(" || rest[0].literal {
		end := slices.IndexFunc(rest, func(w word) bool { return w.line != list[i].line })
		if end < 0 {
			end = len(rest)
		}
		return rest[:end]
	}
	open := 0
	for k, w := range rest {
		switch {
		case w.literal:
		case w.text == "(":
			open++
		case w.text == ")":
			if open--; open == 0 {
				return rest[1:k]
			}
		}
	}
	return rest[1:]
}

// eachCall calls f for each name followed by brackets, with the tokens in them.
func eachCall(list []word, f func(name string, args []word)) {
	for i, w := range list {
		if !w.literal && i+1 < len(list) && list[i+1].text == "(" && !list[i+1].literal {
			f(w.text, arguments(list, i))
		}
	}
}

// literals returns the string literals among tokens.
func literals(list []word) []string {
	var out []string
	for _, w := range list {
		if w.literal {
			out = append(out, w.text)
		}
	}
	return out
}

// labelled returns the string after "label:" or "label =".
func labelled(list []word, label string) string {
	for i := range list {
		if i+2 < len(list) && list[i].text == label && !list[i].literal && strings.Contains(":=", list[i+1].text) && list[i+2].literal {
			return list[i+2].text
		}
	}
	return ""
}

// assigned returns the string assigned to a name: "name = x", "name := x" or "name x" at the start of a line.
func assigned(list []word, name string) string {
	for i, w := range list {
		if w.literal || w.text != name || i > 0 && list[i-1].line == w.line && list[i-1].text != "." {
			continue
		}
		for k := i + 1; k < len(list) && list[k].line == w.line; k++ {
			if list[k].literal {
				return list[k].text
			}
			if !strings.Contains(":=(", list[k].text) {
				break
			}
		}
	}
	return ""
}

// require adds a dependency unless it is there; a normal dependency overrides a development one.
func (f *Facts) require(q Requirement) {
	if q.Name == "" {
		return
	}
	for i := range f.Requires {
		if old := &f.Requires[i]; old.Name == q.Name {
			old.Dev = old.Dev && q.Dev
			if old.Version == "" {
				old.Version = q.Version
			}
			return
		}
	}
	f.Requires = append(f.Requires, q)
}
