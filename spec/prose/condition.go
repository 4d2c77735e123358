package prose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
	"github.com/reverse-spec/reverse-spec/internal/wording"
)

// Terms puts a conjunction into words; "" for no terms. The assignments of variables in it follow, where the words need
// them.
func (w Writer) Terms(terms []paths.Term) string { return w.TermsAfter(terms, &[]string{}) }

// TermsAfter is [Writer.Terms] for a text that follows others: the assignments that they have said are not repeated, and those
// that this one says are added.
func (w Writer) TermsAfter(terms []paths.Term, said *[]string) string {
	terms = joinedTerms(terms)
	within := code.CondOr
	if len(terms) > 1 {
		within = code.CondAnd
	}
	var out, where []string
	for i := range terms {
		text, needs := w.term(&terms[i], within)
		out = append(out, text)
		for _, n := range needs {
			if key := strings.ReplaceAll(n, "'", `"`); !slices.Contains(*said, key) { // the source may quote a text in either way
				where, *said = append(where, n), append(*said, key)
			}
		}
	}
	text := w.and(out)
	if len(where) == 0 {
		return text
	}
	return text + wording.In(w.Lang, ", where ", "，其中 ") + w.and(where)
}

// term puts one term into words; needs are the assignments of variables that the words name.
func (w Writer) term(t *paths.Term, within code.CondOp) (text string, needs []string) {
	a := atom{Writer: w, where: assignments(t.Where)}
	for _, s := range assignments(t.Origin) {
		if a.assigned(s.name) == nil || slices.ContainsFunc(a.where, func(o *assignment) bool { return o.origin && o.name == s.name }) {
			s.origin = true
			a.where = append(a.where, s)
		}
	}
	if t.Cond == nil {
		text = a.say1(t.Text, true)
	} else {
		text = a.cond(t.Cond, within)
	}
	var said []string
	for _, s := range a.where {
		if s.used || !strings.Contains(text, s.name) || slices.Contains(said, s.name) {
			continue
		}
		said = append(said, s.name)
		if e := a.errorBeside(s, text); e != nil {
			said = append(said, e.name)
			needs = append(needs, fmt.Sprintf(wording.In(w.Lang, "%s and %s are the results of %s", "%s 和 %s 是 %s 的结果"), span(s.name), span(e.name), span(s.value)))
			continue
		}
		needs = append(needs, a.defined(s))
	}
	return text, needs
}

// errorBeside returns the error that the call of an assignment returns beside its result, if a text names both; nil for none.
func (a *atom) errorBeside(s *assignment, text string) *assignment {
	for _, o := range a.where {
		if o != s && !o.used && !s.origin && !o.origin && o.value == s.value && s.nth == 0 && code.IsErrorName(o.name) && !code.IsErrorName(s.name) && code.Mentions(text, o.name) {
			return o
		}
	}
	return nil
}

// defined says what a variable is.
func (a *atom) defined(s *assignment) string {
	values := []string{s.value}
	for _, o := range a.where {
		if s.origin && o != s && o.name == s.name {
			values = append(values, o.value)
		}
	}
	if s.nth > 0 && len(values) == 1 {
		return a.resultOf(s)
	}
	return a.relate(relation{s.name, values, true})
}

// assignment is an assignment of a variable in a condition.
type assignment struct {
	name, value string
	nth         int  // value has several results, of which the name has this one, from 1; 0 if there is one, with or without an error
	found       bool // name is the second result, which reports whether there is a first
	used        bool
	origin      bool // it is one of all that the variable gets, not right before the condition
}

// assignments reads "a := f(); b, ok := m[k]". Parts without a sign of assignment are left out.
func assignments(where string) []*assignment {
	var out []*assignment
	for part := range strings.SplitSeq(where, "; ") {
		left, value, ok := strings.Cut(part, ":=")
		if !ok {
			if left, value, ok = strings.Cut(part, " = "); !ok {
				continue
			}
		}
		if name, typ, typed := strings.Cut(left, ": "); typed && !strings.Contains(typ, ": ") { // fn: str | None
			left = name
		}
		names := strings.Split(left, ",")
		for i, name := range names {
			fields := strings.Fields(name)
			if len(fields) == 0 {
				continue
			}
			if strings.TrimSpace(value) == fields[len(fields)-1] { // a copy
				continue
			}
			out = append(out, &assignment{name: fields[len(fields)-1], value: strings.TrimSpace(value), found: i == 1 && len(names) == 2, nth: nthOf(names, i)})
		}
	}
	return out
}

// nthOf returns which of several results a name has, from 1; 0 for the one beside an error or a report whether there is one.
func nthOf(names []string, i int) int {
	if len(names) < 2 {
		return 0
	}
	last := strings.TrimSpace(names[len(names)-1])
	if beside := last == "_" || last == "ok" || last == "found" || code.IsErrorName(last); len(names) == 2 && beside {
		return 0
	}
	return i + 1
}

// resultOf says which result of a call a variable has.
func (w Writer) resultOf(s *assignment) string {
	en, zh := []string{"first", "second", "third"}, []string{"一", "二", "三"}
	if s.nth > len(en) {
		return fmt.Sprintf(wording.In(w.Lang, "%s is result %d of %s", "%s 是第 %d 个结果，来自 %s"), span(s.name), s.nth, span(s.value))
	}
	return fmt.Sprintf(wording.In(w.Lang, "%s is the %s result of %s", "%s 是第%s个结果，来自 %s"), span(s.name), wording.In(w.Lang, en[s.nth-1], zh[s.nth-1]), span(s.value))
}

// atom puts the parts of one term into words.
type atom struct {
	Writer
	where []*assignment
}

// cond writes a condition in negation normal form. Alternatives within a conjunction are marked by "either".
func (a *atom) cond(c *code.Cond, within code.CondOp) string {
	switch c.Op {
	case code.CondAtom:
		return a.say1(c.Text, true)
	case code.CondIs:
		return a.relate(relation{c.Of, labels(c.Text), true})
	case code.CondNot:
		inner := c.Args[0]
		if inner.Op == code.CondIs {
			return a.relate(relation{inner.Of, labels(inner.Text), false})
		}
		return a.say1(inner.Text, false)
	case code.CondAnd:
		if text := a.bounds(c); text != "" {
			return text
		}
		return a.and(a.merged(c.Args, c.Op))
	case code.CondOr:
		if text := cmp.Or(a.none(c), a.bounds(c)); text != "" {
			return text
		}
		parts := a.merged(c.Args, c.Op)
		text := a.or(parts)
		if within == code.CondAnd && len(parts) > 1 {
			return wording.In(a.Lang, "either ", "") + text
		}
		return text
	default:
		return ""
	}
}

// none writes "`a` or `a.b` is not set", which is "`a.b` is not set": a guard before a member is read.
func (a *atom) none(c *code.Cond) string {
	if len(c.Args) != 2 || c.Args[0].Op != code.CondNot || c.Args[1].Op != code.CondNot {
		return ""
	}
	first, second := c.Args[0].Args[0].Text, c.Args[1].Args[0].Text
	if !dynamic[a.Code] || !isChain(first) || !isChain(second) || !strings.HasPrefix(strings.ReplaceAll(second, "?.", "."), first+".") {
		return ""
	}
	return a.cond(&c.Args[1], code.CondOr)
}

// say1 writes an atom, or its negation.
func (a *atom) say1(text string, holds bool) string {
	text = strings.TrimSpace(unwrap(text))
	for {
		rest, negated := strings.CutPrefix(text, "not ")
		if !negated {
			rest, negated = strings.CutPrefix(text, "!")
		}
		if !negated || strings.HasPrefix(rest, "=") {
			break
		}
		text, holds = strings.TrimSpace(unwrap(strings.TrimSpace(rest))), !holds
	}
	if holds && (strings.HasPrefix(text, "for ") || strings.HasPrefix(text, "foreach ") || strings.HasPrefix(text, "while ")) {
		return a.loop(text)
	}
	if loop, ok := strings.CutPrefix(text, "no "); ok {
		return a.noRound(loop, holds)
	}
	if text == "catch" { // of any error, which has no name
		if holds {
			return a.say("an error is caught", "捕获到错误")
		}
		return a.say("no error is caught", "未捕获到错误")
	}
	if name, ok := strings.CutPrefix(text, "catch "); ok {
		name = caughtType(name)
		return a.either(holds, "%s is caught", "%s is not caught", "捕获到 %s", "未捕获到 %s", name)
	}
	for _, say := range []func(string, bool) string{a.assigning, a.membership, a.failure, a.typed, a.compared, a.predicate, a.value} {
		if out := say(text, holds); out != "" {
			return out
		}
	}
	return a.whole(text, holds)
}

// noRound writes that a loop ended without a round for which a condition holds: "x in xs: x.ok", "String s : all: s.isEmpty()".
func (a *atom) noRound(text string, holds bool) string {
	loop, rest, ok := code.CutOutside(text, ": ")
	if ok && strings.HasPrefix(text[len(loop):], " : ") { // the colon of the loop itself
		var more string
		more, rest, ok = code.CutOutside(rest, ": ")
		loop += " : " + more
	}
	if !ok {
		return a.either(holds, "the loop %s has no round", "the loop %s has a round", "循环 %s 一轮也没有", "循环 %s 至少有一轮", text)
	}
	return a.either(holds, "no round of the loop %s has %s", "a round of the loop %s has %s", "循环 %s 没有一轮满足 %s", "循环 %s 有一轮满足 %s", loop, rest)
}

// caughtType returns the type in the head of a handler: "ValueError as e", "e: IOException", "IOException e".
func caughtType(head string) string {
	head, _, _ = strings.Cut(head, " as ")
	head, _, _ = strings.Cut(head, " => ") // Ruby
	if _, kind, ok := strings.Cut(head, ": "); ok {
		return kind
	}
	if fields := strings.Fields(head); len(fields) == 2 && isChain(fields[1]) && !strings.HasSuffix(fields[0], ",") {
		return fields[0]
	}
	return head
}

// whole quotes an atom that has no words.
func (a *atom) whole(text string, holds bool) string {
	if holds {
		return span(text)
	}
	if _, _, _, call := methodCall(text); call && !dynamic[a.Code] {
		return a.say("%s is false", "%s 为假", text)
	}
	return a.say("%s does not hold", "%s 不成立", text)
}

// assigned returns the assignment of a variable; nil for none.
func (a *atom) assigned(name string) *assignment {
	for _, s := range a.where {
		if s.name == name {
			return s
		}
	}
	return nil
}

// assigning writes an assignment whose value is the condition: "line = next()".
func (a *atom) assigning(text string, holds bool) string {
	name, value, ok := code.CutOutside(text, " = ")
	if !ok || !dynamic[a.Code] || !isChain(name) || outside(text, " && ") || outside(text, " || ") {
		return ""
	}
	return a.either(holds, "%s is set", "%s is not set", "%s 已设置", "%s 未设置", value)
}

// membership writes the second result of a look-up: v, ok := m[k].
func (a *atom) membership(text string, holds bool) string {
	s := a.assigned(text)
	if s == nil || !s.found || !strings.HasSuffix(s.value, "]") {
		return ""
	}
	i := strings.LastIndexByte(s.value, '[')
	if i <= 0 {
		return ""
	}
	for _, other := range a.where {
		other.used = other.used || other.value == s.value
	}
	return a.either(holds, "%s is in %s", "%s is not in %s", "%s 在 %s 中", "%s 不在 %s 中", s.value[i+1:len(s.value)-1], s.value[:i])
}

// failure writes the comparison of an error with nothing, where the call is known.
func (a *atom) failure(text string, holds bool) string {
	c, ok := comparisonOf(text)
	if !ok || !isNothing(c.right) || !code.IsErrorName(c.left) {
		return ""
	}
	s := a.assigned(c.left)
	if s == nil || !strings.HasSuffix(s.value, ")") {
		return ""
	}
	failed := (c.op == "!=") == holds
	for _, other := range a.where {
		other.used = other.used || other.value == s.value
	}
	return a.either(failed, "%s fails", "%s succeeds", "%s 失败", "%s 成功", s.value)
}

// either chooses between the words for a statement and for its negation.
func (a *atom) either(holds bool, en, notEn, zh, notZh string, texts ...string) string {
	if holds {
		return a.say(en, zh, texts...)
	}
	return a.say(notEn, notZh, texts...)
}

// typed writes tests of a value's type.
func (a *atom) typed(text string, holds bool) string {
	value, kind := "", ""
	switch {
	case strings.HasPrefix(text, "isinstance(") && strings.HasSuffix(text, ")"):
		args := arguments(text)
		if len(args) != 2 {
			return ""
		}
		value, kind = args[0], args[1]
	case strings.HasPrefix(text, "typeof "):
		c, ok := comparisonOf(text)
		if !ok || c.op != "==" && c.op != "!=" {
			return ""
		}
		value, kind, holds = strings.TrimPrefix(c.left, "typeof "), strings.Trim(c.right, `'"`), holds == (c.op == "==")
	default:
		var ok bool
		if value, kind, ok = strings.Cut(text, " instanceof "); !ok || outside(text, " && ") || outside(text, " || ") {
			return ""
		}
	}
	if kind == "undefined" {
		return a.either(!holds, "%s is given", "%s is not given", "给出 %s", "未给出 %s", value)
	}
	return a.either(holds, "%s is of type %s", "%s is not of type %s", "%s 的类型为 %s", "%s 的类型不为 %s", value, strings.TrimSpace(kind))
}

// value writes a name or a chain of names as a condition, and in languages with types an element, which is a truth value there.
func (a *atom) value(text string, holds bool) string {
	if !isChain(text) && (dynamic[a.Code] || !isElement(text)) {
		return ""
	}
	if dynamic[a.Code] {
		return a.either(holds, "%s is set", "%s is not set", "%s 已设置", "%s 未设置", text)
	}
	return a.either(holds, "%s is true", "%s is false", "%s 为真", "%s 为假", text)
}

// isElement reports whether a text is an element of what a name or a chain of names holds: "allowed[kind]".
func isElement(text string) bool {
	of, key, ok := strings.Cut(strings.TrimSuffix(text, "]"), "[")
	return ok && strings.HasSuffix(text, "]") && isChain(of) && key != "" && !strings.ContainsAny(key, "[]")
}

// predicate is a call that tests one value by another.
type predicate struct {
	names            []string // of methods, and of functions that take the value first
	en, no, zh, noZh string
	functions        bool // also as a function
}

// predicates are the calls with words of their own.
var predicates = []predicate{
	{
		[]string{"startsWith", "startswith", "starts_with", "HasPrefix", "StartsWith", "hasPrefix", "start_with?"},
		"%s begins with %s", "%s does not begin with %s", "%s 以 %s 开头", "%s 不以 %s 开头", true,
	},
	{
		[]string{"endsWith", "endswith", "ends_with", "HasSuffix", "EndsWith", "hasSuffix", "end_with?"},
		"%s ends with %s", "%s does not end with %s", "%s 以 %s 结尾", "%s 不以 %s 结尾", true,
	},
	{
		[]string{"includes", "contains", "Contains", "include?", "containsKey", "has_key", "ContainsKey", "hasOwnProperty", "contains_key"},
		"%s contains %s", "%s does not contain %s", "%s 包含 %s", "%s 不包含 %s", false,
	},
	{[]string{"strings.Contains", "slices.Contains", "bytes.Contains"}, "%s contains %s", "%s does not contain %s", "%s 包含 %s", "%s 不包含 %s", true},
	{[]string{"errors.Is"}, "%s is %s", "%s is not %s", "%s 为 %s", "%s 不为 %s", true},
	{[]string{"in_array"}, "%s is in %s", "%s is not in %s", "%s 在 %s 中", "%s 不在 %s 中", true},
	{[]string{"equals", "Equals", "equalsIgnoreCase", "eql?"}, "%s equals %s", "%s does not equal %s", "%s 等于 %s", "%s 不等于 %s", false},
}

// emptiness are calls that report whether a value has no elements.
var emptiness = []string{"isEmpty", "is_empty", "IsEmpty", "empty", "empty?", "isBlank", "blank?"}

// presence are calls that report whether an optional has a value.
var presence = []string{"isPresent", "is_some", "isDefined"}

// absence are calls that report the opposite.
var absence = []string{"is_none"}

// emptyFunctions report whether their argument has no elements.
var emptyFunctions = []string{"empty", "string.IsNullOrEmpty", "string.IsNullOrWhiteSpace", "StringUtils.isBlank", "StringUtils.isEmpty"}

// predicate writes calls with words of their own.
func (a *atom) predicate(text string, holds bool) string {
	value, method, args, ok := methodCall(text)
	if !ok {
		return cmp.Or(a.property(text, holds), a.infix(text, holds))
	}
	return cmp.Or(a.unary(value, method, args, holds), a.binary(value, method, args, holds))
}

// unary writes calls that test one value: whether it has elements, or is there. The value is the receiver or the argument.
func (a *atom) unary(value, method string, args []string, holds bool) string {
	full := strings.TrimPrefix(value+"."+method, ".")
	if len(args) == 1 && slices.Contains(emptyFunctions, full) {
		return a.empty(args[0], holds)
	}
	if len(args) > 0 || value == "" {
		return ""
	}
	switch {
	case slices.Contains(emptiness, method):
		return a.empty(value, holds)
	case slices.Contains(presence, method):
		return a.present(value, holds)
	case slices.Contains(absence, method):
		return a.present(value, !holds)
	}
	return ""
}

// binary writes calls that test one value by another, as methods or as functions.
func (a *atom) binary(value, method string, args []string, holds bool) string {
	for i := range predicates {
		p := &predicates[i]
		switch {
		case len(args) == 2 && p.isFunction(value, method):
			return a.either(holds, p.en, p.no, p.zh, p.noZh, args[0], args[1])
		case len(args) == 1 && value != "" && slices.Contains(p.names, method):
			return a.either(holds, p.en, p.no, p.zh, p.noZh, value, args[0])
		}
	}
	return ""
}

// property writes a property or a call without brackets that reports whether a value is empty or missing.
func (a *atom) property(text string, holds bool) string {
	for _, end := range []string{".isEmpty", ".empty?"} { // Swift, Kotlin and Scala; Ruby
		if v, is := strings.CutSuffix(text, end); is && balanced(v) && !strings.Contains(v, " ") {
			return a.empty(v, holds)
		}
	}
	if v, is := strings.CutSuffix(text, ".nil?"); is && balanced(v) {
		return a.either(holds, "%s is %s", "%s is not %s", "%s 为 %s", "%s 不为 %s", v, "nil")
	}
	return ""
}

// isFunction reports whether a function takes the value and what it is tested by as arguments.
func (p *predicate) isFunction(owner, name string) bool {
	switch full := strings.TrimPrefix(owner+"."+name, "."); {
	case !p.functions:
		return false
	case slices.Contains(p.names, full), slices.Contains(p.names, strings.TrimPrefix(full, "str_")):
		return true
	default:
		return (owner == "strings" || owner == "bytes") && slices.Contains(p.names, name)
	}
}

// infix writes "a in b" and "a not in b" of Python.
func (a *atom) infix(text string, holds bool) string {
	if ecma[a.Code] && !outside(text, " && ") && !outside(text, " || ") {
		if left, right, ok := code.CutOutside(text, " in "); ok {
			return a.either(holds, "%s has %s", "%s has no %s", "%s 含有 %s", "%s 不含 %s", right, left)
		}
	}
	if a.Code != "python" || outside(text, " if ") {
		return ""
	}
	for _, op := range []string{" not in ", " in "} {
		if left, right, ok := code.CutOutside(text, op); ok {
			return a.either(holds == (op == " in "), "%s is in %s", "%s is not in %s", "%s 在 %s 中", "%s 不在 %s 中", left, right)
		}
	}
	return ""
}

func (a *atom) empty(value string, holds bool) string {
	return a.either(holds, "%s is empty", "%s is not empty", "%s 为空", "%s 不为空", value)
}

// present writes that an optional has a value.
func (a *atom) present(value string, holds bool) string {
	return a.either(holds, "%s has a value", "%s has no value", "%s 有值", "%s 没有值", value)
}
