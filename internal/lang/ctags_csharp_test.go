package lang_test

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

func csharpOpinion() opinion {
	return opinion{
		language: "csharp", grammar: syntax.CSharp,
		kinds: []string{"class", "enum", "interface", "struct", "method"},
		rename: func(d definition) string { // ctags omits type parameters, and names conversions after their type
			name := strings.NewReplacer("implicit ", "", "explicit ", "").Replace(withoutTypeArguments(d.name))
			own := definition{name: name}
			return lastPart(own.owner()) + "." + own.last()
		},
		reasons: []reason{
			{"a delegate, which ctags takes for a method", func(d difference) bool {
				return !d.ours && strings.Contains(d.row(d.line), "delegate ")
			}},
			{"a generic method, which ctags does not see", func(d difference) bool {
				return d.ours && d.call && strings.Contains(d.row(d.line), d.last()+"<")
			}},
			{"a parameter of a nullable type, with which ctags does not see the method", func(d difference) bool {
				return d.ours && d.call && strings.Contains(d.row(d.line), "? ")
			}},
			{"an expression for a body, with which ctags does not see the method", func(d difference) bool {
				return d.ours && d.call && arrowBody(d)
			}},
			{"an attribute of a type parameter, with which ctags does not see the method", func(d difference) bool {
				return d.ours && d.call && strings.Contains(d.row(d.line), "<[")
			}},
			{"a keyword for a parameter, with which ctags does not see the method", func(d difference) bool {
				return d.ours && d.call && strings.Contains(d.row(d.line), "@")
			}},
			{"a constraint, which ctags takes for a type", func(d difference) bool {
				return !d.ours && strings.Contains(d.row(d.line), "where ")
			}},
			{"in or of a type under a constraint, which ctags calls by its parameter or does not see", func(d difference) bool {
				lost := d.ours || strings.HasPrefix(d.owner(), "T")
				return lost && within(d.read.Symbols, d.line, func(s *code.Symbol) bool {
					return s.Kind != code.Method && strings.Contains(s.Signature, "where ")
				})
			}},
			{"an explicit implementation, which ctags calls by the member alone", func(d difference) bool {
				return d.call && strings.Contains(withoutTypeArguments(d.row(d.line)), "."+d.last()+"(")
			}},
			{"in a type whose name ctags has lost", func(d difference) bool {
				return strings.HasPrefix(d.name, ".") && named(d.read.Symbols, d.last()) == nil
			}},
			{"behind a constraint that ctags takes for a type whose end it does not find", func(d difference) bool {
				return d.ours && constraintBefore(d)
			}},
			{"in a namespace that is still to be filled in", func(d difference) bool {
				return d.ours && strings.Contains(string(d.src), "namespace {{")
			}},
			anonymous(), insideFunction(),
		},
	}
}

// withoutTypeArguments removes text between < and >, except in the name of an operator.
func withoutTypeArguments(name string) string {
	if _, operator, ok := strings.Cut(name, "operator "); ok && strings.Trim(operator, "<>=") == "" {
		return name
	}
	var b strings.Builder
	depth := 0
	for _, c := range name {
		switch {
		case c == '<':
			depth++
		case c == '>':
			depth--
		case depth == 0:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// arrowBody reports whether an arrow precedes the first brace or semicolon.
func arrowBody(d difference) bool {
	for line := d.line; line < d.line+20; line++ {
		row := d.row(line)
		arrow, end := strings.Index(row, "=>"), strings.IndexAny(row, "{;")
		if arrow >= 0 || end >= 0 {
			return arrow >= 0 && (end < 0 || arrow < end)
		}
	}
	return false
}

// constraintBefore reports whether a line above the definition is a member with the constraint
// class.
func constraintBefore(d difference) bool {
	for line := 1; line < d.line; line++ {
		if row := d.row(line); strings.Contains(row, "where ") && strings.Contains(row, ": class, ") {
			return true
		}
	}
	return false
}
