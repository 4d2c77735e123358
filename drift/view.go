package drift

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// userView returns a skeleton as users of the code see it, by the rules of each language: what they are not meant to reach is internal.
func userView(s *code.Skeleton) *code.Skeleton {
	listed := listedNames(s)
	out := *s
	out.Exports, out.Internals = nil, slices.Clone(s.Internals)
	changed := false
	for _, sym := range s.Exports {
		h := compatOf(sym.File, s.Language)
		if h.concealed(&sym) || !listed.has(&sym) {
			sym.Exported, changed = false, true
			out.Internals = append(out.Internals, sym)
			continue
		}
		if h.name == "rust" {
			sym, changed = rustSymbol(sym), true
		} else if members := h.seen(sym.Members); members != nil {
			sym.Members, changed = members, true
		}
		out.Exports = append(out.Exports, sym)
	}
	if !changed {
		return s
	}
	return &out
}

// seen returns members of which those that users are not meant to reach are private; nil if there are none of these.
func (h compatRules) seen(list []code.Symbol) []code.Symbol {
	var out []code.Symbol
	for i := range list {
		if list[i].Visibility != code.Private && (h.undocumented(&list[i]) || h.inModule(&list[i])) {
			if out == nil {
				out = slices.Clone(list)
			}
			out[i].Visibility, out[i].Exported = code.Private, false
		}
	}
	return out
}

// concealed reports whether a declaration at top level is not for users although other files can reach it.
func (h compatRules) concealed(s *code.Symbol) bool {
	switch h.name {
	case "rust":
		return isHiddenRust(s)
	case "csharp", "swift", "kotlin", "scala": // what inline functions use is part of the interface
		if h.inModule(s) && !strings.HasPrefix(s.Signature, "extension") {
			return true
		}
	case "c", "cpp":
		return compiled(s.File) || innerNamespace(s.Name)
	}
	return h.undocumented(s)
}

// inModule reports whether only the code of a declaration's own module or package sees it.
func (h compatRules) inModule(s *code.Symbol) bool {
	if !slices.Contains([]string{"csharp", "swift", "kotlin", "scala"}, h.name) || s.Kind == code.EnumMember {
		return false
	}
	return (s.Visibility == code.Package || s.Visibility == code.Private) && !decorated(s, "PublishedApi", "usableFromInline")
}

// undocumented reports whether documentation or a name says that a declaration is not for users.
func (h compatRules) undocumented(s *code.Symbol) bool {
	switch h.name {
	case "php":
		return tagged(s.Doc, "@internal")
	case "ruby":
		return tagged(s.Doc, "@api private") || tagged(s.Doc, "@private") || tagged(s.Doc, ":nodoc:")
	case "swift":
		return strings.HasPrefix(s.Name, "_")
	}
	return false
}

// tagged reports whether a line of documentation begins with a tag.
func tagged(doc, tag string) bool {
	for line := range strings.Lines(doc) {
		line = strings.TrimLeft(line, " \t*#/")
		if rest, ok := strings.CutPrefix(line, tag); ok && (rest == "" || strings.ContainsAny(rest[:1], " \t\r\n")) {
			return true
		}
	}
	return false
}

func decorated(s *code.Symbol, names ...string) bool {
	return slices.ContainsFunc(s.Decorators, func(text string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return strings.Contains(text, name) })
	})
}

// innerNamespace reports whether a name of C++ is in a namespace that libraries keep for themselves.
func innerNamespace(name string) bool {
	parts := strings.Split(name, "::")
	return slices.ContainsFunc(parts[:len(parts)-1], func(p string) bool {
		return slices.Contains([]string{"detail", "details", "internal", "impl"}, p)
	})
}

// listing has, by file, the names that Python modules list in __all__. Files without it are not in it.
type listing map[string][]string

func listedNames(s *code.Skeleton) listing {
	out := listing{}
	for _, list := range [][]code.Symbol{s.Exports, s.Internals} {
		for _, sym := range list {
			text := strings.TrimSpace(sym.Value)
			if sym.Name != "__all__" || len(text) < 2 || !strings.ContainsAny(text[:1], "[(") || !strings.ContainsAny(text[len(text)-1:], "])") || strings.ContainsAny(text, "*+") {
				continue // it is computed
			}
			names := []string{}
			for part := range strings.SplitSeq(text[1:len(text)-1], ",") {
				names = append(names, strings.Trim(strings.TrimSpace(part), `"'`))
			}
			out[sym.File] = names
		}
	}
	return out
}

// has reports whether a symbol may be imported by its name: its file lists it, or lists nothing.
func (l listing) has(s *code.Symbol) bool {
	names, known := l[s.File]
	return !known || path.Ext(s.File) != ".py" || slices.Contains(names, s.Name)
}
