// Package srctext scans and formats source text without a syntax tree: names, strings,
// brackets, comments and hashes of text. It is what the readers of all languages share.
package srctext

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"strconv"
	"strings"
	"unicode"
)

// Balanced reports whether text has as many closing as opening braces and parentheses.
func Balanced(text string) bool {
	return strings.Count(text, "{") == strings.Count(text, "}") && strings.Count(text, "(") == strings.Count(text, ")")
}

// Blank overwrites text with spaces, except line ends.
func Blank(text []byte) {
	for i, c := range text {
		if c != '\n' && c != '\r' {
			text[i] = ' '
		}
	}
}

// BlockComment returns the text of a /** ... */ comment without its delimiters.
func BlockComment(text string) string {
	text = strings.TrimSuffix(strings.TrimPrefix(text, "/*"), "*/")
	var rows []string
	for row := range strings.Lines(strings.TrimLeft(text, "*!")) {
		row = strings.TrimSpace(row)
		row = strings.TrimPrefix(strings.TrimPrefix(row, "* "), "*")
		rows = append(rows, row)
	}
	return strings.TrimSpace(strings.Join(rows, "\n"))
}

// Brackets yields the offset of each byte of text from from on, except strings and comments,
// with the number of brackets open after it. It stops at a bracket that closes more than were
// opened.
func Brackets(text []byte, from int) iter.Seq2[int, int] {
	return func(yield func(at, depth int) bool) {
		depth := 0
		for i := from; i < min(len(text), from+MaxHeader); i++ {
			switch text[i] {
			case '#':
				i = EndOfLine(text, i) - 1
				continue
			case '"', '\'':
				i = SkipString(text, i) - 1
				continue
			case '(', '[', '{':
				depth++
			case ')', ']', '}':
				depth--
			}
			if depth < 0 || !yield(i, depth) {
				return
			}
		}
	}
}

// CanonicalNumber returns the canonical spelling of a number literal.
func CanonicalNumber(text string) string {
	text = strings.ToLower(text)
	if strings.HasPrefix(text, "0x") || !strings.ContainsAny(text, ".e") {
		return text
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// EndOfLine returns the offset of the end of the line that contains from.
func EndOfLine(text []byte, from int) int {
	if i := bytes.IndexByte(text[from:], '\n'); i >= 0 {
		return from + i
	}
	return len(text)
}

// MaxHeader is the maximum distance searched for the end of a type parameter or exception
// list, in bytes.
const MaxHeader = 8192

// NameByte reports whether c may be part of a name. All bytes above ASCII may.
func NameByte(c byte) bool {
	return c == '_' || c >= 0x80 || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// OneLine replaces each run of white space by one space.
func OneLine(text string) string {
	if strings.IndexFunc(text, unicode.IsSpace) < 0 {
		return text
	}
	return strings.Join(strings.Fields(text), " ")
}

// Outside returns the part of a text that is outside brackets.
func Outside(text string, open, shut rune) string {
	if !strings.ContainsRune(text, open) {
		return text
	}
	var b strings.Builder
	depth := 0
	for _, c := range text {
		switch {
		case c == open:
			depth++
		case c == shut:
			depth--
		case depth == 0:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// QuoteShort returns the first line of a text in backquotes, truncated to 40 bytes.
func QuoteShort(text string) string {
	text, _, cut := strings.Cut(strings.TrimSpace(text), "\n")
	if len(text) > 40 {
		text, cut = strings.ToValidUTF8(text[:40], ""), true
	}
	if cut {
		text += "…"
	}
	return "`" + strings.TrimSpace(text) + "`"
}

// ShortHash returns 16 hex digits of SHA-256: enough to compare one symbol with
// its former self.
func ShortHash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

// SkipBlanks returns the offset of the first byte at or after from that is neither a space nor
// a tab.
func SkipBlanks(text []byte, from int) int {
	for from < len(text) && (text[from] == ' ' || text[from] == '\t') {
		from++
	}
	return from
}

// SkipString returns the offset after the string literal that begins at from. An unclosed
// literal ends at the end of its line, a triple-quoted one at the end of the text.
func SkipString(text []byte, from int) int {
	quote := text[from : from+1]
	if bytes.HasPrefix(text[from:], bytes.Repeat(quote, 3)) {
		quote = text[from : from+3]
	}
	for i := from + len(quote); i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case text[i] == '\n' && len(quote) == 1:
			return i
		case bytes.HasPrefix(text[i:], quote):
			return i + len(quote)
		}
	}
	return len(text)
}

// Unparenthesised removes the parentheses around the whole of a text.
func Unparenthesised(text string) string {
	if !strings.HasPrefix(text, "(") || !strings.HasSuffix(text, ")") {
		return text
	}
	depth := 0
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 && i < len(text)-1 {
			return text
		}
	}
	return strings.TrimSpace(text[1 : len(text)-1])
}

// Lines returns the number of lines of src. A last line without a newline counts.
func Lines(src []byte) int {
	n := bytes.Count(src, []byte{'\n'})
	if len(src) > 0 && src[len(src)-1] != '\n' {
		n++
	}
	return n
}

// ClipRow truncates the text of an unnamed test case.
func ClipRow(text string) string {
	if len(text) > longRow {
		return strings.ToValidUTF8(text[:longRow], "") + "…"
	}
	return text
}

// longRow is the maximum length of an unnamed test case's text, in bytes.
const longRow = 60

// ClipReceiver returns the last [MaxReceiver] bytes of a receiver's text.
func ClipReceiver(text string) string {
	if len(text) > MaxReceiver {
		return "…" + strings.ToValidUTF8(text[len(text)-MaxReceiver:], "")
	}
	return text
}

// MaxReceiver is the maximum length of the text kept of a receiver, in bytes: call chains can
// be pages long.
const MaxReceiver = 120

// LongReceiver is how much text before a called name is examined, in bytes. The receiver of
// each call in a chain is the whole chain before it, so that more would be quadratic.
const LongReceiver = 8 * MaxReceiver

// ClipBody truncates a text to [MaxBodyText] bytes.
func ClipBody(text string) string {
	if len(text) <= MaxBodyText {
		return text
	}
	return strings.ToValidUTF8(text[:MaxBodyText], "") + "…"
}

// ClipLong truncates a text for users, such as help, to [MaxLongText] bytes.
func ClipLong(text string) string {
	if len(text) <= MaxLongText {
		return text
	}
	return strings.ToValidUTF8(text[:MaxLongText], "") + "…"
}

// ClipStep truncates a statement of a test to [MaxStepText] bytes.
func ClipStep(text string) string {
	if len(text) <= MaxStepText {
		return text
	}
	return strings.ToValidUTF8(text[:MaxStepText], "") + "…"
}

// MaxStepText is the maximum length of a statement of a test, in bytes: enough for a table of some rows.
const MaxStepText = 2000

// MaxLongText is the maximum length of a text for users, in bytes.
const MaxLongText = 1000

// MaxBodyText is the maximum length of a condition, statement or message, in bytes.
const MaxBodyText = 200

// Join returns owner.name, or name if owner is "".
func Join(owner, name string) string {
	if owner == "" {
		return name
	}
	return owner + "." + name
}

// HeadBytes is the size of the part of a file that is searched for marks of generated code.
const HeadBytes = 2048

// MaxMarks is the maximum number of prefix characters before a quote. A longer run is not a
// string prefix, and scanning it from each character would be quadratic.
const MaxMarks = 16
