package spec

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/code"
	"github.com/reverse-spec/reverse-spec/spec/runner"
)

// isDoc tells an example in documentation: its steps are known, but the parser saw
// no calls in it.
func (c *testCase) isDoc() bool { return c.Runner == runner.PythonDoc || c.Runner == runner.RustDoc }

// callsOf reads the calls off the text of steps.
func callsOf(steps []code.Step) []code.Call {
	var out []code.Call
	for _, s := range steps {
		if strings.HasPrefix(s.Text, "prints ") || strings.HasPrefix(s.Text, "throws ") {
			continue
		}
		_, text, ok := cutAssign(s.Text)
		if !ok {
			text = s.Text
		}
		out = append(out, callsInText(text, s.Line)...)
	}
	return out
}

// callsInText finds the names before parentheses, each with what stands before it
// in the same expression.
func callsInText(text string, line int) []code.Call {
	var out []code.Call
	from := 0 // where the expression begins
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"' || c == '\'' && quoteEnd(text, i) > i:
			i = quoteEnd(text, i)
		case c == '(':
			name := nameBefore(text[:i])
			on := text[from : i-len(name)]
			before := strings.TrimSpace(strings.TrimRight(on, ".: "))
			if before == "" && on != "" {
				before = "…" // of a thing that is not seen
			}
			if name != "" {
				out = append(out, code.Call{Name: name, Receiver: before, Line: line})
			}
			if rest := strings.TrimLeft(afterBracket(text[i:]), " "); rest != "" && strings.ContainsAny(rest[:1], ".:?") { // a chain goes on
				out = append(out, callsInText(text[i+1:len(text)-len(rest)-1], line)...)
				i = len(text) - len(rest) - 1
				continue
			}
			from = i + 1
		case c == ' ' && byteAt(text, i+1) == '.':
		case strings.IndexByte(" ,=[{)+-*/<>!&", c) >= 0:
			from = i + 1
		}
	}
	return out
}

// nameBefore is the name that a text ends with.
func nameBefore(text string) string {
	i := len(text)
	for i > 0 && isNameByte(text[i-1]) {
		i--
	}
	return nameAt(text[i:])
}
