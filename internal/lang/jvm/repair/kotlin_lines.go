package repair

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
)

// terminate inserts a semicolon before token i, replacing a blank.
func (k *KotlinRewriter) terminate(i int) {
	at := k.Start(i)
	if leadComment, ok := k.commentStarts[i]; ok {
		at = leadComment
	}
	if at > 0 && strings.IndexByte(" \t\n", k.Rewritten[at-1]) >= 0 {
		k.Rewritten[at-1] = ';'
	}
}

// join moves token i to the line of the token before it.
func (k *KotlinRewriter) join(i int) {
	if i == 0 || !k.Tokens[i].line {
		return
	}
	between := k.Rewritten[k.End(i-1):k.Start(i)]
	if len(strings.TrimSpace(string(between))) == 0 {
		for j := range between {
			between[j] = ' '
		}
	}
}

// endsExpression reports whether an expression or a declaration may end with token i.
func (k *KotlinRewriter) endsExpression(i int) bool {
	switch {
	case i < 0:
		return false
	case k.isName(i):
		return !oneOf(k.tok(i), kotlinOpenWords) && !k.isInfix(i)
	case k.Tokens[i].kind == kotlinSign:
		return oneOf(k.tok(i), ") ] } ++ -- !!")
	}
	return true
}

// isInfix reports whether token i is the name of a function in infix position.
func (k *KotlinRewriter) isInfix(i int) bool {
	if k.Tokens[i].line || i == 0 || k.End(i-1) == k.Start(i) {
		return false
	}
	switch {
	case k.isName(i - 1):
		return k.tok(i-2) != "@" && !oneOf(k.tok(i-1), kotlinOpenWords) && !kotlinModifiers[k.tok(i-1)]
	case k.Tokens[i-1].kind == kotlinSign:
		return oneOf(k.tok(i-1), ") ] } ++ -- !!") && !k.headOpen(i-1)
	}
	return true
}

// kotlinOpenWords are the keywords after which a statement continues.
const kotlinOpenWords = "else if while for do when try return throw in is as val var fun class interface object typealias package import by"

// lineStart ends the previous statement before a line, or joins the line to it, if the
// grammar's scanner would do the opposite.
func (k *KotlinRewriter) lineStart(i int) {
	if i == 0 || !k.inBlock(i) || k.Tokens[i].kind == kotlinText {
		return
	}
	switch word := k.tok(i); {
	case k.endsAnnotation(i - 1), k.continues(i, word):
		k.join(i)
	case word == "in" && k.endsExpression(i-1), word == "else" && k.beginsEntry(i):
		k.terminate(i)
	case oneOf(word, "( [ + - ::") || k.Tokens[i].leadComment && !oneOf(word, ". ?. ?: && || : = -> { } ) , ; < >"):
		if k.endsExpression(i-1) && !k.headOpen(i-1) {
			k.terminate(i)
		}
	}
}

// continues reports whether word at i continues the statement of the previous line.
func (k *KotlinRewriter) continues(i int, word string) bool {
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

// beginsEntry reports whether the else at i is an entry of a when.
func (k *KotlinRewriter) beginsEntry(i int) bool {
	return k.tok(i+1) == "->" || k.tok(i+1) == "if" && k.isGuard(i+1)
}

// isHandler reports whether token i starts a catch or finally clause.
func (k *KotlinRewriter) isHandler(i int) bool {
	next := k.tok(i + 1)
	return k.tok(i-1) == "}" && (k.tok(i) == "catch" && next == "(" || k.tok(i) == "finally" && next == "{")
}

// headOpen reports whether token i ends a head that is followed by its body or
// parameters: if (x), @A, class A.
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

// isConstraint reports whether the where at i begins type constraints: where T : Any.
func (k *KotlinRewriter) isConstraint(i int) bool {
	i = k.afterAnnotations(i + 1)
	return k.isName(i) && k.tok(i+1) == ":"
}

// looksLikeKeyword reports whether the grammar's scanner takes the first letters of a
// name for a keyword: elsewhere, importer, in1, !isOpen, a eq b.
func (k *KotlinRewriter) looksLikeKeyword(word string, i int) bool {
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

// afterElse keeps the scanner, which skips an else, from also skipping the string or
// comment after it: else "x" becomes else+"x".
func (k *KotlinRewriter) afterElse(i int) bool {
	if i+1 == len(k.Tokens) {
		return true
	}
	from, to := k.End(i), k.Start(i+1)
	if strings.Contains(k.text[from:to], "/*") {
		srctext.Blank(k.Rewritten[from:to])
	}
	if k.Tokens[i+1].kind == kotlinQuote && to > from {
		k.Rewritten[to-1] = '+'
	}
	return true
}
