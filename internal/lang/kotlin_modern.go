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
	Shown       []byte
	Hidden      []Span         // tokens that mean something and that the parser is not shown
	Unread      []Span         // what is no code of the language; name says why
	annotations int            // that follow one another
	annotated   int            // where the last one ends
	masked      int            // where the arguments end that are shown as part of a name
	began       bool           // a statement was read that is no import
	Commas      int            // trailing ones that are not shown
	Semicolons  int            // those that the tree does not tell
	bodies      map[int]string // the brackets that bodies of types open with, and what is declared
}

// rewriteKotlin returns what the parser is shown of a text.
func rewriteKotlin(text []byte) *ktRewriter {
	shown := slices.Clone(text)
	for _, mark := range ConflictMarks(shown) {
		Blank(shown[mark.Start:mark.End])
	}
	k := &ktRewriter{ktLexer: ktTokens(string(shown)), Shown: shown, bodies: map[int]string{}}
	if strings.HasPrefix(k.text, "#!") {
		Blank(k.Shown[:ktSkip(k.text, 0, "\n")])
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
	slices.SortFunc(k.Hidden, func(a, b Span) int { return a.Start - b.Start })
	return k
}

// token rewrites the token i.
func (k *ktRewriter) token(i int) {
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
func (k *ktRewriter) tok(i int) string {
	if i < 0 || i >= len(k.Tokens) {
		return ""
	}
	return k.text[k.Start(i):k.End(i)]
}

// isName tells an identifier or keyword.
func (k *ktRewriter) isName(i int) bool {
	return i >= 0 && i < len(k.Tokens) && k.Tokens[i].kind == ktName
}

// after returns the index behind the brackets that open at i; i when none do.
func (k *ktRewriter) after(i int) int {
	if i >= 0 && i < len(k.Tokens) && k.pair(i) > i {
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
	from, to := k.Start(i), k.End(i)
	if n := to - from; n >= len(as) {
		copy(k.Shown[from:to], as+strings.Repeat(" ", n-len(as)))
	}
}

// first shows the token i with another first character.
func (k *ktRewriter) first(i int, c byte) {
	if at := k.Start(i); k.Shown[at] != ' ' { // it is shown at all
		k.Shown[at] = c
	}
}

// drop does not show a token that means nothing.
func (k *ktRewriter) drop(i int) { Blank(k.Shown[k.Start(i):k.End(i)]) }

// hide does not show the tokens from one to another, which mean something.
func (k *ktRewriter) hide(from, to int) {
	for i := from; i < to; i++ {
		k.drop(i)
		k.Hidden = append(k.Hidden, Span{Start: k.Start(i), End: k.End(i)})
	}
}

// mask shows the tokens from one to another as one name.
func (k *ktRewriter) mask(from, to int) {
	if from >= to {
		return
	}
	for at := k.Start(from); at < k.End(to-1); at++ {
		k.Shown[at] = '_'
	}
	for i := from; i < to; i++ {
		k.Hidden = append(k.Hidden, Span{Start: k.Start(i), End: k.End(i)})
	}
}

// maskName shows the tokens from one to another as one name whose text says all.
func (k *ktRewriter) maskName(from, to int) {
	for at := k.Start(from); at < k.End(to-1); at++ {
		k.Shown[at] = '_'
	}
}

// refuse does not show a part of the text and reports it.
func (k *ktRewriter) refuse(from, to int, why string) {
	Blank(k.Shown[from:to])
	if len(k.Unread) < MaxParseErrors {
		k.Unread = append(k.Unread, Span{Start: from, End: to, Name: why + QuoteShort(k.text[from:to])})
	}
}

// closeString shows quotes at the end of a string that has none.
func (k *ktRewriter) closeString(at int) {
	if k.Shown[at-1] != '"' {
		k.Shown[at-1] = '"'
	} else {
		k.Shown[at-1] = ' ' // nothing stands in it
	}
	if len(k.Unread) < MaxParseErrors {
		line := k.text[strings.LastIndexByte(k.text[:at], '\n')+1 : at]
		k.Unread = append(k.Unread, Span{Start: at - 1, End: at, Name: "unclosed " + QuoteShort(line[max(0, strings.LastIndexByte(line, '"')):])})
	}
}

// number shows binary literals as those in base sixteen.
func (k *ktRewriter) number(i int) {
	if word := k.tok(i); strings.HasPrefix(word, "0b") || strings.HasPrefix(word, "0B") {
		k.Shown[k.Start(i)+1] = 'x'
	}
}

// stringPart rewrites what the scanner reads otherwise in strings: more than one
// dollar before them, backslashes in raw strings.
func (k *ktRewriter) stringPart(i int) {
	t, from, to := k.Tokens[i], k.Start(i), k.End(i)
	if t.kind == ktQuote {
		n := strings.IndexByte(k.tok(i), '"')
		Blank(k.Shown[from : from+max(0, n)])
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
