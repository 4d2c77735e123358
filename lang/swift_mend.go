package lang

import (
	"bytes"
	"slices"
	"strings"
)

// swiftMend rewrites a text token by token, each byte in its place, to what the
// grammar of 2024 reads. What it is shown in place of a token is a token again
// wherever that can be: its text is then the file's own.
type swiftMend struct {
	*swiftText
	out       []byte
	depth     int    // of interpolations
	chains    []bool // for each #if around, whether it stands in a chain of calls
	hideLater []span // tokens to hide once all are mended
	done      int    // the tokens before this one are shown as they will be
}

// mendSwift returns the text as the grammar is shown it.
func mendSwift(src []byte) []byte {
	out := mendTokens(src, 0)
	for _, mark := range conflictMarks(src) {
		blank(out[mark.start:mark.end])
	}
	return out
}

// maxInterpolations is how deep interpolations in interpolations are mended.
const maxInterpolations = 3

func mendTokens(src []byte, depth int) []byte {
	m := &swiftMend{swiftText: newSwiftText(src), out: bytes.Clone(src), depth: depth}
	for i := range m.tokens {
		if i >= m.done {
			m.mend(i)
		}
	}
	for _, s := range m.hideLater {
		m.hide(s.start, s.end)
	}
	return m.out
}

func (m *swiftMend) mend(i int) {
	switch m.tokens[i].kind {
	case swiftWord:
		m.mendWord(i)
	case swiftPound:
		m.macroUse(i)
	case swiftString:
		m.literal(i)
	case swiftRegex:
		m.regex(i)
	case swiftOperator:
		m.operator(i)
	case swiftMark:
		m.punctuation(i)
	case swiftNumber:
		m.number(i)
	case swiftDirective:
		m.directive(i)
	}
}

// show puts text in the place of token i, filled up with blanks.
func (m *swiftMend) show(i int, text string) {
	tok := m.tokens[i]
	copy(m.out[tok.start():tok.end()], text+strings.Repeat(" ", max(0, tok.end()-tok.start()-len(text))))
}

// hide blanks out the tokens from i to the one at to, included.
func (m *swiftMend) hide(i, to int) {
	blank(m.out[m.tokens[i].start():m.tokens[to].end()])
	m.done = max(m.done, to+1)
}

// paint overwrites the bytes between two offsets, lines kept.
func (m *swiftMend) paint(from, to int, with byte) {
	for i := from; i < to; i++ {
		if m.src[i] != '\n' && m.src[i] != '\r' {
			m.out[i] = with
		}
	}
}

// attribute shows the tokens from i to the one at to as an attribute: what may
// stand before any declaration and any type.
func (m *swiftMend) attribute(i, to int) {
	from, end := m.tokens[i].start(), m.tokens[to].end()
	m.out[from] = '@'
	for at := from + 1; at < end; at++ {
		if !nameByte(m.src[at]) {
			m.out[at] = '_'
		}
	}
}

// literal hides what is in a raw string when it would look like the string's end.
func (m *swiftMend) literal(i int) {
	tok := m.tokens[i]
	text := m.src[tok.start():tok.end()]
	pounds := len(text) - len(bytes.TrimLeft(text, "#"))
	for _, inside := range swiftInterpolations(m.src, tok.start()) {
		if m.depth < maxInterpolations {
			copy(m.out[inside.start:inside.end], mendTokens(m.src[inside.start:inside.end], m.depth+1))
		}
	}
	for at := tok.start() + 1; at+1 < tok.end(); at++ {
		if m.src[at] == '/' && m.src[at+1] == '*' {
			m.out[at] = '_' // no comment begins in a string
		}
	}
	if pounds == 0 {
		return
	}
	from, to := tok.start()+pounds+1, tok.end()-pounds-1
	if bytes.HasPrefix(text[pounds:], []byte(`"""`)) && from+4 <= to {
		from, to = from+2, to-2
	}
	if from >= to || bytes.Contains(text, []byte(`\`+strings.Repeat("#", pounds)+"(")) {
		return
	}
	if bytes.ContainsAny(m.src[from:to], `"#\`) {
		m.paint(from, to, '_')
	}
}

// regex shows a regular expression as a string.
func (m *swiftMend) regex(i int) {
	tok := m.tokens[i]
	m.paint(tok.start(), tok.end(), '_')
	m.out[tok.start()], m.out[tok.end()-1] = '"', '"'
}

// swiftPounds are the words behind # that the grammar knows.
var swiftPounds = setOf(
	"#file", "#fileID", "#filePath", "#line", "#column", "#function", "#dsohandle", "#selector", "#keyPath", "#available", "#unavailable",
	"#colorLiteral", "#fileLiteral", "#imageLiteral", "#externalMacro", "#error", "#warning", "#sourceLocation",
)

// macroUse shows the use of a macro as a call of _name. Among the members of a
// type, where no call can stand, it is hidden.
func (m *swiftMend) macroUse(i int) {
	tok := m.tokens[i]
	if swiftPounds[m.text(i)] {
		return
	}
	for at := tok.start(); at < tok.end(); at++ {
		if m.src[at] < 0x80 && !nameByte(m.src[at]) {
			m.out[at] = '_'
		}
	}
	if !m.inType(i) || m.head(i) != "" {
		return
	}
	last := i
	for last+1 < len(m.tokens) {
		next := m.mark(last + 1)
		if next != '(' && next != '{' || m.match(last+1) < 0 {
			break
		}
		last = m.match(last + 1)
	}
	m.hide(i, last)
}

// directive hides the lines of a condition but the first; and all of it between
// the calls of a chain, which goes on behind it.
func (m *swiftMend) directive(i int) {
	tok := m.tokens[i]
	text := m.src[tok.start():tok.end()]
	last := len(m.chains) - 1
	switch {
	case bytes.HasPrefix(text, []byte("#if")):
		m.chains = append(m.chains, m.mark(i+1) == '.')
		last++
	case last < 0:
		return
	case bytes.HasPrefix(text, []byte("#endif")):
		defer func() { m.chains = m.chains[:last] }()
	}
	if m.chains[last] {
		m.hide(i, i)
	} else if end := bytes.IndexByte(text, '\n'); end >= 0 {
		blank(m.out[tok.start()+end : tok.end()])
	}
}

// operator mends the names of functions that are operators: func ==(…) is shown
// as func oo(…).
func (m *swiftMend) operator(i int) {
	tok := m.tokens[i]
	switch text := m.text(i); {
	case m.mark(i-1) == '.' && m.text(i-2) == "\\" && !tok.spaced: // \.!
		m.paint(tok.start(), tok.end(), 'x')
	case strings.HasPrefix(text, ".") && m.mark(i-2) == '.' && m.operandBegins(i-2): // case .min..<0
		m.show(i-2, "")
	case text == "?" && (m.mark(i+1) == ')' || m.mark(i+1) == ',') && (m.word(i-2) == "let" || m.word(i-2) == "var"):
		m.show(i, "") // (let a, let b?)
	case strings.HasPrefix(text, "!") && m.mark(i-1) == ']' && m.keyPath(i-1):
		m.show(i, "")
	case m.word(i-1) == "func":
		end := tok.end()
		if m.mark(i+1) != '(' && strings.HasSuffix(text, "<") && len(text) > 1 {
			end-- // func ==<T>(…)
		}
		m.paint(tok.start(), end, 'o')
	case text == "~" && m.word(i+1) != "" && !m.tokens[i+1].spaced && swiftSuppressed[m.word(i+1)]:
		m.out[tok.start()] = '_'
	case text == "<" && !tok.spaced:
		m.typeArguments(i)
	case tok.newline && swiftInfix[text] && i+1 < len(m.tokens) && m.tokens[i+1].spaced && !m.tokens[i+1].newline:
		// the grammar ends the statement before a line that begins so
		copy(m.out[tok.start():], strings.Repeat("|", max(2, tok.end()-tok.start())))
	case strings.HasPrefix(text, "??") && !tok.spaced && m.optionalEnds(i):
		m.paint(tok.start()+1, tok.end(), ' ')
	case text == "..." && m.mark(i+1) == '{' && m.places[i].cond:
		m.show(i, "")
	case text == "/" && m.word(i+1) != "" && !m.tokens[i+1].spaced && m.operandBegins(i):
		blank(m.out[tok.start():tok.end()]) // a prefix operator of case paths
	}
}

// swiftSuppressed are the protocols that ~ takes away.
var swiftSuppressed = setOf("Copyable", "Escapable", "BitwiseCopyable", "Sendable", "SendableMetatype", "Swift")

// typeArguments hides the types between a name and the arguments of a call where
// the grammar takes < and > for comparisons: A.B<C>(d), #m<C> { }, A<C>.init(d).
func (m *swiftMend) typeArguments(i int) {
	end := m.closing(i)
	if end == i || m.text(end) != ">" || m.match(end) >= 0 {
		return
	}
	macro := m.tokens[i-1].kind == swiftPound
	next := m.mark(end + 1)
	switch {
	case macro, next == '(' && !m.tokens[end+1].spaced && m.mark(i-2) == '.' && m.word(i-1) != "":
	case next == '.' && m.word(i-1) != "" && !m.typeBefore(i-1) && lower(m.word(end+2)):
	default:
		return
	}
	m.hide(i, end)
}

// lower tells a name that does not begin like a type's.
func lower(name string) bool { return name != "" && name[0] >= 'a' && name[0] <= 'z' }

// swiftInfix are the operators between operands that begin no operand.
var swiftInfix = setOf("|", "^", "*", "%", "/", "<<", ">>", "<=", ">=", "!=", "!==", "===", "..<", "...")

// keyPath tells whether the subscript that token i closes is the begin of a key
// path.
func (m *swiftMend) keyPath(i int) bool {
	open := m.match(i)
	return open > 1 && m.mark(open-1) == '.' && m.text(open-2) == "\\"
}

// optionalEnds tells whether the ?? at token i belong to what stands before.
func (m *swiftMend) optionalEnds(i int) bool {
	return i+1 >= len(m.tokens) || m.tokens[i+1].spaced || m.tokens[i+1].kind == swiftMark
}

// operandBegins tells whether token i stands where an operand begins.
func (m *swiftMend) operandBegins(i int) bool {
	switch b := m.mark(i - 1); b {
	case '(', '[', '{', ',', ':':
		return true
	}
	if m.word(i-1) == "case" {
		return true
	}
	return i > 0 && m.tokens[i-1].kind == swiftOperator && m.tokens[i].spaced
}

// punctuation mends commas that end a list, and the selectors of modules.
func (m *swiftMend) punctuation(i int) {
	switch m.mark(i) {
	case ',':
		next := m.mark(i + 1)
		if f := m.frame(i); f > 1 && m.word(f-2) == "precedencegroup" && m.word(i+1) != "" {
			m.hide(i, i+1) // higherThan: A, B
			return
		}
		if m.head(i) == "associatedtype" && !m.conditional(i) {
			m.show(i, "&")
		}
		capture := next == ']' && m.frame(i) > 0 && m.mark(m.frame(i)-1) == '{'
		if next == ')' || capture || next == '{' && m.frame(i) == m.frame(i+1) || strings.HasPrefix(m.text(i+1), ">") && m.generic(i) {
			m.show(i, " ")
		}
	case ':':
		if m.mark(i+1) == ':' && !m.tokens[i+1].spaced { // Module::name (SE-0491)
			m.show(i, " ")
			m.show(i+1, ".")
		}
	case ';':
		if from := m.tokens[max(0, i-1)].end(); i > 0 && m.tokens[i].spaced && !m.tokens[i].newline {
			m.show(i, " ")
			m.out[from] = ';'
		}
	case '(', '[':
		if m.mark(i) == '(' && m.match(i) == i+1 && m.isVoid(i) {
			m.paint(m.tokens[i].start(), m.tokens[i].end(), '_')
			m.paint(m.tokens[i+1].start(), m.tokens[i+1].end(), '_')
			m.paint(m.tokens[i].end(), m.tokens[i+1].start(), '_')
			return
		}
		if m.match(i) == i+1 && m.mark(i+2) == ':' && !m.tokens[i+2].spaced && m.mark(i-2) == '.' {
			m.hide(i, i+1) // case .success():
			return
		}
		m.bracket(i)
	case '\\':
		if m.mark(i+1) == '.' && m.mark(i+2) == '[' { // \.[0]
			m.show(i, "x")
			m.show(i+1, "x")
		}
	case '@':
		m.parameterAttribute(i)
	}
}

// conditional tells whether token i stands behind a where in its declaration.
func (m *swiftMend) conditional(i int) bool {
	for k := i - 1; k > 0 && k > i-maxGeneric && m.word(k) != "associatedtype"; k-- {
		if m.word(k) == "where" {
			return true
		}
	}
	return false
}

// bracket mends types in brackets where the grammar wants an expression, or only
// plain types.
func (m *swiftMend) bracket(i int) {
	end := m.match(i)
	if end < 0 || end+1 >= len(m.tokens) {
		return
	}
	after := m.text(end + 1)
	member := m.word(end + 2)
	switch {
	case m.mark(i) == '(' && m.word(i-1) == "case" && m.tokens[end+1].kind == swiftOperator && strings.Contains(after, ".."):
		m.show(i, " ") // case (a + 1)...b
		m.show(end, " ")
	case after == "." && (member == "self" || member == "Type") || m.mark(i) == '[' && after == "(":
		if m.holdsArrow(i, end) { // ((A) -> B).self is shown as (X).self
			m.hide(i+1, end-1)
			m.out[m.tokens[i+1].start()] = 'X'
		}
	case m.mark(i) == '[' && after == "." && member != "" && member[0] >= 'A' && member[0] <= 'Z' && m.typeBefore(i):
		m.show(i, " ") // [A].Index
		m.show(end, " ")
	}
}

// swiftOperandBefore are the words that an operand may stand behind.
var swiftOperandBefore = []string{
	"return", "in", "try", "await", "yield", "case", "switch", "if", "while", "else", "throw", "guard", "where", "repeat", "for", "as", "is",
	"default",
}

// isVoid tells whether the () at token i is the empty tuple, or its type: no list
// of parameters or arguments.
func (m *swiftMend) isVoid(i int) bool {
	after := m.text(i + 2)
	if after == "->" || after == "throws" || after == "rethrows" || after == "async" || after == "in" || m.tokens[i+1].newline {
		return false
	}
	tok := m.tokens[i]
	if i == 0 || tok.newline {
		return true
	}
	switch before := m.tokens[i-1]; before.kind {
	case swiftMark:
		return strings.IndexByte("([{,:;", m.mark(i-1)) >= 0
	case swiftOperator:
		return tok.spaced || before.spaced
	case swiftWord:
		return slices.Contains(swiftOperandBefore, m.word(i-1)) && tok.spaced
	case swiftDirective:
		return true
	case swiftNumber, swiftString, swiftRegex, swiftPound:
	}
	return false
}

// holdsArrow tells whether an arrow stands right between two brackets.
func (m *swiftMend) holdsArrow(i, end int) bool {
	for k := i + 1; k < end; k++ {
		if m.match(k) > k {
			k = m.match(k)
		} else if m.text(k) == "->" {
			return true
		}
	}
	return false
}

// typeBefore tells whether what stands before token i wants a type.
func (m *swiftMend) typeBefore(i int) bool {
	before := m.text(i - 1)
	return before == ":" || before == "->" || before == "as" || before == "is" || before == "<" || before == "any" || before == "some"
}

// parameterAttribute hides the attributes of a parameter but the first.
func (m *swiftMend) parameterAttribute(i int) {
	f := m.frame(i)
	if end := m.attributeEnd(i); f >= 0 && m.role(f) == swiftCode && m.word(end+1) == "func" {
		m.hide(i, end) // of a local function
		return
	}
	if f < 0 || m.mark(f) != '(' || i-1 != f && m.mark(i-1) != ',' || m.word(f-1) == "" && m.text(f-1) != ">" {
		return
	}
	last := m.attributeEnd(i)
	for m.mark(last+1) == '@' {
		next := m.attributeEnd(last + 1)
		m.hide(last+1, next)
		last = next
	}
	m.done = i + 1
}

// attributeEnd returns the last token of the attribute at token i.
func (t *swiftText) attributeEnd(i int) int {
	last := i + 1
	for t.mark(last+1) == '.' {
		last += 2
	}
	if t.text(last+1) == "<" {
		for k := last + 2; k < min(last+maxGeneric, len(t.tokens)); k++ {
			if t.text(k) == ">" {
				last = k
				break
			}
		}
	}
	if t.mark(last+1) == '(' && !t.tokens[last+1].spaced && t.match(last+1) > 0 {
		last = t.match(last + 1)
	}
	return min(last, len(t.tokens)-1)
}

// number shows the numbers among type arguments as names.
func (m *swiftMend) number(i int) {
	tok := m.tokens[i]
	next := m.text(i + 1)
	switch {
	case m.word(i+1) == "of" && m.mark(i-1) == '[': // [3 of Int]
		m.hide(i, i+1)
	case (next == "," || strings.HasPrefix(next, ">")) && m.generic(i):
		m.paint(tok.start(), tok.end(), 'N')
	}
}

// maxGeneric is how many tokens of a list of types are looked through for its
// begin.
const maxGeneric = 48

// generic tells whether token i stands in angle brackets that follow a name.
func (m *swiftMend) generic(i int) bool {
	depth := 0
	for k := i - 1; k > 0 && k > i-maxGeneric; k-- {
		if m.frame(k) != m.frame(i) {
			continue
		}
		switch text := m.text(k); {
		case text == "<":
			if depth == 0 {
				return m.word(k-1) != "" && !m.tokens[k].spaced
			}
			depth--
		case m.tokens[k].kind == swiftOperator && strings.Trim(text, ">?!") == "":
			depth += strings.Count(text, ">")
		case text == "{" || text == "}" || text == ";" || text == "=":
			return false
		}
	}
	return false
}
