// Package repair rewrites Kotlin and Scala for grammars that are older than the
// languages or misread them, without moving a line. Scala's indentation becomes
// braces, Kotlin's newlines become semicolons.
package repair

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// KotlinRewriter makes a text of the same length that the grammar reads. The grammar
// is older than the language, and its scanner guesses where statements end: words it
// does not know become annotations, names it takes for keywords other names, operators
// it does not know some it does, and newlines what the language takes them for.
type KotlinRewriter struct {
	*KotlinLexer
	Shown       []byte
	Hidden      []core.Span    // tokens that mean something and that the parser is not shown
	Unread      []core.Span    // what is no code of the language; name says why
	annotations int            // that follow one another
	annotated   int            // where the last one ends
	masked      int            // where the arguments end that are shown as part of a name
	began       bool           // a statement was read that is no import
	Commas      int            // trailing ones that are not shown
	Semicolons  int            // those that the tree does not tell
	bodies      map[int]string // the brackets that bodies of types open with, and what is declared
}

// RewriteKotlin returns what the parser is shown of a text.
func RewriteKotlin(text []byte) *KotlinRewriter {
	shown := slices.Clone(text)
	for _, mark := range core.ConflictMarks(shown) {
		core.Blank(shown[mark.Start:mark.End])
	}
	k := &KotlinRewriter{KotlinLexer: KotlinTokens(string(shown)), Shown: shown, bodies: map[int]string{}}
	if strings.HasPrefix(k.text, "#!") {
		core.Blank(k.Shown[:ktSkip(k.text, 0, "\n")])
	}
	for i := 0; i < len(k.Tokens); i = max(i+1, k.masked) {
		k.token(i)
	}
	for _, b := range k.lost {
		k.found(b)
	}
	for _, at := range k.cut {
		k.closeString(at)
	}
	for _, d := range k.deep {
		k.refuse(d.Start, d.End, "strings too deep in strings ")
	}
	slices.SortFunc(k.Hidden, func(a, b core.Span) int { return a.Start - b.Start })
	return k
}

// token rewrites the token i.
func (k *KotlinRewriter) token(i int) {
	t := k.Tokens[i]
	if t.line && t.around < 0 && !oneOf(k.tok(i), "package import @") {
		k.began = true
	}
	switch t.kind {
	case ktName:
		k.name(i)
	case ktSign:
		if rewrite := ktSignRules[k.tok(i)]; rewrite != nil {
			rewrite(k, i)
		}
	case ktNumber:
		k.number(i)
	case ktQuote, ktText:
		k.stringPart(i)
	case ktChar:
	}
	if t.line || t.remark {
		k.lineStart(i)
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
func (k *KotlinRewriter) tok(i int) string {
	if i < 0 || i >= len(k.Tokens) {
		return ""
	}
	return k.text[k.Start(i):k.End(i)]
}

// isName tells an identifier or keyword.
func (k *KotlinRewriter) isName(i int) bool {
	return i >= 0 && i < len(k.Tokens) && k.Tokens[i].kind == ktName
}

// after returns the index behind the brackets that open at i; i when none do.
func (k *KotlinRewriter) after(i int) int {
	if i >= 0 && i < len(k.Tokens) && k.pair(i) > i {
		return k.pair(i) + 1
	}
	return i
}

// inBlock tells whether a token stands where newlines end statements.
func (k *KotlinRewriter) inBlock(i int) bool {
	around := k.around(i)
	return around < 0 || k.tok(around) == "{"
}

// show shows the token i as a text, filled up with blanks.
func (k *KotlinRewriter) show(i int, as string) {
	from, to := k.Start(i), k.End(i)
	if n := to - from; n >= len(as) {
		copy(k.Shown[from:to], as+strings.Repeat(" ", n-len(as)))
	}
}

// first shows the token i with another first character.
func (k *KotlinRewriter) first(i int, c byte) {
	if at := k.Start(i); k.Shown[at] != ' ' { // it is shown at all
		k.Shown[at] = c
	}
}

// drop does not show a token that means nothing.
func (k *KotlinRewriter) drop(i int) { core.Blank(k.Shown[k.Start(i):k.End(i)]) }

// hide does not show the tokens from one to another, which mean something.
func (k *KotlinRewriter) hide(from, to int) {
	for i := from; i < to; i++ {
		k.drop(i)
		k.Hidden = append(k.Hidden, core.Span{Start: k.Start(i), End: k.End(i)})
	}
}

// mask shows the tokens from one to another as one name.
func (k *KotlinRewriter) mask(from, to int) {
	if from >= to {
		return
	}
	for at := k.Start(from); at < k.End(to-1); at++ {
		k.Shown[at] = '_'
	}
	for i := from; i < to; i++ {
		k.Hidden = append(k.Hidden, core.Span{Start: k.Start(i), End: k.End(i)})
	}
}

// maskName shows the tokens from one to another as one name whose text says all.
func (k *KotlinRewriter) maskName(from, to int) {
	for at := k.Start(from); at < k.End(to-1); at++ {
		k.Shown[at] = '_'
	}
}

// refuse does not show a part of the text and reports it.
func (k *KotlinRewriter) refuse(from, to int, why string) {
	core.Blank(k.Shown[from:to])
	if len(k.Unread) < core.MaxParseErrors {
		k.Unread = append(k.Unread, core.Span{Start: from, End: to, Name: why + core.QuoteShort(k.text[from:to])})
	}
}

// closeString shows quotes at the end of a string that has none.
func (k *KotlinRewriter) closeString(at int) {
	if k.Shown[at-1] != '"' {
		k.Shown[at-1] = '"'
	} else {
		k.Shown[at-1] = ' ' // nothing stands in it
	}
	if len(k.Unread) < core.MaxParseErrors {
		line := k.text[strings.LastIndexByte(k.text[:at], '\n')+1 : at]
		k.Unread = append(k.Unread, core.Span{Start: at - 1, End: at, Name: "unclosed " + core.QuoteShort(line[max(0, strings.LastIndexByte(line, '"')):])})
	}
}

// number shows binary literals as those in base sixteen.
func (k *KotlinRewriter) number(i int) {
	if word := k.tok(i); strings.HasPrefix(word, "0b") || strings.HasPrefix(word, "0B") {
		k.Shown[k.Start(i)+1] = 'x'
	}
}

// stringPart rewrites what the scanner reads otherwise in strings: more than one
// dollar before them, backslashes in raw strings.
func (k *KotlinRewriter) stringPart(i int) {
	t, from, to := k.Tokens[i], k.Start(i), k.End(i)
	if t.kind == ktQuote {
		n := strings.IndexByte(k.tok(i), '"')
		core.Blank(k.Shown[from : from+max(0, n)])
		return
	}
	for at := from; at < to; at++ {
		switch {
		case k.text[at] == '\\' && t.raw:
			k.Shown[at] = '/'
		case k.text[at] == '\\' && at+1 < to:
			if k.text[at+1] == '$' {
				copy(k.Shown[at:], "__")
			}
			at++
		case k.text[at] == '$' && int(t.dollars) > 1:
			end := at
			for end < to && k.text[end] == '$' {
				end++
			}
			if end-at < int(t.dollars) {
				copy(k.Shown[at:end], "______")
			}
			at = end - 1
		}
	}
}
