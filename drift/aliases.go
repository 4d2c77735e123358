package drift

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// tsAliases are the types of TypeScript that aliases without type parameters stand for, by name.
type tsAliases map[string]string

// tsAliases returns the aliases of a skeleton. A name that is declared twice is left out: which one is meant is not known.
func (d *differ) tsAliases(s *code.Skeleton) tsAliases {
	if out, ok := d.aliases[s]; ok {
		return out
	}
	out, seen := tsAliases{}, map[string]bool{}
	for _, list := range [][]code.Symbol{s.Exports, s.Internals} {
		for i := range list {
			sym := &list[i]
			if group(sym.Kind) != "type" || !compatOf(sym.File, s.Language).openTypes {
				continue
			}
			if seen[sym.Name] {
				delete(out, sym.Name)
				continue
			}
			seen[sym.Name] = true
			if sym.Kind == code.TypeDef && len(sym.TypeParameters) == 0 {
				if body := bodyOf(sym); body != "" {
					out[sym.Name] = body
				}
			}
		}
	}
	d.aliases[s] = out
	return out
}

// spell writes a type with its aliases replaced, as a text for comparison.
func (a tsAliases) spell(text string) string { return a.replaced(text, maxAliases) }

func (a tsAliases) replaced(text string, depth int) string {
	words := split(text)
	for i, w := range words {
		to, ok := a[w]
		qualified := i > 0 && words[i-1] == "."
		named := i+1 < len(words) && (words[i+1] == ":" || words[i+1] == "?") // a member or a parameter
		if !ok || depth == 0 || qualified || named {
			continue
		}
		to = a.replaced(to, depth-1)
		if strings.ContainsAny(to, "|&>") && !strings.HasPrefix(to, "{") {
			to = "(" + to + ")"
		}
		words[i] = to
	}
	return strings.Join(words, " ")
}
