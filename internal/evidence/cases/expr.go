package cases

import (
	"cmp"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// Link is one part of an expression that is read from left to right: a name, perhaps called, or the expression at its start.
type Link struct {
	Name   string   // without type arguments and the "!" of a macro; "" for a literal or an expression in parentheses
	Args   []string // as written
	Called bool
	Text   string // the expression up to here
}

// Links reads a chain of names and calls: expect(f(x)).not.toBe(1) is expect(f(x)), not and toBe(1). Words such as await and
// new at its start are skipped. It returns nil for other expressions: comparisons, sums, closures.
func Links(text string) []Link {
	text = Bare(text)
	r := linkReader{text: text}
	if !r.first() {
		return nil
	}
	for r.at < len(r.text) {
		if !r.next() {
			return nil
		}
	}
	return r.out
}

// Stripped returns an expression without the words before it that are about how it runs, and the semicolon after it.
func Stripped(text string) string {
	text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), ";"))
	for again := true; again; {
		again = false
		for _, o := range runners {
			if rest, ok := strings.CutPrefix(text, o); ok {
				text, again = strings.TrimSpace(rest), true
			}
		}
	}
	return text
}

// runners are words before an expression about how it runs.
var runners = []string{"await ", "try await ", "try! ", "try? ", "try ", "return ", "void ", "yield ", "with ", "_ = ", "_, _ = "}

// openers are words before an expression that do not change what it is about.
var openers = []string{"await ", "try await ", "try! ", "try? ", "try ", "return ", "void ", "yield ", "new ", "with ", "&mut ", "&", "*"}

// Bare returns an expression without the words before it and the semicolon after it.
func Bare(text string) string {
	text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), ";"))
	for again := true; again; {
		again = false
		for _, o := range openers {
			if rest, ok := strings.CutPrefix(text, o); ok {
				text, again = strings.TrimSpace(rest), true
			}
		}
	}
	return text
}

type linkReader struct {
	text string
	at   int
	out  []Link
}

// first reads the expression that the chain begins with.
func (r *linkReader) first() bool {
	if r.text == "" {
		return false
	}
	switch c := r.text[0]; {
	case c == '(' || c == '[' || c == '{':
		end := code.BracketEnd(r.text, 0)
		if end < 0 {
			return false
		}
		r.at = end + 1
	case c == '"' || c == '\'' || c == '`':
		end := code.QuoteEnd(r.text, 0)
		if end == 0 {
			return false
		}
		r.at = end + 1
	case c == '@' || c == '$' || c == '#':
		r.at = 1
		r.name()
		return len(r.out) > 0
	case isNameByte(c):
		r.name()
		return len(r.out) > 0
	default:
		return false
	}
	r.out = append(r.out, Link{Text: r.text[:r.at]})
	return true
}

// name reads a name, with the type arguments before a call.
func (r *linkReader) name() {
	from := r.at
	for r.at < len(r.text) && isNameByte(r.text[r.at]) {
		r.at++
	}
	if r.at == from {
		return
	}
	name := r.text[from:r.at]
	r.at += suffix(r.text[r.at:])
	r.out = append(r.out, Link{Name: name, Text: r.text[:r.at]})
}

// suffix returns the length of the type arguments or the sign that belong to the name before a text.
func suffix(rest string) int {
	switch {
	case strings.HasPrefix(rest, "::<"), strings.HasPrefix(rest, "<"):
		if end := anglesEnd(rest); end > 0 && (strings.HasPrefix(rest[end+1:], "(") || strings.HasPrefix(rest[end+1:], "::")) {
			return end + 1
		}
	case len(rest) > 1 && (rest[0] == '!' || rest[0] == '?') && strings.IndexByte("(.[ ", rest[1]) >= 0 && rest[1] != ' ' && !strings.HasPrefix(rest, "?."), rest == "!", rest == "?":
		return 1
	}
	return 0
}

// next reads what follows: a member, a call, an index, a block.
func (r *linkReader) next() bool {
	rest := r.text[r.at:]
	for _, dot := range []string{"?.", "!!.", "!.", ".", "->", "::", " .", " ?.", " ->"} {
		if strings.HasPrefix(rest, dot) {
			r.at += len(dot)
			r.at += len(r.text[r.at:]) - len(strings.TrimLeft(r.text[r.at:], " "))
			before := len(r.out)
			r.name()
			return len(r.out) > before
		}
	}
	if rest[0] == '(' || rest[0] == '[' || rest[0] == '{' || strings.HasPrefix(rest, " {") {
		return r.bracket(rest)
	}
	return r.command(rest)
}

// bracket reads a call with its arguments, an index, or the block after a call.
func (r *linkReader) bracket(rest string) bool {
	last := &r.out[len(r.out)-1]
	switch {
	case rest[0] == '(' || rest[0] == '[' && !last.Called && strings.HasSuffix(last.Text, "!"):
		end := code.BracketEnd(r.text, r.at)
		if end < 0 || last.Called {
			return false
		}
		last.Args, last.Called = splitArgs(r.text[r.at+1:end]), true
		r.at = end + 1
	case rest[0] == '[':
		end := code.BracketEnd(r.text, r.at)
		if end < 0 {
			return false
		}
		r.at = end + 1
		r.out = append(r.out, Link{Text: r.text[:r.at]})
		return true
	case strings.HasPrefix(rest, " {") || strings.HasPrefix(rest, "{"):
		open := r.at + strings.IndexByte(rest, '{')
		end := code.BracketEnd(r.text, open)
		if end < 0 {
			return false
		}
		last.Args, last.Called = append(last.Args, strings.TrimSpace(r.text[open+1:end])), true
		r.at = end + 1
	}
	last.Text = r.text[:r.at]
	return true
}

// expectations are the members of Ruby before a matcher without parentheses: expect(x).to eq 1.
var expectations = setOf("to", "not_to", "to_not", "should", "should_not")

// command reads a call of Ruby without parentheses.
func (r *linkReader) command(rest string) bool {
	last := &r.out[len(r.out)-1]
	switch {
	case rest[0] == ' ' && len(rest) > 1 && isNameByte(rest[1]) && expectations[last.Name]:
		more := Links(strings.TrimSpace(rest))
		if more == nil {
			name, args, _ := strings.Cut(strings.TrimSpace(rest), " ")
			more = []Link{{Name: name, Args: splitArgs(args), Called: true}}
		}
		r.out = append(r.out, more...)
		r.at = len(r.text)
		return true
	case rest[0] == ' ' && len(rest) > 1 && !last.Called && isCommand(last.Name) && strings.IndexByte("=<>&|+*/%", rest[1]) < 0:
		last.Args, last.Called = splitArgs(rest), true
		r.at = len(r.text)
	case strings.HasPrefix(rest, "!") && len(rest) == 1:
		r.at++
	default:
		return false
	}
	last.Text = r.text[:r.at]
	return true
}

// isCommand reports whether a method of Ruby is called without parentheses: assert_equal 3, n.
func isCommand(name string) bool {
	for _, prefix := range []string{"assert", "refute", "must_", "wont_", "equal", "eq", "be_", "raise_", "include", "match", "have_", "start_", "end_"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// anglesEnd returns the index of the ">" that closes the first "<" of a text; -1 for none.
func anglesEnd(text string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '<':
			depth++
		case c == '>':
			if depth--; depth == 0 {
				return i
			}
		case c != ':' && c != ',' && c != ' ' && c != '.' && c != '?' && c != '[' && c != ']' && c != '&' && !isNameByte(c):
			return -1
		}
	}
	return -1
}

// Closure returns what a function literal without parameters does: f(x) of () => f(x). It returns other texts unchanged.
func Closure(text string) string {
	text = strings.TrimSpace(text)
	if on, method, ok := strings.Cut(text, "::"); ok && isName(on) && isName(method) && method != "class" && on != strings.ToUpper(on[:1])+on[1:] {
		return on + "." + method + "()" // a method of a variable
	}
	for _, head := range closureHeads {
		if rest, ok := strings.CutPrefix(text, head); ok {
			return cmp.Or(Bare(bodyOf(head, strings.TrimSpace(rest))), text)
		}
	}
	if strings.HasPrefix(text, "{") && strings.HasSuffix(text, "}") && code.BracketEnd(text, 0) == len(text)-1 && !strings.Contains(text, ": ") && strings.Contains(text, "(") {
		return Bare(strings.TrimSpace(text[1 : len(text)-1])) // a block
	}
	return text
}

// bodyOf returns the body of a function literal, given its head and the rest of it.
func bodyOf(head, rest string) string {
	if _, after, typed := strings.Cut(rest, "{"); typed && strings.HasSuffix(head, ")") && !strings.HasPrefix(rest, "=>") && !strings.HasPrefix(rest, "->") {
		rest = "{" + after
	}
	rest = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(rest, "=>"), "->"))
	if strings.HasPrefix(rest, "{") && strings.HasSuffix(rest, "}") {
		rest = rest[1 : len(rest)-1]
	}
	return strings.TrimSuffix(strings.TrimSpace(rest), ";")
}

var closureHeads = []string{"lambda", "proc", "async () =>", "() =>", "() ->", "async ()", "lambda:", "async function()", "async function ()", "function()", "function ()", "static fn()", "fn()", "fn ()", "func()", "async delegate", "delegate", "||", "move ||"}

// Statements splits a text at the semicolons outside brackets.
func Statements(text string) []string { return splitAt(text, ';') }
