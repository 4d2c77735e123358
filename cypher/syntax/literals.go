package syntax

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// The forms of numbers. What follows the digits without a gap belongs to the number,
// so that 12ab is a wrong number and not two tokens.
var (
	based   = regexp.MustCompile(`^0([xXoO])([\pL\pN_]*)`)
	decimal = regexp.MustCompile(`^([0-9](?:_?[0-9])*)?(\.[0-9](?:_?[0-9])*)?([eE][+-]?[0-9]+)?([\pL\pN_]*)`)
)

// tooSmallByOne is the value of the number token that fits only behind a minus.
const tooSmallByOne = uint64(1) << 63

// scanNumber reads a number. One that is no number is a token with a fault: where no
// number may stand, that it stands there is the graver one.
func scanNumber(text string) token {
	if m := based.FindStringSubmatch(text); m != nil {
		base := 16
		if strings.EqualFold(m[1], "o") {
			base = 8
		}
		digits := strings.ReplaceAll(m[2], "_", "")
		if strings.HasSuffix(m[2], "_") || strings.Contains(m[2], "__") {
			digits = ""
		}
		return integer(m[0], digits, base)
	}
	m := decimal.FindStringSubmatch(text)
	whole, fraction, exponent, suffix := m[1], m[2], m[3], m[4]
	switch isFloat := fraction+exponent != ""; {
	case isFloat && (suffix == "" || len(suffix) == 1 && strings.Contains("fFdD", suffix)):
		return float(m[0], strings.ReplaceAll(whole+fraction+exponent, "_", ""))
	case isFloat || suffix != "":
		return wrongNumber(m[0], "InvalidNumberLiteral", "is no number")
	}
	return integer(m[0], strings.ReplaceAll(whole, "_", ""), 10)
}

func integer(text, digits string, base int) token {
	value, err := strconv.ParseUint(digits, base, 64)
	switch {
	case err != nil && value == 0:
		return wrongNumber(text, "InvalidNumberLiteral", "is no number")
	case value > math.MaxInt64:
		t := wrongNumber(text, "IntegerOverflow", "is too large for an integer of 64 bits")
		if err == nil && value == tooSmallByOne {
			t.value = value
		}
		return t
	}
	return token{kind: number, text: text, value: int64(value)}
}

func float(text, digits string) token {
	value, _ := strconv.ParseFloat(digits, 64)
	if math.IsInf(value, 0) {
		return wrongNumber(text, "FloatingPointOverflow", "is too large for a float of 64 bits")
	}
	return token{kind: number, text: text, value: value}
}

func wrongNumber(text, code, what string) token {
	t := token{kind: number, text: text}
	t.fault = &Error{Class: SyntaxError, Code: code, Message: strings.Trim(t.describe(), "'") + " " + what}
	return t
}

// escapes are the characters behind a backslash, with what they stand for.
//
//nolint:gochecknoglobals // a table
var escapes = map[byte]byte{
	'\\': '\\', '\'': '\'', '"': '"', '`': '`', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// scanString reads a string: between quotes, where two quotes stand for one and a
// backslash begins an escape.
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
		Message: "the string that begins here has no end", Advice: "close it with " + string(quote),
	}}
}

// escape reads the escape at the start of a text: what it stands for and its size.
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
		Message: "the string has the unknown escape " + shown, Advice: `write \` + shown + " for a backslash",
	}
}

// unicodeEscape reads \uXXXX, also two of them that are one character, and \U with
// six or eight digits.
func unicodeEscape(text string) (value string, size int, fault *Error) {
	lengths := []int{4}
	if text[1] == 'U' {
		lengths = []int{8, 6}
	}
	for _, digits := range lengths {
		r, ok := hex(text, digits)
		size = 2 + digits
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
		Message: "the string has an escape that is no Unicode character",
		Advice:  `write \u with four hexadecimal digits, or \U with six or eight`,
	}
}

// hex returns the character whose number is written behind the first two bytes.
func hex(text string, digits int) (rune, bool) {
	if len(text) < 2+digits {
		return 0, false
	}
	n, err := strconv.ParseUint(text[2:2+digits], 16, 31)
	return rune(n), err == nil
}
