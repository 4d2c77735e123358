package spec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/lock"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// exitRow is one case in which a function ends with an error.
type exitRow struct {
	claim *evidence.Claim
	index int          // of its condition in the claim
	when  string       // in words; "" if nothing can be said
	left  []paths.Term // the condition that is in words, after those of the earlier cases; nil for none and for documentation
	ends  string       // the error, in words
	at    string       // file:line
	tests []string
	reach int // tests that reach the function but do not quote the error
	shown Shown
}

// exits returns a statement for each function that ends with errors: a sentence for one case, a decision table for several.
// What a function does when it is called and what the function does that it returns are two statements. Functions that do
// the same in one case share a statement.
func (m *material) exits() []statement {
	var out []statement
	var single []int
	shared := map[string]int{} // by what is said of one case
	for _, g := range m.exitGroups() {
		if len(g.rows) != 1 {
			out = append(out, m.exitTable(g))
			continue
		}
		r := &g.rows[0]
		says := g.subject(m).head + "\x00" + r.ends + "\x00" + r.when
		if i, known := shared[says]; known && !g.later {
			m.share(&out[i], r.claim, g.rows)
			continue
		}
		shared[says] = len(out)
		single = append(single, len(out))
		out = append(out, m.exitSentence(g))
	}
	return m.alike(out, single)
}

// exitGroup is the cases of one function: those of a call of it, or those of the function that it returns.
type exitGroup struct {
	symbol string
	later  bool
	split  bool // the function has cases of both kinds
	rows   []exitRow
}

// exitGroups returns the cases of the functions of the module, in the order of their claims. They do not depend on what the
// page has room for, and are found once.
func (m *material) exitGroups() []exitGroup {
	if m.groups == nil {
		m.groups = m.groupExits()
	}
	out := slices.Clone(m.groups)
	for i := range out {
		out[i].rows = slices.Clone(out[i].rows)
	}
	return out
}

func (m *material) groupExits() []exitGroup {
	out := []exitGroup{}
	at := map[string]int{}
	group := func(symbol string, later bool) *exitGroup {
		key := symbol
		if later {
			key += "\x00later"
		}
		if _, known := at[key]; !known {
			at[key] = len(out)
			out = append(out, exitGroup{symbol: symbol, later: later})
		}
		return &out[at[key]]
	}
	for _, c := range m.ofKind(evidence.Exit) {
		for _, r := range m.exitRows(c) {
			g := group(c.Subject, r.condition().Later)
			g.rows = append(g.rows, r)
		}
	}
	for _, kind := range []evidence.Kind{evidence.DocumentedError, evidence.DocumentedPanic, evidence.DocumentedFailure} {
		for _, c := range m.ofKind(kind) {
			if g := group(c.Subject, false); !m.known(out, at, c) {
				g.rows = m.documentedRow(g.rows, c)
			}
		}
	}
	for i := range out {
		m.order(&out[i])
		if m.behind() { // the page of the routes says it
			out[i].rows = slices.DeleteFunc(out[i].rows, func(r exitRow) bool { return m.answeredAt[r.at] })
		}
	}
	for i := range out {
		other, known := at[out[i].symbol]
		out[i].split = out[i].later && known && len(out[other].rows) > 0
		if out[i].split {
			out[other].split = true
		}
	}
	return slices.DeleteFunc(out, func(g exitGroup) bool { return len(g.rows) == 0 })
}

// known reports whether the function that the subject of a claim returns ends with the error that documentation names.
func (m *material) known(list []exitGroup, at map[string]int, c *evidence.Claim) bool {
	i, ok := at[c.Subject+"\x00later"]
	return ok && slices.ContainsFunc(list[i].rows, func(r exitRow) bool {
		return r.claim.Outcome != nil && names(r.claim.Outcome, c.Name)
	})
}

// order sorts the cases of a group and sets their conditions.
func (m *material) order(g *exitGroup) {
	slices.SortStableFunc(g.rows, func(a, b exitRow) int { return comparePlaces(a.at, b.at) })
	m.inOrder(g.rows)
	g.rows = slices.DeleteFunc(distinct(g.rows), func(r exitRow) bool { // what calls it decides when it fails
		return r.when == "" && len(r.claim.From) > 0
	})
}

// ofKind returns the claims of a kind.
func (m *material) ofKind(kind evidence.Kind) []*evidence.Claim {
	var out []*evidence.Claim
	for i := range m.claims {
		if m.claims[i].Kind == kind {
			out = append(out, &m.claims[i])
		}
	}
	return out
}

// comparePlaces orders file:line by file and by number.
func comparePlaces(a, b string) int {
	fileA, lineA, _ := strings.Cut(a, ":")
	fileB, lineB, _ := strings.Cut(b, ":")
	return cmp.Or(cmp.Compare(fileA, fileB), cmp.Compare(len(lineA), len(lineB)), cmp.Compare(lineA, lineB))
}

// exitRows returns the cases of a claim, one for each condition.
func (m *material) exitRows(c *evidence.Claim) []exitRow {
	tests, reach := m.testsOf(c)
	var out []exitRow
	for i := range c.When {
		at := c.At[min(i, len(c.At)-1)]
		row := exitRow{claim: c, index: i, ends: m.wordsOf(c).Error(m.knownText(c.Outcome)), at: fmt.Sprintf("%s:%d", at.File, at.Line)}
		row.shown, row.tests, row.reach = m.measured(c, row.at, tests, reach)
		out = append(out, row)
	}
	return out
}

// inOrder sets the conditions of the cases of one function. Cases are tried in order: a later one does not repeat that the
// earlier ones do not hold.
func (m *material) inOrder(list []exitRow) {
	var earlier [][]paths.Term
	for i := range list {
		row := &list[i]
		if row.claim.Kind != evidence.Exit {
			continue
		}
		when := row.condition()
		terms := paths.Otherwise(earlier, when.All)
		if !when.Partial {
			earlier = append(earlier, terms)
		}
		if len(terms) == 0 && len(when.All) > 0 {
			row.when = wording.In(m.lang, "otherwise", "其他情形")
			continue
		}
		row.left = terms
		row.when = m.words(row.file()).Terms(terms) + m.setBy(row.claim, terms)
		if when.Partial && row.when != "" {
			row.when = wording.In(m.lang, "only when ", "仅当 ") + row.when
		}
	}
}

// condition returns the condition of a case that the code shows.
func (r *exitRow) condition() evidence.Condition { return r.claim.When[r.index] }

// file returns the file of a case.
func (r *exitRow) file() string {
	file, _, _ := strings.Cut(r.at, ":")
	return file
}

// distinct drops cases that say the same as another one.
func distinct(list []exitRow) []exitRow {
	var out []exitRow
	for i := range list {
		if !slices.ContainsFunc(out, func(o exitRow) bool { return o.when == list[i].when && o.ends == list[i].ends }) {
			out = append(out, list[i])
		}
	}
	return out
}

// documentedRow adds what documentation says of an error, unless the code shows when the same error occurs.
func (m *material) documentedRow(list []exitRow, c *evidence.Claim) []exitRow {
	for _, r := range list {
		if r.claim.Outcome != nil && names(r.claim.Outcome, c.Name) {
			return list
		}
	}
	when, ok := documentedWhen(c.Text, m.lang)
	if !ok {
		return list
	}
	ends := wording.In(m.lang, "an error", "错误")
	switch {
	case c.Name != "":
		ends = codeSpan(c.Name)
	case c.Kind == evidence.DocumentedPanic:
		ends = wording.In(m.lang, "a panic", "崩溃")
	}
	at := c.At[0]
	return append(list, exitRow{claim: c, when: when, ends: ends, at: fmt.Sprintf("%s:%d", at.File, at.Line)})
}

// names reports whether an error is the one that documentation names. An error without a name of its own is of the base type.
func names(o *evidence.Outcome, name string) bool {
	last := lastPart(name)
	return name == "" || lastPart(o.Error) == last || o.Error == "" && (last == "Error" || last == "Exception")
}

// conditionWords begin documentation that is a condition.
var conditionWords = []string{"if ", "when ", "thrown if ", "thrown when ", "raised if ", "raised when ", "in case ", "panics if ", "panics when ", "returns an error if ", "returns an error when "}

// documentedWhen returns the condition in documentation: "If x is empty." is "x is empty". Other documentation is quoted; ok
// is false for one that denies the error.
func documentedWhen(text, lang string) (when string, ok bool) {
	if when = documentedCondition(text, lang); when != "" {
		return when, true
	}
	text = documentedSentence(text)
	lower := strings.ToLower(text)
	if text == "" || strings.Contains(lower, "never") || strings.Contains(lower, "no error") || strings.Contains(lower, "does not") {
		return "", false
	}
	return wording.In(lang, "the documentation says so: ", "文档如此说明：") + "“" + markdown.QuotedRow(text) + "”", true
}

// documentedSentence returns the first sentence of documentation without marks at its ends.
func documentedSentence(text string) string {
	text, _ = markdown.Sentence(text, maxDocumentation)
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(text, "- "), "."))
}

// documentedCondition returns the condition that documentation begins with; "" for other documentation.
func documentedCondition(text, lang string) string {
	text = documentedSentence(text)
	lower := strings.ToLower(text)
	for _, word := range conditionWords {
		if strings.HasPrefix(lower, word) {
			return foreign(markdown.QuotedRow(text[len(word):]), lang, "出现文档所述的“%s”情形")
		}
	}
	return ""
}

func lastPart(name string) string { return name[strings.LastIndexAny(name, ".:\\")+1:] }

// subjectOf names the function of a statement: an unexported one with the exported functions that lead to it.
func (m *material) subjectOf(c *evidence.Claim) string {
	if len(c.From) == 0 {
		return codeSpan(c.Subject)
	}
	return fmt.Sprintf(wording.In(m.lang, "%[1]s, behind %[2]s,", "%[2]s 背后的 %[1]s "), codeSpan(c.Subject), m.sum(c.From))
}

// actor is the subject of a sentence about cases.
type actor struct {
	head     string // in code or in words
	answered bool   // what it is about is answered with a status
}

// subject names what ends with the errors of a group.
func (g *exitGroup) subject(m *material) actor {
	name := m.subjectOf(g.rows[0].claim)
	switch {
	case g.later && !slices.ContainsFunc(g.rows, func(r exitRow) bool { return r.claim.Outcome == nil || r.claim.Outcome.Status == "" }):
		return actor{fmt.Sprintf(wording.In(m.lang, "A request through %s", "经过 %s 的请求"), name), true}
	case g.later:
		return actor{fmt.Sprintf(wording.In(m.lang, "The function that %s returns", "%s 返回的函数"), name), false}
	case g.split:
		return actor{fmt.Sprintf(wording.In(m.lang, "A call of %s", "对 %s 的调用"), name), false}
	}
	return actor{name, false}
}

// spaced returns a subject as Chinese text writes it before a verb: with a space after code.
func (m *material) spaced(head string) string {
	if m.lang == "zh" && strings.HasSuffix(head, "`") {
		return head + " "
	}
	return head
}

// exitSentence states the one case of a function.
func (m *material) exitSentence(g exitGroup) statement {
	r := &g.rows[0]
	s := m.exitStatement(&g)
	if !g.later {
		s.one = r
	}
	who := g.subject(m)
	s.title = m.exitTitle(who, r)
	if len(s.title) > longTitle && r.when != "" {
		short := *r
		short.when = ""
		s.title = m.exitTitle(who, &short)
		s.text = above(wording.In(m.lang, "When ", "条件：")+r.when+wording.In(m.lang, ".", "。"), s.text)
	}
	return s
}

// longTitle is the length of a sentence, in bytes, above which its condition is below the heading.
const longTitle = 200

// exitTitle says that a function ends with an error.
func (m *material) exitTitle(who actor, r *exitRow) string {
	verb := wording.In(m.lang, "fail with", "失败并给出")
	switch {
	case who.answered:
		verb = wording.In(m.lang, "be answered with", "得到的回答是")
	case r.claim.Outcome != nil:
		verb = m.wordsOf(r.claim).Verb(r.claim.Outcome.How)
	}
	switch {
	case r.when == "", r.when == wording.In(m.lang, "otherwise", "其他情形"):
		return fmt.Sprintf(wording.In(m.lang, "%s SHALL %s %s", "%s必须%s %s"), m.spaced(who.head), verb, r.ends)
	case strings.HasPrefix(r.when, "only when "):
		return fmt.Sprintf("%s SHALL %s %s %s", who.head, verb, r.ends, r.when)
	}
	return fmt.Sprintf(wording.In(m.lang, "%[1]s SHALL %[2]s %[3]s when %[4]s", "当 %[4]s 时，%[1]s必须%[2]s %[3]s"), m.spaced(who.head), verb, r.ends, r.when)
}

// exitTable states the cases of a function as a decision table.
func (m *material) exitTable(g exitGroup) statement {
	s := m.exitStatement(&g)
	who, verb := g.subject(m), m.commonVerb(g.rows)
	if who.answered {
		verb = fmt.Sprintf(wording.In(m.lang, "be answered with %s", "得到回答 %s"), m.statuses(g.rows))
	}
	s.title = fmt.Sprintf(wording.In(m.lang, "%[1]s SHALL %[2]s in %[3]d cases, checked in this order", "%[1]s必须在以下 %[3]d 种情形下%[2]s（依次检查）"), m.spaced(who.head), verb, len(g.rows))
	t := m.caseTable(m.exitCases(g.rows), wording.In(m.lang, "When|Error|Evidence", "条件|错误|依据"), m.rows)
	s.table = situated{g.symbol, g.later, t}
	s.text = above(t, s.text)
	return s
}

// exitCases returns the cases of a function as those of a table, with their tests where it names them.
func (m *material) exitCases(rows []exitRow) []tableCase {
	told := m.toldByRow(rows)
	var out []tableCase
	for i := range rows {
		r := &rows[i]
		c := tableCase{claim: r.claim, terms: r.left, when: cmp.Or(r.when, wording.In(m.lang, "not said by the code here", "此处代码未说明")), ends: r.ends, at: markdown.Code(m.short(r.at))}
		if len(r.left) > 0 {
			c.partial = r.condition().Partial
		}
		if told {
			c.tests = m.testCell(r)
		}
		out = append(out, c)
	}
	return out
}

// toldByRow reports whether a table names the tests of each case: not where all say what the line below it says.
func (m *material) toldByRow(rows []exitRow) bool {
	return slices.ContainsFunc(rows, func(r exitRow) bool { return len(r.tests) > 0 || m.testCell(&r) != m.testCell(&rows[0]) })
}

// statuses lists the statuses of cases.
func (m *material) statuses(rows []exitRow) string {
	var out []string
	for i := range rows {
		out = appendNew(out, []string{rows[i].claim.Outcome.Status})
	}
	return strings.Join(out, wording.In(m.lang, " or ", " 或 "))
}

// commonVerb says how a function reports its errors: "throw", "return an error", "panic", or "fail" for several ways.
func (m *material) commonVerb(list []exitRow) string {
	verb := ""
	for i := range list {
		o := list[i].claim.Outcome
		if o == nil {
			continue
		}
		v := strings.TrimSuffix(m.wordsOf(list[i].claim).Verb(o.How), " with")
		if verb != "" && v != verb {
			return wording.In(m.lang, "fail", "失败")
		}
		verb = v
	}
	if verb == "return" {
		return "return an error"
	}
	return cmp.Or(verb, wording.In(m.lang, "fail", "失败"))
}

// testCell lists the tests of a case.
func (m *material) testCell(r *exitRow) string {
	const most = 2
	var list []string
	for _, t := range r.tests[:min(len(r.tests), most)] {
		list = append(list, m.short(t))
	}
	out := placeCodes(list, ", ")
	switch {
	case len(r.tests) > most:
		return out + fmt.Sprintf(" … +%d", len(r.tests)-most)
	case out != "":
		return out
	case r.shown == lock.Reached:
		return reachedOnly.in(m.lang)
	case r.reach > 0:
		return fmt.Sprintf(wording.In(m.lang, "none quotes it; %d reach it", "无测试引用；%d 项到达"), r.reach)
	}
	return noTest.in(m.lang)
}

// exitStatement fills what the statements about exits share.
func (m *material) exitStatement(g *exitGroup) statement {
	list := g.rows
	s := statement{symbol: g.symbol, keys: nil, score: scoreExit}
	for i := range list {
		r := &list[i]
		if !slices.Contains(s.claims, r.claim) {
			s.claims = append(s.claims, r.claim)
		}
		kind := r.claim.Evidence()
		if len(s.at) == 0 { // the rows of a table have theirs
			s.at = append(s.at, Evidence{kind, r.at})
		}
		if len(list) == 1 {
			s.tests, s.reach = r.tests, r.reach
		} else {
			s.tests, s.reach = appendNew(s.tests, r.tests), max(s.reach, r.reach)
		}
		s.shown = s.shown.Or(r.shown)
		if o := r.claim.Outcome; o != nil && o.Status != "" {
			s.score += scoreStatus / len(list)
		}
		if securityWords(r.ends + " " + r.when) {
			s.score += scoreSecurity / len(list)
		}
	}
	if len(list) > 1 {
		s.tests = appendNew(s.tests, m.answering(list))
	}
	s.score += scoreCase*min(len(list), maxScored) + scoreTest*min(len(s.tests), maxScored) + min(s.reach, maxScored)
	s.text = m.predicates(s.claims)
	if len(list[0].claim.From) > 0 {
		s.score -= scoreCase
	}
	s.text = strings.TrimSpace(s.text)
	return s
}

// security are words of errors that protect something.
var security = strings.Fields("auth token password secret credential permission forbidden unauthorized signature csrf escape traversal symlink certificate origin denied injection")

// securityWords reports whether a text is about protection.
func securityWords(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(security, func(word string) bool { return strings.Contains(text, word) })
}

// share adds a function to a statement that says the same of another one.
func (m *material) share(s *statement, c *evidence.Claim, list []exitRow) {
	s.claims, s.one = append(s.claims, c), nil
	s.tests = appendNew(s.tests, list[0].tests)
	s.shown = s.shown.Or(list[0].shown)
	if len(s.at) < mostNamed { // those that the sentence names
		s.at = append(s.at, Evidence{c.Evidence(), list[0].at})
	}
	var names []string
	for _, c := range s.claims {
		names = appendNew(names, []string{c.Subject})
	}
	s.title, s.text = m.exitTitle(actor{head: m.sum(names)}, &list[0]), m.predicates(s.claims)
	s.score += scoreCase
}
