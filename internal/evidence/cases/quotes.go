package cases

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// Quotes reports whether a statement of the test, or a row of its table, contains a text.
func (c *Case) Quotes(text string) bool {
	return slices.ContainsFunc(c.steps, func(s code.Step) bool { return strings.Contains(s.Text, text) }) ||
		c.hasCell(func(_, value string) bool { return strings.Contains(value, text) })
}

// Names reports whether an assertion of the test, or a row of its table, has the name of an error.
func (c *Case) Names(name string) bool {
	return slices.ContainsFunc(c.steps, func(s code.Step) bool { return isAssertion(s) && hasWord(s.Text, name) }) ||
		c.hasCell(func(_, value string) bool { return hasWord(value, name) })
}

// Answers reports whether an assertion of the test expects the status of an answer, by its number or its usual name.
func (c *Case) Answers(status string) bool {
	number, err := strconv.Atoi(status)
	if err != nil {
		return false
	}
	name := strings.ToLower(strings.NewReplacer(" ", "", "-", "", "'", "").Replace(http.StatusText(number)))
	return slices.ContainsFunc(c.steps, func(s code.Step) bool {
		if !isAssertion(s) || !asksStatus.MatchString(s.Text) || denies(s) {
			return false
		}
		text := strings.ToLower(strings.ReplaceAll(s.Text, "_", ""))
		return slices.Contains(digits.FindAllString(s.Text, -1), status) || name != "" && strings.Contains(text, name)
	})
}

// asksStatus matches an assertion about the status of an answer; digits are the numbers in it.
var (
	asksStatus = lazyregexp.New(`(?i)status|\bcode\b`)
	digits     = lazyregexp.New(`[0-9]+`)
)

// denies reports whether an assertion says what a value is not.
func denies(s code.Step) bool {
	if s.FailsIf {
		return strings.Contains(s.Text, "==")
	}
	return strings.Contains(s.Text, "!=") || negation.MatchString(s.Text)
}

// negation matches what turns an assertion round.
var negation = lazyregexp.New(`(?i)\.not\b|\bnot[._ ]|assertnot|notequal|refute|isnot|not_to`)

// NamesAll reports whether a test has all of some names; false for none.
func (c *Case) NamesAll(names []string) bool {
	return len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool { return !c.Names(name) })
}

// hasCell reports whether a value in the table of the test is one that is looked for.
func (c *Case) hasCell(is func(column, value string) bool) bool {
	t := c.Table()
	return t != nil && slices.ContainsFunc(t.Rows, func(r Row) bool {
		return slices.ContainsFunc(t.Columns, func(column string) bool { return r[column] != "" && is(column, r[column]) })
	})
}

// Limits on a part of a message: the length, in bytes, and the number of words from which it is unlikely to be in a test by
// chance, and the length of what a test asks the message of an error for.
const leastQuoted, leastWords, leastAsked = 8, 2, 4

// asksMessage matches an assertion about the message of an error.
var asksMessage = lazyregexp.New(`(?i)(exception|error|has)message|throws?(error)?\(|raises|rejects|match=`)

// Expects reports whether an assertion of the test has a part of a text, or a pattern that matches it, that fits none of
// the other texts: toThrow('requires an id'), match=r"requires .* id".
func (c *Case) Expects(text string, others []string) bool {
	if c.expected == nil {
		c.expected = c.expectedTexts()
	}
	return slices.ContainsFunc(c.expected, func(fits func(text string) bool) bool {
		return fits(text) && !slices.ContainsFunc(others, fits)
	})
}

// expectedTexts returns what reports whether a text fits a literal of an assertion, or one in a column that assertions use, for
// each of them; not nil.
func (c *Case) expectedTexts() []func(text string) bool {
	out := []func(text string) bool{}
	add := func(text string, least, words int) {
		for _, literal := range literalsIn(text) {
			if fits := fitting(literal, least, words); fits != nil {
				out = append(out, fits)
			}
		}
	}
	see := func(text string) {
		at := asksMessage.FindStringIndex(text)
		if at == nil {
			at = []int{len(text), len(text)}
		}
		add(text[:at[0]], leastQuoted, leastWords)
		add(text[at[1]:], leastAsked, 1)
	}
	var checks strings.Builder
	for _, s := range c.steps {
		if isAssertion(s) {
			see(s.Text)
			checks.WriteString(s.Text + "\n")
		}
	}
	checked := checks.String()
	c.hasCell(func(column, value string) bool {
		if strings.Contains(checked, column) {
			see(value)
		}
		return false
	})
	return out
}

// literalsIn returns the contents of the strings and regular expressions in a statement.
func literalsIn(text string) []string {
	var out []string
	for i := 0; i < len(text); i++ {
		opens := strings.IndexByte("\"'`", text[i]) >= 0 || text[i] == '/' && i > 0 && strings.IndexByte("( ,", text[i-1]) >= 0
		if end := code.QuoteEnd(text, i); opens && end > i {
			out = append(out, text[i+1:end])
			i = end
		}
	}
	return out
}

// fitting returns what reports whether a text contains a literal, or matches it as a regular expression; nil for those of fewer
// letters or words than the least.
func fitting(literal string, least, leastOfWords int) func(text string) bool {
	literal = errorType.ReplaceAllString(literal, "")
	words := strings.Fields(patternMark.ReplaceAllString(literal, " "))
	if len(strings.Join(words, " ")) < least || len(words) < leastOfWords {
		return nil
	}
	pattern, err := regexp.Compile(literal)
	return func(text string) bool {
		return strings.Contains(text, literal) || err == nil && pattern.MatchString(text)
	}
}

// errorType is the type of an error as it is printed before its message.
var errorType = lazyregexp.New(`^\^?\w*(Error|Exception): `)

// patternMark is what is not literal text in a regular expression.
var patternMark = lazyregexp.New(`\\[a-zA-Z]|[\\.*+?()\[\]{}|^$]`)
