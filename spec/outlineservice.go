package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/evidence/service"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// servedRules returns the rule about what the routes of the module answer.
func (m *material) servedRules() []ruleDraft {
	d := ruleDraft{Rule: Rule{Key: "routes"}, score: scoreServed}
	var names []string
	for _, c := range m.ofKind(evidence.Route) {
		names = append(names, c.Name)
		d.Claims, d.asked = append(d.Claims, c.ID()), append(d.asked, c)
		for _, e := range m.evidenceOf(c) {
			d.Places = appendNew(d.Places, []string{e.Place})
		}
		d.Cases = append(d.Cases, m.servedCase(c))
	}
	switch len(names) {
	case 0:
		return nil
	case 1:
		d.Name = fmt.Sprintf(m.in("%s is served", "提供 %s"), names[0])
		d.Says = fmt.Sprintf(m.in("The service SHALL answer %s", "服务必须应答 %s"), codeSpan(names[0]))
	default:
		d.Name = m.in("Routes that are served", "提供的路由")
		d.Says = fmt.Sprintf(m.in("The service SHALL answer requests to %s", "服务必须应答对 %s 的请求"), m.sum(names))
	}
	return []ruleDraft{d}
}

// firstPlaceOf returns the first place of a claim; "" for none.
func firstPlaceOf(c *evidence.Claim) string {
	if len(c.At) == 0 {
		return ""
	}
	return placeOf(c)
}

// storing says what a route does to a table.
var storing = map[string]label{service.Inserts: {"insert into", "插入"}, service.Updates: {"update", "更新"}, service.Deletes: {"delete from", "删除"}}

// servedCase says what a route answers to a request that nothing refuses.
func (m *material) servedCase(c *evidence.Claim) RuleCase {
	out := RuleCase{
		Name: c.Name, When: fmt.Sprintf(m.in("%s is requested and no rule refuses the request", "请求 %s，且没有规则拒绝该请求"), codeSpan(c.Name)),
		Do: m.in("answer it", "应答"), Then: m.in("it is answered", "得到应答"), At: firstPlaceOf(c),
	}
	if c.Served == nil {
		return out
	}
	if len(c.Served.Success) > 0 {
		with := m.in(" with ", " ") + strings.Join(codes(c.Served.Success), m.in(" or ", " 或 "))
		out.Do, out.Then = out.Do+with, out.Then+with
	}
	for _, s := range m.ofKind(evidence.Stored) {
		if verb := storing[s.Role]; s.Of == c.Name && verb.en != "" {
			out.Do += fmt.Sprintf(m.in(", and %[1]s %[2]s", "，并%[1]s %[2]s"), verb.in(m.lang), codeSpan(s.Name))
			out.Then += fmt.Sprintf(m.in("; it %[1]s %[2]s", "；%[1]s %[2]s"), m.in(third(verb.en), verb.zh), codeSpan(s.Name))
		}
	}
	if c.Served.Shadowed {
		out.When = fmt.Sprintf(m.in("%s is requested, of which an earlier route takes the requests", "请求 %s，而先注册的路由会接收其请求"), codeSpan(c.Name))
		out.Do, out.Then = m.in("answer by the earlier route", "由先注册的路由应答"), m.in("the earlier route answers", "由先注册的路由应答")
	}
	return out
}

// refusedRules returns a rule for each status with which requests are refused.
func (m *material) refusedRules() []ruleDraft {
	var out []ruleDraft
	for _, s := range m.refused() {
		status := s.claims[0].Outcome.Status
		d := draftOf("refused "+status, &s)
		d.Name = fmt.Sprintf(m.in("Requests refused with %s", "以 %s 拒绝的请求"), status)
		unhandled := !slices.ContainsFunc(s.claims, func(c *evidence.Claim) bool { return c.Role != evidence.Unhandled })
		switch {
		case unhandled:
			d.Name = fmt.Sprintf(m.in("Errors answered with %s", "以 %s 应答的错误"), status)
		case status == "":
			d.Name = m.in("Requests refused with an error", "以错误拒绝的请求")
		}
		d.asked, d.Of, d.Places = s.claims, "", nil
		for _, c := range s.claims {
			for _, e := range m.evidenceOf(c) {
				d.Places = appendNew(d.Places, []string{e.Place})
			}
			d.Cases = append(d.Cases, m.refusedCase(c))
		}
		if m.inSequence(s.claims) {
			d.Note = m.in("The cases in one function are checked in the order of its lines; a later one is met only if no earlier one is.", "同一函数中的情形按行序检查；前面的均不成立时才会到达后面的。")
		}
		out = append(out, d)
	}
	return out
}

// refusedCase is one case in which requests are refused.
func (m *material) refusedCase(c *evidence.Claim) RuleCase {
	out := RuleCase{Kind: Unwanted, At: firstPlaceOf(c)}
	out.When = fmt.Sprintf(m.in("a request to %[1]s comes and %[2]s", "对 %[1]s 的请求到达，且 %[2]s"), m.routesSaid(c), m.refusedCause(c))
	answer := strings.TrimSpace(codeOf(c.Outcome.Status) + " " + m.refusalMessage(c))
	if answer == "" {
		answer = m.in("an error", "错误")
	}
	out.Do, out.Then = m.in("refuse it with ", "拒绝并应答 ")+answer, m.in("it is refused with ", "被拒绝并得到应答 ")+answer
	if c.Role == evidence.Unhandled {
		out.Do, out.Then = m.in("answer it with ", "应答 ")+answer, m.in("it is answered with ", "得到应答 ")+answer
	}
	switch {
	case c.Outcome.Message != "" && c.Subject != "":
		out.Name = c.Subject + ": " + c.Outcome.Message
	case c.Outcome.Message != "":
		out.Name = c.Outcome.Message
	case c.Subject != "" && c.Outcome.Error != "":
		out.Name = c.Subject + ": " + lastPart(c.Outcome.Error)
	case c.Subject != "":
		out.Name = fmt.Sprintf(m.in("Refused in %s", "由 %s 拒绝"), c.Subject)
	case c.Outcome.By == "parameters":
		out.Name = m.in("A parameter or the body cannot be read", "参数或请求体无法读取")
	case c.Outcome.By != "":
		out.Name = fmt.Sprintf(m.in("Refused by %s", "由 %s 拒绝"), c.Outcome.By)
	default:
		out.Name = m.in("Refused by the framework", "由框架拒绝")
	}
	return out
}

// routesSaid names the routes of a refusal in a sentence: those without it, if they are fewer.
func (m *material) routesSaid(c *evidence.Claim) string {
	var without []string
	for _, r := range m.ofKind(evidence.Route) {
		if r.Served != nil && !slices.Contains(c.Values, r.Name) {
			without = append(without, r.Name)
		}
	}
	switch {
	case len(without) == 0 && len(c.Values) > 1:
		return m.in("any route", "任一路由")
	case len(without) > 0 && len(without) < len(c.Values) && len(without) <= maxPlaces:
		return m.in("any route but ", "除外的任一路由：") + m.sum(without)
	}
	return m.sum(c.Values)
}

// refusedCause says what makes a request refused, as a clause.
func (m *material) refusedCause(c *evidence.Claim) string {
	list := m.alternatives(c)
	if len(list) == 0 && c.Subject != "" && frameworkWords(c.Outcome.Error, m.lang) == "" {
		if c.Outcome.Error != "" {
			return fmt.Sprintf(m.in("%[1]s fails with %[2]s", "%[1]s 以 %[2]s 失败"), codeSpan(c.Subject), codeSpan(c.Outcome.Error))
		}
		return fmt.Sprintf(m.in("%s refuses it", "由 %s 拒绝"), codeSpan(c.Subject))
	}
	text := m.refusedWhen(c)
	if text == codeSpan(c.Outcome.Error) {
		return fmt.Sprintf(m.in("%s is raised", "抛出 %s"), text)
	}
	return text
}

// commandRules returns a rule for each command of a program.
func (m *material) commandRules() []ruleDraft {
	var out []ruleDraft
	for _, c := range m.ofKind(evidence.Command) {
		d := ruleDraft{Rule: Rule{Key: "command " + c.Name, Of: c.Subject, Claims: []string{c.ID()}}, score: scoreCommand}
		d.Name = fmt.Sprintf(m.in("Command %s", "命令 %s"), c.Name)
		d.Says = fmt.Sprintf(m.in("The program SHALL have the command %s", "程序必须提供命令 %s"), codeSpan(c.Name))
		does := ""
		if c.Option != nil && c.Option.Help != "" {
			does, _ = markdown.Sentence(c.Option.Help, markdown.TitleBytes)
			d.Name += ": " + does
			d.Says += m.in(": “", "：“") + escaped(does) + "”"
		}
		for _, e := range m.evidenceOf(c) {
			d.Places = append(d.Places, e.Place)
		}
		run := fmt.Sprintf(m.in("%s is run", "执行 %s"), codeSpan(m.usage(c)))
		one := RuleCase{Name: m.in("It is run", "执行"), When: run, Do: m.in("run it", "执行它"), Then: m.in("the command runs", "命令被执行"), At: firstPlaceOf(c)}
		if does != "" {
			one.Do = fmt.Sprintf(m.in("do what its help says: “%s”", "按其帮助所述执行：“%s”"), escaped(does))
			one.Then = fmt.Sprintf(m.in("it does what its help says: “%s”", "按其帮助所述执行：“%s”"), escaped(does))
		}
		d.Cases = append([]RuleCase{one}, m.commandCases(c)...)
		out = append(out, d)
	}
	return out
}

// usage returns how a command is called, without its flags.
func (m *material) usage(c *evidence.Claim) string {
	if c.Text != "" {
		return c.Name + " " + c.Text
	}
	parts := []string{c.Name}
	for _, p := range m.ofKind(evidence.Argument) {
		if p.Of == c.Name && p.Option != nil && p.Role != evidence.Hidden {
			parts = append(parts, usageOf(p))
		}
	}
	return strings.Join(parts, " ")
}

// commandCases returns the defaults of the flags of a command and the statuses with which it ends.
func (m *material) commandCases(c *evidence.Claim) []RuleCase {
	var out []RuleCase
	for _, p := range slices.Concat(m.ofKind(evidence.Flag), m.ofKind(evidence.Argument)) {
		if p.Of != c.Name || p.Option == nil || p.Role == evidence.Hidden {
			continue
		}
		switch name := codeSpan(p.Name); {
		case p.Option.Required:
			out = append(out, RuleCase{
				At: firstPlaceOf(p), Name: fmt.Sprintf(m.in("Without %s", "未给出 %s"), p.Name), Kind: Unwanted, When: fmt.Sprintf(m.in("%[1]s is run without %[2]s", "执行 %[1]s 而未给出 %[2]s"), codeSpan(c.Name), name),
				Do: m.in("refuse the command line", "拒绝该命令行"), Then: m.in("the command line is refused", "该命令行被拒绝"),
			})
		case p.Option.Default != "":
			out = append(out, RuleCase{
				At: firstPlaceOf(p), Name: fmt.Sprintf(m.in("Without %s", "未给出 %s"), p.Name), Kind: Optional, When: fmt.Sprintf(m.in("%[1]s is run without %[2]s", "执行 %[1]s 而未给出 %[2]s"), codeSpan(c.Name), name),
				Do: m.in("use ", "使用 ") + codeSpan(p.Option.Default), Then: codeSpan(p.Option.Default) + m.in(" is used", " 被采用"),
			})
		case p.Option.Help != "" && p.Kind == evidence.Flag:
			help, _ := markdown.Sentence(p.Option.Help, markdown.TitleBytes)
			out = append(out, RuleCase{
				At: firstPlaceOf(p), Name: fmt.Sprintf(m.in("With %s", "给出 %s"), p.Name), Kind: Optional, When: fmt.Sprintf(m.in("%[1]s is run with %[2]s", "执行 %[1]s 并给出 %[2]s"), codeSpan(c.Name), name),
				Do: fmt.Sprintf(m.in("do what the help says of it: “%s”", "按帮助所述执行：“%s”"), escaped(help)), Then: fmt.Sprintf(m.in("it does what the help says: “%s”", "按帮助所述执行：“%s”"), escaped(help)),
			})
		}
	}
	for _, p := range m.ofKind(evidence.ExitStatus) {
		if p.Of != c.Name {
			continue
		}
		if when := m.statusWhen(p); when != "" {
			out = append(out, RuleCase{
				At: firstPlaceOf(p), Name: m.in("Exit status ", "退出状态 ") + p.Name, Kind: Unwanted, When: fmt.Sprintf(m.in("%[1]s is run and %[2]s", "执行 %[1]s，且 %[2]s"), codeSpan(c.Name), when),
				Do: m.in("end with status ", "以状态结束：") + codeSpan(p.Name), Then: m.in("it ends with status ", "以状态结束：") + codeSpan(p.Name),
			})
		}
	}
	return out
}

// saidRules returns the rules about services, topics and what documentation demands of callers.
func (m *material) saidRules() []ruleDraft {
	var out []ruleDraft
	for _, kind := range alone {
		for _, c := range m.ofKind(kind) {
			d := ruleDraft{Rule: Rule{Key: string(kind) + " " + c.Name + " " + c.Role + " " + c.Subject, Of: c.Subject, Claims: []string{c.ID()}}, score: scoreSaid}
			d.Key = strings.Join(strings.Fields(d.Key), " ")
			for _, e := range m.evidenceOf(c) {
				d.Places = append(d.Places, e.Place)
			}
			d.Says = Say(c, m.lang)
			m.sayOne(&d, c)
			if len(d.Cases) > 0 {
				out = append(out, d)
			}
		}
	}
	return out
}

// sayOne words the rule about one claim.
func (m *material) sayOne(d *ruleDraft, c *evidence.Claim) {
	switch {
	case c.Kind == evidence.Service:
		d.Name = fmt.Sprintf(m.in("gRPC service %s", "gRPC 服务 %s"), c.Name)
		d.Says = fmt.Sprintf(m.in("The gRPC service %s SHALL be served", "必须提供 gRPC 服务 %s"), codeSpan(c.Name))
		d.Cases = []RuleCase{{At: firstPlaceOf(c), Name: m.in("A call", "调用"), When: fmt.Sprintf(m.in("a client calls %s", "客户端调用 %s"), codeSpan(c.Name)), Do: m.in("serve it", "提供服务"), Then: m.in("it is served", "得到服务")}}
	case c.Kind == evidence.Topic && c.Role == evidence.Sent:
		d.Name = fmt.Sprintf(m.in("Messages sent to %s", "发送到 %s 的消息"), c.Name)
		d.Says = fmt.Sprintf(m.in("Messages SHALL be sent to %s", "必须向 %s 发送消息"), codeSpan(c.Name))
		d.Cases = []RuleCase{{At: firstPlaceOf(c), Name: m.in("A message is sent", "发送消息"), When: m.actorOf(c, m.in("has something to tell", "有内容需要通知")), Do: m.in("send it to ", "发送到 ") + codeSpan(c.Name) + m.carrying(c), Then: m.in("a message is sent to ", "消息被发送到 ") + codeSpan(c.Name) + m.carrying(c)}}
	case c.Kind == evidence.Topic:
		d.Name = fmt.Sprintf(m.in("Messages of %s are handled", "处理 %s 的消息"), c.Name)
		d.Says = fmt.Sprintf(m.in("Messages of %s SHALL be handled", "必须处理 %s 的消息"), codeSpan(c.Name))
		d.Cases = []RuleCase{{At: firstPlaceOf(c), Name: m.in("A message comes", "消息到达"), When: fmt.Sprintf(m.in("a message of %s comes", "%s 的消息到达"), codeSpan(c.Name)) + m.carrying(c), Do: m.in("handle it", "处理它") + m.by(c), Then: m.in("it is handled", "得到处理") + m.by(c)}}
	case c.Text != "":
		text := markdown.QuotedRow(documentedSentence(c.Text))
		d.Name = fmt.Sprintf(m.in("What callers of %s keep", "%s 的调用方须遵守的约定"), c.Subject)
		d.Says = fmt.Sprintf(m.in("Callers of %[1]s SHALL keep what its documentation demands: “%[2]s”", "%[1]s 的调用方必须遵守其文档：“%[2]s”"), codeSpan(c.Subject), text)
		d.Cases = []RuleCase{{At: firstPlaceOf(c), Name: m.in("It is used", "使用"), When: fmt.Sprintf(m.in("%s is used", "使用 %s"), codeSpan(c.Subject)), Do: m.in("rely on “", "依赖“") + text + "”", Then: "“" + text + "”"}}
	}
}

// actorOf says that the function of a claim does something.
func (m *material) actorOf(c *evidence.Claim, does string) string {
	if c.Subject == "" {
		return m.in("the module ", "模块") + does
	}
	return codeSpan(c.Subject) + " " + does
}

// carrying says what a message carries; "" for nothing that is known.
func (m *material) carrying(c *evidence.Claim) string {
	if list := carried(c.Values); len(list) > 0 {
		return m.in(" with ", "，携带 ") + listed(list)
	}
	return ""
}

// by names the function of a claim; "" for none.
func (m *material) by(c *evidence.Claim) string {
	if c.Subject == "" {
		return ""
	}
	return m.in(" by ", "，由 ") + codeSpan(c.Subject)
}
