package service

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// parsePipes are the framework's pipes for single values, with what they say of a wrong one.
var parsePipes = map[string]string{
	"ParseIntPipe": "Validation failed (numeric string is expected)", "ParseFloatPipe": "Validation failed (numeric string is expected)",
	"ParseBoolPipe": "Validation failed (boolean string is expected)", "ParseUUIDPipe": "Validation failed (uuid is expected)",
	"ParseArrayPipe": "Validation failed (parsable array expected)", "ParseEnumPipe": "Validation failed (enum string is expected)",
	"ParseDatePipe": "Validation failed (no Date provided)", "ParseFilePipe": "",
}

// validation returns the steps of the pipes of a route, and of those that its parameters name.
func (r *nestReader) validation(n *resolve.Node, marks marked, pipes []Given) []Step {
	var out []Step
	for _, pipe := range pipes {
		out = append(out, r.pipe(n, marks, pipe)...)
	}
	for _, c := range marks.parameters {
		for i := range c.Value.Args {
			v := &c.Value.Args[i]
			if v.Kind == code.ValueName || v.Kind == code.ValueCall {
				out = append(out, r.pipe(n, marks, Given{c.File.Path, v})...)
			}
		}
	}
	return out
}

// pipe returns the step of a pipe: of the framework, or the method transform of a class.
func (r *nestReader) pipe(n *resolve.Node, marks marked, pipe Given) []Step {
	name := Last(pipe.Text)
	step := Step{Kind: Validation, Name: name, At: Place{pipe.File, pipe.Line}}
	if class := r.Node(pipe.File, pipe.Value); class != nil && class.IsType() {
		if step.Node = r.method(r.ofClass(class), "transform"); step.Node == nil || len(marks.parameters) == 0 {
			return nil
		}
		return []Step{step}
	}
	answer := Answer{Status: 400, At: step.At}
	text, parses := parsePipes[name]
	switch {
	case parses:
		answer.Message = text
	case name == "ValidationPipe" && r.validated(n, marks):
		if answer.Status = r.invalid(pipe); answer.Status == 0 {
			return []Step{step}
		}
	default:
		return nil
	}
	step.Refusals = []Refusal{{Answer: answer}}
	return []Step{step}
}

// invalid returns the status with which a ValidationPipe refuses, which its options may change; 0 if it is not known.
func (r *nestReader) invalid(pipe Given) int {
	file, options := pipe.File, pipe.Arg(0)
	if options != nil && options.Kind == code.ValueName {
		b, ok := r.bound(file, options)
		if !ok {
			return 0
		}
		file, options = b.File.Path, &b.Value
	}
	switch {
	case options == nil:
		return 400
	case options.Kind != code.ValueObject:
		return 0
	}
	if factory := options.Named("exceptionFactory"); factory != nil {
		if made := r.factory(file, factory); made != nil {
			return r.nestStatus(file, made)
		}
		return 0
	}
	if status := options.Named("errorHttpStatusCode"); status != nil {
		return r.Status(file, status)
	}
	return 400
}

// factory returns the error that a function literal makes; nil if it is not known.
func (r *nestReader) factory(file string, v *code.Value) *code.Value {
	f := r.File(file)
	if v == nil || f == nil {
		return nil
	}
	body := literalBody(f, v)
	if body == nil {
		return nil
	}
	var made *code.Value
	code.AllStmts(body.Stmts, func(s *code.Stmt) {
		if s.Op == code.StmtReturn && s.Value != nil && s.Value.Kind == code.ValueCall {
			made = s.Value
		} else if s.Op == code.StmtError {
			made = &s.Exit.Value
		}
	})
	return made
}

// validated reports whether a parameter of a handler has a class with rules of class-validator.
func (r *nestReader) validated(n *resolve.Node, marks marked) bool {
	return slices.ContainsFunc(marks.parameters, func(c Call) bool {
		return len(r.rules(r.model(n, c))) > 0
	})
}

// model returns the class of the parameter that a decorator marks; nil if it is not of the project.
func (r *nestReader) model(n *resolve.Node, mark Call) *Class {
	param := r.parameter(n, mark)
	if param == nil {
		return nil
	}
	if list := r.classes[strings.TrimSuffix(param.Type, "[]")]; len(list) > 0 {
		return &list[0]
	}
	return nil
}

// nameAfter matches the parameter after a decorator, with other decorators and modifiers between them.
var nameAfter = lazyregexp.New(`^(?:\s*@[\w.]+(?:\((?:[^()]|\([^()]*\))*\))?)*\s*(?:(?:private|public|protected|readonly)\s+)*(\w+)`)

// parameter returns the parameter that a decorator marks, by its place in the signature; nil if it is not known.
func (r *nestReader) parameter(n *resolve.Node, mark Call) *code.Param {
	s := r.Symbol(n)
	if s == nil {
		return nil
	}
	rest, text := s.Signature, "@"+mark.Value.Text
	for _, c := range r.marks(n).parameters {
		if c.Value.Text != mark.Value.Text {
			continue
		}
		at := strings.Index(rest, text+"(")
		if at < 0 {
			return nil
		}
		rest = rest[at+len(text):]
		if c.CallUse == mark.CallUse {
			break
		}
	}
	m := nameAfter.FindStringSubmatch(rest[code.BracketEnd(rest, 0)+1:])
	if m == nil {
		return nil
	}
	return paramNamed(s, m[1])
}

func paramNamed(s *code.Symbol, name string) *code.Param {
	for i := range s.Params {
		if s.Params[i].Name == name {
			return &s.Params[i]
		}
	}
	return nil
}

// rules returns the rules of class-validator in a class and its bases.
func (r *nestReader) rules(c *Class) []Call {
	if c == nil {
		return nil
	}
	var out []Call
	for mark := range r.CallsIn(c.File.Path, c.Symbol.StartLine, c.Symbol.EndLine) {
		if module, _ := importOf(mark.File, mark.Value.Text); mark.Mark && module == "class-validator" {
			out = append(out, mark)
		}
	}
	for _, base := range c.Symbol.Bases {
		base, _, _ = strings.Cut(base, "<")
		inner := base
		if i := strings.IndexByte(base, '('); i > 0 { // PartialType(Base)
			inner = strings.TrimRight(base[i+1:], ")")
		}
		if list := r.classes[strings.TrimSpace(inner)]; len(list) > 0 && list[0].Symbol != c.Symbol {
			out = append(out, r.rules(&list[0])...)
		}
	}
	return out
}

// nestInputs are the decorators of parameters with the place of their value.
var nestInputs = map[string]string{"Param": "path", "Query": "query", "Body": "body", "Headers": "header", "UploadedFile": "form", "UploadedFiles": "form"}

// inputs adds the inputs of a handler: its parameters with their decorators, and the fields of their classes.
func (r *nestReader) inputs(e *Endpoint, n *resolve.Node, marks marked) {
	for _, c := range marks.parameters {
		in, ok := nestInputs[c.Value.Text]
		param := r.parameter(n, c)
		if !ok || param == nil {
			continue
		}
		name, _ := r.Text(c.File.Path, c.Value.Arg(0))
		input := Input{In: in, Name: name, Type: param.Type, Required: in == "path", At: c.Place()}
		class := r.model(n, c)
		if class == nil {
			if name != "" {
				e.Inputs = append(e.Inputs, input)
			}
			continue
		}
		r.fields(e, class, in, name)
	}
}

// fields adds the fields of a class to the inputs of an endpoint.
func (r *nestReader) fields(e *Endpoint, c *Class, in, prefix string) {
	for i := range c.Symbol.Members {
		m := &c.Symbol.Members[i]
		if m.Kind == code.Method || m.Kind == code.Function {
			continue
		}
		input := Input{In: in, Name: strings.TrimPrefix(prefix+"."+m.Name, "."), Type: m.Returns, Default: m.Value, Required: m.Value == "", At: Place{c.File.Path, max(m.NameLine, m.StartLine)}}
		for _, d := range m.Decorators {
			d = strings.TrimPrefix(d, "@")
			switch name, _, _ := strings.Cut(d, "("); name {
			case "IsOptional":
				input.Required = false
			case "ApiProperty", "ApiPropertyOptional", "Type", "Transform", "Expose", "Exclude":
			default:
				input.Limits = append(input.Limits, d)
			}
		}
		if in == "answer" && slices.ContainsFunc(m.Decorators, notAnswered) {
			continue
		}
		if strings.Contains(m.Signature, "?:") {
			input.Required = false
		}
		e.Inputs = append(e.Inputs, input)
	}
}

// notAnswered reports whether a decorator keeps a field out of answers, or leaves it to the query whether it is there: a relation.
func notAnswered(decorator string) bool {
	name, _, _ := strings.Cut(strings.TrimPrefix(decorator, "@"), "(")
	return slices.Contains([]string{"Exclude", "OneToMany", "ManyToOne", "OneToOne", "ManyToMany"}, name)
}

// nestErrors returns how filters answer errors; without one an HttpException answers its own status, others 500.
func nestErrors(p *Project, read func(s *Step) []Ending) func(at Site, class string, made *code.Value, a Answer) Answer {
	r := &nestReader{Project: p}
	type filter struct {
		classes []string
		answers []Ending
	}
	var filters []filter
	for c := range p.Calls(ecmaLanguages...) {
		if !c.Mark || c.Value.Text != "Catch" {
			continue
		}
		class := p.FunctionAt(c.File.Path, c.Line)
		if class == nil || !class.IsType() {
			continue
		}
		f := filter{}
		for i := range c.Value.Args {
			f.classes = append(f.classes, Last(c.Value.Args[i].Text))
		}
		if n := p.method(p.ofClass(class), "catch"); n != nil {
			f.answers = read(&Step{Kind: Handling, Node: n, At: Place{n.File, n.Line}})
			filters = append(filters, f)
		}
	}
	slices.SortStableFunc(filters, func(a, b filter) int { return min(len(b.classes), 1) - min(len(a.classes), 1) }) // all errors last
	return func(at Site, class string, made *code.Value, a Answer) Answer {
		own := a.Status
		if made != nil {
			own = r.nestStatus(at.File.Path, made)
			if a.Message == "" {
				a.Message = p.ErrorAnswer(at.File.Path, made).Message
			}
		}
		t := p.throws(class, own)
		a.Status = own
		for _, f := range filters {
			if len(f.classes) > 0 && !slices.ContainsFunc(f.classes, func(c string) bool { return r.isException(class, c) }) {
				continue
			}
			if status, found := t.answer([][]Ending{f.answers}); found {
				a.Status = status
				return a
			}
		}
		if a.Status == 0 {
			a.Status = 500
		}
		return a
	}
}

// isException reports whether an error's class is another one: all of the framework's exceptions are HttpExceptions.
func (r *nestReader) isException(class, base string) bool {
	if r.IsA(class, base) {
		return true
	}
	own := r.libraryBase(class)
	return own == base || base == "HttpException" && strings.HasSuffix(own, "Exception")
}

// nestStatus returns the status of an exception by how it is made; 0 for other errors.
func (r *nestReader) nestStatus(file string, made *code.Value) int {
	name := r.libraryBase(Last(made.Text))
	if status := StatusNamed(strings.TrimSuffix(Last(name), "Exception")); status >= 400 {
		return status
	}
	if status := r.ErrorAnswer(file, made).Status; status > 0 {
		return status
	}
	if !strings.HasSuffix(name, "Exception") {
		return 0
	}
	for i := range made.Args {
		if status := r.Status(file, &made.Args[i]); status >= 400 {
			return status
		}
	}
	return 0
}
