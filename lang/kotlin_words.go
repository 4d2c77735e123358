package lang

import (
	"strings"
)

// ktModifiers are the words that are modifiers before a declaration and names
// elsewhere (Kotlin grammar, "modifiers" and "simpleIdentifier").
var ktModifiers = setOf(strings.Fields(`abstract actual annotation companion const crossinline data enum expect external
	final infix inline inner internal lateinit noinline open operator override private protected public sealed suspend
	tailrec value vararg`)...)

// ktDeclarators are the words that a declaration's modifiers end at.
var ktDeclarators = setOf("class", "interface", "fun", "val", "var", "object", "typealias", "constructor")

// name rewrites the word at i where the grammar would take it for another one.
func (k *ktRewriter) name(i int) {
	word := k.tok(i)
	switch k.tok(i - 1) {
	case ".", "?.", "::":
		if word != "class" && k.tok(i-2) != "package" && ktModifiers[word] {
			k.first(i, '_')
		}
		return
	}
	switch {
	case word == "suspend" && k.tok(i+1) == "fun" && k.tok(i+2) == "(":
		k.hide(i, i+1) // an anonymous function
	case word == "suspend" && k.isTypeStart(i):
	case ktModifiers[word] && !k.isModifier(i):
		k.first(i, '_')
	case word == "actual" && k.inParameters(i):
		k.first(i, '@')
	case word == "get" || word == "set":
		if !k.isAccessor(i) && (k.tok(i-1) != "@" || k.tok(i+1) != ":") {
			k.first(i, '_')
		}
	case word == "fun" && k.tok(i+1) == "(":
		k.untyped(i + 1)
		k.ofFunctionType(i + 1)
	case word == "fun" && k.tok(i+1) == "interface":
		k.first(i, '@')
	case word == "class" || word == "interface" || word == "object":
		k.typeHead(i)
	case word == "context" && k.tok(i+1) == "(":
		k.context(i)
	case word == "if" && k.isGuard(i):
		k.show(i, ",")
		if k.tok(i-1) == "else" {
			k.first(i-1, '_')
		}
	case word == "else":
		k.afterElse(i)
	case word == "dynamic" && oneOf(k.tok(i-1), "val var"):
		k.first(i, '_')
	case word == "where" && !k.isConstraint(i):
		k.first(i, '_')
	case word == "import" && k.tokens[i].line && k.began:
		k.lateImport(i)
	case word == "field" && k.tokens[i].line:
		k.backingField(i)
	case word == "all" && k.tok(i-1) == "@" && k.tok(i+1) == ":":
		k.show(i, "get")
	case word == "val" || word == "var":
		k.destructuring(i)
	default:
		if k.misleads(word, i) {
			k.first(i, '_')
		}
	}
}

// ofFunctionType shows the receiver of a function that extends a function type as
// one name.
func (k *ktRewriter) ofFunctionType(open int) {
	if end := k.after(open); k.tok(end) == "." && k.isName(end+1) && k.tok(end+2) == "(" {
		k.maskName(open, end)
	}
}

// untyped hides the parameters of an anonymous function that have no types.
func (k *ktRewriter) untyped(open int) {
	for i := open + 1; i < k.pair(open); i++ {
		if k.isName(i) && k.tok(i+1) != ":" && (i == open+1 || k.tok(i-1) == ",") {
			k.hide(i, i+1)
			if k.tok(i+1) == "," {
				k.drop(i + 1)
			}
		}
		i = max(i, k.after(i)-1)
	}
}

// lateImport shows an import that stands behind statements, as scripts may have
// it, as a statement.
func (k *ktRewriter) lateImport(i int) {
	k.show(i, "return")
	for i++; k.isName(i) && k.tok(i+1) == "."; i += 2 {
		if k.tok(i+2) == "*" {
			k.show(i+2, "_")
		}
	}
}

// afterElse keeps the scanner, which skips over an else, from going on to the
// string or comment behind it: else "x" is shown as else+"x".
func (k *ktRewriter) afterElse(i int) {
	if i+1 == len(k.tokens) {
		return
	}
	from, to := k.end(i), k.start(i+1)
	if strings.Contains(k.text[from:to], "/*") {
		blank(k.shown[from:to])
	}
	if k.tokens[i+1].kind == ktQuote && to > from {
		k.shown[to-1] = '+'
	}
}

// misleads tells a name whose first letters the grammar's scanner takes for a
// keyword: elsewhere, importer, in1.
func (k *ktRewriter) misleads(word string, i int) bool {
	for _, keyword := range []string{"else", "import", "instanceof"} {
		if len(word) > len(keyword) && strings.HasPrefix(word, keyword) {
			return true
		}
	}
	before := k.tok(i - 1)
	switch {
	case word == "catch" || word == "finally":
		return !k.isHandler(i)
	case (word == "is" || word == "in") && before == "!":
		return false
	case before == "!" && (strings.HasPrefix(word, "is") || strings.HasPrefix(word, "in")):
		return true
	}
	if word[0] == 'e' && word != "else" && !ktModifiers[word] && !k.tokens[i].line {
		return true
	}
	rest, ok := strings.CutPrefix(word, "in")
	return ok && k.tokens[i].line && rest != "" && (rest[0] == '_' || rest[0] >= '0' && rest[0] <= '9')
}

// isTypeStart tells that a type stands at i: after a colon, an arrow, an angle.
func (k *ktRewriter) isTypeStart(i int) bool {
	if k.tok(i+1) == "{" {
		return false
	}
	switch k.tok(i - 1) {
	case ":", "<", "->", "as", "is":
		return true
	case "=", "(", ",", ")":
		if k.tok(i) == "context" {
			return k.isFunctionType(k.after(i + 1))
		}
		return k.isFunctionType(i + 1)
	}
	return false
}

// isFunctionType tells that brackets with an arrow after them open at i, a
// receiver before them.
func (k *ktRewriter) isFunctionType(i int) bool {
	for k.isName(i) {
		i++
		if k.tok(i) == "<" {
			i = k.afterAngles(i)
		}
		if k.tok(i) == "." || k.tok(i) == "?." {
			i++
		}
	}
	return k.tok(i) == "(" && k.tok(k.after(i)) == "->"
}

// ktOperators are the signs that an operand follows.
const ktOperators = " = == != === !== + - * / % <= >= && || ?: ! .. ..< += -= *= /= %= "

// isModifier tells that more modifiers and a declaration follow the word at i.
func (k *ktRewriter) isModifier(i int) bool {
	if !k.tokens[i].line && oneOf(k.tok(i-1), ktOperators+ktOpenWords) {
		return false
	}
	inList := k.inParameters(i)
	for j := i + 1; j < min(len(k.tokens), i+maxArguments); j++ {
		j = k.afterAnnotations(j)
		word := k.tok(j)
		switch {
		case ktDeclarators[word]:
			return true
		case word == "get" || word == "set":
			if k.isAccessor(j) {
				return true
			}
			return inList && k.tok(j+1) == ":"
		case word == "context" && k.tok(j+1) == "(":
			j = k.after(j+1) - 1
		case ktModifiers[word] && k.tok(j+1) != ":":
		default:
			return inList && k.isName(j) && k.tok(j+1) == ":"
		}
	}
	return false
}

// inParameters tells that the token i stands in round brackets.
func (k *ktRewriter) inParameters(i int) bool {
	return k.around(i) >= 0 && k.tok(k.around(i)) == "("
}

// isAccessor tells that the word at i, get or set, is an accessor of a property.
func (k *ktRewriter) isAccessor(i int) bool {
	if !k.inBlock(i) {
		return false
	}
	if k.tok(i+1) == "(" && k.pair(i+1) > 0 {
		end := k.pair(i+1) + 1
		switch k.tok(end) {
		case "=", ":":
			return true
		case "{":
			if k.tok(i) == "get" {
				return end == i+3
			}
			return end == i+4 || k.tok(k.afterAnnotations(i+2)+1) == ":" || k.tok(i+2) == "@"
		}
		return false
	}
	if k.isName(i-1) && oneOf(k.tok(i-1), "private internal protected public inline external") {
		return i+1 == len(k.tokens) || k.tokens[i+1].line || oneOf(k.tok(i+1), "; }")
	}
	return k.endsAnnotation(i-1) && (i+1 == len(k.tokens) || k.tokens[i+1].line || oneOf(k.tok(i+1), "; }"))
}

// endsAnnotation tells that an annotation ends at i.
func (k *ktRewriter) endsAnnotation(i int) bool {
	if k.tok(i) == ")" && k.pair(i) >= 0 {
		i = k.pair(i) - 1
	}
	for k.isName(i) && k.tok(i-1) == "." {
		i -= 2
	}
	at := i - 1
	if k.tok(at) == ":" {
		if at -= 2; k.tok(at+1) == "file" {
			return false
		}
	}
	return k.isName(i) && k.tok(at) == "@" && !oneOf(k.tok(at-1), "return break continue this super")
}

// number shows binary literals as those in base sixteen.
func (k *ktRewriter) number(i int) {
	if word := k.tok(i); strings.HasPrefix(word, "0b") || strings.HasPrefix(word, "0B") {
		k.shown[k.start(i)+1] = 'x'
	}
}

// stringPart rewrites what the scanner reads otherwise in strings: more than one
// dollar before them, backslashes in raw strings.
func (k *ktRewriter) stringPart(i int) {
	t, from, to := k.tokens[i], k.start(i), k.end(i)
	if t.kind == ktQuote {
		n := strings.IndexByte(k.tok(i), '"')
		blank(k.shown[from : from+max(0, n)])
		return
	}
	for at := from; at < to; at++ {
		switch {
		case k.text[at] == '\\' && t.raw:
			k.shown[at] = '/'
		case k.text[at] == '\\' && at+1 < to:
			if k.text[at+1] == '$' {
				copy(k.shown[at:], "__")
			}
			at++
		case k.text[at] == '$' && int(t.dollars) > 1:
			end := at
			for end < to && k.text[end] == '$' {
				end++
			}
			if end-at < int(t.dollars) {
				copy(k.shown[at:end], "______")
			}
			at = end - 1
		}
	}
}

// context shows context parameters (2.2) and receivers as an annotation:
// context(a: A<B>) is shown as @ontext(a= ____).
func (k *ktRewriter) context(i int) {
	end := k.after(i + 1)
	next := k.afterAnnotations(end)
	word := k.tok(next)
	declares := ktDeclarators[word] || ktModifiers[word] && (k.isModifier(next) || word == "suspend")
	if end == i+1 || !declares && !k.isTypeStart(i) {
		return
	}
	k.first(i, '@')
	for j := i + 2; j < end-1; j++ {
		from := j
		if k.isName(j) && k.tok(j+1) == ":" {
			k.show(j+1, "=")
			from = j + 2
		}
		for j = from; j < end-1 && k.tok(j) != ","; j++ {
			if k.tok(j) == "<" {
				j = max(j, k.afterAngles(j)-1)
			}
			j = max(j, k.after(j)-1)
		}
		k.mask(from, min(j, end-1))
	}
}

// backingField shows an explicit backing field (2.3) as the value of its
// property.
func (k *ktRewriter) backingField(i int) {
	end := i + 1
	if k.tok(end) == ":" {
		for end++; end < len(k.tokens) && k.tok(end) != "=" && !k.tokens[end].line; end++ {
		}
	}
	if k.tok(end) != "=" || !k.inBlock(i) || !k.afterProperty(i) {
		return
	}
	k.join(i)
	k.hide(i, end)
	for at := k.start(i); at < k.start(end); at++ {
		k.shown[at] = ' '
	}
}

// afterProperty tells that the line before i declares a property without a value.
func (k *ktRewriter) afterProperty(i int) bool {
	at := i - 1
	for at > 0 && !k.tokens[at].line {
		at--
	}
	declared := false
	for ; at < i; at++ {
		switch k.tok(at) {
		case "=", "by":
			return false
		case "val", "var":
			declared = true
		}
	}
	return declared
}
