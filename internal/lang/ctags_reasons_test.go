package lang_test

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// Reasons that apply to several languages.

// insideFunction applies if the other program lists a declaration inside a function: it is not
// part of any interface.
func insideFunction() reason {
	return reason{"it is declared inside a function", func(d difference) bool {
		return !d.ours && within(d.read.Symbols, d.line, func(s *code.Symbol) bool {
			return d.line > s.StartLine && s.BodyHash != "" &&
				(s.Kind == code.Function || s.Kind == code.Method || s.Kind == code.Constructor || s.Kind == code.Getter || s.Kind == code.Setter)
		})
	}}
}

// within reports whether a line is in a symbol, at any depth, for which is returns true.
func within(list []code.Symbol, line int, is func(s *code.Symbol) bool) bool {
	for i := range list {
		s := &list[i]
		if line >= s.StartLine && line <= s.EndLine && (is(s) || within(s.Members, line, is)) {
			return true
		}
	}
	return false
}

// named returns the symbol with a qualified name, parts separated by "."; nil if there is
// none.
func named(list []code.Symbol, name string) *code.Symbol {
	for i := range list {
		own := dotted(list[i].Name)
		if own == name {
			return &list[i]
		}
		if rest, ok := strings.CutPrefix(name, own+"."); ok {
			if s := named(list[i].Members, rest); s != nil {
				return s
			}
		}
	}
	return nil
}

// owner returns the qualified name of the enclosing definition.
func (d definition) owner() string {
	return strings.TrimSuffix(strings.TrimSuffix(d.name, d.last()), ".")
}

// anonymous applies to names that universal-ctags generates for unnamed definitions.
func anonymous() reason {
	return reason{"ctags makes up a name for what has none", func(d difference) bool {
		return !d.ours && (strings.Contains(d.name, "__anon") || strings.Contains(d.name, "Anonymous"))
	}}
}
