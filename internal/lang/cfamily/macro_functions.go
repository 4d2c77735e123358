package cfamily

import (
	"bytes"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/cfamily/repair"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// madeByMacro reads a function whose head is a macro call, such as SYSCALL_DEFINE3(read, …) {.
// Its name is the first name among the arguments, from which the macro makes the real name;
// its parameters are unknown. A lower-case word is the function itself, with an implicit
// result type (C89 3.5.2).
func (c *reader) madeByMacro(n, outer syntax.Node, d declarator, s *declScope) []*declaration {
	body := c.bodyOf(n)
	if c.cpp || s.owner != "" || !n.Is("function_definition") || !body.Ok() {
		return nil
	}
	name := c.nameInHead(c.headStart(n, &d), body.Start(), false)
	if name == "" {
		return nil
	}
	f := c.begin(n, outer, name, code.Function, s)
	f.params = name
	c.place(f, outer, s)
	c.head(f, n, outer, d.top, body)
	f.BodyHash = c.bodyHash(n, body)
	return []*declaration{f}
}

// headOfMacro reports whether the head of a function's definition in C is a macro call: its parameters are mere names,
// TEST(parses) {, or it has none.
func (d *declarator) headOfMacro() bool {
	if !d.function.Ok() {
		return true
	}
	list := d.function.Field("parameters")
	for p := range list.NamedSeq() {
		if !p.Is("identifier") && (!p.Is("parameter_declaration") || p.Field("declarator").Ok() || !p.Field("type").Is("type_identifier")) {
			return false
		}
	}
	return list.First().Ok() && d.name.Is("identifier") && repair.Capitals(d.name.Text())
}

// headStart returns where the macro call begins that is the head of the function n.
func (c *reader) headStart(n syntax.Node, d *declarator) int {
	if d.function.Ok() && !c.inWord(d.full) && d.headOfMacro() {
		return d.name.Start()
	}
	return n.Start()
}

// nameInHead returns the name of the function whose head is the macro call between two offsets; "" if
// there is none. A test has one if its macro names nothing else, and only where tests count.
func (c *reader) nameInHead(from, to int, tests bool) string {
	text := c.Source[from:to]
	macro := ""
	for _, t := range repair.Tokens(text, c.cpp) {
		word := string(text[t.Start:t.End])
		switch {
		case macro == "" && t.Kind == repair.Word && repair.CWords[word] == 0:
			if form, test := testMacros[word]; test && (!tests || form.form != oneName) {
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

// hiddenMacros returns the macros before a declaration on its first line that were hidden from the
// parser: API_EXTERN, NONNULL(1). They are treated as attributes.
func (c *reader) hiddenMacros(outer syntax.Node) []string {
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
				out[len(out)-1] += srctext.OneLine(string(text[tokens[i-1].End:tokens[end].End]))
			}
		case word == ")":
			depth--
		}
	}
	return out
}

// closingToken returns the index of the token that closes the bracket at i, or of the last
// token.
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
