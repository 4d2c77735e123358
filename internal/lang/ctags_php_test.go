package lang_test

import (
	"bytes"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

func phpOpinion() opinion {
	isEnum := func(s *code.Symbol) bool { return s.Kind == code.Enum }
	return opinion{
		language: "php", grammar: syntax.PHP, kinds: []string{"class", "interface", "trait", "function"},
		reasons: []reason{
			anonymous(), insideFunction(),
			{"an enumeration or a method of one: ctags does not know enumerations", func(d difference) bool {
				return within(d.read.Symbols, d.line, isEnum)
			}},
			{"a closure in a variable, which ctags takes for a function's declaration", func(d difference) bool {
				row := strings.TrimSpace(d.row(d.line))
				return !d.ours && strings.HasPrefix(row, "$") && strings.Contains(row, "= function")
			}},
			{"it stands in another namespace than the file's first", func(d difference) bool {
				return slices.ContainsFunc(d.read.Symbols, func(s code.Symbol) bool {
					return strings.Contains(s.Name, `\`) && d.line >= s.StartLine && d.line <= s.EndLine
				})
			}},
			{"an attribute stands in its parameters, which ctags takes for a comment", func(d difference) bool {
				return d.ours && strings.Contains(d.row(d.line), "(#[")
			}},
			{"the file is a template, with %s in the name of its class", func(d difference) bool {
				return !d.ours && len(d.read.ParseErrors) > 0 && bytes.Contains(d.src, []byte("_%s implements"))
			}},
		},
	}
}
