package cases

import (
	"maps"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// outcomes returns the checks of a stage; after is what was done before the first of them.
func (t *teller) outcomes(then []code.Step, after []Event) []Outcome {
	var out []Outcome
	for _, s := range then {
		for _, e := range expected(s) {
			if !isPrinted(e.Text) {
				e.Text = t.inlined(e.Text, "")
			}
			if name, value, ok := Assigned(e.Text); ok && isAssertion(code.Step{Text: value}) {
				e.Text, t.errors[name] = value, true
			}
			e.Text = t.compared(e.Text, e.Line)
			list := t.helped(e)
			if list == nil {
				list = []Outcome{{Text: e.Text, FailsIf: e.FailsIf, Line: e.Line}}
			}
			list[0].After, after = after, nil
			out = append(out, list...)
		}
	}
	return out
}

// compared returns the comparison behind a difference that must be empty: got == want of diff == "", where diff is
// cmp.Diff(want, got).
func (t *teller) compared(text string, line int) string {
	name, ok := strings.CutSuffix(text, ` == ""`)
	if !ok {
		return text
	}
	value := name
	if made := t.valueAt(name, line); isName(name) {
		value = made
	}
	links := Links(value)
	if len(links) != 2 || links[1].Name != "Diff" || len(links[1].Args) < 2 {
		return text
	}
	return t.inlined(links[1].Args[1]+" == "+links[1].Args[0], "")
}

// maxHelped limits the statements of a helper that are read instead of its call.
const maxHelped = 4

// expanded returns the statements with those of short helpers instead of their calls, one level down, with the
// arguments instead of the parameters.
func (t *teller) expanded(list []code.Step) []code.Step {
	var out []code.Step
	for _, s := range list {
		if more := t.expand(s); more != nil {
			out = append(out, more...)
			continue
		}
		out = append(out, s)
	}
	return out
}

// expand returns the statements of the helper that a statement calls; nil for other statements, and for long helpers.
func (t *teller) expand(s code.Step) []code.Step {
	fn, l := t.helper(s)
	if fn == nil || len(fn.steps) > maxHelped || !slices.ContainsFunc(fn.steps, isAssertion) || slices.ContainsFunc(fn.steps, func(s code.Step) bool { return s.Nested }) {
		return nil
	}
	with, ok := arguments(fn, l.Args)
	if !ok {
		return nil
	}
	var out []code.Step
	for _, step := range fn.steps {
		for _, name := range slices.Sorted(maps.Keys(with)) {
			step.Text = code.ReplaceName(step.Text, name, with[name])
		}
		step.Line, step.End = s.Line, s.End
		out = append(out, step)
	}
	return out
}

// helper returns the function of the test's file that a statement calls, and the call; nil for none.
func (t *teller) helper(s code.Step) (*function, Link) {
	links := Links(s.Text)
	if !t.file.Test || len(links) == 0 || len(links) > 2 || !links[len(links)-1].Called || len(links) == 2 && !slices.Contains([]string{"self", "this", "$this", "Self"}, strings.TrimPrefix(links[0].Text, "&")) {
		return nil, Link{}
	}
	l := links[len(links)-1]
	fn := t.file.functions[t.owner()+l.Name]
	if fn == nil {
		fn = t.file.byLast[l.Name]
	}
	return fn, l
}

// arguments returns the arguments of a call by the names of the parameters; false if they do not fit.
func arguments(fn *function, args []string) (map[string]string, bool) {
	params := fn.sym.Params
	if n := len(params); n > 0 && (params[0].Name == "self" || params[0].Name == "cls") {
		params = params[1:]
	}
	out := map[string]string{}
	for i, p := range params {
		name := strings.TrimPrefix(p.Name, "$")
		switch {
		case p.Variadic && i <= len(args):
			out[name] = "[" + strings.Join(args[i:], ", ") + "]"
			return out, true
		case i >= len(args):
			return nil, false
		}
		value := args[i]
		if label, labelled, ok := namedArgument(value); ok {
			if label != name {
				return nil, false
			}
			value = labelled
		}
		out[name] = value
	}
	return out, len(args) <= len(params)
}

// helped returns the check that a helper makes; nil for other statements.
func (t *teller) helped(s code.Step) []Outcome {
	fn, l := t.helper(s)
	if fn == nil || !slices.ContainsFunc(fn.steps, isAssertion) {
		return nil
	}
	return []Outcome{{Text: s.Text, Line: s.Line, Helper: l.Name}}
}

// maxFacts limits the set-up that a story tells.
const maxFacts = 5

// facts returns the set-up that the event and the checks depend on: registrations that the request's path matches, the
// values of the variables that are named, and calls on them.
func (t *teller) facts(given []code.Step, s *Story) []Fact {
	var out []Fact
	add := func(f Fact) {
		if !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	list := slices.Concat(t.above, given)
	for _, e := range s.When {
		if e.Request == nil {
			continue
		}
		for i, step := range list {
			if f, ok := t.registration(step, e.Request.Path); ok && !setIn(list[i+1:], receiver(step)) {
				add(f)
			}
		}
	}
	for _, step := range t.needs(given, s) {
		if f, ok := t.fact(step); ok {
			add(f)
		}
	}
	return out[:min(len(out), maxFacts)]
}

// receiver returns the variable whose method a statement calls; "" for none.
func receiver(s code.Step) string {
	if links := Links(valueOf(s.Text)); len(links) > 1 {
		return links[0].Name
	}
	return ""
}

// setIn reports whether a statement sets a variable: what was done to that of the same name before is done to something else.
func setIn(list []code.Step, name string) bool {
	return name != "" && slices.ContainsFunc(list, func(s code.Step) bool { return setBy(s) == name })
}

// registration returns the fact that a call hands something of the module to another object for a path that matches.
func (t *teller) registration(s code.Step, path string) (Fact, bool) {
	links := Links(valueOf(s.Text))
	if len(links) < 2 || !links[len(links)-1].Called {
		return Fact{}, false
	}
	args := links[len(links)-1].Args
	if len(args) == 0 || !slices.ContainsFunc(t.touches, func(u touch) bool { return u.in(s.Text) }) {
		return Fact{}, false
	}
	if len(args) > 1 && strings.Trim(args[0], "\"'`") == "*" && isPlain(args[0]) {
		args = args[1:]
	}
	if !isPath(args[0]) {
		return Fact{Value: t.inlined(strings.Join(args, ", "), ""), On: "*"}, len(args) > 0 && !isPlain(args[0]) && strings.Contains(args[0], "(")
	}
	pattern := t.inlined(args[0], "")
	if len(args) < 2 || !answersTo(pattern, path) {
		return Fact{}, false
	}
	return Fact{Value: t.inlined(strings.Join(args[1:], ", "), ""), On: pattern}, !strings.Contains(strings.Join(args[1:], ", "), "…")
}

// needs returns the statements of the set-up that set what the event and the checks name, and calls on that.
func (t *teller) needs(given []code.Step, s *Story) []code.Step {
	var texts []string
	held := map[string]bool{}
	for _, e := range s.When {
		if e.Request == nil {
			texts = append(texts, e.Call)
		} else {
			texts = append(texts, e.Request.Path, e.Request.Body)
		}
		held[e.Result] = true
	}
	for _, o := range s.Then {
		texts = append(texts, o.Text)
		for _, e := range o.After {
			texts = append(texts, e.Call)
			held[e.Result] = true
		}
	}
	own := slices.Clone(given)
	list := append(slices.Clone(t.above), own...)
	var out []code.Step
	for _, step := range slices.Backward(list) {
		target := t.target(step)
		if target == "" || held[target] || !slices.ContainsFunc(texts, func(text string) bool { return names(text, target) }) {
			continue
		}
		if slices.ContainsFunc(t.above, func(a code.Step) bool { return a == step }) && slices.ContainsFunc(out, func(o code.Step) bool { return setBy(o) == target }) {
			continue // set again
		}
		out = append([]code.Step{step}, out...)
		texts = append(texts, t.inlined(valueOf(step.Text), ""))
	}
	return out
}

// names reports whether a text names a variable outside plain strings.
func names(text, name string) bool {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if c := text[i]; c == '"' || c == '\'' || c == '`' {
			end := code.QuoteEnd(text, i)
			if inner := text[i : end+1]; strings.Contains(inner, "${") || strings.Contains(inner, "#{") || strings.Contains(inner, `\(`) || i > 0 && text[i-1] == 'f' {
				b.WriteString(inner)
			}
			i = end
			continue
		}
		b.WriteByte(text[i])
	}
	return hasWord(b.String(), name)
}

// target returns the variable that a statement sets or calls a method of; "" for none.
func (t *teller) target(s code.Step) string {
	if name, _, ok := Assigned(s.Text); ok {
		return name
	}
	if left, _, ok := cutAssign(s.Text); ok {
		links := Links(left)
		if len(links) > 0 && links[0].Name != "self" && links[0].Name != "this" {
			return links[0].Name
		}
		if len(links) > 1 {
			return links[1].Name
		}
		return ""
	}
	if name, _, ok := zero(s.Text); ok {
		return name
	}
	links := Links(s.Text)
	if len(links) < 2 || !links[len(links)-1].Called || links[0].Called {
		return ""
	}
	return links[0].Name
}

// zero splits a declaration without a value: var s Stack.
func zero(text string) (name, of string, ok bool) {
	words := strings.Fields(text)
	if len(words) != 3 || words[0] != "var" || !isName(words[1]) {
		return "", "", false
	}
	return words[1], words[2], true
}

// counters are the first values of flags and counters of a test.
var counters = setOf("true", "false", "True", "False", "0")

// fact returns what a statement of the set-up says; false for nothing that matters.
func (t *teller) fact(s code.Step) (Fact, bool) {
	if strings.Contains(s.Text, "…") {
		return Fact{}, false
	}
	if name, of, ok := zero(s.Text); ok {
		return Fact{Name: name, Value: of, Zero: true}, t.uses(of+"{") || t.uses(of+" ")
	}
	name, value, ok := Assigned(s.Text)
	if ok && counters[value] {
		return Fact{}, false
	}
	if !ok {
		if left, right, sets := cutAssign(s.Text); sets {
			return Fact{Name: strings.TrimSpace(left), Value: t.inlined(Stripped(right), "")}, true
		}
		return Fact{Value: t.inlined(Stripped(s.Text), "")}, true
	}
	made := Bare(value)
	links := Links(made)
	if n := len(links); n > 0 && links[n-1].Called && len(links[n-1].Args) == 0 && !t.uses(made) {
		return Fact{}, false // an empty object of something else
	}
	return Fact{Name: name, Value: t.inlined(Stripped(value), "")}, true
}
