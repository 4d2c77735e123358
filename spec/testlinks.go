package spec

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/evidence/cases"
)

// readTests reads the tests that reach the module.
func (m *material) readTests() {
	of := cases.Module{
		Exports: m.merged.Exports, Files: m.tree.Files, Tests: m.tree.Tests, Helpers: m.tree.Helpers, Links: m.tree.Links, Visitors: m.tree.Visitors,
	}
	of.Sending = map[string]bool{}
	for _, c := range m.ofKind(evidence.Request) {
		of.Sending[placeOf(c)] = true
	}
	m.cases, m.elsewhere = cases.Read(of)
	m.reach = map[string]int{}
	for _, c := range m.cases {
		if _, ok := c.Reaches(); ok {
			m.reach[c.File()]++
		}
	}
	m.reaching = cases.NewReaching(of, m.cases)
}

// testsOf returns the places of the tests of a claim: of an error those that quote it, and the number of the others that
// reach its function.
func (m *material) testsOf(c *evidence.Claim) (places []string, reach int) {
	if len(c.At) == 0 {
		return nil, 0
	}
	found := m.reaching.Of(c.At[0].File, c.Subject, c.At[0].Line)
	if c.Outcome != nil {
		others, names := m.otherMessages(c.Outcome.Message), m.tellingNames(c.Outcome)
		status := m.tellingStatus(c)
		quoting := slices.DeleteFunc(slices.Clone(found), func(t *cases.Case) bool {
			return !quotes(t, c.Outcome, others, names) && (status == "" || t.Visits() || !t.Answers(status))
		})
		found, reach = quoting, len(found)-len(quoting)
	}
	for _, t := range found {
		places = append(places, t.Place())
	}
	return places, reach
}

// quotes reports whether a test refers to an error: by its text, by a part of its message that no other error of the module
// has, or by all of some names.
func quotes(t *cases.Case, o *evidence.Outcome, others, names []string) bool {
	if text := said(o); text != "" && t.Quotes(text) {
		return true
	}
	return o.Message != "" && t.Expects(o.Message, others) || t.NamesAll(names)
}

// tellingStatus returns the status by which a test of the module tells an answer from all others of the module; "" for none.
func (m *material) tellingStatus(c *evidence.Claim) string {
	if c.Outcome.Status == "" {
		return ""
	}
	for i := range m.claims {
		if other := &m.claims[i]; other != c && other.Outcome != nil && other.Outcome.Status == c.Outcome.Status && other.ID() != c.ID() {
			return ""
		}
	}
	return c.Outcome.Status
}

// answering returns the places of the tests of the module that expect the one status with which all cases of a function are
// answered, and nothing else of the module is; nil for none.
func (m *material) answering(rows []exitRow) []string {
	c := rows[0].claim
	if c.Outcome == nil || c.Outcome.Status == "" || len(c.At) == 0 {
		return nil
	}
	own := map[*evidence.Claim]bool{}
	for i := range rows {
		own[rows[i].claim] = true
	}
	for i := range m.claims {
		if other := &m.claims[i]; other.Outcome != nil && own[other] != (other.Outcome.Status == c.Outcome.Status) {
			return nil
		}
	}
	var out []string
	for _, t := range m.reaching.Of(c.At[0].File, c.Subject, c.At[0].Line) {
		if !t.Visits() && t.Answers(c.Outcome.Status) {
			out = append(out, t.Place())
		}
	}
	return out
}

// tellingNames returns the names by which a test tells an error from the module's others: those of the errors that it wraps, or
// else its own; nil if another error has them with another message.
func (m *material) tellingNames(o *evidence.Outcome) []string {
	names := namesOfError(o)
	for _, c := range m.ofKind(evidence.Exit) {
		if other := c.Outcome; other != nil && other.Message != o.Message && slices.Equal(namesOfError(other), names) {
			return nil
		}
	}
	return names
}

// namesOfError returns the names of the errors that an error wraps, or else its own; nil if one of them is common.
func namesOfError(o *evidence.Outcome) []string {
	names := slices.Clone(o.Wraps)
	if len(names) == 0 && o.Error != "" {
		names = []string{o.Error}
	}
	for i, name := range names {
		if names[i] = lastPart(name); len(names[i]) < leastMessage || slices.Contains(commonErrors, names[i]) {
			return nil
		}
	}
	return names
}

// otherMessages returns the messages of the module's errors that are not a given one.
func (m *material) otherMessages(message string) []string {
	var out []string
	for _, c := range m.ofKind(evidence.Exit) {
		if o := c.Outcome; o != nil && o.Message != message {
			out = append(out, o.Message)
		}
	}
	return out
}

// said returns the text by which a test may refer to an error: its message, or else its name; "" if neither says which
// error it is.
func said(o *evidence.Outcome) string {
	if text := distinctiveText(o.Message); text != "" {
		return text
	}
	if name := lastPart(o.Error); len(name) >= leastMessage && !slices.Contains(commonErrors, name) {
		return name
	}
	return ""
}

// commonErrors are errors of libraries that a test may name for any reason.
var commonErrors = []string{
	"TypeError", "ValueError", "RangeError", "KeyError", "IndexError", "RuntimeError", "Exception", "HTTPException", "AssertionError",
	"NotImplementedError", "SyntaxError", "ReferenceError", "ArgumentError", "StandardError", "IllegalArgumentException",
	"IllegalStateException", "NullPointerException", "RuntimeException", "ArgumentException", "InvalidOperationException",
	"InvalidArgumentException", "UnsupportedOperationException", "NotImplementedException", "ArgumentNullException",
}

// leastMessage is the shortest message, in bytes, that is unlikely to appear in a test by
// chance.
const leastMessage = 8

// distinctiveText returns the plain text of an error message, by which tests may refer to it, or "" if
// it is too short.
func distinctiveText(message string) string {
	if i := strings.IndexAny(message, `%{\…`); i >= 0 { // placeholders or escapes begin here
		message = message[:i]
	}
	message = strings.TrimSpace(message)
	if len(message) < leastMessage || !strings.Contains(message, " ") { // a single word may appear anywhere
		return ""
	}
	return message
}
