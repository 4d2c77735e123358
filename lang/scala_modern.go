package lang

import (
	"slices"
	"strings"
)

// What Scala learned after the grammar, and what the grammar never knew, is shown
// in a form of one meaning that it reads; see [rewrite].

// modernise rewrites single tokens and the statements that were noted.
func (l *scalaLayout) modernise() {
	for i, t := range l.tokens {
		switch t.kind {
		case scalaXML:
			l.show(i, "xml")
		case scalaLiteral:
			l.literal(i)
		case scalaOperator:
			l.operator(i)
		case scalaWord:
			l.name(i)
		}
	}
	for _, h := range l.heads {
		if h.word == "given" {
			l.given(h)
		}
	}
}

// literal shows a string whose backslashes or dollars the grammar takes for
// escapes as an empty one.
func (l *scalaLayout) literal(i int) {
	word := l.word(i)
	quote := strings.IndexByte(word, '"')
	switch {
	case quote == 0 && strings.HasPrefix(word, `"""`) && strings.Contains(word, `\`):
		l.show(i, `""`)
	case quote > 0 && (word[:quote] == "raw" && strings.Contains(word, `\`) || strings.Contains(word, `$"`) || strings.Contains(word, `\`) && strings.HasPrefix(word[quote:], `"""`)):
		l.show(i, word[:quote]+`""`)
	}
}

// operator hides capture sets and shows signs that the grammar does not know as
// names.
func (l *scalaLayout) operator(i int) {
	word := l.word(i)
	switch {
	case strings.HasPrefix(word, "^") && l.isCapture(i):
		l.hide(i)
		if next := i + 1; l.word(next) == "{" && l.tokens[next].start == l.tokens[i].end && l.partner[next] > 0 {
			l.hideAll(next, int(l.partner[next])+1)
		}
	case strings.IndexFunc(word, func(c rune) bool { return c >= 0x80 }) >= 0:
		l.show(i, "x")
	case word == "@" && !l.tokens[i].first && (l.word(i-1) == ")" || l.word(i-1) == ":") && l.tokens[i-1].end < l.tokens[i].start && l.tokens[min(i+1, len(l.tokens)-1)].kind == scalaWord && l.word(i+2) != "(":
		l.hideAll(i, i+2) // behind a type in brackets, or in the place of one
		if l.word(i-1) == ":" {
			l.hide(i - 1)
		}
	case word == "@":
		l.constructorAnnotation(i)
	case (word == "->" || word == "?->" || word == "=>") && l.word(i+1) == "{" && l.tokens[i+1].start == l.tokens[i].end && l.shown[i].as == "=>":
		l.hideAll(i+1, int(l.partner[i+1])+1)
	}
}

// isCapture tells the sign behind a type that captures something (capture
// checking): nothing that could be an operand follows it.
func (l *scalaLayout) isCapture(i int) bool {
	if i == 0 || l.tokens[i].start != l.tokens[i-1].end || l.word(i) != "^" {
		return false
	}
	next := l.word(i + 1)
	switch next {
	case ")", "]", ",", "=", "=>", "|", "&", "->", "with", "?=>":
		return true
	case "{":
		return l.tokens[i+1].start == l.tokens[i].end
	}
	return next == "" || l.tokens[i+1].first
}

// constructorAnnotation hides an annotation with arguments before the parameters
// of a class: the grammar takes the parameters for more arguments.
func (l *scalaLayout) constructorAnnotation(i int) {
	before := i - 1
	if l.word(before) == "]" && l.partner[before] > 0 {
		before = int(l.partner[before]) - 1
	}
	if l.tokens[max(before, 0)].kind != scalaWord || l.word(before-1) != "class" {
		return
	}
	end := i + 2
	for l.word(end) == "." {
		end += 2
	}
	if l.word(end) == "(" && l.partner[end] > 0 {
		end = int(l.partner[end]) + 1
	}
	l.hideAll(i, end)
	if l.word(end) == "@" {
		for l.word(end) == "@" {
			from := end
			for end += 2; l.word(end) == "."; end += 2 {
			}
			if l.word(end) == "(" && l.partner[end] > 0 {
				end = int(l.partner[end]) + 1
			}
			l.hideAll(from, end)
		}
	}
}

func (l *scalaLayout) hideAll(from, to int) {
	for i := from; i < min(to, len(l.tokens)); i++ {
		l.hide(i)
	}
}

// scalaModifiers are the words that may stand before a definition.
var scalaModifiers = setOf("abstract", "final", "sealed", "implicit", "lazy", "override", "private", "protected", "inline", "infix",
	"open", "transparent", "opaque", "case", "erased", "into", "tracked", "update", "consume")

// newModifiers are those that the grammar does not know.
var newModifiers = setOf("erased", "into", "tracked", "update", "consume")

// name rewrites single words.
func (l *scalaLayout) name(i int) {
	word := l.word(i)
	before, next := l.word(i-1), l.word(i+1)
	switch word {
	case "match":
		if before == "." {
			l.show(i, "name") // a call with cases, for it binds like one
		}
	case "case":
		if next != "class" && next != "object" {
			l.hideModifiers(i)
		}
	case "end", "extension", "$":
		if !l.shown[i].changed && (word != "extension" || !l.isHead(i)) && (word != "$" || next != "{" && next != "[") {
			l.show(i, "name")
		}
	case "as":
		if l.word(i-2) == "import" { // of a name without a path
			l.hideAll(i, i+2)
		}
	case "uses", "uses_init":
		if before == ")" && i+1 < len(l.tokens) && l.tokens[i+1].kind == scalaWord && !l.tokens[i+1].first {
			for k := i; k < len(l.tokens) && !l.tokens[k].first && l.word(k) != "{" && l.shown[k].as != "{" && l.word(k) != "extends"; k++ {
				l.hide(k)
			}
		}
	case "enum":
		l.hideModifiers(i)
	case "erased", "into", "tracked", "update", "consume":
		if i+1 == len(l.tokens) || l.tokens[i+1].first || before == "." {
			return
		}
		param := (before == "(" || before == ",") && l.word(i+2) == ":"
		if scalaDeclares[next] || scalaModifiers[next] || l.tokens[i+1].kind == scalaWord && (param || before == ":" && word == "into") {
			l.hide(i)
		}
	}
}

// isHead tells whether token i begins a statement that was noted.
func (l *scalaLayout) isHead(i int) bool {
	_, ok := slices.BinarySearchFunc(l.heads, i, func(h scalaHead, i int) int { return h.token - i })
	return ok
}

// hideModifiers hides the modifiers before an enum, which the grammar does not
// expect.
func (l *scalaLayout) hideModifiers(i int) {
	for k := i - 1; k >= 0; k-- {
		word := l.word(k)
		if word == "]" && l.partner[k] > 0 && (l.word(int(l.partner[k])-1) == "private" || l.word(int(l.partner[k])-1) == "protected") {
			l.hideAll(int(l.partner[k]), k+1)
			k = int(l.partner[k])
			continue
		}
		if !scalaModifiers[word] {
			return
		}
		l.hide(k)
	}
}

// bracedLambda shows brackets around the parameter of "{ x: T =>", unless it
// names the instance of a template.
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

// maxPatternTokens is how far the end of a lambda's parameter is looked for.
const maxPatternTokens = 64

// modernBrackets rewrites what stands in a pair of brackets that has just been
// closed.
func (l *scalaLayout) modernBrackets(open, end int) {
	top := l.top()
	inType := l.inType()
	switch l.word(open) {
	case "[":
		if top.declares == "def" && !top.equals && !top.typed && l.word(open-1) == ")" { // interleaved clauses
			l.hideAll(open, end+1)
			return
		}
		l.polymorphic(open, end, inType)
		if l.isBound(open) {
			l.namedBounds(open, end)
		}
	case "(":
		if l.word(open+1) == "using" && !inType {
			l.namedUsing(open, end)
		}
		if inType && top.declares != "given" {
			l.namedTypes(open, end)
		}
		if top.extends && l.word(end+1) == "(" && !l.tokens[end+1].first && (top.declares == "class" || top.declares == "object" || top.declares == "trait" || top.declares == "case") {
			l.joinArguments(open, end)
		}
	case "{":
		if top.bracket == '[' && l.word(open-1) == ":" {
			l.hide(open)
			l.hide(end)
			for i := open + 1; i < end; i++ {
				if l.word(i) == "," {
					l.show(i, ":")
				}
			}
			l.needed = true
		}
	}
}

// polymorphic shows the polymorphic function type "[X] => F[X]" as a type
// lambda, and of a polymorphic function literal its parameters only.
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
		l.show(end+1, "=>>")
		return
	}
	l.hideAll(open, end+2)
}

// isBound tells type parameters from type arguments: a bound is in them.
func (l *scalaLayout) isBound(open int) bool { return int(l.partner[open]) > open+2 }

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

// joinArguments shows the two argument lists of a superclass as one.
func (l *scalaLayout) joinArguments(open, end int) {
	l.show(end, "")
	l.show(end+1, ",")
	if end == open+1 {
		l.show(end+1, "")
	}
	if l.word(end+2) == "using" {
		l.hide(end + 2)
	}
}

// namedUsing shows a name for what is given to a class by its type alone.
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

// importGivens shows the givens among imported names as a wildcard.
func (l *scalaLayout) importGivens(i int) {
	l.show(i, "_")
	for k := i + 1; k < len(l.tokens) && l.word(k) != "," && l.word(k) != "}" && !l.tokens[k].first; k++ {
		l.hide(k)
	}
}

// captureArrow shows the arrow of a pure function type as that of any.
func (l *scalaLayout) captureArrow(i int) {
	if l.inType() && !l.shown[i].changed {
		l.show(i, "=>")
	}
}

// nestedPackage shows a package in the braces of another one as an object.
func (l *scalaLayout) nestedPackage(i int) {
	if len(l.stack) == 1 {
		return
	}
	l.needed = true
	if l.word(i+1) == "object" {
		l.hide(i)
		return
	}
	l.show(i, "object")
	for k := i + 2; l.word(k) == "."; k += 2 {
		l.hide(k)
		l.hide(k + 1)
	}
}

// selfType shows a name for the instance of a template that has none, and a
// statement where nothing follows it.
func (l *scalaLayout) selfType(i int) {
	if first := l.top().open + 1; l.word(first) == "_" {
		l.show(first, "self")
	}
	if l.word(i+1) == "}" {
		l.append(i, ";")
	}
}

// wrapType shows brackets around the type of an abstract val or var when it is
// made of several: the grammar takes it for a pattern.
func (l *scalaLayout) wrapType(from, to int) {
	for i := from; i < to; i++ {
		if l.tokens[i].kind == scalaOperator && l.word(i) != "@" && l.word(i) != "#" {
			l.prepend(from, "(")
			l.append(to-1, ")")
			return
		}
	}
}
