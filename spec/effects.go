package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
	"github.com/reverse-spec/reverse-spec/internal/evidence/service"
	"github.com/reverse-spec/reverse-spec/internal/wording"
)

// act is a call that a function makes for its effect, or an answer that it gives.
type act struct {
	claim   *evidence.Claim
	index   int          // of its condition in the claim
	text    string       // the call as code, or the answer in words
	when    string       // in words; "" for always, or after what is refused
	terms   []paths.Term // what is in words
	partial bool
	at      string // file:line
}

// sequence is the acts of one function in their order.
type sequence struct {
	symbol string
	later  bool // of the function that it returns
	acts   []act
}

// sequences returns the acts of the module's functions, with the conditions that are left where none of the errors of the
// function was raised before.
func (m *material) sequences() []sequence {
	var out []sequence
	for _, c := range m.ofKind(evidence.Effect) {
		if c.Role != evidence.Called && c.Role != evidence.Answered {
			continue
		}
		for i := range c.When {
			at := c.At[min(i, len(c.At)-1)]
			a := act{claim: c, index: i, text: m.actText(c), at: fmt.Sprintf("%s:%d", at.File, at.Line), partial: c.When[i].Partial}
			j := slices.IndexFunc(out, func(s sequence) bool { return s.symbol == c.Subject && s.later == c.When[i].Later })
			if j < 0 {
				j, out = len(out), append(out, sequence{symbol: c.Subject, later: c.When[i].Later})
			}
			out[j].acts = append(out[j].acts, a)
		}
	}
	for i := range out {
		s := &out[i]
		slices.SortStableFunc(s.acts, func(a, b act) int { return comparePlaces(a.at, b.at) })
		for j := range s.acts {
			a := &s.acts[j]
			file, _, _ := strings.Cut(a.at, ":")
			earlier := m.refusedBefore(s.symbol, s.later, a.at)
			a.terms = paths.Otherwise(earlier, a.claim.When[a.index].All)
			a.when = m.words(file).Terms(a.terms)
		}
	}
	return out
}

// answers reports whether an act is an answer.
func (a *act) answers() bool { return a.claim.Role == evidence.Answered }

// actText says what an act is: the call, or "answers 403 “…”".
func (m *material) actText(c *evidence.Claim) string {
	switch {
	case c.Role == evidence.Called:
		return codeSpan(c.Values[0])
	case c.Name == "":
		return fmt.Sprintf(wording.In(m.lang, "answers with %s", "以 %s 回答"), codeSpan(c.Values[0]))
	}
	text := fmt.Sprintf(wording.In(m.lang, "answers %s", "回答 %s"), c.Name)
	if c.Text != "" {
		text += " “" + escaped(c.Text) + "”"
	}
	return text
}

// refusedBefore returns the conditions of the errors with which a function, or the one that it returns, ends before a place.
func (m *material) refusedBefore(symbol string, later bool, at string) [][]paths.Term {
	var out [][]paths.Term
	for _, c := range m.ofKind(evidence.Exit) {
		for i, when := range c.When {
			p := c.At[min(i, len(c.At)-1)]
			if c.Subject == symbol && when.Later == later && !when.Partial && len(when.All) > 0 && comparePlaces(fmt.Sprintf("%s:%d", p.File, p.Line), at) < 0 {
				out = append(out, when.All)
			}
		}
	}
	return out
}

// effects returns a statement for each function that acts on what it is given.
func (m *material) effects() []statement {
	var out []statement
	writes := m.writingHandlers()
	for _, s := range m.sequences() {
		if writes[s.symbol] || m.onlyAnswersRoute(&s) {
			continue
		}
		st := statement{symbol: s.symbol, keys: []string{fmt.Sprintf("effects %s %v", s.symbol, s.later)}, score: scoreExit / 2}
		if s.later {
			st.score = scoreExit
		}
		for _, a := range s.acts {
			if !slices.Contains(st.claims, a.claim) {
				st.claims = append(st.claims, a.claim)
			}
			if at := (Evidence{a.claim.Evidence(), a.at}); len(st.at) < mostNamed && !slices.Contains(st.at, at) {
				st.at = append(st.at, at)
			}
		}
		m.shownBy(&st)
		m.sayEffects(&st, &s)
		out = append(out, st)
	}
	return out
}

// writingHandlers returns the handlers of routes whose writes the table of effects on the database tells.
func (m *material) writingHandlers() map[string]bool {
	out := map[string]bool{}
	for _, c := range m.ofKind(evidence.Stored) {
		if c.Role != service.Reads {
			out[c.Subject] = true
		}
	}
	return out
}

// onlyAnswersRoute reports whether a sequence is what the handler of a route calls on its own parameters, which hold the request and
// the answer: the tables of routes tell that.
func (m *material) onlyAnswersRoute(s *sequence) bool {
	params := m.handlerParams(s.symbol)
	return len(params) > 0 && !slices.ContainsFunc(s.acts, func(a act) bool {
		return a.claim.Role != evidence.Called || len(a.claim.Values) == 0 || !slices.Contains(params, leadingName(a.claim.Values[0]))
	})
}

// handlerParams returns the names of the parameters of a function of the module that handles a route; nil for others.
func (m *material) handlerParams(name string) []string {
	for i := range m.tree.Endpoints {
		n := m.tree.Endpoints[i].Handler.Node
		if n == nil || n.Path() != name {
			continue
		}
		for _, f := range m.tree.Files {
			if f.Path != n.File || f.Whole == nil {
				continue
			}
			for _, b := range f.Whole.Functions {
				if b.In == name && b.Line == n.Line {
					return b.Params
				}
			}
		}
	}
	return nil
}

// shownBy sets the tests of a statement about values or calls: those that name one of their literals. Others only reach it.
func (m *material) shownBy(s *statement) {
	var reach []string
	for _, c := range s.claims {
		var naming, others []string
		at := c.At[0]
		for _, t := range m.reaching.Of(at.File, c.Subject, at.Line) {
			if slices.ContainsFunc(c.Values, func(v string) bool { text := literalIn(v); return text != "" && t.Quotes(text) }) {
				naming = append(naming, t.Place())
				continue
			}
			others = append(others, t.Place())
		}
		shown, tests, n := m.measured(c, fmt.Sprintf("%s:%d", at.File, at.Line), naming, len(others))
		s.shown, s.tests, reach = s.shown.Or(shown), appendNew(s.tests, tests), appendNew(reach, others[:min(n, len(others))])
	}
	reach = slices.DeleteFunc(reach, func(place string) bool { return slices.Contains(s.tests, place) })
	s.reach = len(reach)
	s.score += min(len(s.tests)+s.reach, maxScored)
}

// literalIn returns the first literal in an expression that is long enough to be told from others; "" for none.
func literalIn(text string) string {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c == '\'' || c == '"' || c == '`' {
			end := code.QuoteEnd(text, i)
			if inner := text[i+1 : max(end, i+1)]; len(inner) >= leastMessage {
				return inner
			}
			i = end
		}
	}
	return ""
}

// sayEffects sets the words of a statement: a sentence for acts under one condition, else a table.
func (m *material) sayEffects(st *statement, s *sequence) {
	who := codeSpan(s.symbol)
	if s.later {
		who = fmt.Sprintf(wording.In(m.lang, "The function that %s returns", "%s 返回的函数"), who)
		if m.refuses(s.symbol) {
			who = fmt.Sprintf(wording.In(m.lang, "For a request that is not refused, %s", "对未被拒绝的请求，%s"), codeSpan(s.symbol))
		}
	}
	if when, same := s.sameCondition(); same {
		text := fmt.Sprintf(wording.In(m.lang, "%[1]s SHALL %[2]s", "%[1]s 必须%[2]s"), who, m.shall(s.acts)) + m.givenTo(s.acts)
		if when != "" {
			text += fmt.Sprintf(wording.In(m.lang, " when %s", "，条件：%s"), when)
		}
		if len(text) <= 2*longTitle {
			st.title = text
			return
		}
	}
	head := wording.In(m.lang, "When|Call|Evidence", "条件|调用|依据")
	st.title = fmt.Sprintf(wording.In(m.lang, "%s SHALL make these calls in this order, each when its condition holds", "%s 必须依次进行以下调用，各在其条件成立时"), who)
	if slices.ContainsFunc(s.acts, func(a act) bool { return a.answers() }) {
		head = wording.In(m.lang, "When|Step|Evidence", "条件|步骤|依据")
		st.title = fmt.Sprintf(wording.In(m.lang, "%s SHALL take these steps in this order, each when its condition holds", "%s 必须依次执行以下步骤，各在其条件成立时"), who)
	}
	st.text = m.caseTable(m.stepCases(s), head, func(rows []string) string { return m.rowsUpTo(rows, maxSituations) })
	st.table = situated{s.symbol, s.later, st.text}
}

// stepCases returns the acts of a function as the cases of a table, those in sequence under one condition as one.
func (m *material) stepCases(s *sequence) []tableCase {
	var out []tableCase
	for i := 0; i < len(s.acts); {
		first, end := &s.acts[i], i+1
		for end < len(s.acts) && end-i < mostInRow && s.acts[end].when == first.when && s.acts[end].partial == first.partial {
			end++
		}
		var at []string
		for j := i; j < end; j++ {
			at = appendNew(at, []string{m.short(s.acts[j].at)})
		}
		out = append(out, tableCase{claim: first.claim, terms: first.terms, partial: first.partial, when: m.whenOf(first), ends: m.inTurn(s.acts[i:end]), at: placeCodes(at, ", ")})
		i = end
	}
	return out
}

// mostInRow is the maximum number of acts in a row of a table.
const mostInRow = 3

// shall says after SHALL what acts do, in their order.
func (m *material) shall(acts []act) string {
	if !slices.ContainsFunc(acts, func(a act) bool { return a.answers() }) {
		return wording.In(m.lang, "call ", "调用 ") + m.inTurn(acts)
	}
	var out []string
	for i := range acts {
		if a := &acts[i]; a.answers() {
			out = append(out, strings.Replace(a.text, "answers", "answer", 1))
		} else {
			out = append(out, wording.In(m.lang, "call ", "调用 ")+a.text)
		}
	}
	return strings.Join(out, wording.In(m.lang, ", then ", "，然后 "))
}

// whenOf says when an act happens.
func (m *material) whenOf(a *act) string {
	switch {
	case a.when == "" && a.partial:
		return wording.In(m.lang, "in some cases", "部分情形下")
	case a.when == "":
		return wording.In(m.lang, "always", "总是")
	case a.partial:
		return wording.In(m.lang, "only when ", "仅当 ") + a.when
	}
	return a.when
}

// sameCondition returns the condition of all acts, if there is one.
func (s *sequence) sameCondition() (when string, same bool) {
	for i := range s.acts {
		if s.acts[i].partial || s.acts[i].when != s.acts[0].when {
			return "", false
		}
	}
	return s.acts[0].when, true
}

// givenTo says where the variables come from that calls are given; "" for nothing. What comes from one place in one call and from another
// in the next is said by their conditions.
func (m *material) givenTo(acts []act) string {
	var names []string
	values := map[string][]string{}
	for i := range acts {
		if acts[i].answers() {
			continue
		}
		for part := range strings.SplitSeq(acts[i].claim.Text, "; ") {
			if name, value, ok := strings.Cut(part, " = "); ok {
				names, values[name] = appendNew(names, []string{name}), appendNew(values[name], []string{value})
			}
		}
	}
	var out []string
	for _, name := range names {
		if len(values[name]) == 1 {
			out = append(out, fmt.Sprintf(wording.In(m.lang, "%s is %s", "%s 为 %s"), codeSpan(name), codeSpan(values[name][0])))
		}
	}
	if len(out) == 0 {
		return ""
	}
	return wording.In(m.lang, ", where ", "，其中 ") + strings.Join(out, wording.In(m.lang, " and ", "，且 "))
}

// inTurn lists calls in their order.
func (m *material) inTurn(acts []act) string {
	var out []string
	for i := range acts {
		out = append(out, acts[i].text)
	}
	return strings.Join(out, wording.In(m.lang, ", then ", "，然后 "))
}

// refuses reports whether the function that a symbol returns raises errors that answer requests with statuses.
func (m *material) refuses(symbol string) bool {
	found := false
	for _, c := range m.ofKind(evidence.Exit) {
		for _, when := range c.When {
			found = found || c.Subject == symbol && when.Later && c.Outcome != nil && c.Outcome.Status != ""
		}
	}
	return found
}

// picks returns a statement for each choice of one of several values.
func (m *material) picks() []statement {
	var out []statement
	for _, c := range m.ofKind(evidence.Choice) {
		if c.Role != evidence.Picked || len(c.Values) != len(c.When) {
			continue
		}
		s := statement{symbol: c.Subject, claims: []*evidence.Claim{c}, score: scoreExit}
		m.shownBy(&s)
		s.score += scoreCase * min(len(c.When), maxScored) / 2
		s.at = m.evidenceOf(c)[:1]
		head := wording.In(m.lang, "When|Result|Evidence", "条件|结果|依据")
		s.title = fmt.Sprintf(wording.In(m.lang, "%s SHALL return the result of the first case that holds", "%s 必须返回首个成立情形的结果"), codeSpan(c.Subject))
		if c.Name != "" {
			head = fmt.Sprintf(wording.In(m.lang, "When|%s|Evidence", "条件|%s|依据"), codeSpan(c.Name))
			s.title = fmt.Sprintf(wording.In(m.lang, "%[1]s SHALL take %[2]s from the first case that holds", "%[1]s 必须以首个成立情形确定 %[2]s"), codeSpan(c.Subject), codeSpan(c.Name))
		}
		s.text = tableHead(head) + m.rows(m.pickRows(c))
		out = append(out, s)
	}
	return out
}

// pickRows returns a row for each case of a choice, with what decides after the cases before it.
func (m *material) pickRows(c *evidence.Claim) []string {
	earlier := m.refusedBefore(c.Subject, c.When[0].Later, fmt.Sprintf("%s:%d", c.At[0].File, c.At[0].Line))
	var rows []string
	for i, when := range c.When {
		terms := paths.Otherwise(earlier, when.All)
		earlier = append(earlier, when.All)
		text := m.wordsOf(c).Terms(terms)
		if text == "" {
			text = wording.In(m.lang, "otherwise", "其他情形")
		}
		rows = append(rows, tableRow(text, codeSpan(c.Values[i]), m.place(fmt.Sprintf("%s:%d", c.At[i].File, c.At[i].Line))))
	}
	return rows
}
