package program

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// attribute is one argument of an annotation: long, help = "text", default_value("x").
type attribute struct{ key, value string }

// attributes are the arguments of the annotations of a declaration.
type attributes []attribute

// attributesOf returns the arguments of annotations with one of some names: @Option(names = "-x"), #[arg(long)].
func attributesOf(decorators []string, names ...string) attributes {
	var out attributes
	for _, d := range decorators {
		d = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(d, "#["), "@"), "#!["))
		name, rest, ok := strings.Cut(d, "(")
		_, name = split(strings.TrimSpace(name))
		if !ok || !slices.Contains(names, name) {
			continue
		}
		end := closing("("+rest, 0)
		if end < 0 {
			continue
		}
		for _, part := range splitList(rest[:end-1]) {
			out = append(out, attributeOf(part))
		}
	}
	return out
}

// attributeOf splits an argument into its key and its value.
func attributeOf(part string) attribute {
	part = strings.TrimSpace(part)
	i := strings.IndexAny(part, "=(\"'")
	switch {
	case i < 0:
		return attribute{key: part}
	case part[i] == '=':
		return attribute{strings.TrimSpace(part[:i]), strings.TrimSpace(part[i+1:])}
	case part[i] == '(' && i > 0:
		return attribute{strings.TrimSpace(part[:i]), strings.TrimSuffix(part[i+1:], ")")}
	default:
		return attribute{value: part}
	}
}

func (a attributes) has(key string) bool {
	return slices.ContainsFunc(a, func(b attribute) bool { return b.key == key })
}

// value returns the text of an argument; "" for none.
func (a attributes) value(key string) string {
	for _, b := range a {
		if b.key == key {
			return b.value
		}
	}
	return ""
}

// text returns the string of an argument.
func (a attributes) text(key string) string {
	v := a.value(key)
	if !strings.ContainsAny(v, "\"'") {
		return ""
	}
	return unquote(v)
}

// texts returns the strings of an argument that is one or a list.
func (a attributes) texts(key string) []string {
	v := strings.TrimSpace(a.value(key))
	if strings.HasPrefix(v, "{") || strings.HasPrefix(v, "[") {
		v = v[1 : len(v)-1]
	}
	var out []string
	for _, part := range splitList(v) {
		if text := unquote(part); text != "" {
			out = append(out, text)
		}
	}
	return out
}

// splitList splits a text at commas outside quotes and brackets.
func splitList(text string) []string {
	var out []string
	from := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"', '\'':
			i = code.QuoteEnd(text, i)
		case '(', '[', '{':
			if end := closing(text, i); end > 0 {
				i = end
			}
		case ',':
			out = append(out, text[from:i])
			from = i + 1
		}
	}
	if last := strings.TrimSpace(text[from:]); last != "" {
		out = append(out, last)
	}
	return out
}

// closing returns the index of the bracket that closes the one at i; -1 for none.
func closing(text string, i int) int {
	level := 0
	for ; i < len(text); i++ {
		switch text[i] {
		case '"', '\'':
			i = code.QuoteEnd(text, i)
		case '(', '[', '{':
			level++
		case ')', ']', '}':
			if level--; level == 0 {
				return i
			}
		}
	}
	return -1
}

// unquote returns the content of string literals, joined; a text without quotes as it is.
func unquote(text string) string {
	text = strings.TrimSpace(text)
	if !strings.ContainsAny(text, "\"'") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '"' || text[i] == '\'' {
			end := code.QuoteEnd(text, i)
			b.WriteString(text[min(i+1, end):end])
			i = end
		}
	}
	return strings.NewReplacer(`\"`, `"`, `\'`, "'", `\n`, "\n", `\\`, `\`).Replace(b.String())
}
