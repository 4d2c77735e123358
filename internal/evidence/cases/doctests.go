package cases

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/contracttest/runner"
)

// InDocs reports whether a test is an example in documentation. Its steps are known, but the
// parser found no calls in it.
func InDocs(t code.Test) bool { return t.Runner == runner.PythonDoc || t.Runner == runner.RustDoc }

// Documented returns the symbol that an example documents: "List.Len" for Go's
// ExampleList_Len_empty; "" for other tests.
func Documented(t code.Test) string {
	if InDocs(t) {
		return strings.ReplaceAll(t.Name, " > ", ".")
	}
	rest, ok := strings.CutPrefix(t.Name, "Example")
	if !ok || t.Runner != "go test" {
		return ""
	}
	parts := strings.Split(rest, "_")
	if last := parts[len(parts)-1]; len(parts) > 1 && last != "" && last[0] >= 'a' && last[0] <= 'z' {
		parts = parts[:len(parts)-1] // a suffix distinguishes several examples
	}
	return strings.Join(parts, ".")
}

// callsOf extracts the calls from the text of steps.
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

// callsInText finds the names before parentheses, each with its receiver expression.
func callsInText(text string, line int) []code.Call {
	var out []code.Call
	from := 0 // start of the expression
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"' || c == '\'' && quoteEnd(text, i) > i:
			i = quoteEnd(text, i)
		case c == '(':
			name := nameBefore(text[:i])
			on := text[from : i-len(name)]
			before := strings.TrimSpace(strings.TrimRight(on, ".: "))
			if before == "" && on != "" {
				before = "…" // of an unknown receiver
			}
			if name != "" {
				out = append(out, code.Call{Name: name, Receiver: before, Line: line})
			}
			if rest := strings.TrimLeft(afterBracket(text[i:]), " "); rest != "" && strings.ContainsAny(rest[:1], ".:?") { // a method chain continues
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
