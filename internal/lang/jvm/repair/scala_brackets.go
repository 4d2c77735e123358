package repair

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// Rewriting of bracketed text; see [scalaLayout.modernise].

// bracedLambda adds parentheses around the parameter of "{ x: T =>", unless it is the
// self type of a template.
func (l *scalaLayout) bracedLambda(i int) {
	top := l.top()
	switch top.declares {
	case "class", "trait", "object", "enum":
		return
	}
	at := i + 1
	if l.word(at) == "implicit" {
		at++
	}
	if l.word(at+1) != ":" || at >= len(l.tokens) || l.tokens[at].kind != scalaWord {
		return
	}
	end, depth := at+2, 0
	for ; end < min(len(l.tokens), at+maxPatternTokens); end++ {
		word := l.word(end)
		switch word {
		case "(", "[":
			depth++
		case ")", "]":
			depth--
		case "=>":
			if depth <= 0 {
				if at > i+1 {
					l.hide(i + 1)
				}
				l.prepend(at, "(")
				l.append(end-1, ")")
				return
			}
		}
		if depth < 0 || l.tokens[end].first || strings.Contains("{};=", word) {
			return
		}
	}
}

// maxPatternTokens is the maximum number of tokens searched for the end of a lambda's
// parameter.
const maxPatternTokens = 64

// modernBrackets rewrites the content of a pair of brackets that was just closed.
func (l *scalaLayout) modernBrackets(open, end int) {
	top := l.top()
	switch l.word(open) {
	case "[":
		if l.word(open-1) == "super" {
			l.hideAll(open, end+1)
			return
		}
		if top.declares == "def" && !top.equals && !top.typed && l.word(open-1) == ")" { // interleaved clauses
			l.hideAll(open, end+1)
			return
		}
		l.polymorphic(open, end, l.inType())
		l.namedBounds(open, end)
	case "(":
		l.modernParameters(open, end)
	case "{":
		if top.bracket == '[' && l.word(open-1) == ":" {
			l.bounds(open, end)
		}
	}
}

// modernParameters rewrites the content of parentheses.
func (l *scalaLayout) modernParameters(open, end int) {
	top := l.top()
	switch inType := l.inType(); {
	case l.word(open+1) == "using" && !inType:
		l.namedUsing(open, end)
	case inType && top.declares != "given":
		l.namedTypes(open, end)
	}
	if top.extends && l.word(end+1) == "(" && !l.tokens[end+1].first && core.SetOf("class", "object", "trait", "case")[top.declares] {
		l.joinArguments(open, end)
	}
}

// bounds rewrites the context bounds {A, B} as a sequence of bounds.
func (l *scalaLayout) bounds(open, end int) {
	l.hide(open)
	l.hide(end)
	for i := open + 1; i < end; i++ {
		if l.word(i) == "," {
			l.replace(i, ":")
		}
	}
	l.needed = true
}

// polymorphic rewrites the polymorphic function type "[X] => F[X]" as a type lambda,
// and reduces a polymorphic function literal to its parameters.
func (l *scalaLayout) polymorphic(open, end int, inType bool) {
	arrow := l.word(end + 1)
	if arrow != "=>" && arrow != "->" {
		return
	}
	before := l.tokens[max(open-1, 0)]
	if before.kind == scalaQuote || before.kind == scalaWord && !scalaIndents[l.word(open-1)] || l.word(open-1) == ")" || l.top().declares == "given" && !l.top().equals {
		return
	}
	if inType {
		l.replace(end+1, "=>>")
		return
	}
	l.hideAll(open, end+2)
}

// namedBounds hides the names of context bounds: [T: Ord as ord].
func (l *scalaLayout) namedBounds(open, end int) {
	for i := open + 1; i < end-1; i++ {
		if l.word(i) == "as" && l.tokens[i+1].kind == scalaWord && l.tokens[i-1].kind != scalaOperator {
			l.hide(i)
			l.hide(i + 1)
		}
	}
}

// namedTypes hides the names in a dependent function type or a named tuple.
func (l *scalaLayout) namedTypes(open, end int) {
	depth := 0
	for i := open + 1; i < end-1; i++ {
		switch l.word(i) {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case ":":
			before := l.word(i - 2)
			if depth == 0 && l.tokens[i-1].kind == scalaWord && (before == "(" || before == "," || before == "using") {
				l.hide(i - 1)
				l.hide(i)
				if before == "using" {
					l.hide(i - 2)
				}
			}
		}
	}
}

// joinArguments merges the two argument lists of a superclass.
func (l *scalaLayout) joinArguments(open, end int) {
	l.replace(end, "")
	l.replace(end+1, ",")
	if end == open+1 {
		l.replace(end+1, "")
	}
	if l.word(end+2) == "using" {
		l.hide(end + 2)
	}
}

// namedUsing adds names to using parameters of a class that have only a type.
func (l *scalaLayout) namedUsing(open, end int) {
	switch l.top().declares {
	case "class", "trait", "enum", "case", "given":
	default:
		return
	}
	for from := open + 2; from < end; {
		to, named := from, false
		for ; to < end && l.word(to) != ","; to++ {
			if l.partner[to] > 0 && int(l.partner[to]) > to {
				to = int(l.partner[to])
			}
			named = named || l.word(to) == ":"
		}
		if !named {
			l.prepend(from, "anonymous: ")
		}
		from = to + 1
	}
}

// importGivens replaces the givens among imported names with a wildcard.
func (l *scalaLayout) importGivens(i int) {
	l.replace(i, "_")
	for k := i + 1; k < len(l.tokens) && l.word(k) != "," && l.word(k) != "}" && !l.tokens[k].first; k++ {
		l.hide(k)
	}
}

// captureArrow rewrites the arrow of a pure function type as that of an impure one.
func (l *scalaLayout) captureArrow(i int) {
	if l.inType() && !l.rewritten[i].changed {
		l.replace(i, "=>")
	}
}

// nestedPackage rewrites a package in the braces of another one as an object.
func (l *scalaLayout) nestedPackage(i int) {
	if len(l.stack) == 1 {
		return
	}
	l.needed = true
	if l.word(i+1) == "object" {
		l.hide(i)
		return
	}
	l.replace(i, "object")
	for k := i + 2; l.word(k) == "." && k+1 < len(l.tokens); k += 2 {
		l.hide(k)
		l.hide(k + 1)
	}
}

// selfType hides the name and the self type of a template. The grammar may parse them
// as the parameter of a lambda with the members as its body.
func (l *scalaLayout) selfType(i int) {
	top := l.top()
	l.hideAll(top.open+1, i+1)
	l.needed = true
	if i+1 < len(l.tokens) && l.tokens[i+1].first {
		top.width = -1 // the members need not be aligned with the name
	}
}

// wrapType adds parentheses around the compound type of an abstract val or var, which
// the grammar would parse as a pattern.
func (l *scalaLayout) wrapType(from, to int) {
	for i := from; i < to; i++ {
		if l.tokens[i].kind == scalaOperator && l.word(i) != "@" && l.word(i) != "#" {
			l.prepend(from, "(")
			l.append(to-1, ")")
			return
		}
	}
}
