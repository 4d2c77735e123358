package spec

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/evidence/cases"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// trial is a test with the requests that it sends to routes of the module, in the order of the source.
type trial struct {
	*cases.Case
	asks []*evidence.Claim
}

// trials returns the tests that send requests to routes of the module, in the order of the cases.
func (m *material) trials() []*trial {
	if m.tried != nil {
		return m.tried
	}
	byPlace := map[string]*trial{}
	m.tried = []*trial{}
	for _, c := range m.cases {
		if byPlace[c.Place()] == nil {
			byPlace[c.Place()] = &trial{Case: c}
		}
	}
	for i := range m.claims {
		c := &m.claims[i]
		if c.Kind != evidence.Request || len(c.At) == 0 {
			continue
		}
		if t := byPlace[placeOf(c)]; t != nil {
			t.asks = append(t.asks, c)
		}
	}
	for _, c := range m.cases {
		if t := byPlace[c.Place()]; t.Case == c && len(t.asks) > 0 {
			slices.SortStableFunc(t.asks, func(a, b *evidence.Claim) int { return lastLine(a) - lastLine(b) })
			m.tried = append(m.tried, t)
		}
	}
	return m.tried
}

// placeOf returns the place of the test of a claim about a request.
func placeOf(c *evidence.Claim) string { return fmt.Sprintf("%s:%d", c.At[0].File, c.At[0].Line) }

// lastLine returns the line of the last request of a claim.
func lastLine(c *evidence.Claim) int { return c.At[len(c.At)-1].Line }

// sends reports whether the test itself sends a request to a route, not only its set-up.
func (t *trial) sends(route string) bool {
	return slices.ContainsFunc(t.asks, func(c *evidence.Claim) bool { return c.Name == route && c.Role != evidence.Before })
}

// asserts reports whether the test asserts a status of an answer of a route.
func (t *trial) asserts(route, status string) bool {
	return slices.ContainsFunc(t.asks, func(c *evidence.Claim) bool {
		return c.Name == route && (slices.Contains(c.Values, status) || status != "" && status[0] == '2' && slices.Contains(c.Values, evidence.Succeeds))
	})
}

// proof are the tests of one case of a statement about requests.
type proof struct {
	sure   []string // places of tests that assert it
	byName []string // places of tests that assert its status, and whose names say which of several cases they mean
	bare   []string // places of tests that assert its status, which other cases of the same routes have too
	reach  int      // the number of other tests that send requests to its routes
}

// testsOfRefusal returns the tests of a refusal. Among are all refusals: a status that is that of one refusal of a route alone
// says which it is.
func (m *material) testsOfRefusal(c *evidence.Claim, among []*evidence.Claim) proof {
	var out proof
	for _, t := range m.trials() {
		does := t.towards(c, among)
		text := said(c.Outcome)
		switch quotes := text != "" && t.Quotes(text); {
		case quotes && (does.sends || does.asserts), does.alone && !m.quotesOther(t, c, among):
			out.sure = append(out.sure, t.Place())
		case does.asserts && !m.quotesOther(t, c, among):
			out.addMeant(t, c, m.meant(t, among))
		case does.sends:
			out.reach++
		}
	}
	return out
}

// contact is what a test does with the routes of a refusal.
type contact struct {
	sends   bool // it sends a request to one of them
	asserts bool // it asserts the status of the refusal for one of them
	alone   bool // it asserts that status for one that has no other refusal with it
}

// towards returns what the test does with the routes of a refusal. Among are all refusals.
func (t *trial) towards(c *evidence.Claim, among []*evidence.Claim) contact {
	var out contact
	for _, route := range c.Values {
		out.sends = out.sends || t.sends(route)
		if t.asserts(route, c.Outcome.Status) {
			out.asserts = true
			out.alone = out.alone || !slices.ContainsFunc(among, func(o *evidence.Claim) bool {
				return o != c && o.Outcome.Status == c.Outcome.Status && slices.Contains(o.Values, route)
			})
		}
	}
	return out
}

// addMeant adds a test that asserts the status of a refusal, given the refusal that the test's name says; nil for none.
func (p *proof) addMeant(t *trial, c, meant *evidence.Claim) {
	switch meant {
	case c:
		p.byName = append(p.byName, t.Place())
	case nil:
		p.bare = append(p.bare, t.Place())
	default:
		p.reach++
	}
}

// meant returns the refusal of a list that the name of a test says: it has more words of its message and its function than of
// any other; nil if that does not decide.
func (m *material) meant(t *trial, among []*evidence.Claim) *evidence.Claim {
	own := longWords(cases.Words(t.Name))
	var best *evidence.Claim
	most, second := 0, 0
	for _, c := range among {
		if !slices.ContainsFunc(c.Values, func(route string) bool { return t.asserts(route, c.Outcome.Status) }) {
			continue
		}
		n := 0
		for _, word := range longWords(c.Outcome.Message + " " + cases.Words(lastPart(c.Subject))) {
			if slices.ContainsFunc(own, func(o string) bool { return sameStem(o, word) }) {
				n++
			}
		}
		if n > most {
			best, most, second = c, n, most
		} else {
			second = max(second, n)
		}
	}
	if most < leastShared || most == second {
		return nil
	}
	return best
}

// leastShared is the number of words that the name of a test and a refusal share if one means the other.
const leastShared = 2

// longWords returns the words of a text that say something, each once: those of more than three letters.
func longWords(text string) []string {
	var out []string
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return !unicode.IsLetter(c) }) {
		if len(word) > 3 {
			out = appendNew(out, []string{word})
		}
	}
	return out
}

// sameStem reports whether two English words have one stem: author and authored, modify and modification.
func sameStem(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	const suffix = 1 // letters of the shorter word that may differ
	return a == b || len(a) > 4 && strings.HasPrefix(b, a[:len(a)-suffix])
}

// quotesOther reports whether a test names another refusal.
func (m *material) quotesOther(t *trial, c *evidence.Claim, among []*evidence.Claim) bool {
	return slices.ContainsFunc(among, func(o *evidence.Claim) bool {
		text := said(o.Outcome)
		return o != c && text != "" && text != said(c.Outcome) && t.Quotes(text)
	})
}

// testsOfRoute returns the tests that assert a status of a route.
func (m *material) testsOfRoute(route, status string) proof {
	var out proof
	for _, t := range m.trials() {
		switch {
		case !t.sends(route):
		case t.asserts(route, status):
			out.sure = append(out.sure, t.Place())
		default:
			out.reach++
		}
	}
	return out
}

// maxTestsInCell limits the tests that a cell of a table names.
const maxTestsInCell = 3

// requestCell names tests in a cell of a table.
func (m *material) requestCell(s proof) string {
	var parts []string
	if len(s.sure) > 0 {
		parts = append(parts, m.testNames(s.sure))
	}
	if len(s.byName) > 0 {
		parts = append(parts, m.testNames(s.byName)+wording.In(m.lang, " by its name", "（据名称）"))
	}
	if len(s.bare) > 0 {
		parts = append(parts, wording.In(m.lang, "status alone: ", "仅状态码：")+m.testNames(s.bare))
	}
	none := wording.In(m.lang, "none", "无")
	switch {
	case len(parts) > 0:
		return strings.Join(parts, wording.In(m.lang, "; ", "；"))
	case s.reach > 0:
		return fmt.Sprintf(wording.In(m.lang, "none asserts it, %d send", "无断言，%d 项发送请求"), s.reach)
	}
	return none
}

// testNames lists the places of tests by the names of their files; those of one file are named once.
func (m *material) testNames(places []string) string {
	var out []string
	last := ""
	for _, at := range places[:min(len(places), maxTestsInCell)] {
		file, line, _ := strings.Cut(at, ":")
		if file == last {
			out = append(out, markdown.Code(":"+line))
			continue
		}
		last = file
		out = append(out, markdown.Code(m.testFile(file)+":"+line))
	}
	text := strings.Join(out, ", ")
	if left := len(places) - maxTestsInCell; left > 0 {
		text += " … +" + strconv.Itoa(left)
	}
	return text
}

// testFile returns the name of a file of tests without its folder, if no other file of tests has that name.
func (m *material) testFile(file string) string {
	for _, t := range m.trials() {
		if t.File() != file && path.Base(t.File()) == path.Base(file) {
			return file
		}
	}
	return path.Base(file)
}

// testFolders says where the tests are that tables name without their folder; "" if all are named in full.
func (m *material) testFolders() string {
	var dirs []string
	for _, t := range m.trials() {
		if dir := path.Dir(t.File()); m.testFile(t.File()) != t.File() && dir != "." {
			dirs = appendNew(dirs, []string{dir})
		}
	}
	if len(dirs) == 0 {
		return ""
	}
	return fmt.Sprintf(wording.In(m.lang, "Tests are in %s.", "测试位于 %s。"), m.sum(dirs))
}

// withTests adds the tests that show a statement.
func (s *statement) withTests(found proof) {
	s.tests = appendNew(s.tests, found.sure)
	s.tests = appendNew(s.tests, found.byName)
	s.tests = appendNew(s.tests, found.bare)
	s.reach = max(s.reach, found.reach)
}

// servedTable lists the routes with the tests that assert what they answer, and counts those of which no test does; "" if no
// test sends a request.
func (m *material) servedTable(claims []*evidence.Claim, s *statement) string {
	if len(m.trials()) == 0 {
		return ""
	}
	var rows []string
	open, sent := 0, map[string]bool{}
	for _, c := range claims {
		status := ""
		if len(c.Served.Success) > 0 {
			status, _, _ = strings.Cut(c.Served.Success[0], " ")
		}
		found := m.testsOfRoute(c.Name, status)
		s.withTests(found)
		switch names := m.testNames(found.sure); {
		case names != "" || m.limits.rows == 0:
			rows = append(rows, tableRow(codeSpan(c.Name), cmp.Or(names, wording.In(m.lang, "none", "无"))))
		default:
			open++
			for _, t := range m.trials() {
				sent[t.Place()] = sent[t.Place()] || t.sends(c.Name)
			}
		}
	}
	maps.DeleteFunc(sent, func(_ string, sends bool) bool { return !sends })
	text := ""
	if len(rows) > 0 {
		text = above(m.testFolders(), tableHead(wording.In(m.lang, "Route|Tests that assert the status", "路由|断言该状态码的测试"))+m.rows(rows))
	}
	if open == 0 {
		return text
	}
	routes := "route"
	if len(rows) > 0 {
		routes = "other route"
	}
	return above(text, fmt.Sprintf(wording.In(m.lang, "No test asserts the status of %[1]s; %[2]s.", "有 %[3]d 条路由的状态码没有测试断言；向其发送请求的测试有 %[4]d 项。"),
		wording.Count(open, routes), sendTo(len(sent), open), open, len(sent)))
}

// sendTo says how many tests send requests to some routes: "1 test sends to it".
func sendTo(tests, routes int) string {
	text := wording.Count(tests, "test") + " send"
	if tests == 1 {
		text += "s"
	}
	if routes == 1 {
		return text + " to it"
	}
	return text + " to them"
}

// requestTests returns the requirements that the tests of requests cover, by the place of the test: those about the routes
// that it sends to, and about the refusals that it asserts.
func (m *material) requestTests(reqs []Requirement) map[string][]string {
	out := map[string][]string{}
	for i := range reqs {
		for _, c := range m.stated[reqs[i].ID] {
			for _, t := range m.trials() {
				if m.covers(t, c) {
					out[t.Place()] = appendNew(out[t.Place()], []string{reqs[i].ID})
				}
			}
		}
	}
	return out
}

// covers reports whether a test shows a claim about requests.
func (m *material) covers(t *trial, c *evidence.Claim) bool {
	switch {
	case c.Kind == evidence.Route && c.Served != nil:
		for _, answer := range c.Served.Success {
			status, _, _ := strings.Cut(answer, " ")
			if t.asserts(c.Name, status) {
				return true
			}
		}
		return t.sends(c.Name) && !t.refused(c.Name)
	case c.Kind == evidence.Refusal:
		return slices.ContainsFunc(c.Values, func(route string) bool { return t.asserts(route, c.Outcome.Status) })
	}
	return false
}

// refused reports whether a test asserts that a route refuses its request.
func (t *trial) refused(route string) bool {
	return slices.ContainsFunc(t.asks, func(c *evidence.Claim) bool {
		return c.Name == route && slices.ContainsFunc(c.Values, func(status string) bool { return status >= "400" })
	})
}

// requested returns the tests that send requests to the module, with the requirements that they show.
func (m *material) requested(reqs []Requirement) []shown {
	covers := m.requestTests(reqs)
	var out []shown
	for _, t := range m.trials() {
		out = append(out, shown{place: t.Place(), requirements: covers[t.Place()]})
	}
	return out
}
