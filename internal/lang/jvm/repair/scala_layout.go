package repair

import (
	"bytes"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// Scala 3 lets indentation stand for braces (reference, "Optional Braces"). The
// grammar knows it in part only, and loses its way. So the regions that begin and
// end by indentation are found here, by the tokens alone, and the parser is shown
// the braces; likewise "if … then" and "while … do" with the brackets that Scala 2
// wants.

// scalaLayout walks the tokens of a text and notes how they are to be shown.
type scalaLayout struct {
	text    []byte
	tokens  []scalaToken
	shown   map[int]shownToken // tokens that are not shown as they are
	docs    []core.Span        // the comments that document
	open    []core.Span        // brackets that nothing closes
	partner []int32            // of a bracket, the index of the one it belongs to; else -1
	stack   []scalaRegion
	pending []scalaPending
	// needed tells that the text cannot be read as it stands.
	needed     bool
	heads      []scalaHead // statements that are rewritten when their end is known
	lastArm    int         // the "=>" that ended the last case pattern
	lastLambda int         // the "=>" behind the parameters in a brace
	lastIf     int         // the bracket that ended the last condition in brackets
}

// shownToken is how a token is shown: as another text, with texts around it.
type shownToken struct {
	as            string
	changed       bool // as is meant
	before, after string
	join          bool // on one line with the token before
}

// scalaRegion is a bracket that is open, or an indentation.
type scalaRegion struct {
	open     int    // the token that opened it
	bracket  byte   // 0 for an indentation
	width    int32  // the indentation of its statements; -1 when not known yet
	arms     bool   // its statements are cases
	level    bool   // they are as far left as what they are in
	arm      bool   // it is what follows the arrow of a case: it needs no braces
	stmt     int    // where the statement at hand begins
	declares string // the keyword of what the statement declares
	head     int    // index in heads, -1 for none
	typed    bool   // a type is written: a ":" without "=" after it
	equals   bool   // the statement has a "="
	colon    int    // the ":" of the statement; 0 for none
	matched  int    // the "match" of a type; 0 for none
	extends  bool   // the statement has an "extends"
	types    bool   // it stands where types are written
	template bool   // the brace opens a template, in which "x =>" names the instance
	lambda   bool   // a brace is shown behind the parameters of the lambda in it
	count    int    // statements that began in it
}

// scalaPending is an if, while or for whose "then", "do" or "yield" may follow.
type scalaPending struct {
	word  string
	token int
	depth int
}

// scalaHead is a statement of a kind that is rewritten, from its keyword to its
// end.
type scalaHead struct {
	word       string
	token, end int
}

func layScala(text []byte) *scalaLayout {
	l := &scalaLayout{text: text, shown: map[int]shownToken{}, lastArm: -1, lastIf: -1, lastLambda: -1}
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

// forgotten tells that the bracket at hand should have been closed: a definition
// begins at token i.
func (l *scalaLayout) forgotten(i int) bool {
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
	l.append(i-1, core.Closers[string(top.bracket)])
	t := l.tokens[top.open]
	l.open = append(l.open, core.Span{Start: int(t.Start), End: int(t.End), Name: "unclosed " + core.QuoteShort(l.word(top.open))})
}

// word is the text of a token; "" outside the text.
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

// width is the indentation of the statements at hand.
func (l *scalaLayout) width() int32 {
	for _, r := range slices.Backward(l.stack) {
		if r.width >= 0 && (r.bracket == 0 || r.bracket == '{') {
			return r.width
		}
	}
	return 0
}

// continues are the words that begin a line without beginning a statement.
var scalaContinues = core.SetOf("else", "then", "do", "catch", "finally", "yield", "extends", "with", "derives", "match", ".", "{")

// line handles the first token of a line: it may end indentations, begin one,
// and begin a statement.
func (l *scalaLayout) line(i int) {
	t := l.tokens[i]
	l.dedent(i)
	if i > 0 && l.indents(i) {
		l.push(scalaRegion{open: i - 1, width: t.column})
	} else if l.forgotten(i) {
		l.closeForgotten(i)
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

// continues tells a line that goes on with the statement before it, though it is
// no further to the right.
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

// dedent ends the indentations that a line beginning with token i is out of.
func (l *scalaLayout) dedent(i int) {
	for l.top().bracket == 0 && len(l.stack) > 1 && l.dedents(l.top(), i) {
		l.pop(i)
	}
}

// closeForgotten closes the brackets that a definition at token i shows to have
// been forgotten.
func (l *scalaLayout) closeForgotten(i int) {
	for l.forgotten(i) {
		l.closeOpen(i)
		l.pop(i)
		if !l.forgotten(i) {
			l.append(i-1, ";")
		}
	}
}

// dedents tells whether a line that begins with token i ends an indentation.
func (l *scalaLayout) dedents(r *scalaRegion, i int) bool {
	column := l.tokens[i].column
	return column < r.width || r.arms && r.level && column == r.width && l.word(i) != "case" && !l.guards(i)
}

// bodyBelow tells the brace of a template that stands on the line below its head
// (SLS 1.2: one line end is allowed there); the grammar may take it for a block.
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

// bodied tells that a statement has a body before token i.
func (l *scalaLayout) bodied(stmt, i int) bool {
	return l.word(i-1) == "}" && l.partner[i-1] > int32(stmt)
}

// joinLine shows token i on the line of the one before.
func (l *scalaLayout) joinLine(i int) {
	s := l.shown[i]
	s.join = true
	l.shown[i] = s
}

// guards tells the guard or the arrow of a case that stands on a line of its own.
func (l *scalaLayout) guards(i int) bool {
	return (l.word(i) == "if" || l.word(i) == "=>") && l.top().declares == "case"
}

// leadingInfix tells an operator that begins a line and goes on with the
// expression before it (reference, "Leading Infix Operators").
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

// begin starts a statement at token i in the region at hand.
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

// finish ends the statement at hand before token i.
func (l *scalaLayout) finish(i int) {
	top := l.top()
	if top.head >= 0 {
		l.heads[top.head].end = i
	}
	if last := l.word(i - 1); top.declares == "def" && !top.equals && top.colon == 0 && i > top.stmt && last != "}" && last != "{" {
		l.append(i-1, ": Unit") // else the grammar loses the end of the line
	}
	if top.typed && !top.equals && top.colon > 0 && (top.declares == "val" || top.declares == "var") {
		l.wrapType(top.colon+1, i)
	}
	if top.matched > 0 { // match types: the grammar wants them in another form
		for k := top.matched; k < i; k++ {
			l.shown[k] = shownToken{changed: true}
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

// openBrace shows the brace that an indentation stands for.
func (l *scalaLayout) openBrace(r *scalaRegion) {
	p := r.open
	switch word := l.word(p); word {
	case ":", "with":
		l.show(p, "{")
		l.needed = true
		return
	case "=>":
		r.arm = p == l.lastArm
		if colon := l.colonLambda(p); colon > 0 && !r.arm {
			l.show(colon, "{")
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

// pop closes the region at hand before token i.
func (l *scalaLayout) pop(i int) {
	l.finish(i)
	top := l.top()
	if top.bracket == 0 && len(l.stack) > 1 || top.lambda {
		l.append(i-1, "}")
	}
	if top.arms && l.word(i) == "." && l.word(top.open) == "match" && l.word(top.open-1) != "." { // it goes on behind the cases
		l.prepend(top.open, ".")
		l.show(top.open, "name")
	}
	l.stack = l.stack[:len(l.stack)-1]
	depth := len(l.stack)
	l.pending = slices.DeleteFunc(l.pending, func(p scalaPending) bool { return p.depth > depth })
}

// show shows a token as another text.
func (l *scalaLayout) show(i int, text string) {
	s := l.shown[i]
	s.as, s.changed = text, true
	l.shown[i] = s
}

// append shows a text behind a token, and behind what else is shown there.
func (l *scalaLayout) append(i int, text string) {
	s := l.shown[i]
	s.after += text
	l.shown[i] = s
}

// prepend shows a text before a token.
func (l *scalaLayout) prepend(i int, text string) {
	s := l.shown[i]
	s.before = text + s.before
	l.shown[i] = s
}

// hide shows nothing of a token.
func (l *scalaLayout) hide(i int) { l.show(i, "") }
