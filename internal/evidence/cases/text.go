package cases

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// cutAssign splits a statement at its assignment operator.
func cutAssign(text string) (left, right string, ok bool) {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '"', '\'', '`':
			i = code.QuoteEnd(text, i)
		case '=':
			next, last := byteAt(text, i+1), byteAt(text, i-1)
			if depth != 0 || next == '=' || next == '>' || next == '~' || strings.IndexByte("=!<>+-*/|&^%", last) >= 0 && last != 0 {
				if next == '=' {
					i++
				}
				continue
			}
			return strings.TrimSuffix(text[:i], ":"), strings.TrimSpace(text[i+1:]), true
		}
	}
	return "", "", false
}

func byteAt(text string, i int) byte {
	if i < 0 || i >= len(text) {
		return 0
	}
	return text[i]
}

// Assigned splits a statement that assigns a value to one variable: "const x = f(1)" is "x" and "f(1)".
func Assigned(text string) (name, value string, ok bool) {
	left, value, ok := cutAssign(strings.TrimSuffix(text, ";"))
	fields := strings.Fields(strings.TrimSuffix(strings.TrimSpace(left), ":"))
	if !ok || len(fields) == 0 || strings.Contains(left, ",") {
		return "", "", false
	}
	name = fields[len(fields)-1]
	if before, _, typed := strings.Cut(left, ": "); typed && strings.TrimSpace(before) != "" { // const x: T = f(1)
		fields = strings.Fields(before)
		name = fields[len(fields)-1]
	}
	return name, strings.TrimPrefix(strings.TrimSpace(value), "await "), nameAt(name) == name
}

// outside returns the first index of a character outside brackets and quotes; -1 if there is
// none.
func outside(text string, sign byte) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == sign && depth == 0:
			return i
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case c == '"' || c == '\'' || c == '`':
			i = code.QuoteEnd(text, i)
		}
	}
	return -1
}

// splitArgs splits a text at the commas outside brackets and quotes.
func splitArgs(text string) []string { return splitAt(text, ',') }

// splitAt splits a text at a sign outside brackets and quotes; nothing after the last one is left out.
func splitAt(text string, sign byte) []string {
	var out []string
	for i := outside(text, sign); i >= 0; i = outside(text, sign) {
		out = append(out, strings.TrimSpace(text[:i]))
		text = text[i+1:]
	}
	if last := strings.TrimSpace(text); last != "" {
		out = append(out, last)
	}
	return out
}

// nameAt returns the name at the start of text.
func nameAt(text string) string {
	if i := strings.IndexFunc(text, func(c rune) bool { return !isNameRune(c) }); i >= 0 {
		text = text[:i]
	}
	if text != "" && text[0] >= '0' && text[0] <= '9' {
		return ""
	}
	return text
}

func startsName(text string) bool { return text != "" && isNameByte(text[0]) }

// hasWord reports whether a text contains a whole word.
func hasWord(text, word string) bool {
	for at := 0; word != ""; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		at += i + len(word)
		before := byteAt(text, at-len(word)-1)
		if (before == 0 || !isNameByte(before)) && !startsName(text[at:]) {
			return true
		}
	}
	return false
}

func isNameByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

func isNameRune(c rune) bool { return c >= 0x80 || isNameByte(byte(c)) }

// lastPart returns the last part of a module's name in any language.
func lastPart(module string) string {
	return module[strings.LastIndexAny(module, "/.:\\")+1:]
}

// squeeze returns the letters and digits of a text in lower case.
func squeeze(text string) string {
	return strings.Map(func(c rune) rune {
		if !isNameRune(c) || c == '_' || c == '$' {
			return -1
		}
		return c
	}, strings.ToLower(text))
}
