package repair

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// A bracket that is never closed would swallow the declarations behind it. Where a
// text's brackets do not match, those are taken for lost that stay open at a line
// that begins with a declaration no deeper than the line they stand on.

// ktBracket is an open bracket that is taken for lost, and the token before which
// it is closed.
type ktBracket struct{ open, at int }

// balanced tells whether every bracket has its own.
func (l *KotlinLexer) balanced() bool {
	for i := range l.Tokens {
		t := &l.Tokens[i]
		if t.kind == ktSign && t.pair < 0 && strings.IndexByte("()[]{}", l.text[t.from]) >= 0 {
			return false
		}
	}
	return true
}

// lose closes the brackets that a declaration at the start of a line tells lost.
func (l *KotlinLexer) lose(end int) {
	word := l.text[l.at:end]
	if !l.line || !ktModifiers[word] && !ktDeclarators[word] {
		return
	}
	floor := 0
	if n := len(l.quotes); n > 0 {
		floor = l.quotes[n-1].depth
	}
	column := l.at - l.rowStart(l.at)
	for n := len(l.open); n > floor; n = len(l.open) {
		p := l.open[n-1]
		if column > l.indentation(l.Start(p)) {
			return
		}
		l.lost = append(l.lost, ktBracket{p, len(l.Tokens)})
		l.open = l.open[:n-1]
	}
}

// rowStart returns where the line of an offset starts.
func (l *KotlinLexer) rowStart(at int) int { return strings.LastIndexByte(l.text[:at], '\n') + 1 }

// indentation returns how many blanks the line of an offset starts with.
func (l *KotlinLexer) indentation(at int) int {
	line := l.text[l.rowStart(at):at]
	return len(line) - len(strings.TrimLeft(line, " \t"))
}

// found closes a lost bracket: a round one before the body that follows it, else
// at the end of its line; a curly one before the next declaration.
func (k *KotlinRewriter) found(b ktBracket) {
	closer := core.Closers[k.tok(b.open)]
	from, to := k.End(b.at-1), k.Start(b.at)
	if closer != "}" {
		for j := b.open + 1; j < b.at && !k.Tokens[j].line; j++ {
			if k.tok(j) == "{" && k.around(j) == b.open {
				from, to = k.End(j-1), k.Start(j)
				break
			}
			if k.Tokens[j+1].line {
				from, to = k.End(j), k.Start(j+1)
			}
		}
	}
	for from < to && k.Shown[from] != ' ' && k.Shown[from] != '\n' {
		from++
	}
	if from < to {
		newline := k.Shown[from] == '\n'
		k.Shown[from] = closer[0]
		if newline && from+1 < to && !strings.Contains(string(k.Shown[from+1:to]), "\n") {
			k.Shown[from+1] = ';'
		}
	}
	if len(k.Unread) < core.MaxParseErrors {
		k.Unread = append(k.Unread, core.Span{Start: k.Start(b.open), End: k.End(b.open), Name: "unclosed " + core.QuoteShort(k.tok(b.open))})
	}
}

// unfinished does not show a sign that the end of a statement follows: val x =,
// list. It tells whether that is so.
func (k *KotlinRewriter) unfinished(i int) bool {
	if i+1 >= len(k.Tokens) || !k.Tokens[i+1].line {
		return false
	}
	next := i + 1
	begins := ktDeclarators[k.tok(next)] || ktModifiers[k.tok(next)] && k.isModifier(next)
	named := k.tok(next) != "fun" && k.tok(next) != "object" || k.isName(next+1)
	if k.tok(next) != "}" && (!begins || !named || k.column(next) > k.indentation(k.Start(i))) {
		return false
	}
	k.refuse(k.Start(i), k.End(i), "unfinished ")
	if n := len(k.Unread); i > 0 && n < core.MaxParseErrors {
		k.Unread[n-1].Start = k.End(i-1) - 1 // in what it belongs to
	}
	return true
}

// column is how many bytes stand before the token i on its line.
func (k *KotlinRewriter) column(i int) int { return k.Start(i) - k.rowStart(k.Start(i)) }
