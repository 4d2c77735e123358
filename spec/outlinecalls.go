package spec

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
	"github.com/reverse-spec/reverse-spec/spec/api"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// callRules returns a rule for each function that acts on what it is given.
func (m *material) callRules() []ruleDraft {
	var out []ruleDraft
	writes := m.writingHandlers()
	for _, s := range m.sequences() {
		if writes[s.symbol] {
			continue
		}
		st := statement{symbol: s.symbol, score: scoreExit / 2}
		if s.later {
			st.score = scoreExit
		}
		for _, a := range s.acts {
			if !slices.Contains(st.claims, a.claim) {
				st.claims = append(st.claims, a.claim)
			}
		}
		m.shownBy(&st)
		m.sayEffects(&st, &s)
		d := draftOf(fmt.Sprintf("effects %s", s.symbol), &st)
		if s.later {
			d.Key += " later"
		}
		d.Name = fmt.Sprintf(m.in("What %s calls", "%s 的调用"), s.symbol)
		if s.later && m.refuses(s.symbol) {
			d.Name = fmt.Sprintf(m.in("Requests that %s lets through", "%s 放行的请求"), s.symbol)
		} else if slices.ContainsFunc(s.acts, func(a act) bool { return a.answers() }) {
			d.Name = fmt.Sprintf(m.in("What %s answers", "%s 的应答"), s.symbol)
		}
		d.Cases = m.actCases(&s)
		for i := range s.acts {
			d.Places = appendNew(d.Places, []string{s.acts[i].at})
		}
		out = append(out, d)
	}
	return out
}

// actCases returns a case for the acts in sequence under one condition.
func (m *material) actCases(s *sequence) []RuleCase {
	var out []RuleCase
	for i := 0; i < len(s.acts); {
		first, end := &s.acts[i], i+1
		for end < len(s.acts) && end-i < mostInRow && s.acts[end].when == first.when && s.acts[end].partial == first.partial {
			end++
		}
		acts := s.acts[i:end]
		c := RuleCase{Do: m.shall(acts), At: first.at, Kind: m.kindOf(s.symbol, first.claim.When[first.index].All)}
		c.When = fmt.Sprintf(m.in("%s is called", "调用 %s"), codeSpan(s.symbol))
		switch {
		case s.later && m.refuses(s.symbol):
			c.When = fmt.Sprintf(m.in("a request comes through %s that it does not refuse", "请求经过 %s 且未被拒绝"), codeSpan(s.symbol))
		case s.later:
			c.When = fmt.Sprintf(m.in("the function that %s returns is called", "调用 %s 返回的函数"), codeSpan(s.symbol))
		}
		file, _, _ := strings.Cut(first.at, ":")
		when, cut := m.innermostWords(file, first.when, first.claim.When[first.index].All)
		c.split(c.When, when)
		c.When = m.andWhen(c.When, when)
		c.Then = m.in("it "+third(c.Do), c.Do) + m.givenTo(acts)
		if first.partial || cut {
			c.Then = m.in("it may "+c.Do, "可能"+c.Do) + m.givenTo(acts)
			c.Do += m.othersToo()
		}
		c.Name = m.actName(first)
		out = append(out, c)
		i = end
	}
	return out
}

// actName names what an act does.
func (m *material) actName(a *act) string {
	if a.answers() && a.claim.Name != "" {
		if a.claim.Text != "" {
			return a.claim.Text
		}
		return m.in("Answer ", "应答 ") + a.claim.Name
	}
	return m.in("Call of ", "调用 ") + nameOfCall(a.claim.Values)
}

// nameOfCall returns a call without its arguments.
func nameOfCall(values []string) string {
	if len(values) == 0 {
		return ""
	}
	name, _, _ := strings.Cut(markdown.OneLine(values[0]), "(")
	return strings.TrimSpace(name)
}

// pickRules returns a rule for each choice of one of several values.
func (m *material) pickRules() []ruleDraft {
	var out []ruleDraft
	list := m.picks()
	for i := range list {
		s := &list[i]
		c := s.claims[0]
		d := draftOf("choice "+c.Subject+" "+c.Name, s)
		d.Key = strings.TrimSpace(d.Key)
		d.Name = fmt.Sprintf(m.in("What %s returns", "%s 返回的值"), c.Subject)
		if c.Name != "" {
			d.Name = fmt.Sprintf(m.in("How %[1]s chooses %[2]s", "%[1]s 如何确定 %[2]s"), c.Subject, c.Name)
		}
		earlier := m.refusedBefore(c.Subject, c.When[0].Later, placeOf(c))
		for j, when := range c.When {
			terms := paths.Otherwise(earlier, when.All)
			earlier = append(earlier, when.All)
			text := m.wordsOf(c).Terms(terms)
			if text == "" && j > 0 {
				text = m.in("otherwise", "其他情形")
			}
			value := codeSpan(c.Values[j])
			event := fmt.Sprintf(m.in("%s is called", "调用 %s"), codeSpan(c.Subject))
			one := RuleCase{Name: c.Values[j], When: m.andWhen(event, text), Kind: m.kindOf(c.Subject, terms), At: fmt.Sprintf("%s:%d", c.At[j].File, c.At[j].Line)}
			one.split(event, text)
			one.Do, one.Then = m.in("return ", "返回 ")+value, m.in("it returns ", "返回 ")+value
			if c.Name != "" {
				one.Do = fmt.Sprintf(m.in("take %[1]s as %[2]s", "以 %[1]s 作为 %[2]s"), value, codeSpan(c.Name))
				one.Then = fmt.Sprintf(m.in("it takes %[1]s as %[2]s", "以 %[1]s 作为 %[2]s"), value, codeSpan(c.Name))
			}
			d.Cases = append(d.Cases, one)
		}
		out = append(out, d)
	}
	return out
}

// resultRules returns a rule for each function that returns one of several values.
func (m *material) resultRules() []ruleDraft {
	handlers := map[string]bool{}
	for _, c := range m.ofKind(evidence.Route) {
		handlers[c.Subject] = true
	}
	var out []ruleDraft
	for _, c := range m.ofKind(evidence.Result) {
		if len(c.Values) != len(c.When) || len(c.At) < len(c.When) || len(c.Values) < 2 || c.Role == evidence.Given || handlers[c.Subject] || m.toldWithType(c) || m.ofNobody(c) {
			continue
		}
		s := statement{symbol: c.Subject, claims: []*evidence.Claim{c}, score: scoreExit/2 + min(m.weightOf(c), maxScored)}
		m.shownBy(&s)
		d := draftOf("results "+c.Subject, &s)
		d.Name = fmt.Sprintf(m.in("Results of %s", "%s 的结果"), c.Subject)
		d.Says = fmt.Sprintf(m.in("%s SHALL return the result of the first case that holds", "%s 必须返回首个成立情形的结果"), codeSpan(c.Subject))
		rows := m.resultRows(c)
		if i := slices.IndexFunc(rows, func(r resultRow) bool { return r.when == "" }); i >= 0 { // unless what is below holds, such as an error that is caught
			rows[i].when = m.in("otherwise", "其他情形")
			rows = append(slices.Delete(slices.Clone(rows), i, i+1), rows[i])
		}
		for _, r := range rows {
			d.Places = appendNew(d.Places, []string{r.at})
			one := RuleCase{
				Name: m.in("Returns ", "返回 ") + r.value, When: m.andWhen(m.called(c), r.when), Kind: m.kindOf(c.Subject, r.terms),
				Do: m.in("return ", "返回 ") + r.text, Then: m.in("it returns ", "返回 ") + r.text, At: r.at,
			}
			if r.when != m.in("otherwise", "其他情形") {
				one.split(m.called(c), r.when)
			}
			d.Cases = append(d.Cases, one)
		}
		out = append(out, d)
	}
	return out
}

// settingRules returns the rules about what is used where an option or a setting is not given.
func (m *material) settingRules() []ruleDraft {
	var out []ruleDraft
	env := ruleDraft{Rule: Rule{Key: "settings", Name: m.in("Settings that are not given", "未给出的配置项"), Says: m.in("The module SHALL use these defaults for settings that are not given", "对未给出的配置项，模块必须采用下列默认值")}, score: scoreExit}
	for i := range m.claims {
		c := &m.claims[i]
		if !m.isSetting(c) || c.Option == nil || len(c.At) == 0 {
			continue
		}
		if one, ok := m.settingCase(c); ok {
			env.Cases, env.Claims, env.Places = append(env.Cases, one), append(env.Claims, c.ID()), appendNew(env.Places, []string{placeOf(c)})
		}
	}
	out = append(out, env)
	at := map[string]int{}
	for _, c := range m.ofKind(evidence.Field) {
		if c.Option == nil || isNothing(c.Option.Default) || m.isPlain(c) || len(c.At) == 0 {
			continue
		}
		i, known := at[c.Subject]
		if !known {
			i, at[c.Subject] = len(out), len(out)
			d := ruleDraft{Rule: Rule{Key: "defaults " + c.Subject, Of: c.Subject}, score: scoreExit / 2}
			d.Name = fmt.Sprintf(m.in("Defaults of the options of %s", "%s 的选项的默认值"), c.Subject)
			d.Says = fmt.Sprintf(m.in("%s SHALL use a default for each of these options that is not given", "对未给出的下列选项，%s 必须采用默认值"), codeSpan(c.Subject))
			out = append(out, d)
		}
		d, value := &out[i], codeSpan(c.Option.Default)
		d.Claims, d.Places = append(d.Claims, c.ID()), appendNew(d.Places, []string{placeOf(c)})
		d.score += scoreCase / 2
		d.Cases = append(d.Cases, RuleCase{
			At: placeOf(c), Name: fmt.Sprintf(m.in("Without %s", "未给出 %s"), c.Name), Kind: Optional, When: fmt.Sprintf(m.in("%[1]s is used without %[2]s", "使用 %[1]s 而未给出 %[2]s"), codeSpan(c.Subject), codeSpan(c.Name)),
			Do: fmt.Sprintf(m.in("use %[1]s as %[2]s", "以 %[1]s 作为 %[2]s"), value, codeSpan(c.Name)), Then: fmt.Sprintf(m.in("%[1]s is %[2]s", "%[1]s 为 %[2]s"), codeSpan(c.Name), value),
		})
	}
	return out
}

// isNothing reports whether a default only says that there is nothing.
func isNothing(value string) bool {
	switch strings.Trim(value, "`") {
	case "", "None", "nil", "null", "undefined", "{}", "[]", "()", "false", "False", `""`, "''", "0":
		return true
	}
	return false
}

// settingCase says what becomes of a setting that is not given.
func (m *material) settingCase(c *evidence.Claim) (RuleCase, bool) {
	out := RuleCase{Name: c.Name, Kind: Optional, At: firstPlaceOf(c), When: fmt.Sprintf(m.in("%s is not set", "未设置 %s"), codeSpan(c.Name))}
	switch {
	case c.Option.Required:
		out.Kind = Unwanted
		out.Do, out.Then = m.in("refuse to work without it", "拒绝工作"), m.in("the module does not work without it", "模块无法工作")
	case c.Option.Default != "":
		out.Do, out.Then = m.in("use ", "使用 ")+codeSpan(c.Option.Default), m.in("it is ", "取值为 ")+codeSpan(c.Option.Default)
	default:
		return out, false
	}
	return out, true
}

// usageRules returns the rules about how parts of a library are used together.
func (m *material) usageRules() []ruleDraft {
	var out []ruleDraft
	list := m.callOrder()
	for i := range list {
		s := &list[i]
		d := draftOf("order "+s.symbol, s)
		d.Name = fmt.Sprintf(m.in("When %s is called", "何时调用 %s"), s.symbol)
		for _, c := range s.claims {
			text := m.wordsOf(c).Inline(documentedSentence(c.Text))
			d.Cases = append(d.Cases, RuleCase{
				At: firstPlaceOf(c), Name: c.Subject, When: fmt.Sprintf(m.in("a caller uses %s", "调用方使用 %s"), codeSpan(c.Subject)),
				Do:   fmt.Sprintf(m.in("expect a call of %[1]s: “%[2]s”", "要求调用 %[1]s：“%[2]s”"), codeSpan(c.Name), text),
				Then: fmt.Sprintf(m.in("the caller calls %[1]s: “%[2]s”", "调用方调用 %[1]s：“%[2]s”"), codeSpan(c.Name), text),
			})
		}
		out = append(out, d)
	}
	for _, c := range m.ofKind(evidence.PropertyOf) {
		d := ruleDraft{Rule: Rule{Key: "property " + c.Subject + " " + c.Name, Of: c.Subject, Claims: []string{c.ID()}}, score: scoreExit}
		for _, e := range m.evidenceOf(c) {
			d.Places, d.tests = append(d.Places, e.Place), append(d.tests, e.Place)
		}
		one := RuleCase{Name: m.in("Any input", "任意输入"), At: firstPlaceOf(c)}
		if c.Role == evidence.Idempotent {
			d.Name = fmt.Sprintf(m.in("%s does not change its own result", "%s 不改变自身的结果"), c.Subject)
			d.Says = fmt.Sprintf(m.in("%s SHALL not change its own result", "%s 对自身的结果不得再作更改"), codeSpan(c.Subject))
			one.When = fmt.Sprintf(m.in("%s is given its own result", "将 %s 的结果再传给它"), codeSpan(c.Subject))
			one.Do, one.Then = m.in("return the same", "返回相同的内容"), m.in("the result is the same", "结果相同")
		} else {
			d.Name = fmt.Sprintf(m.in("%[1]s is the inverse of %[2]s", "%[1]s 是 %[2]s 的逆"), c.Subject, c.Name)
			d.Says = fmt.Sprintf(m.in("%[1]s SHALL give back what %[2]s was given", "%[1]s 必须还原传给 %[2]s 的内容"), codeSpan(c.Subject), codeSpan(c.Name))
			one.When = fmt.Sprintf(m.in("%[1]s is given the result of %[2]s", "将 %[2]s 的结果传给 %[1]s"), codeSpan(c.Subject), codeSpan(c.Name))
			one.Do = fmt.Sprintf(m.in("give back what %s was given", "还原传给 %s 的内容"), codeSpan(c.Name))
			one.Then = fmt.Sprintf(m.in("the result is what %s was given", "结果为传给 %s 的内容"), codeSpan(c.Name))
		}
		d.Cases = []RuleCase{one}
		out = append(out, d)
	}
	return out
}

// documentedRules returns a rule for each exported function whose documentation says something observable.
func (m *material) documentedRules() []ruleDraft {
	var out []ruleDraft
	for _, s := range m.observed() {
		st := m.documentedStatement(&s.named, s.shall, "", s.tests)
		d := draftOf("doc "+s.key, &st)
		d.Of, d.Places = s.name, []string{api.Place(s.Symbol)}
		name, _, _ := strings.Cut(s.key, "@") // with the types of its parameters if there are overloads
		d.Name = name + ": " + s.shall
		d.score = scoreExit + 2*d.score
		d.Note = foreign(s.rules, m.lang, "文档还说明：“%s”")
		does := markdown.QuotedRow(s.shall)
		d.Cases = []RuleCase{{
			At: api.Place(s.Symbol), Name: m.in("A call", "调用"), When: fmt.Sprintf(m.in("%s is called", "调用 %s"), markdown.Code(s.name)),
			Do: foreign(does, m.lang, "如文档所述：“%s”"), Then: m.in("it SHALL "+does, "必须如文档所述："+"“"+does+"”"),
		}}
		out = append(out, d)
	}
	return out
}

// ofItsOwn reports whether an example begins with a call of the function itself, by its name: what a variable of the test is
// nobody knows.
func ofItsOwn(says, name string) bool {
	head, _, _ := strings.Cut(strings.TrimLeft(says, "` "), "(")
	_, member := cutOwner(name)
	owner, last := cutOwner(head)
	return last == member && (owner == "" || unicode.IsUpper([]rune(owner)[0]))
}

// testedRules returns a rule for each exported function that tests call and whose documentation states nothing.
func (m *material) testedRules(documented []ruleDraft) []ruleDraft {
	var out []ruleDraft
	stated := map[string]bool{}
	for i := range documented {
		stated[documented[i].Of] = true
	}
	for _, s := range m.public {
		if stated[s.name] || s.Kind != code.Function && s.Kind != code.Method && s.Kind != code.Macro {
			continue
		}
		tests := m.direct(&s, m.reaching.Of(s.File, s.name, s.StartLine))
		list := m.examples(&s, tests)
		if len(list) == 0 {
			continue
		}
		d := ruleDraft{Rule: Rule{Key: "tests " + s.key, Of: s.name}, score: scoreExit/2 + scoreTest*min(len(tests), maxScored), byTests: true}
		d.Name = fmt.Sprintf(m.in("Tested behavior of %s", "%s 的受测行为"), s.name)
		d.Places = []string{api.Place(s.Symbol)}
		d.Says = fmt.Sprintf(m.in("%s SHALL behave as its tests show", "%s 必须符合其测试所示的行为"), markdown.Code(s.name))
		for _, e := range list {
			if !ofItsOwn(e.says, s.name) {
				continue
			}
			d.Cases = append(d.Cases, RuleCase{
				At: e.at, Name: e.says, When: fmt.Sprintf(m.in("%s is called with the arguments of the example", "以示例的参数调用 %s"), markdown.Code(s.name)), Do: m.in("make this hold: ", "使下列成立：") + e.says, Then: e.says,
			})
		}
		for _, t := range tests {
			d.tests = append(d.tests, t.Place())
		}
		out = append(out, d)
	}
	return out
}
