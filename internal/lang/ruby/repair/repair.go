// Package repair rewrites Ruby that the grammar does not parse, without moving a line.
//
// It exists because the tree-sitter grammar is older than Ruby 4.0, rejects some older
// forms, aborts the process on very long heredoc names, and loses the structure of a
// file after one missing "end". A grammar that parses the cases in lang/testdata/ruby
// makes it unnecessary. To drop it, remove the fields Repair and Source of the language
// row ruby.Ruby and the call of [CloseBlocks] in package ruby.
package repair

import (
	"bytes"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// Rewrite replaces syntax that the grammar does not parse with syntax of the same
// length that it does.
func Rewrite(t *syntax.Tree) []byte {
	out := bytes.Clone(t.Source)
	for _, mark := range core.ConflictMarks(out) {
		srctext.Blank(out[mark.Start:mark.End])
	}
	badLines := map[int]bool{} // numbers of the lines with errors
	for n := range t.Root().Descendants() {
		if n.Kind() != "ERROR" && !n.Missing() {
			continue
		}
		badLines[n.Line()], badLines[n.EndLine()] = true, true
		repairAt(out, n)
	}
	for at := 0; at < len(out); at++ {
		switch c := out[at]; {
		case c == 0:
			out[at] = ' '
		case c == '\\' && bytes.HasPrefix(out[at:], []byte(`\u{`)):
			joinCodePoints(out[at+len(`\u{`):])
			at++
		case c == '\\':
			at++
		}
	}
	repairRows(out, badLines)
	if bytes.Equal(out, t.Source) {
		return nil
	}
	return TruncateHeredocNames(out)
}

// repairAt rewrites the text at an error of the grammar.
func repairAt(text []byte, n syntax.Node) {
	at, end := n.Start(), n.End()
	if n.Missing() {
		before := bytes.TrimRight(text[:at], " \t\r\n")
		after := bytes.TrimLeft(text[at:], " \t\r\n")
		if bytes.HasSuffix(before, []byte(",")) && bytes.HasPrefix(after, []byte(")")) { // def f(a, b,), 4.1
			text[len(before)-1] = ' '
		}
		return
	}
	if end > at && text[end-1] == ';' && n.Ancestor("lambda_parameters", "lambda", "block_parameters").Ok() { // ->(a; b)
		text[end-1] = ','
		return
	}
	if end > at && (text[at] == ':' || text[at] == '$') {
		renameSymbol(text[at+1:])
	}
}

// renameSymbol replaces the name of a symbol or a global variable that the grammar
// rejects, such as :$' or an emoji.
func renameSymbol(name []byte) {
	if len(name) > 1 && name[0] == '$' && strings.IndexByte(globalMarks, name[1]) >= 0 {
		name[0], name[1] = '_', '_'
		return
	}
	for i := 0; i < len(name) && name[i] >= 0x80; i++ {
		name[i] = 'a'
	}
}

// globalMarks are the second characters of global variables without letters.
const globalMarks = "=:\"'?!@&~;,./<>\\*$-`+"

// joinCodePoints joins the numbers in "\u{3042 3044}" into one.
func joinCodePoints(text []byte) {
	end := bytes.IndexByte(text[:min(len(text), srctext.MaxHeader)], '}')
	if end < 0 || len(bytes.Trim(text[:end], " \t0123456789abcdefABCDEF")) > 0 {
		return
	}
	for i := range text[:end] {
		if text[i] == ' ' || text[i] == '\t' {
			text[i] = '0'
		}
	}
}

// repairRows rewrites forms that are recognized by their line.
func repairRows(text []byte, badLines map[int]bool) {
	at := 0
	number := 0
	for at < len(text) {
		number++
		end := rowEnd(text, at)
		row := text[at:end]
		passOn(row)
		begin := at + len(row) - len(bytes.TrimLeft(row, " \t"))
		for _, word := range []string{"&& ", "|| ", "and ", "or "} { // at the start of a line (4.0)
			if bytes.HasPrefix(text[begin:end], []byte(word)) && at > 0 && (badLines[number] || badLines[number-1]) {
				operatorToRowBefore(text, at, begin, begin+len(word)-1)
			}
		}
		if head := bytes.Index(row, []byte("def ")); head >= 0 {
			renameDefinition(text[at+head+len("def ") : end])
			bracketCommand(text, at+head+len("def "), end)
		}
		at = end + 1
	}
}

// rowEnd returns the offset of the end of the line that contains at.
func rowEnd(text []byte, at int) int {
	if end := bytes.IndexByte(text[at:], '\n'); end >= 0 {
		return at + end
	}
	return len(text)
}

// passOn blanks an anonymous block or rest argument at the end of a call without
// parentheses. The grammar would look for its name on the next line.
func passOn(row []byte) {
	row = bytes.TrimRight(row, " \t\r")
	stem := bytes.TrimRight(row, "&*")
	before := bytes.TrimRight(stem, " \t")
	if len(row) > len(stem) && len(row)-len(stem) <= 2 && bytes.HasSuffix(before, []byte(",")) {
		srctext.Blank(row[len(before)-1:])
	}
}

// operatorToRowBefore swaps an operator at the start of a line and the end of the
// previous line.
func operatorToRowBefore(text []byte, row, from, to int) {
	if bytes.IndexByte(text[bytes.LastIndexByte(text[:row-1], '\n')+1:row-1], '#') >= 0 {
		return // a comment would absorb the operator
	}
	text[row-1] = ' '
	copy(text[row:], bytes.Repeat([]byte(" "), from-row))
	text[to] = '\n'
}

// renameDefinition replaces the name of a definition that the grammar rejects: self is
// a keyword, and !@ is another spelling of !.
func renameDefinition(name []byte) {
	switch {
	case bytes.HasPrefix(name, []byte("self(")):
		copy(name, "sel_")
	case bytes.HasPrefix(name, []byte("!@;")), bytes.HasPrefix(name, []byte("!@\n")):
		copy(name, "==")
	}
}

// bracketCommand puts parentheses around the arguments of a command that is the body of
// an endless method: def x = raise Error, "no". If there is no room, the arguments are
// blanked.
func bracketCommand(text []byte, name, end int) {
	start := afterHead(text, name, end)
	if start < 0 {
		return
	}
	at := start
	for at < end && (srctext.NameByte(text[at]) || strings.IndexByte(".:?!@&", text[at]) >= 0) {
		at++
	}
	if at == start || at >= end || text[at] != ' ' || at+1 >= end || !startsArgument(text[at+1:end]) || isClause(text[start:at]) {
		return
	}
	stop := commandEnd(text, at+1)
	switch {
	case stop < len(text) && text[stop] != '\n':
		text[stop] = ')'
	case closeBeforeRow(text, stop):
	default:
		srctext.Blank(text[at+1 : stop])
		return
	}
	text[at] = '('
}

// afterHead returns the offset of the expression of an endless method, or -1 if it is
// not an endless method.
func afterHead(text []byte, name, end int) int {
	at := name
	for at < end && (srctext.NameByte(text[at]) || strings.IndexByte(".?!", text[at]) >= 0) {
		at++
	}
	if at < end && text[at] == '(' {
		for i, depth := range srctext.Brackets(text[:end], at) {
			if at = i + 1; depth == 0 {
				break
			}
		}
	}
	at = srctext.SkipBlanks(text, at)
	if at+1 >= end || at == name || text[at] != '=' || text[at+1] != ' ' || text[at-1] != ' ' {
		return -1
	}
	return srctext.SkipBlanks(text, at+1)
}

// startsArgument reports whether text can begin the first argument of a call without
// parentheses.
func startsArgument(text []byte) bool {
	if len(text) < 2 || isClause(text) {
		return false
	}
	switch c := text[0]; c {
	case '"', '\'', '@', '$':
		return true
	case ':', '%', '*', '&', '-':
		return srctext.NameByte(text[1]) || text[1] == '"' || text[1] == '>'
	default:
		return srctext.NameByte(c)
	}
}

// isClause reports whether text begins with a keyword that continues or ends an
// expression.
func isClause(text []byte) bool {
	end := 0
	for end < len(text) && srctext.NameByte(text[end]) {
		end++
	}
	switch string(text[:end]) {
	case "if", "unless", "while", "until", "rescue", "and", "or", "do", "then", "in", "not", "case", "begin", "def", "return", "yield":
		return true
	}
	return false
}

// commandEnd returns the offset at which the arguments from from end: before a block, a
// modifier, a comment or the end of the line.
func commandEnd(text []byte, from int) int {
	depth := 0
	limit := min(len(text), from+srctext.MaxHeader)
	for at := from; at < limit; at++ {
		switch c := text[at]; {
		case c == '"' || c == '\'':
			at = srctext.SkipString(text, at) - 1
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case depth == 0 && endsCommand(text, from, at):
			return at
		}
		if depth < 0 {
			return at
		}
	}
	return limit
}

// endsCommand reports whether the arguments that begin at from end at the blank or line
// end at at.
func endsCommand(text []byte, from, at int) bool {
	switch text[at] {
	case ' ':
		next := text[at+1:]
		return len(next) > 0 && strings.IndexByte("#\n{", next[0]) >= 0 || isClause(next)
	case '\r':
		return true
	case '\n':
		return !bytes.HasSuffix(bytes.TrimRight(text[from:at], " \t"), []byte(","))
	}
	return false
}

// closeBeforeRow inserts a closing parenthesis at the end of a line. The line end moves
// one byte on, into the indentation of the next line. It reports false if there is no
// indentation.
func closeBeforeRow(text []byte, end int) bool {
	next := end
	for next < len(text) && text[next] == '\n' {
		next++
	}
	if next >= len(text) || text[next] != ' ' && text[next] != '\t' {
		return false
	}
	text[end] = ')'
	for i := end + 1; i <= next; i++ {
		text[i] = '\n'
	}
	return true
}
