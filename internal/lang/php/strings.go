package php

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// literalAs returns the value of a literal without expressions, independent of its
// quotes. It returns "" for a literal with expressions, which is hashed by its parts.
func literalAs(n syntax.Node) (drop bool, as string) {
	const mark = "'" // distinguishes a literal from a name
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
		return false, mark + unescaped(text[1:len(text)-1], '"')
	case "nowdoc":
		return false, mark + heredocText(text)
	case "heredoc":
		if hasExpressions(n.Field("value")) {
			return false, heredocParts(n)
		}
		return false, mark + unescaped(heredocText(text), 0)
	}
	return false, ""
}

func hasExpressions(n syntax.Node) bool {
	for c := range n.NamedSeq() {
		if !c.Is("string_content", "string_value", "escape_sequence") {
			return true
		}
	}
	return false
}

// heredocText returns the lines of a heredoc without the indentation of its closing
// label (PHP 7.3).
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

// heredocParts returns the whole text of a heredoc with expressions. It is hashed as
// text because the indentation of its lines is only format.
func heredocParts(n syntax.Node) string { return `"` + heredocText(n.Text()) }

// escapes are the one-letter escapes in double quotes.
var escapes = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', 'v': '\v', 'e': 0x1b, 'f': '\f', '\\': '\\', '$': '$'}

// unescaped resolves the escapes in a double-quoted string or a heredoc. The quote
// of a heredoc is 0.
func unescaped(text string, quote byte) string {
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
		case escapes[c] != 0:
			b.WriteByte(escapes[c])
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

// numbered writes the character that \101, \x41 or \u{41} at the start of text encodes,
// or a literal backslash, and returns the rest.
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

// leading returns the longest prefix of text made of bytes in cutset, at most limit
// bytes.
func leading(text, cutset string, limit int) string {
	n := 0
	for n < min(limit, len(text)) && strings.IndexByte(cutset, text[n]) >= 0 {
		n++
	}
	return text[:n]
}
