package repair

import "github.com/reverse-spec/reverse-spec/internal/lang/core"

// scalaIndents are the words after which an indentation region may begin.
var scalaIndents = core.SetOf("catch", "do", "else", "finally", "for", "if", "return", "then", "throw", "try", "while", "yield", "match", "<-")

// indents reports whether the line that begins with token i begins a region.
func (l *scalaLayout) indents(i int) bool {
	column, width, before := l.tokens[i].column, l.width(), l.word(i-1)
	if column == width { // cases may be aligned with the enclosing region
		top := l.top()
		return (before == "match" || before == "catch") && l.word(i) == "case" && top.bracket == 0 && top.declares != "type"
	}
	if column < width || !l.mayIndent(i) {
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
		return l.top().declares == "given"
	case ")", "}":
		return l.bracketIndents(i)
	}
	return scalaIndents[before] && (l.word(i-2) != "." || before == "match")
}

// mayIndent reports whether a region may begin before token i: not in types or
// patterns, and not before a brace.
func (l *scalaLayout) mayIndent(i int) bool {
	top, before := l.top(), l.word(i-1)
	switch top.declares {
	case "type", "import":
		return false
	case "case":
		if before != "=>" && before != "match" {
			return false
		}
	}
	return top.bracket != '[' && (l.word(i) != "{" || before == "=>" || before == "=" || before == ":")
}

// colonIndents reports whether a colon at the end of a line begins a body or an
// argument, not a type.
func (l *scalaLayout) colonIndents(i int) bool {
	top := l.top()
	if top.bracket == '(' {
		return !top.types && (l.word(i-2) == "." || l.word(i-1) == ")" || l.opensTemplate(i))
	}
	switch top.declares {
	case "def", "val", "var":
		return top.equals
	case "extension":
		return false
	}
	return true
}

// arrowIndents reports whether an arrow at the end of a line begins a body, not a
// result type or the rest of the braces that its parameters opened.
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
	if top.template && top.count <= 1 && top.declares == "" { // the self type
		return false
	}
	return !top.lambda || l.lastLambda != i
}

// opensLambda reports whether token i is the arrow after the parameters of "{ x => …
// }". The body ends at the closing brace.
func (l *scalaLayout) opensLambda(i int) bool {
	top := l.top()
	first := top.stmt == top.open+1 || top.count <= 1
	block := top.bracket == '{' && !top.template && !top.lambda && !l.inImport()
	if !block || !first || top.equals || top.declares != "" || !l.areParameters(top.open+1, i) {
		return false
	}
	l.lastLambda = i
	return true
}

// areParameters reports whether the tokens [from, to) are the parameters of a lambda
// with their types.
func (l *scalaLayout) areParameters(from, to int) bool {
	typed := l.top().typed
	for at := from; at < to; at++ {
		word := l.word(at)
		switch bracket := word == "(" || word == "["; {
		case bracket && l.partner[at] > 0 && (at == from || typed || l.word(at-1) == "]"):
			at = int(l.partner[at])
		case word == "_" || word == ":" || word == "=>":
		case bracket || l.tokens[at].kind != scalaWord && !typed:
			return false
		}
	}
	return true
}

// opensTemplate reports whether the brace at token i opens a template, not a block.
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

// colonLambda returns the index of the colon of "f: x =>" whose parameters end with
// arrow i, or 0 if there is none.
func (l *scalaLayout) colonLambda(i int) int {
	at := l.beforeParameters(i - 1)
	if at < 2 || l.word(at) != ":" || l.tokens[at].first {
		return 0
	}
	top := l.top()
	callee := l.word(at - 1)
	called := l.tokens[at-1].kind == scalaWord || callee == ")" || callee == "]" || callee == "}"
	if !called || at-1 <= top.open || top.bracket == '{' && at-1 == top.open+1 || top.bracket == '(' {
		return 0
	}
	switch top.declares {
	case "case":
		return 0
	case "def", "val", "var", "given", "class", "trait":
		if !top.equals {
			return 0
		}
	}
	return at
}

// beforeParameters returns the token before the lambda parameters that end at at, or -1
// if there are none.
func (l *scalaLayout) beforeParameters(at int) int {
	switch {
	case l.word(at) == ")" && l.partner[at] >= 0:
		at = int(l.partner[at]) - 1
		if l.word(at) == "]" && l.partner[at] >= 0 {
			at = int(l.partner[at]) - 1
		}
		return at
	case at > 0 && l.tokens[at].kind == scalaWord:
		if before := l.word(at - 1); before == "using" || before == "implicit" {
			at--
		}
		return at - 1
	}
	return -1
}

// bracketIndents reports whether a line that begins with token i is the body after a
// condition, generators or the parameters of an extension.
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
