package repair

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// An unclosed bracket would absorb the declarations after it. If the brackets of a text
// do not match, a bracket counts as unclosed if it is still open at a line that begins
// with a declaration and is indented no deeper than the bracket's line.

// kotlinBracket is an unclosed bracket and the token before which it is closed.
type kotlinBracket struct{ open, at int }

// balanced reports whether every bracket has a partner.
func (l *KotlinLexer) balanced() bool {
	for i := range l.Tokens {
		t := &l.Tokens[i]
		if t.kind == kotlinSign && t.pair < 0 && strings.IndexByte("()[]{}", l.text[t.from]) >= 0 {
			return false
		}
	}
	return true
}

// closeLost closes the brackets that are unclosed according to a declaration at the
// start of a line.
func (l *KotlinLexer) closeLost(end int) {
	word := l.text[l.at:end]
	if !l.line || !kotlinModifiers[word] && !kotlinDeclarators[word] {
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
		l.lost = append(l.lost, kotlinBracket{p, len(l.Tokens)})
		l.open = l.open[:n-1]
	}
}

// rowStart returns the start of the line that contains at.
func (l *KotlinLexer) rowStart(at int) int { return strings.LastIndexByte(l.text[:at], '\n') + 1 }

// indentation returns the number of blanks at the start of the line that contains at.
func (l *KotlinLexer) indentation(at int) int {
	line := l.text[l.rowStart(at):at]
	return len(line) - len(strings.TrimLeft(line, " \t"))
}

// insertCloser closes an unclosed bracket: a parenthesis or square bracket before the
// body that follows or at the end of its line, a brace before the next declaration.
func (k *KotlinRewriter) insertCloser(b kotlinBracket) {
	closer := syntax.Closers[k.tok(b.open)]
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
	for from < to && k.Rewritten[from] != ' ' && k.Rewritten[from] != '\n' {
		from++
	}
	if from < to {
		newline := k.Rewritten[from] == '\n'
		k.Rewritten[from] = closer[0]
		if newline && from+1 < to && !strings.Contains(string(k.Rewritten[from+1:to]), "\n") {
			k.Rewritten[from+1] = ';'
		}
	}
	if len(k.Unread) < core.MaxParseErrors {
		k.Unread = append(k.Unread, core.Span{Start: k.Start(b.open), End: k.End(b.open), Name: "unclosed " + srctext.QuoteShort(k.tok(b.open))})
	}
}

// unfinished drops a sign at the end of an incomplete statement, such as val x =, and
// reports it. It reports false if the statement continues.
func (k *KotlinRewriter) unfinished(i int) bool {
	if i+1 >= len(k.Tokens) || !k.Tokens[i+1].line {
		return false
	}
	next := i + 1
	begins := kotlinDeclarators[k.tok(next)] || kotlinModifiers[k.tok(next)] && k.isModifier(next)
	named := k.tok(next) != "fun" && k.tok(next) != "object" || k.isName(next+1)
	if k.tok(next) != "}" && (!begins || !named || k.column(next) > k.indentation(k.Start(i))) {
		return false
	}
	k.refuse(k.Start(i), k.End(i), "unfinished ")
	if n := len(k.Unread); i > 0 && n < core.MaxParseErrors {
		k.Unread[n-1].Start = k.End(i-1) - 1 // part of the token before
	}
	return true
}

// column returns the offset of token i in its line, in bytes.
func (k *KotlinRewriter) column(i int) int { return k.Start(i) - k.rowStart(k.Start(i)) }
