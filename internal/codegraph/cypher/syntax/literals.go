package syntax

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// minInt64Digits is the value of a number token that is valid only after a minus.
const minInt64Digits = uint64(1) << 63

// scanNumber reads a number. Adjacent letters and digits belong to it, so that 12ab is an invalid number and not
// two tokens. An invalid number is a token with an error, because a misplaced number is the more important error.
func scanNumber(text string) token {
	if text[0] == '0' && len(text) > 1 && strings.Contains("xXoO", text[1:2]) {
		return scanBased(text)
	}
	whole := digits(text)
	size := len(whole)
	if strings.HasPrefix(text[size:], ".") && isDigit(text, size+1) {
		size += 1 + len(digits(text[size+1:]))
	}
	size += exponent(text[size:])
	suffix := text[size : size+nameLength(text[size:])]
	value, all := strings.ReplaceAll(text[:size], "_", ""), text[:size+len(suffix)]
	switch isFloat := size > len(whole); {
	case isFloat && (suffix == "" || len(suffix) == 1 && strings.Contains("fFdD", suffix)):
		return float(all, value)
	case isFloat || suffix != "":
		return wrongNumber(all, "InvalidNumberLiteral", message.New("%s is not a number", clipped(all)))
	}
	return integer(all, value, 10)
}

// scanBased reads a hexadecimal or octal integer.
func scanBased(text string) token {
	base := 16
	if strings.EqualFold(text[1:2], "o") {
		base = 8
	}
	body := text[2 : 2+nameLength(text[2:])]
	value := strings.ReplaceAll(body, "_", "")
	if strings.HasSuffix(body, "_") || strings.Contains(body, "__") {
		value = "" // an underscore must precede a digit
	}
	return integer(text[:2+len(body)], value, base)
}

// digits returns the leading decimal digits, possibly with single underscores between them.
func digits(text string) string {
	n := 0
	for isDigit(text, n) || n > 0 && text[n-1] != '_' && strings.HasPrefix(text[n:], "_") && isDigit(text, n+1) {
		n++
	}
	return text[:n]
}

// exponent returns the length of the exponent at the start of a text.
func exponent(text string) int {
	if text == "" || text[0] != 'e' && text[0] != 'E' {
		return 0
	}
	n := 1
	if len(text) > 1 && strings.Contains("+-", text[1:2]) {
		n++
	}
	if !isDigit(text, n) {
		return 0
	}
	return n + len(digits(text[n:]))
}

func integer(text, body string, base int) token {
	value, err := strconv.ParseUint(body, base, 64)
	switch {
	case err != nil && value == 0:
		return wrongNumber(text, "InvalidNumberLiteral", message.New("%s is not a number", clipped(text)))
	case value > math.MaxInt64:
		t := wrongNumber(text, "IntegerOverflow", message.New("%s is too large for an integer of 64 bits", clipped(text)))
		if err == nil && value == minInt64Digits {
			t.value = value
		}
		return t
	}
	return token{kind: number, text: text, value: int64(value)}
}

func float(text, body string) token {
	value, _ := strconv.ParseFloat(body, 64)
	if math.IsInf(value, 0) {
		return wrongNumber(text, "FloatingPointOverflow", message.New("%s is too large for a float of 64 bits", clipped(text)))
	}
	return token{kind: number, text: text, value: value}
}

func wrongNumber(text, code string, what message.Text) token {
	t := token{kind: number, text: text}
	t.fault = &Error{Class: SyntaxError, Code: code, Message: what}
	return t
}

// escapes maps the character after a backslash to its meaning.
var escapes = map[byte]byte{
	'\\': '\\', '\'': '\'', '"': '"', '`': '`', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// scanString reads a string literal. Two quotes are an escaped quote, and a backslash begins an escape.
func (l *lexer) scanString() token {
	text := l.rest()
	quote := text[0]
	var value strings.Builder
	for i := 1; i < len(text); {
		switch c := text[i]; {
		case c == quote && i+1 < len(text) && text[i+1] == quote:
			value.WriteByte(c)
			i += 2
		case c == quote:
			return token{kind: str, text: text[:i+1], value: value.String()}
		case c == '\\':
			escaped, size, fault := escape(text[i:])
			if fault != nil {
				l.advance(i)
				fault.At = l.at
				return token{kind: bad, fault: fault}
			}
			value.WriteString(escaped)
			i += size
		default:
			_, size := utf8.DecodeRuneInString(text[i:])
			value.WriteString(text[i : i+size])
			i += size
		}
	}
	return token{kind: bad, text: text, fault: &Error{
		Class: SyntaxError, Code: "UnexpectedSyntax",
		Message: message.New("the string that begins here has no end"), Advice: message.New("close it with %s", string(quote)),
	}}
}

// escape reads the escape at the start of a text and returns its value and size.
func escape(text string) (value string, size int, fault *Error) {
	if len(text) > 1 {
		if c, ok := escapes[text[1]]; ok {
			return string(rune(c)), 2, nil
		}
		if text[1] == 'u' || text[1] == 'U' {
			return unicodeEscape(text)
		}
	}
	_, next := utf8.DecodeRuneInString(text[1:])
	shown := text[:1+next]
	return "", 0, &Error{
		Class: SyntaxError, Code: "UnexpectedSyntax",
		Message: message.New("the string has the unknown escape %s", shown), Advice: message.New(`write \%s for a backslash`, shown),
	}
}

// unicodeEscape reads \uXXXX, a surrogate pair of them, or \U with six or eight digits.
func unicodeEscape(text string) (value string, size int, fault *Error) {
	lengths := []int{4}
	if text[1] == 'U' {
		lengths = []int{8, 6}
	}
	for _, length := range lengths {
		r, ok := hex(text, length)
		size = 2 + length
		if ok && utf16.IsSurrogate(r) && strings.HasPrefix(text[size:], `\u`) {
			low, _ := hex(text[size:], 4)
			r = utf16.DecodeRune(r, low)
			ok = r != utf8.RuneError
			size += 2 + 4
		}
		if ok && utf8.ValidRune(r) {
			return string(r), size, nil
		}
	}
	return "", 0, &Error{
		Class: SyntaxError, Code: "InvalidUnicodeLiteral",
		Message: message.New("the string has an escape that is not a Unicode character"),
		Advice:  message.New(`write \u with four hexadecimal digits, or \U with six or eight`),
	}
}

// hex returns the character whose code is written after the first two bytes.
func hex(text string, length int) (rune, bool) {
	if len(text) < 2+length {
		return 0, false
	}
	n, err := strconv.ParseUint(text[2:2+length], 16, 31)
	return rune(n), err == nil
}
