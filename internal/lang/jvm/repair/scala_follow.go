package repair

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// scalaDeclares are the keywords of declarations.
var scalaDeclares = core.SetOf("type", "def", "val", "var", "class", "object", "trait", "enum", "given", "extension", "import", "export", "package")

// token updates the state with token i.
func (l *scalaLayout) token(i int) {
	if l.rewritten[i].changed && l.word(i-1) == "end" { // second word of an end marker
		return
	}
	switch word := l.word(i); word {
	case "(", "[", "{":
		l.openBracket(i, word[0])
	case ")", "]", "}":
		l.closeBracket(i, word[0])
	case ",", ";", ":", "=", "=>", "->", "?->":
		l.sign(i, word)
	case "extends":
		l.top().extends = true
	case "if", "while", "for":
		l.pending = append(l.pending, scalaPending{word, i, len(l.stack)})
	case "then", "do", "yield":
		l.answer(i, word)
	case "end":
		l.endMarker(i)
	case "match":
		if top := l.top(); top.declares == "type" && top.equals && top.matched == 0 {
			top.matched = i
		}
	default:
		l.declared(i, word)
	}
}

func (l *scalaLayout) openBracket(i int, bracket byte) {
	r := scalaRegion{open: i, bracket: bracket, width: -1}
	switch bracket {
	case '{':
		l.bracedLambda(i)
		r.template = l.opensTemplate(i)
	case '[':
		r.types = true
	case '(':
		r.types = l.inType()
	}
	l.push(r)
}

// sign updates the state with the signs that separate types from values, and statements
// from each other.
func (l *scalaLayout) sign(i int, word string) {
	top := l.top()
	switch word {
	case ",":
		for l.inBrackets() && l.top().bracket == 0 {
			l.pop(i)
		}
		l.top().typed, l.top().equals = false, false
	case ";":
		l.begin(i + 1)
	case ":":
		if top.typed = true; top.colon == 0 {
			top.colon = i
		}
	case "=":
		top.typed, top.equals = false, true
	case "=>":
		l.arrow(i)
	default:
		l.captureArrow(i)
	}
}

// arrow updates the state with an arrow of a case, a self type or a lambda.
func (l *scalaLayout) arrow(i int) {
	top := l.top()
	switch {
	case top.declares == "case":
		l.lastArm = i
		top.declares, top.equals = "", false
		l.bracedLambda(i)
	case top.template && top.count <= 1 && top.declares == "":
		l.selfType(i)
	case l.opensLambda(i):
		l.append(i, "{")
		top.lambda = true
	}
	top.typed = top.typed && (top.declares != "" || top.bracket == '(')
}

// inType reports whether types are expected at the current token.
func (l *scalaLayout) inType() bool {
	top := l.top()
	return top.types || top.typed || top.declares == "type" && top.equals
}

// declared records the keyword of a statement.
func (l *scalaLayout) declared(i int, word string) {
	top := l.top()
	switch {
	case word == "given" && (top.declares == "import" || top.declares == "export" || l.inImport()):
		l.importGivens(i)
	case word == "case" && l.word(i+1) != "class" && l.word(i+1) != "object":
		if k := l.awaited("yield"); k < 0 || l.pending[k].depth != len(l.stack) { // not part of a generator
			top.declares, top.typed, top.equals = "case", false, false
		}
	case !scalaDeclares[word] || top.declares != "" || l.word(i-1) == "." || top.bracket == '(' || top.bracket == '[':
	default:
		l.declare(i, word)
	}
}

// declare records the declaration whose keyword is token i.
func (l *scalaLayout) declare(i int, word string) {
	top, next := l.top(), l.word(i+1)
	switch word {
	case "given", "extension":
		if top.equals || word == "extension" && next != "(" && next != "[" {
			return
		}
		l.needed = true
		top.head = len(l.heads)
		l.heads = append(l.heads, scalaHead{word, i, len(l.tokens)})
	case "enum":
		l.needed = true
	case "package":
		l.nestedPackage(i)
	}
	top.declares = word
}

// inImport reports whether the current region is the braces of an import or export.
func (l *scalaLayout) inImport() bool {
	if l.top().bracket != '{' || len(l.stack) < 2 {
		return false
	}
	around := l.stack[len(l.stack)-2].declares
	return around == "import" || around == "export"
}

// inBrackets reports whether the innermost region, ignoring indentation, is in ( ) or [
// ].
func (l *scalaLayout) inBrackets() bool {
	for _, r := range slices.Backward(l.stack) {
		if r.bracket != 0 {
			return r.bracket != '{'
		}
	}
	return false
}

var scalaOpeners = map[byte]byte{')': '(', ']': '[', '}': '{'}

// closeBracket closes the region of a bracket and the indentation regions in it.
func (l *scalaLayout) closeBracket(i int, bracket byte) {
	for k, r := range slices.Backward(l.stack) {
		if r.bracket == 0 {
			continue
		}
		if r.bracket != scalaOpeners[bracket] {
			return // unbalanced: left to the grammar
		}
		for len(l.stack) > k {
			l.pop(i)
		}
		l.partner[i], l.partner[r.open] = int32(r.open), int32(i)
		l.modernBrackets(r.open, i)
		switch l.word(r.open - 1) {
		case "if", "while", "for":
			l.lastIf = i
		}
		return
	}
}

// awaited returns the index of the pending keyword that "then", "do" or "yield"
// completes, or -1.
func (l *scalaLayout) awaited(word string) int {
	for k, p := range slices.Backward(l.pending) {
		switch {
		case word == "then" && p.word == "if", word == "do" && p.word != "if", word == "yield" && p.word == "for":
			return k
		}
	}
	return -1
}

// answer adds the parentheses around the text between if and then, while and do, or for
// and do or yield.
func (l *scalaLayout) answer(i int, word string) {
	k := l.awaited(word)
	if k < 0 {
		return
	}
	p := l.pending[k]
	for len(l.stack) > p.depth {
		if l.top().bracket != 0 {
			return
		}
		l.pop(i)
	}
	l.pending = l.pending[:min(k, len(l.pending))]
	if p.word == "for" {
		l.generators(p.token, i)
		return
	}
	s := l.rewritten[p.token]
	s.after = "(" + s.after
	l.rewritten[p.token] = s
	l.replace(i, ")")
	l.needed = true
}

// generators adds the braces around the generators of a for expression.
func (l *scalaLayout) generators(from, to int) {
	next := l.word(from + 1)
	bracketed := next == "{" || next == "(" && l.partner[from+1] > 0 && !slices.Contains([]string{"<-", "="}, l.word(int(l.partner[from+1])+1))
	if l.word(to) == "do" {
		l.replace(to, "")
		l.needed = true
	}
	if bracketed || l.rewritten[from].after != "" { // the second token begins a line
		return
	}
	l.append(from, "{")
	l.append(to-1, "}")
	l.needed = true
}

// endMarker hides "end if" and other end markers, which are redundant with the
// indentation.
func (l *scalaLayout) endMarker(i int) {
	if !l.tokens[i].first || i+1 >= len(l.tokens) || l.tokens[i+1].first || l.tokens[i+1].kind != scalaWord {
		return
	}
	if i+2 < len(l.tokens) && !l.tokens[i+2].first {
		return
	}
	l.hide(i)
	l.hide(i + 1)
	l.needed = true
}
