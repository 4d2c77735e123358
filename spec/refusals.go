package spec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// shadowed says that an earlier route takes the requests of a route.
func (m *material) shadowed(s *evidence.Served) string {
	if !s.Shadowed {
		return ""
	}
	return wording.In(m.lang, ", never reached: an earlier route takes its requests", "，不会到达：先注册的路由会接收其请求")
}

// served returns the statement that the routes of the module answer as their table says, and one for each route of which
// the framework is not known.
func (m *material) served() []statement {
	var out []statement
	all := statement{score: scoreServed, keys: []string{"routes"}}
	for _, c := range m.ofKind(evidence.Route) {
		if c.Served == nil {
			s := statement{title: Say(c, m.lang), text: markdown.Quoted(details(c, m.lang)), symbol: c.Subject, claims: []*evidence.Claim{c}, at: m.evidenceOf(c), score: scoreServed}
			out = append(out, s)
			continue
		}
		all.claims = append(all.claims, c)
		if at := m.evidenceOf(c); len(all.at) < maxPlaces && len(at) > 0 {
			all.at = append(all.at, at[0])
		}
	}
	switch len(all.claims) {
	case 0:
		return out
	case 1:
		all.symbol = all.claims[0].Subject
	}
	all.title = m.servedTitle(all.claims)
	return append([]statement{all}, out...)
}

// servedTitle says with which status the routes answer.
func (m *material) servedTitle(claims []*evidence.Claim) string {
	if len(claims) == 1 {
		c := claims[0]
		return fmt.Sprintf(wording.In(m.lang, "%s SHALL answer %s", "%s 必须返回 %s"), codeSpan(c.Name), cmp.Or(tableList(c.Served.Success), wording.In(m.lang, "requests", "请求")))
	}
	routes := map[string][]string{}
	var order []string
	for _, c := range claims {
		for _, answer := range c.Served.Success[:min(1, len(c.Served.Success))] {
			status, _, _ := strings.Cut(answer, " ")
			if routes[status] == nil {
				order = append(order, status)
			}
			routes[status] = append(routes[status], c.Name)
		}
	}
	if len(order) == 0 {
		return fmt.Sprintf(wording.In(m.lang, "The %d routes of the table above SHALL be served", "必须提供上表中的 %d 条路由"), len(claims))
	}
	slices.SortStableFunc(order, func(a, b string) int { return len(routes[b]) - len(routes[a]) })
	parts := []string{fmt.Sprintf(wording.In(m.lang, "A request that no rule refuses SHALL be answered with %s", "未被拒绝的请求必须以 %s 应答"), order[0])}
	for _, status := range order[1:] {
		parts = append(parts, fmt.Sprintf(wording.In(m.lang, "%s with %s", "%s 以 %s 应答"), m.sum(routes[status]), status))
	}
	return strings.Join(parts, wording.In(m.lang, ", ", "，"))
}

// refused returns a statement for each status with which requests are refused: a sentence for one case, a table for several.
func (m *material) refused() []statement {
	var order []string
	byStatus := map[string][]*evidence.Claim{}
	for _, c := range m.ofKind(evidence.Refusal) {
		status := c.Outcome.Status
		if byStatus[status] == nil {
			order = append(order, status)
		}
		byStatus[status] = append(byStatus[status], c)
	}
	slices.Sort(order)
	var out []statement
	for _, status := range order {
		out = append(out, m.refusal(status, byStatus[status]))
	}
	return out
}

// refusal states the cases in which requests are refused with one status.
func (m *material) refusal(status string, claims []*evidence.Claim) statement {
	s := statement{score: scoreRefused, keys: []string{"refused " + status}, claims: claims}
	var rows []string
	for _, c := range claims {
		for _, at := range c.At[:min(1, len(c.At))] {
			if len(s.at) < maxPlaces {
				s.at = append(s.at, Evidence{c.Evidence(), fmt.Sprintf("%s:%d", at.File, at.Line)})
			}
		}
		rows = append(rows, tableRow(m.refusedWhen(c), m.refusalMessage(c), m.routesOf(c), strings.TrimSpace(strings.Trim(m.places(c), " ()"))))
	}
	s.title = fmt.Sprintf(wording.In(m.lang, "A request SHALL be refused with %[1]s in %[2]s", "请求必须在 %[3]d 种情形下以 %[1]s 拒绝"),
		cmp.Or(status, wording.In(m.lang, "an error", "错误")), wording.Count(len(claims), "case"), len(claims))
	if len(claims) == 1 {
		s.symbol = claims[0].Subject
		if text := claims[0].Outcome.Message; text != "" {
			s.title = fmt.Sprintf(wording.In(m.lang, "A request SHALL be refused with %s %s", "请求必须以 %s %s 拒绝"), status, quoted(text))
		}
	}
	s.text = tableHead(wording.In(m.lang, "When|Answer|Routes|Evidence", "条件|应答|路由|依据")) + m.rows(rows)
	return s
}

// refusedWhen says when a request is refused, or else by what.
func (m *material) refusedWhen(c *evidence.Claim) string {
	var list []string
	for _, when := range c.When {
		if text := m.wordsOf(c).Terms(when.All); text != "" && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	by := ""
	if c.Subject != "" {
		by = wording.In(m.lang, "in ", "位于 ") + codeSpan(c.Subject)
	}
	switch {
	case len(list) == 0 && by == "":
		return frameworkRefusal(c.Outcome.Error, m.lang)
	case len(list) == 0:
		return by
	case by == "":
		return strings.Join(list[:min(len(list), maxPlaces)], "; ")
	}
	return strings.Join(list[:min(len(list), maxPlaces)], wording.In(m.lang, "; or ", "；或 ")) + ", " + by
}

// frameworkRefusal says what a framework's own error means.
func frameworkRefusal(name, lang string) string {
	switch {
	case strings.Contains(name, "JSON") || strings.Contains(name, "Decode"):
		return wording.In(lang, "the body is not valid JSON", "请求体不是有效的 JSON")
	case strings.Contains(name, "Validation"):
		return wording.In(lang, "the request does not fit its schema", "请求不符合其模式")
	case name == "":
		return wording.In(lang, "the framework refuses it", "框架拒绝")
	}
	return codeSpan(name)
}

// refusalMessage returns the message of a refusal, or else its error.
func (m *material) refusalMessage(c *evidence.Claim) string {
	if c.Outcome.Message != "" {
		return quoted(c.Outcome.Message)
	}
	return codeOf(c.Outcome.Error)
}

// routesOf lists the routes of a refusal: those without it, if they are fewer.
func (m *material) routesOf(c *evidence.Claim) string {
	var without []string
	all := m.ofKind(evidence.Route)
	for _, r := range all {
		if r.Served != nil && !slices.Contains(c.Values, r.Name) {
			without = append(without, r.Name)
		}
	}
	switch {
	case len(without) == 0 && len(c.Values) > 1:
		return wording.In(m.lang, "all", "全部")
	case len(without) < len(c.Values) && len(without) <= maxPlaces:
		return wording.In(m.lang, "all but ", "除外：") + tableList(without)
	}
	return tableList(c.Values)
}

// quoted returns a message of the source in quotation marks.
func quoted(text string) string { return "“" + escaped(text) + "”" }
