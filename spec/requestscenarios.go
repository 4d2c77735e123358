package spec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/evidence/cases"
	"github.com/reverse-spec/reverse-spec/internal/evidence/service"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// requestScenarios describes tests that send requests to the module, such that each case of the requirements and each route
// is shown, the most telling ones first; nil if there are none.
func (m *material) requestScenarios(ids *numbering, reqs []Requirement) []Scenario {
	covers := m.requestTests(reqs)
	var out []Scenario
	seen := map[string]bool{}
	for _, t := range m.telling(reqs) {
		title := markdown.Title(cmp.Or(cases.Words(t.Name), t.Name))
		s := Scenario{
			Covers: covers[t.Place()], Evidence: []Evidence{{"test", t.Place()}},
			Given: m.requestGiven(t), When: m.requestWhen(t), Then: m.requestThen(t),
		}
		if s.Then == "" || seen[title] {
			continue
		}
		seen[title] = true
		s.ID, s.Title = ids.of(title), title
		out = append(out, s)
	}
	return out
}

// telling chooses the tests of the scenarios: each shows a case that none before it does.
func (m *material) telling(reqs []Requirement) []*trial {
	shows := m.casesShown(reqs)
	known := map[string]bool{}
	var out []*trial
	for best := m.mostTelling(shows, known); best != nil; best = m.mostTelling(shows, known) {
		out = append(out, best)
		for _, id := range shows[best] {
			known[id] = true
		}
	}
	if limit := m.limits.scenarios; limit > 0 && len(out) > limit {
		m.left.scenarios = len(out) - limit
		out = out[:limit]
	}
	slices.SortStableFunc(out, func(a, b *trial) int { return slices.Index(m.tried, a) - slices.Index(m.tried, b) })
	return out
}

// casesShown returns the cases of the requirements that each test shows, for the tests that a scenario can tell.
func (m *material) casesShown(reqs []Requirement) map[*trial][]string {
	out := map[*trial][]string{}
	for _, t := range m.trials() {
		if event := m.event(t); len(event) == 0 || len(statusesOf(event)) > maxStatuses || m.requestThen(t) == "" {
			continue
		}
		for i := range reqs {
			for n, c := range m.stated[reqs[i].ID] {
				if m.covers(t, c) {
					out[t] = append(out[t], fmt.Sprint(reqs[i].ID, caseMark, n))
				}
			}
		}
	}
	return out
}

// mostTelling returns the test that shows the most cases that are not yet known, the first of several; nil if none shows one.
func (m *material) mostTelling(shows map[*trial][]string, known map[string]bool) *trial {
	var best *trial
	most := 0
	for _, t := range m.trials() {
		adds := 0
		for _, id := range shows[t] {
			if !known[id] {
				adds += 2
			}
		}
		if adds > 0 && len(t.asks) == 1 && len(t.asks[0].At) == 2 { // one request is easier to read
			adds++
		}
		if adds > most {
			best, most = t, adds
		}
	}
	return best
}

// event returns the requests that a test is about: the last ones whose answer it asserts, or else the last ones. Several have
// one line if the rows of the test send to several routes.
func (m *material) event(t *trial) []*evidence.Claim {
	line := 0
	for _, c := range t.asks {
		if c.Role != evidence.Before && len(c.Values) > 0 {
			line = lastLine(c)
		}
	}
	var out []*evidence.Claim
	for _, c := range t.asks {
		if c.Role != evidence.Before && (lastLine(c) == line || line == 0) {
			if line == 0 && len(out) > 0 && lastLine(out[0]) < lastLine(c) {
				out = nil
			}
			out = append(out, c)
		}
	}
	return out
}

// requestGiven says what is set up.
func (m *material) requestGiven(t *trial) string {
	if parts := m.requestSetUp(t); len(parts) > 0 {
		return strings.Join(parts, wording.In(m.lang, "; ", "；"))
	}
	return wording.In(m.lang, "the running service", "服务正在运行")
}

// requestSetUp says what is set up: fixtures, requests before, and other statements; nil for none.
func (m *material) requestSetUp(t *trial) []string {
	var parts []string
	if names := m.fixtureNames(t); names != "" {
		parts = append(parts, names)
	}
	event := m.event(t)
	var sent []string
	last := 0
	for _, c := range t.asks {
		if slices.Contains(event, c) || lastLine(c) > lastLine(event[0]) {
			continue
		}
		if n := len(sent); n > 0 && last == lastLine(c) { // of another row
			sent[n-1] += wording.In(m.lang, " or ", " 或 ") + codeSpan(c.Name)
			continue
		}
		sent, last = append(sent, codeSpan(c.Name)), lastLine(c)
	}
	for _, name := range sent {
		parts = append(parts, fmt.Sprintf(wording.In(m.lang, "%s was sent", "已发送 %s"), name))
	}
	acts := t.Acts()
	steps := slices.DeleteFunc(slices.Clone(acts.Given), func(s code.Step) bool { return !m.setsUp(t, s, event) })
	for _, s := range steps[:min(len(steps), maxSetUp)] {
		parts = append(parts, markdown.Code(strings.TrimSuffix(s.Text, ";")))
	}
	return parts
}

// maxSetUp limits the statements of set-up that a scenario quotes.
const maxSetUp = 3

// setsUp reports whether a statement before a request sets up what the request meets: it calls something, and does not only
// make what the request carries.
func (m *material) setsUp(t *trial, s code.Step, event []*evidence.Claim) bool {
	line := lastLine(event[0])
	target, value, assigns := strings.Cut(s.Text, " = ")
	if words := strings.Fields(target); assigns && len(words) > 0 && (len(event[0].Sends) > 0 || isPath(value)) && t.names(line, words[len(words)-1]) {
		return false
	}
	if s.Line >= line || strings.Contains(s.Text, "require(") || !strings.Contains(s.Text, "(") || strings.HasSuffix(s.Text, "…") || assigns && !strings.ContainsAny(value, "\"'`") {
		return false
	}
	for _, c := range t.asks {
		if slices.ContainsFunc(c.At[1:], func(p evidence.Place) bool { return p.Line == s.Line }) {
			return false
		}
	}
	return true
}

// isPath reports whether an expression is the path of a route.
func isPath(value string) bool {
	value = strings.TrimLeft(value, "frb\"'`")
	return strings.HasPrefix(value, "/") || strings.Contains(value, "reverse(") || strings.Contains(value, "url_for(") || strings.Contains(value, "route(")
}

// names reports whether the statement on a line names a variable.
func (t *trial) names(line int, variable string) bool {
	acts := t.Acts()
	return slices.ContainsFunc(slices.Concat(acts.Given, acts.When, acts.Then), func(s code.Step) bool {
		return s.Line == line && code.Mentions(s.Text, variable)
	})
}

// fixtureNames names the fixtures of a test of pytest, other than those of the application and its client.
func (m *material) fixtureNames(t *trial) string {
	_, file, line := t.Name, t.File(), t.Line
	n := m.tree.Links.Around(file, line, line)
	if n == nil {
		return ""
	}
	var names []string
	for _, f := range m.tree.Links.Fixtures(n, n.Parent()) {
		if !slices.Contains(plainFixtures, f.Name) {
			names = append(names, f.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	if m.lang == "zh" {
		return "夹具 " + markdown.Codes(names)
	}
	for i, name := range names {
		words := strings.ReplaceAll(strings.Trim(name, "_"), "_", " ")
		article := "a "
		if strings.ContainsAny(words[:1], "aeio") {
			article = "an "
		}
		if strings.HasSuffix(words, "s") {
			article = ""
		}
		names[i] = article + words
	}
	return strings.Join(names, ", ")
}

// plainFixtures are the names of fixtures that every test of a service has.
var plainFixtures = []string{"app", "client", "test_client", "db", "session", "pool", "event_loop", "initialized_app", "anyio_backend", "request"}

// requestWhen says which request comes, and what it carries.
func (m *material) requestWhen(t *trial) string {
	event := m.event(t)
	var names []string
	for _, c := range event {
		names = appendNew(names, []string{codeSpan(c.Name)})
	}
	text := strings.Join(names, wording.In(m.lang, " or ", " 或 ")) + wording.In(m.lang, " comes", " 到达")
	var fields []string
	sends := event[0].Sends
	for _, field := range sends[:min(len(sends), maxSent)] {
		if field == service.SignedIn {
			fields = append(fields, wording.In(m.lang, "credentials", "凭据"))
			continue
		}
		name, value, constant := strings.Cut(field, " = ")
		if !constant {
			fields = append(fields, codeSpan(name))
			continue
		}
		if strings.Contains(value, " | ") {
			value = strings.Join(strings.Split(value, " | "), wording.In(m.lang, "` or `", "` 或 `"))
		}
		fields = append(fields, codeSpan(name)+" = `"+strings.ReplaceAll(markdown.Clip(value, maxSentValue), "``", "")+"`")
	}
	if left := len(sends) - maxSent; left > 0 {
		fields = append(fields, fmt.Sprintf(wording.In(m.lang, "%d more fields", "另有 %d 个字段"), left))
	}
	if len(fields) > 0 {
		with := wording.In(m.lang, " with ", "，携带 ")
		if event[0].Role == evidence.Any && len(fields) > 1 {
			with = wording.In(m.lang, " with one of ", "，分别携带 ")
		}
		text += with + strings.Join(fields, wording.In(m.lang, ", ", "、"))
	}
	return text
}

// Limits of what a scenario says of a request.
const (
	maxSent      = 5
	maxSentValue = 80
	mostChecks   = 4 // after the status
)

// requestThen says what the test asserts.
func (m *material) requestThen(t *trial) string {
	return strings.Join(m.requestChecks(t), wording.In(m.lang, "; ", "；"))
}

// requestChecks says what the test asserts, check by check: the status, and what else it checks in its own words.
func (m *material) requestChecks(t *trial) []string {
	event := m.event(t)
	var parts []string
	if statuses := statusesOf(event); len(statuses) > 0 {
		parts = append(parts, m.statusWords(statuses))
	}
	w := m.words(t.File())
	for _, s := range t.Acts().Then {
		if s.Line < lastLine(event[0]) || len(parts) > mostChecks || asksStatus(s.Text) || strings.HasSuffix(s.Text, "…") || isRequest(event, s.Line) {
			continue
		}
		if text := w.Assertion(s.Text); text != "" {
			parts = append(parts, text)
		}
	}
	return parts
}

// maxStatuses is the number of statuses that a scenario may name; a test with more is a table of cases.
const maxStatuses = 2

// statusesOf returns the statuses that a test asserts of some requests.
func statusesOf(event []*evidence.Claim) []string {
	var out []string
	for _, c := range event {
		out = appendNew(out, c.Values)
	}
	return out
}

// isRequest reports whether a line sends one of the requests.
func isRequest(event []*evidence.Claim, line int) bool {
	return slices.ContainsFunc(event, func(c *evidence.Claim) bool {
		return slices.ContainsFunc(c.At[1:], func(p evidence.Place) bool { return p.Line == line })
	})
}

// asksStatus reports whether an assertion is about the status of an answer, which a scenario says first.
func asksStatus(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(text, "status") || strings.Contains(text, ".code") || strings.Contains(text, "assertok") || strings.Contains(text, "assert_response")
}

// statusWords says which status the answer has.
func (m *material) statusWords(list []string) string {
	var words []string
	for _, status := range list {
		if status == evidence.Succeeds {
			status = wording.In(m.lang, "a success", "成功")
		}
		words = append(words, status)
	}
	return wording.In(m.lang, "the status is ", "状态码为 ") + strings.Join(words, wording.In(m.lang, " or ", " 或 "))
}
