package schema

import (
	"encoding/json"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
	"unicode"
)

func isWord(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) || c == '_' || c == '$' }

// identifier returns the name at the start of a text.
func identifier(text string) string {
	end := strings.IndexFunc(text, func(c rune) bool { return !isWord(c) })
	if end < 0 {
		return text
	}
	return text[:end]
}

// quoteEnd returns where the string literal that starts at i ends.
func quoteEnd(text string, i int) int {
	q := text[i]
	for j := i + 1; j < len(text); j++ {
		switch text[j] {
		case '\\':
			j++
		case q:
			return j + 1
		}
	}
	return len(text)
}

// split splits text at separators outside brackets and literals, and drops empty parts.
func split(text, separators string) []string {
	var out []string
	depth, from := 0, 0
	take := func(to int) {
		if part := strings.TrimSpace(text[from:to]); part != "" {
			out = append(out, part)
		}
		from = to + 1
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"' || c == '`' || c == '\'':
			i = quoteEnd(text, i) - 1
		case c == '=' && strings.HasPrefix(text[i:], "=>"), c == '-' && strings.HasPrefix(text[i:], "->"):
			i++ // an arrow is not a closing bracket
		case strings.IndexByte("([{<", c) >= 0:
			depth++
		case strings.IndexByte(")]}>", c) >= 0:
			depth--
		case depth == 0 && strings.IndexByte(separators, c) >= 0:
			take(i)
		}
	}
	take(len(text))
	return out
}

// literal parses a string, number or boolean in the syntax of most languages.
func literal(text string) (any, bool) {
	text = strings.TrimSpace(text)
	switch text {
	case "":
		return nil, false
	case "true", "True":
		return true, true
	case "false", "False":
		return false, true
	}
	if c := text[0]; c == '"' || c == '\'' || c == '`' {
		return quotedText(text)
	}
	tv, err := types.Eval(token.NewFileSet(), nil, token.NoPos, text)
	if err != nil || tv.Value == nil {
		return nil, false
	}
	switch tv.Value.Kind() {
	case constant.Int:
		return json.Number(tv.Value.ExactString()), true
	case constant.Float:
		f, _ := constant.Float64Val(tv.Value)
		return f, true
	default:
		return nil, false
	}
}

// quotedText parses a string literal with JSON's escapes.
func quotedText(text string) (any, bool) {
	if quoteEnd(text, 0) != len(text) || len(text) < 2 || text[len(text)-1] != text[0] {
		return nil, false
	}
	inner := text[1 : len(text)-1]
	if !strings.ContainsAny(inner, "\\\"") {
		return inner, true
	}
	if text[0] == '`' {
		return inner, !strings.Contains(inner, "\\")
	}
	if text[0] == '\'' {
		inner = strings.ReplaceAll(strings.ReplaceAll(inner, `\'`, "'"), `"`, `\"`)
	}
	var out string
	if err := json.Unmarshal([]byte(`"`+inner+`"`), &out); err != nil {
		return nil, false
	}
	return out, true
}

// call parses "name(a, k = b)" without decorator marks. Arguments are keyed by name,
// positional ones by "0", "1", ...; a bare word is a name without arguments.
func call(text string) (name string, args map[string]string) {
	text = strings.TrimSpace(text)
	text = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(text, "#"), "["), "]")
	text = strings.TrimPrefix(text, "@")
	if _, rest, ok := strings.Cut(identifierless(text), ": "); ok { // [property: X]
		text = rest
	}
	open := strings.IndexByte(text, '(')
	if open < 0 || !strings.HasSuffix(text, ")") {
		return text, nil
	}
	args = map[string]string{}
	for i, a := range split(text[open+1:len(text)-1], ",") {
		key, value, ok := cutAssign(a)
		if !ok {
			key, value = string(rune('0'+i%10)), a
		}
		args[key] = value
	}
	return text[:open], args
}

// identifierless returns the text if it starts with "word: ", else "".
func identifierless(text string) string {
	if strings.HasPrefix(text[len(identifier(text)):], ": ") {
		return text
	}
	return ""
}

// cutAssign splits "key = value".
func cutAssign(text string) (key, value string, ok bool) {
	key = identifier(text)
	rest := strings.TrimSpace(text[len(key):])
	if key == "" || !strings.HasPrefix(rest, "=") {
		return "", "", false
	}
	return key, strings.TrimSpace(rest[1:]), true
}

// textOf returns a call's argument as a string.
func textOf(args map[string]string, key string) string {
	v, _ := literal(args[key])
	s, _ := v.(string)
	return s
}
