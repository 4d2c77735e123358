package question

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// pattern finds tokens in a row. It is written as a line of items: what a token is,
// or several of that with "|" between, "+" after an item for one or more of them,
// "?" for one or none; ".." stands for any of the [skipped], as few as will do.
//
// It is compiled late, because most commands ask nothing.
type pattern func() *regexp.Regexp

func compile(text string) pattern {
	return lazily(expression(text))
}

// lazily compiles an expression when it is first asked for.
func lazily(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// skipped are what ".." stands for: what names something, and what holds a question
// together. A word that changes what is asked for is never one: "the most complex
// function" does not ask for functions per module.
var skipped = append(strings.Fields("kind $ / 9"), grammar...)

// expression writes a line of items as a regular expression over a row of tokens,
// each with ";" after it.
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

// find returns where the pattern first fits; false when it does not.
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

// take removes the tokens that the pattern fits and returns them; false when there
// are none.
func (r *reading) take(p pattern) ([]token, bool) {
	from, to, ok := r.find(p)
	if !ok {
		return nil, false
	}
	taken := slices.Clone(r.tokens[from:to])
	r.tokens = slices.Delete(r.tokens, from, to)
	return taken, true
}

// first returns the first of some tokens that is one of these.
func first(tokens []token, is ...string) (token, bool) {
	i := slices.IndexFunc(tokens, func(t token) bool { return slices.Contains(is, t.is) })
	if i < 0 {
		return token{}, false
	}
	return tokens[i], true
}
