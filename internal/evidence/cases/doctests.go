package cases

import (
	"slices"
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

// named returns the exports that an example in documentation names: functions and types by their names, and methods of
// the type that it documents, or of a type that it names, if only one has a method of that name. No other file can refer
// to such an example, and its names are not resolved.
func (e *exports) named(c *Case) []touch {
	var out []touch
	add := func(d *declared, as string, selected bool) {
		if !slices.ContainsFunc(out, func(t touch) bool { return t.declared == d }) {
			out = append(out, touch{d, 0, as, selected})
		}
	}
	for _, s := range c.steps {
		if isPrinted(s.Text) {
			continue
		}
		for _, name := range calledIn(s.Text) {
			as := LastName(name)
			if list := e.names[name]; len(list) == 1 {
				add(list[0], as, as != name)
			} else if d := c.method(e.byLast[as]); as != name && d != nil {
				add(d, as, true)
			}
		}
	}
	return out
}

// isPrinted reports whether a step is what an example in documentation prints or throws.
func isPrinted(text string) bool {
	return strings.HasPrefix(text, "prints ") || strings.HasPrefix(text, "throws ")
}

// method returns the method among declarations of one name that an example calls; nil if it is not certain.
func (c *Case) method(list []*declared) *declared {
	var found *declared
	for _, d := range list {
		owner := ownerOf(d.name)
		of := Documented(c.Test)
		switch {
		case owner != "" && (of == owner || of == d.name):
			return d
		case owner == "" || !slices.ContainsFunc(c.steps, func(s code.Step) bool { return hasWord(s.Text, LastName(owner)) }):
		case found != nil:
			return nil
		default:
			found = d
		}
	}
	return found
}

// calledIn returns the names before parentheses in a text, qualified as written; after another expression with a leading dot.
func calledIn(text string) []string {
	var out []string
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"' || c == '\'' && code.QuoteEnd(text, i) > i:
			i = code.QuoteEnd(text, i)
		case c == '(':
			from := i
			for from > 0 && (isNameByte(text[from-1]) || text[from-1] == '.' || text[from-1] == ':') {
				from--
			}
			if name := strings.ReplaceAll(text[from:i], "::", "."); LastName(name) != "" {
				out = append(out, name)
			}
		}
	}
	return out
}
