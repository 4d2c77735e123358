package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
	"github.com/reverse-spec/reverse-spec/internal/wording"
)

// tableCase is a row of a table of cases of one function.
type tableCase struct {
	claim   *evidence.Claim
	terms   []paths.Term // its condition; nil where only its words are known
	partial bool         // the terms are necessary, not sufficient
	when    string       // the condition in words, by itself
	ends    string       // what then happens
	at      string       // its places, as code
	tests   string       // "" if the table names none
}

// situated is a table of the cases of a function, or of the function that it returns.
type situated struct {
	symbol string
	later  bool
	text   string
}

// caseTable returns the table of some cases: what all conditions share is said once above it, what several rows in sequence begin
// with in a row above them, and where a variable comes from in the first row that names it. Cut joins the rows and may leave some
// out.
func (m *material) caseTable(list []tableCase, head string, cut func(rows []string) string) string {
	t := &caseWriter{material: m, common: sharedTerms(list), tests: slices.ContainsFunc(list, func(c tableCase) bool { return c.tests != "" })}
	if t.tests {
		head += wording.In(m.lang, "|Tests", "|测试")
	}
	shared := ""
	if len(t.common) > 0 {
		shared = fmt.Sprintf(wording.In(m.lang, "In each case, %s.", "各情形的共同条件：%s。"), m.wordsOf(list[0].claim).TermsAfter(t.common, &t.said))
		list = slices.Clone(list)
		for i := range list {
			list[i].terms = withoutTerms(list[i].terms, t.common)
		}
	}
	var rows []string
	i := 0
	for _, n := range m.underOne(list) {
		var prefix []paths.Term
		if n > 1 {
			prefix = leading(list[i : i+n])
			rows = append(rows, t.row(m.wordsOf(list[i].claim).TermsAfter(prefix, &t.said)+wording.In(m.lang, ":", "："), "", "", ""))
		}
		for _, c := range list[i : i+n] {
			rows = append(rows, t.row(t.when(&c, prefix), c.ends, c.at, c.tests))
		}
		i += n
	}
	return above(shared, tableHead(head)+cut(rows))
}

// caseWriter writes the rows of one table of cases.
type caseWriter struct {
	*material
	common []paths.Term // what all cases share
	tests  bool         // the table names tests
	said   []string     // where variables come from, as it was said
}

func (t *caseWriter) row(when, ends, at, tests string) string {
	if !t.tests {
		return tableRow(when, ends, at)
	}
	return tableRow(when, ends, at, tests)
}

// when puts into words what is left of the condition of a case after the terms that were said before: those of all cases, and the
// prefix of its group.
func (t *caseWriter) when(c *tableCase, prefix []paths.Term) string {
	if len(c.terms) == 0 && len(t.common) == 0 {
		return c.when
	}
	rest := c.terms[len(prefix):]
	text := t.wordsOf(c.claim).TermsAfter(rest, &t.said)
	switch {
	case text == "" && c.partial:
		text = wording.In(t.lang, "in some cases", "部分情形下")
	case text == "":
		text = wording.In(t.lang, "always", "总是")
	default:
		if c.claim.Kind == evidence.Exit {
			text += t.setBy(c.claim, rest)
		}
		if c.partial {
			text = wording.In(t.lang, "only when ", "仅当 ") + text
		}
	}
	if len(prefix) > 0 {
		text = wording.In(t.lang, "… and ", "……且 ") + text
	}
	return text
}

// leastSaved is the number of bytes of a table from which its rows are put under one of what they share.
const leastSaved = 80

// underOne divides cases into those that are best put under a row of the terms that they begin with, in sequence, by their numbers:
// 1 for a case by itself. Best is what makes the table shortest.
func (m *material) underOne(list []tableCase) []int {
	saved := make([]int, len(list)+1) // by the cases from an index on
	size := make([]int, len(list))    // of the group that begins there
	for i := len(list) - 1; i >= 0; i-- {
		saved[i], size[i] = saved[i+1], 1
		for n := 2; i+n <= len(list); n++ {
			shared := leading(list[i : i+n])
			if len(shared) == 0 {
				break
			}
			bytes := (n - 1) * len(m.wordsOf(list[i].claim).Terms(shared))
			if all := bytes + saved[i+n]; bytes > leastSaved && all > saved[i] {
				saved[i], size[i] = all, n
			}
		}
	}
	var out []int
	for i := 0; i < len(list); i += size[i] {
		out = append(out, size[i])
	}
	return out
}

// leading returns the terms that the conditions of all cases begin with.
func leading(list []tableCase) []paths.Term {
	n := len(list[0].terms)
	for _, c := range list[1:] {
		same := 0
		for same < min(n, len(c.terms)) && sameTerm(c.terms[same], list[0].terms[same]) {
			same++
		}
		n = same
	}
	return list[0].terms[:n]
}

// sharedTerms returns the terms that the conditions of all cases have, in their order; nil for one case alone.
func sharedTerms(list []tableCase) []paths.Term {
	if len(list) < leastRows {
		return nil
	}
	var out []paths.Term
	for _, t := range list[0].terms {
		if !slices.ContainsFunc(list, func(c tableCase) bool { return !hasTerm(c.terms, t) }) {
			out = append(out, t)
		}
	}
	return out
}

func hasTerm(list []paths.Term, t paths.Term) bool {
	return slices.ContainsFunc(list, func(o paths.Term) bool { return sameTerm(o, t) })
}

func sameTerm(a, b paths.Term) bool {
	return a.Text == b.Text && a.Where == b.Where && a.Origin == b.Origin
}

func withoutTerms(list, gone []paths.Term) []paths.Term {
	return slices.DeleteFunc(slices.Clone(list), func(t paths.Term) bool { return hasTerm(gone, t) })
}

// inGlance says of the cases of a requirement where they are.
var inGlance = label{"*At a glance* lists them.", "见“概览”。"}

// referToGlance writes, for requirements whose table the summary has, where it is instead of the table.
func (m *material) referToGlance(s *Spec) {
	main, later := m.mainFunction()
	if s.Glance == "" || main == "" || m.glanceCut || len(m.ofKind(evidence.Route)) > 0 {
		return
	}
	for i := range s.Requirements {
		r := &s.Requirements[i]
		if t := m.tables[r.ID]; t.text != "" && t.symbol == main && t.later == later {
			r.Text = strings.Replace(r.Text, t.text, inGlance.in(m.lang), 1)
		}
	}
}
