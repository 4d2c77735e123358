package spec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
	"github.com/reverse-spec/reverse-spec/internal/wording"
)

// resultRow is one value that a function returns, under one condition.
type resultRow struct {
	claim *evidence.Claim
	when  string // in words; "" for always
	text  string // in words
	value string // as written
	terms []paths.Term
	at    string
}

// leastOfType is the least number of rows of a table about one type: fewer are in a table with those of others.
const leastOfType = 4

// results returns the statements about what functions return where they do not fail: a sentence for one value of one
// function, else a table for the functions of one type, or for those of all that have few.
func (m *material) results() []statement {
	handlers := map[string]bool{} // of routes, whose answers are told with them
	for _, c := range m.ofKind(evidence.Route) {
		handlers[c.Subject] = true
	}
	var order []string
	groups := map[string][]*evidence.Claim{}
	for _, c := range m.ofKind(evidence.Result) {
		if len(c.Values) != len(c.When) || len(c.At) < len(c.When) || handlers[c.Subject] || m.toldWithType(c) || m.ofNobody(c) {
			continue
		}
		owner, _ := cutOwner(c.Subject)
		if groups[owner] == nil {
			order = append(order, owner)
		}
		groups[owner] = append(groups[owner], c)
	}
	var out []statement
	var few []*evidence.Claim
	for _, owner := range order {
		rows := 0
		for _, c := range groups[owner] {
			rows += len(c.Values)
		}
		if rows < leastOfType {
			few = append(few, groups[owner]...)
			continue
		}
		out = append(out, m.resultStatement("results "+owner, groups[owner]))
	}
	if len(few) > 0 {
		out = append(out, m.resultStatement("results", few))
	}
	return out
}

// ofNobody reports whether a result is of a function that neither users nor tests reach.
func (m *material) ofNobody(c *evidence.Claim) bool {
	return m.weightOf(c) == 0 && len(c.From) == 0 && m.reaching != nil &&
		!slices.ContainsFunc(m.public, func(s named) bool { return s.name == c.Subject })
}

// toldWithType reports whether a result is in a table about its type: the text of an error, or the options that a constructor
// makes a value with.
func (m *material) toldWithType(c *evidence.Claim) bool {
	for _, e := range m.ofKind(evidence.ErrorText) {
		if slices.Contains(e.At, c.At[0]) {
			return true
		}
	}
	if len(c.Values) != 1 || len(c.When[0].All) > 0 {
		return false
	}
	made, _, ok := strings.Cut(strings.TrimPrefix(c.Values[0], "&"), "{")
	return ok && slices.ContainsFunc(m.ofKind(evidence.Field), func(f *evidence.Claim) bool { return f.Subject == made && f.Option != nil && !m.isPlain(f) })
}

// cutOwner splits the name of a member after its type.
func cutOwner(name string) (owner, member string) {
	at := strings.LastIndexByte(name, '.')
	return name[:max(at, 0)], name[at+1:]
}

// resultStatement states what some functions return.
func (m *material) resultStatement(key string, claims []*evidence.Claim) statement {
	slices.SortStableFunc(claims, func(a, b *evidence.Claim) int { return cmp.Compare(m.weightOf(b), m.weightOf(a)) })
	s := statement{symbol: claims[0].Subject, keys: []string{key}, claims: claims, score: scoreExit - scoreCase}
	m.shownBy(&s)
	s.score += scoreCase / 2 * min(len(claims), maxScored)
	at := claims[0].At[0]
	s.at = []Evidence{{claims[0].Evidence(), fmt.Sprintf("%s:%d", at.File, at.Line)}}
	given, others := m.givenResults(claims)
	var list []resultRow
	var names []string
	for _, c := range others {
		list = append(list, m.resultRows(c)...)
	}
	for _, c := range claims {
		names = append(names, c.Subject)
	}
	if len(list) == 1 && len(given) == 0 {
		r := &list[0]
		s.title = fmt.Sprintf(wording.In(m.lang, "%[1]s SHALL return %[2]s", "%[1]s 必须返回 %[2]s"), codeSpan(names[0]), r.text)
		if r.when != "" {
			s.title = fmt.Sprintf(wording.In(m.lang, "%[1]s SHALL return %[2]s when %[3]s", "当 %[3]s 时，%[1]s 必须返回 %[2]s"), codeSpan(names[0]), r.text, r.when)
		}
		if len(s.title) <= longTitle {
			return s
		}
	}
	s.title = fmt.Sprintf(wording.In(m.lang, "%[1]s SHALL return these results", "%[1]s 必须返回下列结果"), m.sum(names))
	if slices.ContainsFunc(claims, m.mayFail) {
		s.title = fmt.Sprintf(wording.In(m.lang, "%[1]s SHALL return these results unless an error ends the call", "%[1]s 若未因错误结束，必须返回下列结果"), m.sum(names))
	}
	head := wording.In(m.lang, "Function|When|Result|Evidence", "函数|条件|结果|依据")
	if len(list) > len(others) { // several of one function
		head = wording.In(m.lang, "Function|When, the first that holds|Result|Evidence", "函数|条件（取首个成立者）|结果|依据")
	}
	s.text = tableHead(head) + m.rows(append(m.resultTable(list), given...))
	return s
}

// mayFail reports whether the function of a claim ends with errors, too.
func (m *material) mayFail(c *evidence.Claim) bool {
	return slices.ContainsFunc(m.ofKind(evidence.Exit), func(e *evidence.Claim) bool { return e.Subject == c.Subject || slices.Contains(e.From, c.Subject) })
}

// resultTable returns the rows of a table; the first of a function names it.
func (m *material) resultTable(list []resultRow) []string {
	var rows []string
	last := ""
	for i := range list {
		r := &list[i]
		name := codeSpan(r.claim.Subject)
		if r.claim.Subject == last {
			name = ""
		}
		last = r.claim.Subject
		rows = append(rows, tableRow(name, cmp.Or(r.when, wording.In(m.lang, "always", "总是")), r.text, m.place(r.at)))
	}
	return rows
}

// weightOf returns how much users meet a function: the tests that reach it.
func (m *material) weightOf(c *evidence.Claim) int {
	if m.reaching == nil {
		return 0
	}
	return min(len(m.reaching.Of(c.At[0].File, c.Subject, c.At[0].Line)), maxScored)
}

// givenResults returns a row for the functions that return what a constructor was given, one for each constructor, and the
// other claims.
func (m *material) givenResults(claims []*evidence.Claim) (rows []string, others []*evidence.Claim) {
	of := map[string][]*evidence.Claim{}
	var order []string
	for _, c := range claims {
		if c.Role != evidence.Given {
			others = append(others, c)
			continue
		}
		if of[c.Of] == nil {
			order = append(order, c.Of)
		}
		of[c.Of] = append(of[c.Of], c)
	}
	for _, by := range order {
		rows = append(rows, m.givenRow(by, of[by]))
	}
	return rows, others
}

// givenRow returns the row for the functions that return what one constructor was given.
func (m *material) givenRow(by string, claims []*evidence.Claim) string {
	var names, values, at []string
	for _, c := range claims {
		value := codeSpan(c.Name)
		if len(c.Values) > 0 && !strings.Contains(strings.ToLower(c.Values[0]), strings.ToLower(c.Name)) { // kept under another name
			value += " (" + codeSpan(c.Values[0]) + ")"
		}
		names, values = append(names, codeSpan(c.Subject)), append(values, value)
		at = append(at, m.place(fmt.Sprintf("%s:%d", c.At[0].File, c.At[0].Line)))
	}
	text := fmt.Sprintf(wording.In(m.lang, "%[1]s as given to %[2]s", "传给 %[2]s 的 %[1]s"), strings.Join(values, ", "), codeSpan(by))
	if len(values) > 1 {
		text += wording.In(m.lang, ", in this order", "，依次对应")
	}
	return tableRow(strings.Join(names, ", "), wording.In(m.lang, "always", "总是"), text, strings.Join(at, ", "))
}

// resultRows returns the values of one function with what decides after the values before them.
func (m *material) resultRows(c *evidence.Claim) []resultRow {
	var out []resultRow
	var earlier [][]paths.Term
	w := m.wordsOf(c)
	for i, when := range c.When {
		at := fmt.Sprintf("%s:%d", c.At[i].File, c.At[i].Line)
		terms := paths.Otherwise(slices.Concat(m.refusedBefore(c.Subject, false, at), earlier), when.All)
		text := w.Terms(terms)
		if len(terms) == 0 && i > 0 {
			text = wording.In(m.lang, "otherwise", "其他情形")
		}
		earlier = append(earlier, when.All)
		value, where, _ := strings.Cut(c.Values[i], evidence.ResultWhere)
		said := codeSpan(value)
		if where != "" {
			var parts []string
			for part := range strings.SplitSeq(where, "; ") {
				if name, is, ok := strings.Cut(part, " = "); ok && !strings.Contains(text, is) {
					parts = append(parts, fmt.Sprintf(wording.In(m.lang, "%s is %s", "%s 为 %s"), codeSpan(name), codeSpan(is)))
				}
			}
			if len(parts) > 0 {
				said += wording.In(m.lang, ", where ", "，其中 ") + strings.Join(parts, wording.In(m.lang, " and ", "，且 "))
			}
		}
		out = append(out, resultRow{claim: c, when: text, text: said, value: value, terms: when.All, at: at})
	}
	return out
}
