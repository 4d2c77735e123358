package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
	"github.com/reverse-spec/reverse-spec/spec/prose"
)

// in returns a text in the language of the spec.
func (m *material) in(en, zh string) string { return wording.In(m.lang, en, zh) }

// draft begins a rule with what a statement knows.
func draftOf(key string, s *statement) ruleDraft {
	d := ruleDraft{Rule: Rule{Key: key, Says: s.title, Of: nameOfKey(s.symbol).Qualified}, score: s.score, tests: s.tests}
	for _, c := range s.claims {
		d.Claims = appendNew(d.Claims, []string{c.ID()})
	}
	for _, e := range s.at {
		d.Places = appendNew(d.Places, []string{e.Place})
	}
	return d
}

// exitRules returns a rule for each function that ends with errors; functions that do so alike in one case share one.
func (m *material) exitRules() []ruleDraft {
	var out []ruleDraft
	shared := map[string]int{} // by the shape of the case
	count := map[string]int{}
	groups := m.exitGroups()
	for i := range groups {
		groups[i].rows = slices.DeleteFunc(groups[i].rows, func(r exitRow) bool { return r.claim.Outcome != nil && unreachable[lastPart(r.claim.Outcome.Error)] })
	}
	groups = slices.DeleteFunc(groups, func(g exitGroup) bool { return len(g.rows) == 0 })
	shapes := make([]string, len(groups))
	for i, g := range groups {
		if len(g.rows) == 1 {
			s := m.exitSentence(g)
			shapes[i] = m.shapeOf(&s)
			count[shapes[i]]++
		}
	}
	for i, g := range groups {
		shape := shapes[i]
		if shape == "" || count[shape] < leastAlike {
			out = append(out, m.exitRule(g))
			continue
		}
		at, known := shared[shape]
		if !known {
			shared[shape] = len(out)
			out = append(out, m.exitRule(g))
			out[len(out)-1].Key = "exits alike " + g.symbol
			continue
		}
		m.joinAlike(&out[at], m.exitRule(g))
	}
	for shape, i := range shared {
		m.sayAlike(&out[i], count[shape])
	}
	return out
}

// unreachable are the errors of code that is never reached: nobody observes them.
var unreachable = map[string]bool{"unreachable!": true, "unreachable": true}

// exitRule returns the rule about the errors of one function.
func (m *material) exitRule(g exitGroup) ruleDraft {
	key := "exits " + g.symbol
	if g.later {
		key += " later"
	}
	s := m.exitStatement(&g)
	d := draftOf(key, &s)
	d.Places, d.quoted = nil, true
	for i := range g.rows {
		d.Places = appendNew(d.Places, []string{g.rows[i].at})
		d.Cases = append(d.Cases, m.exitCase(&g, &g.rows[i]))
	}
	who := g.subject(m)
	if len(g.rows) == 1 {
		row := g.rows[0]
		row.when = ""
		d.Says = m.exitTitle(who, &row)
		if g.rows[0].when != "" {
			d.Says += m.in(" in the case below", "（条件见下）")
		}
	} else {
		d.Says = m.exitTable(g).title
	}
	d.Name = m.exitName(&g, who)
	if note := m.predicates(s.claims); note != "" && !strings.Contains(note, "\n") {
		d.Note = note
	}
	return d
}

// exitName names the rule about the errors of a function: by its errors, if they are few.
func (m *material) exitName(g *exitGroup, who actor) string {
	of := g.symbol
	if from := g.rows[0].claim.From; len(from) > 0 {
		of += m.in(", behind ", "（位于 ") + from[0] + m.in("", " 之后）")
		if len(from) > 1 {
			of = strings.TrimSuffix(of, " 之后）") + m.in(" and others,", " 等之后）")
		} else {
			of += m.in(",", "")
		}
	}
	var errors []string
	for i := range g.rows {
		switch c := g.rows[i].claim; {
		case c.Outcome != nil && c.Outcome.Error != "":
			errors = appendNew(errors, []string{lastPart(c.Outcome.Error)})
		case c.Outcome == nil && c.Name != "":
			errors = appendNew(errors, []string{lastPart(c.Name)})
		default:
			errors = append(errors, "", "", "") // too many to name
		}
	}
	switch {
	case who.answered:
		return fmt.Sprintf(m.in("Requests refused by %s", "%s 拒绝的请求"), of)
	case g.later:
		return fmt.Sprintf(m.in("Errors of the function that %s returns", "%s 返回的函数的错误"), of)
	case len(errors) <= 2:
		return fmt.Sprintf(m.in("%[1]s %[2]s %[3]s", "%[1]s 的错误：%[3]s"), of, third(m.verbOf(&g.rows[0])), strings.Join(errors, m.in(" or ", " 或 ")))
	case len(g.rows) == 1 && m.knownText(g.rows[0].claim.Outcome) != nil && m.knownText(g.rows[0].claim.Outcome).Message != "":
		return fmt.Sprintf(m.in("%[1]s fails: %[2]s", "%[1]s 失败：%[2]s"), of, m.knownText(g.rows[0].claim.Outcome).Message)
	case g.symbol == "":
		return m.in("Errors when the program starts", "程序启动时的错误")
	}
	return strings.TrimSuffix(fmt.Sprintf(m.in("Errors of %s", "%s 的错误"), of), ",")
}

// called says that a function is called.
func (m *material) called(c *evidence.Claim) string {
	if c.Subject == "" {
		return m.in("the program starts", "程序启动")
	}
	return fmt.Sprintf(m.in("%s is called", "调用 %s"), codeSpan(c.Subject))
}

// andWhen adds a condition in words to an event.
func (m *material) andWhen(event, when string) string {
	switch {
	case when == "":
		return event
	case when == m.in("otherwise", "其他情形"):
		return event + m.in(" and none of the cases above holds", "，且以上情形均不成立")
	}
	return event + m.in(" and ", "，且 ") + when
}

// exitCase is one case of the errors of a function.
func (m *material) exitCase(g *exitGroup, r *exitRow) RuleCase {
	out := RuleCase{Kind: Unwanted, When: m.called(r.claim), At: r.at}
	who, verb := g.subject(m), m.verbOf(r)
	out.Do = m.in(verb, m.verbIn(r, m.lang)) + " " + r.ends
	out.Then = m.in("it "+third(verb)+" "+r.ends, out.Do)
	switch {
	case who.answered:
		out.When = fmt.Sprintf(m.in("a request comes through %s", "请求经过 %s"), codeSpan(g.symbol))
		out.Do, out.Then = m.in("answer it with ", "应答 ")+r.ends, m.in("it is answered with ", "得到应答 ")+r.ends
	case g.later:
		out.When = fmt.Sprintf(m.in("the function that %s returns is called", "调用 %s 返回的函数"), codeSpan(g.symbol))
	}
	when, cut := m.innermostWords(r.file(), r.when, r.terms())
	switch {
	case r.claim.Kind != evidence.Exit:
		if when = documentedCondition(r.claim.Text, m.lang); when == "" {
			out.When = fmt.Sprintf(m.in("%[1]s in the case that its documentation describes as “%[2]s”", "%[1]s，且出现文档所述的情形：“%[2]s”"), out.When, markdown.QuotedRow(documentedSentence(r.claim.Text)))
		}
		out.When = m.andWhen(out.When, when)
	case cut || r.condition().Partial:
		when = strings.TrimPrefix(when, m.in("only when ", "仅当 "))
		out.Then = strings.Replace(out.Then, "it "+third(verb), "it may "+verb, 1)
		out.Do += m.othersToo()
		out.When = m.andWhen(out.When, when)
	default:
		out.When = m.andWhen(out.When, when)
	}
	out.Name = m.outcomeName(r)
	return out
}

// terms returns the conditions of a case that the code shows.
func (r *exitRow) terms() []paths.Term {
	if r.claim.Kind != evidence.Exit {
		return nil
	}
	return r.condition().All
}

// longWhen is the length of a condition, in bytes, above which a scenario has its last terms alone.
const longWhen = 320

// innermostWords returns a condition in words, or only its last terms if it is long; cut says so: they are necessary then, not
// sufficient.
func (m *material) innermostWords(file, when string, all []paths.Term) (text string, cut bool) {
	if len(when) <= longWhen || len(all) <= 1 {
		return when, false
	}
	for n := min(maxTerms, len(all)-1); n > 0; n-- {
		text = m.words(file).Terms(all[len(all)-n:])
		if len(text) <= longWhen && text != "" {
			return text, true
		}
	}
	return text, text != ""
}

// othersToo says that a condition is not the only one.
func (m *material) othersToo() string {
	return m.in(" if its other conditions hold, too", "（在其余条件也成立时）")
}

// verbOf says in English how a function reports an error.
func (m *material) verbOf(r *exitRow) string { return m.verbIn(r, "en") }

// verbIn says how a function reports an error.
func (m *material) verbIn(r *exitRow, lang string) string {
	w := prose.Writer{Lang: lang, Code: m.languageOf(r.file())}
	if r.claim.Outcome == nil {
		return w.Verb("")
	}
	return w.Verb(r.claim.Outcome.How)
}

// outcomeName names a case by what it ends with, which stays when its condition changes.
func (m *material) outcomeName(r *exitRow) string {
	o := m.knownText(r.claim.Outcome)
	switch {
	case o == nil && r.claim.Name != "":
		return m.in("Fails with ", "错误：") + r.claim.Name
	case o == nil:
		return m.in("It fails", "失败")
	case o.Message != "":
		return o.Message
	case len(o.Details) > 0:
		return o.Details[0]
	case o.Member != "":
		return fmt.Sprintf(m.in("%[1]s %[2]s", "错误：%[2]s"), third(m.verbOf(r)), lastPart(o.Member))
	case o.Error != "":
		return fmt.Sprintf(m.in("%[1]s %[2]s", "错误：%[2]s"), third(m.verbOf(r)), lastPart(o.Error))
	case o.Status != "":
		return m.in("Status ", "状态码 ") + o.Status
	}
	return m.in("It fails", "失败")
}

// joinAlike adds the case of a function to the rule about others like it.
func (m *material) joinAlike(d *ruleDraft, more ruleDraft) {
	d.Cases = append(d.Cases, more.Cases...)
	d.Places, d.tests = appendNew(d.Places, more.Places), appendNew(d.tests, more.tests)
	d.Claims = append(d.Claims, more.Claims...)
	d.score = max(d.score, more.score) + scoreCase
	d.Of += ", " + more.Of
}

// sayAlike words the rule about several functions that end alike.
func (m *material) sayAlike(d *ruleDraft, n int) {
	names := strings.Split(d.Of, ", ")
	owner, _ := cutOwner(names[0])
	for i := range d.Cases {
		d.Cases[i].Name = names[min(i, len(names)-1)] + ": " + d.Cases[i].Name
	}
	d.Says = fmt.Sprintf(m.in("%[1]s SHALL each end with an error in one case", "%[1]s 必须各在一种情形下以错误结束"), m.sum(names))
	d.Name = fmt.Sprintf(m.in("Errors of %[1]s and functions like it", "%[1]s 等函数的错误"), names[0])
	if owner != "" && !slices.ContainsFunc(names, func(name string) bool { o, _ := cutOwner(name); return o != owner }) {
		d.Name = fmt.Sprintf(m.in("Errors of %[2]s and other methods of %[1]s", "%[2]s 等 %[1]s 的方法的错误"), owner, strings.Join(names[:min(n, 2)], ", "))
	}
	d.Of = names[0]
}

// third returns a verb in the third person, with the words after it: "raise" is "raises", "fail with" is "fails with".
func third(verb string) string {
	first, rest, found := strings.Cut(verb, " ")
	switch {
	case first == "be":
		first = "is"
	case strings.HasSuffix(first, "s"), strings.HasSuffix(first, "sh"), strings.HasSuffix(first, "ch"):
		first += "es"
	default:
		first += "s"
	}
	if found {
		return first + " " + rest
	}
	return first
}

// kindOf returns how EARS would write a case with some conditions: a state of the object itself, an option, or an event.
func (m *material) kindOf(symbol string, terms []paths.Term) CaseKind {
	self := m.receiverOf(symbol)
	state, option := len(terms) > 0, false
	for i := range terms {
		name := leadingName(terms[i].Text)
		if name != "self" && name != "this" && !strings.HasPrefix(terms[i].Text, "@") && (self == "" || name != self) {
			state = false
		}
		option = option || slices.ContainsFunc(m.ofKind(evidence.Field), func(f *evidence.Claim) bool {
			return f.Option != nil && f.Subject == symbol && code.Mentions(terms[i].Text, f.Name)
		})
	}
	switch {
	case state:
		return State
	case option:
		return Optional
	}
	return Event
}

// leadingName returns the name that a condition begins with, after "!" and parentheses.
func leadingName(text string) string {
	text = strings.TrimLeft(text, "!( ")
	text = strings.TrimPrefix(text, "not ")
	end := strings.IndexFunc(text, func(c rune) bool { return c != '_' && !isLetterOrDigit(c) })
	if end < 0 || text[end] != '.' {
		return ""
	}
	return text[:end]
}

// receiverOf returns the name of the receiver of a method of Go; "" for none.
func (m *material) receiverOf(symbol string) string {
	for _, s := range m.public {
		if s.name == symbol {
			inner, ok := strings.CutPrefix(s.Signature, "func (")
			name, _, named := strings.Cut(inner, " ")
			if ok && named && !strings.Contains(name, ")") {
				return name
			}
		}
	}
	return ""
}
