package php

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// phpLiteral returns what a literal without expressions in it says, however it is
// quoted; "" for one with expressions, which is hashed by its parts.
func phpLiteral(n syntax.Node) (drop bool, as string) {
	const mark = "'" // tells a literal from a name
	text := n.Text()
	switch n.Kind() {
	case "string":
		text = strings.TrimLeft(text, "bB")
		if len(text) < 2 {
			return false, mark
		}
		return false, mark + strings.NewReplacer(`\\`, `\`, `\'`, `'`).Replace(text[1:len(text)-1])
	case "encapsed_string":
		text = strings.TrimLeft(text, "bB")
		if len(text) < 2 || hasExpressions(n) {
			return false, ""
		}
		return false, mark + phpUnescaped(text[1:len(text)-1], '"')
	case "nowdoc":
		return false, mark + heredocText(text)
	case "heredoc":
		if hasExpressions(n.Field("value")) {
			return false, heredocParts(n)
		}
		return false, mark + phpUnescaped(heredocText(text), 0)
	}
	return false, ""
}

func hasExpressions(n syntax.Node) bool {
	for c := range n.Inner() {
		if !c.Is("string_content", "string_value", "escape_sequence") {
			return true
		}
	}
	return false
}

// heredocText returns the lines of a heredoc, freed of the indentation that its
// closing label has (PHP 7.3).
func heredocText(text string) string {
	rows := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if len(rows) < 2 {
		return ""
	}
	last := rows[len(rows)-1]
	indent := len(last) - len(strings.TrimLeft(last, " \t"))
	rows = rows[1 : len(rows)-1]
	for i, row := range rows {
		blanks := len(row) - len(strings.TrimLeft(row, " \t"))
		rows[i] = row[min(indent, blanks):]
	}
	return strings.Join(rows, "\n")
}

// heredocParts returns a heredoc with expressions in it as its text alone: where
// its lines begin is a matter of format, so its parts say less.
func heredocParts(n syntax.Node) string { return `"` + heredocText(n.Text()) }

// phpEscapes are the escapes of one letter in double quotes.
var phpEscapes = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', 'v': '\v', 'e': 0x1b, 'f': '\f', '\\': '\\', '$': '$'}

// phpUnescaped resolves the escapes of a text in double quotes, or of a heredoc,
// whose quote is none.
func phpUnescaped(text string, quote byte) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		if text[0] != '\\' || len(text) == 1 {
			b.WriteByte(text[0])
			text = text[1:]
			continue
		}
		c := text[1]
		switch {
		case phpEscapes[c] != 0:
			b.WriteByte(phpEscapes[c])
			text = text[2:]
		case c == quote && quote != 0:
			b.WriteByte(c)
			text = text[2:]
		default:
			text = numbered(&b, text)
		}
	}
	return b.String()
}

// numbered writes the character of \101, \x41 or \u{41} at the start of text, or
// the backslash that means itself, and returns the rest.
func numbered(b *strings.Builder, text string) string {
	digits, base, skip := "", 8, 1
	switch rest := text[1:]; {
	case strings.HasPrefix(rest, "u{"):
		end := strings.IndexByte(rest, '}')
		if end > 0 {
			if v, err := strconv.ParseUint(rest[2:end], 16, 32); err == nil && v <= utf8.MaxRune {
				b.WriteRune(rune(v))
				return rest[end+1:]
			}
		}
	case rest[0] == 'x' || rest[0] == 'X':
		digits, base, skip = leading(rest[1:], "0123456789abcdefABCDEF", 2), 16, 2
	default:
		digits = leading(rest, "01234567", 3)
	}
	v, err := strconv.ParseUint(digits, base, 16)
	if err != nil {
		b.WriteByte('\\')
		return text[1:]
	}
	b.WriteByte(byte(v))
	return text[skip+len(digits):]
}

// leading returns the bytes of set that text begins with, at most limit.
func leading(text, set string, limit int) string {
	n := 0
	for n < min(limit, len(text)) && strings.IndexByte(set, text[n]) >= 0 {
		n++
	}
	return text[:n]
}
