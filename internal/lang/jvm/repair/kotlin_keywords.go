package repair

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// ktModifiers are the words that are modifiers before a declaration and names
// elsewhere (Kotlin grammar, "modifiers" and "simpleIdentifier").
var ktModifiers = core.SetOf(strings.Fields(`abstract actual annotation companion const crossinline data enum expect external
	final infix inline inner internal lateinit noinline open operator override private protected public sealed suspend
	tailrec value vararg`)...)

// ktDeclarators are the words that a declaration's modifiers end at.
var ktDeclarators = core.SetOf("class", "interface", "fun", "val", "var", "object", "typealias", "constructor")

// ktWords rewrite words where the grammar would take them for others. They tell
// whether there is no more to look at.
var ktWords = map[string]func(k *KotlinRewriter, i int) bool{
	"suspend":    (*KotlinRewriter).suspend,
	"annotation": func(k *KotlinRewriter, i int) bool { return k.firstIf(i, '@', k.isModifier(i)) },
	"actual":     func(k *KotlinRewriter, i int) bool { return k.firstIf(i, '@', k.inParameters(i) && k.isModifier(i)) },
	"get":        func(k *KotlinRewriter, i int) bool { return k.firstIf(i, '_', !k.isAccessor(i) && !k.isTarget(i)) },
	"set":        func(k *KotlinRewriter, i int) bool { return k.firstIf(i, '_', !k.isAccessor(i) && !k.isTarget(i)) },
	"dynamic":    func(k *KotlinRewriter, i int) bool { return k.firstIf(i, '_', oneOf(k.tok(i-1), "val var")) },
	"where":      func(k *KotlinRewriter, i int) bool { return k.firstIf(i, '_', !k.isConstraint(i)) },
	"catch":      func(k *KotlinRewriter, i int) bool { return k.firstIf(i, '_', !k.isHandler(i)) },
	"finally":    func(k *KotlinRewriter, i int) bool { return k.firstIf(i, '_', !k.isHandler(i)) },
	"fun":        (*KotlinRewriter).function,
	"class":      (*KotlinRewriter).typeHead,
	"interface":  (*KotlinRewriter).typeHead,
	"object":     (*KotlinRewriter).typeHead,
	"context":    (*KotlinRewriter).context,
	"if":         (*KotlinRewriter).guard,
	"else":       (*KotlinRewriter).afterElse,
	"import":     (*KotlinRewriter).lateImport,
	"field":      (*KotlinRewriter).backingField,
	"all":        (*KotlinRewriter).forAll,
	"val":        (*KotlinRewriter).destructuring,
	"var":        (*KotlinRewriter).destructuring,
}

// name rewrites the word at i where the grammar would take it for another one.
func (k *KotlinRewriter) name(i int) {
	word := k.tok(i)
	if oneOf(k.tok(i-1), ". ?. ::") {
		k.firstIf(i, '_', ktModifiers[word])
		return
	}
	if i == k.annotated && k.annotations > 0 && ktModifiers[word] && word != "enum" && word != "companion" && k.isModifier(i) {
		k.first(i, '@') // behind an annotation it may be taken for an operand
		k.annotated++
		return
	}
	if rewrite := ktWords[word]; rewrite != nil && rewrite(k, i) {
		return
	}
	if ktModifiers[word] && !k.isModifier(i) || !ktModifiers[word] && k.misleads(word, i) {
		k.first(i, '_')
	}
}

// firstIf shows the token i with another first character where that is so.
func (k *KotlinRewriter) firstIf(i int, c byte, so bool) bool {
	if so {
		k.first(i, c)
	}
	return so
}

// isTarget tells the target of an annotation: @get:A.
func (k *KotlinRewriter) isTarget(i int) bool { return k.tok(i-1) == "@" && k.tok(i+1) == ":" }

// suspend hides the word of an anonymous function and leaves that of a type.
func (k *KotlinRewriter) suspend(i int) bool {
	if k.tok(i+1) == "fun" && k.tok(i+2) == "(" {
		k.hide(i, i+1)
		return true
	}
	return k.isTypeStart(i)
}

// function rewrites what follows the word fun, and the word before interface,
// which becomes an annotation.
func (k *KotlinRewriter) function(i int) bool {
	switch k.tok(i + 1) {
	case "(":
		k.untyped(i + 1)
		k.ofFunctionType(i + 1)
	case "interface":
		k.first(i, '@')
	}
	return true
}

// guard shows a guard (2.1) as one more condition: is A if b as is A,  b.
func (k *KotlinRewriter) guard(i int) bool {
	if k.isGuard(i) {
		k.show(i, ",")
		if k.tok(i-1) == "else" {
			k.first(i-1, '_')
		}
	}
	return true
}

// forAll shows the annotation target all (2.2) as an older one.
func (k *KotlinRewriter) forAll(i int) bool {
	if k.isTarget(i) {
		k.show(i, "get")
	}
	return true
}

// ofFunctionType shows the receiver of a function that extends a function type as
// one name.
func (k *KotlinRewriter) ofFunctionType(open int) {
	if end := k.after(open); k.tok(end) == "." && k.isName(end+1) && k.tok(end+2) == "(" {
		k.maskName(open, end)
	}
}

// untyped hides the parameters of an anonymous function that have no types.
func (k *KotlinRewriter) untyped(open int) {
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
func (k *KotlinRewriter) lateImport(i int) bool {
	if !k.Tokens[i].line || !k.began {
		return true
	}
	k.show(i, "return")
	for i++; k.isName(i) && k.tok(i+1) == "."; i += 2 {
		if k.tok(i+2) == "*" {
			k.show(i+2, "_")
		}
	}
	return true
}

// isTypeStart tells that a type stands at i: after a colon, an arrow, an angle.
func (k *KotlinRewriter) isTypeStart(i int) bool {
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
func (k *KotlinRewriter) isFunctionType(i int) bool {
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
func (k *KotlinRewriter) isModifier(i int) bool {
	if !k.Tokens[i].line && oneOf(k.tok(i-1), ktOperators+ktOpenWords) {
		return false
	}
	inList := k.inParameters(i)
	for j := i + 1; j < min(len(k.Tokens), i+MaxArguments); j++ {
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
func (k *KotlinRewriter) inParameters(i int) bool {
	return k.around(i) >= 0 && k.tok(k.around(i)) == "("
}

// isAccessor tells that the word at i, get or set, is an accessor of a property.
func (k *KotlinRewriter) isAccessor(i int) bool {
	if !k.inBlock(i) {
		return false
	}
	if k.tok(i+1) == "(" && k.pair(i+1) > 0 {
		return k.hasAccessorBody(i)
	}
	marked := k.isName(i-1) && oneOf(k.tok(i-1), "private internal protected public inline external") || k.endsAnnotation(i-1)
	return marked && (i+1 == len(k.Tokens) || k.Tokens[i+1].line || oneOf(k.tok(i+1), "; }"))
}

// hasAccessorBody tells that what follows the word at i are the parameters and
// the body of an accessor, not the arguments of a call.
func (k *KotlinRewriter) hasAccessorBody(i int) bool {
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

// context shows context parameters (2.2) and receivers as an annotation:
// context(a: A<B>) is shown as @ontext(a= ____).
func (k *KotlinRewriter) context(i int) bool {
	if k.tok(i+1) != "(" {
		return false
	}
	end := k.after(i + 1)
	next := k.afterAnnotations(end)
	word := k.tok(next)
	declares := ktDeclarators[word] || ktModifiers[word] && (k.isModifier(next) || word == "suspend")
	if end == i+1 || !declares && !k.isTypeStart(i) {
		return true
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
	return true
}

// backingField shows an explicit backing field (2.3) as the value of its
// property.
func (k *KotlinRewriter) backingField(i int) bool {
	if !k.Tokens[i].line {
		return true
	}
	end := i + 1
	if k.tok(end) == ":" {
		for end++; end < len(k.Tokens) && k.tok(end) != "=" && !k.Tokens[end].line; end++ {
		}
	}
	if k.tok(end) != "=" || !k.inBlock(i) || !k.afterProperty(i) {
		return true
	}
	k.join(i)
	k.hide(i, end)
	for at := k.Start(i); at < k.Start(end); at++ {
		k.Shown[at] = ' '
	}
	return true
}

// afterProperty tells that the line before i declares a property without a value.
func (k *KotlinRewriter) afterProperty(i int) bool {
	at := i - 1
	for at > 0 && !k.Tokens[at].line {
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
