// Package repair rewrites PHP that the grammar does not parse, without moving a line.
//
// It exists because the tree-sitter grammar is from 2024 and rejects or misreads syntax
// of PHP 8.3 to 8.5: property hooks, asymmetric visibility, new without parentheses,
// the pipe operator, clone with arguments. A grammar that parses the cases in
// lang/testdata/php makes it unnecessary. To drop it, remove the field Repair of the
// language row php.PHP and the file hooks.go with its calls in package php. Package php
// also reads heads with the tokenizer here ([HeadTokens]), which must then move there.
package repair

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// Rewriter replaces syntax of PHP 8.3 to 8.5 with syntax of the same length that the
// grammar accepts. Meaning that is lost in the rewritten text is kept in Extras, so
// that it is part of the hashes.
type Rewriter struct {
	Source, Text []byte
	Tokens       []Token
	Partner      []int32 // of a bracket: index of its partner; else -1
	role         []byte  // role of an opening bracket, see below
	open         []int   // the enclosing brackets of the current token
	Extras       []Extra
	Hooks        []Hook
	full         []byte // text including hooks
}

// The roles of brackets: what they enclose.
const (
	members          = 'c' // of a class, an interface or a trait
	enumBody         = 'e'
	parameters       = 'p'
	anonymousMembers = 'a' // members of an anonymous class
)

// Extra is meaning at an offset that is missing in the tree.
type Extra struct {
	At   int
	Text string
}

// Rewrite returns a rewritten text of the same length, or nil if nothing was changed.
func Rewrite(t *syntax.Tree) []byte {
	m := NewRewriter(t.Source)
	if bytes.Equal(m.Text, t.Source) {
		m.maskHeredocs(t.Root())
	}
	if bytes.Equal(m.Text, t.Source) {
		return nil
	}
	return m.Text
}

// NewRewriter rewrites a file. It is idempotent.
func NewRewriter(source []byte) *Rewriter {
	m := &Rewriter{Source: source, Text: slices.Clone(source)}
	for _, mark := range core.ConflictMarks(source) {
		srctext.Blank(m.Text[mark.Start:mark.End])
	}
	m.Tokens = Tokens(m.Text)
	m.halt()
	m.Partner = m.Partners()
	m.role = make([]byte, len(m.Tokens))
	for i := range m.Tokens {
		m.token(i)
	}
	m.hideHooks()
	return m
}

// Is reports whether token i is one of the given signs or words, ignoring case.
func (m *Rewriter) Is(i int, words ...string) bool {
	if i < 0 || i >= len(m.Tokens) || m.Tokens[i].Kind == String {
		return false
	}
	t := m.Tokens[i]
	for _, w := range words {
		if t.End()-t.Start() == len(w) && strings.EqualFold(string(m.Source[t.Start():t.End()]), w) {
			return true
		}
	}
	return false
}

func (m *Rewriter) kind(i int) Kind {
	if i < 0 || i >= len(m.Tokens) {
		return otherToken
	}
	return m.Tokens[i].Kind
}

// TextOf returns the text of token i.
func (m *Rewriter) TextOf(i int) string {
	return string(m.Source[m.Tokens[i].Start():m.Tokens[i].End()])
}

// write replaces the tokens [from, to] with as. It reports false and does nothing if
// that would move a line.
func (m *Rewriter) write(from, to int, as string) bool { return m.writeIn(m.Text, from, to, as) }

func (m *Rewriter) writeIn(text []byte, from, to int, as string) bool {
	start, end := m.Tokens[from].Start(), m.Tokens[to].End()
	line := bytes.IndexByte(text[start:end], '\n')
	if len(as) > end-start || line >= 0 && line < len(as) {
		return false
	}
	srctext.Blank(text[start:end])
	copy(text[start:], as)
	return true
}

func (m *Rewriter) extra(i int, text string) {
	m.Extras = append(m.Extras, Extra{m.Tokens[i].Start(), text})
}

// halt blanks the data after __halt_compiler();.
func (m *Rewriter) halt() {
	for i := range m.Tokens {
		if m.Is(i, "__halt_compiler") && m.Is(i+1, "(") && m.Is(i+2, ")") {
			end := m.Tokens[i+2].End()
			if m.Is(i+3, ";") {
				end = m.Tokens[i+3].End()
			}
			m.extra(i, "data "+srctext.ShortHash(m.Source[end:]))
			srctext.Blank(m.Text[end:])
			m.Tokens = slices.DeleteFunc(m.Tokens, func(t Token) bool { return t.Start() >= end })
			return
		}
	}
}

// Partners pairs the brackets. A closing bracket that matches an outer opening one also
// ends the brackets inside it.
func (m *Rewriter) Partners() []int32 {
	out := make([]int32, len(m.Tokens))
	var open []int
	waiting := map[string]int{}
	for i, t := range m.Tokens {
		out[i] = -1
		if t.Kind != signToken {
			continue
		}
		text := m.TextOf(i)
		if text == "#[" {
			text = "["
		}
		if c := syntax.Closers[text]; c != "" {
			open = append(open, i)
			waiting[c]++
			continue
		}
		for closed := ""; waiting[text] > 0 && closed != text; open = open[:len(open)-1] {
			last := open[len(open)-1]
			closed = syntax.Closers[strings.TrimPrefix(m.TextOf(last), "#")]
			waiting[closed]--
			if closed == text {
				out[last], out[i] = int32(i), int32(last) // as offsets
			}
		}
	}
	return out
}

// around returns the innermost bracket around the current token, and its role.
func (m *Rewriter) around() (bracket int, role byte) {
	if len(m.open) == 0 {
		return -1, 0
	}
	bracket = m.open[len(m.open)-1]
	return bracket, m.role[bracket]
}

// token repairs token i. Tokens are processed in order.
func (m *Rewriter) token(i int) {
	for len(m.open) > 0 && m.Pair(m.open[len(m.open)-1]) == i {
		m.open = m.open[:len(m.open)-1]
		m.afterClass(i)
	}
	around, role := m.around()
	switch role {
	case members, enumBody, anonymousMembers:
		if i-1 == around || m.Is(i-1, ";", "}") {
			m.member(i, role == enumBody)
		}
	case parameters:
		if i-1 == around || m.Is(i-1, ",") {
			m.parameter(i)
		}
	}
	switch m.Tokens[i].Kind {
	case wordToken:
		m.keyword(i)
	case signToken:
		m.sign(i)
	case String:
		m.heredoc(i)
	case variableToken, otherToken:
	}
	if m.Pair(i) > i {
		m.open = append(m.open, i)
	}
}

func (m *Rewriter) sign(i int) {
	switch {
	case m.Is(i, "|>"): // PHP 8.5
		m.write(i, i, "|")
		m.extra(i, "|>")
	case m.Is(i, "(") && m.Is(i+1, "void") && m.Is(i+2, ")") && m.kind(i-1) != wordToken: // PHP 8.5
		m.write(i+1, i+1, "bool")
	case m.Is(i, "#["):
		m.constantAttributes(i)
	case m.Is(i, ",") && m.Is(i+1, "}") && m.Is(m.Pair(i+1)-1, `\`): // use A\{B, C,}
		m.write(i, i, "")
	}
}

// keyword repairs the constructs that begin with the word i, unless it is a member
// name.
func (m *Rewriter) keyword(i int) {
	m.latin(i)
	if m.Is(i-1, "->", "?->", "::", "const") {
		return
	}
	switch {
	case m.Is(i+1, ":") && m.Is(i-1, "(", ",") && !m.Is(i+2, ":"):
		m.argumentName(i)
	case m.Is(i, "class", "interface", "trait", "enum"):
		m.classLike(i)
	case m.Is(i, "declare"):
		m.directives(i)
	case m.Is(i, "function", "fn"):
		m.function(i)
	case m.Is(i, "new"):
		m.newExpression(i)
	case m.Is(i, "clone"):
		m.clone(i)
	}
}

// latin replaces a name that is not valid UTF-8.
func (m *Rewriter) latin(i int) {
	t := m.Tokens[i]
	if utf8.Valid(m.Source[t.Start():t.End()]) {
		return
	}
	for at := t.Start(); at < t.End(); at++ {
		if m.Text[at] >= utf8.RuneSelf {
			m.Text[at] = 'x'
		}
	}
}

// maxClassHead is the maximum number of tokens between class and its body. A bracketed
// list counts as one.
const maxClassHead = 256

// classLike sets the role of the body of a class, interface, trait or enumeration.
func (m *Rewriter) classLike(i int) {
	role := byte(members)
	anonymous := m.Is(i, "class") && m.isNew(i)
	switch {
	case anonymous:
		role = anonymousMembers
	case m.kind(i+1) != wordToken || m.Is(i-1, "function", "&"):
		return
	case m.Is(i, "enum"):
		role = enumBody
	}
	for k := i + 1; k < min(len(m.Tokens), i+maxClassHead); k++ {
		switch {
		case m.Is(k, "{"):
			if m.role[k] == 0 {
				m.role[k] = role
			}
			return
		case m.Is(k, ";", "}", "=", ")"):
			return
		case m.Pair(k) > k:
			k = m.Pair(k)
		}
	}
}

// isNew reports whether new precedes the word i, ignoring attributes and readonly.
func (m *Rewriter) isNew(i int) bool {
	for i--; i >= 0; i-- {
		switch {
		case m.Is(i, "new"):
			return true
		case m.Is(i, "]") && m.Pair(i) >= 0 && m.Is(m.Pair(i), "#["):
			i = m.Pair(i)
		case !m.Is(i, "readonly"):
			return false
		}
	}
	return false
}

// function sets the role of a function's parameter list.
func (m *Rewriter) function(i int) {
	k := i + 1
	if m.Is(k, "&") {
		k++
	}
	if m.kind(k) == wordToken {
		k++
	}
	if m.Is(k, "(") {
		m.role[k] = parameters
	}
}

// constantAttributes removes attributes from constants outside classes (allowed since
// PHP 8.5).
func (m *Rewriter) constantAttributes(i int) {
	if m.Is(i-1, "]") {
		return
	}
	if _, role := m.around(); role == members || role == enumBody || role == anonymousMembers {
		return
	}
	k := m.AfterAttributes(i)
	if k == i || !m.Is(k, "const") {
		return
	}
	if m.write(i, k, "const") {
		for a := i; a < k; a++ {
			m.extra(a, m.TextOf(a))
		}
	}
}

// AfterAttributes returns the token after the attributes that begin at i.
func (m *Rewriter) AfterAttributes(i int) int {
	for m.Is(i, "#[") && m.Pair(i) > i {
		i = m.Pair(i) + 1
	}
	return i
}

// argumentName replaces a keyword that is used as the name of an argument: f(new: 1).
func (m *Rewriter) argumentName(i int) {
	if around, _ := m.around(); m.Is(around, "(") && m.Is(i, reserved...) {
		m.Text[m.Tokens[i].Start()] = '_'
	}
}

// reserved are the words that the grammar does not accept as names.
var reserved = strings.Fields(`abstract and array as break callable case catch class clone const continue declare
	default do echo else elseif empty exit extends final finally fn for foreach function global goto if implements
	include include_once instanceof insteadof interface isset list match namespace new null or print private protected
	public readonly require require_once return static switch throw trait true false try unset use var while xor yield`)

// directives reduces declare(ticks=1, strict_types=1) to its first directive.
func (m *Rewriter) directives(i int) {
	if !m.Is(i+1, "(") || m.Pair(i+1) < 0 {
		return
	}
	end := m.Pair(i + 1)
	for k := i + 2; k < end; k = max(k, m.Pair(k)) + 1 {
		if m.Is(k, ",") {
			for a := k; a < end; a++ {
				m.extra(a, m.TextOf(a))
				m.write(a, a, "")
			}
			return
		}
	}
}

// Pair returns the partner of bracket i, or -1.
func (m *Rewriter) Pair(i int) int { return int(m.Partner[i]) }
