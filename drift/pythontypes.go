package drift

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

var classVariable = lazyregexp.New(`^(?:\w+\.)?ClassVar\[(.+)\]$`)

// inClass returns the type of an attribute of a class in Python. ClassVar says where the value is, not what it is, unless something
// makes a constructor from the attributes: a decorator or a base that is not known.
func (d *differ) inClass(side *code.Skeleton, class *code.Symbol, text string) string {
	m := classVariable.FindStringSubmatch(text)
	if m == nil || class == nil || !plainClass(side, class, maxAliases) {
		return text
	}
	return m[1]
}

// variableCall matches how Python declares a type variable that stands for any type.
var variableCall = lazyregexp.New(`^(?:\w+\.)?TypeVar\(\s*["']\w+["']\s*(?:,\s*(?:covariant|contravariant|infer_variance|default)\s*=[^,]*)*,?\s*\)$`)

// anyVariable writes a type of Python with Any in place of type variables that stand for any type: these take what is passed, and give what
// is wanted.
func anyVariable(side *code.Skeleton, text string) string {
	places := map[string]string{}
	for _, w := range split(text) {
		for _, list := range [][]code.Symbol{side.Exports, side.Internals} {
			if slices.ContainsFunc(list, func(s code.Symbol) bool { return s.Name == w && variableCall.MatchString(s.Value) }) {
				places[w] = "Any"
			}
		}
	}
	return placed(text, places)
}

// plainClass reports whether nothing but the class and known classes says what it is.
func plainClass(side *code.Skeleton, class *code.Symbol, depth int) bool {
	if len(class.Decorators) > 0 || depth == 0 {
		return false
	}
	return !slices.ContainsFunc(class.Bases, func(text string) bool {
		base := classNamed(side, baseName(text))
		return baseName(text) != "object" && (base == nil || !plainClass(side, base, depth-1))
	})
}
