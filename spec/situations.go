package spec

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// Limits of the table of situations: its rows, and the functions that it is about.
const (
	maxSituations = 10
	leastRows     = 2
)

// situations returns a table of what the main function of the module answers in which situation; "" if it has fewer than
// two answers.
func (m *material) situations() string {
	main, later := m.mainFunction()
	if main == "" {
		return ""
	}
	var list []tableCase
	name := codeSpan(main)
	for _, g := range m.exitGroups() {
		if g.symbol != main || g.later != later {
			continue
		}
		if from := g.rows[0].claim.From; len(from) > 0 {
			name = m.sum(from)
		}
		list = append(list, m.exitCases(g.rows)...)
	}
	list = append(list, m.goesOn(main, later, len(list))...)
	if len(list) < leastRows {
		return ""
	}
	head := fmt.Sprintf(wording.In(m.lang, "%s, when|Answer|Evidence", "%s 的情形|结果|依据"), name)
	if later && (m.refuses(main) || m.answers(main)) {
		head = fmt.Sprintf(wording.In(m.lang, "Request through %s, when|Answer|Evidence", "经过 %s 的请求|回答|依据"), codeSpan(main))
	}
	return m.caseTable(list, head, func(rows []string) string {
		left := len(rows) - maxSituations
		if left > 0 {
			rows = append(rows[:maxSituations], tableRow(fmt.Sprintf(wording.In(m.lang, "… %d more below", "……另有 %d 项见下文"), left), "", ""))
		}
		m.glanceCut = left > 0
		return strings.Join(rows, "\n")
	})
}

// restated reports whether one requirement has all that the table of situations says.
func (m *material) restated(list []Requirement) bool {
	main, later := m.mainFunction()
	if main == "" || len(m.ofKind(evidence.Route)) > 0 {
		return false
	}
	var told []*evidence.Claim
	for _, g := range m.exitGroups() {
		for i := range g.rows {
			if g.symbol == main && g.later == later {
				told = append(told, g.rows[i].claim)
			}
		}
	}
	for _, s := range m.sequences() {
		for i := range s.acts {
			if s.symbol == main && s.later == later {
				told = append(told, s.acts[i].claim)
			}
		}
	}
	return slices.ContainsFunc(list, func(r Requirement) bool {
		return !slices.ContainsFunc(told, func(c *evidence.Claim) bool { return !slices.Contains(m.stated[r.ID], c) })
	})
}

// goesOn returns the cases of the calls that a function makes where it refuses nothing.
func (m *material) goesOn(symbol string, later bool, refused int) []tableCase {
	var out []tableCase
	for _, s := range m.sequences() {
		if s.symbol != symbol || s.later != later {
			continue
		}
		if when, same := s.sameCondition(); same {
			if when == "" && refused > 0 {
				when = wording.In(m.lang, "otherwise", "其他情形")
			}
			first := &s.acts[0]
			return []tableCase{{claim: first.claim, terms: first.terms, when: cmp.Or(when, wording.In(m.lang, "always", "总是")), ends: m.inTurn(s.acts), at: markdown.Code(m.short(first.at))}}
		}
		out = append(out, m.stepCases(&s)...)
	}
	return out
}

// answers reports whether the function that a symbol returns answers requests itself.
func (m *material) answers(symbol string) bool {
	return slices.ContainsFunc(m.sequences(), func(s sequence) bool {
		return s.symbol == symbol && s.later && slices.ContainsFunc(s.acts, func(a act) bool { return a.answers() })
	})
}

// mainFunction returns the function that users of the module meet first and whether what matters is the function that it
// returns: the one that is called as the module is, the only exported one, else the one with errors that most tests reach.
func (m *material) mainFunction() (name string, later bool) {
	var list []answerer
	for _, g := range m.exitGroups() {
		list = m.weigh(list, g.rows[0].claim, g.later, len(g.rows))
	}
	for _, s := range m.sequences() {
		list = m.weigh(list, s.acts[0].claim, s.later, len(s.acts))
	}
	list = slices.DeleteFunc(list, func(c answerer) bool { return c.rows < leastRows })
	if len(list) == 0 {
		return "", false
	}
	best := slices.MaxFunc(list, func(a, b answerer) int { return cmp.Compare(a.weight, b.weight) })
	return best.symbol, best.later
}

// answerer is a function that may be the main one of a module.
type answerer struct {
	symbol       string
	later        bool
	rows, weight int
}

// Weights of what makes a function the main one.
const (
	weightMain  = 100
	weightLater = 50
	mostReach   = 40
)

// weigh adds a function with rows to the candidates.
func (m *material) weigh(list []answerer, c *evidence.Claim, later bool, rows int) []answerer {
	if i := slices.IndexFunc(list, func(o answerer) bool { return o.symbol == c.Subject && o.later == later }); i >= 0 {
		list[i].rows += rows
		return list
	}
	weight := weightMain*m.isMain(c.Subject) + rows + min(len(m.reaching.Of(c.At[0].File, c.Subject, c.At[0].Line)), mostReach)
	if later {
		weight += weightLater
	}
	if len(c.From) > 0 {
		weight -= mostReach
	}
	return append(list, answerer{c.Subject, later, rows, weight})
}

// isMain returns how much a symbol is what the module is about: 2 for one with the module's name, 1 for the only function
// that it exports.
func (m *material) isMain(symbol string) int {
	plain := func(text string) string { return strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(text)) }
	if base := path.Base(m.target); plain(symbol) == plain(strings.TrimSuffix(base, path.Ext(base))) {
		return 2
	}
	count := 0
	for i := range m.merged.Exports {
		if s := &m.merged.Exports[i]; s.Kind == code.Function {
			count++
		}
	}
	if count == 1 && !strings.Contains(symbol, ".") {
		return 1
	}
	return 0
}
