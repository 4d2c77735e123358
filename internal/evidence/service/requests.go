package service

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// Request is a request that a test sends to an endpoint.
type Request struct {
	Test     string // the name of the test
	TestAt   Place  // its first line
	At       Place  // of the call that sends it
	SetUp    bool   // it is sent before the test's own statements, by a hook
	Fields   []Field
	Varies   bool       // rows of the test differ in the names of the fields
	Asserted []Asserted // in the order of the source
}

// Field is what a request carries: a field of its body, a parameter of its query.
type Field struct {
	Name   string
	Values []string // literals as written, of each row of the test; none if they are not constant
}

// Asserted is a status that a test asserts of an answer.
type Asserted struct {
	Status int // [AnySuccess] for any from 200 to 299
	At     Place
}

// AnySuccess is the status of an assertion that a request succeeds, whatever the status.
const AnySuccess = 2

// Join sets the requests that tests send to the endpoints of a project; r is the resolution of the imports of the files
// and the tests. Tests need the same parts as files.
func Join(p *Project, endpoints []Endpoint, tests []*code.File, r *codegraph.Resolution) {
	if len(endpoints) == 0 || len(tests) == 0 {
		return
	}
	t := &tester{Project: p.withTests(tests, r), targets: targetsOf(endpoints), byLine: map[*code.File][]int{}}
	for _, f := range t.Files {
		t.read(f)
	}
}

// withTests returns the project of the tests: Files are the tests, and names mean what they mean in these and the files.
func (p *Project) withTests(tests []*code.File, r *codegraph.Resolution) *Project {
	out := &Project{Manifests: p.Manifests, imports: r, files: map[string]*code.File{}, symbols: map[string]map[string]*code.Symbol{}, classes: map[string][]Class{}, bindings: map[string][]Bound{}}
	for _, f := range slices.Concat(p.Files, tests) {
		if f.Facts != nil && f.Bodies != nil {
			out.add(f)
		}
	}
	for _, f := range tests {
		if out.files[f.Path] != nil {
			out.Files = append(out.Files, f)
		}
	}
	slices.SortFunc(out.Files, func(a, b *code.File) int { return strings.Compare(a.Path, b.Path) })
	out.Links = resolve.Module(slices.Concat(p.Files, out.Files), nil, r)
	return out
}

// tester reads tests.
type tester struct {
	*Project // of the tests
	targets  []target
	byLine   map[*code.File][]int // the indexes of calls, by their lines
	senders  map[string]bool      // the names of the functions in Go that may send requests; nil until needed
}

// within returns the indexes of a file's calls in some lines, in the order of the source.
func (t *tester) within(f *code.File, first, last int) []int {
	calls := f.Bodies.Calls
	list, known := t.byLine[f]
	if !known {
		for i := range calls {
			list = append(list, i)
		}
		slices.SortStableFunc(list, func(a, b int) int { return calls[a].Line - calls[b].Line })
		t.byLine[f] = list
	}
	from, _ := slices.BinarySearchFunc(list, first, func(i, line int) int { return calls[i].Line - line })
	to, _ := slices.BinarySearchFunc(list, last+1, func(i, line int) int { return calls[i].Line - line })
	return slices.Sorted(slices.Values(list[from:max(from, to)]))
}

// read joins the requests of a file's tests.
func (t *tester) read(f *code.File) {
	own := t.registered(f)
	for i := range f.Tests {
		test := &f.Tests[i]
		if test.EndLine == 0 {
			continue
		}
		s := &scope{tester: t, file: f, first: test.Line, last: test.EndLine, own: own}
		for j := range f.Tests {
			if in := &f.Tests[j]; in != test && in.Line > test.Line && in.EndLine <= test.EndLine {
				s.inner = append(s.inner, resolve.Span{First: in.Line, Last: in.EndLine})
			}
		}
		base := Request{Test: test.Name, TestAt: Place{f.Path, test.Line}}
		for _, row := range s.rows() {
			s.row = row
			list := append(s.hooks(), s.sent()...)
			s.assertions(list)
			for j := range list {
				t.join(base, &list[j])
			}
		}
	}
}

// join adds a request to the endpoint that answers it.
func (t *tester) join(base Request, x *sending) {
	e := t.endpoint(x)
	if e == nil {
		return
	}
	base.At, base.SetUp, base.Asserted, base.Fields = x.at, x.setUp, x.asserted, x.fields
	for i := range e.Requests {
		if r := &e.Requests[i]; r.TestAt == base.TestAt && r.At == base.At {
			r.merge(&base)
			return
		}
	}
	e.Requests = append(e.Requests, base)
}

// merge adds what a request of another row carries and what is asserted of its answer.
func (r *Request) merge(other *Request) {
	r.Varies = r.Varies || len(r.Fields) != len(other.Fields)
	for _, f := range other.Fields {
		i := slices.IndexFunc(r.Fields, func(g Field) bool { return g.Name == f.Name })
		if i < 0 {
			r.Fields, r.Varies = append(r.Fields, f), true
			continue
		}
		for _, v := range f.Values {
			if !slices.Contains(r.Fields[i].Values, v) {
				r.Fields[i].Values = append(r.Fields[i].Values, v)
			}
		}
	}
	for _, a := range other.Asserted {
		if !slices.Contains(r.Asserted, a) {
			r.Asserted = append(r.Asserted, a)
		}
	}
}

// registered returns the paths for which a file of tests registers handlers of its own: these are not those of the service.
func (t *tester) registered(f *code.File) map[string]bool {
	out := map[string]bool{}
	for i := range f.Bodies.Calls {
		c := Call{f, &f.Bodies.Calls[i]}
		args := positional(&c.Value)
		if len(args) == 0 || args[0].Kind != code.ValueString || !strings.HasPrefix(args[0].Text, "/") {
			continue
		}
		receiver, name := c.Of()
		last := args[len(args)-1]
		switch {
		case c.Mark, last.Kind == code.ValueFunction && !strings.Contains(receiver, "("): // else it is a callback
			out[args[0].Text] = true
		case f.Language == "go" && len(args) > 1 && (name == "Handle" || name == "HandleFunc" || verbs[strings.ToLower(name)] != "") && t.Node(f.Path, last) == nil:
			out[args[0].Text] = true
		}
	}
	return out
}

// scope is the lines that a test runs: its own, or those of a helper.
type scope struct {
	*tester
	file        *code.File
	first, last int
	inner       []resolve.Span // the lines of other tests in it
	row         tableRow
	own         map[string]bool
	depth       int
}

// holds reports whether a line is in the scope.
func (s *scope) holds(line int) bool {
	return s.first <= line && line <= s.last && !slices.ContainsFunc(s.inner, func(i resolve.Span) bool { return i.Holds(line) })
}

// sending is a call that sends a request.
type sending struct {
	call     int // 0-based index of the call in its file
	at       Place
	line     int    // in the test
	variable string // that has the answer; "" for none
	method   string // "" if it is not known
	path     string // with "…" for what is not constant
	named    string // instead of path: the name of the route
	setUp    bool
	fields   []Field
	asserted []Asserted
}

// maxHelpers limits how many helpers in a row are followed.
const maxHelpers = 3

// sent returns the requests that a scope sends, in the order of the source.
func (s *scope) sent() []sending {
	var out []sending
	for _, i := range s.within(s.file, s.first, s.last) {
		c := &s.file.Bodies.Calls[i]
		if c.Mark || !s.holds(c.Line) {
			continue
		}
		if x, ok := s.request(i); ok {
			out = append(out, x)
			continue
		}
		out = append(out, s.helper(c)...)
	}
	return out
}

// request reads a call that sends a request.
func (s *scope) request(i int) (sending, bool) {
	c := Call{s.file, &s.file.Bodies.Calls[i]}
	for j := range clients {
		m := &clients[j]
		if !slices.Contains(m.languages, s.file.Language) {
			continue
		}
		if x, ok := m.read(s, c, i); ok && !s.own[x.path] && !s.routing(i) {
			x.call, x.at, x.line = i, c.Place(), c.Line
			x.variable = s.variable(c)
			x.fields = s.carried(i)
			return x, true
		}
	}
	return sending{}, false
}

// routing reports whether a call is in a test of routing, which sends nothing: expect(get "/").to route_to "home#index".
func (s *scope) routing(i int) bool {
	if s.file.Language != "ruby" {
		return false
	}
	calls := s.file.Bodies.Calls
	for j := range calls {
		if calls[j].Line == calls[i].Line && (strings.Contains(namesIn(&calls[j].Value), "route_to") || Last(calls[j].Value.Text) == "be_routable") {
			return true
		}
	}
	return false
}

// variable returns the variable that has the result of a call, or of the chain that it begins.
func (s *scope) variable(c Call) string {
	if c.To != "" {
		return c.To
	}
	name := ""
	s.statements(func(stmt *code.Stmt) {
		if stmt.Op == code.StmtAssign && stmt.Value != nil && stmt.Line <= c.Line {
			stmt.Value.All(func(v *code.Value) bool {
				if v.Kind == code.ValueCall && v.Line == c.Value.Line && v.Text == c.Value.Text {
					name = stmt.Text
				}
				return true
			})
		}
	})
	return name
}

// statements calls see for the statements of the functions around or in the scope, in the scope.
func (s *scope) statements(see func(stmt *code.Stmt)) {
	for i := range s.file.Bodies.Functions {
		b := &s.file.Bodies.Functions[i]
		if b.Line > s.last || b.End > 0 && b.End < s.first {
			continue
		}
		code.AllStmts(b.Stmts, func(stmt *code.Stmt) {
			if s.holds(stmt.Line) {
				see(stmt)
			}
		})
	}
}

// helper returns the requests that a function of the tests sends for the scope.
func (s *scope) helper(c *code.CallUse) []sending {
	if s.depth >= maxHelpers || s.file.Language == "go" && !s.maySend(Last(c.Value.Text)) {
		return nil
	}
	n := s.Node(s.file.Path, &c.Value)
	if n == nil || !n.Test || !IsFunction(n) || n.File == s.file.Path && s.first <= n.StartLine && n.EndLine <= s.last {
		return nil
	}
	f := s.files[n.File]
	if f == nil || n.File == s.file.Path && n.StartLine <= c.Line && c.Line <= n.EndLine {
		return nil
	}
	inner := &scope{tester: s.tester, file: f, first: n.StartLine, last: n.EndLine, own: s.own, depth: s.depth + 1, row: s.arguments(n, &c.Value)}
	out := inner.sent()
	inner.assertions(out)
	for i := range out {
		out[i].line, out[i].call = c.Line, -1
		out[i].variable = s.variable(Call{s.file, c})
	}
	return out
}

// maySend reports whether a function in Go with a name may send requests: it has a call with the name of a client, or of such
// a function. What other calls mean is not asked: files would be linked for it.
func (t *tester) maySend(name string) bool {
	if t.senders != nil {
		return t.senders[name]
	}
	t.senders = map[string]bool{}
	callers := map[string][]string{} // names of functions by the name of what they call
	for _, f := range t.Files {
		if f.Language == "go" {
			t.addCallers(f, callers)
		}
	}
	var open []string
	for called := range callers {
		if slices.ContainsFunc(clients, func(m client) bool { _, ok := m.called(called); return ok && slices.Contains(m.languages, "go") }) {
			open = append(open, called)
		}
	}
	for len(open) > 0 {
		called := open[len(open)-1]
		open = open[:len(open)-1]
		for _, caller := range callers[called] {
			if !t.senders[caller] {
				t.senders[caller] = true
				open = append(open, caller)
			}
		}
	}
	return t.senders[name]
}

// addCallers adds the functions of a file by the names of what they call.
func (t *tester) addCallers(f *code.File, callers map[string][]string) {
	add := func(name string, first, last int) {
		for _, i := range t.within(f, first, last) {
			called := Last(f.Bodies.Calls[i].Value.Text)
			if list := callers[called]; len(list) == 0 || list[len(list)-1] != name {
				callers[called] = append(list, name)
			}
		}
	}
	for _, s := range t.symbols[f.Path] {
		add(Last(s.Name), s.StartLine, s.EndLine)
	}
	for i := range f.Bodies.Functions {
		if b := &f.Bodies.Functions[i]; b.Name != "" {
			add(b.Name, b.Line, b.End)
		}
	}
}

// hookNames are the functions that run what they are given before each test around them.
var hookNames = []string{"before", "beforeEach", "setup", "let!"}

// hooks returns the requests that the groups around a test send before it.
func (s *scope) hooks() []sending {
	calls := s.file.Bodies.Calls
	around := map[int]bool{}
	for i := range calls { // of the calls in the test, those around
		if s.holds(calls[i].Line) {
			for w := calls[i].Within; w > 0; w = calls[w-1].Within {
				around[w] = true
			}
		}
	}
	var out []sending
	for i := range calls {
		w := calls[i].Within
		if s.holds(calls[i].Line) || w == 0 || !around[calls[w-1].Within] || calls[w-1].Within == 0 {
			continue
		}
		hook := &calls[w-1]
		runs := slices.Contains(hookNames, Last(hook.Value.Text)) && hook.Line < s.first || s.named(hook)
		if !runs {
			continue
		}
		if x, ok := s.request(i); ok {
			x.setUp, x.line = !s.named(hook), s.first
			out = append(out, x)
		}
	}
	return out
}

// named reports whether the definition of a value is one that the test runs: RSpec's subject, or a let whose name ends with
// an exclamation mark or is in the test.
func (s *scope) named(hook *code.CallUse) bool {
	switch Last(hook.Value.Text) {
	case "subject", "let", "let!":
	default:
		return false
	}
	name := "subject"
	if given := hook.Value.Arg(0); given != nil && given.Kind == code.ValueString {
		name = given.Text
	}
	if strings.HasSuffix(name, "!") || hook.Value.Text == "let!" {
		return true
	}
	return slices.ContainsFunc(s.file.Bodies.Steps, func(step code.Step) bool { return s.holds(step.Line) && code.Mentions(step.Text, name) })
}

// assertions adds the statuses that the scope asserts to the requests that they are about.
func (s *scope) assertions(list []sending) {
	if len(list) == 0 {
		return
	}
	add := func(line int, text string, call int, status int) {
		if i := s.about(list, line, text, call); i >= 0 {
			a := Asserted{status, Place{s.file.Path, line}}
			if !slices.Contains(list[i].asserted, a) {
				list[i].asserted = append(list[i].asserted, a)
			}
		}
	}
	for i := range s.file.Bodies.Calls {
		c := &s.file.Bodies.Calls[i]
		if !c.Mark && s.holds(c.Line) {
			for _, status := range s.asserted(i) {
				add(c.Line, c.Value.Text+" "+namesIn(&c.Value), i, status)
			}
		}
	}
	for _, step := range s.file.Bodies.Steps {
		if s.holds(step.Line) {
			if status := s.compared(step); status > 0 {
				add(step.Line, step.Text, -1, status)
			}
		}
	}
}

// about returns the index of the request whose answer an assertion is about: that of its chain of calls, that of the
// variable it names, or the last one before; -1 for none.
func (s *scope) about(list []sending, line int, text string, call int) int {
	last := -1
	for i := range list {
		if call >= 0 && list[i].call >= 0 && s.chained(call, list[i].call) {
			return i
		}
		if list[i].line <= line && !list[i].setUp {
			last = i
		}
	}
	for i, x := range slices.Backward(list) {
		if x.line <= line && !x.setUp && x.variable != "" && code.Mentions(text, strings.TrimPrefix(x.variable, "$")) {
			return i
		}
	}
	return last
}

// chained reports whether two calls are of one chain, or arguments in it: perform(get("/")).andExpect(status().isOk()).
func (s *scope) chained(call, of int) bool { return s.holder(call) == s.holder(of) }

// callWithin returns the index of the call that has a call among its arguments, outside function literals; -1 for none.
func (s *scope) callWithin(i int) int {
	calls := s.file.Bodies.Calls
	w := calls[i].Within - 1
	if w < 0 {
		return -1
	}
	found := false
	for j := range calls[w].Value.Args {
		calls[w].Value.Args[j].All(func(v *code.Value) bool {
			found = found || v.Kind == code.ValueCall && v.Text == calls[i].Value.Text && v.Line == calls[i].Value.Line
			return !found
		})
	}
	if !found {
		return -1
	}
	return w
}

// holder returns the first call of the chain that has a call: in the chain itself, or as an argument.
func (s *scope) holder(i int) int {
	calls := s.file.Bodies.Calls
	for range len(calls) {
		switch w := s.callWithin(i); {
		case calls[i].After > 0:
			i = calls[i].After - 1
		case w >= 0:
			i = w
		default:
			return i
		}
	}
	return i
}
