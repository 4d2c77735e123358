package repair

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// positional rewrites a pattern of a type's parts, Point(var x, > 0) { Z: 1 } p,
// which the grammar mostly takes for a call: two parts and more are shown without
// the type, one as the part of a property pattern. at is where the type begins;
// arm tells that the pattern may be something else.
func (w *csharpRewriter) positional(at int, arm bool) {
	open := w.typeName(at)
	end := w.partner(open)
	if open == at || w.text(open) != "(" || end <= open+1 || csharpNoPattern[w.text(at)] || arm && !w.isArm(open, end) {
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
		if w.text(end+1) == "{" { // more parts
			w.show(end, ",")
			w.hide(end+1, end+2)
			return
		}
		w.show(end, "}")
	}
}

// csharpNoPattern are the words before brackets that begin no pattern.
var csharpNoPattern = core.SetOf("nameof", "typeof", "sizeof", "default", "new", "not", "var", "and", "or", "when")

// typeName returns the index after the name of a type with its type arguments.
func (w *csharpRewriter) typeName(i int) int {
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

// isArm reports whether a name with brackets is a pattern, where it could be a call
// or a constructor as well: by what stands in the brackets or behind them.
func (w *csharpRewriter) isArm(open, end int) bool {
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

// unfinished does not show a declaration that is being typed: a name before a
// modifier on the next line can only be one.
func (w *csharpRewriter) unfinished(i int) {
	if !w.isWord(i-1) || i < 2 {
		return
	}
	before := w.text(i - 1)
	if strings.Contains(csharpModifierWords, " "+before+" ") || !w.newLine(i) {
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

// member does not show a dot that no name follows yet.
func (w *csharpRewriter) member(i int) {
	switch w.text(i + 1) {
	case "}", ";", ")", "":
		w.unread(i, i+1)
	}
}

// cut shows a string that nothing closes as an empty one; the brackets and
// semicolons at its end are most likely not meant to be in it.
func (w *csharpRewriter) cut(i int) {
	t := w.tokens[i]
	text := string(w.src[t.Start():t.End()])
	body := strings.TrimRight(text, ";)} \t\r")
	if w.src[t.Start()] != '"' || len(body) < len(`""`) {
		return
	}
	core.Blank(w.out[t.Start() : t.Start()+len(body)])
	copy(w.out[t.Start():], `""`)
	w.hidden = append(w.hidden, core.Span{Start: t.Start(), End: t.Start() + len(body), Name: "unclosed"})
}

// unread does not show tokens that are no whole piece of the language, and says
// so.
func (w *csharpRewriter) unread(from, to int) {
	w.hide(from, to)
	w.hidden[len(w.hidden)-(to-from)] = core.Span{Start: w.tokens[from].Start(), End: w.tokens[to-1].End(), Name: "unfinished"}
}

// newLine reports whether a token begins its line.
func (w *csharpRewriter) newLine(i int) bool {
	for at := w.tokens[i].Start() - 1; at >= 0 && at >= w.tokens[i-1].End(); at-- {
		if w.src[at] == '\n' {
			return true
		}
	}
	return false
}

// csharpModifierWords are the words that may stand before a modifier.
const csharpModifierWords = " abstract async const event extern file fixed implicit explicit internal new operator override partial " +
	"private protected public readonly ref required scoped sealed static unsafe virtual volatile in out this params return else do " +
	"class struct interface enum record namespace using global delegate unmanaged "
