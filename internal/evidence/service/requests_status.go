package service

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// statusWords are the names under which tests ask for the status of an answer, in lower case.
var statusWords = []string{
	"status", "statuscode", "status_code", "status_int", "getstatuscode", "getstatus", "code", "response_code", "have_http_status", "assert_response", "assertstatus",
	"assertstatuscode", "assertresponsestatus", "assertresponsestatuscodesame", "seestatuscode", "seeresponsecodeis", "expectstatus", "statuscodevalue", "getstatuscodevalue",
}

// successes are the names of assertions that a request succeeds, whatever the status.
var successes = []string{"assertSuccessful", "EnsureSuccessStatusCode", "is2xxSuccessful", "be_successful", "be_success", "success", "successful", "isSuccessful", "success?"}

// negations are what the names of assertions contain that must not hold.
var negations = []string{".not.", "NotEqual", "not_to", "to_not", "notEqual", "NotBe", "assert_ne", "refute"}

// asserted returns the statuses that a call asserts of an answer.
func (s *scope) asserted(i int) []int {
	v := &s.file.Bodies.Calls[i].Value
	if slices.ContainsFunc(negations, func(n string) bool { return strings.Contains(v.Text, n) }) {
		return nil
	}
	if status := namedAssertion(v); status > 0 {
		return []int{status}
	}
	args := positional(v)
	if Last(v.Text) == "expect" && len(args) > 0 && strings.Contains(v.Text, "(") { // supertest
		if status := s.status(args[0]); status > 0 {
			return []int{status}
		}
		return nil
	}
	if !asksStatus(v) {
		return nil
	}
	var out []int
	for _, a := range args {
		if status := s.status(a); status > 0 && !slices.Contains(out, status) {
			out = append(out, status)
		}
	}
	return out
}

// namedAssertion returns the status that the name of an assertion says: assertNotFound, status().isOk, be_created; 0 for none.
func namedAssertion(v *code.Value) int {
	receiver, name := v.Text[:len(v.Text)-len(Last(v.Text))], Last(v.Text)
	if slices.Contains(successes, name) && name != "success" {
		return AnySuccess
	}
	for _, prefix := range []string{"assert", "is", "be_"} {
		rest, ok := strings.CutPrefix(name, prefix)
		if !ok || rest == "" || prefix == "is" && !strings.Contains(strings.ToLower(receiver), "status") {
			continue
		}
		if prefix == "assert" && slices.Contains(invalid, rest) {
			return 422
		}
		return statusWord(rest)
	}
	return 0
}

// invalid are what the names of Laravel's assertions say of a request that does not satisfy its rules.
var invalid = []string{"Unprocessable", "JsonValidationErrors", "JsonValidationErrorFor"}

// statusWord returns the status of a word in the name of an assertion; 0 for none.
func statusWord(word string) int {
	if word == "Ok" || word == "OK" {
		return 200
	}
	return StatusNamed(word)
}

// asksStatus reports whether a call names the status of an answer: it is called so, or what it is given.
func asksStatus(v *code.Value) bool {
	receiver, name := CutLast(v.Text)
	if slices.Contains(statusWords, strings.ToLower(name)) {
		return true
	}
	for _, word := range strings.FieldsFunc(receiver, func(c rune) bool { return strings.ContainsRune(".()> ,-'\"", c) }) {
		if slices.Contains(statusWords, strings.ToLower(word)) {
			return true
		}
	}
	found := false
	for i := range v.Args {
		v.Args[i].All(func(a *code.Value) bool {
			named := a.Kind == code.ValueName || a.Kind == code.ValueCall
			found = found || named && slices.Contains(statusWords, strings.ToLower(Last(a.Text))) || a.Kind == code.ValueString && a.Text == "status"
			return !found
		})
	}
	return found
}

// namesIn returns the names in a call, separated by spaces.
func namesIn(v *code.Value) string {
	var out []string
	v.All(func(a *code.Value) bool {
		if a.Kind == code.ValueName || a.Kind == code.ValueCall {
			out = append(out, a.Text)
		}
		return true
	})
	return strings.Join(out, " ")
}

// status returns the HTTP status that a value in a test is; 0 if it is none.
func (s *scope) status(v *code.Value) int {
	switch v.Kind {
	case code.ValueNumber:
		return statusNumber(v.Text)
	case code.ValueString:
		return s.statusOfText(v.Text)
	case code.ValueName:
		if g, ok := s.value(v); ok && g.Value != v {
			return g.in.status(g.Value)
		}
		return StatusNamed(Last(v.Text))
	case code.ValueCall:
		return s.statusOfCall(v)
	case code.ValueOther:
		return s.statusOfMatcher(v)
	default:
		return 0
	}
}

// statusOfText returns the status that a text is, or a symbol of Ruby; 0 if it is none.
func (s *scope) statusOfText(text string) int {
	if slices.Contains(successes, text) {
		return AnySuccess
	}
	if s.file.Language == "ruby" || s.file.Language == "php" {
		return StatusNamed(text)
	}
	return 0
}

// statusOfCall returns the status that a call compares with, or that it is the number of: HttpStatus.OK.value(); 0 for none.
func (s *scope) statusOfCall(v *code.Value) int {
	args := positional(v)
	if len(args) == 1 && statusAssertion(v.Text) {
		return s.status(args[0])
	}
	if before, last := CutLast(v.Text); last == "value" && len(args) == 0 {
		return StatusNamed(Last(before))
	}
	return 0
}

// statusOfMatcher returns the status of what Ruby calls without parentheses: to have_http_status(:ok); 0 for none.
func (s *scope) statusOfMatcher(v *code.Value) int {
	switch {
	case len(v.Args) == 2 && v.Args[0].Kind == code.ValueName && statusAssertion(v.Args[0].Text):
		return s.status(&v.Args[1])
	case len(v.Args) == 1:
		return s.status(&v.Args[0])
	}
	return 0
}

// statusAssertion reports whether a function of a test compares what it is given.
func statusAssertion(name string) bool {
	return slices.Contains([]string{"int", "have_http_status", "eq", "eql", "equal", "be", "value", "is", "HttpStatus"}, Last(name))
}

// comparison is a status that a statement compares: response.status_code == 200.
var comparison = lazyregexp.New(`(?:^|[^\w])(?:[\w()\[\]$]+(?:\.|->))*(status_code|status_int|statusCode|StatusCode|Code|status|code)(?:\(\))?\s*(==|!=|===|!==|, )\s*([\w.:]+)`)

// reversed is a comparison with the status first.
var reversed = lazyregexp.New(`([\w.:]+)\s*(==|!=|, )\s*(?:[\w()\[\]$]+(?:\.|->))+(status_code|status_int|statusCode|StatusCode|Code|status|code)\b`)

// compared returns the status that a statement of a test compares the status of an answer with, if the test fails unless
// they are equal; 0 for none.
func (s *scope) compared(step code.Step) int {
	switch s.file.Language {
	case "python", "go", "rust":
	default:
		return 0
	}
	text := step.Text
	if !step.FailsIf && !strings.HasPrefix(text, "assert") && !strings.HasPrefix(text, "debug_assert") || strings.HasPrefix(text, "assert_ne") {
		return 0
	}
	operator, value := "", ""
	if m := comparison.FindStringSubmatch(text); m != nil {
		operator, value = m[2], m[3]
	} else if m := reversed.FindStringSubmatch(text); m != nil {
		operator, value = m[2], m[1]
	}
	equal := operator == "==" || operator == ", " && strings.HasPrefix(text, "assert_eq!")
	if step.FailsIf {
		equal = operator == "!="
	}
	if !equal {
		return 0
	}
	if n := statusNumber(value); n > 0 {
		return n
	}
	return s.status(&code.Value{Kind: code.ValueName, Text: strings.ReplaceAll(value, "::", "."), Line: step.Line})
}
