// Package repair rewrites Kotlin and Scala that the grammars reject or misread, without
// moving a line. Scala's indentation becomes braces, Kotlin's newlines become
// semicolons.
//
// It exists because both grammars are older than the languages: Kotlin's scanner
// guesses where statements end and lacks syntax since 1.8, Scala's supports optional
// braces only in part. Grammars that parse the cases in lang/testdata/kotlin and
// lang/testdata/scala make it unnecessary. To drop it, replace the sources in package
// jvm that call [RewriteKotlin] and [ScalaSource] with the plain text; the tokenizers
// are also used by package jvm and must then move there.
package repair

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
)

// KotlinRewriter rewrites a text to one of the same length that the grammar parses.
// Unknown words become annotations, names that it takes for keywords become other
// names, unknown operators become known ones, and newlines become what the language
// takes them for.
type KotlinRewriter struct {
	*KotlinLexer
	Rewritten   []byte
	Hidden      []core.Span    // significant tokens that the parser does not see
	Unread      []core.Span    // text that is not valid code; Name is the reason
	annotations int            // number of consecutive annotations
	annotated   int            // index after the last annotation
	masked      int            // index after the arguments that are masked as part of a name
	began       bool           // a statement other than an import was read
	Commas      int            // number of trailing commas that were dropped
	Semicolons  int            // number of semicolons, which are not in the tree
	bodies      map[int]string // opening brackets of type bodies -> what is declared
}

// RewriteKotlin rewrites a text.
func RewriteKotlin(text []byte) *KotlinRewriter {
	rewritten := slices.Clone(text)
	for _, mark := range core.ConflictMarks(rewritten) {
		srctext.Blank(rewritten[mark.Start:mark.End])
	}
	k := &KotlinRewriter{KotlinLexer: KotlinTokens(string(rewritten)), Rewritten: rewritten, bodies: map[int]string{}}
	if strings.HasPrefix(k.text, "#!") {
		srctext.Blank(k.Rewritten[:kotlinSkip(k.text, 0, "\n")])
	}
	for i := 0; i < len(k.Tokens); i = max(i+1, k.masked) {
		k.token(i)
	}
	for _, b := range k.lost {
		k.insertCloser(b)
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

// token rewrites token i.
func (k *KotlinRewriter) token(i int) {
	t := k.Tokens[i]
	if t.line && t.around < 0 && !oneOf(k.tok(i), "package import @") {
		k.began = true
	}
	switch t.kind {
	case kotlinName:
		k.name(i)
	case kotlinSign:
		if rewrite := kotlinSignRules[k.tok(i)]; rewrite != nil {
			rewrite(k, i)
		}
	case kotlinNumber:
		k.number(i)
	case kotlinQuote, kotlinText:
		k.stringPart(i)
	case kotlinChar:
	}
	if t.line || t.leadComment {
		k.lineStart(i)
	}
}

// oneOf reports whether word is in a space-separated list.
func oneOf(word, list string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}

// tok returns a token's text, or "" if i is out of range.
func (k *KotlinRewriter) tok(i int) string {
	if i < 0 || i >= len(k.Tokens) {
		return ""
	}
	return k.text[k.Start(i):k.End(i)]
}

// isName reports whether token i is an identifier or keyword.
func (k *KotlinRewriter) isName(i int) bool {
	return i >= 0 && i < len(k.Tokens) && k.Tokens[i].kind == kotlinName
}

// after returns the index after the brackets that open at i, or i if none open there.
func (k *KotlinRewriter) after(i int) int {
	if i >= 0 && i < len(k.Tokens) && k.pair(i) > i {
		return k.pair(i) + 1
	}
	return i
}

// inBlock reports whether newlines end statements at token i.
func (k *KotlinRewriter) inBlock(i int) bool {
	around := k.around(i)
	return around < 0 || k.tok(around) == "{"
}

// replace replaces token i with a text, padded with blanks.
func (k *KotlinRewriter) replace(i int, as string) {
	from, to := k.Start(i), k.End(i)
	if n := to - from; n >= len(as) {
		copy(k.Rewritten[from:to], as+strings.Repeat(" ", n-len(as)))
	}
}

// setFirst replaces the first byte of token i, unless the token is blanked.
func (k *KotlinRewriter) setFirst(i int, c byte) {
	if at := k.Start(i); k.Rewritten[at] != ' ' { // it is rewritten at all
		k.Rewritten[at] = c
	}
}

// drop blanks a token that has no meaning.
func (k *KotlinRewriter) drop(i int) { srctext.Blank(k.Rewritten[k.Start(i):k.End(i)]) }

// hide blanks the significant tokens [from, to) and records them.
func (k *KotlinRewriter) hide(from, to int) {
	for i := from; i < to; i++ {
		k.drop(i)
		k.Hidden = append(k.Hidden, core.Span{Start: k.Start(i), End: k.End(i)})
	}
}

// mask replaces the tokens [from, to) with one name.
func (k *KotlinRewriter) mask(from, to int) {
	if from >= to {
		return
	}
	for at := k.Start(from); at < k.End(to-1); at++ {
		k.Rewritten[at] = '_'
	}
	for i := from; i < to; i++ {
		k.Hidden = append(k.Hidden, core.Span{Start: k.Start(i), End: k.End(i)})
	}
}

// maskName replaces the tokens [from, to) with one name. The meaning is kept by the
// token texts.
func (k *KotlinRewriter) maskName(from, to int) {
	for at := k.Start(from); at < k.End(to-1); at++ {
		k.Rewritten[at] = '_'
	}
}

// refuse blanks a part of the text and reports it as an error.
func (k *KotlinRewriter) refuse(from, to int, why string) {
	srctext.Blank(k.Rewritten[from:to])
	if len(k.Unread) < core.MaxParseErrors {
		k.Unread = append(k.Unread, core.Span{Start: from, End: to, Name: why + srctext.QuoteShort(k.text[from:to])})
	}
}

// closeString inserts quotes at the end of an unclosed string.
func (k *KotlinRewriter) closeString(at int) {
	if k.Rewritten[at-1] != '"' {
		k.Rewritten[at-1] = '"'
	} else {
		k.Rewritten[at-1] = ' ' // the string is empty
	}
	if len(k.Unread) < core.MaxParseErrors {
		line := k.text[strings.LastIndexByte(k.text[:at], '\n')+1 : at]
		k.Unread = append(k.Unread, core.Span{Start: at - 1, End: at, Name: "unclosed " + srctext.QuoteShort(line[max(0, strings.LastIndexByte(line, '"')):])})
	}
}

// number rewrites binary literals as hexadecimal ones.
func (k *KotlinRewriter) number(i int) {
	if word := k.tok(i); strings.HasPrefix(word, "0b") || strings.HasPrefix(word, "0B") {
		k.Rewritten[k.Start(i)+1] = 'x'
	}
}

// stringPart rewrites what the scanner misreads in strings: more than one dollar before
// the quotes, and backslashes in raw strings.
func (k *KotlinRewriter) stringPart(i int) {
	t, from, to := k.Tokens[i], k.Start(i), k.End(i)
	if t.kind == kotlinQuote {
		n := strings.IndexByte(k.tok(i), '"')
		srctext.Blank(k.Rewritten[from : from+max(0, n)])
		return
	}
	for at := from; at < to; at++ {
		switch {
		case k.text[at] == '\\' && t.raw:
			k.Rewritten[at] = '/'
		case k.text[at] == '\\' && at+1 < to:
			if k.text[at+1] == '$' {
				copy(k.Rewritten[at:], "__")
			}
			at++
		case k.text[at] == '$' && int(t.dollars) > 1:
			end := at
			for end < to && k.text[end] == '$' {
				end++
			}
			if end-at < int(t.dollars) {
				copy(k.Rewritten[at:end], "______")
			}
			at = end - 1
		}
	}
}
