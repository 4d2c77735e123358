package cfamily

import (
	"bytes"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/cfamily/repair"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// madeByMacro reads a function that the call of a macro heads, as
// SYSCALL_DEFINE3(read, …) {. It is called by the first name among the arguments,
// from which the macro makes the real name; its parameters are not known. A word
// in small letters is the function itself, of an implicit type (C89 3.5.2).
func (c *cReader) madeByMacro(n, outer syntax.Node, d cDeclarator, s *cScope) []*cDecl {
	body := c.bodyOf(n)
	if c.cpp || s.owner != "" || !n.Is("function_definition") || !body.Ok() {
		return nil
	}
	name := c.madeName(n.Start(), body.Start())
	if name == "" {
		return nil
	}
	f := c.begin(n, outer, name, code.Function, s)
	f.params = name
	c.place(f, outer, s)
	c.head(f, n, outer, d.top, body)
	f.BodyHash = c.bodyHash(n, body)
	return []*cDecl{f}
}

// madeName returns the name of the function whose head a macro is, from one byte
// to another; "" for a test and where no name is given.
func (c *cReader) madeName(from, to int) string {
	text := c.Source[from:to]
	macro := ""
	for _, t := range repair.Tokens(text, c.cpp) {
		word := string(text[t.Start:t.End])
		switch {
		case macro == "" && t.Kind == repair.Word && repair.CWords[word] == 0:
			if _, test := cTestMacros[word]; test {
				return ""
			}
			if macro = word; !repair.Capitals(word) {
				return word
			}
		case macro != "" && t.Kind == repair.Word && repair.CWords[word] == 0:
			return word
		}
	}
	return ""
}

// marks returns the macros before a declaration on its first line that the parser
// was not shown: API_EXTERN, NONNULL(1). They say of it what attributes do.
func (c *cReader) marks(outer syntax.Node) []string {
	to := outer.Start()
	from := to
	for from > 0 && (c.Rewritten[from-1] == ' ' || c.Rewritten[from-1] == '\t') {
		from--
	}
	text := c.Source[from:to]
	if len(bytes.TrimSpace(text)) == 0 {
		return nil
	}
	var out []string
	tokens := repair.Tokens(text, c.cpp)
	depth := 0
	for i, t := range tokens {
		word := string(text[t.Start:t.End])
		switch {
		case t.Kind == repair.Word && depth == 0 && repair.CWords[word] == 0:
			out = append(out, word)
		case word == "(":
			if depth++; depth == 1 && len(out) > 0 && i > 0 {
				end := closingToken(text, tokens, i)
				out[len(out)-1] += core.OneLine(string(text[tokens[i-1].End:tokens[end].End]))
			}
		case word == ")":
			depth--
		}
	}
	return out
}

// closingToken returns the token that closes the bracket at i, or the last one.
func closingToken(text []byte, tokens []repair.Token, i int) int {
	depth := 0
	for ; i < len(tokens); i++ {
		switch string(text[tokens[i].Start:tokens[i].End]) {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(tokens) - 1
}
