package evidence

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// withValues adds to the terms of a function the values of the constants that they name, wherever these are declared.
func (m *Module) withValues(of *resolve.Node, terms []paths.Term) []paths.Term {
	out := slices.Clone(terms)
	if of == nil {
		return out
	}
	for _, u := range m.links.Uses(of) {
		if u.To.Kind != code.Const {
			continue
		}
		for i := range out {
			if value := m.links.Value(u.To); isLiteral(value) && code.MentionsMember(out[i].Text, u.Name) {
				out[i].Where = alsoWhere(out[i].Where, u.Name+" = "+value)
			}
		}
	}
	return out
}

// alsoWhere adds an assignment to those of a term, once.
func alsoWhere(where, more string) string {
	if where == "" {
		return more
	}
	if slices.Contains(strings.Split(where, "; "), more) {
		return where
	}
	return where + "; " + more
}

// maxLiteral limits the values of constants that are repeated where they are named, in bytes.
const maxLiteral = 40

// isLiteral reports whether a value says something by itself: a number, a text, or an expression of numbers.
func isLiteral(value string) bool {
	if value == "" || len(value) > maxLiteral || strings.ContainsAny(value, "\n(){}[]") {
		return false
	}
	c := value[0]
	return c >= '0' && c <= '9' || strings.IndexByte("-.\"'`", c) >= 0
}
