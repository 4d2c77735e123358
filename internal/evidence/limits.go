package evidence

import (
	"slices"
	"strings"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
)

// limitWords are words in the names of constants that are limits.
var limitWords = []string{"max", "maximum", "min", "minimum", "limit", "timeout", "size", "capacity", "threshold", "retries", "interval", "ttl", "depth", "budget"}

// limits finds constants that limit what the module does.
var limits = Rule{
	Kind: Limit,
	find: func(m *Module, found func(Claim)) {
		m.symbols(func(name string, s *code.Symbol) {
			if isLimit(s) {
				found(Claim{Subject: name, Values: []string{s.Value}, From: m.appliedBy(s), At: []Place{symbolPlace(s)}})
			}
		})
	},
}

// appliedBy returns the functions of the module that use a constant: the exported ones, or those that reach it.
func (m *Module) appliedBy(s *code.Symbol) []string {
	var out []string
	n := m.links.Find(s.File, s.Name, s.StartLine)
	if n == nil {
		return nil
	}
	for _, by := range m.callers[n] {
		names := []string{by.Path()}
		if m.exported[by] == "" {
			names = m.users(by)
		}
		for _, name := range names {
			if name != "" && !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// isLimit reports whether a symbol is a constant limit, by its name and value. In languages
// without constants such names are in capitals.
func isLimit(s *code.Symbol) bool {
	if paths.StatusNamed(s.Name) != "" && paths.AnyStatus(s.Value) != "" || strings.ContainsAny(s.Value, "?<>=") {
		return false // an HTTP status, or a choice
	}
	if s.Kind != code.Const && (s.Kind != code.Variable || s.Name != strings.ToUpper(s.Name)) || !strings.ContainsAny(s.Value, "0123456789") || strings.ContainsAny(s.Value, "\"'`{[") {
		return false
	}
	return slices.ContainsFunc(nameWords(s.Name), func(w string) bool { return slices.Contains(limitWords, w) })
}

// nameWords splits a name into lower-case words.
func nameWords(name string) []string {
	var b strings.Builder
	last := rune(0)
	for _, c := range name {
		if unicode.IsUpper(c) && !unicode.IsUpper(last) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(c))
		last = c
	}
	return strings.FieldsFunc(b.String(), func(c rune) bool { return c == ' ' || c == '_' || c == '.' })
}

// defaults finds default values of parameters.
var defaults = Rule{
	Kind: Default,
	find: func(m *Module, found func(Claim)) {
		m.symbols(func(name string, s *code.Symbol) {
			var list []string
			for _, p := range s.Params {
				if p.Default != "" && p.Default != "None" && p.Default != "null" && p.Default != "undefined" {
					list = append(list, p.Name+" = "+p.Default)
				}
			}
			if s.Exported && len(list) > 0 && m.own(s.File) {
				found(Claim{Subject: name, Values: list, At: []Place{symbolPlace(s)}})
			}
		})
	},
}

// own reports whether a file is hand-written code of the module.
func (m *Module) own(file string) bool { return m.files[file] }
