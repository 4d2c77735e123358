package repair

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// scalaDeclares are the keywords that say what a statement declares.
var scalaDeclares = core.SetOf("type", "def", "val", "var", "class", "object", "trait", "enum", "given", "extension", "import", "export", "package")

// token follows what token i opens, closes or says.
func (l *scalaLayout) token(i int) {
	if l.shown[i].changed && l.word(i-1) == "end" { // the second word of an end marker
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

// sign follows the signs that tell types from values and statements from each
// other.
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

// arrow follows an arrow: of a case, of a template's instance, of a lambda.
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

// inType tells whether types are written at the place at hand.
func (l *scalaLayout) inType() bool {
	top := l.top()
	return top.types || top.typed || top.declares == "type" && top.equals
}

// declared notes what a statement declares by its keyword.
func (l *scalaLayout) declared(i int, word string) {
	top := l.top()
	switch {
	case word == "given" && (top.declares == "import" || top.declares == "export" || l.inImport()):
		l.importGivens(i)
	case word == "case" && l.word(i+1) != "class" && l.word(i+1) != "object":
		if k := l.awaited("yield"); k < 0 || l.pending[k].depth != len(l.stack) { // no generator's
			top.declares, top.typed, top.equals = "case", false, false
		}
	case !scalaDeclares[word] || top.declares != "" || l.word(i-1) == "." || top.bracket == '(' || top.bracket == '[':
	default:
		l.declare(i, word)
	}
}

// declare notes a declaration that the keyword at token i begins.
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

// inImport tells the braces of an import.
func (l *scalaLayout) inImport() bool {
	if l.top().bracket != '{' || len(l.stack) < 2 {
		return false
	}
	around := l.stack[len(l.stack)-2].declares
	return around == "import" || around == "export"
}

// inBrackets tells that the innermost region but indentations is in brackets.
func (l *scalaLayout) inBrackets() bool {
	for _, r := range slices.Backward(l.stack) {
		if r.bracket != 0 {
			return r.bracket != '{'
		}
	}
	return false
}

var scalaOpeners = map[byte]byte{')': '(', ']': '[', '}': '{'}

// closeBracket closes the region of a bracket, with the indentations in it.
func (l *scalaLayout) closeBracket(i int, bracket byte) {
	for k, r := range slices.Backward(l.stack) {
		if r.bracket == 0 {
			continue
		}
		if r.bracket != scalaOpeners[bracket] {
			return // not a pair: left to the grammar
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

// awaited returns the index of the pending word that "then", "do" or "yield"
// answers; -1 for none.
func (l *scalaLayout) awaited(word string) int {
	for k, p := range slices.Backward(l.pending) {
		switch {
		case word == "then" && p.word == "if", word == "do" && p.word != "if", word == "yield" && p.word == "for":
			return k
		}
	}
	return -1
}

// answer shows the brackets around what stands between if and then, while and
// do, for and do or yield.
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
	s := l.shown[p.token]
	s.after = "(" + s.after
	l.shown[p.token] = s
	l.show(i, ")")
	l.needed = true
}

// generators shows the braces around the generators of a for expression.
func (l *scalaLayout) generators(from, to int) {
	next := l.word(from + 1)
	bracketed := next == "{" || next == "(" && l.partner[from+1] > 0 && !slices.Contains([]string{"<-", "="}, l.word(int(l.partner[from+1])+1))
	if l.word(to) == "do" {
		l.show(to, "")
		l.needed = true
	}
	if bracketed || l.shown[from].after != "" { // the second: they begin a line
		return
	}
	l.append(from, "{")
	l.append(to-1, "}")
	l.needed = true
}

// endMarker hides "end if" and its like: the indentation says it all.
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
