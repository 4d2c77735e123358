package spec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// leastAlike is the least number of functions that share a table: fewer are sentences of their own.
const leastAlike = 3

// alike makes one statement with a table of those about single cases that say the same with other names: the same kind of
// error under conditions of the same form. Single are the indexes of statements about one case.
func (m *material) alike(list []statement, single []int) []statement {
	groups := map[string][]int{}
	for _, i := range single {
		if shape := m.shapeOf(&list[i]); shape != "" {
			groups[shape] = append(groups[shape], i)
		}
	}
	drop := map[int]bool{}
	for _, i := range single {
		g := groups[m.shapeOf(&list[i])]
		if len(g) < leastAlike || g[0] != i {
			continue
		}
		var members []statement
		for _, j := range g {
			members = append(members, list[j])
			drop[j] = j != i
		}
		list[i] = m.alikeTable(members)
	}
	var out []statement
	for i := range list {
		if !drop[i] {
			out = append(out, list[i])
		}
	}
	return out
}

// words match the names and literals in a condition.
var words = lazyregexp.New(`"[^"]*"|'[^']*'|[\p{L}\p{N}_.$@]+`)

// shapeOf returns what a statement about one case says, without names; "" for a statement that cannot share a table.
func (m *material) shapeOf(s *statement) string {
	if s.one == nil || s.one.claim.Outcome == nil || s.one.when == "" || len(s.claims) > 1 || len(s.one.claim.When) != 1 {
		return ""
	}
	o := s.one.claim.Outcome
	owner, _, _ := strings.Cut(s.symbol, ".")
	var parts []string
	for _, t := range s.one.claim.When[0].All {
		shape := words.ReplaceAllString(t.Text, "x")
		if t.Cond != nil {
			shape = shapeOfCond(*t.Cond)
		}
		parts = appendNew(parts, []string{shape})
	}
	slices.Sort(parts)
	return strings.Join([]string{owner, string(o.How), o.Error, o.Status, o.By, strings.Join(parts, ",")}, "\x00")
}

// shapeOfCond returns a condition without names and literals, equal parts once.
func shapeOfCond(c code.Cond) string {
	switch c.Op {
	case code.CondIs:
		return "x is x"
	case code.CondNot, code.CondAnd, code.CondOr:
		var parts []string
		for _, a := range c.Args {
			parts = appendNew(parts, []string{shapeOfCond(a)})
		}
		slices.Sort(parts)
		return strconv.Itoa(int(c.Op)) + "(" + strings.Join(parts, ",") + ")"
	default:
		return words.ReplaceAllString(c.Text, "x")
	}
}

// alikeTable states the cases of several functions as one table.
func (m *material) alikeTable(list []statement) statement {
	first := &list[0]
	out := statement{symbol: first.symbol, score: first.score}
	var names, rows []string
	where := m.sharedWhere(list)
	for i := range list {
		s := &list[i]
		r := s.one
		names = append(names, s.symbol)
		out.claims = append(out.claims, s.claims...)
		out.tests = appendNew(out.tests, s.tests)
		out.shown = out.shown.Or(s.shown)
		out.reach, out.score = max(out.reach, s.reach), max(out.score, s.score)
		rows = append(rows, tableRow(m.subjectOf(r.claim), strings.TrimSuffix(r.when, where), r.ends, markdown.Code(m.short(r.at)), m.testCell(r)))
	}
	out.at = first.at
	out.score += scoreCase * min(len(list), maxScored)
	o := first.one.claim.Outcome
	ends := codeSpan(o.Error)
	if o.Error == "" || !sameError(list) {
		ends = wording.In(m.lang, "an error", "错误")
	}
	out.title = fmt.Sprintf(wording.In(m.lang, "%[1]s SHALL each %[2]s %[3]s in one case", "%[1]s 必须各在一种情形下%[2]s %[3]s"), m.sum(names), m.wordsOf(first.one.claim).Verb(o.How), ends)
	out.text = tableHead(wording.In(m.lang, "Function|When|Error|Evidence|Tests", "函数|条件|错误|依据|测试")) + m.rows(rows)
	if where != "" {
		_, said, _ := strings.Cut(where, wording.In(m.lang, "where ", "其中 "))
		out.text = above(fmt.Sprintf(wording.In(m.lang, "Here %s.", "其中 %s。"), said), out.text)
	}
	if more := m.predicates(out.claims); more != "" {
		out.text = above(out.text, more)
	}
	return out
}

// sharedWhere returns what all conditions end with to say what a variable in them is; "" if they do not.
func (m *material) sharedWhere(list []statement) string {
	mark := wording.In(m.lang, ", where ", "，其中 ")
	at := strings.LastIndex(list[0].one.when, mark)
	if at < 0 {
		return ""
	}
	where := list[0].one.when[at:]
	if slices.ContainsFunc(list, func(s statement) bool { return !strings.HasSuffix(s.one.when, where) }) {
		return ""
	}
	return where
}

// sameError reports whether statements are about one kind of error.
func sameError(list []statement) bool {
	return !slices.ContainsFunc(list, func(s statement) bool { return s.one.claim.Outcome.Error != list[0].one.claim.Outcome.Error })
}
