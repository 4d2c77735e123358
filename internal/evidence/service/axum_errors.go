package service

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// axumErrors says what functions answer by the errors and statuses that they name.
type axumErrors struct {
	*Project
	known   map[*resolve.Node][]Refusal
	methods map[string][]*resolve.Node // by owner and name
	shows   []string                   // the methods by which an error says what it answers, the first that it has
	depth   int
}

func newAxumErrors(p *Project, shows ...string) *axumErrors {
	x := &axumErrors{Project: p, known: map[*resolve.Node][]Refusal{}, methods: map[string][]*resolve.Node{}, shows: shows}
	for _, f := range p.Files {
		if f.Language != "rust" {
			continue
		}
		for _, m := range p.Links.Linked(f.Path) {
			if owner := m.Owner(); IsFunction(m) && owner != "" {
				x.methods[Last(owner)+"."+m.Name] = append(x.methods[Last(owner)+"."+m.Name], m)
			}
		}
	}
	return x
}

// axumShown are methods that say how an error is shown: to name them is not to fail.
var axumShown = []string{"into_response", "status_code", "status", "fmt", "from", "source", "to_string", "error_response"}

// axumMapped are methods of a result that replace its error or drop it.
var axumMapped = []string{"map_err", "or_else", "ok", "unwrap_or", "unwrap_or_default", "unwrap_or_else", "is_ok", "is_err", "unwrap", "expect"}

// answers returns what a function and those of the project that it calls answer, in the order of the source.
func (x *axumErrors) answers(n *resolve.Node) []Refusal {
	if list, known := x.known[n]; known || x.depth > maxDepth {
		return list
	}
	x.known[n] = nil // of a recursion
	file, body := x.File(n.File), x.Body(n)
	if file == nil || body == nil {
		return nil
	}
	x.depth++
	defer func() { x.depth-- }()
	c := axumAnswers{places: x.bodies.Statements(file.Bodies.Functions, body, func(*code.Stmt) bool { return true }), of: n}
	for _, u := range x.Links.Uses(n) {
		c.add(x.use(file, body, &u), u.Line)
	}
	for call := range x.CallsIn(n.File, n.StartLine, n.EndLine) {
		c.add(refusalsOf(x.made(body, call)), call.Line)
		if at := (resolve.Use{Name: Last(call.Value.Text), Line: call.Line}); !mapsError(file, &at) && !handlesError(body, &at) {
			for _, m := range x.called(n, call) {
				c.add(slices.DeleteFunc(slices.Clone(x.answers(m)), func(a Refusal) bool { return a.Status < 400 }), call.Line)
			}
			c.add(refusalsOf(x.library(call)), call.Line)
			c.add(refusalsOf(x.conversion(file, call)), call.Line)
		}
	}
	for i := range c.places {
		s := c.places[i].Stmt
		c.add(refusalsOf(axumStatuses(axumValue(s), nil)), s.Line)
		c.add(refusalsOf(x.own(n, &c.places[i])), s.Line)
	}
	slices.SortStableFunc(c.out, func(a, b Refusal) int {
		if a.At.File != n.File || b.At.File != n.File {
			return 0
		}
		return a.At.Line - b.At.Line
	})
	x.known[n] = c.out
	return c.out
}

// axumAnswers collects the answers of one function.
type axumAnswers struct {
	of     *resolve.Node
	places []paths.Place
	out    []Refusal
}

// add adds answers that are given on a line, those of called functions as they are.
func (c *axumAnswers) add(list []Refusal, line int) {
	for _, a := range list {
		if a.At == (Place{}) {
			a.At, a.In = Place{c.of.File, line}, c.of.Path()
			if at := c.placeOf(line); at != nil {
				a.When, a.Partial = at.When, at.Partial
			}
		}
		if !slices.ContainsFunc(c.out, func(b Refusal) bool { return a.Answer == b.Answer && a.In == b.In }) {
			c.out = append(c.out, a)
		}
	}
}

// placeOf returns the last statement that begins before the end of a line, or the error that it may end with: that of what is left if
// there is no value, x.ok_or(error)?; nil if there is none.
func (c *axumAnswers) placeOf(line int) *paths.Place {
	var out *paths.Place
	for i := range c.places {
		p := &c.places[i]
		if p.Stmt.Line > line || out != nil && p.Stmt.Line < out.Stmt.Line {
			continue
		}
		if out == nil || p.Stmt.Line > out.Stmt.Line || out.Stmt.Op != code.StmtError {
			out = p
		}
	}
	return out
}

func refusalsOf(list []Answer) []Refusal {
	var out []Refusal
	for _, a := range list {
		out = append(out, Refusal{Answer: a})
	}
	return out
}

// axumValue returns what a statement returns or calls; nil for none.
func axumValue(s *code.Stmt) *code.Value {
	if s.Exit != nil {
		return &s.Exit.Value
	}
	return s.Value
}

// made returns the answers of a variant that a call makes: Error::BadRequest(text).
func (x *axumErrors) made(body *code.Body, c Call) []Answer {
	receiver, name := c.Of()
	enum := Last(receiver)
	known := slices.ContainsFunc(x.classes[enum], func(t Class) bool {
		return t.Symbol.Kind == code.Enum && slices.ContainsFunc(t.Symbol.Members, func(m code.Symbol) bool { return m.Name == name && m.Kind == code.EnumMember })
	})
	if !known || axumMatched(body, name, c.Line) {
		return nil
	}
	out := x.statuses(enum, name, 0)
	for i := range out {
		out[i].Error, out[i].Message = enum+"::"+name, cmp.Or(out[i].Message, axumText(c.Value.Arg(0)))
	}
	return out
}

// axumLibrary are calls whose errors an application takes over in a variant, by the type that the variant has, and the
// statuses of these errors.
var axumLibrary = []struct {
	receiver, name, kind string
	statuses             []int
}{
	{"Json", "from_request", "JsonRejection", []int{415, 400, 422}},
	{"Form", "from_request", "FormRejection", []int{415, 422}},
	{"Query", "from_request_parts", "QueryRejection", []int{400}},
	{"Path", "from_request_parts", "PathRejection", []int{400}},
	{"", "validate", "ValidationErrors", nil},
}

// library returns the answers to the errors of a call of a library: those of the variant that takes them, or else the
// library's.
func (x *axumErrors) library(c Call) []Answer {
	receiver, name := c.Of()
	receiver, _, _ = strings.Cut(receiver, "::<")
	for _, l := range axumLibrary {
		if l.name != name || l.receiver != "" && Last(receiver) != l.receiver {
			continue
		}
		var out []Answer
		for owner, wrapper := range inOrder(x.wrappers("")) {
			for _, m := range wrapper.Symbol.Members {
				if slices.ContainsFunc(m.Params, func(p code.Param) bool { return Last(p.Type) == l.kind }) {
					out = append(out, x.statuses(owner, m.Name, 0)...)
				}
			}
		}
		if len(out) == 0 {
			for _, status := range l.statuses {
				out = append(out, Answer{Status: status, Error: l.kind})
			}
		}
		return out
	}
	return nil
}

// own returns the answers of the variants that a method of an error makes of its own type: Self::NotFound.
func (x *axumErrors) own(n *resolve.Node, place *paths.Place) []Answer {
	owner := Last(n.Owner())
	v := axumValue(place.Stmt)
	if owner == "" || v == nil || slices.Contains(axumShown, n.Name) || !slices.ContainsFunc(x.classes[owner], func(c Class) bool { return c.Symbol.Kind == code.Enum }) {
		return nil
	}
	var out []Answer
	v.All(func(part *code.Value) bool {
		if name, ok := strings.CutPrefix(part.Text, "Self::"); ok || strings.HasPrefix(part.Text, "Self.") {
			if !ok {
				name = part.Text[len("Self."):]
			}
			for _, a := range x.statuses(owner, name, 0) {
				a.Error = owner + "::" + name
				out = append(out, a)
			}
		}
		return true
	})
	return out
}

// use returns the refusals of one name in a function: a variant of an error, or a function of the project.
func (x *axumErrors) use(file *code.File, body *code.Body, u *resolve.Use) []Refusal {
	switch {
	case u.To == nil:
	case u.To.Label == codegraph.LabelEnum && u.Name != u.To.Name && !axumMatched(body, u.Name, u.Line):
		var out []Refusal
		for _, a := range x.statuses(u.To.Name, u.Name, 0) {
			a.Error = u.To.Name + "::" + u.Name
			if a.Message == "" {
				a.Message = x.said(file, u)
			}
			out = append(out, Refusal{Answer: a})
		}
		return out
	case IsFunction(u.To) && !slices.Contains(axumShown, u.To.Name):
		return x.useOf(file, body, u)
	}
	return nil
}

// useOf returns the refusals of the use of a function: of a call, and of one that makes the error of another.
func (x *axumErrors) useOf(file *code.File, body *code.Body, u *resolve.Use) []Refusal {
	switch {
	case u.Type == codegraph.Calls && !mapsError(file, u) && !handlesError(body, u):
		list := slices.Clone(x.answers(u.To))
		if s := x.Symbol(u.To); s != nil && Last(s.Returns) == actixResponse {
			return givenHere(list)
		}
		return slices.DeleteFunc(list, func(a Refusal) bool { return a.Status < 400 })
	case u.Type == codegraph.References && givenForError(file, u):
		return givenHere(slices.DeleteFunc(slices.Clone(x.answers(u.To)), func(a Refusal) bool { return a.Status < 400 }))
	}
	return nil
}

// givenHere returns the answers of a function that makes them without a condition as those of the place that it is called in.
func givenHere(list []Refusal) []Refusal {
	for i := range list {
		if len(list[i].When) == 0 {
			list[i].At, list[i].In = Place{}, ""
		}
	}
	return list
}

// said returns the text that a variant is made with: Error::BadRequest("text".into()).
func (x *axumErrors) said(file *code.File, u *resolve.Use) string {
	for c := range x.CallsIn(file.Path, u.Line, u.Line) {
		if Last(c.Value.Text) == u.Name && c.Value.Arg(0) != nil {
			return axumText(c.Value.Arg(0))
		}
	}
	return ""
}

// axumText returns the text of a value: "text", "text".to_string(), what json!({"error": "text"}) says; "" for others.
func axumText(v *code.Value) string {
	if v == nil {
		return ""
	}
	if tokens := jsonTokens(v); tokens != nil {
		for i := range tokens[:max(0, len(tokens)-1)] {
			if slices.Contains(messageNames, tokens[i].Text) && tokens[i+1].Kind == code.ValueString {
				return tokens[i+1].Text
			}
		}
		return ""
	}
	if macro := Last(v.Text); v.Kind == code.ValueCall && strings.HasSuffix(macro, "!") && macro != "format!" {
		return ""
	}
	if text := firstText(v); !strings.Contains(text, "{") {
		return text
	}
	return ""
}

// jsonTokens returns the keys and values of the json!({…}) in a value; nil for none.
func jsonTokens(v *code.Value) []code.Value {
	var out []code.Value
	v.All(func(part *code.Value) bool {
		if part.Kind == code.ValueCall && Last(part.Text) == "json!" {
			out = part.Args
			for len(out) == 1 && len(out[0].Args) > 0 {
				out = out[0].Args
			}
		}
		return out == nil
	})
	return out
}

// axumMatched reports whether a name is in a pattern of a match on a line, so that it is asked for, not made.
func axumMatched(body *code.Body, name string, line int) bool {
	matched, made := false, false
	code.AllStmts(body.Stmts, func(s *code.Stmt) {
		for i := range s.Arms {
			matched = matched || slices.ContainsFunc(s.Arms[i].Labels, func(l string) bool { return code.MentionsMember(strings.ReplaceAll(l, "::", "."), name) })
		}
		names := func(v *code.Value) bool {
			made = made || v.Line == line && (v.Kind == code.ValueName || v.Kind == code.ValueCall) && Last(v.Text) == name
			return true
		}
		if s.Value != nil {
			s.Value.All(names)
		}
		if s.Exit != nil {
			s.Exit.Value.All(names)
		}
	})
	return matched && !made
}

// mapsError reports whether a method that is called on the result of a call replaces its error.
func mapsError(file *code.File, u *resolve.Use) bool {
	calls := file.Bodies.Calls
	for i := range calls {
		if calls[i].Line > u.Line || Last(calls[i].Value.Text) != u.Name {
			continue
		}
		for j := range calls {
			if calls[j].After == i+1 && calls[i].Line >= u.Line-1 && slices.Contains(axumMapped, Last(calls[j].Value.Text)) {
				return true
			}
		}
	}
	return false
}

// givenForError reports whether a function is given to a method that makes another error with it: result.map_err(refused).
func givenForError(file *code.File, u *resolve.Use) bool {
	return slices.ContainsFunc(file.Bodies.Calls, func(c code.CallUse) bool {
		return slices.Contains([]string{"map_err", "ok_or_else"}, Last(c.Value.Text)) && slices.ContainsFunc(c.Value.Args, func(a code.Value) bool {
			return a.Kind == code.ValueName && a.Line == u.Line && Last(strings.ReplaceAll(a.Text, "::", ".")) == u.Name
		})
	})
}

// handlesError reports whether the result of a call is matched, with an arm for its error.
func handlesError(body *code.Body, u *resolve.Use) bool {
	found := false
	code.AllStmts(body.Stmts, func(s *code.Stmt) {
		if s.Op != code.StmtSwitch || s.Line > u.Line || !strings.Contains(s.Text, u.Name+"(") || strings.HasSuffix(s.Text, "?") {
			return
		}
		found = found || slices.ContainsFunc(s.Arms, func(a code.Arm) bool {
			return slices.ContainsFunc(a.Labels, func(l string) bool { return strings.HasPrefix(l, "Err(") })
		})
	})
	return found
}

// axumStatuses returns the answers whose statuses a value names, with the texts beside them.
func axumStatuses(v *code.Value, around *code.Value) []Answer {
	if v == nil || v.Kind == code.ValueOther && v.Text != "" { // a comparison
		return nil
	}
	if v.Kind == code.ValueName && strings.Contains(v.Text, "StatusCode::") {
		return axumNamed(v, around)
	}
	var out []Answer
	if status := cmp.Or(axumRedirects[v.Text], actixStatus(v.Text)); v.Kind == code.ValueCall && status > 0 {
		out = append(out, Answer{Status: status})
	}
	for i := range v.Args {
		out = append(out, axumStatuses(&v.Args[i], v)...)
	}
	return out
}

// axumRedirects are the statuses of redirects.
var axumRedirects = map[string]int{"Redirect.to": 303, "Redirect.permanent": 308, "Redirect.temporary": 307}

// axumNamed returns the answer with a status that is named, and the text in the tuple around it.
func axumNamed(v, around *code.Value) []Answer {
	a := Answer{Status: StatusNamed(Last(v.Text))}
	if a.Status == 0 {
		return nil
	}
	if around != nil && around.Kind == code.ValueOther && a.Status >= 400 {
		for i := range around.Args {
			a.Message = cmp.Or(a.Message, axumText(&around.Args[i]))
		}
	}
	return []Answer{a}
}

// statuses returns what a variant of an enumeration answers: by its own conversion, or that of an error which it turns into.
func (x *axumErrors) statuses(enum, variant string, depth int) []Answer {
	if depth > maxSteps {
		return nil
	}
	for _, m := range x.showing(enum) {
		return x.shown(m, enum, variant, "", depth)
	}
	var out []Answer
	for owner, c := range inOrder(x.wrappers(enum)) {
		for _, from := range x.methods[owner+".from"] {
			if to := x.converted(from, enum, variant, owner); to != "" {
				return x.statuses(owner, to, depth+1)
			}
		}
		for _, m := range c.Symbol.Members {
			if slices.ContainsFunc(m.Params, func(p code.Param) bool { return Last(p.Type) == enum }) {
				for _, shown := range x.showing(owner) {
					out = append(out, x.shown(shown, owner, m.Name, variant, depth)...)
				}
			}
		}
	}
	return out
}

// showing returns the methods by which an enumeration says what it answers.
func (x *axumErrors) showing(enum string) []*resolve.Node {
	for _, name := range x.shows {
		if list := x.methods[enum+"."+name]; len(list) > 0 {
			return list
		}
	}
	return nil
}

// wrappers returns the enumerations with an answer of their own, by name.
func (x *axumErrors) wrappers(except string) map[string]*Class {
	out := map[string]*Class{}
	for name, list := range x.classes {
		for i := range list {
			if name != except && list[i].Symbol.Kind == code.Enum && len(x.showing(name)) > 0 {
				out[name] = &list[i]
			}
		}
	}
	return out
}

// converted returns the variant that an implementation of From makes of another error's; "" if it does not.
func (x *axumErrors) converted(from *resolve.Node, enum, variant, owner string) string {
	to := ""
	code.AllStmts(bodyStmts(x.Body(from)), func(s *code.Stmt) {
		for i := range s.Arms {
			if !slices.ContainsFunc(s.Arms[i].Labels, func(l string) bool { return strings.Contains(l, enum+"::"+variant) }) {
				continue
			}
			code.AllStmts(s.Arms[i].Body, func(s *code.Stmt) {
				if s.Value != nil {
					s.Value.All(func(v *code.Value) bool {
						before, name := CutLast(v.Text)
						if (Last(before) == owner || Last(before) == "Self") && to == "" {
							to = name
						}
						return true
					})
				}
			})
		}
	})
	return to
}

// shown returns the answers that a method of an enumeration gives for a variant; inner is a variant of the error inside, ""
// for any.
func (x *axumErrors) shown(m *resolve.Node, enum, variant, inner string, depth int) []Answer {
	if depth > maxSteps {
		return nil
	}
	var out []Answer
	var rest []code.Stmt
	matched := 0 // the line of a match whose value is assigned
	for _, s := range bodyStmts(x.Body(m)) {
		if s.Op == code.StmtAssign && s.Line == matched {
			continue
		}
		if s.Op != code.StmtSwitch || Last(strings.Trim(s.Text, "&*() ")) != "self" && !strings.HasPrefix(strings.Trim(s.Text, "&*() "), "self") {
			rest = append(rest, s)
			continue
		}
		matched = s.Line
		for _, arm := range axumArms(&s, variant, inner) {
			out = append(out, x.ends(arm.Body, enum, variant, inner, depth)...)
		}
	}
	if len(out) == 0 {
		out = x.ends(rest, enum, variant, inner, depth)
	}
	return out
}

// axumArms returns the arms of a match on self that take a variant: those that name it, or else the default.
func axumArms(s *code.Stmt, variant, inner string) []code.Arm {
	var exact, named, others []code.Arm
	for _, arm := range s.Arms {
		label := strings.ReplaceAll(strings.Join(arm.Labels, " | "), "::", ".")
		switch {
		case code.MentionsMember(label, variant) && inner != "" && code.MentionsMember(label, inner):
			exact = append(exact, arm)
		case code.MentionsMember(label, variant):
			named = append(named, arm)
		case arm.Default:
			others = append(others, arm)
		}
	}
	for _, list := range [][]code.Arm{exact, named} {
		if len(list) > 0 {
			return list
		}
	}
	return others
}

// ends returns the answers that statements name themselves, or by a method of self.
func (x *axumErrors) ends(list []code.Stmt, enum, variant, inner string, depth int) []Answer {
	var out []Answer
	shows := false
	code.AllStmts(list, func(s *code.Stmt) {
		if s.Value == nil || strings.HasSuffix(s.Value.Text, "!") {
			return
		}
		for _, a := range axumStatuses(s.Value, nil) {
			if !slices.Contains(out, a) {
				out = append(out, a)
			}
		}
		s.Value.All(func(v *code.Value) bool {
			receiver, name := CutLast(v.Text)
			shows = shows || name == "to_string" && isSelf(receiver)
			if v.Kind == code.ValueCall && receiver != "" && isSelf(receiver) && len(out) == 0 {
				for _, m := range x.methods[enum+"."+name] {
					out = append(out, x.shown(m, enum, variant, inner, depth+1)...)
				}
			}
			return true
		})
	})
	if shows {
		x.display(out, enum, variant)
	}
	return out
}

// isSelf reports whether a name is self, Self, or may be what a pattern binds to it.
func isSelf(name string) bool {
	return name == "Self" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_") == ""
}

// display sets the messages of answers that are made with the text of a variant.
func (x *axumErrors) display(list []Answer, enum, variant string) {
	for i := range list {
		if list[i].Message == "" {
			list[i].Message = x.displayed(enum, variant)
		}
	}
}

// displayed returns the text of a variant that thiserror gives it; "" for none.
func (x *axumErrors) displayed(enum, variant string) string {
	for i := range x.classes[enum] {
		for _, member := range x.classes[enum][i].Symbol.Members {
			for _, d := range member.Decorators {
				if text, ok := strings.CutPrefix(d, `#[error("`); ok && member.Name == variant && !strings.Contains(text, "{") {
					return strings.TrimSuffix(text, `")]`)
				}
			}
		}
	}
	return ""
}
