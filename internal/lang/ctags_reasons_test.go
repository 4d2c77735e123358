package lang_test

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// Reasons that hold in several languages.

// insideFunction holds where the other program lists what is declared inside a
// function: no part of any interface.
func insideFunction() reason {
	return reason{"it is declared inside a function", func(d difference) bool {
		return !d.ours && within(d.read.Symbols, d.line, func(s *code.Symbol) bool {
			return d.line > s.StartLine && s.BodyHash != "" &&
				(s.Kind == code.Function || s.Kind == code.Method || s.Kind == code.Constructor || s.Kind == code.Getter || s.Kind == code.Setter)
		})
	}}
}

// within reports whether a line lies in a symbol, at any depth, for which is holds.
func within(list []code.Symbol, line int, is func(s *code.Symbol) bool) bool {
	for i := range list {
		s := &list[i]
		if line >= s.StartLine && line <= s.EndLine && (is(s) || within(s.Members, line, is)) {
			return true
		}
	}
	return false
}

// named returns the symbol of a qualified name, parts separated by "."; nil for
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

// owner returns the name around a definition.
func (d definition) owner() string {
	return strings.TrimSuffix(strings.TrimSuffix(d.name, d.last()), ".")
}

// anonymous holds for names that universal-ctags makes up for what has none.
func anonymous() reason {
	return reason{"ctags makes up a name for what has none", func(d difference) bool {
		return !d.ours && (strings.Contains(d.name, "__anon") || strings.Contains(d.name, "Anonymous"))
	}}
}
