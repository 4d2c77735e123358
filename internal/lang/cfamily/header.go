package cfamily

import (
	"bytes"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
)

// dialectOfHeader returns C++ for a header that cannot be C: it uses a C++ keyword outside
// comments, strings and parts for __cplusplus. Otherwise it returns nil.
func dialectOfHeader(src []byte) *core.Language {
	h := headerScan{text: src, line: true}
	for h.next() {
		if h.isCPP() {
			return CPP
		}
	}
	return nil
}

// headerScan iterates over the tokens of a header.
type headerScan struct {
	text  []byte
	at    int
	token []byte
	last  []byte // the previous token
	skip  int    // number of conditions open inside a part for __cplusplus
	line  bool   // the token is the first of its line
}

// next moves to the next token, skipping comments, strings and directives.
func (h *headerScan) next() bool {
	h.last = h.token
	for h.at < len(h.text) {
		rest := h.text[h.at:]
		switch ch := rest[0]; {
		case ch == '\n':
			h.line = true
			h.at++
		case ch == ' ' || ch == '\t' || ch == '\r' || ch == '\f' || ch == '\\':
			h.at++
		case bytes.HasPrefix(rest, []byte("//")):
			h.at += restOfLine(rest)
		case bytes.HasPrefix(rest, []byte("/*")):
			h.at += endOf(rest, "*/", 2)
		case ch == '#' && h.line:
			h.directive()
		case ch == '"' || ch == '\'':
			h.at += literalEnd(rest, ch)
			h.line = false
		case h.skip > 0:
			h.at += tokenEnd(rest)
			h.line = false
		default:
			n := tokenEnd(rest)
			h.token = rest[:n]
			h.at += n
			h.line = false
			return true
		}
	}
	return false
}

// directive skips a directive and tracks the parts that C does not compile.
func (h *headerScan) directive() {
	rest := h.text[h.at:]
	n := restOfLine(rest)
	for n < len(rest) && rest[n-1] == '\\' {
		n += 1 + restOfLine(rest[n+1:])
	}
	words := bytes.Fields(bytes.TrimLeft(rest[1:n], " \t"))
	h.at += n
	if len(words) == 0 {
		return
	}
	word := string(words[0])
	switch word {
	case "if", "ifdef", "ifndef":
		if h.skip > 0 || forCPP(word, rest[:n]) {
			h.skip++
		}
	case "endif":
		h.skip = max(h.skip-1, 0)
	case "else", "elif":
		if h.skip == 1 {
			h.skip = 0
		}
	}
}

// forCPP reports whether a condition holds only in C++.
func forCPP(word string, line []byte) bool {
	return bytes.Contains(line, []byte("__cplusplus")) && word != "ifndef" && !bytes.Contains(line, []byte("!defined"))
}

// isCPP reports whether the token, with the previous one, is C++ and cannot be C.
func (h *headerScan) isCPP() bool {
	switch string(h.token) {
	case "::":
		return true
	case "namespace", "typename", "static_cast", "reinterpret_cast", "const_cast", "dynamic_cast", "consteval", "constinit", "noexcept", "nullptr_t", "decltype":
		return h.word()
	case "<":
		return string(h.last) == "template"
	case ":":
		switch string(h.last) {
		case "public", "private", "protected":
			return true
		}
	case "class":
		return h.named()
	case "operator", "virtual", "explicit", "friend", "mutable", "using":
		return h.named()
	}
	return false
}

// word reports whether the token is used as a keyword: before the end of an expression or
// declarator it is a name of C.
func (h *headerScan) word() bool {
	rest := bytes.TrimLeft(h.text[h.at:], " \t\r\n")
	return len(rest) > 0 && !bytes.ContainsRune([]byte(";,)=[.-"), rune(rest[0])) && !bytes.HasSuffix(h.last, []byte(".")) && !bytes.HasSuffix(h.last, []byte(">"))
}

// named reports whether a name or a type follows.
func (h *headerScan) named() bool {
	rest := bytes.TrimLeft(h.text[h.at:], " \t\r\n")
	if len(rest) == 0 || string(h.last) == "struct" || string(h.last) == "int" {
		return false
	}
	if string(h.token) == "operator" {
		return bytes.ContainsRune([]byte("=<>!+-*/&|^%[(~"), rune(rest[0])) && string(h.last) != "."
	}
	return srctext.NameByte(rest[0]) || rest[0] == '~'
}

func tokenEnd(rest []byte) int {
	if bytes.HasPrefix(rest, []byte("::")) {
		return 2
	}
	n := 0
	for n < len(rest) && srctext.NameByte(rest[n]) {
		n++
	}
	return max(n, 1)
}

func restOfLine(rest []byte) int {
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		return i
	}
	return len(rest)
}

func endOf(rest []byte, mark string, from int) int {
	if i := bytes.Index(rest[from:], []byte(mark)); i >= 0 {
		return from + i + len(mark)
	}
	return len(rest)
}

// literalEnd returns the end of a string or character literal, at most the end of its line.
func literalEnd(rest []byte, quote byte) int {
	for i := 1; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			i++
		case quote:
			return i + 1
		case '\n':
			return i
		}
	}
	return len(rest)
}
