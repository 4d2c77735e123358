package spec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/cases"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
	"github.com/reverse-spec/reverse-spec/spec/prose"
)

// Limits on what a scenario says of its test.
const (
	maxChecks = 6   // checks
	maxCode   = 160 // of a piece of source text, in bytes
)

// narrator puts the story of one test into words.
type narrator struct {
	*material
	test   *cases.Case
	story  cases.Story
	words  prose.Writer
	result map[string]bool // variables that hold the result of a call
	answer map[string]bool // variables that hold the response to a request
	called map[string]bool // the calls that are told, by their text
}

func (m *material) narrator(c *cases.Case) *narrator {
	n := &narrator{material: m, test: c, story: c.Story(), words: m.words(c.File()), result: map[string]bool{}, answer: map[string]bool{}, called: map[string]bool{}}
	n.tell(n.story.When)
	return n
}

// tell notes what events give.
func (n *narrator) tell(events []cases.Event) {
	for _, e := range events {
		switch {
		case e.Request != nil:
			n.answer[e.Result] = true
		case e.Result != "":
			n.result = map[string]bool{e.Result: true}
		}
		n.called[e.Call] = true
	}
}

func (n *narrator) in(en, zh string) string { return wording.In(n.lang, en, zh) }

// redacted matches what stands for a secret.
var redacted = lazyregexp.New(`\[REDACTED_([A-Z_]+)\]`)

// code marks source text as code, cut in the middle where it is long. What stands for a secret says that it is a sample.
func (n *narrator) code(text string) string {
	return markdown.Code(n.sample(prose.Shorten(markdown.OneLine(text), maxCode)))
}

// sample says of what stands for a secret what it is.
func (n *narrator) sample(text string) string {
	if !n.test.Redacted() {
		return text
	}
	return redacted.ReplaceAllStringFunc(text, func(mark string) string {
		kind := strings.ToLower(strings.ReplaceAll(redacted.FindStringSubmatch(mark)[1], "_", " "))
		return n.in("<sample "+kind+">", "<示例 "+kind+">")
	})
}

// list joins parts with commas, and the last one with "and".
func (n *narrator) list(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	last := len(parts) - 1
	return strings.Join(parts[:last], n.in(", ", "、")) + n.in(" and ", " 和 ") + parts[last]
}

// given describes the set-up that matters.
func (n *narrator) given() string {
	if parts := n.givenParts(); len(parts) > 0 {
		return strings.Join(parts, n.in("; ", "；"))
	}
	return n.in("nothing is set up", "无需准备")
}

// givenParts describes the set-up that matters, fact by fact; nil for none.
func (n *narrator) givenParts() []string {
	var parts []string
	if rows := n.rowsGiven(); rows != "" {
		parts = append(parts, rows)
	}
	var before []string
	for _, f := range n.story.Given {
		switch {
		case n.ofTable(f): // its rows are shown
		case f.On == "*":
			parts = append(parts, fmt.Sprintf(n.in("%s is registered", "已注册 %s"), n.code(f.Value)))
		case f.On != "":
			parts = append(parts, fmt.Sprintf(n.in("%s on %s", "%[1]s 注册于 %[2]s"), n.code(f.Value), n.code(unquoted(f.On))))
		case f.Zero:
			parts = append(parts, fmt.Sprintf(n.in("%s is a zero %s", "%s 为零值 %s"), n.code(f.Name), n.code(f.Value)))
		case f.Name == "":
			before = append(before, n.code(f.Value))
		default:
			parts = append(parts, fmt.Sprintf(n.in("%s is %s", "%s 为 %s"), n.code(f.Name), n.code(f.Value)))
		}
	}
	if len(before) > 0 {
		parts = append(parts, fmt.Sprintf(n.in("after %s", "此前已调用 %s"), n.list(before)))
	}
	return parts
}

// ofTable reports whether a fact is about the variables of the test's table.
func (n *narrator) ofTable(f cases.Fact) bool {
	t := n.test.Table()
	return t != nil && f.Name != "" && (f.Name == t.List || f.Name == t.Each)
}

// rowsGiven names the rows that a test runs with.
func (n *narrator) rowsGiven() string {
	count := len(n.test.Rows)
	if t := n.test.Table(); t != nil {
		count = max(count, len(t.Rows))
	}
	if count > 0 {
		return fmt.Sprintf(n.in("each of %s", "逐一取 %s"), wording.In(n.lang, wording.Count(count, "row"), strconv.Itoa(count)+" 行"))
	}
	if len(n.test.Providers()) > 0 {
		return n.in("each row of its table", "逐行取自其表格")
	}
	return ""
}

// unquoted returns the text of a string literal, or the source text of something else.
func unquoted(text string) string {
	if len(text) > 1 && strings.IndexByte("\"'`", text[0]) >= 0 && code.QuoteEnd(text, 0) == len(text)-1 {
		return text[1 : len(text)-1]
	}
	return text
}

// when describes what the test does.
func (n *narrator) when() string {
	if text := n.events(n.story.When); text != "" {
		return text
	}
	return n.in("the test runs", "执行该测试")
}

// events describes requests and calls.
func (n *narrator) events(list []cases.Event) string {
	var sent, called []string
	for _, e := range list {
		switch {
		case e.Request != nil:
			sent = append(sent, n.sent(e.Request))
		case e.Call != "":
			call := e.Call
			if strings.HasPrefix(call, "proc") || strings.HasPrefix(call, "lambda") {
				call = cases.Bare(call)
			}
			called = append(called, n.code(call))
		}
	}
	if len(called) > 0 {
		format := n.in("%s is called", "调用 %s")
		switch {
		case len(called) > 1:
			format = n.in("%s are called", "依次调用 %s")
		case !strings.ContainsAny(called[0], "(!") || strings.Contains(called[0], " == "):
			format = n.in("%s is evaluated", "求值 %s")
		}
		sent = append(sent, fmt.Sprintf(format, n.list(called)))
	}
	return strings.Join(sent, n.in(", then ", "，然后"))
}

// sent describes a request.
func (n *narrator) sent(r *cases.Request) string {
	path := unquoted(r.Path)
	if r.Query != "" {
		path += " " + r.Query
	}
	text := fmt.Sprintf(n.in("%s comes", "收到请求 %s"), n.code(r.Method+" "+path))
	var with []string
	for _, h := range r.Headers {
		value := unquoted(h[1])
		if value == h[1] { // not a literal
			value = "<" + value + ">"
		}
		with = append(with, n.code(unquoted(h[0])+": "+value))
	}
	if r.Body != "" {
		with = append(with, fmt.Sprintf(n.in("the body %s", "请求体 %s"), n.code(r.Body)))
	}
	if len(with) == 0 {
		return text
	}
	return text + n.in(" with ", "，带有 ") + n.list(with)
}

// then says what the test checks; the statement in its name where nothing else is known.
func (n *narrator) then() string { return strings.Join(n.thenParts(), n.in("; ", "；")) }

// thenParts says what the test checks, check by check.
func (n *narrator) thenParts() []string {
	out, left := n.checksTold()
	if left > 0 {
		out = append(out, n.in(wording.Count(left, "more check"), "另有 "+strconv.Itoa(left)+" 项检查"))
	}
	if len(out) == 0 && n.test.Descriptive() {
		return []string{markdown.QuotedRow(cases.Words(n.test.Name))}
	}
	return out
}

// checksTold says what the first checks are; left is the number of others.
func (n *narrator) checksTold() (out []string, left int) {
	list := n.telling()
	asked := map[string]bool{} // the calls that are in the checks
	for _, o := range list[:min(len(list), maxChecks)] {
		text := n.outcome(&o)
		if slices.Contains(out, text) {
			continue
		}
		if call := n.callIn(o.Text); call != "" && len(o.After) == 0 {
			if asked[call] {
				text = n.in("called again, ", "再次调用时，") + text
			}
			asked[call] = true
		}
		out = append(out, text)
	}
	return out, max(len(list)-maxChecks, 0)
}

// callIn returns the call that a check makes itself, of those that are told; "" for none.
func (n *narrator) callIn(text string) string {
	for call := range n.called {
		if strings.HasSuffix(call, ")") && strings.Contains(text, call) {
			return call
		}
	}
	return ""
}

// telling returns the checks without those that only say that there is something, where others say what.
func (n *narrator) telling() []cases.Outcome {
	list := slices.DeleteFunc(slices.Clone(n.story.Then), func(o cases.Outcome) bool {
		checks := prose.Checks(o.Text)
		return len(checks) > 0 && len(o.After) == 0 && !slices.ContainsFunc(checks, func(c prose.Check) bool { return !c.NotNull() })
	})
	if len(list) == 0 {
		return n.story.Then
	}
	return list
}

// outcome says what one check is.
func (n *narrator) outcome(o *cases.Outcome) string {
	text := n.checked(o)
	if len(o.After) == 0 {
		return text
	}
	n.tell(o.After)
	if events := n.events(o.After); events != "" {
		return fmt.Sprintf(n.in("when %s next, %s", "再%s时，%s"), events, n.checked(o))
	}
	return text
}

func (n *narrator) checked(o *cases.Outcome) string {
	if printed, ok := strings.CutPrefix(o.Text, "prints "); ok {
		return n.in("it prints ", "输出 ") + n.code(printed)
	}
	if thrown, ok := strings.CutPrefix(o.Text, "throws "); ok {
		return n.in("it throws ", "抛出 ") + n.code(thrown)
	}
	if bare := cases.Bare(o.Text); prose.Warns(bare) {
		if words := n.words.Assertion(bare); words != "" {
			return words
		}
	} else if error, message := prose.Raised(bare); error != "" {
		return n.raised(error, message)
	}
	if words := n.awaited(o.Text); words != "" {
		return words
	}
	text := o.Text
	if o.FailsIf {
		text = "!(" + text + ")"
	}
	checks := prose.Checks(text)
	if checks == nil {
		said := n.words.AssertionOf(text, n.value)
		if helper := n.helper(text, o); helper != "" && (o.Helper != "" || said == n.words.Value(text)) {
			return helper
		}
		return n.sample(said)
	}
	var out []string
	for i := range checks {
		out = append(out, strings.Replace(n.check(&checks[i]), "`…` ", n.in("it ", "其 "), 1)) // a block that is told above
	}
	return n.list(out)
}

// awaited says which exception PHPUnit is told to expect; "" for other checks.
func (n *narrator) awaited(text string) string {
	links := cases.Links(strings.TrimSuffix(text, ";"))
	if len(links) == 0 || len(links[len(links)-1].Args) != 1 {
		return ""
	}
	arg := links[len(links)-1].Args[0]
	switch links[len(links)-1].Name {
	case "expectException":
		return n.raised(strings.TrimSuffix(strings.TrimPrefix(arg, `\`), "::class"), "")
	case "expectExceptionMessage":
		return fmt.Sprintf(n.in("its message contains %s", "其消息包含 %s"), n.code(arg))
	case "expectExceptionMessageMatches":
		return fmt.Sprintf(n.in("its message matches %s", "其消息匹配 %s"), n.code(arg))
	case "expectExceptionCode":
		return fmt.Sprintf(n.in("its code is %s", "其代码为 %s"), n.code(arg))
	}
	return ""
}

// raised says which exception is expected.
func (n *narrator) raised(error, message string) string {
	text := n.in("it raises ", "抛出 ") + n.code(error)
	if message == "" {
		return text
	}
	return text + fmt.Sprintf(n.in(" with a message that matches %s", "，消息匹配 %s"), n.code(message))
}

// helper says that a function that checks passes; "" if the text is no call of one.
func (n *narrator) helper(text string, o *cases.Outcome) string {
	links := cases.Links(text)
	if len(links) == 0 || !links[len(links)-1].Called || o.Helper == "" && !strings.HasPrefix(strings.ToLower(links[len(links)-1].Name), "assert") {
		return ""
	}
	l := links[len(links)-1]
	var args []string
	for _, a := range l.Args {
		if v := n.value(a); a != "t" && a != "self" && v != "" { // a closure is nothing in words
			args = append(args, v)
		}
	}
	if len(args) == 0 {
		return fmt.Sprintf(n.in("the check %s passes", "检查 %s 通过"), n.code(l.Name))
	}
	return fmt.Sprintf(n.in("the check %s passes with %s", "检查 %s 通过，参数为 %s"), n.code(l.Name), n.list(args))
}

// check says what one check is, with "the result" and "the status" for what holds them.
func (n *narrator) check(c *prose.Check) string {
	if c.Fails() && (n.called[c.Value] || len(n.story.When) == 1 && n.story.When[0].Call == c.Value) {
		if c.Want == "" {
			return n.in("it fails", "失败")
		}
		return fmt.Sprintf(n.in("it fails with %s", "失败并给出 %s"), n.code(prose.TypeName(c.Want)))
	}
	return n.sample(n.words.CheckOf(c, n.value))
}

// value names a value: the result of the call, a part of the response, or the source text.
func (n *narrator) value(text string) string {
	text = cases.Stripped(text)
	if n.called[text] && len(n.story.When) == 1 {
		return n.in("the result", "结果")
	}
	links := cases.Links(text)
	if len(links) == 0 {
		return n.code(text)
	}
	if words := n.ofError(links); words != "" {
		return words
	}
	head, rest := links[0], strings.TrimLeft(text[min(len(links[0].Text), len(text)):], ".?!->:")
	switch {
	case n.answer[head.Name] && !head.Called:
		if words := n.response(links); words != "" {
			return words
		}
	case n.result[head.Name] && !head.Called && len(links) == 1:
		return n.in("the result", "结果")
	case n.result[head.Name] && !head.Called && rest != "":
		return fmt.Sprintf(n.in("the result's %s", "结果的 %s"), n.code(rest))
	}
	return n.code(text)
}

// ofError names an expected error, or its text; "" for anything else.
func (n *narrator) ofError(links []cases.Link) string {
	last := links[len(links)-1]
	if texts := slices.Contains([]string{"Sprint", "str", "String"}, last.Name); texts && len(last.Args) == 1 && n.story.Errors[last.Args[0]] {
		return n.in("the message", "消息")
	}
	if !n.story.Errors[links[0].Name] {
		return ""
	}
	if len(links) == 1 {
		return n.in("the error", "错误")
	}
	switch strings.ToLower(last.Name) {
	case "message", "getmessage", "msg", "what", "error":
		return n.in("the message", "消息")
	}
	return ""
}

// responseParts are members of responses, in lower case without "_", with the words for what they give.
var responseParts = map[string]label{
	"status": {"the status", "状态码"}, "statuscode": {"the status", "状态码"}, "getstatuscode": {"the status", "状态码"}, "code": {"the status", "状态码"},
	"text": {"the body", "响应体"}, "body": {"the body", "响应体"}, "getbody": {"the body", "响应体"}, "data": {"the body", "响应体"}, "content": {"the body", "响应体"}, "getdata": {"the body", "响应体"},
	"json": {"the body as JSON", "JSON 响应体"}, "ok": {"success", "成功标志"}, "location": {"the location", "重定向地址"},
}

// response names a part of a response: its status, its body, a header; "" for anything else.
func (n *narrator) response(links []cases.Link) string {
	if len(links) == 1 {
		return n.in("the response", "响应")
	}
	name := strings.ToLower(strings.ReplaceAll(links[1].Name, "_", ""))
	last := links[len(links)-1]
	switch name {
	case "headers", "header", "getheader", "getheaderline", "getheaders":
		return n.header(links[1:])
	}
	part, known := responseParts[name]
	if !known {
		return ""
	}
	rest := strings.TrimLeft(last.Text[len(links[1].Text):], ".?!")
	if rest == "" || name != "json" && name != "data" && name != "body" {
		if rest != "" && rest != "tostring()" && rest != "String()" {
			return ""
		}
		return n.in(part.en, part.zh)
	}
	return fmt.Sprintf(n.in("%s of %s", "%[2]s的 %[1]s"), n.code(rest), n.in(part.en, part.zh))
}

// header names the header that is read; "" if its name is no literal, or if something is made of its value.
func (n *narrator) header(links []cases.Link) string {
	l, name := links[len(links)-1], ""
	switch {
	case len(links) > 2: // headers.get("A").split(",")
		return ""
	case l.Called && len(l.Args) > 0:
		name = l.Args[0]
	default:
		if at := strings.LastIndexByte(l.Text, '['); at > 0 && strings.HasSuffix(l.Text, "]") {
			name = l.Text[at+1 : len(l.Text)-1]
		}
	}
	if unquoted(name) == name {
		return ""
	}
	return fmt.Sprintf(n.in("the header %s", "响应头 %s"), n.code(unquoted(name)))
}
