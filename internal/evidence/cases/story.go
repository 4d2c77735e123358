package cases

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// Story is what a test shows, in order: what is set up, what is done, and what is checked. All texts are source text in which
// the names of variables are replaced by their literals.
type Story struct {
	Given []Fact
	When  []Event
	Then  []Outcome
	// Errors are the variables that hold expected errors.
	Errors map[string]bool
}

// Fact is a part of the set-up that the event or the checks depend on.
type Fact struct {
	Name  string // the variable or member that is set; "" for a call
	Value string // its value, or the call
	On    string // the path for which a call registers Value, "*" for every path; "" if it does not
	Zero  bool   // Value is the type of a variable without a value
}

// Event is what a test does.
type Event struct {
	Call    string // "" if a request is sent
	Request *Request
	Result  string // the variable that holds the result; "" for none
}

// Outcome is one check.
type Outcome struct {
	Text    string
	FailsIf bool
	Line    int
	After   []Event // what was done since the check before; of the first one nothing
	Raised  bool    // Text is the expected exception
	Helper  string  // the function of the test's file that checks; Text is its call
}

// stage is a part of a test: statements up to a check, and the checks.
type stage struct {
	before, then []code.Step
	beside       []code.Step // what the checks are compared with is computed
}

// teller makes the story of one test.
type teller struct {
	*Case
	own      []code.Step       // statements of the test itself
	above    []code.Step       // of its set-up
	literals map[string]string // those that are literals
	objects  map[string]bool   // variables that hold what the module made
	errors   map[string]bool   // variables that hold an expected error
	after    []code.Step       // what is computed between the event and its checks
}

// Story returns what the test shows.
func (c *Case) Story() Story {
	if c.story == nil {
		story := c.tell()
		c.story = &story
	}
	return *c.story
}

func (c *Case) tell() Story {
	t := &teller{Case: c, literals: map[string]string{}, objects: map[string]bool{}, errors: map[string]bool{}}
	t.own, t.above = paired(t.expanded(c.flat(c.steps))), paired(c.flat(c.above()))
	t.assign()
	stages := t.stages()
	if len(stages) == 0 {
		return Story{}
	}
	var s Story
	event, given := t.event(&stages[0])
	s.When = event
	then, kept := t.folded(stages[0].then)
	given = append(given, kept...)
	s.Then = t.outcomes(then, nil)
	for _, later := range stages[1:] {
		after, _ := t.event(&later)
		s.Then = append(s.Then, t.outcomes(later.then, after)...)
	}
	for i := range stages {
		given = append(given, stages[i].beside...)
	}
	s.Errors = t.errors
	s.Given = t.facts(given, &s)
	return s
}

// maxFolded limits the expressions that are written instead of variables in checks, in bytes.
const maxFolded = 60

// folded returns checks with what is computed for them instead of its variables, and the other statements between the event and
// its checks.
func (t *teller) folded(then []code.Step) (checks, kept []code.Step) {
	checks = slices.Clone(then)
	for _, s := range slices.Backward(t.after) {
		name, value, ok := Assigned(s.Text)
		mentions := slices.ContainsFunc(checks, func(c code.Step) bool { return code.Mentions(c.Text, name) })
		if !ok || !mentions || len(value) > maxFolded || strings.Contains(value, "…") {
			kept = append(kept, s)
			continue
		}
		for i := range checks {
			checks[i].Text = code.ReplaceName(checks[i].Text, name, value)
		}
	}
	slices.Reverse(kept)
	return checks, kept
}

// flat returns the statements that are not in handlers, or all if no others check anything; without those that count: their variables
// keep their names.
func (c *Case) flat(steps []code.Step) []code.Step {
	steps = slices.DeleteFunc(slices.Clone(steps), func(s code.Step) bool { return counting.MatchString(s.Text) })
	outer := slices.DeleteFunc(slices.Clone(steps), func(s code.Step) bool { return s.Nested })
	if !slices.ContainsFunc(outer, isAssertion) && slices.ContainsFunc(steps, isAssertion) {
		return slices.Clone(steps)
	}
	return outer
}

// assign finds the values of variables.
func (t *teller) assign() {
	count := map[string]int{}
	for _, s := range slices.Concat(t.Case.above(), t.steps) {
		if name, _, ok := Assigned(s.Text); ok && s.Nested {
			count[name]++
		} else if m := counted.FindStringSubmatch(s.Text); m != nil {
			count[cmp.Or(m[1], m[2])]++
		}
	}
	all := slices.Concat(t.above, t.own)
	for _, s := range t.own {
		all = append(all, done(s)...)
	}
	for _, s := range all {
		name, value, ok := Assigned(s.Text)
		if !ok {
			continue
		}
		if count[name]++; count[name] > 1 {
			delete(t.literals, name)
		} else if isPlain(value) {
			t.literals[name] = value
		}
		t.objects[name] = t.objects[name] || t.uses(value)
	}
	for range 3 { // a literal in a literal
		for _, name := range slices.Sorted(maps.Keys(t.literals)) {
			t.literals[name] = t.inlined(t.literals[name], name)
		}
	}
}

// counted matches what changes a variable: hits++, ++hits, hits += 1.
var counted = lazyregexp.New(`^(?:(?:\+\+|--)([\pL_$][\pL\pN_$]*)|([\pL_$][\pL\pN_$]*)\s*(?:\+\+|--|[-+*/|&%^]=.*));?$`)

// counting matches what counts by one, and does nothing else: hits++, --left.
var counting = lazyregexp.New(`^(?:(?:\+\+|--)[\pL_$][\pL\pN_$]*|[\pL_$][\pL\pN_$]*(?:\+\+|--));?$`)

// maxPlain limits the literals that are written instead of variables, in bytes.
const maxPlain = 300

// isPlain reports whether a value is a literal.
func isPlain(value string) bool {
	value = Bare(value)
	if value == "" || len(value) > maxPlain || strings.Contains(value, "…") {
		return false
	}
	switch c := value[0]; {
	case strings.IndexByte("\"'`", c) >= 0:
		return code.QuoteEnd(value, 0) == len(value)-1 || strings.Contains(value, "\" + \"")
	case isNumber(strings.TrimPrefix(value, "-")[:min(1, len(strings.TrimPrefix(value, "-")))]):
		return !strings.ContainsAny(value, "( ")
	case c == '[' || c == '{':
		return code.BracketEnd(value, 0) == len(value)-1 && !strings.Contains(value, "(")
	}
	if i := strings.IndexByte(value, '"'); i > 0 && i < 3 && nameAt(value) == value[:i] { // b"…"
		return code.QuoteEnd(value, i) == len(value)-1
	}
	return constants[value]
}

// constants are words that are values.
var constants = setOf("true", "false", "True", "False", "nil", "null", "None")

// inlined returns a text with literals instead of variables, also in templates; except is not replaced.
func (t *teller) inlined(text, except string) string {
	for _, name := range slices.Sorted(maps.Keys(t.literals)) {
		value := t.literals[name]
		if name == except || !strings.Contains(text, name) {
			continue
		}
		if c := value[0]; c != '[' && c != '{' && c != '&' || !strings.Contains(text, name+"[") && !strings.Contains(text, name+".") {
			text = code.ReplaceName(text, name, value)
		}
		if inner := strings.Trim(value, "\"'`"); len(inner) == len(value)-2 || isNumber(value) {
			text = strings.NewReplacer("${"+name+"}", inner, "#{"+name+"}", inner).Replace(text)
		}
	}
	return text
}

func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// uses reports whether a text uses the module.
func (t *teller) uses(text string) bool {
	return slices.ContainsFunc(t.touches, func(u touch) bool { return u.distance == 0 && u.in(text) })
}

// acts reports whether a statement or an expression does something with the module: uses it, or calls a method of what it made.
func (t *teller) acts(text string) bool {
	if mocking.MatchString(text) {
		return false
	}
	if t.uses(text) {
		return true
	}
	links := Links(valueOf(text))
	return len(links) > 1 && t.objects[links[0].Name] && links[len(links)-1].Called
}

// valueOf returns what a statement computes: the right side of an assignment.
func valueOf(text string) string {
	if _, value, ok := cutAssign(text); ok {
		return Bare(value)
	}
	return Bare(text)
}

// stages splits the test at its checks.
func (t *teller) stages() []stage {
	var out []stage
	cur := stage{}
	for i, s := range t.own {
		checks := t.asserts(s)
		switch {
		case s.FailsIf && strings.HasSuffix(s.Text, "err != nil") && t.setUpFails(s, t.own[i+1:]):
			cur.before = append(cur.before, done(s)...)
		case isNoise(s) && !t.acts(s.Text) && !checks:
		case checks:
			did := done(s)
			if len(did) > 0 && len(cur.then) > 0 {
				out, cur = append(out, cur), stage{}
			}
			cur.before = append(cur.before, did...)
			cur.then = append(cur.then, s)
		default:
			if len(cur.then) > 0 && !t.within(s, cur.then) {
				out, cur = append(out, cur), stage{}
			}
			cur.before = append(cur.before, s)
		}
	}
	return t.joined(ended(out, cur))
}

// asserts reports whether a statement checks something, itself or through a helper.
func (t *teller) asserts(s code.Step) bool {
	return isAssertion(s) || t.checks(s) && !t.uses(s.Text)
}

// ended adds the last stage, unless it checks nothing: what is done after the last check shows nothing.
func ended(list []stage, last stage) []stage {
	if len(last.then) > 0 || len(list) == 0 && len(last.before) > 0 {
		return append(list, last)
	}
	return list
}

// done returns the statement at the start of a failure condition: x := f() of "x := f(); x != y".
func done(s code.Step) []code.Step {
	if did, _, ok := cutStatement(s.Text); ok && s.FailsIf {
		return paired([]code.Step{{Text: did, Line: s.Line}})
	}
	return nil
}

// paired returns the statements with an assignment for each variable of those that assign several values: got, want := f(), 1.
func paired(list []code.Step) []code.Step {
	var out []code.Step
	for _, s := range list {
		left, right, ok := cutAssign(s.Text)
		names, values := strings.Split(left, ","), splitArgs(right)
		if s.FailsIf || !ok || len(names) < 2 || len(names) != len(values) {
			out = append(out, s)
			continue
		}
		for i := range names {
			one := s
			one.Text = strings.TrimSpace(names[i]) + " := " + strings.TrimSpace(values[i])
			out = append(out, one)
		}
	}
	return out
}

// joined adds the checks of stages that only compute what they compare to those before them.
func (t *teller) joined(list []stage) []stage {
	var out []stage
	for i, st := range list {
		does := slices.ContainsFunc(st.before, func(s code.Step) bool { return t.acts(s.Text) || t.request(s, st.before) != nil })
		if i == 0 || does {
			out = append(out, st)
			continue
		}
		last := &out[len(out)-1]
		last.then = append(last.then, st.then...)
		last.beside = append(last.beside, st.before...)
	}
	return out
}

// setUpFails reports whether an error of set-up ends the test: checks follow.
func (t *teller) setUpFails(s code.Step, rest []code.Step) bool {
	return slices.ContainsFunc(rest, isAssertion) || strings.Contains(s.Text, ";") && !t.acts(s.Text)
}

// within reports whether a statement is in the block of the last check: with pytest.raises(…).
func (t *teller) within(s code.Step, then []code.Step) bool {
	last := then[len(then)-1]
	return last.End >= s.Line && last.Line < s.Line
}

// event returns what a stage does, and the statements before it.
func (t *teller) event(st *stage) (events []Event, given []code.Step) {
	before := st.before
	if n := len(before); n > 0 && len(st.then) > 0 && InDocs(t.Test) && isPrinted(st.then[0].Text) { // what is right before prints it
		return []Event{t.eventOf(before[n-1], before)}, before[:n-1]
	}
	if len(st.then) > 0 && isFailing(st.then[0]) {
		if events, given := t.failing(st.then[0], before); events != nil {
			return events, given
		}
	}
	for i, s := range slices.Backward(before) {
		if r := t.request(s, before); r != nil {
			name, _, _ := Assigned(s.Text)
			return []Event{{Request: r, Result: name}}, before[:i]
		}
	}
	if call := t.checkedCall(st.then); call != "" {
		return []Event{{Call: t.inlined(call, "")}}, before
	}
	if events, given := t.lastAct(before); events != nil {
		return events, given
	}
	if len(st.then) > 0 {
		for _, l := range slices.Backward(Links(firstArgument(st.then[0].Text))) {
			if l.Called {
				return []Event{{Call: t.inlined(l.Text, "")}}, before
			}
		}
	}
	return nil, before
}

// failing returns what is expected to fail, and the statements before it; nil if that is not known.
func (t *teller) failing(check code.Step, before []code.Step) (events []Event, given []code.Step) {
	if call := failingCall(check); call != "" {
		return []Event{{Call: t.inlined(call, "")}}, before
	}
	if n := len(before); n > 0 && before[n-1].Line >= check.Line { // in its block
		return []Event{t.eventOf(before[n-1], before)}, before[:n-1]
	}
	return nil, nil
}

// lastAct returns the last calls of the module before a check, or, if nothing is resolved, the last call, and the other
// statements.
func (t *teller) lastAct(before []code.Step) (events []Event, given []code.Step) {
	for i, s := range slices.Backward(before) {
		if t.acts(s.Text) {
			from := i
			for from > 0 && t.together(before[from-1], before[i]) {
				from--
			}
			for _, e := range before[from : i+1] {
				events = append(events, t.eventOf(e, before))
			}
			t.after = before[i+1:]
			return events, before[:from]
		}
	}
	for i, s := range slices.Backward(before) { // nothing is resolved: the last call
		if strings.Contains(s.Text, "(") && !isNoise(s) && !mocking.MatchString(s.Text) {
			return []Event{t.eventOf(s, before)}, before[:i]
		}
	}
	return nil, nil
}

// together reports whether two statements are calls on one object, of which no result is kept.
func (t *teller) together(a, b code.Step) bool {
	one, two := Links(a.Text), Links(b.Text)
	return len(one) > 1 && len(two) > 1 && one[0].Name == two[0].Name && one[0].Name != "" && one[len(one)-1].Called && !isSetter(one[len(one)-1].Name)
}

// isSetter reports whether a method sets a property, by its name.
func isSetter(name string) bool {
	rest, ok := strings.CutPrefix(strings.ToLower(name), "set")
	return ok && rest != ""
}

// eventOf returns the event of a statement.
func (t *teller) eventOf(s code.Step, before []code.Step) Event {
	if r := t.request(s, before); r != nil {
		return Event{Request: r}
	}
	name, value, ok := Assigned(s.Text)
	if left, right, several := cutAssign(s.Text); !ok && several && strings.Contains(left, ",") {
		return Event{Call: t.inlined(Stripped(right), ""), Result: t.results(left)}
	}
	if !ok {
		return Event{Call: t.inlined(Stripped(s.Text), "")}
	}
	if code.IsErrorName(name) {
		t.errors[name] = true
		name = ""
	}
	return Event{Call: t.inlined(Stripped(value), ""), Result: name}
}

// results returns the variable that holds the result of a call with several, and notes that of the error.
func (t *teller) results(left string) string {
	result := ""
	for name := range strings.SplitSeq(left, ",") {
		switch name = strings.TrimSpace(name); {
		case code.IsErrorName(name):
			t.errors[name] = true
		case isName(name) && name != "_" && result == "":
			result = name
		}
	}
	return result
}

// request returns the request that a statement sends; nil for none.
func (t *teller) request(s code.Step, before []code.Step) *Request {
	value := t.inlined(valueOf(s.Text), "")
	if t.uses(value) && !strings.Contains(value, "equest") {
		return nil
	}
	r := requestIn(value, func(arg string) string {
		if isName(arg) {
			arg = t.valueAt(arg, s.Line)
		}
		return t.inlined(arg, "")
	})
	if r == nil { // a server is called with a request
		r = t.served(value, s.Line)
	}
	if r == nil {
		return nil
	}
	for _, l := range Links(value) {
		for _, a := range l.Args {
			if isName(a) {
				r.amend(a, before)
			}
		}
	}
	for i := range r.Headers {
		r.Headers[i][1] = t.inlined(r.Headers[i][1], "")
	}
	r.Path, r.Body = t.inlined(r.Path, ""), t.inlined(r.Body, "")
	if value := t.valueAt(r.Body, s.Line); value != "" {
		r.Body = t.inlined(Bare(value), r.Body)
	}
	return r
}

// served returns the request in a variable that a handler is called with: h.ServeHTTP(w, req).
func (t *teller) served(value string, line int) *Request {
	links := Links(value)
	if len(links) == 0 {
		return nil
	}
	l := links[len(links)-1]
	switch l.Name {
	case "ServeHTTP", "Do", "Test", "handle", "dispatch", "call", "process", "request":
	default:
		return nil
	}
	for _, a := range l.Args {
		if made := t.valueAt(a, line); isName(a) && made != "" {
			if r := requestIn(t.inlined(Bare(made), ""), func(string) string { return "" }); r != nil {
				return r
			}
		}
	}
	return nil
}

// valueAt returns the value that a variable has on a line; "" if it is not known.
func (t *teller) valueAt(name string, line int) string {
	value := ""
	for _, s := range slices.Concat(t.above, t.own) {
		if set, to, ok := Assigned(s.Text); ok && set == name && s.Line <= line {
			value = to
		}
	}
	return value
}

func isName(text string) bool { return text != "" && nameAt(text) == text }

// isFailing reports whether a check is that something fails.
func isFailing(s code.Step) bool {
	return strings.Contains(s.Text, "aises") || strings.Contains(s.Text, "hrow") || strings.Contains(s.Text, "raise_error") || strings.Contains(s.Text, "assert_raise") || strings.Contains(s.Text, "anics") || strings.Contains(s.Text, "rejects")
}

// failingCall returns the last statement of the closure that a check calls; "" for none.
func failingCall(s code.Step) string {
	for _, l := range Links(valueOf(s.Text)) {
		for _, a := range l.Args {
			if body := Closure(a); body != a || l.Name == "expect" && strings.HasPrefix(l.Text, "expect {") {
				list := Statements(body)
				return Stripped(list[len(list)-1])
			}
		}
	}
	return ""
}

// checkedCall returns the call of the module whose result the first check is about, unless it only observes.
func (t *teller) checkedCall(then []code.Step) string {
	if len(then) == 0 {
		return ""
	}
	for _, s := range expected(then[0]) {
		text := firstArgument(s.Text)
		if closed := Closure(text); closed != text || !t.acts(text) {
			continue
		}
		links := Links(text)
		for i, l := range slices.Backward(links) {
			if l.Called && t.acts(l.Text) && (!observes(l) || i == 0) {
				if strings.HasPrefix(strings.TrimSpace(text), "new ") {
					return "new " + l.Text
				}
				return l.Text
			}
		}
	}
	return ""
}

// firstArgument returns the expression that a check is about: the argument of an assertion that acts, or the left side of a
// comparison.
func firstArgument(text string) string {
	text = Bare(text)
	links := Links(text)
	if len(links) > 0 {
		for i, l := range links {
			if i > 0 && (strings.HasPrefix(l.Name, "must_") || strings.HasPrefix(l.Name, "wont_") || l.Name == "should" || l.Name == "Should") {
				return links[i-1].Text
			}
			if l.Called && len(l.Args) > 0 && isAssertion(code.Step{Text: l.Text}) {
				return comparedIn(calling(l.Args))
			}
		}
		return text
	}
	for _, word := range []string{"assert ", "#expect(", "expect("} {
		if rest, ok := strings.CutPrefix(text, word); ok {
			return comparedIn(strings.TrimSuffix(rest, ")"))
		}
	}
	return comparedIn(text)
}

// calling returns the first argument that is a call, or else the first one.
func calling(args []string) string {
	for _, a := range args {
		if len(Links(a)) > 0 && strings.Contains(a, "(") && !isPlain(a) {
			return a
		}
	}
	return args[0]
}

// comparedIn returns the left side of a comparison, or the whole text.
func comparedIn(text string) string {
	for _, sign := range []string{" == ", " != ", " === ", " is ", " in ", " >= ", " > ", " < "} {
		if at := outsideText(text, sign); at > 0 {
			return strings.TrimSpace(strings.TrimPrefix(text[:at], "not "))
		}
	}
	return text
}

// observers are methods without arguments that only tell something.
var observers = setOf("size", "length", "len", "count", "name", "string", "error", "peek", "empty", "value", "inspect", "hash", "text", "json", "data", "body", "tostring", "to_s", "status", "code", "path")

// observes reports whether a call only tells something of an object.
func observes(l Link) bool {
	name := strings.ToLower(l.Name)
	if observers[name] {
		return true
	}
	for _, prefix := range []string{"get", "is", "has", "to"} {
		if strings.HasPrefix(name, prefix) && len(l.Args) == 0 {
			return true
		}
	}
	return false
}
