package prose

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// maxRun limits the statements that stand in one item, in bytes.
const maxRun = 220

// Steps tells the outline of a function as a list of Markdown, one line each: statements as written, conditions, loops and choices in
// words, with the statements in them below.
func (w Writer) Steps(list []code.Stmt) []string {
	s := steps{Writer: w}
	s.list(list, 0)
	return s.out
}

type steps struct {
	Writer
	out []string
}

func (s *steps) say(en, zh string) string { return wording.In(s.Lang, en, zh) }

func (s *steps) item(depth int, text string) {
	s.out = append(s.out, strings.Repeat("  ", depth)+"- "+text)
}

// list tells statements; those that follow each other stand in one item, as many as fit.
func (s *steps) list(list []code.Stmt, depth int) {
	run := ""
	flush := func() {
		if run != "" {
			s.item(depth, run)
			run = ""
		}
	}
	for i := range list {
		text, ok := s.plain(&list[i])
		if !ok {
			flush()
			s.nested(&list[i], depth)
			continue
		}
		if run != "" && len(run)+len(text) > maxRun {
			flush()
		}
		if run != "" {
			text = run + s.say("; ", "；") + text
		}
		run = text
	}
	flush()
}

// plain tells a statement without others in it.
func (s *steps) plain(st *code.Stmt) (string, bool) {
	if len(st.Body)+len(st.Else)+len(st.Arms) > 0 {
		return "", false
	}
	switch st.Op {
	case code.StmtReturn:
		if st.Source == "" {
			return s.say("returns", "返回"), true
		}
		return s.say("returns ", "返回 ") + whole(st.Source), true
	case code.StmtError:
		if st.Source == "" {
			return s.say("throws again what was caught", "再次抛出所捕获的错误"), true
		}
		return s.say("fails with ", "失败，错误为 ") + whole(st.Source), true
	case code.StmtCall, code.StmtBreak, code.StmtNext:
		return whole(st.Source), true
	case code.StmtIf, code.StmtLoop, code.StmtSwitch, code.StmtTry, code.StmtSelect:
		return "", false
	default:
	}
	return s.head(st), true
}

// whole marks a statement as code.
func whole(text string) string { return markdown.Code(text) }

// under tells the statements below a head: beside it if they are one item, in items of their own if not.
func (s *steps) under(head string, list []code.Stmt, depth int) {
	inner := steps{Writer: s.Writer}
	inner.list(list, depth+1)
	if len(inner.out) == 0 {
		s.item(depth, head+s.say(" nothing", "不做任何事"))
		return
	}
	if len(inner.out) == 1 && !slices.ContainsFunc(list, func(st code.Stmt) bool { return len(st.Body)+len(st.Else)+len(st.Arms) > 0 || st.Op == code.StmtIf }) {
		s.item(depth, head+s.say(" ", "")+strings.TrimPrefix(strings.TrimSpace(inner.out[0]), "- "))
		return
	}
	s.item(depth, head)
	s.out = append(s.out, inner.out...)
}

// nested tells a statement with others in it.
func (s *steps) nested(st *code.Stmt, depth int) {
	switch st.Op {
	case code.StmtIf:
		s.branch(st, "", depth)
	case code.StmtLoop:
		s.under(s.loop(st), st.Body, depth)
	case code.StmtSwitch, code.StmtSelect:
		s.choice(st, depth)
	case code.StmtTry:
		s.handled(st, depth)
	case code.StmtClosure:
		s.under(s.head(st)+s.say(":", "："), st.Body, depth)
	default:
		s.around(st, depth)
	}
}

// around tells a statement as written with the functions and choices in its expressions.
func (s *steps) around(st *code.Stmt, depth int) {
	head, ok := s.plain(&code.Stmt{Op: st.Op, Source: st.Source})
	if !ok {
		return
	}
	if len(st.Body) == 1 && st.Body[0].Op == code.StmtClosure {
		closure := &st.Body[0]
		s.under(head+s.say(", where … is ", "，其中 … 是")+s.head(closure)+s.say(":", "："), closure.Body, depth)
		return
	}
	s.under(head+s.say(", where … is:", "，其中 … 是："), st.Body, depth)
}

// head names a function in another one.
func (s *steps) head(st *code.Stmt) string {
	name, params := "", ""
	if st.Text != "" {
		name = " " + whole(st.Text)
	}
	if len(st.Params) > 0 {
		params = fmt.Sprintf(s.say(" of %s", "，参数为 %s"), whole(strings.Join(st.Params, ", ")))
	}
	return s.say("a function", "一个函数") + name + params
}

// with fills a format with a condition; no space follows Chinese words.
func (s *steps) with(en, zh, cond string, rest ...any) string {
	last, _ := utf8.DecodeLastRuneInString(cond)
	if unicode.Is(unicode.Han, last) {
		zh = strings.Replace(zh, "%s ", "%s", 1)
	}
	return fmt.Sprintf(s.say(en, zh), append([]any{cond}, rest...)...)
}

// given tells the condition of a statement.
func (s *steps) given(st *code.Stmt) string {
	switch {
	case st.Cond != nil:
		return s.cond(st.Cond)
	case st.Label == core.Unless:
		return fmt.Sprintf(s.say("%s does not hold", "%s 不成立"), whole(st.Source))
	}
	return whole(st.Source)
}

// cond tells a condition.
func (s *steps) cond(c *code.Cond) string {
	normal := c.Normal()
	return s.grouped(&normal)
}

// grouped tells a condition with brackets around alternatives in a conjunction, and the reverse: words alone leave open which belong together.
func (s *steps) grouped(c *code.Cond) string {
	if !slices.ContainsFunc(c.Args, isJoined) || !isJoined(*c) {
		return s.Terms([]paths.Term{{Cond: c}})
	}
	var list []string
	for i := range c.Args {
		text := s.grouped(&c.Args[i])
		if isJoined(c.Args[i]) {
			text = s.say("(", "（") + text + s.say(")", "）")
		}
		list = append(list, text)
	}
	if c.Op == code.CondAnd {
		return s.and(list)
	}
	return s.or(list)
}

// isJoined reports whether a condition has parts of which all or any must hold.
func isJoined(c code.Cond) bool { return c.Op == code.CondAnd || c.Op == code.CondOr }

// branch tells an if; other is the text before it.
func (s *steps) branch(st *code.Stmt, other string, depth int) {
	s.under(other+s.with("if %s:", "若 %s：", s.given(st)), st.Body, depth)
	switch {
	case len(st.Else) == 0:
	case len(st.Else) == 1 && st.Else[0].Op == code.StmtIf:
		s.branch(&st.Else[0], s.say("otherwise, ", "否则，"), depth)
	default:
		s.under(s.say("otherwise:", "否则："), st.Else, depth)
	}
}

func (s *steps) loop(st *code.Stmt) string {
	label := ""
	if st.Label != "" && st.Label != core.OnceAtLeast && st.Label != core.Unless {
		label = fmt.Sprintf(s.say(" (loop %s)", "（循环 %s）"), whole(st.Label))
	}
	switch {
	case st.Text != "":
		return fmt.Sprintf(s.say("for %s%s:", "对 %s 循环%s："), whole(st.Text), label)
	case st.Cond == nil && st.Source == "":
		return fmt.Sprintf(s.say("again and again%s:", "反复执行%s："), label)
	case st.Label == core.OnceAtLeast:
		return s.with("once, and again while %s:", "先执行一次，此后当 %s 时重复：", s.given(st))
	}
	return s.with("while %s%s:", "当 %s 时重复%s：", s.given(st), label)
}

func (s *steps) choice(st *code.Stmt, depth int) {
	head := s.say("the first case that holds:", "首个成立的情形：")
	switch {
	case st.Op == code.StmtSelect:
		head = s.say("whichever is ready:", "任一就绪者：")
	case st.Text != "":
		head = fmt.Sprintf(s.say("by %s:", "按 %s："), whole(st.Text))
	}
	s.item(depth, head)
	for i := range st.Arms {
		a := &st.Arms[i]
		text := s.arm(a)
		if a.Falls {
			text += s.say(" (then the next case, too)", "（之后还执行下一情形）")
		}
		s.under(text+s.say(":", "："), a.Body, depth+1)
	}
}

// arm returns the condition on which a case runs.
func (s *steps) arm(a *code.Arm) string {
	var list []string
	for _, l := range a.Labels {
		list = append(list, whole(l))
	}
	for i := range a.Conds {
		list = append(list, s.cond(&a.Conds[i]))
	}
	text := s.or(list)
	switch {
	case a.Default && text == "":
		text = s.say("otherwise", "否则")
	case a.Default:
		text += s.say(", or otherwise", "，或其余情形")
	}
	if a.Guard != nil {
		text += fmt.Sprintf(s.say(", if %s", "，且 %s"), s.cond(a.Guard))
	}
	return text
}

// handled tells a statement with handlers.
func (s *steps) handled(st *code.Stmt, depth int) {
	s.under(s.say("tries:", "尝试："), st.Body, depth)
	for i := range st.Arms {
		a := &st.Arms[i]
		label := strings.Join(a.Labels, ", ")
		switch label {
		case core.Finally:
			s.under(s.say("in any case, at the end:", "最后总是："), a.Body, depth)
		case "":
			s.under(s.say("when an error is caught:", "捕获错误时："), a.Body, depth)
		default:
			s.under(fmt.Sprintf(s.say("when %s is caught:", "捕获 %s 时："), whole(label)), a.Body, depth)
		}
	}
	if len(st.Else) > 0 {
		s.under(s.say("when nothing is caught:", "未捕获任何错误时："), st.Else, depth)
	}
}
