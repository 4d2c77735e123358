package service

import (
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// statusNames are the names that arguments, fields and keys with an HTTP status have.
var statusNames = []string{"status_code", "statuscode", "status", "code", "http_status", "httpstatus", "http_code"}

// messageNames are the names that those with the message have.
var messageNames = []string{"message", "detail", "msg", "error", "description", "reason", "errors"}

func isStatusName(name string) bool {
	return slices.Contains(statusNames, strings.ToLower(strings.TrimPrefix(name, "_")))
}

// ErrorAnswer returns the status and the message that an error has by the way it is made: arguments of its constructor,
// fields of its class, arguments of its base's constructor, or what the function returns that makes it. Status is 0 if none
// of these shows it.
func (p *Project) ErrorAnswer(file string, made *code.Value) Answer {
	e := errorReader{Project: p}
	e.read(file, made, nil)
	return Answer{Status: e.status, Message: e.message}
}

// errorReader follows the construction of an error.
type errorReader struct {
	*Project
	status  int
	message string
	depth   int
}

// values are the values of parameters, with the files that they are in.
type values map[string]Given

// value returns what a value stands for: the argument for a parameter.
func (e *errorReader) value(file string, v *code.Value, params values) (string, *code.Value) {
	if v != nil && v.Kind == code.ValueName {
		if g, ok := params[v.Text]; ok && g.Value != nil {
			return g.File, g.Value
		}
	}
	return file, v
}

// read reads the call that makes an error, within a function with params.
func (e *errorReader) read(file string, v *code.Value, params values) {
	if v == nil || e.depth > maxSteps {
		return
	}
	e.depth++
	defer func() { e.depth-- }()
	if v.Kind == code.ValueName { // raise Class
		if c := e.class(file, v.Text); c != nil {
			e.fields(c, Given{}, nil)
		}
		return
	}
	if v.Kind != code.ValueCall {
		return
	}
	e.arguments(file, v, params)
	owner := Last(v.Text)
	if n := e.Node(file, v); n != nil && IsFunction(n) && n.Name != "__init__" && n.Name != "constructor" {
		e.returned(n, file, v, params)
		return
	}
	if c := e.class(file, owner); c != nil {
		e.fields(c, Given{file, v}, params)
	}
}

// arguments reads the arguments whose names say what they are, also those of a map that is spread.
func (e *errorReader) arguments(file string, v *code.Value, params values) {
	for i := range v.Args {
		at, arg := e.value(file, &v.Args[i], params)
		name := v.Args[i].Name
		switch {
		case arg == nil:
		case isStatusName(name):
			e.setStatus(e.Status(at, arg))
		case slices.Contains(messageNames, name):
			e.setMessage(at, arg)
		case arg.Kind == code.ValueObject && name == "" && len(v.Args) == 1: // new Failure({ status, message })
			e.arguments(at, arg, params)
		case arg.Kind == code.ValueOther && len(arg.Args) == 1 && arg.Args[0].Kind == code.ValueName: // **map
			e.spread(at, &arg.Args[0], params)
		}
	}
}

// spread reads the keys of a map that a name is bound to: a literal, or what a function makes.
func (e *errorReader) spread(file string, v *code.Value, params values) {
	b, ok := e.bound(file, v)
	if !ok {
		return
	}
	file, v = b.File.Path, &b.Value
	if v.Kind == code.ValueCall {
		n := e.Node(file, v)
		if n == nil || !IsFunction(n) {
			return
		}
		given := e.bind(n, file, v, nil)
		if made := e.result(bodyStmts(e.Body(n)), nil); made != nil {
			e.arguments(n.File, made, given)
		}
		return
	}
	e.arguments(file, v, params)
}

func bodyStmts(b *code.Body) []code.Stmt {
	if b == nil {
		return nil
	}
	return b.Stmts
}

// returned reads the error that a function makes.
func (e *errorReader) returned(n *resolve.Node, file string, call *code.Value, params values) {
	made := e.result(bodyStmts(e.Body(n)), nil)
	if made == nil {
		return
	}
	given := e.bind(n, file, call, params)
	if last := Last(made.Text); made.Kind == code.ValueCall && (last == "cls" || last == "self" || last == "static") {
		own := *made
		own.Text = Last(n.Owner())
		made = &own
	}
	e.read(n.File, made, given)
}

// bind returns the values that a call gives to the parameters of a function, or their defaults.
func (e *errorReader) bind(n *resolve.Node, file string, call *code.Value, params values) values {
	s := e.Symbol(n)
	if s == nil {
		return nil
	}
	out := values{}
	at := 0
	for _, param := range s.Params {
		if param.Name == "self" || param.Name == "cls" {
			continue
		}
		if param.Default != "" {
			out[param.Name] = Given{n.File, literal(param.Default, n.Line)}
		}
		v := call.Named(param.Name)
		if v == nil {
			v = call.Arg(at)
			at++
		}
		if v != nil {
			f, v := e.value(file, v, params)
			out[param.Name] = Given{f, v}
		}
	}
	return out
}

// literal returns the value of a default as written.
func literal(text string, line int) *code.Value {
	if _, err := strconv.Atoi(text); err == nil {
		return &code.Value{Kind: code.ValueNumber, Text: text, Line: line}
	}
	if len(text) > 1 && (text[0] == '"' || text[0] == '\'') && text[len(text)-1] == text[0] {
		return &code.Value{Kind: code.ValueString, Text: text[1 : len(text)-1], Line: line}
	}
	return &code.Value{Kind: code.ValueName, Text: text, Line: line}
}

// constructor returns the constructor of a class; nil if it has none of its own.
func (p *Project) constructor(c *Class) *resolve.Node {
	for _, m := range p.Links.Linked(c.File.Path) {
		if IsFunction(m) && m.Owner() == c.Path && (m.Name == "__init__" || m.Name == "constructor" || m.Name == Last(c.Path)) {
			return m
		}
	}
	return nil
}

// fields reads what a class says of its errors: what its constructor sets and gives to its base, fields, and its bases.
// Call is the call that makes the error, within a function with params; a class without a constructor has that of its base.
func (e *errorReader) fields(c *Class, call Given, params values) {
	if e.depth > maxSteps {
		return
	}
	e.depth++
	defer func() { e.depth-- }()
	if call.Value == nil {
		call = Given{c.File.Path, &code.Value{}}
	}
	if n := e.constructor(c); n != nil {
		e.constructed(c, n, e.bind(n, call.File, call.Value, params))
		call, params = Given{}, nil
	}
	for i := range c.File.Bodies.Bindings {
		b := &c.File.Bodies.Bindings[i]
		if b.In != c.Path && b.In != c.Path+"."+b.Name {
			continue
		}
		if name := b.Name; isStatusName(name) {
			e.setStatus(e.Status(c.File.Path, &b.Value))
		} else if slices.Contains(messageNames, strings.TrimPrefix(name, "default_")) {
			e.setMessage(c.File.Path, &b.Value)
		}
	}
	for _, base := range c.Symbol.Bases {
		if b := e.class(c.File.Path, base); b != nil && b.Symbol != c.Symbol {
			e.fields(b, call, params)
		}
	}
}

// constructed reads the statements of a constructor.
func (e *errorReader) constructed(c *Class, n *resolve.Node, params values) {
	code.AllStmts(bodyStmts(e.Body(n)), func(s *code.Stmt) {
		switch name := Last(s.Text); {
		case s.Op == code.StmtAssign && s.Value != nil && isStatusName(name):
			at, v := e.value(c.File.Path, s.Value, params)
			e.setStatus(e.Status(at, v))
		case s.Op == code.StmtAssign && s.Value != nil && slices.Contains(messageNames, name):
			e.setMessage(e.value(c.File.Path, s.Value, params))
		case s.Op == code.StmtCall && s.Value != nil && (name == "__init__" || name == "super"):
			e.arguments(c.File.Path, s.Value, params)
			e.base(c, s.Value, params)
		}
	})
}

// base reads the arguments that a constructor gives to that of its base.
func (e *errorReader) base(c *Class, call *code.Value, params values) {
	for _, base := range c.Symbol.Bases {
		if b := e.class(c.File.Path, base); b != nil && b.Symbol != c.Symbol {
			e.fields(b, Given{c.File.Path, call}, params)
			return
		}
	}
	for i := range call.Args { // of a library: the number is the status, the text the message
		at, v := e.value(c.File.Path, &call.Args[i], params)
		if v == nil {
			continue
		}
		e.setStatus(e.Status(at, v))
		if call.Args[i].Name == "" {
			e.setMessage(at, v)
		}
	}
}

func (e *errorReader) setStatus(status int) {
	if e.status == 0 && status >= 400 {
		e.status = status
	}
}

// setMessage sets the message to the text of a value, or the first text in it.
func (e *errorReader) setMessage(file string, v *code.Value) {
	if e.message != "" || v == nil {
		return
	}
	if text, ok := e.Text(file, v); ok {
		e.message = text
		return
	}
	e.message = firstText(v)
}
