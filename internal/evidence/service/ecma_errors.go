package service

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// thrown is an error as the handlers of errors see it.
type thrown struct {
	*Project
	class   string
	status  int    // its own; 0 if it has none
	name    string // the name that it has
	unknown bool   // it is of a library, whose fields are not known
	sent    bool   // an answer with the error as its body has the error's status: Fastify
}

// throws returns the error of a class, made by a call; status is its own as far as that is known.
func (p *Project) throws(class string, status int) *thrown {
	t := &thrown{Project: p, class: class, status: status, name: class}
	t.unknown = len(p.classes[class]) == 0
	return t
}

// answer returns the answer of the first handler of errors that answers: the status and whether there is one.
func (t *thrown) answer(handlers [][]Ending) (status int, found bool) {
	for _, list := range handlers {
		for i := range list {
			e := &list[i]
			name := errorParameter(e.Site.Body)
			if holds(e.Site.When, func(text string) verdict { return t.atom(text, name) }) == no {
				continue
			}
			if status := t.given(e, name); status > 0 {
				return status, true
			}
		}
	}
	return 0, false
}

// errorParameter returns the name of the parameter with the error.
func errorParameter(b *code.Body) string {
	if len(b.Params) == 0 {
		return ""
	}
	return b.Params[0]
}

// given returns the status of an answer to the error: a constant, that of the error, or what is used without one.
func (t *thrown) given(e *Ending, name string) int {
	if answer := e.Site.Stmt.Answer; t.sent && answer != nil && e.Site.Exit != nil && e.Site.Exit.Status == "" && e.Site.Exit.Given == nil {
		if v := answer.Value.Arg(0); v != nil && v.Kind == code.ValueName && v.Text == name {
			return cmp.Or(t.status, 500)
		}
	}
	if e.Status > 0 && (e.Site.Exit == nil || e.Site.Exit.Given == nil || e.Site.Exit.Status != "") {
		return e.Status
	}
	if e.Site.Exit == nil || e.Site.Exit.Given == nil {
		return 0
	}
	return t.computed(e.Site.Body, e.Site.Exit.Given, name, 0)
}

// computed evaluates a status that is computed from the error.
func (t *thrown) computed(b *code.Body, v *code.Value, name string, depth int) int {
	if depth > maxSteps {
		return 0
	}
	switch v.Kind {
	case code.ValueNumber:
		return statusNumber(v.Text)
	case code.ValueName:
		owner, field := CutLast(v.Text)
		if strings.TrimSuffix(owner, "?") == name && name != "" {
			if strings.Contains(strings.ToLower(field), "status") || strings.Contains(strings.ToLower(field), "code") {
				return t.status
			}
			return 0
		}
		if n := StatusNamed(field); n > 0 && owner != "" {
			return n
		}
		return t.local(b, v.Text, name, depth)
	default:
		for i := range v.Args {
			if n := t.computed(b, &v.Args[i], name, depth+1); n > 0 {
				return n
			}
		}
	}
	if v.Kind == code.ValueCall && strings.HasPrefix(v.Text, name+".getStatus") {
		return t.status
	}
	return 0
}

// local evaluates a variable of the handler: const status = err.status || 500, const { status } = err.
func (t *thrown) local(b *code.Body, variable, name string, depth int) int {
	out := 0
	code.AllStmts(b.Stmts, func(s *code.Stmt) {
		if s.Op != code.StmtAssign || s.Value == nil || out > 0 {
			return
		}
		if s.Text == variable {
			out = t.computed(b, s.Value, name, depth+1)
			return
		}
		if !strings.HasPrefix(s.Text, "{") || s.Value.Kind != code.ValueName || s.Value.Text != name {
			return
		}
		for part := range strings.SplitSeq(strings.Trim(s.Text, "{} "), ",") {
			field, rest, _ := strings.Cut(strings.TrimSpace(part), "=")
			field, as, renamed := strings.Cut(strings.TrimSpace(field), ":")
			if !renamed {
				as = field
			}
			if strings.TrimSpace(as) == variable {
				if out = t.status; out == 0 {
					out = statusNumber(strings.TrimSpace(rest))
				}
			}
		}
	})
	return out
}

// atom evaluates a condition without parts.
func (t *thrown) atom(text, name string) verdict {
	if name == "" {
		return unknown
	}
	if left, class, ok := strings.Cut(text, " instanceof "); ok {
		if left != name {
			return unknown
		}
		return is(t.IsA(t.class, Last(strings.TrimSpace(class))))
	}
	for _, operator := range []string{" !== ", " === ", " != ", " == "} {
		left, right, ok := strings.Cut(text, operator)
		if !ok {
			continue
		}
		v := t.equals(left, right, name)
		if strings.Contains(operator, "!") {
			v = not(v)
		}
		return v
	}
	if text == name {
		return yes
	}
	field, ok := strings.CutPrefix(strings.Replace(text, "?.", ".", 1), name+".")
	if !ok || strings.ContainsAny(field, ".([ ") {
		return unknown
	}
	return t.has(field)
}

// has reports whether the error has a value in a field.
func (t *thrown) has(field string) verdict {
	switch {
	case field == "message" || field == "name" || field == "stack", isStatusName(field) && t.status > 0:
		return yes
	case isStatusName(field) && (!t.unknown || t.class == "Error"):
		return no
	}
	return unknown
}

// equals evaluates a comparison of a field of the error with a constant.
func (t *thrown) equals(left, right, name string) verdict {
	field, ok := strings.CutPrefix(strings.Replace(left, "?.", ".", 1), name+".")
	if !ok {
		return unknown
	}
	switch {
	case field == "name" && len(right) > 2 && strings.ContainsAny(right[:1], "'\"`"):
		return is(strings.Trim(right, "'\"`") == t.name)
	case field == "constructor.name":
		return is(strings.Trim(right, "'\"`") == t.class)
	case isStatusName(field) && statusNumber(right) > 0 && t.status > 0:
		return is(statusNumber(right) == t.status)
	case field == "code" && strings.ContainsAny(right[:1], "'\"`"): // of a library's error
		return is(false)
	}
	return unknown
}

// ecmaAnswered returns the answer that a statement gives by a response that the function has, or by a new one.
func ecmaAnswered(p *Project, at Site) (Answer, bool) {
	if at.Stmt.Op != code.StmtAnswer || at.Exit == nil || at.Stmt.Answer.Passes {
		return Answer{}, false
	}
	a := at.Stmt.Answer
	if !hasResponse(at.File, at.Body, a.On) {
		return Answer{}, false
	}
	out := Answer{Message: at.Exit.Message, Status: statusNumber(at.Exit.Status)}
	switch {
	case out.Status > 0:
	case at.Exit.Given != nil:
		out.Status = p.Status(at.File.Path, at.Exit.Given)
	case Last(a.By) == "redirect":
		out.Status = 302
	default:
		out.Status = 200
	}
	if out.Status < 400 {
		out.Message = ""
	}
	return out, true
}

// hasResponse reports whether an answer is sent with a parameter of the function or of one around it, or is a new
// response.
func hasResponse(f *code.File, b *code.Body, on string) bool {
	root, _, _ := strings.Cut(on, ".")
	switch root {
	case "", "Response", "NextResponse", "this":
		return true
	}
	made := false // of the context of the request, as in filters of NestJS
	code.AllStmts(b.Stmts, func(s *code.Stmt) {
		made = made || s.Op == code.StmtAssign && s.Text == root && s.Value != nil && strings.Contains(s.Value.Text, "getResponse")
	})
	if made {
		return true
	}
	for i := range f.Bodies.Functions {
		o := &f.Bodies.Functions[i]
		if o.Line <= b.Line && b.End <= o.End && slices.Contains(o.Params, root) {
			return true
		}
	}
	return false
}
