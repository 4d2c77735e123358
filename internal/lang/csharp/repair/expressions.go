package repair

import (
	"bytes"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
)

// sign rewrites expressions and patterns that the grammar does not accept.
func (w *rewriter) sign(i int) {
	switch text := w.text(i); text {
	case "[":
		if w.text(i+1) == "]" && w.emptyCollection(i) {
			w.showEmpty(w.tokens[i].Start(), w.tokens[i+1].End())
		}
		w.bracket(i)
	case ".", "?.":
		w.member(i)
	case "..":
		w.slice(i)
	case "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", "??=":
		w.conditionalTarget(i)
	case "{", ",", "(":
		w.positional(i+1, true)
	case "=>":
		if w.text(i-1) == ")" {
			w.lambdaParameters(i - 1)
		}
	case "*":
		w.indirection(i)
	}
}

// showEmpty rewrites an empty collection expression as a number of the same length; as one
// digit if it spans lines.
func (w *rewriter) showEmpty(from, to int) {
	digits := to - from
	if bytes.IndexByte(w.src[from:to], '\n') >= 0 {
		digits = 1
	}
	srctext.Blank(w.out[from:to])
	copy(w.out[from:to], strings.Repeat("0", digits))
	w.hidden = append(w.hidden, core.Span{Start: from, End: from + 1})
}

// emptyCollection reports whether the brackets at i are a collection expression (C# 12), not
// those of an array type.
func (w *rewriter) emptyCollection(i int) bool {
	next := w.text(i + 2)
	switch before := w.text(i - 1); before {
	case "return", "in", "else", "do", "await", "throw", "when":
		return true
	case "is", "not", "and", "or", "case": // a pattern, which the grammar accepts
		return false
	case ">", "]", "*", "", "new", "stackalloc":
		return false
	case "?":
		return next == ":"
	case ")":
		return (next == ";" || next == ")" || next == ",") && w.cast(w.partner(i-1)) && !w.tuple(i-1)
	default:
		return !w.isWord(i-1) && w.tokens[i-1].Kind == signToken
	}
}

// cast reports whether the bracket at i may begin a cast: no operand ends before it.
func (w *rewriter) cast(i int) bool {
	switch w.text(i - 1) {
	case "return", "=", "=>", "(", ",", "??", ":", "?":
		return true
	}
	return false
}

// tuple reports whether the brackets that end at end contain several elements.
func (w *rewriter) tuple(end int) bool {
	for j := w.partner(end) + 1; j < end; j++ {
		switch w.text(j) {
		case "(", "[", "{":
			j = max(j, w.partner(j))
		case "<":
			j = max(j, w.typeArguments(j)-1)
		case ",":
			return true
		}
	}
	return false
}

// bracket rewrites non-empty square brackets: a conditional element access, a collection
// expression in a conditional expression, a list pattern with a name.
func (w *rewriter) bracket(i int) {
	end := w.partner(i)
	if end <= i+1 {
		return
	}
	switch w.text(i - 1) {
	case "?":
		if w.tokens[i-1].End() == w.tokens[i].Start() {
			w.castElement(i - 1)
			return
		}
		w.show(i, "(")
		w.show(end, ")")
		if w.text(end-1) == "," {
			w.hide(end-1, end)
		}
	case ":", "is", "case", "and", "or", "not":
		switch w.text(end + 2) {
		case "}", ",", ")", "when", "=>", "&&", "||", ";", ":":
			if w.isWord(end+1) && !strings.Contains(" and or when is as switch with ", " "+w.text(end+1)+" ") {
				w.hide(end+1, end+2)
			}
		}
	}
}

// castElement hides the question mark of an element access that is cast: (T)list?[0].
func (w *rewriter) castElement(mark int) {
	i := mark - 1
	for w.isWord(i) && w.text(i-1) == "." {
		i -= 2
	}
	if w.isWord(i) && w.text(i-1) == ")" && w.cast(w.partner(i-1)) {
		w.hide(mark, mark+1)
	}
}

// slice hides the dots of a slice pattern before another pattern: [var first, .. var rest].
func (w *rewriter) slice(i int) {
	if before := w.text(i - 1); before != "[" && before != "," {
		return
	}
	switch w.text(i + 1) {
	case ",", "]":
		w.show(i, "_")
	case "var", "{", "[", "not", "(", "<", ">", "<=", ">=":
		w.hide(i, i+1)
	default:
		if w.isWord(i+1) && w.isWord(i+2) {
			w.hide(i, i+1)
		}
	}
}

// maxTarget is the maximum number of tokens in the target of an assignment.
const maxTarget = 1024

// conditionalTarget hides the question marks in the target of an assignment: a?.b = c (C# 14).
func (w *rewriter) conditionalTarget(i int) {
	if w.text(i-1) == ")" {
		w.calledTarget(i - 1)
	}
	for j := i - 1; j > i-maxTarget; {
		at, mark := w.targetBefore(j)
		switch {
		case mark >= 0 && w.text(mark) == "?.":
			w.show(mark, " .")
		case mark >= 0:
			w.hide(mark, mark+1)
		}
		if at < 0 {
			return
		}
		j = at
	}
}

// targetBefore steps over the part of a target that ends at j. It returns the end of the
// previous part, -1 for none, and the index of the question mark in the part, -1 for none.
func (w *rewriter) targetBefore(j int) (before, mark int) {
	switch text := w.text(j); text {
	case ")", "]":
		open := w.partner(j)
		if text == "]" && w.text(open-1) == "?" {
			return open - 2, open - 1
		}
		return open - 1, -1
	case "?.":
		return j - 1, j
	case ".", "!", "->", "::", "<", ">":
		return j - 1, -1
	case "return", "await":
		return -1, -1
	}
	if w.isWord(j) && !w.isWord(j-1) {
		return j - 1, -1
	}
	return -1, -1
}

// lambdaParameters hides the modifiers of lambda parameters without types (C# 14). end is the
// index of the bracket before the arrow.
func (w *rewriter) lambdaParameters(end int) {
	open := w.partner(end)
	if before := w.text(open - 1); open < 0 || w.isWord(open-1) && before != "return" && before != "async" && before != "static" || before == ">" || before == "]" {
		return // parameters of a method, or of a lambda with a result type
	}
	for j := open + 1; j < end; j++ {
		switch w.text(j) {
		case "(", "[", "{":
			j = max(j, w.partner(j))
		case "ref", "out", "in", "scoped", "readonly":
			if before := w.text(j - 1); w.isWord(j+1) && (before == "(" || before == "," || w.isWord(j-1)) {
				w.hide(j, j+1)
			}
		}
	}
}

// literal rewrites the escape \x with one digit, which the grammar does not accept: in a
// string as a backslash, a character literal as a number.
func (w *rewriter) literal(i int) {
	t := w.tokens[i]
	text := w.src[t.Start():t.End()]
	if !bytes.Contains(text, []byte(`\x`)) || w.verbatim(i) {
		return
	}
	changed := false
	for at := 0; at+3 < len(text); at++ {
		if text[at] != '\\' {
			continue
		}
		if text[at+1] == 'x' && !hexDigit(text[at+3]) {
			w.out[t.Start()+at+1] = '\\'
			changed = true
		}
		at++
	}
	switch {
	case changed && text[0] == '\'':
		w.show(i, strings.Repeat("0", len(text)))
	case changed:
		w.hidden = append(w.hidden, core.Span{Start: t.Start(), End: t.End()})
	}
}

func hexDigit(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }

// part rewrites doubled quotes and braces in a part of an interpolated string as other text:
// the grammar does not distinguish them from those that end it.
func (w *rewriter) part(i int, verbatim bool) {
	from, to := w.tokens[i].Start(), w.tokens[i].End()
	for from < to && (w.src[from] == '$' || w.src[from] == '@') {
		from++
	}
	if from > w.tokens[i].Start() && from < to && w.src[from] == '"' {
		from++
	}
	for at := from; at+1 < to; at++ {
		switch c := w.src[at]; {
		case c == '\\' && !verbatim:
			at++
		case c == w.src[at+1] && (c == '"' && verbatim || c == '{' || c == '}'):
			w.out[at], w.out[at+1] = '_', '_'
			at++
		}
	}
}

// verbatim reports whether a token is a string without escapes, or a part of one.
func (w *rewriter) verbatim(i int) bool {
	t := w.tokens[i]
	head := w.src[t.Start():min(t.End(), t.Start()+4)]
	mark := bytes.IndexByte(head, '"')
	return mark >= 0 && (bytes.IndexByte(head[:mark], '@') >= 0 || bytes.HasPrefix(head[mark:], []byte(`"""`)))
}
