package drift

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// deprecationTag is how documentation says that something is deprecated: Go, JSDoc, Javadoc, PHPDoc, YARD, Doxygen, Sphinx.
var deprecationTag = lazyregexp.New(`(?m)^[ \t*/#]*(?:Deprecated:|[@\\]deprecated\b|\.\. deprecated::)[ \t]*(.*)$`)

// isDeprecation reports whether a decorator, an annotation or an attribute says that something is deprecated.
func isDeprecation(decorator string) bool {
	text := strings.TrimLeft(decorator, `@#[(\`)
	if strings.HasPrefix(text, "available(") {
		return strings.Contains(text, "deprecated")
	}
	for _, name := range []string{"deprecated", "Deprecated", "Obsolete", "System.Obsolete", "warnings.deprecated", "typing_extensions.deprecated", "__attribute__((deprecated", "java.lang.Deprecated", "kotlin.Deprecated"} {
		if rest, ok := strings.CutPrefix(text, name); ok && (rest == "" || !wordByte(rest[0])) {
			return true
		}
	}
	return false
}

// deprecated returns how a symbol says that it is deprecated; "" if it is not.
func deprecated(s *code.Symbol) string {
	if i := slices.IndexFunc(s.Decorators, isDeprecation); i >= 0 {
		return short(s.Decorators[i])
	}
	if m := deprecationTag.FindString(s.Doc); m != "" {
		return short(strings.TrimLeft(m, " \t*/#"))
	}
	return ""
}

// deprecation reports that a declaration is deprecated now, or no longer: users are warned, and nothing breaks yet.
func (d *differ) deprecation(p pair) {
	was, is := deprecated(p.old), deprecated(p.now)
	switch {
	case p.unexported:
	case was == "" && is != "":
		d.add("deprecated", p, change{what: is, now: is})
	case was != "" && is == "":
		d.add("no-longer-deprecated", p, change{what: was, old: was})
	}
}
