package question

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// pattern matches a sequence of tokens. It is written as a line of items: a concept, or alternatives separated by
// "|"; "+" after an item for one or more, "?" for an optional one; ".." for any number of [skipped], as few as
// possible.
//
// It is compiled on first use, because most commands ask no question.
type pattern func() *regexp.Regexp

func compile(text string) pattern {
	return lazily(expression(text))
}

// lazily compiles an expression on first use.
func lazily(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// skipped are the concepts that ".." matches: names, and function words. Words that change the question are not
// among them: "the most complex function" does not ask for functions per module.
var skipped = append(strings.Fields("kind $ / 9"), grammar...)

// expression converts a line of items to a regular expression over tokens, each followed by ";".
func expression(text string) string {
	var b strings.Builder
	for item := range strings.FieldsSeq(text) {
		if item == ".." {
			b.WriteString("(?:(?:" + strings.ReplaceAll(regexp.QuoteMeta(strings.Join(skipped, "|")), `\|`, "|") + ");)*?")
			continue
		}
		many := item[len(item)-1:]
		if many == "?" || many == "+" {
			item = item[:len(item)-1]
		} else {
			many = ""
		}
		b.WriteString("(?:(?:" + strings.ReplaceAll(regexp.QuoteMeta(item), `\|`, "|") + ");)" + many)
	}
	return "(^|;)" + b.String()
}

func compileAll(texts ...string) []pattern {
	out := make([]pattern, len(texts))
	for i, t := range texts {
		out[i] = compile(t)
	}
	return out
}

// find returns the first match of the pattern; false if there is none.
func (r *reading) find(p pattern) (from, to int, ok bool) {
	var b strings.Builder
	for _, t := range r.tokens {
		b.WriteString(t.is + ";")
	}
	text := b.String()
	at := p().FindStringSubmatchIndex(text)
	if at == nil {
		return 0, 0, false
	}
	return strings.Count(text[:at[3]], ";"), strings.Count(text[:at[1]], ";"), true
}

// take removes and returns the matching tokens; false if there are none.
func (r *reading) take(p pattern) ([]token, bool) {
	from, to, ok := r.find(p)
	if !ok {
		return nil, false
	}
	taken := slices.Clone(r.tokens[from:to])
	r.tokens = slices.Delete(r.tokens, from, to)
	return taken, true
}

// first returns the first token with one of the concepts.
func first(tokens []token, is ...string) (token, bool) {
	i := slices.IndexFunc(tokens, func(t token) bool { return slices.Contains(is, t.is) })
	if i < 0 {
		return token{}, false
	}
	return tokens[i], true
}
