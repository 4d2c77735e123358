package lang

import (
	"strings"
)

// signAt rewrites the sign at i.
func (k *ktRewriter) signAt(i int) {
	switch word := k.tok(i); word {
	case ",":
		if next := k.tok(i + 1); oneOf(next, ") ] > -> }") {
			k.drop(i)
			k.commas++
		}
	case "@":
		k.annotation(i)
	case ";":
		k.stray(i)
	case "..<":
		k.show(i, "..")
		k.hidden = append(k.hidden, span{start: k.end(i) - 1, end: k.end(i)})
	case "[":
		k.bracket(i)
	case "{":
		if k.tok(i+1) == "(" && k.isName(i+2) && k.tok(i+3) == ")" && !oneOf(k.tok(i+4), "-> ,") {
			k.drop(i + 1) // it would begin the parameters of a lambda
			k.drop(i + 3)
		}
	case "}":
		if open := k.pair(i); k.bodies[open] != "" && open < i-1 && !k.tokens[i].line && k.tok(i-1) != ";" {
			k.terminate(i)
		}
	case ">", "?":
		k.reference(i)
	case ".", "?.":
		if k.unfinished(i) {
			return
		}
		if k.tok(i+1) == "(" && k.tok(k.after(i+1)) == "->" {
			k.receiver(i)
		}
	case "=", "+=", "-=", "*=", "/=", "%=":
		if !k.unfinished(i) {
			k.assignment(i)
		}
	}
}

// stray drops the semicolons that end nothing in the body of a class.
func (k *ktRewriter) stray(i int) {
	around := k.around(i)
	if before := k.tok(i - 1); before == ";" || before == "{" && (around < 0 || k.bodies[around] != "enum") {
		k.drop(i)
	}
}

// bracket shows destructuring by position (2.3) as that in round brackets, and an
// empty collection as a name.
func (k *ktRewriter) bracket(i int) {
	end := k.pair(i)
	if end < 0 {
		return
	}
	before, next := k.tok(i-1), k.tok(end+1)
	head := before == "(" && k.tok(i-2) == "for"
	switch {
	case end == i+1 && !k.endsExpression(i-1):
		k.mask(i, end+1)
	case before == "val" || before == "var", head && next == "in", (before == "{" || before == ",") && next == "->":
		k.show(i, "(")
		k.show(end, ")")
	}
}

// reference hides the type arguments and question marks before ::, which the
// grammar knows after simple names alone.
func (k *ktRewriter) reference(i int) {
	if next := k.tok(i + 1); next != "::" && (next != "?" || k.tok(i+2) != "::") {
		return
	}
	from := i
	if k.tok(i) == ">" {
		from = k.beforeAngles(i)
		if k.tok(from) != "<" {
			return
		}
	}
	k.hide(from, i+1)
}

// receiver shows the receiver of the function type whose dot stands at i as one
// name with arguments.
func (k *ktRewriter) receiver(i int) {
	if k.tok(i) == "?." {
		k.show(i, " .")
		at := k.start(i)
		k.hidden = append(k.hidden, span{start: at, end: at + 1})
	}
	last := i - 1
	if k.tok(last) == ")" && k.pair(last) >= 0 {
		k.mask(k.pair(last), i)
		return
	}
	if k.tok(last) == ">" {
		last = k.beforeAngles(last) - 1
	}
	first := last
	for k.isName(first) && k.tok(first-1) == "." {
		first -= 2
		if k.tok(first) == ">" {
			first = k.beforeAngles(first) - 1
		}
	}
	if first >= 0 && first < last && k.isName(first) {
		k.maskName(first, last+1)
	}
}

// maskName shows the tokens from one to another as one name whose text says all.
func (k *ktRewriter) maskName(from, to int) {
	for at := k.start(from); at < k.end(to-1); at++ {
		k.shown[at] = '_'
	}
}

// assignment shows what is assigned to a property of a call's result as an
// operand: f().x = y as f().x ||y. The sign's text stays.
func (k *ktRewriter) assignment(i int) {
	from, to := k.start(i), k.end(i)
	if !k.inBlock(i) || to >= len(k.text) || !k.isCallTarget(i-1) {
		return
	}
	if to-from == 1 && strings.IndexByte(" \t\r\n", k.text[to]) < 0 {
		return
	}
	copy(k.shown[from:], "||")
}

// isCallTarget tells that the expression that ends at i is part of what a call
// returns.
func (k *ktRewriter) isCallTarget(i int) bool {
	if word := k.tok(i); k.tok(i+1) == "=" && (word == ")" || word == "}") {
		return false // the head of a function
	}
	call := false
	for i >= 0 {
		switch word := k.tok(i); {
		case word == ")" || word == "]" || word == "}":
			if i = k.pair(i) - 1; i < 0 {
				return false
			}
			opens := k.isName(i) && !oneOf(k.tok(i), ktOpenWords) || oneOf(k.tok(i), ") ] } > !!")
			if !opens {
				return call
			}
			call = call || word != "]"
		case word == ">":
			from := k.beforeAngles(i)
			if from == i {
				return false
			}
			i = from - 1
		case word == "!!":
			i--
		case k.isName(i):
			before := k.tok(i - 1)
			if before != "." && before != "?." {
				return call && !oneOf(before, "val var fun : @")
			}
			i -= 2
		default:
			return call
		}
	}
	return false
}

// isGuard tells the if of a guard (2.1): is Cat if it.hungry -> feed().
func (k *ktRewriter) isGuard(i int) bool {
	around := k.around(i)
	if around < 0 || !k.isWhenBody(around) {
		return false
	}
	for j := i - 1; j > max(around, i-maxArguments); j-- {
		if p := k.pair(j); p >= 0 && p < j {
			j = p
		}
		word := k.tok(j)
		switch {
		case word == "->":
			return false
		case word == ";":
			return true
		case k.tokens[j].line && (k.endsExpression(j-1) || j-1 == around):
			if k.tokens[j].kind != ktSign || oneOf(word, "( [ ! - + ++ --") {
				return true
			}
		}
	}
	return k.tok(i-1) != "{"
}

// isWhenBody tells the bracket of the entries of a when.
func (k *ktRewriter) isWhenBody(i int) bool {
	if k.tok(i) != "{" {
		return false
	}
	if k.tok(i-1) == ")" && k.pair(i-1) >= 0 {
		i = k.pair(i - 1)
	}
	return k.tok(i-1) == "when"
}

// destructuring shows destructuring by name (2.3) in the older form: the words
// (val a, val b = c) as val( a,     b    ), where what is renamed is hidden.
func (k *ktRewriter) destructuring(i int) {
	if k.tok(i+1) == "(" {
		k.renames(i+1, k.pair(i+1))
		return
	}
	open := i - 1
	end := k.around(i)
	if end >= 0 {
		end = k.pair(end)
	}
	if end < 0 || k.tok(open) != "(" && k.tok(open) != "," || !oneOf(k.tok(end+1), "= -> in ,") {
		return
	}
	begin := k.pair(end)
	if k.tok(end+1) == "," && k.tok(begin-1) != "{" && k.tok(begin-1) != "," {
		return
	}
	if open == begin && k.tok(end+1) == "=" {
		at := k.start(open)
		copy(k.shown[at:k.end(i)], "val("+strings.Repeat(" ", k.end(i)-at-len("val(")))
	} else {
		k.hide(i, i+1)
	}
	if open == begin {
		k.renames(begin, end)
	}
}

// renames hides the names of the properties in a list: a = b.
func (k *ktRewriter) renames(begin, end int) {
	for j := begin + 1; j < end; j++ {
		if k.tok(j) == "@" {
			from := j
			j = k.afterAnnotations(j)
			k.hide(from, j)
		}
		if k.tok(j) == "=" && k.around(j) == begin {
			from := j
			for j < end && k.tok(j) != "," {
				j++
			}
			k.hide(from, j)
		}
		j = max(j, k.after(j)-1)
	}
}

// typeHead rewrites the head of the class, interface or object whose keyword
// stands at i: newlines before its constructor, annotations of its supertypes,
// and the delegate that stands before its body.
func (k *ktRewriter) typeHead(i int) {
	at := i + 1
	if k.isName(at) {
		at++
	}
	if k.tok(at) == "<" {
		at = k.afterAngles(at)
	}
	at = k.constructor(at)
	if k.tok(at) == "(" {
		at = k.after(at)
	}
	bases, by := false, -1
	for ; at < len(k.tokens); at = max(at+1, k.after(at)) {
		word := k.tok(at)
		switch {
		case word == "{":
			k.body(i, at, by)
			return
		case word == ":":
			bases = true
			continue
		case k.tokens[at].line && !oneOf(k.tok(at-1), ": , by where &") && !oneOf(word, ", by where"), ktDeclarators[word], oneOf(word, ") } ] ; ="):
			return
		}
		switch {
		case word == "@" && bases:
			end := k.afterAnnotations(at)
			k.hide(at, end)
			at = end - 1
		case word == "by":
			by = at
		case word == ",":
			by = -1
		case by < 0 && !k.isName(at) && !oneOf(word, "where ( < . > ? * -> &"):
			return
		}
	}
}

// body notes the bracket at of the body of the type whose keyword stands at i; a
// delegate may stand before it.
func (k *ktRewriter) body(i, at, by int) {
	k.bodies[at] = "class"
	if k.tok(i-1) == "enum" {
		k.bodies[at] = "enum"
	}
	if by > 0 {
		k.delegate(by, at)
	}
}

// constructor returns the index behind the word constructor of a head, which is
// shown on the line of the head's start; at where none is written.
func (k *ktRewriter) constructor(at int) int {
	end := at
	for {
		if next := k.afterAnnotations(end); next != end {
			end = next
			continue
		}
		if !ktModifiers[k.tok(end)] {
			break
		}
		end++
	}
	if k.tok(end) != "constructor" {
		return at
	}
	for j := at; j <= end; j++ {
		k.join(j)
	}
	return end + 1
}

// delegate shows the delegate between the word by and the body of a class as a
// supertype: the grammar would take the body for a lambda that it is called with.
func (k *ktRewriter) delegate(by, body int) {
	k.show(by, ",")
	at := by + 1
	for k.isName(at) && k.tok(at+1) == "." {
		at += 2
	}
	if k.isName(at) {
		at++
	}
	if k.tok(at) == "(" {
		at = k.after(at)
	}
	if at != body || !k.isName(by+1) || k.tok(by+1) == "this" || k.tok(by+1) == "super" {
		k.maskName(by+1, body)
	}
}
