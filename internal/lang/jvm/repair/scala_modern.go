package repair

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// Syntax that the grammar does not parse is rewritten in an equivalent form that it
// does; see [core.SourceEdits].

// modernise rewrites single tokens and the recorded statements.
func (l *scalaLayout) modernise() {
	for i, t := range l.tokens {
		switch t.kind {
		case scalaXML:
			l.replace(i, "xml")
		case scalaLiteral:
			l.literal(i)
		case scalaOperator:
			l.operator(i)
		case scalaWord:
			l.name(i)
		default:
		}
	}
	for _, h := range l.heads {
		if h.word == "given" {
			l.given(h)
		}
	}
}

// literal replaces a string whose backslashes or dollars the grammar takes for escapes
// with an empty one.
func (l *scalaLayout) literal(i int) {
	word := l.word(i)
	quote := strings.IndexByte(word, '"')
	switch {
	case quote == 0 && strings.HasPrefix(word, `"""`) && strings.Contains(word, `\`):
		l.replace(i, `""`)
	case quote > 0 && (word[:quote] == "raw" && strings.Contains(word, `\`) || strings.Contains(word, `$"`) || strings.Contains(word, `\`) && strings.HasPrefix(word[quote:], `"""`)):
		l.replace(i, word[:quote]+`""`)
	}
}

// operator hides capture sets and replaces unknown operators with names.
func (l *scalaLayout) operator(i int) {
	word := l.word(i)
	if word == "@" {
		l.annotation(i)
		return
	}
	switch {
	case word == "^" && l.isCapture(i):
		l.hide(i)
		l.hideSet(i + 1)
	case l.rewritten[i].as == "=>" && l.opensSet(i+1):
		l.hideSet(i + 1)
	case word == "=>" || word == "<-":
		if int(l.tokens[i].End-l.tokens[i].Start) != len(word) && !l.rewritten[i].changed {
			l.replace(i, word)
		}
	case strings.IndexFunc(word, func(c rune) bool { return c >= 0x80 }) >= 0:
		l.replace(i, "x")
	}
}

// annotation hides an annotation after a parenthesized type, or in the position of a
// type.
func (l *scalaLayout) annotation(i int) {
	before := l.word(i - 1)
	ofType := !l.tokens[i].first && (before == ")" || before == ":") && l.tokens[i-1].End < l.tokens[i].Start
	if !ofType || l.tokens[min(i+1, len(l.tokens)-1)].kind != scalaWord || l.word(i+2) == "(" {
		l.constructorAnnotation(i)
		return
	}
	l.hideAll(i, i+2)
	if before == ":" {
		l.hide(i - 1)
	}
}

// opensSet reports whether token i opens a capture set, which directly follows the
// capturing type.
func (l *scalaLayout) opensSet(i int) bool {
	return l.word(i) == "{" && l.partner[i] > 0 && l.tokens[i].Start == l.tokens[i-1].End
}

// hideSet hides the capture set that begins at token i, if there is one.
func (l *scalaLayout) hideSet(i int) {
	if l.opensSet(i) {
		l.hideAll(i, int(l.partner[i])+1)
	}
}

// isCapture reports whether token i is the capture sign after a type (capture
// checking). No operand follows it.
func (l *scalaLayout) isCapture(i int) bool {
	if i == 0 || l.tokens[i].Start != l.tokens[i-1].End || l.word(i) != "^" {
		return false
	}
	next := l.word(i + 1)
	switch next {
	case ")", "]", ",", "=", "=>", "|", "&", "->", "with", "?=>":
		return true
	case "{":
		return l.tokens[i+1].Start == l.tokens[i].End
	}
	return next == "" || l.tokens[i+1].first
}

// constructorAnnotation hides an annotation with arguments before the parameters of a
// class. The grammar would parse the parameters as more arguments.
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

// ScalaModifiers are the words that may precede a definition.
var ScalaModifiers = core.SetOf("abstract", "final", "sealed", "implicit", "lazy", "override", "private", "protected", "inline", "infix",
	"open", "transparent", "opaque", "case", "erased", "into", "tracked", "update", "consume")

// NewModifiers are the modifiers that the grammar does not know.
var NewModifiers = core.SetOf("erased", "into", "tracked", "update", "consume")

// name rewrites single words.
func (l *scalaLayout) name(i int) {
	word := l.word(i)
	before, next := l.word(i-1), l.word(i+1)
	switch word {
	case "match":
		if before == "." {
			l.replace(i, "name") // a call with cases, which has the same precedence
		}
	case "case":
		if next != "class" && next != "object" {
			l.hideModifiers(i)
		}
	case "end", "extension", "$":
		l.plainName(i)
	case "as":
		if l.word(i-2) == "import" { // an import of a name without a path
			l.hideAll(i, i+2)
		}
	case "uses", "uses_init":
		l.hideUses(i)
	case "enum":
		l.hideModifiers(i)
	default:
		if NewModifiers[word] {
			l.newModifier(i)
		}
	}
}

// plainName replaces a word that the grammar takes for a keyword with a name.
func (l *scalaLayout) plainName(i int) {
	word, next := l.word(i), l.word(i+1)
	if l.rewritten[i].changed || word == "extension" && l.isHead(i) || word == "$" && (next == "{" || next == "[") {
		return
	}
	l.replace(i, "name")
}

// newModifier hides a modifier that the grammar does not know.
func (l *scalaLayout) newModifier(i int) {
	before, next := l.word(i-1), l.word(i+1)
	if i+1 == len(l.tokens) || l.tokens[i+1].first || before == "." {
		return
	}
	ofParam := (before == "(" || before == ",") && l.word(i+2) == ":"
	ofType := before == ":" && l.word(i) == "into"
	if scalaDeclares[next] || ScalaModifiers[next] || l.tokens[i+1].kind == scalaWord && (ofParam || ofType) {
		l.hide(i)
	}
}

// hideUses hides the uses clause of a class.
func (l *scalaLayout) hideUses(i int) {
	if l.word(i-1) != ")" || i+1 >= len(l.tokens) || l.tokens[i+1].kind != scalaWord || l.tokens[i+1].first {
		return
	}
	for k := i; k < len(l.tokens) && !l.tokens[k].first; k++ {
		if word := l.word(k); word == "{" || word == "extends" || l.rewritten[k].as == "{" {
			return
		}
		l.hide(k)
	}
}

// isHead reports whether token i begins a recorded statement.
func (l *scalaLayout) isHead(i int) bool {
	_, ok := slices.BinarySearchFunc(l.heads, i, func(h scalaHead, i int) int { return h.token - i })
	return ok
}

// hideModifiers hides the modifiers before an enum, which the grammar does not accept.
func (l *scalaLayout) hideModifiers(i int) {
	for k := i - 1; k >= 0; k-- {
		word := l.word(k)
		if word == "]" && l.partner[k] > 0 && (l.word(int(l.partner[k])-1) == "private" || l.word(int(l.partner[k])-1) == "protected") {
			l.hideAll(int(l.partner[k]), k+1)
			k = int(l.partner[k])
			continue
		}
		if !ScalaModifiers[word] {
			return
		}
		l.hide(k)
	}
}
