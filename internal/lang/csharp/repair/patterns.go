package repair

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
)

// positional rewrites a positional pattern, Point(var x, > 0) { Z: 1 } p, which the grammar
// usually parses as a call. Patterns with several parts are shown without the type, those with
// one as a property pattern. at is the index of the type; arm reports that it may be something
// other than a pattern.
func (w *rewriter) positional(at int, arm bool) {
	open := w.typeName(at)
	end := w.partner(open)
	if open == at || w.text(open) != "(" || end <= open+1 || noPattern[w.text(at)] || arm && !w.isArm(open, end) {
		return
	}
	from := w.tokens[at].Start()
	switch {
	case w.tuple(end):
		w.hide(at, open)
	case w.tokens[open].End()-from >= len("{o:"):
		w.hide(at, open+1)
		copy(w.out[from:], "{o:")
		if w.isWord(open+1) && w.text(open+2) == ":" { // P(A: 1)
			copy(w.out[from:], "{  ")
		}
		if w.text(end+1) == "{" { // property subpatterns
			w.show(end, ",")
			w.hide(end+1, end+2)
			return
		}
		w.show(end, "}")
	}
}

// noPattern are the words before parentheses that do not begin a pattern.
var noPattern = core.SetOf("nameof", "typeof", "sizeof", "default", "new", "not", "var", "and", "or", "when")

// typeName returns the index after a type name and its type arguments.
func (w *rewriter) typeName(i int) int {
	for w.isWord(i) {
		i++
		if w.text(i) == "<" {
			i = w.typeArguments(i)
		}
		if text := w.text(i); text != "." && text != "::" {
			break
		}
		i++
	}
	return i
}

// isArm reports whether a name with parentheses is a pattern where it could also be a call or
// constructor, judging by the text in or after the parentheses.
func (w *rewriter) isArm(open, end int) bool {
	switch w.text(open + 1) {
	case "<", ">", "<=", ">=", "not", "{":
		return true
	}
	after := end + 1
	if w.text(after) == "{" && w.partner(after) > 0 {
		after = w.partner(after) + 1
		if next := w.text(after); next == "=>" || next == "when" {
			return true
		}
	}
	next := w.text(after + 1)
	return w.isWord(after) && w.text(after) != "when" && w.text(after) != "where" && (next == "=>" || next == "when")
}

// unfinished hides a declaration that is being typed: a name before a modifier on the next
// line.
func (w *rewriter) unfinished(i int) {
	if !w.isWord(i-1) || i < 2 {
		return
	}
	before := w.text(i - 1)
	if strings.Contains(modifierWords, " "+before+" ") || !w.newLine(i) {
		return
	}
	for j := i - 1; j >= max(0, i-16); j-- {
		switch text := w.text(j); {
		case text == "{" || text == "}" || text == ";" || text == "]":
			w.unread(j+1, i)
			return
		case !w.isWord(j) && strings.Trim(text, ".<>,?") != "":
			return
		}
	}
}

// member hides a dot without a name after it.
func (w *rewriter) member(i int) {
	switch w.text(i + 1) {
	case "}", ";", ")", "":
		w.unread(i, i+1)
	}
}

// unterminated rewrites an unterminated string as an empty one. Brackets and semicolons at its end are
// probably not meant to be part of it.
func (w *rewriter) unterminated(i int) {
	t := w.tokens[i]
	text := string(w.src[t.Start():t.End()])
	body := strings.TrimRight(text, ";)} \t\r")
	if w.src[t.Start()] != '"' || len(body) < len(`""`) {
		return
	}
	srctext.Blank(w.out[t.Start() : t.Start()+len(body)])
	copy(w.out[t.Start():], `""`)
	w.hidden = append(w.hidden, core.Span{Start: t.Start(), End: t.Start() + len(body), Name: "unclosed"})
}

// unread hides tokens that are not valid syntax, and records them as unread.
func (w *rewriter) unread(from, to int) {
	w.hide(from, to)
	w.hidden[len(w.hidden)-(to-from)] = core.Span{Start: w.tokens[from].Start(), End: w.tokens[to-1].End(), Name: "unfinished"}
}

// newLine reports whether token i is the first on its line.
func (w *rewriter) newLine(i int) bool {
	for at := w.tokens[i].Start() - 1; at >= 0 && at >= w.tokens[i-1].End(); at-- {
		if w.src[at] == '\n' {
			return true
		}
	}
	return false
}

// modifierWords are the words that may precede a modifier.
const modifierWords = " abstract async const event extern file fixed implicit explicit internal new operator override partial " +
	"private protected public readonly ref required scoped sealed static unsafe virtual volatile in out this params return else do " +
	"class struct interface enum record namespace using global delegate unmanaged "
