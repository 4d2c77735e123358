package lang_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// rubyOpinion compares classes, modules and methods with universal-ctags by name and line.
// ctags matches "end" by counting keywords, and loses the scope at a modifier such as "x = y
// if z".
func rubyOpinion() opinion {
	return opinion{
		language: "ruby", grammar: syntax.Ruby,
		kinds:  []string{"class", "module", "method", "singletonMethod"},
		rename: func(d definition) string { return fmt.Sprintf("%s:%d", d.last(), d.line) },
		reasons: []reason{
			{"a call or an alias defines it, where ctags knows def, class and module", func(d difference) bool {
				s := rubyAt(d)
				return s != nil && d.ours && !strings.HasPrefix(s.Signature, "def ") && !strings.HasPrefix(s.Signature, "class ") && !strings.HasPrefix(s.Signature, "module ")
			}},
			{"a setter, which is of another kind than methods", func(d difference) bool {
				s := rubyAt(d)
				return !d.ours && s != nil && s.Kind == code.Setter
			}},
			{"a module that only holds other types: part of their names", func(d difference) bool {
				return d.kind == "module" && slices.ContainsFunc(d.read.Symbols, func(s code.Symbol) bool {
					return strings.Contains("::"+s.Name, "::"+rubyName(d)+"::")
				})
			}},
			{"it is text in a string, a heredoc or a comment", inRubyText},
			{"another body of a type or definition of a method that the file has before: one symbol", func(d difference) bool {
				return !d.ours && rubyNamed(d.read.Symbols, rubyName(d), func(s *code.Symbol) bool { return s.StartLine != d.line })
			}},
			insideFunction(),
		},
	}
}

// rubyName returns the name of a difference without its line.
func rubyName(d difference) string { return d.name[:strings.LastIndexByte(d.name, ':')] }

// rubyAt returns our symbol with the name and line of the difference.
func rubyAt(d difference) (out *code.Symbol) {
	line, _ := strconv.Atoi(d.name[strings.LastIndexByte(d.name, ':')+1:])
	rubyNamed(d.read.Symbols, rubyName(d), func(s *code.Symbol) bool {
		if s.StartLine == line {
			out = s
		}
		return out != nil
	})
	return out
}

// rubyNamed reports whether is returns true for a symbol whose name ends in name.
func rubyNamed(list []code.Symbol, name string, is func(s *code.Symbol) bool) bool {
	return slices.ContainsFunc(list, func(s code.Symbol) bool {
		last := s.Name[strings.LastIndexByte(dotted(s.Name), '.')+1:]
		return (last == name || dotted(s.Name) == name || strings.HasSuffix(s.Name, "::"+name)) && is(&s) || rubyNamed(s.Members, name, is)
	})
}

// inRubyText reports whether a line begins inside a string literal.
func inRubyText(d difference) bool {
	tree, err := syntax.Ruby.Parse(d.src)
	if err != nil || d.ours {
		return false
	}
	for n := range tree.Root().Descendants() {
		if n.Is("heredoc_body", "string", "comment", "uninterpreted", "regex") && n.Line() < d.line && n.EndLine() >= d.line {
			return true
		}
	}
	return false
}
