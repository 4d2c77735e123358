package lang

import (
	"slices"
	"strings"
)

// The grammar of Kotlin is older than the language, and its scanner guesses where
// statements end. ktRewriter shows it another text of the same length: words it
// does not know as annotations, names it takes for keywords as other names, signs
// it does not know as those it does, and newlines as what the language takes them
// for. Texts of nodes stay those of the file.
type ktRewriter struct {
	*ktLexer
	shown       []byte
	hidden      []span         // tokens that mean something and that the parser is not shown
	unread      []span         // what is no code of the language; name says why
	annotations int            // that follow one another
	annotated   int            // where the last one ends
	began       bool           // a statement was read that is no import
	commas      int            // trailing ones that are not shown
	bodies      map[int]string // the brackets that bodies of types open with, and what is declared
}

// rewriteKotlin returns what the parser is shown of a text.
func rewriteKotlin(text []byte) *ktRewriter {
	shown := slices.Clone(text)
	for _, mark := range conflictMarks(shown) {
		blank(shown[mark.start:mark.end])
	}
	k := &ktRewriter{ktLexer: ktTokens(string(shown)), shown: shown, bodies: map[int]string{}}
	if strings.HasPrefix(k.text, "#!") {
		blank(k.shown[:ktSkip(k.text, 0, "\n")])
	}
	for i, t := range k.tokens {
		if t.line && k.around(i) < 0 && !oneOf(k.tok(i), "package import @") {
			k.began = true
		}
		switch t.kind {
		case ktName:
			k.name(i)
		case ktSign:
			k.signAt(i)
		case ktNumber:
			k.number(i)
		case ktQuote, ktText:
			k.stringPart(i)
		}
		if k.tokens[i].line || k.tokens[i].remark {
			k.lineStart(i)
		}
	}
	for _, b := range k.lost {
		k.found(b)
	}
	for _, at := range k.cut {
		k.closeString(at)
	}
	for _, d := range k.deep {
		k.refuse(d.start, d.end, "strings too deep in strings ")
	}
	slices.SortFunc(k.hidden, func(a, b span) int { return a.start - b.start })
	return k
}

// closeString shows quotes at the end of a string that has none.
func (k *ktRewriter) closeString(at int) {
	if k.shown[at-1] != '"' {
		k.shown[at-1] = '"'
	} else {
		k.shown[at-1] = ' ' // nothing stands in it
	}
	if len(k.unread) < maxParseErrors {
		line := k.text[strings.LastIndexByte(k.text[:at], '\n')+1 : at]
		k.unread = append(k.unread, span{at - 1, at, "unclosed " + quoteShort(line[max(0, strings.LastIndexByte(line, '"')):])})
	}
}

// refuse does not show a part of the text and reports it.
func (k *ktRewriter) refuse(from, to int, why string) {
	blank(k.shown[from:to])
	if len(k.unread) < maxParseErrors {
		k.unread = append(k.unread, span{from, to, why + quoteShort(k.text[from:to])})
	}
}

// maxAnnotations is how many annotations may follow one another: each doubles
// the ways in which the grammar may read them.
const maxAnnotations = 32

// annotation does not show annotations that follow too many others.
func (k *ktRewriter) annotation(i int) {
	if i != k.annotated {
		k.annotations = 0
	}
	k.annotations++
	k.annotated = max(i+1, k.afterOne(i))
	if k.annotations > maxAnnotations {
		k.refuse(k.start(i), k.end(k.annotated-1), "too many annotations ")
	}
}

// oneOf tells whether a word is in a list of words.
func oneOf(word, list string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}

// tok returns a token's text; "" for none.
func (k *ktRewriter) tok(i int) string {
	if i < 0 || i >= len(k.tokens) {
		return ""
	}
	return k.text[k.start(i):k.end(i)]
}

// isName tells an identifier or keyword.
func (k *ktRewriter) isName(i int) bool {
	return i >= 0 && i < len(k.tokens) && k.tokens[i].kind == ktName
}

// after returns the index behind the brackets that open at i; i when none do.
func (k *ktRewriter) after(i int) int {
	if i >= 0 && i < len(k.tokens) && k.pair(i) > i {
		return k.pair(i) + 1
	}
	return i
}

// inBlock tells whether a token stands where newlines end statements.
func (k *ktRewriter) inBlock(i int) bool {
	around := k.around(i)
	return around < 0 || k.tok(around) == "{"
}

// show shows the token i as a text, filled up with blanks.
func (k *ktRewriter) show(i int, as string) {
	from, to := k.start(i), k.end(i)
	if n := to - from; n >= len(as) {
		copy(k.shown[from:to], as+strings.Repeat(" ", n-len(as)))
	}
}

// first shows the token i with another first character.
func (k *ktRewriter) first(i int, c byte) {
	if at := k.start(i); k.shown[at] != ' ' { // it is shown at all
		k.shown[at] = c
	}
}

// drop does not show a token that means nothing.
func (k *ktRewriter) drop(i int) { blank(k.shown[k.start(i):k.end(i)]) }

// hide does not show the tokens from one to another, which mean something.
func (k *ktRewriter) hide(from, to int) {
	for i := from; i < to; i++ {
		k.drop(i)
		k.hidden = append(k.hidden, span{start: k.start(i), end: k.end(i)})
	}
}

// mask shows the tokens from one to another as one name.
func (k *ktRewriter) mask(from, to int) {
	if from >= to {
		return
	}
	for at := k.start(from); at < k.end(to-1); at++ {
		k.shown[at] = '_'
	}
	for i := from; i < to; i++ {
		k.hidden = append(k.hidden, span{start: k.start(i), end: k.end(i)})
	}
}

// terminate puts a semicolon before the token i, in the place of a blank.
func (k *ktRewriter) terminate(i int) {
	at := k.start(i)
	if remark, ok := k.remarks[i]; ok {
		at = remark
	}
	if at > 0 && strings.IndexByte(" \t\n", k.shown[at-1]) >= 0 {
		k.shown[at-1] = ';'
	}
}

// join shows the token i on the line of the token before it.
func (k *ktRewriter) join(i int) {
	if i == 0 || !k.tokens[i].line {
		return
	}
	between := k.shown[k.end(i-1):k.start(i)]
	if len(strings.TrimSpace(string(between))) == 0 {
		for j := range between {
			between[j] = ' '
		}
	}
}

// endsExpression tells a token that an expression or a declaration may end with.
func (k *ktRewriter) endsExpression(i int) bool {
	if i < 0 {
		return false
	}
	switch k.tokens[i].kind {
	case ktName:
		return !oneOf(k.tok(i), ktOpenWords) && !k.isInfix(i)
	case ktSign:
		return oneOf(k.tok(i), ") ] } ++ -- !!")
	}
	return true
}

// isInfix tells the name of a function that stands between its operands.
func (k *ktRewriter) isInfix(i int) bool {
	if k.tokens[i].line || i == 0 || k.end(i-1) == k.start(i) {
		return false
	}
	switch k.tokens[i-1].kind {
	case ktName:
		return k.tok(i-2) != "@" && !oneOf(k.tok(i-1), ktOpenWords) && !ktModifiers[k.tok(i-1)]
	case ktSign:
		return oneOf(k.tok(i-1), ") ] } ++ -- !!") && !k.headOpen(i-1)
	}
	return true
}

// ktOpenWords are the keywords that more of a statement follows.
const ktOpenWords = "else if while for do when try return throw in is as val var fun class interface object typealias package import by"

// lineStart ends the statement before a line, or goes on with it, where the
// grammar's scanner does the other thing.
func (k *ktRewriter) lineStart(i int) {
	if i == 0 || !k.inBlock(i) || k.tokens[i].kind == ktText {
		return
	}
	if k.endsAnnotation(i - 1) {
		k.join(i)
		return
	}
	word := k.tok(i)
	switch word {
	case "as":
		k.join(i)
	case "catch", "finally":
		if k.isHandler(i) {
			k.join(i)
		}
	case "where", "by":
		if word == "by" || k.isConstraint(i) {
			k.join(i)
		}
	case "in":
		if k.endsExpression(i - 1) {
			k.terminate(i)
		}
	case "else":
		if k.tok(i+1) == "->" || k.tok(i+1) == "if" && k.isGuard(i+1) {
			k.terminate(i)
		}
	case "(", "[", "+", "-", "::":
		if k.endsExpression(i-1) && !k.headOpen(i-1) {
			k.terminate(i)
		}
	case ".", "?.", "?:", "&&", "||", ":", "=", "->", "{", "}", ")", ",", ";", "<", ">":
	default:
		if k.tokens[i].remark && k.endsExpression(i-1) && !k.headOpen(i-1) {
			k.endBefore(i)
		}
	}
}

// isHandler tells a clause of a try.
func (k *ktRewriter) isHandler(i int) bool {
	next := k.tok(i + 1)
	return k.tok(i-1) == "}" && (k.tok(i) == "catch" && next == "(" || k.tok(i) == "finally" && next == "{")
}

// endBefore ends the statement before a comment that stands before the token i.
func (k *ktRewriter) endBefore(i int) {
	at := k.remarks[i]
	if at > 0 && strings.IndexByte(" \t\n", k.shown[at-1]) >= 0 {
		k.shown[at-1] = ';'
	}
}

// headOpen tells that the token i ends a head that its body or its parameters
// follow: if (x), @A, class A.
func (k *ktRewriter) headOpen(i int) bool {
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
func (k *ktRewriter) isConstraint(i int) bool {
	i = k.afterAnnotations(i + 1)
	return k.isName(i) && k.tok(i+1) == ":"
}

// afterAnnotations returns the index of the first token from i on that belongs to
// no annotation.
func (k *ktRewriter) afterAnnotations(i int) int {
	for limit := i + maxArguments; k.tok(i) == "@" && i < limit; {
		i = k.afterOne(i)
	}
	return min(i, len(k.tokens))
}

// afterOne returns the index behind the annotation that begins at i.
func (k *ktRewriter) afterOne(i int) int {
	i++
	if k.isName(i) && k.tok(i+1) == ":" { // the target
		i += 2
	}
	if k.tok(i) == "[" {
		return k.after(i)
	}
	i++
	for k.tok(i) == "." && k.isName(i+1) {
		i += 2
	}
	if k.tok(i) == "<" {
		i = k.afterAngles(i)
	}
	if k.tok(i) == "(" && k.start(i) == k.end(i-1) {
		i = k.after(i)
	}
	return min(i, len(k.tokens))
}

// maxArguments is how many tokens a list of type arguments may have.
const maxArguments = 256

// afterAngles returns the index behind the type arguments that open at i; i when
// what stands there is no such list.
func (k *ktRewriter) afterAngles(i int) int {
	depth := 0
	for j := i; j < min(len(k.tokens), i+maxArguments); j++ {
		switch word := k.tok(j); {
		case word == "<":
			depth++
		case word == ">":
			if depth--; depth == 0 {
				return j + 1
			}
		case word == "(" || word == "[":
			if k.pair(j) < j {
				return i
			}
			j = k.pair(j)
		case k.isName(j) || oneOf(word, ". , ? * -> & : @ ?."):
		default:
			return i
		}
	}
	return i
}

// beforeAngles returns the index of the bracket that opens the type arguments
// that close at i; i when what stands there is no such list.
func (k *ktRewriter) beforeAngles(i int) int {
	depth := 0
	for j := i; j >= max(0, i-maxArguments); j-- {
		switch word := k.tok(j); {
		case word == ">":
			depth++
		case word == "<":
			if depth--; depth == 0 {
				return j
			}
		case word == ")" || word == "]":
			if k.pair(j) < 0 || k.pair(j) > j {
				return i
			}
			j = k.pair(j)
		case k.isName(j) || oneOf(word, ". , ? * -> & : @ ?."):
		default:
			return i
		}
	}
	return i
}
