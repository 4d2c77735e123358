package service

import (
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// fastcrudErrors are the subclasses of HTTPException of FastCRUD with their statuses (fastcrud/exceptions/http_exceptions.py).
var fastcrudErrors = map[string]int{
	"BadRequestException": 400, "UnauthorizedException": 401, "ForbiddenException": 403, "NotFoundException": 404,
	"UnprocessableEntityException": 422, "DuplicateValueException": 422, "RateLimitException": 429,
}

// fastapiRaised reads HTTPException(404, "text"), and classes of the project that are derived from it.
func fastapiRaised(p *Project, at Site, made *code.Value) (Answer, bool) {
	name := Last(made.Text)
	status := fastcrudErrors[name]
	switch {
	case made.Kind != code.ValueCall:
		return Answer{}, false
	case p.IsA(name, "HTTPException"), name == "CustomException" && p.importsAny("python", "fastcrud"):
		return p.httpException(at.File.Path, made, 0), true
	case status > 0 && p.importsAny("python", "fastcrud"):
		a := Answer{Status: status}
		a.Message, _ = p.Text(at.File.Path, made.Arg(0))
		return a, true
	}
	return Answer{}, false
}

// httpException returns the answer to an HTTPException that a call in a file makes.
func (p *Project) httpException(file string, made *code.Value, depth int) Answer {
	if class := p.class(file, made.Text); class != nil && depth < maxSteps {
		if base := p.baseMade(file, class, made); base != nil {
			return p.httpException(class.File.Path, base, depth+1)
		}
	}
	status, detail := made.Named("status_code"), made.Named("detail")
	if status == nil {
		status = made.Arg(0)
	}
	if detail == nil {
		detail = made.Arg(1)
	}
	a := Answer{Status: p.Status(file, status)}
	a.Message, _ = p.Text(file, detail)
	return a
}

// baseMade returns the call of its base's constructor that the constructor of a class makes, with the values that a call of the
// class gives; nil if the class has no constructor.
func (p *Project) baseMade(file string, class *Class, made *code.Value) *code.Value {
	init := p.method(class, "__init__")
	if init == nil || len(class.Symbol.Bases) == 0 {
		return nil
	}
	for c := range p.CallsIn(init.File, init.StartLine, init.EndLine) {
		if Last(c.Value.Text) != "__init__" {
			continue
		}
		out := &code.Value{Kind: code.ValueCall, Text: Last(class.Symbol.Bases[0]), Line: made.Line}
		for _, arg := range c.Value.Args {
			if arg.Text == "self" {
				continue
			}
			given, at := p.parameterValue(init, &arg, made)
			from := init.File
			if at {
				from = file
			}
			value := p.settled(from, given)
			value.Name = arg.Name
			out.Args = append(out.Args, value)
		}
		return out
	}
	return nil
}

// parameterValue returns the value that an argument in a constructor has: what a call gives to the parameter that it names, in the
// file of the call, or else the default of that parameter, or the argument itself.
func (p *Project) parameterValue(init *resolve.Node, arg, made *code.Value) (value *code.Value, byCaller bool) {
	s := p.Symbol(init)
	if s == nil || arg.Kind != code.ValueName {
		return arg, false
	}
	params := slices.DeleteFunc(slices.Clone(s.Params), func(param code.Param) bool { return param.Name == "self" })
	for i, param := range params {
		if param.Name != arg.Text {
			continue
		}
		if v := made.Named(param.Name); v != nil {
			return v, true
		}
		if v := made.Arg(i); v != nil {
			return v, true
		}
		text, quoted := strings.CutPrefix(param.Default, `"`)
		if !quoted {
			return &code.Value{Kind: code.ValueName, Text: param.Default, Line: arg.Line}, false
		}
		return &code.Value{Kind: code.ValueString, Text: strings.TrimSuffix(text, `"`), Line: arg.Line}, false
	}
	return arg, false
}

// settled returns a value without reference to its file, if it is a constant.
func (p *Project) settled(file string, v *code.Value) code.Value {
	if status := p.Status(file, v); status > 0 {
		return code.Value{Kind: code.ValueNumber, Text: strconv.Itoa(status), Line: v.Line}
	}
	if text, ok := p.Text(file, v); ok {
		return code.Value{Kind: code.ValueString, Text: text, Line: v.Line}
	}
	return *v
}
