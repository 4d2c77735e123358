package service

import "github.com/reverse-spec/reverse-spec/internal/code"

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
		return p.httpException(at.File.Path, made), true
	case status > 0 && p.importsAny("python", "fastcrud"):
		a := Answer{Status: status}
		a.Message, _ = p.Text(at.File.Path, made.Arg(0))
		return a, true
	}
	return Answer{}, false
}

// httpException returns the answer to an HTTPException that a call in a file makes: HTTPException(404, "text").
func (p *Project) httpException(file string, made *code.Value) Answer {
	a := p.ErrorAnswer(file, made)
	if p.class(file, made.Text) != nil && a.Status > 0 {
		return a
	}
	status, detail := made.Named("status_code"), made.Named("detail")
	if status == nil {
		status = made.Arg(0)
	}
	if detail == nil {
		detail = made.Arg(1)
	}
	a.Status = p.Status(file, status)
	a.Message, _ = p.Text(file, detail)
	return a
}
