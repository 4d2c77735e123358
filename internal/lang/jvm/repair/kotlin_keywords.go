package repair

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// kotlinModifiers are the words that are modifiers before a declaration and names
// elsewhere (Kotlin grammar, "modifiers" and "simpleIdentifier").
var kotlinModifiers = core.SetOf(strings.Fields(`abstract actual annotation companion const crossinline data enum expect external
	final infix inline inner internal lateinit noinline open operator override private protected public sealed suspend
	tailrec value vararg`)...)

// kotlinDeclarators are the keywords that follow a declaration's modifiers.
var kotlinDeclarators = core.SetOf("class", "interface", "fun", "val", "var", "object", "typealias", "constructor")

// keywordRules rewrite words that the grammar misreads. They report whether the word is
// done.
var keywordRules = map[string]func(k *KotlinRewriter, i int) bool{
	"suspend":    (*KotlinRewriter).suspend,
	"annotation": func(k *KotlinRewriter, i int) bool { return k.setFirstIf(i, '@', k.isModifier(i)) },
	"actual":     func(k *KotlinRewriter, i int) bool { return k.setFirstIf(i, '@', k.inParameters(i) && k.isModifier(i)) },
	"get":        func(k *KotlinRewriter, i int) bool { return k.setFirstIf(i, '_', !k.isAccessor(i) && !k.isTarget(i)) },
	"set":        func(k *KotlinRewriter, i int) bool { return k.setFirstIf(i, '_', !k.isAccessor(i) && !k.isTarget(i)) },
	"dynamic":    func(k *KotlinRewriter, i int) bool { return k.setFirstIf(i, '_', oneOf(k.tok(i-1), "val var")) },
	"where":      func(k *KotlinRewriter, i int) bool { return k.setFirstIf(i, '_', !k.isConstraint(i)) },
	"catch":      func(k *KotlinRewriter, i int) bool { return k.setFirstIf(i, '_', !k.isHandler(i)) },
	"finally":    func(k *KotlinRewriter, i int) bool { return k.setFirstIf(i, '_', !k.isHandler(i)) },
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

// name rewrites the word at i if the grammar would misread it.
func (k *KotlinRewriter) name(i int) {
	word := k.tok(i)
	if oneOf(k.tok(i-1), ". ?. ::") {
		k.setFirstIf(i, '_', kotlinModifiers[word])
		return
	}
	if i == k.annotated && k.annotations > 0 && kotlinModifiers[word] && word != "enum" && word != "companion" && k.isModifier(i) {
		k.setFirst(i, '@') // after an annotation it may be parsed as an operand
		k.annotated++
		return
	}
	if rewrite := keywordRules[word]; rewrite != nil && rewrite(k, i) {
		return
	}
	if kotlinModifiers[word] && !k.isModifier(i) || !kotlinModifiers[word] && k.looksLikeKeyword(word, i) {
		k.setFirst(i, '_')
	}
}

// setFirstIf replaces the first byte of token i with c if cond. It returns cond.
func (k *KotlinRewriter) setFirstIf(i int, c byte, cond bool) bool {
	if cond {
		k.setFirst(i, c)
	}
	return cond
}

// isTarget reports whether token i is the target of an annotation: @get:A.
func (k *KotlinRewriter) isTarget(i int) bool { return k.tok(i-1) == "@" && k.tok(i+1) == ":" }

// suspend hides the modifier of an anonymous function and reports whether it precedes a
// type, where it is kept.
func (k *KotlinRewriter) suspend(i int) bool {
	if k.tok(i+1) == "fun" && k.tok(i+2) == "(" {
		k.hide(i, i+1)
		return true
	}
	return k.isTypeStart(i)
}

// function rewrites the tokens after fun. In fun interface it rewrites fun as an
// annotation.
func (k *KotlinRewriter) function(i int) bool {
	switch k.tok(i + 1) {
	case "(":
		k.untyped(i + 1)
		k.ofFunctionType(i + 1)
	case "interface":
		k.setFirst(i, '@')
	}
	return true
}

// guard rewrites a guard (2.1) as another condition: is A if b becomes is A,  b.
func (k *KotlinRewriter) guard(i int) bool {
	if k.isGuard(i) {
		k.replace(i, ",")
		if k.tok(i-1) == "else" {
			k.setFirst(i-1, '_')
		}
	}
	return true
}

// forAll rewrites the annotation target all (2.2) as an older one.
func (k *KotlinRewriter) forAll(i int) bool {
	if k.isTarget(i) {
		k.replace(i, "get")
	}
	return true
}

// ofFunctionType replaces the receiver of an extension function on a function type with
// one name.
func (k *KotlinRewriter) ofFunctionType(open int) {
	if end := k.after(open); k.tok(end) == "." && k.isName(end+1) && k.tok(end+2) == "(" {
		k.maskName(open, end)
	}
}

// untyped hides the parameters without types of an anonymous function.
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

// lateImport rewrites an import after statements, which scripts allow, as a statement.
func (k *KotlinRewriter) lateImport(i int) bool {
	if !k.Tokens[i].line || !k.began {
		return true
	}
	k.replace(i, "return")
	for i++; k.isName(i) && k.tok(i+1) == "."; i += 2 {
		if k.tok(i+2) == "*" {
			k.replace(i+2, "_")
		}
	}
	return true
}

// isTypeStart reports whether a type begins at i: after a colon, an arrow or an angle
// bracket.
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

// isFunctionType reports whether a function type begins at i, optionally with a
// receiver.
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

// kotlinOperators are the operators that precede an operand.
const kotlinOperators = " = == != === !== + - * / % <= >= && || ?: ! .. ..< += -= *= /= %= "

// isModifier reports whether the word at i is followed by more modifiers and a
// declaration.
func (k *KotlinRewriter) isModifier(i int) bool {
	if !k.Tokens[i].line && oneOf(k.tok(i-1), kotlinOperators+kotlinOpenWords) {
		return false
	}
	inList := k.inParameters(i)
	for j := i + 1; j < min(len(k.Tokens), i+MaxArguments); j++ {
		j = k.afterAnnotations(j)
		word := k.tok(j)
		switch {
		case kotlinDeclarators[word]:
			return true
		case word == "get" || word == "set":
			if k.isAccessor(j) {
				return true
			}
			return inList && k.tok(j+1) == ":"
		case word == "context" && k.tok(j+1) == "(":
			j = k.after(j+1) - 1
		case kotlinModifiers[word] && k.tok(j+1) != ":":
		default:
			return inList && k.isName(j) && k.tok(j+1) == ":"
		}
	}
	return false
}

// inParameters reports whether token i is directly inside parentheses.
func (k *KotlinRewriter) inParameters(i int) bool {
	return k.around(i) >= 0 && k.tok(k.around(i)) == "("
}

// isAccessor reports whether the word at i, get or set, is an accessor of a property.
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

// hasAccessorBody reports whether the word at i is followed by the parameters and the
// body of an accessor, not by the arguments of a call.
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

// context rewrites context parameters (2.2) and receivers as an annotation: context(a:
// A<B>) becomes @ontext(a= ____).
func (k *KotlinRewriter) context(i int) bool {
	if k.tok(i+1) != "(" {
		return false
	}
	end := k.after(i + 1)
	next := k.afterAnnotations(end)
	word := k.tok(next)
	declares := kotlinDeclarators[word] || kotlinModifiers[word] && (k.isModifier(next) || word == "suspend")
	if end == i+1 || !declares && !k.isTypeStart(i) {
		return true
	}
	k.setFirst(i, '@')
	for j := i + 2; j < end-1; j++ {
		from := j
		if k.isName(j) && k.tok(j+1) == ":" {
			k.replace(j+1, "=")
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

// backingField rewrites an explicit backing field (2.3) as the value of its property.
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
		k.Rewritten[at] = ' '
	}
	return true
}

// afterProperty reports whether the line before i declares a property without a value.
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
