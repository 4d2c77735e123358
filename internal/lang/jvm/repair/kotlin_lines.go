package repair

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// terminate puts a semicolon before the token i, in the place of a blank.
func (k *KotlinRewriter) terminate(i int) {
	at := k.Start(i)
	if remark, ok := k.remarks[i]; ok {
		at = remark
	}
	if at > 0 && strings.IndexByte(" \t\n", k.Shown[at-1]) >= 0 {
		k.Shown[at-1] = ';'
	}
}

// join shows the token i on the line of the token before it.
func (k *KotlinRewriter) join(i int) {
	if i == 0 || !k.Tokens[i].line {
		return
	}
	between := k.Shown[k.End(i-1):k.Start(i)]
	if len(strings.TrimSpace(string(between))) == 0 {
		for j := range between {
			between[j] = ' '
		}
	}
}

// endsExpression tells a token that an expression or a declaration may end with.
func (k *KotlinRewriter) endsExpression(i int) bool {
	switch {
	case i < 0:
		return false
	case k.isName(i):
		return !oneOf(k.tok(i), ktOpenWords) && !k.isInfix(i)
	case k.Tokens[i].kind == ktSign:
		return oneOf(k.tok(i), ") ] } ++ -- !!")
	}
	return true
}

// isInfix tells the name of a function that stands between its operands.
func (k *KotlinRewriter) isInfix(i int) bool {
	if k.Tokens[i].line || i == 0 || k.End(i-1) == k.Start(i) {
		return false
	}
	switch {
	case k.isName(i - 1):
		return k.tok(i-2) != "@" && !oneOf(k.tok(i-1), ktOpenWords) && !ktModifiers[k.tok(i-1)]
	case k.Tokens[i-1].kind == ktSign:
		return oneOf(k.tok(i-1), ") ] } ++ -- !!") && !k.headOpen(i-1)
	}
	return true
}

// ktOpenWords are the keywords that more of a statement follows.
const ktOpenWords = "else if while for do when try return throw in is as val var fun class interface object typealias package import by"

// lineStart ends the statement before a line, or goes on with it, where the
// grammar's scanner does the other thing.
func (k *KotlinRewriter) lineStart(i int) {
	if i == 0 || !k.inBlock(i) || k.Tokens[i].kind == ktText {
		return
	}
	switch word := k.tok(i); {
	case k.endsAnnotation(i - 1), k.goesOn(i, word):
		k.join(i)
	case word == "in" && k.endsExpression(i-1), word == "else" && k.beginsEntry(i):
		k.terminate(i)
	case oneOf(word, "( [ + - ::") || k.Tokens[i].remark && !oneOf(word, ". ?. ?: && || : = -> { } ) , ; < >"):
		if k.endsExpression(i-1) && !k.headOpen(i-1) {
			k.terminate(i)
		}
	}
}

// goesOn tells a word that goes on with the statement of the line before.
func (k *KotlinRewriter) goesOn(i int, word string) bool {
	switch word {
	case "as", "by":
		return true
	case "catch", "finally":
		return k.isHandler(i)
	case "where":
		return k.isConstraint(i)
	}
	return false
}

// beginsEntry tells the else of a when.
func (k *KotlinRewriter) beginsEntry(i int) bool {
	return k.tok(i+1) == "->" || k.tok(i+1) == "if" && k.isGuard(i+1)
}

// isHandler tells a clause of a try.
func (k *KotlinRewriter) isHandler(i int) bool {
	next := k.tok(i + 1)
	return k.tok(i-1) == "}" && (k.tok(i) == "catch" && next == "(" || k.tok(i) == "finally" && next == "{")
}

// headOpen tells that the token i ends a head that its body or its parameters
// follow: if (x), @A, class A.
func (k *KotlinRewriter) headOpen(i int) bool {
	if k.tok(i) == ")" && k.pair(i) >= 0 {
		i = k.pair(i) - 1
		if oneOf(k.tok(i), "if while for when catch") {
			return true
		}
	}
	for k.isName(i) && k.tok(i-1) == "." {
		i -= 2
	}
	switch k.tok(i - 1) {
	case "@":
		return !oneOf(k.tok(i-2), "return break continue this super")
	case "fun", "class", "interface", "object":
		return true
	case ":":
		return k.tok(i-3) == "@"
	}
	return k.tok(i) == "constructor"
}

// isConstraint tells the word where of a declaration: where T : Any.
func (k *KotlinRewriter) isConstraint(i int) bool {
	i = k.afterAnnotations(i + 1)
	return k.isName(i) && k.tok(i+1) == ":"
}

// misleads tells a name whose first letters the grammar's scanner takes for a
// keyword: elsewhere, importer, in1, !isOpen, a eq b.
func (k *KotlinRewriter) misleads(word string, i int) bool {
	for _, keyword := range []string{"else", "import", "instanceof"} {
		if len(word) > len(keyword) && strings.HasPrefix(word, keyword) {
			return true
		}
	}
	if k.tok(i-1) == "!" && word != "is" && word != "in" && (strings.HasPrefix(word, "is") || strings.HasPrefix(word, "in")) {
		return true
	}
	if !k.Tokens[i].line {
		return word[0] == 'e' && word != "else"
	}
	rest, ok := strings.CutPrefix(word, "in")
	return ok && rest != "" && (rest[0] == '_' || rest[0] >= '0' && rest[0] <= '9')
}

// afterElse keeps the scanner, which skips over an else, from going on to the
// string or comment behind it: else "x" is shown as else+"x".
func (k *KotlinRewriter) afterElse(i int) bool {
	if i+1 == len(k.Tokens) {
		return true
	}
	from, to := k.End(i), k.Start(i+1)
	if strings.Contains(k.text[from:to], "/*") {
		core.Blank(k.Shown[from:to])
	}
	if k.Tokens[i+1].kind == ktQuote && to > from {
		k.Shown[to-1] = '+'
	}
	return true
}
