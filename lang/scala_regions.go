package lang

import "slices"

// scalaIndents are the words after which an indentation may begin a region.
var scalaIndents = setOf("catch", "do", "else", "finally", "for", "if", "return", "then", "throw", "try", "while", "yield", "match", "<-")

// indents tells whether the line that begins with token i begins a region.
func (l *scalaLayout) indents(i int) bool {
	t, top, before := l.tokens[i], l.top(), l.word(i-1)
	width := l.width()
	if t.column < width || top.bracket == '[' || l.word(i) == "{" && before != "=>" && before != "=" && before != ":" {
		return false
	}
	if t.column == width { // cases may stand as far left as what they are in
		return (before == "match" || before == "catch") && l.word(i) == "case" && top.bracket == 0 && top.declares != "type"
	}
	if top.declares == "type" || top.declares == "import" || top.declares == "case" && before != "=>" && before != "match" {
		return false
	}
	switch before {
	case ":":
		return l.colonIndents(i - 1)
	case "=":
		return true
	case "=>", "?=>":
		return l.arrowIndents(i - 1)
	case "with":
		return top.declares == "given"
	case ")", "}":
		return l.bracketIndents(i)
	case "]":
		return false
	}
	return scalaIndents[before] && (l.word(i-2) != "." || before == "match")
}

// colonIndents tells whether a colon at a line's end begins a body or an
// argument, and not a type.
func (l *scalaLayout) colonIndents(i int) bool {
	top := l.top()
	if top.bracket == '(' {
		return !top.types && (l.word(i-2) == "." || l.word(i-1) == ")")
	}
	switch top.declares {
	case "def", "val", "var":
		return top.equals
	case "extension":
		return false
	}
	return true
}

// arrowIndents tells whether an arrow at a line's end begins a body, and not a
// result type, nor the rest of the braces that its parameters opened.
func (l *scalaLayout) arrowIndents(i int) bool {
	top := l.top()
	if i == l.lastArm {
		return true
	}
	if l.colonLambda(i) > 0 {
		return true
	}
	switch top.declares {
	case "def", "val", "var", "given", "class", "trait":
		if !top.equals {
			return false
		}
	}
	if top.bracket == '(' {
		return !top.typed
	}
	if top.template && top.count <= 1 && top.declares == "" { // the name of the instance
		return false
	}
	return !top.lambda || l.lastLambda != i
}

// opensLambda tells the arrow behind the parameters of "{ x => … }", at whose
// end the brace ends.
func (l *scalaLayout) opensLambda(i int) bool {
	top := l.top()
	if top.bracket != '{' || l.inImport() || top.template || top.lambda || top.stmt != top.open+1 && top.count > 1 || top.equals || top.declares != "" {
		return false
	}
	for at := top.open + 1; at < i; at++ {
		switch word := l.word(at); word {
		case "(", "[":
			if l.partner[at] > 0 && (at == top.open+1 || top.typed || l.tokens[at].kind == scalaBracket && l.word(at-1) == "]") {
				at = int(l.partner[at])
			} else {
				return false
			}
		case "_", ":", "implicit", "=>":
		default:
			if l.tokens[at].kind != scalaWord && !top.typed {
				return false
			}
		}
	}
	l.lastLambda = i
	return true
}

// opensTemplate tells the brace of a template from that of a block.
func (l *scalaLayout) opensTemplate(i int) bool {
	top := l.top()
	switch top.declares {
	case "class", "trait", "object", "enum", "package", "extension":
		return true
	case "given":
		return !top.equals
	}
	for at := i - 1; at > top.open; at-- { // new A[T](x) with B {
		word := l.word(at)
		switch {
		case word == "new":
			return true
		case (word == ")" || word == "]") && l.partner[at] >= 0:
			at = int(l.partner[at])
		case word == "." || word == "#" || l.tokens[at].kind == scalaWord && !scalaContinues[word] || word == "with":
		default:
			return false
		}
	}
	return false
}

// colonLambda returns the colon of "f: x =>", whose lambda ends with arrow i; 0
// where there is none.
func (l *scalaLayout) colonLambda(i int) int {
	at := i - 1
	switch {
	case l.word(at) == ")" && l.partner[at] >= 0:
		at = int(l.partner[at]) - 1
		if l.word(at) == "]" && l.partner[at] >= 0 {
			at = int(l.partner[at]) - 1
		}
	case at > 0 && l.tokens[at].kind == scalaWord:
		at--
		if l.word(at) == "using" || l.word(at) == "implicit" {
			at--
		}
	default:
		return 0
	}
	if at < 2 || l.word(at) != ":" || l.tokens[at].first {
		return 0
	}
	callee := l.tokens[at-1]
	top := l.top()
	if callee.kind != scalaWord && l.word(at-1) != ")" && l.word(at-1) != "]" && l.word(at-1) != "}" || callee.start <= l.tokens[max(top.open, 0)].start {
		return 0
	}
	if top.bracket == '{' && at-1 == top.open+1 || top.declares == "case" || top.bracket == '(' {
		return 0
	}
	if slices.Contains([]string{"def", "val", "var", "given", "class", "trait"}, top.declares) && !top.equals {
		return 0
	}
	return at
}

// bracketIndents tells whether a line that begins with token i is the body that
// follows a condition, generators or the parameters of an extension.
func (l *scalaLayout) bracketIndents(i int) bool {
	if l.tokens[i].kind == scalaOperator && l.word(i) != "@" || scalaContinues[l.word(i)] || l.word(i) == "(" {
		return false
	}
	if l.lastIf == i-1 {
		return true
	}
	top := l.top()
	return top.declares == "extension" && top.head >= 0 && l.skipClauses(l.heads[top.head].token+1, len(l.tokens)) == i
}

// scalaDeclares are the keywords that say what a statement declares.
var scalaDeclares = setOf("type", "def", "val", "var", "class", "object", "trait", "enum", "given", "extension", "import", "export", "package")

// token follows what token i opens, closes or says.
func (l *scalaLayout) token(i int) {
	top := l.top()
	if l.shown[i].changed && l.word(i-1) == "end" { // the second word of an end marker
		return
	}
	switch word := l.word(i); word {
	case "(", "[", "{":
		if word == "{" {
			l.bracedLambda(i)
		}
		l.push(scalaRegion{open: i, bracket: word[0], width: -1, template: word == "{" && l.opensTemplate(i), types: word == "[" || word == "(" && l.inType()})
	case ")", "]", "}":
		l.closeBracket(i, word[0])
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
		if top.declares == "case" {
			l.lastArm = i
			top.declares, top.equals = "", false
			l.bracedLambda(i)
		} else if top.template && top.count <= 1 && top.declares == "" {
			l.selfType(i)
		} else if l.opensLambda(i) {
			l.append(i, "{")
			top.lambda = true
		}
		top.typed = top.typed && (top.declares != "" || top.bracket == '(')
	case "extends":
		top.extends = true
	case "if", "while", "for":
		l.pending = append(l.pending, scalaPending{word, i, len(l.stack)})
	case "then", "do", "yield":
		l.answer(i, word)
	case "end":
		l.endMarker(i)
	case "->", "?->":
		l.captureArrow(i)
	case "match":
		if top.declares == "type" && top.equals && top.matched == 0 {
			top.matched = i
		}
	default:
		l.declared(i, word)
	}
}

// inType tells whether types are written at the place at hand.
func (l *scalaLayout) inType() bool {
	top := l.top()
	return top.types || top.typed || top.declares == "type" && top.equals
}

// declared notes what a statement declares by its keyword.
func (l *scalaLayout) declared(i int, word string) {
	top := l.top()
	if word == "given" && (top.declares == "import" || top.declares == "export" || l.inImport()) {
		l.importGivens(i)
		return
	}
	if word == "case" && l.word(i+1) != "class" && l.word(i+1) != "object" {
		if k := l.awaited("yield"); k >= 0 && l.pending[k].depth == len(l.stack) {
			return // of a generator
		}
		top.declares, top.typed, top.equals = "case", false, false
		return
	}
	if !scalaDeclares[word] || top.declares != "" || l.word(i-1) == "." || top.bracket == '(' || top.bracket == '[' {
		return
	}
	next := l.word(i + 1)
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
