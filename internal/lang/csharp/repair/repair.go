// Package repair rewrites C# source before it is parsed, because the grammar is older than the
// language: it lacks C# 10 to 15 syntax and misreads some older syntax. The rewritten text
// keeps every line in place. The entry point is [Rewrite].
//
// A newer grammar that parses the cases in internal/lang/testdata/csharp would make the package
// unnecessary. To drop it, remove the Source field of csharp.CSharp; package csharp also uses
// [Tokens], the lexer, to read the heads of declarations.
package repair

import (
	"bytes"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// rewriter rewrites syntax that is newer than the grammar in a form that it accepts, in
// place. The text of rewritten tokens is included in hashes.
type rewriter struct {
	src, out []byte
	tokens   []Token
	pair     []int32     // index of the matching bracket; -1 for none
	hidden   []core.Span // ranges of rewritten tokens
	heads    int         // tokens before this index have been searched for the body of a type
}

// Rewrite returns the text to parse instead of src, and the ranges of the tokens that differ.
// The text may be longer than src.
func Rewrite(_ *core.Reader, src []byte) ([]byte, []core.Span) {
	w := &rewriter{src: src, out: bytes.Clone(src)}
	for _, mark := range core.ConflictMarks(src) {
		srctext.Blank(w.out[mark.Start:mark.End])
	}
	all := Tokens(w.out)
	w.take(all)
	w.match()
	for i, t := range w.tokens {
		switch t.Kind {
		default: // numbers
		case Word:
			w.word(i)
		case signToken:
			w.sign(i)
		case textToken:
			w.literal(i)
		case partToken:
			w.literal(i)
			w.part(i, false)
		case verbatimPartToken:
			w.part(i, true)
		case unterminatedToken:
			w.unterminated(i)
		}
	}
	slices.SortFunc(w.hidden, func(a, b core.Span) int { return a.Start - b.Start })
	return w.out, w.hidden
}

// take keeps the tokens that are shown, and blanks directives and hidden conditional sections.
func (w *rewriter) take(all []Token) {
	if !slices.ContainsFunc(all, func(t Token) bool { return t.Kind == directiveToken }) {
		w.tokens = all
		return
	}
	conditions := conditionalReader{src: w.out, tokens: all}
	dropped := conditions.drop()
	slices.SortFunc(dropped, func(a, b core.Span) int { return a.Start - b.Start })
	end, next := 0, 0 // end: end of the hidden text so far
	w.tokens = all[:0]
	for _, t := range all {
		for next < len(dropped) && dropped[next].Start <= t.Start() {
			end = max(end, dropped[next].End)
			next++
		}
		switch {
		case t.Kind == directiveToken:
			w.directive(t)
		case t.Start() < end:
			w.hidden = append(w.hidden, core.Span{Start: t.Start(), End: t.End()})
		default:
			w.tokens = append(w.tokens, t)
		}
	}
	end = 0
	for _, d := range dropped {
		if from := max(d.Start, end); from < d.End {
			srctext.Blank(w.out[from:d.End])
			end = d.End
		}
	}
}

// directive blanks a directive. Directives that affect conditional compilation are included in
// hashes.
func (w *rewriter) directive(t Token) {
	switch word, _ := directiveOf(w.src[t.Start():t.End()]); word {
	case "if", "elif", "else", "define", "undef":
		w.hidden = append(w.hidden, core.Span{Start: t.Start(), End: len(bytes.TrimRight(w.src[:t.End()], " \t\r"))})
	}
	srctext.Blank(w.out[t.Start():t.End()])
}

// match matches the brackets. A bracket also closes open brackets of other kinds inside its
// pair.
func (w *rewriter) match() {
	w.pair = make([]int32, len(w.tokens))
	var open []int32
	for i := range w.tokens {
		w.pair[i] = -1
		switch text := w.text(i); text {
		case "(", "[", "{":
			open = append(open, int32(i))
		case ")", "]", "}":
			for k := len(open) - 1; k >= max(0, len(open)-8); k-- {
				if syntax.Closers[w.text(int(open[k]))] == text {
					w.pair[i], w.pair[open[k]] = open[k], int32(i)
					open = open[:k]
					break
				}
			}
		}
	}
}

// text returns the text of token i; "" if out of range.
func (w *rewriter) text(i int) string {
	if i < 0 || i >= len(w.tokens) {
		return ""
	}
	return string(w.src[w.tokens[i].Start():w.tokens[i].End()])
}

// isWord reports whether token i is an identifier or keyword.
func (w *rewriter) isWord(i int) bool {
	return i >= 0 && i < len(w.tokens) && w.tokens[i].Kind == Word
}

// show replaces token i by another text, padded with spaces.
func (w *rewriter) show(i int, as string) {
	t := w.tokens[i]
	w.hidden = append(w.hidden, core.Span{Start: t.Start(), End: t.End()})
	if as == "" {
		srctext.Blank(w.out[t.Start():t.End()])
		return
	}
	copy(w.out[t.Start():t.End()], as+strings.Repeat(" ", max(0, t.End()-t.Start()-len(as))))
}

// hide blanks the tokens from from up to to.
func (w *rewriter) hide(from, to int) {
	for i := from; i < to; i++ {
		w.show(i, "")
	}
}

// word rewrites declarations that begin with a word.
func (w *rewriter) word(i int) {
	switch text := w.text(i); text {
	case "params": // of any collection type (C# 13)
		w.show(i, "in")
	case "ref":
		if w.text(i+1) == "partial" { // ref partial struct
			w.show(i, "new")
		}
	case "where":
		w.constraints(i)
	case "class", "struct", "interface", "enum":
		w.noBody(i)
	case "extension":
		w.extension(i)
	case "union":
		w.union(i)
	case "closed": // a modifier of classes (C# 15)
		if w.isWord(i+1) && declares[w.text(i+1)] {
			w.show(i, "sealed")
		}
	case "operator":
		w.operator(i)
	case "unsafe", "extern":
		if w.text(i+1) == "~" { // a finalizer
			w.hide(i, i+1)
		}
	case "public", "private", "protected", "internal", "void":
		w.unfinished(i)
	default:
		w.plainWord(i, text)
	}
}

// plainWord rewrites expressions and patterns that begin with a word, and names.
func (w *rewriter) plainWord(i int, text string) {
	switch text {
	case "with":
		w.with(i)
	case "required", "async", "partial", "nint", "nuint":
		w.name(i, text)
	case "type", "field", "method", "param", "property", "assembly", "module":
		if w.text(i-1) == "[" && w.text(i+1) != ":" { // not an attribute target
			w.show(i, "_"+text[1:])
		}
	case "is", "not", "or", "and", "case":
		w.positional(i+1, false)
		if text == "not" && w.text(i-1) == "(" && w.text(i-2) == "case" { // not parsed as a pattern there
			w.hide(i, i+1)
		}
	case "_": // from _ in
		if w.text(i-1) == "from" {
			w.show(i, "o")
		}
	default:
		if strings.Contains(text, "\\") {
			w.show(i, strings.ReplaceAll(text, "\\", "_"))
		}
	}
}

// with hides a trailing comma in the initialisers of a with expression.
func (w *rewriter) with(i int) {
	if end := w.partner(i + 1); end > 0 && w.text(i+1) == "{" && w.text(end-1) == "," {
		w.hide(end-1, end)
	}
}

// partner returns the index of the matching bracket; -1 for none.
func (w *rewriter) partner(i int) int {
	if i < 0 || i >= len(w.pair) {
		return -1
	}
	return int(w.pair[i])
}

// name rewrites a contextual keyword that is used as a name.
func (w *rewriter) name(i int, text string) {
	next, marks := w.text(i+1), "=.;),:+-*/&|!?<>]}"
	if text[0] == 'n' { // usually the name of a type
		marks = "=;:+-/&|}"
	}
	if next != "" && strings.Trim(next, marks) == "" || next == "??" {
		w.show(i, "_"+text[1:])
	}
}

// constraints rewrites type parameter constraints that the grammar does not accept: allows ref
// struct (C# 13) and default (C# 9).
func (w *rewriter) constraints(i int) {
	if !w.isWord(i+1) || w.text(i+2) != ":" {
		return
	}
	for j := i + 3; j < min(len(w.tokens), i+maxConstraint); j++ {
		switch w.text(j) {
		case "allows":
			if w.text(j+1) == "ref" && w.text(j+2) == "struct" {
				w.hide(j+1, j+3)
			}
		case "default":
			w.show(j, "_efault")
		case "where", "{", ";", "=>":
			return
		}
	}
}

// maxConstraint is the maximum number of tokens in a type parameter's constraints, maxHead
// that in the head of a type.
const (
	maxConstraint = 256
	maxHead       = 4096
)

// noBody adds a body to a type without one: class A; (C# 12).
func (w *rewriter) noBody(i int) {
	if !w.isWord(i+1) || i < w.heads || w.text(i-1) == "record" {
		return
	}
	switch w.text(i - 1) {
	case ":", ",":
		return // a constraint
	}
	for j := i + 2; j < min(len(w.tokens), i+maxHead); j++ {
		switch w.text(j) {
		case "(", "[":
			j = max(j, w.partner(j))
		case "{", ")", "}", "=":
			w.heads = j
			return
		case ";":
			w.heads = j
			w.emptyBody(w.tokens[j])
			return
		}
	}
	w.heads = i + maxHead
}

// emptyBody replaces a semicolon by two braces, the second one in place of the space or line
// end after it.
func (w *rewriter) emptyBody(t Token) {
	switch {
	case t.End() == len(w.src):
		w.out = append(w.out, '}')
	case t.End() < len(w.src) && bytes.IndexByte([]byte(" \t\r\n"), w.src[t.End()]) >= 0:
		w.out[t.End()] = '}'
	default:
		return
	}
	w.out[t.Start()] = '{'
}

// extension rewrites an extension block (C# 14) as a class whose parameter is the receiver. An
// unnamed receiver is hidden.
func (w *rewriter) extension(i int) {
	switch w.text(i - 1) {
	case "{", "}", ";", "]", "":
	default:
		return
	}
	at := i + 1
	if w.text(at) == "<" {
		at = w.typeArguments(at)
	}
	end := w.partner(at)
	if w.text(at) != "(" || end < 0 || w.text(end+1) != "{" && w.text(end+1) != "where" {
		return
	}
	w.show(i, "class e")
	last := end - 1
	before := w.text(last - 1)
	named := w.isWord(last) && last-1 > at && before != "." && before != "::" && before != "ref" && before != "in" &&
		before != "readonly" && before != "scoped"
	if !named {
		w.hide(at, end+1)
	}
}

// union rewrites a union (C# 15) as a class without its cases.
func (w *rewriter) union(i int) {
	at := i + 2
	if w.text(at) == "<" {
		at = w.typeArguments(at)
	}
	end := w.partner(at)
	after := w.text(end + 1)
	if !w.isWord(i+1) || w.text(at) != "(" || end < 0 || after != ";" && after != "{" && after != "where" && after != ":" {
		return
	}
	w.show(i, "class")
	w.hide(at, end+1)
	w.noBody(i)
}

// declares are the words that may follow a modifier of a class.
var declares = core.SetOf("class", "record", "partial", "abstract", "public", "internal", "private", "protected", "unsafe", "file")

// typeArguments returns the index after the list of type parameters or arguments at i; i if it
// does not end soon.
func (w *rewriter) typeArguments(i int) int {
	depth := 0
	for j := i; j < min(len(w.tokens), i+maxConstraint); j++ {
		switch w.text(j) {
		case "<":
			depth++
		case ">":
			if depth--; depth == 0 {
				return j + 1
			}
		case ";", "{", "}":
			return i
		}
	}
	return i
}

// operator rewrites compound assignment operators (C# 14) as the operators that they are made
// of.
func (w *rewriter) operator(i int) {
	if w.text(i+1) == "checked" {
		i++
	}
	first := w.text(i + 1)
	switch {
	case strings.HasSuffix(first, "=") && len(first) >= 2 && strings.Trim(first[:len(first)-1], "+-*/%&|^<") == "" && first != "<=":
		w.show(i+1, first[:len(first)-1])
	case first == ">" && w.text(i+2) == ">=":
		w.show(i+2, ">")
	case first == ">" && w.text(i+2) == ">" && w.text(i+3) == ">=":
		w.show(i+3, ">")
	}
}
