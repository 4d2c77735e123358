package spec

import (
	"fmt"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/wording"
)

// mostParts is how many parts of a text a page shows at least: without one of them the text cannot be made.
const mostParts = 20

// built returns a statement for each function that builds a text from parts, each under a condition of its own.
func (m *material) built() []statement {
	var out []statement
	for _, c := range m.ofKind(evidence.Built) {
		if m.ofNobody(c) || len(c.When) != len(c.Values) || len(c.At) < len(c.Values) {
			continue
		}
		s := statement{symbol: c.Subject, keys: []string{"built " + c.Subject}, claims: []*evidence.Claim{c}, score: scoreExit}
		m.shownBy(&s)
		s.at = []Evidence{{c.Evidence(), fmt.Sprintf("%s:%d", c.At[0].File, c.At[0].Line)}}
		s.title = fmt.Sprintf(wording.In(m.lang, "%s SHALL build its result from these parts, in this order", "%s 必须依次用下列部分构成结果"), m.subjectOf(c))
		w := m.wordsOf(c)
		var rows []string
		for i, when := range c.When {
			text := w.Terms(when.All)
			if text == "" {
				text = wording.In(m.lang, "always", "总是")
			}
			rows = append(rows, tableRow(codeSpan(c.Values[i]), text, m.place(fmt.Sprintf("%s:%d", c.At[i].File, c.At[i].Line))))
		}
		s.text = tableHead(wording.In(m.lang, "Part|When|Evidence", "部分|条件|依据")) + m.rowsUpTo(rows, mostParts)
		out = append(out, s)
	}
	return out
}
