package repair

import (
	"bytes"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// Scala 3 allows indentation instead of braces (reference, "Optional Braces"). The
// grammar supports this only in part. The regions that begin and end by indentation are
// therefore insertCloser here from the tokens alone, and the braces are added for the
// parser. In the same way "if … then" and "while … do" get the parentheses that Scala 2
// requires.

// scalaLayout walks the tokens of a text and records their edits.
type scalaLayout struct {
	text      []byte
	tokens    []scalaToken
	rewritten map[int]tokenEdit // edits by token index
	docs      []core.Span       // documentation comments
	open      []core.Span       // unclosed brackets
	partner   []int32           // of a bracket, the index of its partner; else -1
	stack     []scalaRegion
	pending   []scalaPending
	// needed reports whether the text does not parse without the edits.
	needed     bool
	heads      []scalaHead // statements to rewrite when their end is known
	lastArm    int         // index of the "=>" that ended the last case pattern
	lastLambda int         // index of the "=>" after the parameters in a brace
	lastIf     int         // index of the parenthesis that ended the last condition
}

// tokenEdit is the edit of a token: a replacement and texts around it.
type tokenEdit struct {
	as            string
	changed       bool // replace the token with as
	before, after string
	join          bool // move it to the line of the previous token
}

// scalaRegion is an open bracket or an indentation region.
type scalaRegion struct {
	open     int    // index of the token that opened it
	bracket  byte   // 0 for an indentation
	width    int32  // indentation of its statements; -1 if not known yet
	arms     bool   // its statements are cases of a match
	level    bool   // they are not indented deeper than the enclosing region
	arm      bool   // it follows the arrow of a case, so it needs no braces
	stmt     int    // index of the first token of the current statement
	declares string // keyword of the current statement
	head     int    // index in heads, or -1
	typed    bool   // inside a written type: a ":" without "=" after it
	equals   bool   // the statement contains "="
	colon    int    // index of the ":" of the statement, or 0
	matched  int    // index of the "match" of a match type, or 0
	extends  bool   // the statement contains "extends"
	types    bool   // types are expected in it
	template bool   // the brace opens a template, in which "x =>" is a self type
	lambda   bool   // a brace was added after the parameters of the lambda in it
	count    int    // number of statements that began in it
}

// scalaPending is an if, while or for that may be completed by "then", "do" or "yield".
type scalaPending struct {
	word  string
	token int
	depth int
}

// scalaHead is a statement to rewrite, from its keyword to its end.
type scalaHead struct {
	word       string
	token, end int
}

func layScala(text []byte) *scalaLayout {
	l := &scalaLayout{text: text, rewritten: map[int]tokenEdit{}, lastArm: -1, lastIf: -1, lastLambda: -1}
	l.tokens, l.docs = ScalaTokens(text)
	l.partner = slices.Repeat([]int32{-1}, len(l.tokens))
	l.stack = []scalaRegion{{open: -1, head: -1}}
	for i := range l.tokens {
		if l.tokens[i].first {
			l.line(i)
		}
		l.token(i)
	}
	for len(l.stack) > 0 {
		l.closeOpen(len(l.tokens))
		l.pop(len(l.tokens))
	}
	return l
}

// unclosedBefore reports whether the current bracket should have been closed before
// token i, because a definition begins there.
func (l *scalaLayout) unclosedBefore(i int) bool {
	if top := l.top(); top.bracket != '(' && top.bracket != '[' {
		return false
	}
	for ScalaModifiers[l.word(i)] {
		i++
	}
	switch l.word(i) {
	case "def", "class", "object", "trait":
		return l.tokens[min(i+1, len(l.tokens)-1)].kind == scalaWord
	}
	return false
}

// closeOpen closes a bracket that is still open before token i.
func (l *scalaLayout) closeOpen(i int) {
	top := l.top()
	if top.bracket == 0 {
		return
	}
	l.append(i-1, syntax.Closers[string(top.bracket)])
	t := l.tokens[top.open]
	l.open = append(l.open, core.Span{Start: int(t.Start), End: int(t.End), Name: "unclosed " + srctext.QuoteShort(l.word(top.open))})
}

// word returns the text of a token, or "" if i is out of range.
func (l *scalaLayout) word(i int) string {
	if i < 0 || i >= len(l.tokens) {
		return ""
	}
	switch word := string(l.text[l.tokens[i].Start:l.tokens[i].End]); word {
	case "⇒": // SLS 1.1: until Scala 2.13
		return "=>"
	case "←":
		return "<-"
	default:
		return word
	}
}

func (l *scalaLayout) top() *scalaRegion { return &l.stack[len(l.stack)-1] }

// width returns the indentation of the current statements.
func (l *scalaLayout) width() int32 {
	for _, r := range slices.Backward(l.stack) {
		if r.width >= 0 && (r.bracket == 0 || r.bracket == '{') {
			return r.width
		}
	}
	return 0
}

// scalaContinues are the words that begin a line without beginning a statement.
var scalaContinues = core.SetOf("else", "then", "do", "catch", "finally", "yield", "extends", "with", "derives", "match", ".", "{")

// line handles the first token of a line, which may end indentation regions, begin one,
// and begin a statement.
func (l *scalaLayout) line(i int) {
	t := l.tokens[i]
	l.dedent(i)
	if i > 0 && l.indents(i) {
		l.push(scalaRegion{open: i - 1, width: t.column})
	} else if l.unclosedBefore(i) {
		l.closeUnclosed(i)
		l.dedent(i)
	}
	top := l.top()
	switch {
	case top.bracket == '(' || top.bracket == '[':
		return
	case top.bracket == '{' && top.width < 0:
		top.width = t.column
	}
	if l.leadingInfix(i) {
		l.joinLine(i)
		return
	}
	if l.word(i) == "{" && l.bodyBelow(i) {
		l.joinLine(i)
		l.needed = true
	} else if t.column <= top.width && !l.continues(i) {
		l.begin(i)
	}
}

// continues reports whether a line continues the previous statement although it is not
// indented deeper.
func (l *scalaLayout) continues(i int) bool {
	switch word := l.word(i); word {
	case "(":
		return l.bodyBelow(i) && !l.top().extends // parameters of a class
	case "do":
		return l.awaited("do") >= 0
	default:
		return scalaContinues[word] || l.guards(i)
	}
}

// dedent ends the indentation regions that a line beginning with token i leaves.
func (l *scalaLayout) dedent(i int) {
	for l.top().bracket == 0 && len(l.stack) > 1 && l.dedents(l.top(), i) {
		l.pop(i)
	}
}

// closeUnclosed closes the brackets that should have been closed before the definition
// at token i.
func (l *scalaLayout) closeUnclosed(i int) {
	for l.unclosedBefore(i) {
		l.closeOpen(i)
		l.pop(i)
		if !l.unclosedBefore(i) {
			l.append(i-1, ";")
		}
	}
}

// dedents reports whether a line that begins with token i ends the region r.
func (l *scalaLayout) dedents(r *scalaRegion, i int) bool {
	column := l.tokens[i].column
	return column < r.width || r.arms && r.level && column == r.width && l.word(i) != "case" && !l.guards(i)
}

// bodyBelow reports whether token i is the brace of a template on the line after its
// head (SLS 1.2 allows one line end there). The grammar may parse it as a block.
func (l *scalaLayout) bodyBelow(i int) bool {
	if i == 0 || bytes.Count(l.text[l.tokens[i-1].End:l.tokens[i].Start], []byte("\n")) != 1 {
		return false
	}
	top := l.top()
	switch top.declares {
	case "class", "object", "trait", "enum":
		return !top.equals && top.stmt < i && !l.bodied(top.stmt, i)
	}
	return false
}

// bodied reports whether a statement ends with a body before token i.
func (l *scalaLayout) bodied(stmt, i int) bool {
	return l.word(i-1) == "}" && l.partner[i-1] > int32(stmt)
}

// joinLine moves token i to the line of the previous token.
func (l *scalaLayout) joinLine(i int) {
	s := l.rewritten[i]
	s.join = true
	l.rewritten[i] = s
}

// guards reports whether token i is the guard or the arrow of a case on a line of its
// own.
func (l *scalaLayout) guards(i int) bool {
	return (l.word(i) == "if" || l.word(i) == "=>") && l.top().declares == "case"
}

// leadingInfix reports whether token i is an operator at the start of a line that
// continues the previous expression (reference, "Leading Infix Operators").
func (l *scalaLayout) leadingInfix(i int) bool {
	if i == 0 || i+1 >= len(l.tokens) || l.tokens[i].kind != scalaOperator && l.text[l.tokens[i].Start] != '`' || l.tokens[i+1].first {
		return false
	}
	switch l.word(i) {
	case "=":
		return true
	case ":", "=>", "<-", "@", "#", "?=>", "=>>", "\\":
		return false
	}
	return l.tokens[i+1].Start > l.tokens[i].End && l.tokens[i-1].kind != scalaOperator
}

// begin starts a statement at token i in the current region.
func (l *scalaLayout) begin(i int) {
	l.finish(i)
	top := l.top()
	depth := len(l.stack)
	l.pending = slices.DeleteFunc(l.pending, func(p scalaPending) bool { return p.depth >= depth })
	top.count++
	if top.count > 1 && top.bracket == 0 && len(l.stack) > 1 && !top.arm {
		l.needed = true
	}
	top.stmt, top.declares, top.typed, top.equals, top.extends, top.matched, top.colon, top.head = i, "", false, false, false, 0, 0, -1
}

// finish ends the current statement before token i.
func (l *scalaLayout) finish(i int) {
	top := l.top()
	if top.head >= 0 {
		l.heads[top.head].end = i
	}
	if last := l.word(i - 1); top.declares == "def" && !top.equals && top.colon == 0 && i > top.stmt && last != "}" && last != "{" {
		l.append(i-1, ": Unit") // otherwise the grammar misses the end of the line
	}
	if top.typed && !top.equals && top.colon > 0 && (top.declares == "val" || top.declares == "var") {
		l.wrapType(top.colon+1, i)
	}
	if top.matched > 0 { // match types: the grammar needs another form
		for k := top.matched; k < i; k++ {
			l.rewritten[k] = tokenEdit{changed: true}
		}
		l.needed = true
	}
}

func (l *scalaLayout) push(r scalaRegion) {
	r.stmt, r.head = r.open+1, -1
	if r.bracket == 0 {
		l.openBrace(&r)
	}
	l.stack = append(l.stack, r)
}

// openBrace adds the opening brace of an indentation region.
func (l *scalaLayout) openBrace(r *scalaRegion) {
	p := r.open
	switch word := l.word(p); word {
	case ":", "with":
		l.replace(p, "{")
		l.needed = true
		return
	case "=>":
		r.arm = p == l.lastArm
		if colon := l.colonLambda(p); colon > 0 && !r.arm {
			l.replace(colon, "{")
			l.needed = true
			return
		}
	case "match", "catch":
		r.arms = l.word(p+1) == "case"
		r.level = r.width <= l.width()
		l.needed = true
	case ")":
		l.needed = l.needed || l.top().declares == "extension"
	}
	l.append(p, "{")
}

// pop closes the current region before token i.
func (l *scalaLayout) pop(i int) {
	l.finish(i)
	top := l.top()
	if top.bracket == 0 && len(l.stack) > 1 || top.lambda {
		l.append(i-1, "}")
	}
	if top.arms && l.word(i) == "." && l.word(top.open) == "match" && l.word(top.open-1) != "." { // it continues after the cases
		l.prepend(top.open, ".")
		l.replace(top.open, "name")
	}
	l.stack = l.stack[:len(l.stack)-1]
	depth := len(l.stack)
	l.pending = slices.DeleteFunc(l.pending, func(p scalaPending) bool { return p.depth > depth })
}

// replace replaces a token with text.
func (l *scalaLayout) replace(i int, text string) {
	s := l.rewritten[i]
	s.as, s.changed = text, true
	l.rewritten[i] = s
}

// append adds text after a token and after text already added there.
func (l *scalaLayout) append(i int, text string) {
	s := l.rewritten[i]
	s.after += text
	l.rewritten[i] = s
}

// prepend adds text before a token.
func (l *scalaLayout) prepend(i int, text string) {
	s := l.rewritten[i]
	s.before = text + s.before
	l.rewritten[i] = s
}

// hide removes a token.
func (l *scalaLayout) hide(i int) { l.replace(i, "") }
