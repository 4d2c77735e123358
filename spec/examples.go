package spec

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/cases"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// example is what a test shows of a function: a call and its result, in words.
type example struct{ says, at string }

// maxExamples limits the examples of one function, maxOfTest those of one test.
const maxExamples, maxOfTest = 6, 3

// shownByTests returns a statement for each exported function that tests call and whose documentation states nothing.
func (m *material) shownByTests(stated map[string]stating) []statement {
	var out []statement
	for _, s := range m.public {
		if stated[s.name] == byDocumentation || s.Kind != code.Function && s.Kind != code.Method && s.Kind != code.Macro {
			continue
		}
		tests := m.direct(&s, m.reaching.Of(s.File, s.name, s.StartLine))
		if len(tests) == 0 {
			continue
		}
		list, one, shown := m.provenBy(&s, tests)
		if !shown || len(list) == 0 && (stated[s.name] != 0 || !slices.ContainsFunc(tests, func(t *cases.Case) bool { return !t.Visits() })) {
			continue
		}
		st := statement{
			title: fmt.Sprintf(wording.In(m.lang, "%s SHALL behave as its tests show", "%s 必须符合其测试所示的行为"), markdown.Code(s.name)),
			text:  m.exampleTable(list), symbol: s.key, keys: []string{s.key}, at: []Evidence{{"test", tests[0].Place()}},
			score: scoreTest * min(len(tests), maxScored),
		}
		switch len(list) {
		case 0:
			st.title = fmt.Sprintf(wording.In(m.lang, "%s SHALL pass its tests", "%s 必须通过其测试"), markdown.Code(s.name))
			st.score = 0 // it says nothing that the tests do not
		case 1:
			st.title = fmt.Sprintf(one.in(m.lang), markdown.Code(s.name), list[0].says)
			st.text = ""
		}
		for _, t := range tests {
			st.tests = append(st.tests, t.Place())
		}
		out = append(out, st)
	}
	return out
}

// provenBy returns what tests show of a function, or what their names say, and the sentence for one of these. Shown is false where they
// show only what is called on its results, of which the examples are.
func (m *material) provenBy(s *named, tests []*cases.Case) (list []example, one label, shown bool) {
	list = m.examples(s, tests)
	switch {
	case len(list) > 0:
		return list, label{"%s SHALL give what its test shows: %s", "%s 必须给出其测试所示的结果：%s"}, true
	case m.onlyMakes(s, tests):
		return nil, label{}, false
	}
	return m.namesOf(tests), label{"%s SHALL behave as the name of its test says: %s", "%s 必须符合其测试名称所述的行为：%s"}, true
}

// direct returns the tests that call a function by its name, without those of routes in front of the module.
func (m *material) direct(s *named, tests []*cases.Case) []*cases.Case {
	return slices.DeleteFunc(slices.Clone(tests), func(c *cases.Case) bool { return m.ofRoutes(c) || !slices.Contains(c.Uses(), s.name) })
}

// examples returns what tests assert of calls of a function.
func (m *material) examples(s *named, tests []*cases.Case) []example {
	var out []example
	for _, t := range tests {
		if len(out) >= maxExamples && m.limits.rows > 0 {
			break
		}
		if table := t.Table(); table != nil && len(table.Rows) > 0 {
			out = append(out, m.rowExamples(s, t, table.Rows)...)
			continue
		}
		if len(t.Rows) > 0 { // its statements name the columns of a table
			continue
		}
		count := 0
		for _, e := range m.checkExamples(s, t) {
			if count < maxOfTest && !slices.ContainsFunc(out, func(known example) bool { return known.says == e.says }) {
				out = append(out, e)
				count++
			}
		}
	}
	return out
}

// checkedBy is a function with a test whose checks may show something of it.
type checkedBy struct {
	function *code.Symbol
	test     *cases.Case
}

// checkExamples returns what the checks of a test show of a function. That is the same whatever the limits of the page.
func (m *material) checkExamples(s *named, t *cases.Case) []example {
	of := checkedBy{s.Symbol, t}
	if known, ok := m.shownIn[of]; ok {
		return known
	}
	w, acts, given := m.words(t.File()), t.Acts(), t.Parameters()
	results := resultsOf(acts.When, s.Name)
	literals, objects := literalsOf(acts), objectsOf(acts)
	maps.DeleteFunc(results, func(name, _ string) bool { return t.Reassigns(name) })
	maps.DeleteFunc(literals, func(name, _ string) bool { return t.Reassigns(name) })
	maps.DeleteFunc(objects, func(name string, _ made) bool { return t.Reassigns(name) })
	var out []example
	for _, step := range acts.Then {
		text, fresh := m.withObjects(withCalls(withCalls(step.Text, results), literals), step.Line, acts, objects)
		if !fresh || step.FailsIf || m.makesReceiver(text, s.Name) || namesData(text, acts) || !strings.Contains(text, s.Name+"(") || strings.Contains(text, "…") || len(text) > maxExampleText ||
			slices.ContainsFunc(given, func(name string) bool { return code.Mentions(text, name) }) { // what it is nobody knows
			continue
		}
		if says := w.Assertion(text); says != markdown.Code(text) && !wordless(says) && !strings.Contains(says, "…") {
			out = append(out, example{says, fmt.Sprintf("%s:%d", t.File(), step.Line)})
		}
	}
	m.shownIn[of] = out
	return out
}

// onlyMakes reports whether tests check nothing of a function but what is called on its results.
func (m *material) onlyMakes(s *named, tests []*cases.Case) bool {
	made := false
	for _, t := range tests {
		acts := t.Acts()
		results := resultsOf(acts.When, s.Name)
		for _, step := range acts.Then {
			if text := withCalls(step.Text, results); strings.Contains(text, s.Name+"(") {
				if !m.makesReceiver(text, s.Name) {
					return false
				}
				made = true
			}
		}
	}
	return made
}

// makesReceiver reports whether a text calls a function only for the object on which it calls a method that the module exports:
// Parser.new(8).parse("a").
func (m *material) makesReceiver(text, function string) bool {
	found := false
	for rest := text; ; {
		at := strings.Index(rest, function+"(")
		if at < 0 {
			return found
		}
		rest = rest[at+len(function):]
		end := code.BracketEnd(rest, 0) + 1 // 0 for a call that is cut
		method := methodAfter.FindStringSubmatch(rest[end:])
		if method == nil || !slices.ContainsFunc(m.public, func(s named) bool { return s.Kind == code.Method && s.Name == method[1] }) {
			return false
		}
		found, rest = true, rest[end:]
	}
}

// methodAfter matches the call of a method on what is before it.
var methodAfter = lazyregexp.New(`^\)*\??(?:\.|->)(\w+[?!]?)`)

// wordless reports whether what a check says is one piece of code.
func wordless(says string) bool {
	return strings.HasPrefix(says, "`") && strings.HasSuffix(says, "`") && strings.Count(strings.Trim(says, "`"), "`") == 0
}

// rowExamples returns what the rows of a table-driven test show of a function.
func (m *material) rowExamples(s *named, t *cases.Case, table []cases.Row) []example {
	w := m.words(t.File())
	var out []example
	for _, o := range t.Story().Then {
		text := withCalls(o.Text, resultsOf(t.Acts().When, s.Name))
		if o.FailsIf || !strings.Contains(text, s.Name+"(") {
			continue
		}
		for _, row := range table {
			filled := row.Filled(text)
			says := w.Assertion(filled)
			if filled == text || says == markdown.Code(filled) || wordless(says) || strings.Contains(filled, "…") || strings.Contains(filled, "}.") { // a field of a row whose type is not known
				continue
			}
			if most := m.limits.rows; most > 0 && len(out) > most {
				return out
			}
			if !slices.ContainsFunc(out, func(e example) bool { return e.says == says }) {
				out = append(out, example{says, fmt.Sprintf("%s:%d", t.File(), o.Line)})
			}
		}
	}
	return out
}

// maxExampleText limits the source text of an example, in bytes.
const maxExampleText = 200

// withCalls writes calls in place of the variables that hold their results.
func withCalls(text string, results map[string]string) string {
	for _, name := range slices.Sorted(maps.Keys(results)) {
		text = code.ReplaceName(text, name, results[name])
	}
	return text
}

// resultsOf returns the calls of a function by the variables that hold their results, without variables that are assigned
// twice.
func resultsOf(steps []code.Step, function string) map[string]string {
	out := map[string]string{}
	for _, s := range steps {
		name, call, ok := cases.Assigned(beforeError(s.Text))
		if !ok {
			continue
		}
		_, twice := out[name]
		switch {
		case twice: // signed = sign(x); signed = changed(signed)
			out[name] = name
		case strings.Contains(call, function+"("):
			out[name] = call
		}
	}
	return out
}

// literalsOf returns the texts and numbers that a test gives to variables, by their names, without variables that are assigned twice.
func literalsOf(acts cases.Acts) map[string]string {
	out := map[string]string{}
	for _, s := range slices.Concat(acts.Given, acts.When) {
		name, value, ok := cases.Assigned(s.Text)
		if !ok {
			continue
		}
		if _, twice := out[name]; twice || !isLiteral(value) && !isShortList(value) {
			value = name
		}
		out[name] = value
	}
	return out
}

// maxShortList limits the lists and objects that are written in place of a variable, in bytes.
const maxShortList = 80

// isShortList reports whether an expression is a short list or object of literals: [1, 2], []string{"a"}.
func isShortList(value string) bool {
	return len(value) <= maxShortList && isList(value) && !strings.ContainsAny(value, "(…\n")
}

// isList reports whether an expression is a list or an object.
func isList(value string) bool {
	open := strings.IndexAny(value, "[{")
	return open == 0 || open > 0 && strings.HasSuffix(value, "}") && strings.Trim(value[:open], "&*.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}

// namesData reports whether a check names a variable with a literal, a list or an object, which only the test has.
func namesData(text string, acts cases.Acts) bool {
	return slices.ContainsFunc(slices.Concat(acts.Given, acts.When), func(s code.Step) bool {
		name, value, ok := cases.Assigned(s.Text)
		return ok && value != "" && (strings.IndexByte("\"'`", value[0]) >= 0 || isList(value)) && code.ReplaceName(text, name, "") != text
	})
}

// isLiteral reports whether an expression is one text or number.
func isLiteral(value string) bool {
	if value == "" || len(value) > maxExampleText || strings.Contains(value, "[REDACTED_") { // the result would contradict it
		return false
	}
	if strings.IndexByte("\"'`", value[0]) >= 0 {
		return code.QuoteEnd(value, 0) == len(value)-1 && !strings.Contains(value, "${")
	}
	_, err := strconv.ParseFloat(value, 64)
	return err == nil
}

// beforeError returns an assignment without the variable of an error beside the one of the result: "a, err := f()".
func beforeError(text string) string {
	names, rest, ok := strings.Cut(text, ":=")
	if first, last, two := strings.Cut(names, ","); ok && two && code.IsErrorName(strings.TrimSpace(last)) {
		return first + " :=" + rest
	}
	return text
}

// leastWords is the least number of words in the name of a test that states something.
const leastWords = 3

// namesOf returns what the names of the module's own tests say that have more than names of code in them. The name of a test of
// something else says nothing of the module.
func (m *material) namesOf(tests []*cases.Case) []example {
	var out []example
	for _, t := range tests {
		says := markdown.QuotedRow(cases.Words(t.Name))
		known := slices.ContainsFunc(out, func(e example) bool { return e.says == says })
		if !t.Visits() && t.States() >= leastWords && !known && (len(out) < maxExamples || m.limits.rows == 0) {
			out = append(out, example{says, t.Place()})
		}
	}
	return out
}

// exampleTable returns the table of examples; "" for none.
func (m *material) exampleTable(list []example) string {
	if len(list) == 0 {
		return ""
	}
	var rows []string
	for _, e := range list {
		rows = append(rows, tableRow(e.says, m.place(e.at)))
	}
	return tableHead(wording.In(m.lang, "Example|Test", "示例|测试")) + m.rows(rows)
}
