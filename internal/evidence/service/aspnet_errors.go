package service

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// aspnetRule is how code of the project answers exceptions of some classes.
type aspnetRule struct {
	classes []string // none for any
	status  int
	own     bool // the status is that of the exception
}

// aspnetRules are the rules of a project.
type aspnetRules struct {
	*Project
	list []aspnetRule
	seen map[*resolve.Node]bool
	open []*resolve.Node // the functions that are being read
}

// aspnetErrors returns how exceptions are answered: by the rule for the closest base; others are 500.
func aspnetErrors(p *Project, _ func(s *Step) []Ending) func(at Site, class string, made *code.Value, a Answer) Answer {
	r := &aspnetRules{Project: p, seen: map[*resolve.Node]bool{}}
	for _, f := range p.Files {
		if f.Language == "csharp" {
			r.read(f)
		}
	}
	return func(at Site, class string, made *code.Value, a Answer) Answer {
		if made != nil && at.File != nil {
			if a.Message == "" {
				a.Message = cmp.Or(p.ErrorAnswer(at.File.Path, made).Message, p.baseText(class))
			}
		}
		rule := r.closest(class)
		switch {
		case made != nil && at.File != nil && len(p.classes[class]) == 0 && statusExceptions[class]:
			if a.Status = r.firstStatus(at.File.Path, made); a.Status == 0 && class == "BadHttpRequestException" {
				a.Status = 400
			}
			a.Status = cmp.Or(a.Status, 500)
		case rule == nil:
			a.Status = 500
		case rule.own:
			if a.Status = p.dotnetOwnStatus(at, class, made); a.Status == 0 {
				a.Status = cmp.Or(rule.status, 500)
			}
		default:
			a.Status = rule.status
		}
		return a
	}
}

// statusExceptions are exceptions of the framework and of Hellang's middleware for problem details that are made with the
// status of their answer.
var statusExceptions = map[string]bool{"ProblemDetailsException": true, "BadHttpRequestException": true}

// closest returns the rule for the closest base of a class; nil for none.
func (r *aspnetRules) closest(class string) *aspnetRule {
	best, at := -1, 1<<30
	for i := range r.list {
		d, ok := 1<<20, len(r.list[i].classes) == 0
		for _, c := range r.list[i].classes {
			if n, is := r.distance(class, c); is {
				d, ok = min(d, n), true
			}
		}
		if ok && d < at {
			best, at = i, d
		}
	}
	if best < 0 {
		return nil
	}
	return &r.list[best]
}

// read reads the code of a file that answers exceptions: middleware, handlers of exceptions, and filters.
func (r *aspnetRules) read(f *code.File) {
	for _, n := range r.Links.Linked(f.Path) {
		c := r.ofClass(n)
		if !n.IsType() || c == nil {
			continue
		}
		for _, m := range r.methodsOf(c) {
			switch m.Name {
			case "Invoke", "InvokeAsync":
				r.middleware(f, m)
			case "TryHandleAsync", "OnException", "OnExceptionAsync":
				r.function(m, nil)
				r.tables(f, c)
			}
		}
	}
	for c := range r.CallsIn(f.Path, 1, f.LOC+1) {
		switch name := Last(c.Value.Text); name {
		case "UseExceptionHandler":
			r.pipeline(f, c)
		case "MapToStatusCode":
			if status := r.statusIn(f.Path, lastArgument(&c.Value)); status > 0 {
				for _, class := range r.typesAt(f.Path, c.Line) {
					r.list = append(r.list, aspnetRule{classes: []string{class}, status: status})
				}
			}
		}
	}
}

// pipeline reads the function literal that UseExceptionHandler(e => e.Run(…)) answers with.
func (r *aspnetRules) pipeline(f *code.File, c Call) {
	for i := range f.Bodies.Functions {
		b := &f.Bodies.Functions[i]
		if b.Use.Kind == code.UseArgument && strings.HasSuffix(b.Use.Of, ".Run") && b.Line >= c.Line && b.Line <= c.Line+4 {
			r.stmts(f, b.Stmts, nil)
		}
	}
}

// typesAt returns the exceptions that a line names.
func (r *aspnetRules) typesAt(file string, line int) []string {
	var out []string
	for _, u := range r.Links.Within(file, line, line) {
		if u.To != nil && u.To.IsType() && errorLike(u.To.Name) {
			out = append(out, u.To.Name)
		}
	}
	return out
}

// middleware reads a method that passes a request on within a try statement.
func (r *aspnetRules) middleware(f *code.File, n *resolve.Node) {
	body := r.Body(n)
	if body == nil {
		return
	}
	code.AllStmts(body.Stmts, func(s *code.Stmt) {
		if s.Op != code.StmtTry || !callsNext(s.Body) {
			return
		}
		for i := range s.Arms {
			r.arm(f, &s.Arms[i])
		}
	})
}

// callsNext reports whether statements pass the request on.
func callsNext(list []code.Stmt) bool {
	found := false
	code.AllStmts(list, func(s *code.Stmt) {
		if s.Value != nil && s.Value.Kind == code.ValueCall {
			first, _, _ := strings.Cut(s.Value.Text, ".")
			found = found || strings.Contains(strings.ToLower(first), "next")
		}
	})
	return found
}

// arm reads a handler of a try statement.
func (r *aspnetRules) arm(f *code.File, arm *code.Arm) {
	classes := exceptionNames(strings.Join(arm.Labels, " "))
	if len(classes) == 1 && classes[0] == "Exception" {
		classes = nil
	}
	r.stmts(f, arm.Body, classes)
}

// exceptionNames returns the names in a text that are those of exceptions.
func exceptionNames(text string) []string {
	var out []string
	for name := range strings.FieldsFuncSeq(text, func(c rune) bool { return strings.ContainsRune(" (),|&!<>", c) }) {
		if name = Last(name); errorLike(name) && name[0] >= 'A' && name[0] <= 'Z' && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// function reads a function that answers exceptions of some classes.
func (r *aspnetRules) function(n *resolve.Node, classes []string) {
	f, body := r.File(n.File), r.Body(n)
	if f == nil || body == nil || len(r.seen) > 200 {
		return
	}
	if classes == nil {
		if r.seen[n] {
			return
		}
		r.seen[n] = true
	}
	if s := r.symbolOf(n); s != nil && classes == nil {
		for _, param := range s.Params {
			if names := exceptionNames(param.Type); len(names) > 0 && names[0] != "Exception" {
				classes = names
			}
		}
	}
	r.stmts(f, body.Stmts, classes)
}

// stmts reads the statements that answer exceptions of some classes.
func (r *aspnetRules) stmts(f *code.File, list []code.Stmt, classes []string) {
	for i := range list {
		s := &list[i]
		switch s.Op {
		case code.StmtIf:
			names := classes
			if found := exceptionNames(condText(s.Cond)); len(found) > 0 && strings.Contains(condText(s.Cond), " is ") && !strings.Contains(condText(s.Cond), " is not ") {
				names = found
			}
			r.stmts(f, s.Body, names)
			r.stmts(f, s.Else, classes)
		case code.StmtSwitch:
			for j := range s.Arms {
				names := classes
				if found := exceptionNames(strings.Join(s.Arms[j].Labels, " ")); len(found) > 0 {
					names = found
				}
				r.stmts(f, s.Arms[j].Body, names)
			}
		case code.StmtTry:
			r.stmts(f, s.Body, classes)
		case code.StmtBlock, code.StmtLoop, code.StmtClosure:
			r.stmts(f, s.Body, classes)
		default:
			r.answer(f, s, classes)
		}
	}
}

func condText(c *code.Cond) string {
	if c == nil {
		return ""
	}
	parts := []string{c.Text}
	for i := range c.Args {
		parts = append(parts, condText(&c.Args[i]))
	}
	return strings.Join(parts, " ")
}

// answer reads a statement that answers, or gives the exception to a function that does.
func (r *aspnetRules) answer(f *code.File, s *code.Stmt, classes []string) {
	v := s.Value
	if v == nil {
		return
	}
	if r.choices(f, v) {
		return
	}
	if s.Op == code.StmtAssign && r.assigned(f, Last(s.Text), v, classes) || v.Kind != code.ValueCall {
		return
	}
	if status := aspnetResult(r.Project, f.Path, v); status >= 400 {
		r.add(classes, status)
		return
	}
	r.given(f, v, classes)
}

// assigned reads an assignment of a status or a result, by the name of what is assigned; it reports whether it is one.
func (r *aspnetRules) assigned(f *code.File, name string, v *code.Value, classes []string) bool {
	switch strings.ToLower(name) {
	case "statuscode", "status", "code":
		if status := r.statusIn(f.Path, v); status >= 400 {
			r.add(classes, status)
		} else if ownStatus(v) {
			r.list = append(r.list, aspnetRule{classes: classes, own: true})
		}
		return true
	case "result":
		r.add(classes, aspnetResult(r.Project, f.Path, v))
		return true
	}
	return false
}

// given reads a call of a function of the project that answers, or of one that is given a status.
func (r *aspnetRules) given(f *code.File, v *code.Value, classes []string) {
	for _, u := range r.Links.Within(f.Path, v.Line, v.Line) {
		if u.To == nil || !IsFunction(u.To) || u.Name != Last(v.Text) {
			continue
		}
		if status := r.statusAmong(f.Path, v); status >= 400 {
			r.add(classes, status)
			return
		}
		if !slices.Contains(r.open, u.To) {
			r.open = append(r.open, u.To)
			r.function(u.To, classes)
			r.open = r.open[:len(r.open)-1]
		}
		return
	}
	if status := r.statusAmong(f.Path, v); status >= 400 {
		r.add(classes, status)
	}
}

// ownStatus reports whether a value is a field of a variable whose name says that it is a status.
func ownStatus(v *code.Value) bool {
	found := false
	v.All(func(part *code.Value) bool {
		if before, name := CutLast(part.Text); part.Kind == code.ValueName && before != "" && strings.Contains(strings.ToLower(name), "code") {
			found = true
		}
		return !found
	})
	return found
}

// choices reads a switch expression that gives a status for each class; it reports whether the value is one.
func (r *aspnetRules) choices(f *code.File, v *code.Value) bool {
	if v.Kind != code.ValueOther || len(v.Args) < 2 {
		return false
	}
	found := false
	for i := range v.Args {
		arm := &v.Args[i]
		if arm.Kind != code.ValueOther || len(arm.Args) < 2 {
			continue
		}
		result := &arm.Args[len(arm.Args)-1]
		status := r.firstStatus(f.Path, result)
		var classes []string
		any := false
		for j := range arm.Args[:len(arm.Args)-1] {
			arm.Args[j].All(func(part *code.Value) bool {
				if part.Kind == code.ValueName {
					classes = append(classes, exceptionNames(part.Text)...)
					any = any || part.Text == "_"
				}
				return true
			})
		}
		if status >= 400 && (len(classes) > 0 || any && found) {
			found = true
			r.add(classes, status)
		}
	}
	return found
}

// firstStatus returns the first status in a value; 0 for none.
func (r *aspnetRules) firstStatus(file string, v *code.Value) int {
	if status := aspnetResult(r.Project, file, v); status >= 400 {
		return status
	}
	status := 0
	v.All(func(part *code.Value) bool {
		if part.Kind == code.ValueName || part.Kind == code.ValueNumber {
			if n := r.Status(file, part); n >= 400 {
				status = n
			}
		}
		return status == 0
	})
	return status
}

func (r *aspnetRules) add(classes []string, status int) {
	if status >= 400 && !slices.ContainsFunc(r.list, func(o aspnetRule) bool { return slices.Equal(o.classes, classes) }) {
		r.list = append(r.list, aspnetRule{classes: classes, status: status})
	}
}

// tables reads the entries { typeof(X), HandleX } of a class that answers exceptions.
func (r *aspnetRules) tables(f *code.File, c *Class) {
	for i := range f.Bodies.Functions {
		b := &f.Bodies.Functions[i]
		if b.Line < c.Symbol.StartLine || b.Line > c.Symbol.EndLine {
			continue
		}
		code.AllStmts(b.Stmts, func(s *code.Stmt) {
			if s.Value != nil && s.Op == code.StmtAssign {
				r.entries(f, c, s.Value)
			}
		})
	}
	for i := range f.Bodies.Bindings {
		if b := &f.Bodies.Bindings[i]; b.In == c.Path || strings.HasPrefix(b.In, c.Path+".") {
			r.entries(f, c, &b.Value)
		}
	}
}

// entries reads the entries in a value.
func (r *aspnetRules) entries(f *code.File, c *Class, v *code.Value) {
	v.All(func(part *code.Value) bool {
		if len(part.Args) != 2 {
			return true
		}
		var classes []string
		part.Args[0].All(func(name *code.Value) bool {
			if name.Kind == code.ValueName {
				classes = append(classes, exceptionNames(name.Text)...)
			}
			return true
		})
		if len(classes) != 1 {
			return true
		}
		if method := part.Args[1]; method.Kind == code.ValueName {
			for _, m := range r.methodsOf(c) {
				if m.Name == Last(method.Text) {
					r.function(m, classes)
				}
			}
		}
		if status := r.firstStatus(f.Path, &part.Args[1]); status >= 400 {
			r.add(classes, status)
		}
		return true
	})
}

// dotnetOwnStatus returns the status that an exception is made with: among its arguments, or those that its constructor gives
// to that of its base; 0 for none.
func (p *Project) dotnetOwnStatus(at Site, class string, made *code.Value) int {
	if made != nil && at.File != nil {
		if status := p.statusAmong(at.File.Path, made); status >= 400 {
			return status
		}
	}
	for range maxSteps {
		list := p.classes[class]
		if len(list) == 0 {
			return 0
		}
		c := &list[0]
		if status := p.classStatus(c); status >= 400 || len(c.Symbol.Bases) == 0 {
			return status
		}
		if status := writtenStatus(givenToBase(c)); status > 0 {
			return status
		}
		base, _, _ := strings.Cut(c.Symbol.Bases[0], "(")
		class = Last(base)
	}
	return 0
}

// classStatus returns the status that a class of exceptions gives to its base or to a property; 0 for none.
func (p *Project) classStatus(c *Class) int {
	for call := range p.CallsIn(c.File.Path, c.Symbol.StartLine, c.Symbol.EndLine) {
		if call.Value.Text == "base" {
			if status := p.statusAmong(c.File.Path, &call.Value); status >= 400 {
				return status
			}
		}
	}
	for i := range c.File.Bodies.Bindings {
		if b := &c.File.Bodies.Bindings[i]; strings.HasPrefix(b.In, c.Path+".") && strings.Contains(strings.ToLower(b.Name), "code") {
			if status := p.statusIn(c.File.Path, &b.Value); status >= 400 {
				return status
			}
		}
	}
	return 0
}

// baseText returns the text that the constructor of a class gives to that of its base; "" if it is not constant.
func (p *Project) baseText(class string) string {
	for i := range p.classes[class] {
		c := &p.classes[class][i]
		for call := range p.CallsIn(c.File.Path, c.Symbol.StartLine, c.Symbol.EndLine) {
			if call.Value.Text != "base" {
				continue
			}
			if text := firstText(&call.Value); text != "" && !strings.Contains(text, "{") {
				return text
			}
		}
		if text := writtenText(givenToBase(c)); text != "" {
			return text
		}
	}
	return ""
}
