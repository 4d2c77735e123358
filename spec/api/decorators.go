package api

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// maxDecorator is the length in bytes above which a decorator is written without its arguments, maxDecorators the number of those
// that are written of one symbol.
const maxDecorator, maxDecorators = 80, 3

// forTools are decorators that speak to a compiler, a linter or an editor and not to who uses the symbol, in lower case.
var forTools = []string{
	"override", "suppress", "suppresswarnings", "suppressmessage", "suppresslint", "safevarargs", "inline", "cold", "allow", "warn", "expect", "doc", "skip",
	"cfg_attr", "methodimpl", "debuggerstepthrough", "debuggerdisplay", "debuggerbrowsable", "editorbrowsable", "excludefromcodecoverage", "inlinable",
	"usablefrominline", "overload", "returntypewillchange", "no_type_check", "mainactor",
}

// decoratorName matches the name of a decorator: @a.b(…), #[a::b(…)], [A(…)].
var decoratorName = lazyregexp.New(`^(?:@|#!?\[|\[)\\?(?:\w+: *)?([\w.:\\]+)`)

// decorators returns the decorators of a symbol that its users see, with a space after each, in Python on lines of their own. Go's
// are in its signatures.
func decorators(s *code.Symbol, language string) string {
	if language == "go" {
		return ""
	}
	var b strings.Builder
	count := 0
	for _, text := range s.Decorators {
		text = strings.Join(strings.Fields(text), " ")
		m := decoratorName.FindStringSubmatch(text)
		if m == nil || strings.Contains(s.Signature, text) {
			continue
		}
		last := m[1][strings.LastIndexAny(m[1], `.:\`)+1:]
		if slices.Contains(forTools, strings.ToLower(last)) || count == maxDecorators {
			continue
		}
		count++
		if len(text) > maxDecorator {
			text = m[0] + "(…)"
			if strings.Contains(m[0], "[") {
				text += "]"
			}
		}
		b.WriteString(text)
		if language == "python" { // which has each on a line of its own
			b.WriteString("\n")
		} else {
			b.WriteString(" ")
		}
	}
	return b.String()
}

// leadingDecorator matches a decorator before a declaration, with arguments up to two brackets deep.
var leadingDecorator = lazyregexp.New(`^(?:@[\w.:]+(?:\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?|#?\[(?:[^\[\]]|\[[^\[\]]*\])*\]) `)

// withoutDecorators returns a declaration without what decorators wrote before it.
func withoutDecorators(row string) string {
	for {
		at := leadingDecorator.FindStringIndex(row)
		if at == nil {
			return row
		}
		row = row[at[1]:]
	}
}
