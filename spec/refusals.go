package spec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
	"github.com/reverse-spec/reverse-spec/internal/evidence/service"
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
	all := statement{score: scoreServed, keys: []string{"routes"}, tabled: true}
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
	all.text = m.servedTable(all.claims, &all)
	return append([]statement{all}, out...)
}

// servedTitle says with which status the routes answer.
func (m *material) servedTitle(claims []*evidence.Claim) string {
	if len(claims) == 1 {
		c := claims[0]
		return fmt.Sprintf(wording.In(m.lang, "%s SHALL answer %s", "%s 必须返回 %s"), codeSpan(c.Name), cmp.Or(tableList(slices.DeleteFunc(slices.Clone(c.Served.Success), unknownStatus)), wording.In(m.lang, "requests", "请求")))
	}
	routes := map[string][]string{}
	var order []string
	for _, c := range claims {
		status := m.successOf(c)
		if status == "" {
			continue
		}
		if routes[status] == nil {
			order = append(order, status)
		}
		routes[status] = append(routes[status], c.Name)
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

// successOf returns the statuses with which a route answers a request that it does not refuse: "200 or 303"; "" if they are not known.
func (m *material) successOf(c *evidence.Claim) string {
	var list []string
	for _, answer := range c.Served.Success {
		if status, _, _ := strings.Cut(answer, " "); !unknownStatus(answer) && !slices.Contains(list, status) {
			list = append(list, status)
		}
	}
	slices.Sort(list)
	return strings.Join(list, m.in(" or ", " 或 "))
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
	s := statement{score: scoreRefused, keys: []string{"refused " + status}, claims: claims, tabled: true}
	var rows []string
	for _, c := range claims {
		for _, at := range c.At[:min(1, len(c.At))] {
			if len(s.at) < maxPlaces {
				s.at = append(s.at, Evidence{c.Evidence(), fmt.Sprintf("%s:%d", at.File, at.Line)})
			}
		}
		cells := []string{m.refusedWhen(c), m.refusalMessage(c), m.routesOf(c)}
		if len(m.trials()) > 0 {
			found := m.testsOfRefusal(c, claims)
			s.withTests(found)
			cells = append(cells, m.requestCell(found))
		}
		rows = append(rows, tableRow(append(cells, m.placeList(c))...))
	}
	s.title = fmt.Sprintf(wording.In(m.lang, "A request SHALL be refused with %[1]s in %[2]s", "请求必须在 %[3]d 种情形下以 %[1]s 拒绝"),
		cmp.Or(status, wording.In(m.lang, "an error", "错误")), wording.Count(len(claims), "case"), len(claims))
	if !slices.ContainsFunc(claims, func(c *evidence.Claim) bool { return c.Role != evidence.Unhandled }) {
		s.title = fmt.Sprintf(wording.In(m.lang, "An error that nothing catches SHALL be answered with %[1]s in %[2]s", "未被捕获的错误必须以 %[1]s 应答（%[3]d 种情形）"),
			cmp.Or(status, "500"), wording.Count(len(claims), "case"), len(claims))
	} else if len(claims) == 1 {
		s.symbol = claims[0].Subject
		s.title = fmt.Sprintf(wording.In(m.lang, "A request SHALL be refused with %s", "请求必须以 %s 拒绝"), status)
		if text := claims[0].Outcome.Message; text != "" {
			s.title = fmt.Sprintf(wording.In(m.lang, "A request SHALL be refused with %s %s", "请求必须以 %s %s 拒绝"), status, quoted(text))
		}
	}
	head := wording.In(m.lang, "When|Answer|Routes|Evidence", "条件|应答|路由|依据")
	if len(m.trials()) > 0 {
		head = wording.In(m.lang, "When|Answer|Routes|Tests|Evidence", "条件|应答|路由|测试|依据")
	}
	s.text = tableHead(head) + m.rows(rows)
	if m.inSequence(claims) {
		s.text += "\n\n" + wording.In(m.lang, "The cases in one function are checked in the order of their lines; a later one is met only if no earlier one is.", "同一函数中的情形按行序检查；前面的均不成立时才会到达后面的。")
	}
	return s
}

// inSequence reports whether one of some refusals comes after another of its function.
func (m *material) inSequence(claims []*evidence.Claim) bool {
	return slices.ContainsFunc(claims, func(c *evidence.Claim) bool {
		return len(c.At) > 0 && len(m.refusedEarlier(c, 0)) > 0
	})
}

// refusedEarlier returns the conditions of the refusals of the same function on earlier lines: those in one function are
// checked in its order.
func (m *material) refusedEarlier(c *evidence.Claim, index int) [][]paths.Term {
	if c.Subject == "" {
		return nil
	}
	at := c.At[min(index, len(c.At)-1)]
	var out [][]paths.Term
	for _, o := range m.ofKind(evidence.Refusal) {
		if o.Subject != c.Subject || o.Role == evidence.Unhandled {
			continue
		}
		for i, when := range o.When {
			if p := o.At[min(i, len(o.At)-1)]; p.File == at.File && p.Line < at.Line && !when.Partial && len(when.All) > 0 {
				out = append(out, when.All)
			}
		}
	}
	return out
}

// alternatives puts the conditions of a claim into words, each once.
func (m *material) alternatives(c *evidence.Claim) []string {
	var out []string
	for i, when := range c.When {
		if text := m.refusedIf(c, paths.Otherwise(m.refusedEarlier(c, i), when.All)); text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// inSubject names the subject of a claim as the place of what it says.
func (m *material) inSubject(c *evidence.Claim) string {
	return wording.In(m.lang, "in ", "位于 ") + codeSpan(c.Subject)
}

// refusedWhen says when a request is refused, or else by what.
func (m *material) refusedWhen(c *evidence.Claim) string {
	list := m.alternatives(c)
	by := m.refusedBy(c, len(list) > 0)
	var parts []string
	switch meant := frameworkWords(c.Outcome.Error, m.lang); {
	case len(list) > 0:
		parts = append(parts, strings.Join(list[:min(len(list), maxPlaces)], wording.In(m.lang, "; or ", "；或 ")))
	case meant != "":
		parts = append(parts, meant)
		if c.Subject == "" { // the framework's own step
			by = ""
		}
	case by == "" && c.Outcome.Error == "":
		return wording.In(m.lang, "the framework refuses it", "框架拒绝")
	case by == "":
		return codeSpan(c.Outcome.Error)
	}
	if by != "" {
		parts = append(parts, by)
	}
	return strings.Join(parts, wording.In(m.lang, ", ", "，"))
}

// refusedBy says what refuses a request: the place if the conditions are known, or else who does; "" if that says no more than
// the route and the error.
func (m *material) refusedBy(c *evidence.Claim, conditions bool) string {
	by := c.Outcome.By
	switch {
	case c.Subject != "":
		return m.inSubject(c)
	case by == "parameters":
		return wording.In(m.lang, "a parameter or the body cannot be read", "参数或请求体无法读取")
	case slices.Contains(c.Values, by):
		if conditions {
			return ""
		}
		return wording.In(m.lang, "the handler refuses it", "由处理函数拒绝")
	case by == "" || by == c.Outcome.Error:
		return ""
	case conditions:
		return wording.In(m.lang, "in ", "位于 ") + codeSpan(by)
	}
	return fmt.Sprintf(wording.In(m.lang, "%s refuses it", "由 %s 拒绝"), codeSpan(by))
}

// refusedIf puts the conditions of a refusal into words.
func (m *material) refusedIf(c *evidence.Claim, terms []paths.Term) string {
	var caught []string
	var rest []paths.Term
	for _, t := range terms {
		name, _, _ := strings.Cut(strings.TrimPrefix(t.Text, "catch "), " as ")
		switch {
		case strings.HasPrefix(t.Where, service.CauseAbsent):
			caught = append(caught, fmt.Sprintf(wording.In(m.lang, "no %s header is sent", "请求没有 %s 头"), codeSpan(strings.TrimPrefix(t.Where, service.CauseAbsent))))
		case strings.HasPrefix(t.Where, service.CauseParts):
			n, text, _ := strings.Cut(strings.TrimPrefix(t.Where, service.CauseParts), " ")
			caught = append(caught, fmt.Sprintf(wording.In(m.lang, "%[2]s does not have %[1]s parts", "%[2]s 不是 %[1]s 个部分"), n, codeSpan(text)))
		case strings.HasPrefix(t.Where, service.CauseCall):
			caught = append(caught, fmt.Sprintf(wording.In(m.lang, "%s fails with %s", "%s 以 %s 失败"), codeSpan(strings.TrimPrefix(t.Where, service.CauseCall)), codeSpan(name)))
		default:
			rest = append(rest, t)
		}
	}
	if text := m.wordsOf(c).Terms(rest); text != "" {
		caught = append(caught, text)
	}
	return strings.Join(caught, wording.In(m.lang, " and ", " 且 "))
}

// frameworkWords says what an error means that frameworks raise themselves; "" for others.
func frameworkWords(name, lang string) string {
	for _, e := range frameworkErrors {
		if e.name == lastPart(name) {
			return e.in(lang)
		}
	}
	switch {
	case strings.Contains(name, "JSON") || strings.Contains(name, "Decode"):
		return wording.In(lang, "the body is not valid JSON", "请求体不是有效的 JSON")
	case strings.Contains(name, "Validation"):
		return wording.In(lang, "the request does not fit its schema", "请求不符合其模式")
	}
	return ""
}

// frameworkErrors are the errors that frameworks raise themselves, and what they mean.
var frameworkErrors = []struct {
	name string
	label
}{
	{"HttpMessageNotReadableException", label{"the body is missing or cannot be read", "请求体缺失或无法读取"}},
	{"MethodArgumentNotValidException", label{"the body does not satisfy its constraints", "请求体不满足其约束"}},
	{"MethodArgumentTypeMismatchException", label{"a parameter does not have its type", "参数类型不符"}},
	{"MissingServletRequestParameterException", label{"a required parameter is missing", "缺少必需的参数"}},
	{"MissingRequestHeaderException", label{"a required header is missing", "缺少必需的请求头"}},
	{"MissingServletRequestPartException", label{"a required part of the form is missing", "表单缺少必需的部分"}},
	{"HandlerMethodValidationException", label{"a parameter does not satisfy its constraints", "参数不满足其约束"}},
	{"BindException", label{"the parameters do not fit their object", "参数不符合其对象"}},
	{"HttpMediaTypeNotSupportedException", label{"the type of the body is not supported", "不支持请求体的类型"}},
	{"AccessDeniedException", label{"the caller does not have the right", "调用方没有权限"}},
	{"AuthenticationException", label{"the caller is not authenticated", "调用方未通过认证"}},
	{"NotAuthenticated", label{"no credentials are sent", "请求没有凭据"}},
	{"AuthenticationFailed", label{"the credentials are not valid", "凭据无效"}},
	{"PermissionDenied", label{"the caller does not have the permission", "调用方没有权限"}},
	{"ModelNotFoundException", label{"no row is found", "找不到对应的行"}},
	{"ValidationException", label{"the request does not satisfy its rules", "请求不满足其规则"}},
	{"AuthorizationException", label{"the caller is not authorised", "调用方未获授权"}},
	{"Http404", label{"the object is not found", "找不到该对象"}},
	{"JsonRejection", label{"the body is not valid JSON of its type", "请求体不是其类型的有效 JSON"}},
}

// refusalMessage returns the message of a refusal, or else its error.
func (m *material) refusalMessage(c *evidence.Claim) string {
	if c.Outcome.Message != "" && c.Role != evidence.Unhandled {
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
	case len(without) > 0 && len(without) < len(c.Values) && len(without) <= maxPlaces:
		return wording.In(m.lang, "all but ", "除外：") + tableList(without)
	}
	if left := len(c.Values) - mostNamed; left > 1 { // the table of routes has them all
		return tableList(c.Values[:mostNamed]) + fmt.Sprintf(" … +%d", left)
	}
	return tableList(c.Values)
}

// quoted returns a message of the source in quotation marks.
func quoted(text string) string { return "“" + escaped(text) + "”" }
